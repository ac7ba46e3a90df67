//! Citations: the file is there, it has the lines, and they hold the quoted text.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{Claim, ClaimEvidence, Message};
use crate::scorecard::LineRange;
use crate::search::SearchEngine;

/// What is claimed of one file: the claim's number, its lines and the text they hold.
type Cited<'c> = (usize, &'c str, Option<&'c str>);

/// Checks the citations among `claims`; each file is read once.
pub(super) fn check(engine: &SearchEngine<'_>, claims: &[Claim]) -> Vec<Message> {
    let mut by_file: BTreeMap<&str, Vec<Cited<'_>>> = BTreeMap::new();
    for (number, claim) in claims.iter().enumerate() {
        if let ClaimEvidence::Citation {
            file,
            lines,
            contains,
        } = &claim.evidence
        {
            by_file
                .entry(file)
                .or_default()
                .push((number, lines, contains.as_deref()));
        }
    }
    let check = |(file, cited): (&str, Vec<Cited<'_>>)| check_file(engine, file, &cited);
    by_file.into_par_iter().flat_map_iter(check).collect()
}

fn check_file(engine: &SearchEngine<'_>, file: &str, cited: &[Cited<'_>]) -> Vec<Message> {
    let text = match engine.text(file) {
        Ok(text) => text,
        Err(reason) => {
            return cited
                .iter()
                .map(|(number, ..)| (*number, format!("cannot cite {file}: {reason}")))
                .collect();
        }
    };
    let lines: Vec<&str> = text.lines().collect();
    let wrong = |(number, range, contains): &Cited<'_>| {
        Some((*number, problem(file, &lines, range, *contains)?))
    };
    cited.iter().filter_map(wrong).collect()
}

fn problem(file: &str, lines: &[&str], range: &str, contains: Option<&str>) -> Option<String> {
    let Some((first, last)) = parse_range(range) else {
        return Some(format!(
            "{file}: lines {range:?} are not `N` or `N-M`, counted from 1"
        ));
    };
    let Some(cited) = lines.get(first - 1..last) else {
        return Some(format!("{file} has {} lines, cited {range}", lines.len()));
    };
    let text = contains.filter(|text| !cited.join("\n").contains(text))?;
    Some(format!("{file}:{range} lacks {text:?}"))
}

/// The lines of `file` on which `quote` stands; none unless there is exactly one such place.
pub(super) fn find(engine: &SearchEngine<'_>, file: &str, quote: &str) -> Option<LineRange> {
    let text = engine.text(file).ok()?;
    let mut places = text.match_indices(quote).map(|(at, _)| at);
    let (at, None) = (places.next()?, places.next()) else {
        return None;
    };
    let breaks = |text: &str| u32::try_from(text.matches('\n').count()).ok();
    let first = breaks(&text[..at])?.checked_add(1)?;
    let last = first.checked_add(breaks(quote)?)?;
    Some(LineRange { first, last })
}

/// First and last line of `N` or `N-M`.
fn parse_range(range: &str) -> Option<(usize, usize)> {
    let number = |digits: &str| {
        if digits.bytes().all(|byte| byte.is_ascii_digit()) {
            digits.parse::<usize>().ok()
        } else {
            None
        }
    };
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let (first, last) = (number(first)?, number(last)?);
    (first >= 1 && last >= first).then_some((first, last))
}

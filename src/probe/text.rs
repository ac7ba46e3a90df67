//! Text probes: a regular expression over a file's bytes.

use std::collections::BTreeMap;
use std::ops::Range;

use regex::bytes::Regex;

use super::evidence::quote;

/// A match in one text, before it is a [`super::Hit`] of a file.
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) captures: BTreeMap<String, String>,
}

/// All non-empty matches of `regex` in the `parts` of `text` for whose start `is_real` holds, at most `most`.
pub(super) fn find(
    regex: &Regex,
    text: &[u8],
    parts: &[Range<usize>],
    mut is_real: impl FnMut(usize) -> bool,
    most: usize,
) -> Vec<Found> {
    let names: Vec<&str> = regex.capture_names().flatten().collect();
    let mut found = Vec::new();
    for part in parts {
        let left = most - found.len();
        if left == 0 {
            break;
        }
        let (text, from) = (&text[part.clone()], part.start);
        let is_wanted = |start: usize, end: usize| start < end && is_real(from + start);
        match names.is_empty() {
            true => found.extend(spans(regex, text, from, is_wanted).take(left)),
            false => found.extend(captures(regex, &names, text, from, is_wanted).take(left)),
        }
    }
    found
}

/// Matches of a pattern without names in `text`, which begins at `from`.
fn spans(
    regex: &Regex,
    text: &[u8],
    from: usize,
    mut is_wanted: impl FnMut(usize, usize) -> bool,
) -> impl Iterator<Item = Found> {
    regex
        .find_iter(text)
        .filter(move |found| is_wanted(found.start(), found.end()))
        .map(move |found| Found {
            start: from + found.start(),
            end: from + found.end(),
            captures: BTreeMap::new(),
        })
}

/// Matches of a pattern with names in `text`, which begins at `from`.
fn captures(
    regex: &Regex,
    names: &[&str],
    text: &[u8],
    from: usize,
    mut is_wanted: impl FnMut(usize, usize) -> bool,
) -> impl Iterator<Item = Found> {
    regex.captures_iter(text).filter_map(move |captures| {
        let whole = captures
            .get(0)
            .filter(|found| is_wanted(found.start(), found.end()))?;
        let named = names.iter().filter_map(|name| {
            let found = captures.name(name)?;
            Some(((*name).to_owned(), quote(found.as_bytes())))
        });
        Some(Found {
            start: from + whole.start(),
            end: from + whole.end(),
            captures: named.collect(),
        })
    })
}

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

/// All non-empty matches of `regex` in the `parts` of `text`, at most `most`.
pub(super) fn find(regex: &Regex, text: &[u8], parts: &[Range<usize>], most: usize) -> Vec<Found> {
    let names: Vec<&str> = regex.capture_names().flatten().collect();
    let mut found = Vec::new();
    for part in parts {
        let left = most - found.len();
        if left == 0 {
            break;
        }
        let (text, from) = (&text[part.clone()], part.start);
        match names.is_empty() {
            true => found.extend(spans(regex, text, from).take(left)),
            false => found.extend(captures(regex, &names, text, from).take(left)),
        }
    }
    found
}

/// Matches of a pattern without names in `text`, which begins at `from`.
fn spans(regex: &Regex, text: &[u8], from: usize) -> impl Iterator<Item = Found> {
    regex
        .find_iter(text)
        .filter(|found| !found.is_empty())
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
) -> impl Iterator<Item = Found> {
    regex.captures_iter(text).filter_map(move |captures| {
        let whole = captures.get(0).filter(|found| !found.is_empty())?;
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

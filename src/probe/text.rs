//! Text probes: a regular expression over a file's bytes.

use std::collections::BTreeMap;

use regex::bytes::Regex;

use super::evidence::quote;

/// A match in one text, before it is a [`super::Hit`] of a file.
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) captures: BTreeMap<String, String>,
}

/// All non-empty matches of `regex` in `text`, at most `most`.
pub(super) fn find(regex: &Regex, text: &[u8], most: usize) -> Vec<Found> {
    let names: Vec<&str> = regex.capture_names().flatten().collect();
    if names.is_empty() {
        let plain = |m: regex::bytes::Match<'_>| Found {
            start: m.start(),
            end: m.end(),
            captures: BTreeMap::new(),
        };
        return regex
            .find_iter(text)
            .filter(|m| !m.is_empty())
            .take(most)
            .map(plain)
            .collect();
    }
    let mut found = Vec::new();
    for captures in regex.captures_iter(text) {
        let Some(whole) = captures.get(0).filter(|m| !m.is_empty()) else {
            continue;
        };
        let named = names
            .iter()
            .filter_map(|name| {
                captures
                    .name(name)
                    .map(|m| ((*name).to_owned(), quote(m.as_bytes())))
            })
            .collect();
        found.push(Found {
            start: whole.start(),
            end: whole.end(),
            captures: named,
        });
        if found.len() == most {
            break;
        }
    }
    found
}

//! What the probes find in one text.

use std::collections::BTreeMap;

use super::comment::Comments;
use super::compile::{Engine, ProbeError, ProbeSet};
use super::config;
use super::evidence::{Hit, Lines, quote};
use super::prefilter::Candidate;
use super::scan::FileScan;
use super::syntax;
use super::text::{self, Found};
use crate::inventory::Limits;

/// All hits of the probes `candidates` in one text, by line and probe; their `file` is 0.
///
/// # Errors
/// See [`ProbeSet::check`].
pub(super) fn find(
    probes: &ProbeSet,
    candidates: &[Candidate],
    path: &str,
    language: &str,
    bytes: &[u8],
    scan: &mut FileScan,
    limits: &Limits,
) -> Result<Vec<Hit>, ProbeError> {
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let mut views = Views::new(language, bytes);
    let mut tree = None;
    let mut entries = None;
    let mut hits = Vec::new();
    for Candidate {
        probe: index,
        parts,
    } in candidates
    {
        let probe = &probes.probes[*index];
        let is_real = |start| probe.comments() || !views.is_comment(start);
        let found = match probe.engine()? {
            Engine::Text(regex) => text::find(regex, bytes, parts, is_real, limits.max_hits),
            Engine::Syntax(query) if !query.may_match(bytes, parts) => Vec::new(),
            Engine::Syntax(query) => {
                let steps = limits.parse_steps(bytes.len());
                let tree = tree.get_or_insert_with(|| syntax::parse(language, bytes, steps));
                scan.unparsed |= tree.is_none();
                match tree {
                    Some(tree) => query
                        .find(language, tree, bytes, is_real, limits)
                        .map_err(|message| probe.error(&message))?,
                    None => Vec::new(),
                }
            }
            Engine::Config { key, value } => {
                let entries = entries.get_or_insert_with(|| {
                    config::flatten(path, &String::from_utf8_lossy(bytes), &limits.config())
                        .unwrap_or_else(|broken| {
                            scan.broken_at = Some(broken.line);
                            broken.entries
                        })
                });
                let found = config_hits(*index, key, value.as_ref(), entries, views.lines());
                hits.extend(found.take(limits.max_hits));
                continue;
            }
        };
        if !found.is_empty() {
            let lines = views.lines();
            hits.extend(found.into_iter().map(|f| hit_of(*index, f, lines)));
        }
    }
    hits.sort_by_key(|hit| (hit.first, hit.last, hit.probe));
    Ok(hits)
}

/// What several probes want to know of one text, each made when first asked for.
struct Views<'t> {
    language: &'t str,
    text: &'t [u8],
    lines: Option<Lines<'t>>,
    comments: Option<Comments>,
}

impl<'t> Views<'t> {
    fn new(language: &'t str, text: &'t [u8]) -> Self {
        Self {
            language,
            text,
            lines: None,
            comments: None,
        }
    }

    fn lines(&mut self) -> &Lines<'t> {
        self.lines.get_or_insert_with(|| Lines::new(self.text))
    }

    /// Whether the byte at `offset` lies in a comment. Asked of each hit before hits are counted, so that no number of
    /// hits in comments keeps one in code from being found.
    fn is_comment(&mut self, offset: usize) -> bool {
        let lines = self.lines.get_or_insert_with(|| Lines::new(self.text));
        let comments = self
            .comments
            .get_or_insert_with(|| Comments::new(self.language, self.text));
        comments.cover(lines, offset)
    }
}

fn hit_of(probe: usize, found: Found, lines: &Lines<'_>) -> Hit {
    let (first, last, quote) = lines.locate(found.start, found.end);
    Hit {
        probe,
        file: 0,
        first,
        last,
        quote,
        captures: found.captures,
    }
}

fn config_hits<'a>(
    probe: usize,
    key: &'a config::KeyGlob,
    value: Option<&'a regex::bytes::Regex>,
    entries: &'a [config::Entry],
    lines: &'a Lines<'a>,
) -> impl Iterator<Item = Hit> {
    let matching = entries.iter().filter(move |entry| {
        key.matches(&entry.key) && value.is_none_or(|value| value.is_match(entry.value.as_bytes()))
    });
    let hit = move |entry: &config::Entry| {
        let first_line = quote(lines.text(entry.lines.0));
        Hit {
            probe,
            file: 0,
            first: entry.lines.0,
            last: entry.lines.1,
            quote: first_line,
            captures: BTreeMap::from([
                (
                    "name".to_owned(),
                    entry.key.last().cloned().unwrap_or_default(),
                ),
                ("value".to_owned(), quote(entry.value.as_bytes())),
                ("path".to_owned(), entry.key.join(".")),
            ]),
        }
    };
    matching.map(hit)
}

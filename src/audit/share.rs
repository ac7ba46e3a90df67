//! What was read and parsed of a snapshot, and what was not.

use std::collections::BTreeMap;

use minijinja::value::Value;

use crate::checkout::Snapshot;
use crate::inventory::{Inventory, Role};
use crate::probe::{Outcome, Scan, has_grammar};
use crate::rubric::SKIPPED_SORTS;

/// Below this share of source bytes read or parsed, nothing rests on absence (design.md, Honesty of a partial run).
const ENOUGH: f64 = 0.90;
/// Files named of each sort that was not read.
const NAMED: usize = 3;

/// Shares and lists for conditions and for the Limitations.
#[derive(Clone, Debug, Default)]
pub struct Share {
    /// Share of the source's bytes that was read.
    pub read: f64,
    /// Share of the source's bytes that is in a language with a grammar.
    pub parsed: f64,
    /// Languages of the source, most bytes first.
    pub languages: Vec<String>,
    /// Languages of the source without a grammar, most bytes first.
    pub unparsed: Vec<String>,
    /// Files not read, by outcome, with a few of their paths.
    pub skipped: BTreeMap<&'static str, (usize, Vec<String>)>,
    /// Number of files of source, and of paths that could be any.
    pub files: usize,
    /// Number of them that were not read.
    pub unread_files: usize,
    /// Number of submodules.
    pub submodules: usize,
    /// Whether a folder was rated as it lies there.
    pub worktree: bool,
    /// Whether files were recognised that register tools, run them or hold the agent's loop.
    pub core_found: bool,
}

impl Share {
    /// Sums up `scan`; `roles` are those of the inventory's files, in the light of their content.
    pub fn of(inventory: &Inventory, scan: &Scan, roles: &[Role], snapshot: &Snapshot) -> Self {
        let mut share = Self {
            submodules: inventory.submodules.len(),
            worktree: snapshot.worktree,
            ..Self::default()
        };
        for path in snapshot.odd_paths.iter().chain(&snapshot.missing_trees) {
            share.skip("odd", path);
            share.files += 1;
            share.unread_files += 1;
        }
        let mut bytes: BTreeMap<String, u64> = BTreeMap::new();
        let (mut total, mut read) = (0u64, 0u64);
        for ((file, scanned), role) in inventory.files.iter().zip(&scan.files).zip(roles) {
            let source = file.is_program();
            let counts = source && *role == Role::Source;
            let was_read = scanned.outcome == Outcome::Read || scanned.outcome.looks_generated();
            if counts {
                share.files += 1;
                share.unread_files += usize::from(!was_read);
                total += scanned.bytes.max(1);
                read += if was_read { scanned.bytes } else { 0 };
                *bytes.entry(file.language_name().to_owned()).or_default() += scanned.bytes;
            }
            // Images and fonts say nothing about a control; only files in a known language are missed.
            let relevant = !file.language_name().is_empty();
            let left_out = !(counts && was_read);
            if let Some(sort) = sort_of(&scanned.outcome, source).filter(|_| relevant && left_out) {
                share.skip(sort, &file.path);
            }
            if scanned.unparsed && counts {
                share.skip("unparsable", &file.path);
            }
            if scanned.broken_at.is_some() {
                share.skip("broken", &file.path);
            }
        }
        let mut ranked: Vec<(String, u64)> = bytes.into_iter().collect();
        ranked.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let parsed: u64 = ranked
            .iter()
            .filter(|(language, _)| has_grammar(language))
            .map(|(_, b)| b)
            .sum();
        share.read = ratio(read, total);
        share.parsed = ratio(parsed, ranked.iter().map(|(_, b)| b).sum());
        share.unparsed = ranked
            .iter()
            .map(|(l, _)| l.clone())
            .filter(|l| !has_grammar(l))
            .collect();
        share.languages = ranked.into_iter().map(|(language, _)| language).collect();
        share
    }

    fn skip(&mut self, sort: &'static str, path: &str) {
        let (count, paths) = self.skipped.entry(sort).or_default();
        *count += 1;
        if paths.len() < NAMED {
            paths.push(path.to_owned());
        }
    }

    /// Share of the source that was not read, from 0 to 1: of its bytes or of its files, whichever is more, since
    /// nobody knows the size of a file that is not there.
    pub fn unread(&self) -> f64 {
        let files = 1.0 - ratio((self.files - self.unread_files) as u64, self.files as u64);
        files.max(1.0 - self.read)
    }

    /// Whether enough was read and parsed for an absence to mean something. Where the limits of an audit ended the
    /// reading it never is: what lies beyond them is a whole stretch of the tree.
    pub fn is_enough(&self) -> bool {
        1.0 - self.unread() >= ENOUGH
            && self.parsed >= ENOUGH
            && !self.skipped.contains_key("odd")
            && !self.is_limited()
    }

    /// Whether the limits of an audit ended the reading.
    pub fn is_limited(&self) -> bool {
        self.skipped.contains_key("beyond_limit")
    }

    /// The variable `share` of expressions: shares as numbers from 0 to 1, languages as lists, and for each sort of
    /// file that was not read a text such as `3 (a.py, b.py, c.py)`, empty for none.
    pub fn value(&self) -> Value {
        let described =
            SKIPPED_SORTS.map(|sort| (sort.to_owned(), Value::from(self.describe(sort))));
        let figures = [
            ("read".to_owned(), Value::from(self.read)),
            ("parsed".to_owned(), Value::from(self.parsed)),
            ("languages".to_owned(), Value::from(self.languages.clone())),
            ("unparsed".to_owned(), Value::from(self.unparsed.clone())),
            ("submodules".to_owned(), Value::from(self.submodules)),
            ("worktree".to_owned(), Value::from(self.worktree)),
        ];
        Value::from_pairs(described.into_iter().chain(figures))
    }

    fn describe(&self, sort: &str) -> String {
        let Some((count, paths)) = self.skipped.get(sort) else {
            return String::new();
        };
        let more = if *count > paths.len() { ", …" } else { "" };
        format!("{count} ({}{more})", paths.join(", "))
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        1.0
    } else {
        part as f64 / whole as f64
    }
}

/// The sort under which a file that was not read is counted; source only where the sort says so.
fn sort_of(outcome: &Outcome, source: bool) -> Option<&'static str> {
    match outcome {
        Outcome::Read | Outcome::Passed => None,
        Outcome::Missing => Some("missing"),
        Outcome::TooLarge => Some("too_large"),
        Outcome::Binary => Some("binary"),
        Outcome::LfsPointer => Some("lfs"),
        Outcome::Undecodable => Some("undecodable"),
        Outcome::Failed(_) => Some("failed"),
        Outcome::BeyondLimit => Some("beyond_limit"),
        Outcome::Generated => source.then_some("generated"),
        Outcome::Minified => source.then_some("minified"),
    }
}

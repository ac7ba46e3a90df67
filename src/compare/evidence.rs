//! Evidence of two cards side by side: the same construct may have moved to other lines or with a renamed file.

use serde::Serialize;

use super::renames::{Renames, one_line};
use crate::scorecard::{Evidence, LineRange};

/// A cited place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// `path:lines`.
    pub at: String,
    /// The quoted text, where the card has one.
    pub quote: Option<String>,
}

/// A search that finds another number of lines, or is on one card only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SearchChange {
    /// The command without its paths.
    pub search: String,
    /// The paths of the newer card, or of the older one where the search went.
    pub scope: String,
    /// Its count before; none if it is new.
    pub old_hits: Option<u64>,
    /// Its count now; none if it went.
    pub new_hits: Option<u64>,
}

/// What became of the evidence of one sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EvidenceChange {
    /// Places that only the newer card cites.
    pub appeared: Vec<Place>,
    /// Places that both cite, at other lines or in a renamed file: before, now.
    pub moved: Vec<(Place, Place)>,
    /// Places that only the older card cites.
    pub gone: Vec<Place>,
    /// Searches that count something else.
    pub searches: Vec<SearchChange>,
}

impl EvidenceChange {
    /// Whether more happened than that lines or files moved.
    pub fn is_change(&self) -> bool {
        !self.appeared.is_empty() || !self.gone.is_empty() || !self.searches.is_empty()
    }

    /// Matches citations by file and quote, a file of `renames` being the same file; searches by command and scope.
    pub(super) fn between(old: &[Evidence], new: &[Evidence], renames: &Renames) -> Self {
        let mut change = Self {
            searches: searches(old, new, renames),
            ..Self::default()
        };
        let mut left: Vec<Cited<'_>> = old.iter().filter_map(Cited::of).collect();
        let mut right: Vec<Cited<'_>> = new.iter().filter_map(Cited::of).collect();
        // Places that are the same to the line go first, so that they are not taken for one that moved.
        for same in [Cited::is_where, Cited::is_what] {
            right.retain(|now| {
                let found = left.iter().position(|before| same(before, now, renames));
                let before = found.map(|at| left.remove(at));
                let moved = before.as_ref().filter(|before| !before.is_at(now));
                change
                    .moved
                    .extend(moved.map(|before| (before.place(), now.place())));
                before.is_none()
            });
        }
        change.appeared = right.iter().map(Cited::place).collect();
        change.gone = left.iter().map(Cited::place).collect();
        change
    }
}

struct Cited<'e> {
    file: &'e str,
    lines: &'e str,
    quote: Option<&'e str>,
}

impl<'e> Cited<'e> {
    fn of(evidence: &'e Evidence) -> Option<Self> {
        match evidence {
            Evidence::Citation {
                file,
                lines,
                contains,
                ..
            } => Some(Self {
                file,
                lines,
                quote: contains.as_deref(),
            }),
            Evidence::Search { .. } => None,
        }
    }

    fn is_at(&self, now: &Cited<'_>) -> bool {
        (self.file, self.lines) == (now.file, now.lines)
    }

    /// The same lines of the same file, and no other quote.
    fn is_where(&self, now: &Cited<'_>, renames: &Renames) -> bool {
        self.lines == now.lines && renames.file(self.file) == now.file && self.quotes_alike(now)
    }

    /// The same construct in the same file. Without a quote, so many lines are taken for the same ones.
    fn is_what(&self, now: &Cited<'_>, renames: &Renames) -> bool {
        let height = |lines| LineRange::parse(lines).map(|range| range.last - range.first);
        let same = match (self.quote, now.quote) {
            (None, None) => height(self.lines) == height(now.lines),
            (Some(_), Some(_)) => self.quotes_alike(now),
            _ => false,
        };
        same && renames.file(self.file) == now.file
    }

    /// Whether neither card quotes something that the other does not; white space does not count.
    fn quotes_alike(&self, now: &Cited<'_>) -> bool {
        match (self.quote, now.quote) {
            (Some(before), Some(now)) => one_line(before) == one_line(now),
            _ => true,
        }
    }

    fn place(&self) -> Place {
        Place {
            at: format!("{}:{}", self.file, self.lines),
            quote: self.quote.map(str::to_owned),
        }
    }
}

/// Searches by command and scope whose counts differ.
fn searches(old: &[Evidence], new: &[Evidence], renames: &Renames) -> Vec<SearchChange> {
    let counted = |evidence: &[Evidence]| -> Vec<(String, String, u64)> {
        let searches = evidence.iter().filter_map(|item| match item {
            Evidence::Search {
                search,
                scope,
                hits,
                ..
            } => Some((search.clone(), scope.clone(), *hits)),
            Evidence::Citation { .. } => None,
        });
        searches.collect()
    };
    let mut left = counted(old);
    let mut changes = Vec::new();
    for (search, scope, hits) in counted(new) {
        let same = |(command, paths, _): &(String, String, u64)| {
            *command == search && renames.is_same_scope(paths, &scope)
        };
        let before = left.iter().position(same).map(|at| left.remove(at).2);
        if before != Some(hits) {
            changes.push(SearchChange {
                search,
                scope,
                old_hits: before,
                new_hits: Some(hits),
            });
        }
    }
    changes.extend(left.into_iter().map(|(search, scope, hits)| SearchChange {
        search,
        scope,
        old_hits: Some(hits),
        new_hits: None,
    }));
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cite(file: &str, lines: &str, quote: &str) -> Evidence {
        Evidence::Citation {
            file: file.into(),
            lines: lines.into(),
            contains: (!quote.is_empty()).then(|| quote.into()),
            note: None,
        }
    }

    fn search(scope: &str, hits: u64) -> Evidence {
        Evidence::Search {
            search: "rg -n 'ask'".into(),
            scope: scope.into(),
            hits,
            note: Some(format!("first in {scope}/a.py:{hits}")),
        }
    }

    fn told(change: &EvidenceChange) -> [String; 3] {
        let places = |p: &[Place]| p.iter().map(|p| p.at.clone()).collect::<Vec<_>>().join(" ");
        let moved = change.moved.iter();
        let moved: Vec<_> = moved.map(|(a, b)| format!("{}→{}", a.at, b.at)).collect();
        [
            places(&change.appeared),
            moved.join(" "),
            places(&change.gone),
        ]
    }

    #[test]
    fn moved_lines_and_renamed_files_are_the_same_construct() {
        let old = [
            cite("a.py", "3", "run("),
            cite("b.py", "9", "ask("),
            cite("c.py", "1", "old("),
        ];
        let new = [
            cite("a.py", "5", "run("),
            cite("x/b.py", "9", "ask("),
            cite("d.py", "2", "new("),
        ];
        let renames = Renames::known([("b.py", "x/b.py")]);
        let change = EvidenceChange::between(&old, &new, &renames);
        assert_eq!(
            told(&change),
            ["d.py:2", "b.py:9→x/b.py:9 a.py:3→a.py:5", "c.py:1"]
        );
        assert!(change.is_change());
    }

    #[test]
    fn the_same_words_in_another_file_are_another_place() {
        let old = [cite("a.py", "3", "os.environ")];
        let new = [cite("b.py", "3", "os.environ")];
        let change = EvidenceChange::between(&old, &new, &Renames::default());
        assert_eq!(told(&change), ["b.py:3", "", "a.py:3"]);
    }

    #[test]
    fn one_more_line_of_the_same_words_is_one_that_appeared() {
        let old = [cite("a.py", "3", "run("), cite("a.py", "9", "run(")];
        let new = [
            cite("a.py", "1", "run("),
            cite("a.py", "3", "run("),
            cite("a.py", "9", "run( "),
        ];
        let change = EvidenceChange::between(&old, &new, &Renames::default());
        assert_eq!(told(&change), ["a.py:1", "", ""]);
    }

    #[test]
    fn without_quotes_the_number_of_lines_has_to_do() {
        let old = [cite("a.py", "3-5", ""), cite("a.py", "20", "")];
        let new = [cite("a.py", "7-9", ""), cite("a.py", "20-21", "")];
        let change = EvidenceChange::between(&old, &new, &Renames::default());
        assert_eq!(
            told(&change),
            ["a.py:20-21", "a.py:3-5→a.py:7-9", "a.py:20"]
        );
    }

    #[test]
    fn a_search_is_the_same_while_it_counts_the_same() {
        let renames = Renames::known([("src/a.py", "lib/a.py")]);
        let hits = |old, new| {
            let change = EvidenceChange::between(&[old], &[new], &renames);
            let hits = change.searches.iter();
            hits.map(|s| (s.old_hits, s.new_hits)).collect::<Vec<_>>()
        };
        assert_eq!(hits(search("src", 0), search("src", 0)), []);
        assert_eq!(hits(search("src", 0), search("lib", 0)), []);
        assert_eq!(
            hits(search("src", 0), search("src", 2)),
            [(Some(0), Some(2))]
        );
        assert_eq!(
            hits(search("docs", 0), search("lib", 0)),
            [(None, Some(0)), (Some(0), None)]
        );
    }

    #[test]
    fn the_same_evidence_is_no_change() {
        let same = [cite("a.py", "3", "run("), search("src", 4)];
        assert_eq!(
            EvidenceChange::between(&same, &same, &Renames::default()),
            EvidenceChange::default()
        );
    }
}

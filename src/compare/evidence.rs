//! Evidence of two cards side by side: the same construct may have moved to other lines or with a renamed file.

use serde::Serialize;

use super::renames::{Renames, one_line};
use super::searches::{SearchChange, searches};
use crate::scorecard::{Evidence, LineRange};

/// A cited place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// `path:lines`.
    pub at: String,
    /// The quoted text, where the card has one.
    pub quote: Option<String>,
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

    /// Matches citations by file and quote, a file of `renames` being the same file; searches by command.
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
    fn the_same_evidence_is_no_change() {
        let same = [cite("a.py", "3", "run("), cite("b.py", "4", "run(")];
        assert_eq!(
            EvidenceChange::between(&same, &same, &Renames::default()),
            EvidenceChange::default()
        );
    }
}

//! Evidence of two cards side by side: the same construct may have moved to other lines or into another file.

use serde::Serialize;

use crate::scorecard::Evidence;

/// A cited place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// `path:lines`.
    pub at: String,
    /// The quoted text, where the card has one.
    pub quote: Option<String>,
}

/// What became of the evidence of one parameter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EvidenceChange {
    /// Places that only the newer card cites.
    pub appeared: Vec<Place>,
    /// Places that both cite, at other lines or in another file: before, now.
    pub moved: Vec<(Place, Place)>,
    /// Places that only the older card cites.
    pub gone: Vec<Place>,
}

impl EvidenceChange {
    /// Matches citations by file and quote, then by quote alone (a renamed file); searches are left out.
    pub(super) fn between(old: &[Evidence], new: &[Evidence]) -> Self {
        let mut left: Vec<Cited<'_>> = old.iter().filter_map(Cited::of).collect();
        let mut change = Self::default();
        for cited in new.iter().filter_map(Cited::of) {
            let same_file =
                |other: &Cited<'_>| other.file == cited.file && other.quote == cited.quote;
            let renamed = |other: &Cited<'_>| other.quote.is_some() && other.quote == cited.quote;
            let found = left.iter().position(same_file);
            match found.or_else(|| left.iter().position(renamed)) {
                None => change.appeared.push(cited.place()),
                Some(index) => {
                    let before = left.remove(index);
                    if (before.file, before.lines) != (cited.file, cited.lines) {
                        change.moved.push((before.place(), cited.place()));
                    }
                }
            }
        }
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
            contains: Some(quote.into()),
            note: None,
        }
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
        let change = EvidenceChange::between(&old, &new);
        let places = |p: &[Place]| p.iter().map(|p| p.at.clone()).collect::<Vec<_>>();
        assert_eq!(places(&change.appeared), ["d.py:2"]);
        assert_eq!(places(&change.gone), ["c.py:1"]);
        let moved: Vec<_> = change
            .moved
            .iter()
            .map(|(a, b)| (a.at.as_str(), b.at.as_str()))
            .collect();
        assert_eq!(moved, [("a.py:3", "a.py:5"), ("b.py:9", "x/b.py:9")]);
    }

    #[test]
    fn the_same_evidence_is_no_change() {
        let same = [cite("a.py", "3", "run(")];
        assert_eq!(
            EvidenceChange::between(&same, &same),
            EvidenceChange::default()
        );
    }
}

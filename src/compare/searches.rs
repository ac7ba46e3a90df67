//! Searches of two cards side by side.

use serde::Serialize;

use super::renames::Renames;
use crate::scorecard::Evidence;

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

/// Searches whose counts differ. One of the same scope is looked for first, then one of the same command: folders that
/// join or leave the scope change nothing while no line more or less is found.
pub(super) fn searches(old: &[Evidence], new: &[Evidence], renames: &Renames) -> Vec<SearchChange> {
    let mut left: Vec<Searched<'_>> = old.iter().filter_map(Searched::of).collect();
    let mut right: Vec<Searched<'_>> = new.iter().filter_map(Searched::of).collect();
    let mut changes = Vec::new();
    for same in [Searched::is_where, Searched::is_what] {
        right.retain(|now| {
            let found = left.iter().position(|before| same(before, now, renames));
            let before = found.map(|at| left.remove(at));
            let counts = before.as_ref().filter(|before| before.hits != now.hits);
            changes.extend(counts.map(|before| now.change(Some(before.hits), Some(now.hits))));
            before.is_none()
        });
    }
    changes.extend(right.iter().map(|now| now.change(None, Some(now.hits))));
    changes.extend(left.iter().map(|old| old.change(Some(old.hits), None)));
    changes
}

struct Searched<'e> {
    command: &'e str,
    scope: &'e str,
    hits: u64,
}

impl<'e> Searched<'e> {
    fn of(evidence: &'e Evidence) -> Option<Self> {
        match evidence {
            Evidence::Search {
                search,
                scope,
                hits,
                ..
            } => Some(Self {
                command: search,
                scope,
                hits: *hits,
            }),
            Evidence::Citation { .. } => None,
        }
    }

    fn is_where(&self, now: &Searched<'_>, renames: &Renames) -> bool {
        self.is_what(now, renames) && renames.is_same_scope(self.scope, now.scope)
    }

    fn is_what(&self, now: &Searched<'_>, _: &Renames) -> bool {
        self.command == now.command
    }

    fn change(&self, old_hits: Option<u64>, new_hits: Option<u64>) -> SearchChange {
        SearchChange {
            search: self.command.to_owned(),
            scope: self.scope.to_owned(),
            old_hits,
            new_hits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(scope: &str, hits: u64) -> Evidence {
        Evidence::Search {
            search: "rg -n 'ask'".into(),
            scope: scope.into(),
            hits,
            note: Some(format!("first in {scope}/a.py:{hits}")),
        }
    }

    #[test]
    fn a_search_is_the_same_while_it_counts_the_same() {
        let renames = Renames::known([("src/a.py", "lib/a.py")]);
        let hits = |old, new| {
            let changes = searches(&[old], &[new], &renames);
            let hits = changes.iter().map(|s| (s.old_hits, s.new_hits));
            hits.collect::<Vec<_>>()
        };
        assert_eq!(hits(search("src", 0), search("src", 0)), []);
        assert_eq!(hits(search("src", 0), search("lib", 0)), []);
        assert_eq!(
            hits(search("src", 0), search("src", 2)),
            [(Some(0), Some(2))]
        );
        assert_eq!(hits(search("src docs", 0), search("src", 0)), []);
        assert_eq!(
            hits(search("src docs", 0), search("src", 3)),
            [(Some(0), Some(3))]
        );
    }

    #[test]
    fn a_search_of_the_same_scope_is_matched_first() {
        let old = [search("docs", 5), search("src", 4)];
        let new = [search("src", 4), search("lib", 6)];
        let changes = searches(&old, &new, &Renames::default());
        let told = changes.iter();
        let told: Vec<_> = told
            .map(|s| (s.scope.as_str(), s.old_hits, s.new_hits))
            .collect();
        assert_eq!(told, [("lib", Some(5), Some(6))]);
    }
}

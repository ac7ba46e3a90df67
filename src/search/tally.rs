//! Adds up what files have for searches, keeping no more places than anybody reads.

use std::collections::BTreeMap;

use super::count::Count;
use super::engine::{Outcome, Place};
use super::error::SearchError;
use super::plan::Errand;
use crate::checkout::Snapshot;

/// Places that a search gives back.
pub(super) const MAX_PLACES: usize = 500;

/// What was found for the paths of the jobs' scopes, by job and path.
#[derive(Default)]
pub(super) struct Tally {
    sums: BTreeMap<(usize, usize), Result<Sum, SearchError>>,
}

/// What was found under one path of one job's scope.
#[derive(Default)]
struct Sum {
    hits: usize,
    older_hits: usize,
    /// File and line.
    places: Vec<(usize, u64)>,
}

impl Tally {
    /// Adds what file `file` has for an errand. Files have to come in order.
    pub fn add(mut self, errand: Errand, file: usize, found: Result<Count, SearchError>) -> Self {
        let found = found.map(|count| Sum {
            hits: if errand.reason.current {
                count.lines
            } else {
                0
            },
            older_hits: if errand.reason.older { count.lines } else { 0 },
            places: if errand.reason.current {
                count.places.into_iter().map(|line| (file, line)).collect()
            } else {
                Vec::new()
            },
        });
        self.join((errand.job, errand.path), found);
        self
    }

    /// Adds what was found in the files that come after those of this tally.
    pub fn append(mut self, later: Self) -> Self {
        later
            .sums
            .into_iter()
            .for_each(|(key, found)| self.join(key, found));
        self
    }

    /// The first error stays: a count without that file would be wrong.
    fn join(&mut self, key: (usize, usize), found: Result<Sum, SearchError>) {
        let entry = self.sums.entry(key).or_insert_with(|| Ok(Sum::default()));
        let Ok(sum) = entry else { return };
        match found {
            Err(error) => *entry = Err(error),
            Ok(more) => {
                sum.hits += more.hits;
                sum.older_hits += more.older_hits;
                let room = MAX_PLACES.saturating_sub(sum.places.len());
                sum.places.extend(more.places.into_iter().take(room));
            }
        }
    }

    /// One outcome for each of `jobs` jobs, the paths of a scope in their order.
    pub fn outcomes(self, snapshot: &Snapshot, jobs: usize) -> Vec<Result<Outcome, SearchError>> {
        let mut outcomes: Vec<_> = (0..jobs).map(|_| Ok(Outcome::default())).collect();
        for ((job, _), found) in self.sums {
            let Ok(outcome) = &mut outcomes[job] else {
                continue;
            };
            match found {
                Err(error) => outcomes[job] = Err(error),
                Ok(sum) => {
                    outcome.hits += sum.hits;
                    outcome.older_hits += sum.older_hits;
                    let room = MAX_PLACES.saturating_sub(outcome.places.len());
                    let place = |(file, line): (usize, u64)| Place {
                        path: snapshot.files[file].path.clone(),
                        line,
                    };
                    outcome
                        .places
                        .extend(sum.places.into_iter().take(room).map(place));
                }
            }
        }
        outcomes
    }
}

//! Runs many searches in one pass in which each file is read once.

use rayon::prelude::*;

use super::count::{Count, Counter};
use super::engine::{MAX_FILE_BYTES, Outcome};
use super::error::SearchError;
use super::plan::{Errand, Job, Plan};
use super::prefilter::Prefilter;
use super::rules::Rules;
use super::scope::ScopeError;
use super::tally::{MAX_PLACES, Tally};
use super::tree::Tree;
use super::walk::Reason;
use crate::checkout::{ReadError, Reader, Snapshot};

/// Searches in one pass; a card has fewer. It bounds the memory that a made-up card can take.
const MAX_JOBS: usize = 128;
/// Files that one thread takes at a time, so that its reader's cache is of use.
const CHUNK: usize = 128;

/// What all searches of a snapshot have in common.
#[derive(Clone, Copy)]
pub(super) struct Batch<'s> {
    pub snapshot: &'s Snapshot,
    pub tree: &'s Tree<'s>,
    pub rules: &'s Rules,
}

/// What a file has for a job: the errand, the file's number, and what was found.
type Finding = (Errand, usize, Result<Count, SearchError>);

impl Batch<'_> {
    /// Runs `searches` (command and scope); the results come in the same order.
    pub fn run<S: AsRef<str> + Sync>(
        self,
        searches: &[(S, S)],
    ) -> Vec<Result<Outcome, SearchError>> {
        searches
            .chunks(MAX_JOBS)
            .flat_map(|searches| self.pass(searches))
            .collect()
    }

    fn pass<S: AsRef<str> + Sync>(self, searches: &[(S, S)]) -> Vec<Result<Outcome, SearchError>> {
        let job = |(command, scope): &(S, S)| Job::new(self, command.as_ref(), scope.as_ref());
        let understood: Vec<_> = searches.par_iter().map(job).collect();
        let mut jobs = Vec::new();
        let mut number = |job| {
            jobs.push(job);
            jobs.len() - 1
        };
        let numbers: Vec<_> = understood
            .into_iter()
            .map(|job| job.map(&mut number))
            .collect();
        let outcomes = self.execute(&jobs);
        numbers
            .into_iter()
            .map(|number| number.and_then(|number| outcomes[number].clone()))
            .collect()
    }

    fn execute(self, jobs: &[Job]) -> Vec<Result<Outcome, SearchError>> {
        let plan = Plan::new(self, jobs);
        let prefilter = Prefilter::new(jobs.iter().map(|job| &job.compiled.query));
        let worker = || Worker {
            snapshot: self.snapshot,
            jobs,
            plan: &plan,
            prefilter: &prefilter,
            reader: self.snapshot.reader(),
            scratch: Scratch::default(),
        };
        let visit =
            |worker: &mut Worker<'_>, (file, walks): &(usize, Vec<_>)| worker.visit(*file, walks);
        let findings = plan
            .stops
            .par_iter()
            .with_min_len(CHUNK)
            .map_init(worker, visit);
        let add = |tally: Tally, findings: Vec<Finding>| {
            findings
                .into_iter()
                .fold(tally, |tally, (errand, file, found)| {
                    tally.add(errand, file, found)
                })
        };
        let tallies: Vec<Tally> = findings.fold(Tally::default, add).collect();
        tallies
            .into_iter()
            .fold(Tally::default(), Tally::append)
            .outcomes(self.snapshot, jobs.len())
    }
}

/// Reads files and runs searches over them, on one thread.
struct Worker<'b> {
    snapshot: &'b Snapshot,
    jobs: &'b [Job],
    plan: &'b Plan,
    prefilter: &'b Prefilter,
    reader: Reader,
    scratch: Scratch,
}

/// Memory that is used again for the next file.
#[derive(Default)]
struct Scratch {
    bytes: Vec<u8>,
    may_match: Vec<bool>,
    counter: Counter,
}

impl Worker<'_> {
    /// Does the errands of one file; those that find nothing are left out.
    fn visit(&mut self, number: usize, walks: &[(u32, Reason)]) -> Vec<Finding> {
        let file = &self.snapshot.files[number];
        let fail = |errand: Errand, error: SearchError| (errand, number, Err(error));
        let errands = self.plan.errands(walks);
        // For an empty file the reader leaves the buffer as it is.
        self.scratch.bytes.clear();
        match self
            .reader
            .read(file, MAX_FILE_BYTES, &mut self.scratch.bytes)
        {
            Ok(()) => self.search(number, walks),
            // It would not be in a checkout either: nothing is found in it, and naming it is a mistake.
            Err(ReadError::Missing) => {
                let named = errands.filter(|errand| errand.reason.explicit);
                named
                    .map(|errand| fail(errand, ScopeError::Missing(file.path.clone()).into()))
                    .collect()
            }
            Err(error) => errands
                .map(|errand| fail(errand, SearchError::read(&file.path, &error)))
                .collect(),
        }
    }

    fn search(&mut self, number: usize, walks: &[(u32, Reason)]) -> Vec<Finding> {
        let Scratch {
            bytes,
            may_match,
            counter,
        } = &mut self.scratch;
        let path = &self.snapshot.files[number].path;
        self.prefilter.check(bytes, may_match);
        let search = |errand: Errand| {
            let compiled = &self.jobs[errand.job].compiled;
            let found =
                match counter.count(compiled, path, bytes, errand.reason.explicit, MAX_PLACES) {
                    Ok(count) if count.lines == 0 => return None,
                    Ok(count) => Ok(count),
                    Err(error) => Err(SearchError::File {
                        path: path.clone(),
                        error: error.to_string(),
                    }),
                };
            Some((errand, number, found))
        };
        self.plan
            .errands(walks)
            .filter(|errand| may_match[errand.job])
            .filter_map(search)
            .collect()
    }
}

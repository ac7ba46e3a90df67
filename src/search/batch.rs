//! Runs many searches in one pass in which each file is read once.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::count::{Count, Counter};
use super::engine::{MAX_FILE_BYTES, Outcome};
use super::error::SearchError;
use super::memory::{FileMemory, Recall, Recorder};
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
    /// What was found in files before.
    pub memory: &'s FileMemory,
    /// Notes what is found for the next time.
    pub recorder: Option<&'s Mutex<Recorder>>,
}

/// What a file has for a job: the errand, the file's number, and what was found.
type Finding = (Errand, usize, Result<Count, SearchError>);

/// What was found, and for the recorder what each file that could be read holds for each job.
#[derive(Default)]
struct Gathered {
    tally: Tally,
    noted: Vec<(usize, Vec<(usize, Count)>)>,
}

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
        let recall = Recall::new(self.memory, jobs);
        let prefilter = Prefilter::new(jobs.iter().map(|job| &job.compiled.query));
        let worker = || Worker {
            snapshot: self.snapshot,
            jobs,
            plan: &plan,
            prefilter: &prefilter,
            recall: &recall,
            reader: self.snapshot.reader(),
            scratch: Scratch::default(),
        };
        let visit = |worker: &mut Worker<'_>, (file, walks): &(usize, Vec<_>)| {
            (*file, worker.visit(*file, walks))
        };
        let findings = plan
            .stops
            .par_iter()
            .with_min_len(CHUNK)
            .map_init(worker, visit);
        let is_noted = self.recorder.is_some();
        let add = |gathered: Gathered, (file, findings)| gathered.add(file, findings, is_noted);
        let parts: Vec<Gathered> = findings.fold(Gathered::default, add).collect();
        let Gathered { tally, noted } = parts
            .into_iter()
            .fold(Gathered::default(), Gathered::append);
        if let Some(recorder) = self.recorder {
            let mut recorder = recorder.lock().unwrap_or_else(PoisonError::into_inner);
            recorder.add(jobs, &plan, noted);
        }
        tally.outcomes(self.snapshot, jobs.len())
    }
}

impl Gathered {
    /// Adds the findings in one file; `None` when it could not be read. Files have to come in order.
    fn add(mut self, file: usize, findings: Option<Vec<Finding>>, is_noted: bool) -> Self {
        let Some(findings) = findings else {
            return self;
        };
        if is_noted && findings.iter().all(|(_, _, found)| found.is_ok()) {
            let counts = findings
                .iter()
                .filter(|(errand, ..)| !errand.reason.explicit);
            let counts = counts.filter_map(|(errand, _, found)| {
                let count = found.as_ref().ok()?;
                Some((errand.job, count.clone()))
            });
            self.noted.push((file, counts.collect()));
        }
        for (errand, file, found) in findings {
            self.tally = self.tally.add(errand, file, found);
        }
        self
    }

    /// Adds what was gathered in the files that come after.
    fn append(mut self, later: Self) -> Self {
        self.noted.extend(later.noted);
        Self {
            tally: self.tally.append(later.tally),
            noted: self.noted,
        }
    }
}

/// Reads files and runs searches over them, on one thread.
struct Worker<'b> {
    snapshot: &'b Snapshot,
    jobs: &'b [Job],
    plan: &'b Plan,
    prefilter: &'b Prefilter,
    recall: &'b Recall<'b>,
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
    /// Does the errands of one file; those that find nothing are left out. `None` for a file that is not there.
    fn visit(&mut self, number: usize, walks: &[(u32, Reason)]) -> Option<Vec<Finding>> {
        let known = self.recall.of(&self.snapshot.files[number]);
        let mut findings = Vec::new();
        let mut left = Vec::new();
        for errand in self.plan.errands(walks) {
            match known.found(errand) {
                Some(found) => {
                    findings.extend(found.map(|count| (errand, number, Ok(count.clone()))));
                }
                None => left.push(errand),
            }
        }
        if !left.is_empty() {
            findings.extend(self.read(number, &left)?);
        }
        Some(findings)
    }

    /// Reads a file and does `errands` in it.
    fn read(&mut self, number: usize, errands: &[Errand]) -> Option<Vec<Finding>> {
        let file = &self.snapshot.files[number];
        let fail = |errand: &Errand, error: SearchError| (*errand, number, Err(error));
        // For an empty file the reader leaves the buffer as it is.
        self.scratch.bytes.clear();
        match self
            .reader
            .read(file, MAX_FILE_BYTES, &mut self.scratch.bytes)
        {
            Ok(()) => Some(self.search(number, errands)),
            // It would not be in a checkout either: nothing is found in it, and naming it is a mistake.
            Err(ReadError::Missing) => {
                let named = errands.iter().filter(|errand| errand.reason.explicit);
                let mistakes: Vec<Finding> = named
                    .map(|errand| fail(errand, ScopeError::Missing(file.path.clone()).into()))
                    .collect();
                (!mistakes.is_empty()).then_some(mistakes)
            }
            Err(error) => {
                let failed = errands.iter();
                let failed = failed.map(|e| fail(e, SearchError::read(&file.path, &error)));
                Some(failed.collect())
            }
        }
    }

    fn search(&mut self, number: usize, errands: &[Errand]) -> Vec<Finding> {
        let Scratch {
            bytes,
            may_match,
            counter,
        } = &mut self.scratch;
        let path = &self.snapshot.files[number].path;
        self.prefilter.check(bytes, may_match);
        let search = |errand: &Errand| {
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
            Some((*errand, number, found))
        };
        errands
            .iter()
            .filter(|errand| may_match[errand.job])
            .filter_map(search)
            .collect()
    }
}

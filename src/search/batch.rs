//! Many searches in one pass: plan which search looks at which file, then read each file once.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::command::{Query, Selection};
use super::count::{Compiled, Count, Counter};
use super::engine::{Outcome, Place};
use super::error::SearchError;
use super::pattern;
use super::prefilter::Prefilter;
use super::rules::Rules;
use super::scope::{self, ScopeError};
use super::tree::{Target, Tree};
use super::walk::{Filters, Visit, Walk};
use crate::checkout::{ReadError, Reader, Snapshot};

/// Forges refuse files of more than 100 MB.
const MAX_FILE_BYTES: u64 = 128 << 20;
/// Nobody reads more places of one search.
const MAX_PLACES: usize = 500;
/// ripgrep maps files into memory when it is given at most so many, and no folder.
const MAX_MAPPED_PATHS: usize = 10;
/// Files that one thread takes at a time, so that its reader's cache is of use.
const CHUNK: usize = 128;

/// What all searches of a snapshot have in common.
#[derive(Clone, Copy)]
pub(super) struct Batch<'s> {
    pub snapshot: &'s Snapshot,
    pub tree: &'s Tree,
    pub rules: &'s Rules,
}

/// A search whose command and scope have been understood.
struct Job {
    compiled: Compiled,
    /// The paths of the scope with what they lead to.
    scope: Vec<(String, Target)>,
}

/// A file's part in a job.
#[derive(Clone, Copy)]
struct Errand {
    job: usize,
    /// Which path of the job's scope led here.
    path: usize,
    visit: Visit,
}

/// What an errand found, if anything.
type Finding = (Errand, Result<Count, SearchError>);
/// The files that one path of a scope leads to under one set of file-choosing flags; searches often share them.
type Walks<'j> = BTreeMap<(&'j Selection, &'j str), Result<Vec<Visit>, SearchError>>;

impl Batch<'_> {
    /// Runs `searches` (command and scope); the results come in the same order.
    pub fn run<S: AsRef<str> + Sync>(self, searches: &[(S, S)]) -> Vec<Result<Outcome, SearchError>> {
        let understand = |(command, scope): &(S, S)| self.understand(command.as_ref(), scope.as_ref());
        let understood: Vec<_> = searches.par_iter().map(understand).collect();
        let mut jobs = Vec::new();
        let mut number = |job| {
            jobs.push(job);
            jobs.len() - 1
        };
        let numbers: Vec<_> = understood.into_iter().map(|job| job.map(&mut number)).collect();
        let outcomes = self.execute(&jobs);
        numbers.into_iter().map(|number| number.and_then(|number| outcomes[number].clone())).collect()
    }

    fn understand(self, command: &str, scope: &str) -> Result<Job, SearchError> {
        let query = Query::parse(command)?;
        let resolve = |path: String| self.tree.resolve(self.snapshot, &path).map(|target| (path, target));
        let scope = scope::split(scope)?.into_iter().map(resolve).collect::<Result<Vec<_>, _>>()?;
        let matcher = pattern::compile(&query)?;
        let files_only = scope.iter().all(|(_, target)| matches!(target, Target::File(_)));
        let with_filename = query.with_filename || scope.len() > 1 || !files_only;
        let memory_map = files_only && scope.len() <= MAX_MAPPED_PATHS;
        Ok(Job { compiled: Compiled { query, matcher, with_filename, memory_map }, scope })
    }

    fn execute(self, jobs: &[Job]) -> Vec<Result<Outcome, SearchError>> {
        let mut outcomes: Vec<_> = jobs.iter().map(|_| Ok(Outcome::default())).collect();
        let errands = self.plan(jobs, &mut outcomes);
        let prefilter = Prefilter::new(jobs.iter().map(|job| &job.compiled.query));
        let worker = || Worker { batch: self, jobs, prefilter: &prefilter, reader: self.snapshot.reader(), scratch: Scratch::default() };
        let visits = errands.par_iter().with_min_len(CHUNK);
        let findings: Vec<Vec<Finding>> = visits.map_init(worker, |worker, errands| worker.visit(errands)).collect();
        let mut findings: Vec<Finding> = findings.into_iter().flatten().collect();
        findings.sort_by_key(|(errand, _)| (errand.job, errand.path, errand.visit.file));
        for (errand, found) in findings {
            self.add(&mut outcomes[errand.job], errand.visit, found);
        }
        outcomes
    }

    /// For every file that any job looks at, what is to be done with it. A job with a path that cannot be walked fails.
    fn plan(self, jobs: &[Job], outcomes: &mut [Result<Outcome, SearchError>]) -> Vec<Vec<Errand>> {
        let walks = self.walk(jobs);
        let mut errands = vec![Vec::new(); self.snapshot.files.len()];
        for (number, (job, outcome)) in jobs.iter().zip(outcomes).enumerate() {
            for (path, (named, _)) in job.scope.iter().enumerate() {
                match walks.get(&(&job.compiled.query.selection, named.as_str())) {
                    Some(Ok(visits)) => {
                        visits.iter().for_each(|&visit| errands[visit.file].push(Errand { job: number, path, visit }));
                    }
                    Some(Err(error)) => *outcome = Err(error.clone()),
                    None => {}
                }
            }
        }
        errands.retain(|errands| !errands.is_empty());
        errands
    }

    fn walk<'j>(self, jobs: &'j [Job]) -> Walks<'j> {
        let keys = |job: &'j Job| job.scope.iter().map(|(named, target)| ((&job.compiled.query.selection, named.as_str()), *target));
        let targets: BTreeMap<_, _> = jobs.iter().flat_map(keys).collect();
        let walk = |(key, target): ((&'j Selection, &'j str), Target)| {
            let visits = Filters::compile(key.0).map(|filters| {
                Walk { snapshot: self.snapshot, tree: self.tree, rules: self.rules, filters: &filters }.visits(target, key.1)
            });
            (key, visits)
        };
        targets.into_par_iter().map(walk).collect()
    }

    /// Adds to a job's outcome what one file has for it; the first error, in the order of the scope, stays.
    fn add(self, outcome: &mut Result<Outcome, SearchError>, visit: Visit, found: Result<Count, SearchError>) {
        let Ok(sum) = outcome else { return };
        match found {
            Err(error) => *outcome = Err(error),
            Ok(count) => {
                sum.older_hits += if visit.older { count.lines } else { 0 };
                if visit.current {
                    sum.hits += count.lines;
                    let path = &self.snapshot.files[visit.file].path;
                    let room = MAX_PLACES.saturating_sub(sum.places.len());
                    let places = count.places.into_iter().take(room);
                    sum.places.extend(places.map(|line| Place { path: path.clone(), line }));
                }
            }
        }
    }
}

/// Reads files and runs searches over them, on one thread.
struct Worker<'b> {
    batch: Batch<'b>,
    jobs: &'b [Job],
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
    fn visit(&mut self, errands: &[Errand]) -> Vec<Finding> {
        let Some(first) = errands.first() else { return Vec::new() };
        let file = &self.batch.snapshot.files[first.visit.file];
        // For an empty file the reader leaves the buffer as it is.
        self.scratch.bytes.clear();
        match self.reader.read(file, MAX_FILE_BYTES, &mut self.scratch.bytes) {
            Ok(()) => self.scratch.search(self.prefilter, self.jobs, errands, &file.path),
            // It would not be in a checkout either: nothing is found in it, and naming it is a mistake.
            Err(ReadError::Missing) => {
                let missing = || Err(ScopeError::Missing(file.path.clone()).into());
                errands.iter().filter(|errand| errand.visit.explicit).map(|errand| (*errand, missing())).collect()
            }
            Err(error) => errands.iter().map(|errand| (*errand, Err(SearchError::read(&file.path, &error)))).collect(),
        }
    }
}

impl Scratch {
    fn search(&mut self, prefilter: &Prefilter, jobs: &[Job], errands: &[Errand], path: &str) -> Vec<Finding> {
        let Self { bytes, may_match, counter } = self;
        prefilter.check(bytes, may_match);
        let search = |errand: &Errand| {
            let count = counter.count(&jobs[errand.job].compiled, path, bytes, errand.visit.explicit, MAX_PLACES);
            match count {
                Ok(count) if count.lines == 0 => None,
                Ok(count) => Some((*errand, Ok(count))),
                Err(error) => Some((*errand, Err(SearchError::File { path: path.to_owned(), error: error.to_string() }))),
            }
        };
        errands.iter().filter(|errand| may_match[errand.job]).filter_map(search).collect()
    }
}

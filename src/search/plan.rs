//! What has to be done for a number of searches: which file is read for which of them.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::batch::Batch;
use super::count::Compiled;
use super::error::SearchError;
use super::pattern;
use super::query::Query;
use super::scope::{self, ScopeError};
use super::tree::Target;
use super::walk::{Filters, Reason, Walk};

/// ripgrep maps files into memory when it is given at most so many, and no folder.
const MAX_MAPPED_PATHS: usize = 10;

/// A search whose command and scope have been understood.
pub(super) struct Job {
    /// As it was written.
    pub command: String,
    pub compiled: Compiled,
    filters: Filters,
    /// The paths of the scope with what they lead to.
    scope: Vec<(String, Target)>,
}

impl Job {
    /// Reads `command` and `scope` and compiles what they ask for.
    ///
    /// # Errors
    /// When either is refused, or the scope has a path that is not in the commit.
    pub fn new(batch: Batch<'_>, command: &str, scope: &str) -> Result<Self, SearchError> {
        let query = Query::parse(command)?;
        let resolve = |path: String| {
            let target = batch.tree.resolve(batch.snapshot, &path)?;
            Ok::<_, ScopeError>((path.trim_end_matches('/').to_owned(), target))
        };
        let scope = scope::split(scope)?
            .into_iter()
            .map(resolve)
            .collect::<Result<Vec<_>, _>>()?;
        let matcher = pattern::compile(&query)?;
        let filters = Filters::compile(&query.selection)?;
        let files_only = scope
            .iter()
            .all(|(_, target)| matches!(target, Target::File(_)));
        let with_filename = query.with_filename || scope.len() > 1 || !files_only;
        let memory_map = files_only && scope.len() <= MAX_MAPPED_PATHS;
        Ok(Self {
            command: command.to_owned(),
            compiled: Compiled {
                query,
                matcher,
                with_filename,
                memory_map,
            },
            filters,
            scope,
        })
    }
}

/// The files to read, in order, and what leads to each.
pub(super) struct Plan {
    /// For every walk, the jobs it is made for, each with the place of the walk's path in its scope.
    walks: Vec<Vec<(usize, usize)>>,
    /// For every file that is read, its number in the snapshot and the walks that lead to it.
    pub stops: Vec<(usize, Vec<(u32, Reason)>)>,
}

/// A file's part in a job.
#[derive(Clone, Copy)]
pub(super) struct Errand {
    pub job: usize,
    /// Which path of the job's scope led to the file.
    pub path: usize,
    pub reason: Reason,
}

impl Plan {
    /// Walks every path of every scope. Paths that several jobs share under the same file-choosing flags are walked once.
    pub fn new(batch: Batch<'_>, jobs: &[Job]) -> Self {
        let mut shared: BTreeMap<_, Vec<(usize, usize)>> = BTreeMap::new();
        for (number, job) in jobs.iter().enumerate() {
            for (path, (named, _)) in job.scope.iter().enumerate() {
                shared
                    .entry((&job.compiled.query.selection, named))
                    .or_default()
                    .push((number, path));
            }
        }
        let walks: Vec<_> = shared.into_values().collect();
        let walk = |users: &Vec<(usize, usize)>| {
            let Some(&(job, path)) = users.first() else {
                return Vec::new();
            };
            let (named, target) = &jobs[job].scope[path];
            let Batch {
                snapshot,
                tree,
                rules,
                ..
            } = batch;
            Walk {
                snapshot,
                tree,
                rules,
                filters: &jobs[job].filters,
            }
            .visits(*target, named)
        };
        let visits: Vec<_> = walks.par_iter().map(walk).collect();
        let mut stops: Vec<_> = (0..batch.snapshot.files.len())
            .map(|file| (file, Vec::new()))
            .collect();
        for (walk, visits) in (0..).zip(visits) {
            visits
                .into_iter()
                .for_each(|(file, reason)| stops[file].1.push((walk, reason)));
        }
        stops.retain(|(_, walks)| !walks.is_empty());
        Self { walks, stops }
    }

    /// What is to be done with a file that `walks` lead to.
    pub fn errands<'p>(&'p self, walks: &'p [(u32, Reason)]) -> impl Iterator<Item = Errand> + 'p {
        walks.iter().flat_map(|&(walk, reason)| {
            self.walks[walk as usize]
                .iter()
                .map(move |&(job, path)| Errand { job, path, reason })
        })
    }
}

//! What searches found in each file, so that searching the next commit reads only the files that are new in it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::count::Count;
use super::plan::{Errand, Job, Plan};
use crate::checkout::SnapshotFile;

/// Matched lines that are remembered, of all searches together; with more nothing is. It bounds memory and cache.
const MOST_PLACES: usize = 500_000;

/// Stands for a path with its content.
type FileKey = [u8; 16];

/// What was found by command and file. It holds for the program that found it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct FileMemory {
    commands: Vec<String>,
    /// Sets of commands, by their place in `commands`, for which files were searched.
    sets: Vec<BTreeSet<usize>>,
    files: BTreeMap<FileKey, Remembered>,
}

/// What one file holds.
#[derive(Debug, Serialize, Deserialize)]
struct Remembered {
    /// The set of commands for which it was searched.
    set: usize,
    /// By command; nothing for one that found nothing.
    found: BTreeMap<usize, Count>,
}

/// A memory as the jobs of one pass look at it.
pub(super) struct Recall<'m> {
    memory: &'m FileMemory,
    /// For each job, its command's place in the memory.
    commands: Vec<Option<usize>>,
}

impl<'m> Recall<'m> {
    pub(super) fn new(memory: &'m FileMemory, jobs: &[Job]) -> Self {
        let place = |job: &Job| memory.commands.iter().position(|c| *c == job.command);
        let commands = jobs.iter().map(place).collect();
        Self { memory, commands }
    }

    /// What the memory has of `file` with this content.
    pub(super) fn of<'r>(&'r self, file: &SnapshotFile) -> Known<'r> {
        let remembered = match self.memory.files.is_empty() {
            true => None,
            false => self.memory.files.get(&key(file)),
        };
        Known {
            recall: self,
            remembered,
        }
    }
}

/// What is known of one file.
#[derive(Clone, Copy)]
pub(super) struct Known<'r> {
    recall: &'r Recall<'r>,
    remembered: Option<&'r Remembered>,
}

impl<'r> Known<'r> {
    /// What `errand` finds in the file, which may be nothing; `None` when that is not known. A file that a scope names
    /// outright is searched in another way, and so not remembered.
    pub(super) fn found(self, errand: Errand) -> Option<Option<&'r Count>> {
        let Remembered { set, found } = self.remembered.filter(|_| !errand.reason.explicit)?;
        let command = self.recall.commands.get(errand.job).copied().flatten()?;
        let searched = self.recall.memory.sets.get(*set)?.contains(&command);
        searched.then(|| found.get(&command))
    }
}

/// Notes what the passes of one engine find.
#[derive(Default)]
pub(super) struct Recorder {
    commands: Vec<String>,
    files: BTreeMap<usize, Noted>,
    places: usize,
}

#[derive(Default)]
struct Noted {
    searched: BTreeSet<usize>,
    found: BTreeMap<usize, Count>,
}

impl Recorder {
    /// Notes what a pass of `jobs` by `plan` found in files that were read, or known, to their end.
    pub(super) fn add(
        &mut self,
        jobs: &[Job],
        plan: &Plan,
        found: Vec<(usize, Vec<(usize, Count)>)>,
    ) {
        let numbers: Vec<usize> = jobs.iter().map(|job| self.number(&job.command)).collect();
        let mut stops = plan.stops.iter();
        for (file, found) in found {
            let Some((_, walks)) = stops.find(|(stop, _)| *stop == file) else {
                continue;
            };
            let noted = self.files.entry(file).or_default();
            let errands = plan.errands(walks).filter(|errand| !errand.reason.explicit);
            noted
                .searched
                .extend(errands.map(|errand| numbers[errand.job]));
            for (job, count) in found {
                self.places += count.places.len();
                noted.found.insert(numbers[job], count);
            }
        }
        if self.places > MOST_PLACES {
            self.files.clear();
        }
    }

    fn number(&mut self, command: &str) -> usize {
        let known = self.commands.iter().position(|known| known == command);
        known.unwrap_or_else(|| {
            self.commands.push(command.to_owned());
            self.commands.len() - 1
        })
    }

    /// What was noted of the files of a snapshot.
    pub(super) fn memory(&self, files: &[SnapshotFile]) -> FileMemory {
        let mut sets: BTreeMap<&BTreeSet<usize>, usize> = BTreeMap::new();
        let mut by_key = BTreeMap::new();
        if self.places <= MOST_PLACES {
            for (number, noted) in &self.files {
                let next = sets.len();
                let set = *sets.entry(&noted.searched).or_insert(next);
                let found = noted.found.clone();
                by_key.insert(key(&files[*number]), Remembered { set, found });
            }
        }
        let mut ordered: Vec<_> = sets
            .into_iter()
            .map(|(set, number)| (number, set.clone()))
            .collect();
        ordered.sort_unstable();
        FileMemory {
            commands: self.commands.clone(),
            sets: ordered.into_iter().map(|(_, set)| set).collect(),
            files: by_key,
        }
    }
}

/// A path counts as well as the content: both are printed.
fn key(file: &SnapshotFile) -> FileKey {
    let mut hasher = blake3::Hasher::new();
    // No path holds a NUL byte.
    hasher
        .update(file.path.as_bytes())
        .update(&[0])
        .update(file.id.as_slice());
    let mut key = FileKey::default();
    hasher.finalize_xof().fill(&mut key);
    key
}

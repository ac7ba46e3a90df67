//! The searches of one snapshot.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::batch::Batch;
use super::error::SearchError;
use super::memory::{FileMemory, Recorder};
use super::rules::Rules;
use super::scope::{self, ScopeError};
use super::tree::{Target, Tree};
use crate::checkout::{Mode, ReadError, Reader, Snapshot, SnapshotFile};

/// A larger file makes a search fail. Forges refuse files of more than 100 MB.
pub const MAX_FILE_BYTES: u64 = 128 << 20;

/// What a search finds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Number of non-empty lines that ripgrep 15 prints.
    pub hits: usize,
    /// The same for versions before 15, which apply fewer of the ignore rules above the scope. When the two differ,
    /// a search that is to be repeated by others should be recorded with `--no-ignore`, or with another scope.
    pub older_hits: usize,
    /// The matched lines (with `-n`) in the order of the scope, then by path and line; at most 500.
    pub places: Vec<Place>,
}

/// One matched line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// Path from the root.
    pub path: String,
    /// Line, counted from 1; of a match over several lines the first.
    pub line: u64,
}

/// Most outcomes that are remembered; a card has fewer searches. It bounds the memory that a made-up card can take.
const MOST_REMEMBERED: usize = 256;

/// Command and scope.
type Key = (String, String);

/// Searches one snapshot, and nothing twice. Can be shared between threads.
pub struct SearchEngine<'s> {
    snapshot: &'s Snapshot,
    tree: Tree<'s>,
    rules: Rules,
    remembered: Mutex<BTreeMap<Key, Outcome>>,
    memory: FileMemory,
    recorder: Option<Mutex<Recorder>>,
}

impl<'s> SearchEngine<'s> {
    /// Lists the folders of `snapshot` and compiles its ignore files.
    ///
    /// # Errors
    /// When the ignore files cannot be read or are unreasonably large.
    pub fn new(snapshot: &'s Snapshot) -> Result<Self, SearchError> {
        let tree = Tree::new(&snapshot.files);
        let rules = Rules::load(snapshot, &tree)?;
        Ok(Self {
            snapshot,
            tree,
            rules,
            remembered: Mutex::default(),
            memory: FileMemory::default(),
            recorder: None,
        })
    }

    /// The same engine, which believes what `memory` has of files, and notes what it finds for
    /// [`SearchEngine::file_memory`].
    pub fn with_memory(self, memory: FileMemory) -> Self {
        Self {
            memory,
            recorder: Some(Mutex::default()),
            ..self
        }
    }

    /// What is searched.
    pub(super) fn snapshot(&self) -> &'s Snapshot {
        self.snapshot
    }

    /// Runs one search: `command` as recorded, such as `rg -n 'a|b'`, and `scope`, its paths separated by spaces.
    ///
    /// # Errors
    /// See [`SearchError`].
    pub fn run(&self, command: &str, scope: &str) -> Result<Outcome, SearchError> {
        self.run_all(&[(command, scope)])
            .pop()
            .unwrap_or_else(|| Ok(Outcome::default()))
    }

    /// Runs all of `searches` (command and scope) in one pass in which each file is read once; the results come in
    /// the same order. A search that fails does not keep the others from running.
    pub fn run_all<S: AsRef<str> + Sync>(
        &self,
        searches: &[(S, S)],
    ) -> Vec<Result<Outcome, SearchError>> {
        let key =
            |(command, scope): &(S, S)| (command.as_ref().to_owned(), scope.as_ref().to_owned());
        let mut new: Vec<Key> = searches.iter().map(key).collect();
        new.sort();
        new.dedup();
        new.retain(|key| !self.remembered().contains_key(key));
        let batch = Batch {
            snapshot: self.snapshot,
            tree: &self.tree,
            rules: &self.rules,
            memory: &self.memory,
            recorder: self.recorder.as_ref(),
        };
        let found = batch.run(&new);
        let found: BTreeMap<Key, _> = new.into_iter().zip(found).collect();
        let mut remembered = self.remembered();
        let answer = |search: &(S, S)| {
            let key = key(search);
            let known = || remembered.get(&key).cloned().unwrap_or_default();
            found.get(&key).cloned().unwrap_or_else(|| Ok(known()))
        };
        let answers = searches.iter().map(answer).collect();
        for (key, outcome) in found {
            if let (Ok(outcome), true) = (outcome, remembered.len() < MOST_REMEMBERED) {
                remembered.insert(key, outcome);
            }
        }
        answers
    }

    /// Number of files that there are.
    pub fn files(&self) -> usize {
        self.snapshot.files.len()
    }

    /// Paths of all files that make a search fail which comes upon them: damaged ones and those that are too large.
    pub fn unreadable(&self) -> Vec<String> {
        let begin = || (self.snapshot.reader(), Vec::new());
        let path = |(reader, buffer): &mut (Reader, Vec<u8>), file: &SnapshotFile| {
            let found = reader.read(file, MAX_FILE_BYTES, buffer);
            let fails = matches!(found, Err(ReadError::TooLarge(_) | ReadError::Io(_)));
            fails.then(|| file.path.clone())
        };
        let files = self.snapshot.files.par_iter();
        let files = files.filter(|file| matches!(file.mode, Mode::File | Mode::Executable));
        files.map_init(begin, path).flatten().collect()
    }

    /// Takes over what searches of the same files found before, as [`SearchEngine::known`] gave it.
    pub fn recall(&self, outcomes: Vec<(String, String, Outcome)>) {
        let mut remembered = self.remembered();
        let outcomes = outcomes.into_iter().take(MOST_REMEMBERED);
        remembered.extend(outcomes.map(|(command, scope, outcome)| ((command, scope), outcome)));
    }

    /// Command, scope and outcome of every search that is remembered.
    pub fn known(&self) -> Vec<(String, String, Outcome)> {
        let remembered = self.remembered();
        let all = remembered.iter();
        all.map(|((command, scope), outcome)| (command.clone(), scope.clone(), outcome.clone()))
            .collect()
    }

    /// What was found by file, if the engine was made to note it.
    pub fn file_memory(&self) -> Option<FileMemory> {
        let recorder = self.recorder.as_ref()?;
        let recorder = recorder.lock().unwrap_or_else(PoisonError::into_inner);
        Some(recorder.memory(&self.snapshot.files))
    }

    fn remembered(&self) -> MutexGuard<'_, BTreeMap<Key, Outcome>> {
        self.remembered
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The file of the snapshot that `path` leads to in a checkout, links followed; nothing for a folder.
    ///
    /// # Errors
    /// When the path is not in the commit or leads out of it.
    pub fn file(&self, path: &str) -> Result<Option<usize>, ScopeError> {
        match self.tree.resolve(self.snapshot, &scope::normalize(path)?)? {
            Target::File(number) => Ok(Some(number)),
            Target::Folder(_) => Ok(None),
        }
    }
}

//! What earlier audits of the repository found, from the cache and back into it.

use serde::{Deserialize, Serialize};

use crate::cache::{Cache, Kind};
use crate::checkout::Snapshot;
use crate::inventory::Inventory;
use crate::probe::{Known, Scan};
use crate::search::{FileMemory, Outcome, SearchEngine, SearchError};

/// What the searches found in one tree.
#[derive(Serialize, Deserialize)]
struct Searched {
    /// Digest of the tree.
    tree: [u8; 32],
    /// Command, scope and outcome.
    outcomes: Vec<(String, String, Outcome)>,
}

/// What is known of files.
pub(super) fn recall_files(cache: &Cache) -> Known {
    cache.load(Kind::Files).unwrap_or_default()
}

/// Keeps what `scan` found, if any of it is new.
pub(super) fn keep_files(
    cache: &Cache,
    known: &Known,
    snapshot: &Snapshot,
    inventory: &Inventory,
    scan: &Scan,
) {
    let all_known = scan.recalled == inventory.files.len() && scan.recalled == known.len();
    if cache.is_on() && !all_known {
        cache.store(Kind::Files, &Known::of(snapshot, inventory, scan));
    }
}

/// The search engine of `snapshot`, and how many outcomes it was told: all, when this tree was searched before; else
/// it knows what was found in the files that have not changed.
///
/// # Errors
/// See [`SearchEngine::new`].
pub fn search_engine<'s>(
    cache: &Cache,
    snapshot: &'s Snapshot,
) -> Result<(SearchEngine<'s>, usize), SearchError> {
    let engine = SearchEngine::new(snapshot)?;
    if !cache.is_on() {
        return Ok((engine, 0));
    }
    let searched: Option<Searched> = cache.load(Kind::Searches);
    match searched.filter(|searched| searched.tree == tree_digest(snapshot)) {
        Some(Searched { outcomes, .. }) => {
            let count = outcomes.len();
            engine.recall(outcomes);
            Ok((engine.with_memory(FileMemory::default()), count))
        }
        None => {
            let memory = cache.load(Kind::SearchedFiles).unwrap_or_default();
            Ok((engine.with_memory(memory), 0))
        }
    }
}

/// Keeps what `engine` has found, if it is more than the `recalled` outcomes that it was told.
pub fn keep_searches(
    cache: &Cache,
    snapshot: &Snapshot,
    engine: &SearchEngine<'_>,
    recalled: usize,
) {
    let outcomes = engine.known();
    if cache.is_on() && outcomes.len() > recalled {
        let tree = tree_digest(snapshot);
        cache.store(Kind::Searches, &Searched { tree, outcomes });
        // An engine that knew some outcomes has not searched for them, and its memory is no whole one.
        if let Some(memory) = engine.file_memory().filter(|_| recalled == 0) {
            cache.store(Kind::SearchedFiles, &memory);
        }
    }
}

/// Digest of every path, kind and content of `snapshot`.
fn tree_digest(snapshot: &Snapshot) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    for file in &snapshot.files {
        hasher.update(file.path.as_bytes());
        // No path holds a NUL byte.
        hasher.update(&[0, file.mode as u8]);
        hasher.update(file.id.as_slice());
    }
    *hasher.finalize().as_bytes()
}

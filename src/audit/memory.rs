//! What earlier audits of the repository found, from the cache and back into it.

use serde::{Deserialize, Serialize};

use crate::cache::{Cache, Kind};
use crate::checkout::Snapshot;
use crate::inventory::Inventory;
use crate::probe::{Known, Scan};
use crate::search::{Outcome, SearchEngine};

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

/// Tells `engine` what its searches found when this tree was searched before; returns how many there are.
pub fn recall_searches(cache: &Cache, snapshot: &Snapshot, engine: &SearchEngine<'_>) -> usize {
    let searched: Option<Searched> = cache.load(Kind::Searches);
    let outcomes = searched
        .filter(|searched| searched.tree == tree_digest(snapshot))
        .map(|searched| searched.outcomes)
        .unwrap_or_default();
    let count = outcomes.len();
    engine.recall(outcomes);
    count
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

//! What an earlier pass found, so that a file that has not changed is not read again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::evidence::Hit;
use super::scan::{FileScan, Outcome, Scan};
use crate::checkout::Snapshot;
use crate::inventory::{File, Inventory, Role};

/// Findings by path. They hold for the probes and limits that they were made with, and for no others.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Known {
    files: BTreeMap<String, KnownFile>,
}

/// What was found in one file, and what that depends on beside its path.
#[derive(Debug, Serialize, Deserialize)]
struct KnownFile {
    /// Id of the content.
    id: Vec<u8>,
    role: Role,
    scan: FileScan,
    hits: Vec<Hit>,
}

impl Known {
    /// What `scan` found in `snapshot`, but for files that could not be read and another time may be.
    pub fn of(snapshot: &Snapshot, inventory: &Inventory, scan: &Scan) -> Self {
        let mut hits: BTreeMap<usize, Vec<Hit>> = BTreeMap::new();
        for hit in &scan.hits {
            hits.entry(hit.file).or_default().push(hit.clone());
        }
        let known = |(index, (file, scan)): (usize, (&File, &FileScan))| {
            let known = KnownFile {
                id: snapshot.files[file.snapshot_index].id.as_slice().to_owned(),
                role: file.role,
                scan: scan.clone(),
                hits: hits.remove(&index).unwrap_or_default(),
            };
            (file.path.clone(), known)
        };
        let files = inventory.files.iter().zip(&scan.files).enumerate();
        Self {
            files: files
                .filter(|(_, (_, scan))| {
                    !matches!(
                        scan.outcome,
                        Outcome::Missing | Outcome::Failed(_) | Outcome::BeyondLimit
                    )
                })
                .map(known)
                .collect(),
        }
    }

    /// Number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// What is known of the file at `index` of the inventory, if its content and role are still the same; `probes` is
    /// the number of probes that there are.
    pub(super) fn recall(
        &self,
        snapshot: &Snapshot,
        file: &File,
        index: usize,
        probes: usize,
    ) -> Option<(FileScan, Vec<Hit>)> {
        let known = self.files.get(&file.path)?;
        let same = known.role == file.role
            && known.id == snapshot.files[file.snapshot_index].id.as_slice()
            && known.hits.iter().all(|hit| hit.probe < probes);
        let hit = |hit: &Hit| Hit {
            file: index,
            ..hit.clone()
        };
        same.then(|| (known.scan.clone(), known.hits.iter().map(hit).collect()))
    }
}

//! What one audit may read in all: the limits of the whole beside those of a file.
//!
//! Bytes, files and hits are counted, and never the clock, so that the same commit gives the same card on any machine,
//! with any number of threads and whatever is cached.

use crate::inventory::{File, Inventory, Limits, Role};

/// Fewest files that are read side by side: with one alone the threads would wait for each other.
const SIDE_BY_SIDE: u64 = 16;

/// Places of the files of `inventory` in the order in which they are read, for the case that not all can be: what
/// names the project, then what a level can rest on, then the rest; by path in each.
pub(super) fn reading_order(
    inventory: &Inventory,
    keep: &(dyn Fn(&str) -> bool + Sync),
) -> Vec<usize> {
    let rank = |file: &File| match file.role {
        _ if keep(&file.path) => 0,
        Role::Source | Role::Deployment | Role::Tooling => 1,
        _ => 2,
    };
    let ranks: Vec<u8> = inventory.files.iter().map(rank).collect();
    let mut order: Vec<usize> = (0..ranks.len()).collect();
    order.sort_by_key(|index| (ranks[*index], *index));
    order
}

/// What may still be read.
pub(super) struct Budget {
    bytes: u64,
    files: u64,
    hits: u64,
    kept: u64,
    /// Bytes that a file can have.
    largest: u64,
    spent: bool,
}

/// What one file takes of a [`Budget`].
pub(super) struct Cost {
    /// Bytes that were read of it; none when it was not looked at.
    pub(super) bytes: Option<u64>,
    /// Hits in it.
    pub(super) hits: usize,
    /// Bytes of its text, if that is kept.
    pub(super) kept: usize,
}

impl Budget {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            bytes: limits.max_bytes,
            files: limits.max_files,
            hits: limits.max_all_hits,
            kept: limits.max_kept_bytes,
            largest: limits.max_file_bytes.max(1),
            spent: false,
        }
    }

    /// Whether nothing more is read.
    pub(super) fn is_spent(&self) -> bool {
        self.spent
    }

    /// How many files to read side by side before they are paid for: as many as there are surely bytes for.
    pub(super) fn side_by_side(&self) -> usize {
        let fitting = self.files.min(self.bytes / self.largest);
        usize::try_from(fitting.max(SIDE_BY_SIDE)).unwrap_or(usize::MAX)
    }

    /// Pays for the next file of the reading order. The first that is too dear ends the reading: a smaller one after
    /// it is not read either, so that what was read is a stretch of that order and easily told.
    pub(super) fn pay(&mut self, cost: &Cost) -> bool {
        let Some(bytes) = cost.bytes.filter(|_| !self.spent) else {
            return !self.spent;
        };
        let left = (
            self.bytes.checked_sub(bytes),
            self.files.checked_sub(1),
            self.hits.checked_sub(cost.hits as u64),
            self.kept.checked_sub(cost.kept as u64),
        );
        match left {
            (Some(bytes), Some(files), Some(hits), Some(kept)) => {
                *self = Self {
                    bytes,
                    files,
                    hits,
                    kept,
                    ..*self
                };
            }
            _ => self.spent = true,
        }
        !self.spent
    }
}

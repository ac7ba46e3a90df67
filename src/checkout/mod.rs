//! Stage 1: pin a repository to one commit.
//!
//! In: a URL or a path. Out: a [`Snapshot`], the list of files of one commit and a way to read them.
//! Nothing of the target is run, and nothing of it is written to disk.

mod snapshot;

pub use snapshot::{Mode, ReadError, Reader, Snapshot, SnapshotFile};

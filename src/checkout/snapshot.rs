//! One commit of a repository: its files, and readers for their content.

use std::path::Path;

use anyhow::{Context, Result};
use gix::ObjectId;

/// What a tree entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A regular file.
    File,
    /// A regular file with the executable bit.
    Executable,
    /// A symbolic link; its content is the target's path.
    Symlink,
    /// A submodule; it has no content here.
    Submodule,
}

/// One entry of the snapshot, by its path from the repository's root.
#[derive(Clone, Debug)]
pub struct SnapshotFile {
    /// Path with `/` between its parts, relative to the root.
    pub path: String,
    /// Kind of entry.
    pub mode: Mode,
    /// Object id of the content.
    pub id: ObjectId,
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The object is not in the repository (a partial clone, or a blob left out of the snapshot).
    #[error("object is not in the repository")]
    Missing,
    /// The file is larger than the limit that the caller gave.
    #[error("{0} bytes are over the limit")]
    TooLarge(u64),
    /// Anything else.
    #[error("{0}")]
    Io(String),
}

/// A repository pinned to one commit.
pub struct Snapshot {
    /// Full hexadecimal id of the commit.
    pub commit: String,
    /// Tag at exactly this commit.
    pub version: Option<String>,
    /// URL of the `origin` remote, as configured.
    pub remote: Option<String>,
    /// Name of the folder or repository, for deriving id and name.
    pub folder: String,
    /// All entries, ordered by path.
    pub files: Vec<SnapshotFile>,
    repository: gix::ThreadSafeRepository,
}

impl Snapshot {
    /// Opens the local repository at `path` (bare or not) at revision `revision` (`HEAD` when `None`).
    pub fn open(path: &Path, revision: Option<&str>) -> Result<Self> {
        let repository = gix::open(path).with_context(|| format!("{}: not a git repository", path.display()))?;
        let id = repository.rev_parse_single(revision.unwrap_or("HEAD"))?.object()?.peel_to_commit()?.id;
        let tree = repository.find_commit(id)?.tree()?;
        let mut files = Vec::new();
        for entry in tree.traverse().breadthfirst.files()? {
            let mode = match entry.mode.kind() {
                gix::objs::tree::EntryKind::Blob => Mode::File,
                gix::objs::tree::EntryKind::BlobExecutable => Mode::Executable,
                gix::objs::tree::EntryKind::Link => Mode::Symlink,
                gix::objs::tree::EntryKind::Commit => Mode::Submodule,
                gix::objs::tree::EntryKind::Tree => continue,
            };
            files.push(SnapshotFile { path: entry.filepath.to_string(), mode, id: entry.oid });
        }
        drop(tree);
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Self {
            commit: id.to_string(),
            version: None,
            remote: None,
            folder: path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default(),
            files,
            repository: repository.into_sync(),
        })
    }

    /// A reader for one thread. Make one per thread and keep it: it caches pack access.
    pub fn reader(&self) -> Reader {
        let mut repository = self.repository.to_thread_local();
        repository.objects.refresh_never();
        Reader { repository }
    }
}

/// Reads file contents of a [`Snapshot`]; one per thread.
pub struct Reader {
    repository: gix::Repository,
}

impl Reader {
    /// Reads the content of `file` into `buffer` (replacing what was there).
    ///
    /// # Errors
    /// [`ReadError::Missing`] when the object is not there, [`ReadError::TooLarge`] when it has more than `limit` bytes.
    pub fn read(&self, file: &SnapshotFile, limit: u64, buffer: &mut Vec<u8>) -> Result<(), ReadError> {
        let header = self.repository.try_find_header(file.id).map_err(|e| ReadError::Io(e.to_string()))?;
        let Some(header) = header else { return Err(ReadError::Missing) };
        if header.size() > limit {
            return Err(ReadError::TooLarge(header.size()));
        }
        use gix::prelude::FindExt;
        self.repository
            .objects
            .find_blob(&file.id, buffer)
            .map(|_| ())
            .map_err(|e| ReadError::Io(e.to_string()))
    }
}

//! One commit of a repository, or a folder as it lies there: its files, and readers for their content.

use std::path::{Path, PathBuf};

use gix::ObjectId;

use super::error::CheckoutError;
use super::revision::{self, Revision};
use super::tree::{self, Listing};
use super::{folder, local, naming, remote, source, version};

/// A link's target is a path; no file system takes longer ones.
const MAX_LINK_BYTES: u64 = 4096;

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

/// A repository pinned to one commit, or a folder as it lies there.
pub struct Snapshot {
    /// Full hexadecimal id of the commit; of HEAD for a folder, 40 zeros where it has none.
    pub commit: String,
    /// Tag at exactly this commit.
    pub version: Option<String>,
    /// URL of the `origin` remote without user and password.
    pub remote: Option<String>,
    /// `https://host/owner/name` of the remote, without which there are no links.
    pub repo_url: Option<String>,
    /// Name of the folder or repository, for deriving id and name.
    pub folder: String,
    /// Slug for the scorecard, from the remote or else the folder.
    pub id: String,
    /// Name for the scorecard, from the remote or else the folder.
    pub name: String,
    /// The files were read from the folder, not from the commit: the card has to say so.
    pub worktree: bool,
    /// All entries, ordered by path.
    pub files: Vec<SnapshotFile>,
    /// Entries left out because their path is not UTF-8, or none that git would check out; readable as far as
    /// they go.
    pub odd_paths: Vec<String>,
    /// Folders left out because their tree is not in the repository (a treeless clone), or cannot be read.
    pub missing_trees: Vec<String>,
    content: Content,
}

/// Where the content of files is read from.
enum Content {
    Objects(Box<gix::ThreadSafeRepository>),
    Folder(PathBuf),
}

impl Snapshot {
    /// Opens the local repository at `path` (bare or not) at revision `revision` (`HEAD` when `None`).
    ///
    /// # Errors
    /// See [`super::open`], whose offline half this is.
    pub fn open(path: &Path, revision: Option<&str>) -> Result<Self, CheckoutError> {
        let revision = Revision::parse(revision)?;
        let repository = local::open(path)?;
        let place = path.display().to_string();
        let commit = revision::resolve(&repository, &revision, &place)?;
        let origin = Origin {
            remote: origin_of(&repository),
            folder: source::folder_name(path),
        };
        Self::of_commit(&repository, commit, &place, origin)
    }

    /// The snapshot of `commit` in `repository`.
    pub(super) fn of_commit(
        repository: &gix::Repository,
        commit: ObjectId,
        place: &str,
        origin: Origin,
    ) -> Result<Self, CheckoutError> {
        let listing = tree::list(repository, commit, place)?;
        let content = Content::Objects(Box::new(repository.clone().into_sync()));
        let version = version::version_at(repository, commit);
        Ok(Self {
            version,
            ..Self::new(commit, origin, listing, content)
        })
    }

    /// The snapshot of the folder `path` as it lies there; see [`folder::list`] for what is in it.
    pub(super) fn of_folder(path: &Path) -> Result<Self, CheckoutError> {
        let place = path.display().to_string();
        let root = path
            .canonicalize()
            .map_err(|_| CheckoutError::NoSuchRepository {
                place: place.clone(),
                reason: "no such folder".to_owned(),
            })?;
        let repository = match local::open(path) {
            Ok(repository) => Some(repository),
            // Without a repository that can be read there is no commit to name; the files are there all the same.
            Err(CheckoutError::NotARepository { .. } | CheckoutError::Unreadable { .. }) => None,
            Err(error) => return Err(error),
        };
        let head = repository.as_ref().and_then(|repository| {
            let head = repository.head_id().ok()?;
            revision::commit_of(repository, head.detach())
        });
        let origin = Origin {
            remote: repository.as_ref().and_then(origin_of),
            folder: source::folder_name(path),
        };
        let listing = folder::list(&root, &place)?;
        let commit = head.unwrap_or(ObjectId::null(gix::hash::Kind::Sha1));
        Ok(Self {
            worktree: true,
            ..Self::new(commit, origin, listing, Content::Folder(root))
        })
    }

    fn new(commit: ObjectId, origin: Origin, listing: Listing, content: Content) -> Self {
        let repo_url = origin.remote.as_deref().and_then(remote::https_url);
        // A remote without a web address may be anything, such as a path of another machine.
        let remote = repo_url.as_deref().unwrap_or(&origin.folder);
        let id = naming::slug(naming::last_segment(remote));
        let name = naming::project_name(remote);
        Self {
            commit: commit.to_string(),
            version: None,
            repo_url,
            remote: origin.remote,
            folder: origin.folder,
            id,
            name,
            worktree: false,
            files: listing.files,
            odd_paths: listing.odd_paths,
            missing_trees: listing.missing_trees,
            content,
        }
    }

    /// Whether it has the content of every file, and none of it can change: not a folder as it lies there, and not a
    /// commit that lacks objects.
    pub fn is_whole(&self) -> bool {
        let Content::Objects(repository) = &self.content else {
            return false;
        };
        let repository = repository.to_thread_local();
        let has =
            |file: &SnapshotFile| file.mode == Mode::Submodule || repository.has_object(file.id);
        self.missing_trees.is_empty() && self.files.iter().all(has)
    }

    /// A reader for one thread. Make one per thread and keep it: it caches pack access.
    pub fn reader(&self) -> Reader {
        let content = match &self.content {
            Content::Objects(repository) => {
                let mut repository = repository.to_thread_local();
                // Nothing is added while we read; without this, every missing object re-reads the pack folder.
                repository.objects.refresh_never();
                ReaderContent::Objects(Box::new(repository))
            }
            Content::Folder(root) => ReaderContent::Folder(root.clone()),
        };
        Reader { content }
    }

    /// What the symbolic link `file` leads to, as it is written there; none when it cannot be read or is no text.
    pub fn link_target(&self, file: &SnapshotFile) -> Option<String> {
        let mut bytes = Vec::new();
        let read = self.reader().read(file, MAX_LINK_BYTES, &mut bytes);
        read.ok().and_then(|()| String::from_utf8(bytes).ok())
    }
}

/// Where a snapshot comes from, for its names and links.
pub(super) struct Origin {
    /// Remote URL without login.
    pub(super) remote: Option<String>,
    /// Name of the folder.
    pub(super) folder: String,
}

/// URL of the remote `origin`. It is read whoever owns the repository: it is only ever shown, and checked first.
fn origin_of(repository: &gix::Repository) -> Option<String> {
    let url = repository.config_snapshot().string("remote.origin.url")?;
    remote::without_login(&url.to_string())
}

/// Reads file contents of a [`Snapshot`]; one per thread.
pub struct Reader {
    content: ReaderContent,
}

enum ReaderContent {
    Objects(Box<gix::Repository>),
    Folder(PathBuf),
}

impl Reader {
    /// Reads the content of `file` into `buffer` (replacing what was there).
    ///
    /// # Errors
    /// [`ReadError::Missing`] when the object is not there, [`ReadError::TooLarge`] when it has more than `limit` bytes.
    pub fn read(
        &self,
        file: &SnapshotFile,
        limit: u64,
        buffer: &mut Vec<u8>,
    ) -> Result<(), ReadError> {
        if file.mode == Mode::Submodule {
            return Err(ReadError::Missing);
        }
        match &self.content {
            ReaderContent::Objects(repository) => read_object(repository, file.id, limit, buffer),
            ReaderContent::Folder(root) => folder::read(root, file, limit, buffer),
        }
    }
}

fn read_object(
    repository: &gix::Repository,
    id: ObjectId,
    limit: u64,
    buffer: &mut Vec<u8>,
) -> Result<(), ReadError> {
    use gix::prelude::FindExt;
    let io = |error: gix::Error| {
        ReadError::Io(super::error::foreign_text(&super::error::causes(&error)))
    };
    // The header is looked up on its own, so that a large object is refused before it is unpacked.
    let header = repository
        .try_find_header(id)
        .map_err(io)?
        .ok_or(ReadError::Missing)?;
    if header.size() > limit {
        return Err(ReadError::TooLarge(header.size()));
    }
    // An empty blob leaves the buffer as it was.
    buffer.clear();
    repository
        .objects
        .find_blob(&id, buffer)
        .map(|_| ())
        .map_err(|error| ReadError::Io(error.to_string()))
}

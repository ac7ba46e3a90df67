//! Stage 1: pin a repository to one commit.
//!
//! In: a URL or a path. Out: a [`Snapshot`], the list of files of one commit and a way to read them.
//! Nothing of the target is run, and nothing of it is written to disk but git objects in the cache.
//!
//! ```text
//! Source ─ Url  → cache (a commit fetched before) or fetch → a bare repository ┐
//!        └ Path → local ──────────────────────────────────────────────────────┴→ revision → tree → Snapshot
//!               └ folder (--worktree) ─────────────────────────────────────────────────────────→ Snapshot
//! ```

// A test that cannot go on says so by a panic.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]

mod advertised;
mod cache;
mod credentials;
mod error;
mod failure;
mod fetch;
mod folder;
mod local;
pub mod naming;
mod progress;
pub mod remote;
mod revision;
mod snapshot;
mod source;
mod tree;
mod version;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gix::ObjectId;

pub use cache::cache_folder;
pub use error::CheckoutError;
pub use snapshot::{Mode, ReadError, Reader, Snapshot, SnapshotFile};
pub use source::{RemoteUrl, Source};

use cache::RemoteCache;
use revision::Revision;

/// Digits from which on an abbreviated commit is looked up in the cache before any tag or branch of that spelling.
/// It is what git abbreviates to; shorter ones may well be the name of a tag (`2024`).
const CACHED_ABBREVIATION: usize = 7;

/// How to check out.
#[derive(Clone, Debug, Default)]
pub struct CheckoutOptions {
    /// Commit (full or abbreviated), tag or branch; the default branch when `None`.
    pub revision: Option<String>,
    /// Folder of the cache; the platform's cache folder when `None`.
    pub cache_dir: Option<PathBuf>,
    /// Use what the cache has, and never fetch.
    pub offline: bool,
    /// Take a folder as it lies there instead of a commit.
    pub worktree: bool,
    /// No progress bar even on a terminal.
    pub quiet: bool,
    /// Raised by whoever handles ctrl-C: a fetch stops soon after, and leaves nothing in the cache.
    pub interrupt: Arc<AtomicBool>,
}

/// Pins `source` to one commit (or a folder as it lies there).
///
/// A local path is read where it is. A URL is fetched into the cache, at that commit alone, unless the cache has the
/// commit already.
///
/// # Errors
/// [`CheckoutError`], each kind of which has its own exit code.
pub fn open(source: &Source, options: &CheckoutOptions) -> Result<Snapshot, CheckoutError> {
    let snapshot = match source {
        Source::Path(path) if options.worktree => open_folder(path, options)?,
        Source::Path(path) => Snapshot::open(path, options.revision.as_deref())?,
        Source::Url(url) if options.worktree => {
            let shown = url.shown();
            return Err(CheckoutError::Input(format!(
                "{shown}: --worktree takes a folder, not a URL"
            )));
        }
        Source::Url(url) => open_url(url, options)?,
    };
    if options.interrupt.load(Ordering::Relaxed) {
        Err(CheckoutError::Interrupted)
    } else {
        Ok(snapshot)
    }
}

fn open_folder(path: &Path, options: &CheckoutOptions) -> Result<Snapshot, CheckoutError> {
    if let Some(revision) = &options.revision {
        let shown = error::foreign_text(revision);
        return Err(CheckoutError::Input(format!(
            "--worktree rates the folder as it lies there; leave out the revision `{shown}`, or --worktree"
        )));
    }
    Snapshot::of_folder(path)
}

fn open_url(url: &RemoteUrl, options: &CheckoutOptions) -> Result<Snapshot, CheckoutError> {
    let revision = Revision::parse(options.revision.as_deref())?;
    let cache = RemoteCache::of(options.cache_dir.as_deref(), url)?;
    let (commit, place) = match cached(&cache, &revision, url)? {
        Some(found) => found,
        None if options.offline => cached_by_name(&cache, &revision, url)?,
        None => match (
            fetch::fetch(url, &revision, &cache, options.quiet, &options.interrupt),
            url.local_path(),
        ) {
            // git does not serve a repository that lacks objects; it can be read all the same.
            (Err(CheckoutError::Network { .. }), Some(path)) => in_place(path, &revision, url)?,
            (fetched, _) => fetched?,
        },
    };
    let repository = local::open(&place).map_err(|_| CheckoutError::Unreadable {
        place: place.display().to_string(),
        reason: "this part of the cache is damaged; delete the folder and try again".to_owned(),
    })?;
    let origin = snapshot::Origin {
        remote: Some(url.shown().to_owned()),
        folder: naming::last_segment(url.shown()).to_owned(),
    };
    Snapshot::of_commit(&repository, commit, &place.display().to_string(), origin)
}

/// The commit in the repository at `path`, which a `file://` URL names.
fn in_place(
    path: PathBuf,
    revision: &Revision,
    url: &RemoteUrl,
) -> Result<(ObjectId, PathBuf), CheckoutError> {
    let repository = local::open(&path)?;
    Ok((revision::resolve(&repository, revision, url.shown())?, path))
}

/// The entry of a commit given by its id or an abbreviation: the network has nothing to add.
fn cached(
    cache: &RemoteCache,
    revision: &Revision,
    url: &RemoteUrl,
) -> Result<Option<(ObjectId, PathBuf)>, CheckoutError> {
    let commit = match revision {
        Revision::Commit(id) => Some(*id),
        Revision::Name(name) if name.len() >= CACHED_ABBREVIATION => {
            match revision::abbreviation(name) {
                Some(prefix) => revision::only(&cache.abbreviated(prefix), name, url.shown())?,
                None => None,
            }
        }
        _ => None,
    };
    Ok(commit.and_then(|commit| cache.entry(commit).map(|place| (commit, place))))
}

/// The one entry that was fetched under the name `revision`.
fn cached_by_name(
    cache: &RemoteCache,
    revision: &Revision,
    url: &RemoteUrl,
) -> Result<(ObjectId, PathBuf), CheckoutError> {
    let commits = cache.commits();
    let name = match revision {
        Revision::Head => Some(advertised::DEFAULT_BRANCH),
        Revision::Name(name) => Some(name.as_str()),
        Revision::Commit(_) => None,
    };
    let fetched_as = |name: &str, commit: ObjectId| {
        let place = cache.entry(commit)?;
        let repository = local::open(&place).ok()?;
        let named = Revision::Name(name.to_owned());
        (revision::resolve(&repository, &named, url.shown()).ok()? == commit)
            .then_some((commit, place))
    };
    let mut found: Vec<_> = name
        .map(|name| {
            commits
                .iter()
                .filter_map(|id| fetched_as(name, *id))
                .collect()
        })
        .unwrap_or_default();
    match (found.pop(), found.is_empty()) {
        (Some(only), true) => Ok(only),
        _ => Err(not_cached(&commits, url)),
    }
}

fn not_cached(commits: &[ObjectId], url: &RemoteUrl) -> CheckoutError {
    let reason = if commits.is_empty() {
        "not in the cache; leave out --offline to fetch it".to_owned()
    } else {
        let list: Vec<String> = commits.iter().map(ToString::to_string).collect();
        format!(
            "not in the cache under that name; give one of its commits: {}",
            list.join(", ")
        )
    };
    CheckoutError::Offline {
        place: url.shown().to_owned(),
        reason,
    }
}

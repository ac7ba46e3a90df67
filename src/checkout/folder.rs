//! A folder as it lies there (`--worktree`): its files, and their content from disk.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::AtomicBool;

use gix::ObjectId;
use ignore::{DirEntry, WalkBuilder};
use rayon::prelude::*;

use super::error::CheckoutError;
use super::snapshot::{Mode, ReadError, SnapshotFile};
use super::tree::{Listing, MAX_ENTRIES, too_many_entries};

/// Lists the files of `root` (canonical): hidden ones too, without what its `.gitignore` files name, and without
/// `.git`. Symbolic links are entries of their own and not followed; a repository inside is a submodule.
///
/// Only the folder's own files decide what is ignored, not the user's configuration, so that two machines list
/// the same. Ids are those that git would give the content, so that equal files have equal ids.
pub(super) fn list(root: &Path, place: &str) -> Result<Listing, CheckoutError> {
    let mut found = Vec::new();
    let mut listing = Listing::default();
    for entry in walk(root) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                listing
                    .missing_trees
                    .push(unreadable_folder(root, &error, place)?);
                continue;
            }
        };
        if found.len() >= MAX_ENTRIES {
            return Err(too_many_entries(place));
        }
        let Some(mode) = mode_of(&entry) else {
            continue;
        };
        match relative_path(root, entry.path()) {
            Ok(path) => found.push((path, mode)),
            Err(odd) => listing.odd_paths.push(odd),
        }
    }
    listing.files = found
        .into_par_iter()
        .map(|(path, mode)| SnapshotFile {
            id: id_of(root, &path, mode),
            path,
            mode,
        })
        .collect();
    Ok(listing.finish())
}

/// The folder below `root` that `error` is about, which is left out; an error when it is `root` itself.
fn unreadable_folder(
    root: &Path,
    error: &ignore::Error,
    place: &str,
) -> Result<String, CheckoutError> {
    match error {
        ignore::Error::WithDepth { err, .. } => unreadable_folder(root, err, place),
        ignore::Error::WithPath { path, .. } if path != root => {
            Ok(relative_path(root, path).unwrap_or_else(|odd| odd))
        }
        _ => Err(CheckoutError::Unreadable {
            place: place.to_owned(),
            reason: super::error::foreign_text(&error.to_string()),
        }),
    }
}

fn walk(root: &Path) -> ignore::Walk {
    let top = root.to_owned();
    WalkBuilder::new(root)
        .git_ignore(rules_are_readable(root))
        .hidden(false)
        .ignore(false)
        .parents(false)
        .git_global(false)
        .git_exclude(false)
        .require_git(false)
        .follow_links(false)
        .filter_entry(move |entry| {
            let inside_nested_repository = entry
                .path()
                .parent()
                .is_some_and(|parent| is_nested(&top, parent));
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            entry.file_name() != ".git"
                && !inside_nested_repository
                && (!is_folder || rules_are_readable(entry.path()))
        })
        .build()
}

/// Whether the `.gitignore` of `folder`, if it has one, is a file: the walk would wait for a pipe's other end. Git
/// holds no pipe, so a folder with one is no part of a repository, and at the root the rules count for nothing.
fn rules_are_readable(folder: &Path) -> bool {
    fs::metadata(folder.join(".gitignore")).map_or(true, |rules| rules.is_file() || rules.is_dir())
}

/// `folder`, below `root`, is a repository of its own.
fn is_nested(root: &Path, folder: &Path) -> bool {
    folder != root && folder.starts_with(root) && folder.join(".git").exists()
}

/// The mode of an entry; `None` for plain folders and for what is neither file nor link (sockets, devices).
fn mode_of(entry: &DirEntry) -> Option<Mode> {
    let kind = entry.file_type()?;
    if kind.is_symlink() {
        return Some(Mode::Symlink);
    }
    if kind.is_dir() {
        return (entry.depth() > 0 && entry.path().join(".git").exists())
            .then_some(Mode::Submodule);
    }
    kind.is_file().then(|| {
        if entry.metadata().is_ok_and(|data| is_executable(&data)) {
            Mode::Executable
        } else {
            Mode::File
        }
    })
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_metadata: &fs::Metadata) -> bool {
    false
}

/// `path` from `root` on, with `/` between its parts; a readable form of it when it is not UTF-8.
fn relative_path(root: &Path, path: &Path) -> Result<String, String> {
    let relative = path.strip_prefix(root).unwrap_or(path);
    let odd = || relative.to_string_lossy().into_owned();
    let parts: Option<Vec<&str>> = relative.iter().map(|part| part.to_str()).collect();
    parts.map(|parts| parts.join("/")).ok_or_else(odd)
}

/// The id that git would give the content; for what cannot be read, an id of its own made from the path.
fn id_of(root: &Path, path: &str, mode: Mode) -> ObjectId {
    let content_id = match mode {
        Mode::Submodule => None,
        Mode::Symlink => link_target(&root.join(path))
            .ok()
            .and_then(|target| hash(&target)),
        Mode::File | Mode::Executable => hash_file(&root.join(path)),
    };
    content_id
        .or_else(|| hash(format!("no content: {path}").as_bytes()))
        .unwrap_or(ObjectId::null(gix::hash::Kind::Sha1))
}

fn hash(data: &[u8]) -> Option<ObjectId> {
    gix::objs::compute_hash(gix::hash::Kind::Sha1, gix::objs::Kind::Blob, data).ok()
}

/// Hashes without holding the file in memory; `None` when it cannot be read or changes meanwhile.
fn hash_file(path: &Path) -> Option<ObjectId> {
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    gix::objs::compute_stream_hash(
        gix::hash::Kind::Sha1,
        gix::objs::Kind::Blob,
        &mut file,
        length,
        &mut gix::progress::Discard,
        &AtomicBool::new(false),
    )
    .ok()
}

fn link_target(path: &Path) -> std::io::Result<Vec<u8>> {
    fs::read_link(path).map(|target| target.into_os_string().into_encoded_bytes())
}

/// Reads `file` of the folder `root` (canonical) into `buffer`.
///
/// # Errors
/// Those of [`super::Reader::read`]; what does not lie in the folder, or has become something else than a file since
/// it was listed, is [`ReadError::Io`].
pub(super) fn read(
    root: &Path,
    file: &SnapshotFile,
    limit: u64,
    buffer: &mut Vec<u8>,
) -> Result<(), ReadError> {
    let path = inside(root, &file.path)?;
    buffer.clear();
    let metadata = fs::symlink_metadata(&path).map_err(|error| read_error(&error))?;
    if metadata.is_symlink() && file.mode == Mode::Symlink {
        buffer.extend(link_target(&path).map_err(|error| read_error(&error))?);
        return Ok(());
    }
    // A pipe would be waited for without end, and a link may lead out of the folder.
    if !metadata.is_file() {
        return Err(ReadError::Io(format!(
            "{}: no longer a regular file",
            file.path
        )));
    }
    if metadata.len() > limit {
        return Err(ReadError::TooLarge(metadata.len()));
    }
    let opened = File::open(&path).map_err(|error| read_error(&error))?;
    // One byte over the limit tells a file that has grown since.
    let length = opened
        .take(limit.saturating_add(1))
        .read_to_end(buffer)
        .map_err(|error| read_error(&error))?;
    if length as u64 > limit {
        Err(ReadError::TooLarge(length as u64))
    } else {
        Ok(())
    }
}

/// The place of `path` in `root`, its folder resolved: no `..`, no absolute path, no link on the way leads out.
fn inside(root: &Path, path: &str) -> Result<PathBuf, ReadError> {
    let outside = || ReadError::Io(format!("{path}: leads out of the folder"));
    let relative = Path::new(path);
    if !relative
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
    {
        return Err(outside());
    }
    let name = relative.file_name().ok_or_else(outside)?;
    let parent = root.join(relative.parent().unwrap_or(Path::new("")));
    let parent = parent.canonicalize().map_err(|error| read_error(&error))?;
    if parent.starts_with(root) {
        Ok(parent.join(name))
    } else {
        Err(outside())
    }
}

fn read_error(error: &std::io::Error) -> ReadError {
    match error.kind() {
        std::io::ErrorKind::NotFound => ReadError::Missing,
        _ => ReadError::Io(error.to_string()),
    }
}

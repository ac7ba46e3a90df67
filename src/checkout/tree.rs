//! The files of one commit, read from its trees.

use std::collections::VecDeque;

use gix::ObjectId;
use gix::objs::tree::EntryKind;

use super::error::CheckoutError;
use super::snapshot::{Mode, SnapshotFile};

/// Most entries of a snapshot. Trees that name each other can stand for billions of paths in a few kilobytes;
/// the largest real repositories have some hundred thousand files.
pub(super) const MAX_ENTRIES: usize = 1_000_000;

/// Most bytes of all paths together, for trees that name each other by long names.
const MAX_ALL_PATHS: usize = 256 << 20;

/// Longest path that is followed: what operating systems can check out.
const MAX_PATH_BYTES: usize = 4096;

/// What a commit or a folder holds.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// Entries, ordered by path.
    pub(super) files: Vec<SnapshotFile>,
    /// Paths that cannot stand in a card, readable as far as they go.
    pub(super) odd_paths: Vec<String>,
    /// Folders whose tree is not in the repository, or that cannot be read.
    pub(super) missing_trees: Vec<String>,
}

impl Listing {
    /// Sorts everything; of entries that share a path (only a forged tree has them) the first stays.
    pub(super) fn finish(mut self) -> Self {
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        let odd_paths = &mut self.odd_paths;
        self.files.dedup_by(|later, first| {
            let doubled = later.path == first.path;
            if doubled {
                odd_paths.push(later.path.clone());
            }
            doubled
        });
        self.odd_paths.sort();
        self.missing_trees.sort();
        self
    }
}

/// Lists all files of `commit`, tree by tree without recursion. Trees that are missing are noted, not fetched.
///
/// # Errors
/// [`CheckoutError::Unreadable`] when the commit or its root tree cannot be read, a tree is damaged, or there are more
/// than [`MAX_ENTRIES`] entries.
pub(super) fn list(
    repository: &gix::Repository,
    commit: ObjectId,
    place: &str,
) -> Result<Listing, CheckoutError> {
    let unreadable = |error: gix::Error| CheckoutError::unreadable(place, &error);
    let root = repository
        .find_commit(commit)
        .map_err(unreadable)?
        .tree_id()
        .map_err(unreadable)?
        .detach();
    let mut walk = Walk {
        place,
        listing: Listing::default(),
        pending: VecDeque::new(),
        entries: 0,
        path_bytes: 0,
    };
    walk.pending.push_back((String::new(), root));
    while let Some((folder, id)) = walk.pending.pop_front() {
        match repository.try_find_object(id).map_err(unreadable)? {
            Some(object) => walk.enter(&folder, &object.data)?,
            None if folder.is_empty() => {
                let reason =
                    format!("the tree of commit {commit} is not in the repository; fetch it first");
                return Err(CheckoutError::Unreadable {
                    place: place.to_owned(),
                    reason,
                });
            }
            None => walk.listing.missing_trees.push(folder),
        }
    }
    Ok(walk.listing.finish())
}

struct Walk<'a> {
    place: &'a str,
    listing: Listing,
    pending: VecDeque<(String, ObjectId)>,
    entries: usize,
    path_bytes: usize,
}

impl Walk<'_> {
    /// Takes in the tree `data` of `folder`.
    fn enter(&mut self, folder: &str, data: &[u8]) -> Result<(), CheckoutError> {
        for entry in gix::objs::TreeRefIter::from_bytes(data, gix::hash::Kind::Sha1) {
            let entry = entry.map_err(|error| CheckoutError::unreadable(self.place, &error))?;
            self.entries += 1;
            if self.entries > MAX_ENTRIES {
                return Err(too_many_entries(self.place));
            }
            let joined = join(folder, entry.filename);
            self.path_bytes += joined.as_ref().map_or_else(String::len, String::len);
            if self.path_bytes > MAX_ALL_PATHS {
                return Err(too_long_paths(self.place));
            }
            match joined {
                Ok(path) => self.add(path, entry.mode.kind(), entry.oid.to_owned()),
                Err(odd) => self.listing.odd_paths.push(odd),
            }
        }
        Ok(())
    }

    fn add(&mut self, path: String, kind: EntryKind, id: ObjectId) {
        let mode = match kind {
            EntryKind::Tree => return self.pending.push_back((path, id)),
            EntryKind::Blob => Mode::File,
            EntryKind::BlobExecutable => Mode::Executable,
            EntryKind::Link => Mode::Symlink,
            EntryKind::Commit => Mode::Submodule,
        };
        self.listing.files.push(SnapshotFile { path, mode, id });
    }
}

pub(super) fn too_many_entries(place: &str) -> CheckoutError {
    CheckoutError::Unreadable {
        place: place.to_owned(),
        reason: format!("more than {MAX_ENTRIES} files: not a repository that can be rated"),
    }
}

fn too_long_paths(place: &str) -> CheckoutError {
    CheckoutError::Unreadable {
        place: place.to_owned(),
        reason: format!(
            "the names of its files take more than {MAX_ALL_PATHS} bytes: not a repository that can be rated"
        ),
    }
}

/// The path of `name` in `folder`; the readable form of it when it is not UTF-8, not a name that git would
/// check out, or too long.
fn join(folder: &str, name: &[u8]) -> Result<String, String> {
    let with_folder = |name: &str| {
        if folder.is_empty() {
            name.to_owned()
        } else {
            format!("{folder}/{name}")
        }
    };
    let odd = || {
        with_folder(&String::from_utf8_lossy(name))
            .chars()
            .take(MAX_PATH_BYTES)
            .collect()
    };
    let text = std::str::from_utf8(name).map_err(|_| odd())?;
    let reserved = matches!(text, "" | "." | "..") || text.eq_ignore_ascii_case(".git");
    if reserved || text.contains(['/', '\0']) || folder.len() + text.len() >= MAX_PATH_BYTES {
        return Err(odd());
    }
    Ok(with_folder(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_no_checkout_has_are_kept_apart() {
        for name in [&b""[..], b".", b"..", b".GIT", b"a/b", b"a\0", b"\xff\xfe"] {
            assert!(join("folder", name).is_err(), "{name:?}");
        }
        assert_eq!(join("a", b"\xffx"), Err("a/\u{fffd}x".to_owned()));
        assert_eq!(join("a", "ü".as_bytes()), Ok("a/ü".to_owned()));
        assert_eq!(join("", b"x"), Ok("x".to_owned()));
        assert!(join(&"d/".repeat(2048), b"x").is_err());
    }

    #[test]
    fn the_first_of_two_equal_paths_stays() {
        let file = |path: &str, mode| SnapshotFile {
            path: path.to_owned(),
            mode,
            id: ObjectId::null(gix::hash::Kind::Sha1),
        };
        let listing = Listing {
            files: vec![
                file("b", Mode::File),
                file("a", Mode::Executable),
                file("a", Mode::File),
            ],
            ..Listing::default()
        };
        let listing = listing.finish();
        assert_eq!(
            listing
                .files
                .iter()
                .map(|f| (f.path.as_str(), f.mode))
                .collect::<Vec<_>>(),
            [("a", Mode::Executable), ("b", Mode::File)]
        );
        assert_eq!(listing.odd_paths, ["a"]);
    }
}

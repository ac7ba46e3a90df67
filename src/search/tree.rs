//! The folders of a snapshot, and what a path leads to.

use std::collections::BTreeMap;
use std::ops::Range;

use super::scope::ScopeError;
use crate::checkout::{Mode, Snapshot, SnapshotFile};

/// More links than this on one path are taken for a circle, as operating systems do.
const MAX_LINKS: usize = 40;

/// One folder.
pub(super) struct Folder<'s> {
    /// Path from the root; the root's is empty.
    pub path: &'s str,
    /// Number of the folder that holds it; the root holds itself.
    pub parent: usize,
    /// The files anywhere below it, by their numbers in the snapshot.
    pub files: Range<usize>,
    /// Number of the first folder that is neither this one nor below it.
    pub end: usize,
}

/// The folders of a snapshot: number 0 is the root, parents come before their children, and all that is below one
/// folder follows it without a gap.
pub(super) struct Tree<'s> {
    folders: Vec<Folder<'s>>,
    by_path: BTreeMap<&'s str, usize>,
    /// For every file of the snapshot, the folder that holds it.
    folder_of: Vec<usize>,
}

/// What a path leads to, after links have been followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Number of a file in the snapshot.
    File(usize),
    /// Number of a folder.
    Folder(usize),
}

impl<'s> Tree<'s> {
    /// Builds the folders of `files`, which are ordered by path.
    pub fn new(files: &'s [SnapshotFile]) -> Self {
        let mut folders = vec![Folder {
            path: "",
            parent: 0,
            files: 0..files.len(),
            end: 0,
        }];
        let mut folder_of = Vec::with_capacity(files.len());
        let mut open = 0;
        for (number, file) in files.iter().enumerate() {
            let path = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            while !holds(folders[open].path, path) {
                folders[open].files.end = number;
                folders[open].end = folders.len();
                open = folders[open].parent;
            }
            for end in slashes_after(path, folders[open].path.len()) {
                folders.push(Folder {
                    path: &path[..end],
                    parent: open,
                    files: number..files.len(),
                    end: 0,
                });
                open = folders.len() - 1;
            }
            folder_of.push(open);
        }
        let count = folders.len();
        folders
            .iter_mut()
            .filter(|folder| folder.end == 0)
            .for_each(|folder| folder.end = count);
        let by_path = folders
            .iter()
            .enumerate()
            .map(|(number, folder)| (folder.path, number))
            .collect();
        Self {
            folders,
            by_path,
            folder_of,
        }
    }

    pub fn folder(&self, number: usize) -> &Folder<'s> {
        &self.folders[number]
    }

    pub fn folder_count(&self) -> usize {
        self.folders.len()
    }

    /// The folder that holds file `number`.
    pub fn folder_of(&self, number: usize) -> usize {
        self.folder_of[number]
    }

    /// Finds what `path` (from the root, normalized) leads to in a checkout; a link in it is followed as long as it
    /// stays inside, the way a file system does when a path is named outright.
    ///
    /// # Errors
    /// When there is nothing, or it is a submodule, or a link leads out or in a circle.
    pub fn resolve(&self, snapshot: &Snapshot, path: &str) -> Result<Target, ScopeError> {
        let missing = || ScopeError::Missing(path.to_owned());
        let mut todo: Vec<String> = path.split('/').rev().map(str::to_owned).collect();
        let mut folder = 0;
        let mut links = 0;
        while let Some(part) = todo.pop() {
            match part.as_str() {
                "" | "." => continue,
                ".." if folder == 0 => return Err(ScopeError::Outside(path.to_owned())),
                ".." => folder = self.folders[folder].parent,
                name => match self.child(snapshot, folder, name).ok_or_else(missing)? {
                    Target::Folder(number) => folder = number,
                    Target::File(number) => match snapshot.files[number].mode {
                        Mode::Symlink => {
                            links += 1;
                            if links > MAX_LINKS {
                                return Err(ScopeError::LinkLoop(path.to_owned()));
                            }
                            let link = snapshot
                                .link_target(&snapshot.files[number])
                                .ok_or_else(missing)?;
                            if link.starts_with('/') {
                                return Err(ScopeError::Outside(path.to_owned()));
                            }
                            todo.extend(link.split('/').rev().map(str::to_owned));
                        }
                        Mode::Submodule => return Err(ScopeError::Submodule(path.to_owned())),
                        Mode::File | Mode::Executable if todo.is_empty() => {
                            return Ok(Target::File(number));
                        }
                        Mode::File | Mode::Executable => return Err(missing()),
                    },
                },
            }
        }
        Ok(Target::Folder(folder))
    }

    fn child(&self, snapshot: &Snapshot, folder: usize, name: &str) -> Option<Target> {
        let path = join(self.folders[folder].path, name);
        if let Some(&number) = self.by_path.get(path.as_str()) {
            return Some(Target::Folder(number));
        }
        let found = snapshot
            .files
            .binary_search_by(|file| file.path.as_str().cmp(&path));
        found.ok().map(Target::File)
    }
}

/// `folder` and `name` as one path; both may be empty.
pub(super) fn join(folder: &str, name: &str) -> String {
    match (folder, name) {
        ("", path) | (path, "") => path.to_owned(),
        (folder, name) => format!("{folder}/{name}"),
    }
}

/// The part of `path` below `folder`, which holds it.
pub(super) fn below<'p>(folder: &str, path: &'p str) -> &'p str {
    path.strip_prefix(folder)
        .map_or(path, |rest| rest.strip_prefix('/').unwrap_or(rest))
}

fn holds(folder: &str, path: &str) -> bool {
    folder.is_empty()
        || path
            .strip_prefix(folder)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Ends of the parts of `path` that begin after `from`, so that `path[..end]` are the folders on the way.
fn slashes_after(path: &str, from: usize) -> impl Iterator<Item = usize> {
    let inner = path
        .match_indices('/')
        .map(|(at, _)| at)
        .filter(move |at| *at > from);
    inner.chain((path.len() > from).then_some(path.len()))
}

#[cfg(test)]
#[allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a broken test set-up has to stop the test"
)]
mod tests {
    use super::*;

    fn files(paths: &[&str]) -> Vec<SnapshotFile> {
        let id = gix::ObjectId::null(gix::hash::Kind::Sha1);
        let file = |path: &&str| SnapshotFile {
            path: (*path).to_owned(),
            mode: Mode::File,
            id,
        };
        paths.iter().map(file).collect()
    }

    #[test]
    fn folders_know_their_files_and_their_subfolders() {
        let files = files(&[
            "a-b/x", "a.txt", "a/b/c/1", "a/b/c/2", "a/d/3", "a/z", "b/4", "top",
        ]);
        let tree = Tree::new(&files);
        let rows: Vec<_> = tree
            .folders
            .iter()
            .map(|f| (f.path, f.parent, f.files.clone(), f.end))
            .collect();
        let expected = [
            ("", 0, 0..8, 7),
            ("a-b", 0, 0..1, 2),
            ("a", 0, 2..6, 6),
            ("a/b", 2, 2..4, 5),
            ("a/b/c", 3, 2..4, 5),
            ("a/d", 2, 4..5, 6),
            ("b", 0, 6..7, 7),
        ];
        assert_eq!(rows, expected);
        assert_eq!(tree.folder_of, [1, 0, 4, 4, 5, 2, 6, 0]);
    }
}

//! The ignore rules that a snapshot carries, as ripgrep applies them in a checkout.
//!
//! Three files of every folder count: `.rgignore` before `.ignore` before `.gitignore`; within one kind the folder
//! nearest to the path decides. Tracked files are ignored like others: ripgrep does not ask git.

use std::collections::BTreeMap;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::error::SearchError;
use super::tree::{Target, Tree, below, join};
use crate::checkout::{ReadError, Snapshot};

const NAMES: [&str; 3] = [".rgignore", ".ignore", ".gitignore"];
/// All ignore files of a snapshot together. The largest repositories have about a hundred kilobytes of them.
const MAX_BYTES: u64 = 2 << 20;

/// Which ripgrep is imitated: they differ in how rules of folders above the scope are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// Version 15 and later.
    Current,
    /// Before version 15, rules with a slash in folders above the scope were matched against a wrong path
    /// (the scope's path twice), so that most of them did not apply.
    Older,
}

/// The folder that is searched, under the path by which the scope names it.
pub(super) struct Root<'a> {
    /// Number of the folder.
    pub folder: usize,
    /// Its path from the root, after links.
    pub path: &'a str,
    /// Its path as given.
    pub named: &'a str,
}

/// The rules of all folders.
pub(super) struct Rules {
    by_folder: BTreeMap<usize, [Gitignore; 3]>,
    /// For every folder, the nearest one (itself or above) that has rules.
    nearest: Vec<Option<usize>>,
}

impl Rules {
    /// Reads and compiles the ignore files of the snapshot.
    ///
    /// # Errors
    /// When they are larger than any repository's, or cannot be read.
    pub fn load(snapshot: &Snapshot, tree: &Tree<'_>) -> Result<Self, SearchError> {
        let reader = snapshot.reader();
        let mut by_folder = BTreeMap::new();
        let mut left = MAX_BYTES;
        let mut bytes = Vec::new();
        for (number, file) in snapshot.files.iter().enumerate() {
            let name = file
                .path
                .rsplit_once('/')
                .map_or(file.path.as_str(), |(_, name)| name);
            let Some(kind) = NAMES.iter().position(|known| *known == name) else {
                continue;
            };
            let Ok(Target::File(source)) = tree.resolve(snapshot, &file.path) else {
                continue;
            };
            // For an empty file the reader leaves the buffer as it is.
            bytes.clear();
            match reader.read(&snapshot.files[source], left, &mut bytes) {
                Ok(()) => left -= bytes.len() as u64,
                Err(ReadError::Missing) => continue,
                Err(error) => return Err(SearchError::read(&file.path, &error)),
            }
            let kinds = by_folder
                .entry(tree.folder_of(number))
                .or_insert_with(|| NAMES.map(|_| Gitignore::empty()));
            kinds[kind] = compile(&bytes);
        }
        let mut nearest: Vec<Option<usize>> = Vec::with_capacity(tree.folder_count());
        for number in 0..tree.folder_count() {
            let above = if number == 0 {
                None
            } else {
                nearest[tree.folder(number).parent]
            };
            nearest.push(if by_folder.contains_key(&number) {
                Some(number)
            } else {
                above
            });
        }
        Ok(Self { by_folder, nearest })
    }

    /// Whether any folder above `root` has rules, so that the eras may differ.
    pub fn any_above(&self, tree: &Tree<'_>, root: usize) -> bool {
        root != 0 && self.nearest[tree.folder(root).parent].is_some()
    }

    /// What the rules say of `path`, the path below `root` of something that lies in folder `holder`.
    pub fn matched(
        &self,
        tree: &Tree<'_>,
        root: &Root<'_>,
        holder: usize,
        path: &str,
        is_folder: bool,
        era: Era,
    ) -> Match<()> {
        let real = join(root.path, path);
        let seen_from_above = match era {
            Era::Current => real.clone(),
            Era::Older => join(root.path, &join(root.named, path)),
        };
        let mut verdicts = [Match::None, Match::None, Match::None];
        let mut next = self.nearest[holder];
        while let Some(number) = next {
            let folder = tree.folder(number);
            let inside = number >= root.folder;
            let relative = below(folder.path, if inside { &real } else { &seen_from_above });
            if let Some(kinds) = self.by_folder.get(&number) {
                for (verdict, rules) in verdicts
                    .iter_mut()
                    .zip(kinds)
                    .filter(|(verdict, _)| verdict.is_none())
                {
                    *verdict = rules.matched(relative, is_folder).map(|_| ());
                }
            }
            next = if number == 0 {
                None
            } else {
                self.nearest[folder.parent]
            };
        }
        verdicts
            .into_iter()
            .find(|verdict| !verdict.is_none())
            .unwrap_or(Match::None)
    }
}

/// Compiles one ignore file the way the `ignore` crate reads it from disk: a byte-order mark is skipped, and so is
/// every line that is not UTF-8 or not a glob.
fn compile(bytes: &[u8]) -> Gitignore {
    let mut builder = GitignoreBuilder::new(".");
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    for line in text.split(|byte| *byte == b'\n') {
        if let Ok(line) = std::str::from_utf8(line) {
            // A line that is no glob is left out, and ripgrep goes on with the next one.
            let _ = builder.add_line(None, line.strip_suffix('\r').unwrap_or(line));
        }
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

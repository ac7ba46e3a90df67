//! Which files of a snapshot one path of a scope makes ripgrep look at.

use ignore::Match;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{Types, TypesBuilder};

use super::error::SearchError;
use super::query::{Selection, TypeChoice};
use super::rules::{Era, Root, Rules};
use super::tree::{Target, Tree, below, join};
use crate::checkout::{Mode, Snapshot};

/// A file that is searched: its number in the snapshot, and why.
pub(super) type Visit = (usize, Reason);

/// Why a file is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reason {
    /// The scope names the file itself, so ripgrep searches it whatever it is, and treats it differently if it is binary.
    pub explicit: bool,
    /// Version 15 and later of ripgrep look at it.
    pub current: bool,
    /// Earlier versions look at it.
    pub older: bool,
}

/// The file-choosing flags of a query, compiled.
pub(super) struct Filters {
    hidden: bool,
    no_ignore: bool,
    globs: Override,
    types: Types,
}

impl Filters {
    /// Compiles `-g`, `-t` and `-T`; the types are those that the `ignore` crate knows.
    ///
    /// # Errors
    /// When a glob is malformed or a type unknown.
    pub fn compile(selection: &Selection) -> Result<Self, SearchError> {
        let mut globs = OverrideBuilder::new(".");
        for glob in &selection.globs {
            globs.add(glob).map_err(|error| SearchError::Glob {
                glob: glob.clone(),
                error: error.to_string(),
            })?;
        }
        let glob_error = |error: ignore::Error| SearchError::Glob {
            glob: selection.globs.join(" "),
            error: error.to_string(),
        };
        let mut types = TypesBuilder::new();
        if !selection.types.is_empty() {
            types.add_defaults();
        }
        for choice in &selection.types {
            match choice {
                TypeChoice::Only(name) => types.select(name),
                TypeChoice::Not(name) => types.negate(name),
            };
        }
        Ok(Self {
            hidden: selection.hidden,
            no_ignore: selection.no_ignore,
            globs: globs.build().map_err(glob_error)?,
            types: types
                .build()
                .map_err(|error| SearchError::Type(error.to_string()))?,
        })
    }
}

/// Everything that decides what is looked at.
pub(super) struct Walk<'a> {
    pub snapshot: &'a Snapshot,
    pub tree: &'a Tree<'a>,
    pub rules: &'a Rules,
    pub filters: &'a Filters,
}

impl Walk<'_> {
    /// The files that ripgrep looks at when `target`, which the scope calls `named`, is given to it; in order.
    pub fn visits(&self, target: Target, named: &str) -> Vec<Visit> {
        let everywhere = |explicit| Reason {
            explicit,
            current: true,
            older: true,
        };
        match target {
            Target::File(file) => vec![(file, everywhere(true))],
            Target::Folder(folder) => {
                let root = Root {
                    folder,
                    path: self.tree.folder(folder).path,
                    named,
                };
                let current = self.files(&root, Era::Current);
                if self.filters.no_ignore || !self.rules.any_above(self.tree, folder) {
                    return current
                        .into_iter()
                        .map(|file| (file, everywhere(false)))
                        .collect();
                }
                merge(&current, &self.files(&root, Era::Older))
            }
        }
    }

    /// The files below `root`, in order: none that is skipped itself or lies in a folder that is skipped.
    fn files(&self, root: &Root<'_>, era: Era) -> Vec<usize> {
        let top = self.tree.folder(root.folder);
        let mut entered = vec![true];
        for number in root.folder + 1..top.end {
            let folder = self.tree.folder(number);
            let walked = entered[folder.parent - root.folder]
                && !self.skips(
                    root,
                    folder.parent,
                    below(root.path, folder.path),
                    true,
                    era,
                );
            entered.push(walked);
        }
        let mut files = top.files.clone().collect::<Vec<_>>();
        files.retain(|&number| {
            let file = &self.snapshot.files[number];
            let holder = self.tree.folder_of(number);
            matches!(file.mode, Mode::File | Mode::Executable)
                && entered[holder - root.folder]
                && !self.skips(root, holder, below(root.path, &file.path), false, era)
        });
        files
    }

    /// The order of precedence is the `ignore` crate's: `-g`, ignore rules, types, and last whether it is hidden.
    fn skips(&self, root: &Root<'_>, holder: usize, path: &str, is_folder: bool, era: Era) -> bool {
        match self
            .filters
            .globs
            .matched(join(root.named, path), is_folder)
        {
            Match::Ignore(_) => return true,
            Match::Whitelist(_) => return false,
            Match::None => {}
        }
        let ruled = if self.filters.no_ignore {
            Match::None
        } else {
            self.rules
                .matched(self.tree, root, holder, path, is_folder, era)
        };
        let typed = self.filters.types.matched(path, is_folder);
        if ruled.is_ignore() || typed.is_ignore() {
            return true;
        }
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        ruled.is_none() && typed.is_none() && !self.filters.hidden && name.starts_with('.')
    }
}

/// The union of two ordered lists of files.
fn merge(current: &[usize], older: &[usize]) -> Vec<Visit> {
    let mut files: Vec<usize> = current.iter().chain(older).copied().collect();
    files.sort_unstable();
    files.dedup();
    let is_in = |list: &[usize], file| list.binary_search(&file).is_ok();
    let reason = |file| Reason {
        explicit: false,
        current: is_in(current, file),
        older: is_in(older, file),
    };
    files.into_iter().map(|file| (file, reason(file))).collect()
}

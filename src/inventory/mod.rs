//! Stage 2: what every file of a snapshot is.
//!
//! In: a [`Snapshot`] and the rules of rubric/inventory.toml. Out: each file with its language (by
//! its name) and its [`Role`] (by its path). Contents are not read here, but for `.gitattributes`;
//! [`classify`] tells what a content is when the reading pass has it.

mod attributes;
mod content;
mod folders;
mod language;
mod names;
mod role;
mod role_rules;
mod rules;

#[cfg(test)]
mod role_tests;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::checkout::{Mode, Snapshot, SnapshotFile};
use attributes::Attributes;
use folders::{Folders, split};
use role_rules::{Candidate, Sorter};

pub use content::{Content, classify};
pub use folders::is_within;
pub use language::{Language, Languages};
pub use role::Role;
pub use rules::{InventoryRules, Limits, RulesError};

/// One file of the inventory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its place in the snapshot's list of files.
    pub snapshot_index: usize,
    /// Path from the repository's root.
    pub path: String,
    /// Its language, if its name tells one.
    pub language: Option<Arc<Language>>,
    /// What it is there for.
    pub role: Role,
    /// Whether the repository's attributes say that this source is not its own code. Anyone can
    /// write that; it counts only of files that do not belong to the core.
    pub disowned: bool,
    /// Whether it is in the folder that is scored; always, when that is the whole repository.
    pub in_subpath: bool,
}

impl File {
    /// Name of its language in rubric files; empty for none.
    pub fn language_name(&self) -> &str {
        self.language.as_ref().map_or("", |language| &language.name)
    }

    /// Whether it is source in a programming language, by its path.
    pub fn is_program(&self) -> bool {
        self.role == Role::Source && self.is_source_language()
    }

    /// Whether its language is a programming language.
    pub fn is_source_language(&self) -> bool {
        self.language
            .as_ref()
            .is_some_and(|language| language.source)
    }
}

/// All files that are of interest, ordered by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inventory {
    /// Regular files in the folder that is scored, and those outside of it that bear on it.
    pub files: Vec<File>,
    /// Submodules in that folder: their content is not part of the snapshot.
    pub submodules: Vec<String>,
    /// Symbolic links in that folder: they are not followed.
    pub symlinks: Vec<String>,
    /// `.gitattributes` files that could not be read, so that roles rest on the paths alone.
    pub unread_attributes: Vec<String>,
}

impl Inventory {
    /// Looks at every file of `snapshot`. With a `subpath` that folder is scored; of the files
    /// outside of it, those are kept that inventory.toml names (`outside_files`). A `subpath` that
    /// is no folder of the snapshot has no files in it, and that is for the caller to refuse.
    pub fn take(snapshot: &Snapshot, rules: &InventoryRules, subpath: Option<&str>) -> Self {
        let (attributes, unread_attributes) = read_attributes(snapshot, rules);
        let sorted = Self::sort(&snapshot.files, &attributes, rules, subpath);
        Self {
            unread_attributes,
            ..sorted
        }
    }

    fn sort(
        files: &[SnapshotFile],
        attributes: &Attributes,
        rules: &InventoryRules,
        subpath: Option<&str>,
    ) -> Self {
        let scored = subpath
            .unwrap_or_default()
            .trim_start_matches("./")
            .trim_matches('/');
        let paths = files.iter().map(|file| file.path.as_str());
        let folders = Folders::new(paths, &rules.project_files);
        let mut sorter = Sorter::new(&rules.roles, &folders, scored);
        let mut inventory = Self::default();
        for (snapshot_index, SnapshotFile { path, mode, .. }) in files.iter().enumerate() {
            let in_subpath = is_within(path, scored);
            match mode {
                Mode::Submodule if in_subpath => inventory.submodules.push(path.clone()),
                Mode::Symlink if in_subpath => inventory.symlinks.push(path.clone()),
                Mode::Submodule | Mode::Symlink => {}
                Mode::File | Mode::Executable => {
                    let language = rules.languages.of_file(split(path).1);
                    let candidate = Candidate {
                        path,
                        language: language.map(Arc::as_ref),
                    };
                    let (role, disowned) = sorter.role(&candidate, &attributes.claims(path));
                    if in_subpath || bears_on(scored, path, role, &folders, rules) {
                        let (path, language) = (path.clone(), language.cloned());
                        inventory.files.push(File {
                            snapshot_index,
                            path,
                            language,
                            role,
                            disowned,
                            in_subpath,
                        });
                    }
                }
            }
        }
        inventory
    }
}

/// Whether the file at `path`, which is outside of the folder `scored`, says something about it.
fn bears_on(
    scored: &str,
    path: &str,
    role: Role,
    folders: &Folders<'_>,
    rules: &InventoryRules,
) -> bool {
    let (folder, name) = split(path);
    match role {
        Role::Deployment => is_within(scored, folders.project_of(path)),
        Role::Documentation => is_within(scored, folder),
        _ => is_within(scored, folder) && rules.outside_files.contains(name),
    }
}

/// The attributes of a snapshot, and the files of them that could not be read.
fn read_attributes(snapshot: &Snapshot, rules: &InventoryRules) -> (Attributes, Vec<String>) {
    let mut reader = None;
    let mut texts = Vec::new();
    let mut unread = Vec::new();
    for file in &snapshot.files {
        let (folder, name) = split(&file.path);
        if name != ".gitattributes" || !matches!(file.mode, Mode::File | Mode::Executable) {
            continue;
        }
        let reader = reader.get_or_insert_with(|| snapshot.reader());
        let mut buffer = Vec::new();
        match reader.read(file, rules.limits.max_file_bytes, &mut buffer) {
            Ok(()) => {
                texts.push((
                    folder.to_owned(),
                    String::from_utf8_lossy(&buffer).into_owned(),
                ));
            }
            Err(_) => unread.push(file.path.clone()),
        }
    }
    (
        Attributes::new(&texts, rules.limits.max_attribute_lines),
        unread,
    )
}

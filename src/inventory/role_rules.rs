//! Roles by path: the `[[role]]` rules of inventory.toml.

use std::collections::BTreeSet;

use globset::GlobSet;
use serde::Deserialize;

use super::attributes::Claims;
use super::folders::Folders;
use super::language::Language;
use super::names::Names;
use super::role::Role;

/// Where the folder or file that a rule names has to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Anywhere.
    #[default]
    Anywhere,
    /// At the top of a project.
    Project,
    /// At the root of the repository.
    Root,
}

/// One rule, compiled; the fields are those of inventory.toml, which explains them.
#[derive(Debug)]
pub struct RoleRule {
    pub role: Role,
    pub folders: Names,
    pub files: Names,
    pub paths: GlobSet,
    pub at: Place,
    pub code: Option<bool>,
    pub languages: Option<BTreeSet<String>>,
    pub except: GlobSet,
    pub except_below: Names,
    pub except_sole_package: bool,
}

/// A file as the rules look at it.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'p> {
    /// Path from the root.
    pub path: &'p str,
    /// Its language, if any.
    pub language: Option<&'p Language>,
}

/// The role of `file` by the first rule that fits and that no claim contradicts, else
/// [`Role::Source`]; and whether the repository claims that this source is not its own code. Of a
/// file that is no source by its path, or no program, a claim is the role.
pub fn role_of(
    rules: &[RoleRule],
    file: &Candidate<'_>,
    claims: &Claims,
    folders: &Folders<'_>,
) -> (Role, bool) {
    let mut rules = rules.iter();
    let rule = rules.find(|rule| !claims.denies(rule.role) && rule.fits(file, folders));
    let by_path = rule.map_or(Role::Source, |rule| rule.role);
    let is_program = file.language.is_some_and(|language| language.source);
    match claims.role() {
        Some(_) if by_path == Role::Source && is_program => (Role::Source, true),
        Some(claimed) => (claimed, false),
        None => (by_path, false),
    }
}

impl RoleRule {
    fn fits(&self, file: &Candidate<'_>, folders: &Folders<'_>) -> bool {
        let is_code = file.language.is_some_and(|language| language.source);
        self.code.is_none_or(|code| code == is_code)
            && self.fits_language(file.language)
            && (self.fits_a_folder(file.path, folders)
                || self.fits_name(file.path, folders)
                || self.paths.is_match(file.path))
            && !self.except.is_match(file.path)
    }

    fn fits_language(&self, language: Option<&Language>) -> bool {
        let listed = |names: &BTreeSet<String>| {
            language.is_some_and(|language| names.contains(&language.name))
        };
        self.languages.as_ref().is_none_or(listed)
    }

    fn fits_a_folder(&self, path: &str, folders: &Folders<'_>) -> bool {
        if self.folders.is_empty() {
            return false;
        }
        for (parent, name, folder) in folders_on_the_way(path) {
            if self.folders.contains(name)
                && self.is_in_place(parent, folder, folders)
                && !(self.except_sole_package && folders.is_sole_package(folder))
            {
                return true;
            }
            // Whatever is below this folder is excepted.
            if self.except_below.contains(name) {
                return false;
            }
        }
        false
    }

    fn is_in_place(&self, parent: &str, folder: &str, folders: &Folders<'_>) -> bool {
        match self.at {
            Place::Anywhere => true,
            Place::Project => folders.is_project(parent) || folders.is_project(folder),
            Place::Root => parent.is_empty(),
        }
    }

    fn fits_name(&self, path: &str, folders: &Folders<'_>) -> bool {
        let (folder, name) = super::folders::split(path);
        let in_place = || match self.at {
            Place::Anywhere => true,
            Place::Project => folders.is_project(folder),
            Place::Root => folder.is_empty(),
        };
        let below = || {
            folder
                .split('/')
                .any(|part| self.except_below.contains(part))
        };
        self.files.contains(name) && in_place() && !below()
    }
}

/// For each folder on the way to the file at `path`, from the top: its parent, its name, its path.
fn folders_on_the_way(path: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    path.match_indices('/').map(move |(end, _)| {
        let folder = &path[..end];
        let (parent, name) = super::folders::split(folder);
        (parent, name, folder)
    })
}

//! Roles by path: the `[[role]]` rules of inventory.toml.

use std::collections::{BTreeSet, HashMap};

use globset::GlobSet;
use serde::Deserialize;

use super::attributes::Claims;
use super::folders::Folders;
use super::language::Language;
use super::names::{Names, OwnedNames};
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
    pub paths: GlobSet,
    pub at: Place,
    pub code: Option<bool>,
    pub languages: Option<BTreeSet<String>>,
    pub except: GlobSet,
    pub except_below: Names,
    pub except_sole_package: bool,
}

/// All rules in their order, with the folders and files that they name, by the number of the rule.
#[derive(Debug)]
pub struct RoleRules {
    pub rules: Vec<RoleRule>,
    pub folders: OwnedNames,
    pub files: OwnedNames,
}

/// A file as the rules look at it.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'p> {
    /// Path from the root.
    pub path: &'p str,
    /// Its language, if any.
    pub language: Option<&'p Language>,
}

/// What a rule makes of a folder and of all that is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// It names neither the folder nor one above it.
    Open,
    /// It names the folder, or one above it.
    Fits,
    /// It excepts what is below the folder.
    Barred,
}

/// Tells roles by the rules, and remembers what these make of each folder: most files share theirs.
pub struct Sorter<'a> {
    rules: &'a RoleRules,
    folders: &'a Folders<'a>,
    known: HashMap<&'a str, Vec<Standing>>,
}

impl<'a> Sorter<'a> {
    /// Sorts the files of the snapshot with these `folders` by `rules`. Where the folder `scored` lies says nothing of
    /// its files: whoever has an example scored wants it taken for the program that it is.
    pub fn new(rules: &'a RoleRules, folders: &'a Folders<'a>, scored: &'a str) -> Self {
        let open = vec![Standing::Open; rules.rules.len()];
        Self {
            rules,
            folders,
            known: HashMap::from([("", open.clone()), (scored, open)]),
        }
    }

    /// The role of `file` by the first rule that fits and that no claim contradicts, else
    /// [`Role::Source`]; and whether the repository claims that this source is not its own code. Of
    /// a file that is no source by its path, or no program, a claim is the role.
    pub fn role(&mut self, file: &Candidate<'a>, claims: &Claims) -> (Role, bool) {
        let by_path = self.by_path(file, claims);
        let is_program = file.language.is_some_and(|language| language.source);
        match claims.role() {
            Some(_) if by_path == Role::Source && is_program => (Role::Source, true),
            Some(claimed) => (claimed, false),
            None => (by_path, false),
        }
    }

    fn by_path(&mut self, file: &Candidate<'a>, claims: &Claims) -> Role {
        let (folder, name) = super::folders::split(file.path);
        self.learn(folder);
        let standings = self.known.get(folder).map_or(&[][..], Vec::as_slice);
        let naming = self.rules.files.owners(name);
        let fits = |(number, rule): &(usize, &RoleRule)| {
            let by_folder = standings.get(*number) == Some(&Standing::Fits);
            let by_name = || naming.contains(number) && rule.fits_name_in(folder, self.folders);
            !claims.denies(rule.role)
                && rule.fits_language(file.language)
                && (by_folder || by_name() || rule.paths.is_match(file.path))
                && !rule.except.is_match(file.path)
        };
        let mut rules = self.rules.rules.iter().enumerate();
        rules.find(fits).map_or(Role::Source, |(_, rule)| rule.role)
    }

    /// Works out the standings of `folder` and of those above it.
    fn learn(&mut self, folder: &'a str) {
        let mut unknown = Vec::new();
        let mut above = folder;
        while !self.known.contains_key(above) {
            unknown.push(above);
            above = super::folders::split(above).0;
        }
        for folder in unknown.into_iter().rev() {
            let (parent, name) = super::folders::split(folder);
            let naming = self.rules.folders.owners(name);
            let mut standings = self.known.get(parent).cloned().unwrap_or_default();
            let numbered = standings.iter_mut().zip(&self.rules.rules).enumerate();
            for (number, (standing, rule)) in numbered {
                if *standing != Standing::Open {
                    continue;
                }
                if naming.contains(&number) && rule.fits_folder(folder, self.folders) {
                    *standing = Standing::Fits;
                } else if rule.except_below.contains(name) {
                    *standing = Standing::Barred;
                }
            }
            self.known.insert(folder, standings);
        }
    }
}

impl RoleRule {
    fn fits_language(&self, language: Option<&Language>) -> bool {
        let is_code = language.is_some_and(|language| language.source);
        let listed = |names: &BTreeSet<String>| {
            language.is_some_and(|language| names.contains(&language.name))
        };
        self.code.is_none_or(|code| code == is_code) && self.languages.as_ref().is_none_or(listed)
    }

    /// Whether `folder`, whose name the rule names, is where it has to be.
    fn fits_folder(&self, folder: &str, folders: &Folders<'_>) -> bool {
        let parent = super::folders::split(folder).0;
        let in_place = match self.at {
            Place::Anywhere => true,
            Place::Project => folders.is_project(parent) || folders.is_project(folder),
            Place::Root => parent.is_empty(),
        };
        in_place && !(self.except_sole_package && folders.is_sole_package(folder))
    }

    /// Whether a file that the rule names is in a `folder` where it has to be.
    fn fits_name_in(&self, folder: &str, folders: &Folders<'_>) -> bool {
        let in_place = match self.at {
            Place::Anywhere => true,
            Place::Project => folders.is_project(folder),
            Place::Root => folder.is_empty(),
        };
        let mut parts = folder.split('/');
        in_place && !parts.any(|part| self.except_below.contains(part))
    }
}

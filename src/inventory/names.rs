//! Globs over names and paths.

use std::collections::{BTreeMap, BTreeSet};

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

/// A set of names, some of them globs. Most are plain, and looking those up is quick.
#[derive(Debug, Default)]
pub struct Names {
    plain: BTreeSet<String>,
    globs: GlobSet,
}

impl Names {
    /// Compiles a set.
    ///
    /// # Errors
    /// The first glob that does not compile.
    pub fn new<'g>(globs: impl Iterator<Item = &'g str>) -> Result<Self, globset::Error> {
        let (globs, plain): (Vec<_>, Vec<_>) = globs.partition(|glob| is_glob(glob));
        Ok(Self {
            plain: plain.into_iter().map(str::to_owned).collect(),
            globs: glob_set(globs.into_iter())?,
        })
    }

    /// Whether `name` is one of them.
    pub fn contains(&self, name: &str) -> bool {
        self.plain.contains(name) || (!self.globs.is_empty() && self.globs.is_match(name))
    }
}

/// Names of several owners, some of them globs: tells in one look-up which of the owners have a name.
#[derive(Debug, Default)]
pub struct OwnedNames {
    plain: BTreeMap<String, Vec<usize>>,
    globs: GlobSet,
    /// For each glob, its owner.
    owners: Vec<usize>,
}

impl OwnedNames {
    /// Compiles the names of all owners, each with its number.
    ///
    /// # Errors
    /// The first glob that does not compile.
    pub fn new<'g>(names: impl Iterator<Item = (usize, &'g str)>) -> Result<Self, globset::Error> {
        let mut owned = Self::default();
        let mut set = GlobSetBuilder::new();
        for (owner, name) in names {
            if is_glob(name) {
                set.add(glob(name)?);
                owned.owners.push(owner);
            } else {
                owned.plain.entry(name.to_owned()).or_default().push(owner);
            }
        }
        owned.globs = set.build()?;
        Ok(owned)
    }

    /// The numbers of the owners that have `name`, some of them perhaps twice.
    pub fn owners(&self, name: &str) -> Vec<usize> {
        let plain = self.plain.get(name).into_iter().flatten().copied();
        let by_glob = self.globs.matches(name).into_iter();
        plain.chain(by_glob.map(|glob| self.owners[glob])).collect()
    }
}

fn is_glob(name: &str) -> bool {
    name.contains(['*', '?', '[', '{', '\\'])
}

/// Compiles globs over whole paths, where `*` stops at a folder.
///
/// # Errors
/// The first glob that does not compile.
pub fn glob_set<'g>(globs: impl Iterator<Item = &'g str>) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for pattern in globs {
        set.add(glob(pattern)?);
    }
    set.build()
}

/// Compiles one glob over whole paths.
///
/// # Errors
/// When it does not compile.
pub fn glob(pattern: &str) -> Result<Glob, globset::Error> {
    GlobBuilder::new(pattern)
        .literal_separator(true)
        .empty_alternates(true)
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_and_globs() {
        let names = Names::new(["docs", "*.pb.go", "{a,b}{,.*}"].into_iter()).unwrap();
        for name in ["docs", "x.pb.go", "a", "b.c"] {
            assert!(names.contains(name), "{name}");
        }
        for name in ["doc", "Docs", "x.pb.gob", "ab"] {
            assert!(!names.contains(name), "{name}");
        }
        assert!(Names::new(["[a"].into_iter()).is_err());
    }

    #[test]
    fn every_owner_of_a_name_is_told() {
        let names = [(0, "docs"), (1, "d*"), (2, "*.rs"), (3, "docs")];
        let names = OwnedNames::new(names.into_iter()).unwrap();
        assert_eq!(names.owners("docs"), [0, 3, 1]);
        assert_eq!(names.owners("x.rs"), [2]);
        assert!(names.owners("x").is_empty());
    }
}

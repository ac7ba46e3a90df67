//! Globs over names and paths.

use std::collections::BTreeSet;

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
        let (globs, plain): (Vec<_>, Vec<_>) =
            globs.partition(|glob| glob.contains(['*', '?', '[', '{', '\\']));
        Ok(Self {
            plain: plain.into_iter().map(str::to_owned).collect(),
            globs: glob_set(globs.into_iter())?,
        })
    }

    /// Whether `name` is one of them.
    pub fn contains(&self, name: &str) -> bool {
        self.plain.contains(name) || (!self.globs.is_empty() && self.globs.is_match(name))
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.plain.is_empty() && self.globs.is_empty()
    }
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
        assert!(Names::default().is_empty());
        assert!(Names::new(["[a"].into_iter()).is_err());
    }
}

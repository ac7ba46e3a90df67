//! What the folders of a snapshot are, by the files in them.

use std::collections::BTreeSet;

use super::names::Names;

/// The folders that are projects, and those that are Python packages; by path, the root is ``.
#[derive(Debug, Default)]
pub struct Folders<'p> {
    projects: BTreeSet<&'p str>,
    packages: BTreeSet<&'p str>,
}

impl<'p> Folders<'p> {
    /// Looks at all paths of a snapshot; `project_files` make their folder a project.
    pub fn new(paths: impl Iterator<Item = &'p str>, project_files: &Names) -> Self {
        let mut folders = Self::default();
        folders.projects.insert("");
        for path in paths {
            let (folder, name) = split(path);
            if project_files.contains(name) {
                folders.projects.insert(folder);
            }
            if name == "__init__.py" {
                folders.packages.insert(folder);
            }
        }
        folders
    }

    /// Whether `folder` is the root or holds a project's manifest.
    pub fn is_project(&self, folder: &str) -> bool {
        self.projects.contains(folder)
    }

    /// Whether `folder` is a Python package and all others are within it.
    pub fn is_sole_package(&self, folder: &str) -> bool {
        self.packages.contains(folder)
            && self
                .packages
                .iter()
                .all(|package| is_within(package, folder))
    }

    /// The innermost project that the file at `path` is in.
    pub fn project_of<'f>(&self, path: &'f str) -> &'f str {
        let mut folder = split(path).0;
        while !self.is_project(folder) {
            folder = split(folder).0;
        }
        folder
    }
}

/// Folder and name of a path; the folder of a path without `/` is the root, ``.
pub fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// Whether `path` is in `folder` or is that folder; all paths are in the root.
pub fn is_within(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || path
            .strip_prefix(folder)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_make_projects() {
        let paths = ["a/b/package.json", "a/b/c/d.ts", "e/f.py"];
        let manifests = Names::new(["package.json"].into_iter()).unwrap();
        let folders = Folders::new(paths.into_iter(), &manifests);
        assert!(folders.is_project("") && folders.is_project("a/b") && !folders.is_project("a"));
        assert_eq!(folders.project_of("a/b/c/d.ts"), "a/b");
        assert_eq!(folders.project_of("a/b/package.json"), "a/b");
        assert_eq!(folders.project_of("a/x"), "");
        assert_eq!(folders.project_of("x"), "");
    }

    #[test]
    fn a_sole_package_holds_all_others() {
        let sole = |paths: &[&str], folder: &str| {
            Folders::new(paths.iter().copied(), &Names::default()).is_sole_package(folder)
        };
        assert!(sole(&["a/__init__.py", "a/b/__init__.py", "c/d.py"], "a"));
        assert!(!sole(
            &["a/__init__.py", "a/b/__init__.py", "c/d.py"],
            "a/b"
        ));
        assert!(!sole(&["a/__init__.py", "ab/__init__.py"], "a"));
        assert!(!sole(&["a/b.py"], "a"));
    }

    #[test]
    fn within_is_by_whole_names() {
        assert!(is_within("a/b", "a") && is_within("a", "a") && is_within("a", ""));
        assert!(!is_within("ab", "a") && !is_within("a", "a/b"));
    }
}

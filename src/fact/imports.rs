//! Which files of the project a file imports.

use std::collections::{BTreeMap, BTreeSet};

/// Suffixes tried for a module path of JavaScript and TypeScript.
const SCRIPT_ENDINGS: &[&str] = &[
    ".ts",
    ".tsx",
    ".js",
    ".jsx",
    ".mts",
    ".mjs",
    "/index.ts",
    "/index.tsx",
    "/index.js",
];

/// Resolves import statements to the files of one project.
pub struct Importer<'p> {
    /// Files by their last path component without its ending.
    by_stem: BTreeMap<&'p str, Vec<usize>>,
    by_path: BTreeMap<&'p str, usize>,
    by_folder: BTreeMap<&'p str, Vec<usize>>,
    paths: &'p [String],
}

impl<'p> Importer<'p> {
    /// Indexes the paths of all files.
    pub fn new(paths: &'p [String]) -> Self {
        let mut importer = Self {
            by_stem: BTreeMap::new(),
            by_path: BTreeMap::new(),
            by_folder: BTreeMap::new(),
            paths,
        };
        for (index, path) in paths.iter().enumerate() {
            let (folder, name) = split(path);
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            importer.by_stem.entry(stem).or_default().push(index);
            importer.by_path.insert(path, index);
            importer.by_folder.entry(folder).or_default().push(index);
        }
        importer
    }

    /// Files that `name`, imported by the file at `from`, may stand for.
    pub fn resolve(&self, from: usize, language: &str, name: &str) -> Vec<usize> {
        let (folder, _) = split(&self.paths[from]);
        match language {
            "python" => self.python(folder, name),
            "javascript" | "typescript" | "tsx" => self.script(folder, name),
            "go" => self.go(name),
            "rust" => self.rust(folder, name),
            "java" => self.ending_with(&format!("{}.java", name.replace('.', "/"))),
            _ => Vec::new(),
        }
    }

    fn python(&self, folder: &str, name: &str) -> Vec<usize> {
        let dots = name.chars().take_while(|c| *c == '.').count();
        let module = name[dots..].replace('.', "/");
        if dots == 0 {
            let mut found = self.ending_with(&format!("{module}.py"));
            found.extend(self.ending_with(&format!("{module}/__init__.py")));
            return found;
        }
        let base = (1..dots).fold(folder, |folder, _| split(folder).0);
        let path = join(base, &module);
        let candidates = [format!("{path}.py"), join(&path, "__init__.py")];
        candidates
            .iter()
            .filter_map(|c| self.by_path.get(c.as_str()).copied())
            .collect()
    }

    fn script(&self, folder: &str, name: &str) -> Vec<usize> {
        if name.starts_with('.') {
            return self.script_at(&normal(&join(folder, name)));
        }
        let alias = ["@/", "~/", "src/"];
        match alias.iter().find_map(|prefix| name.strip_prefix(prefix)) {
            Some(rest) => self.aliased(folder, rest),
            None => Vec::new(),
        }
    }

    /// An alias stands for a folder that a configuration names: mostly the package's own or its `src` or `app`.
    fn aliased(&self, folder: &str, rest: &str) -> Vec<usize> {
        let mut above = folder;
        loop {
            for base in ["src", "app", ""] {
                let found = self.script_at(&join(&join(above, base), rest));
                if !found.is_empty() {
                    return found;
                }
            }
            if above.is_empty() {
                return Vec::new();
            }
            above = split(above).0;
        }
    }

    fn script_at(&self, path: &str) -> Vec<usize> {
        let bare = [".js", ".mjs", ".jsx"]
            .iter()
            .find_map(|e| path.strip_suffix(e))
            .unwrap_or(path);
        let exact = self.by_path.get(path).copied();
        let endings = SCRIPT_ENDINGS
            .iter()
            .filter_map(|e| self.by_path.get(format!("{bare}{e}").as_str()).copied());
        exact.into_iter().chain(endings).take(1).collect()
    }

    /// A Go import names a folder: all its files, when the path of the import ends with it.
    fn go(&self, name: &str) -> Vec<usize> {
        let parts: Vec<&str> = name.split('/').collect();
        for skipped in 1..parts.len() {
            if let Some(files) = self.by_folder.get(parts[skipped..].join("/").as_str()) {
                return files.clone();
            }
        }
        Vec::new()
    }

    fn rust(&self, folder: &str, name: &str) -> Vec<usize> {
        let parts: Vec<&str> = name
            .split("::")
            .filter(|p| !matches!(*p, "crate" | "self" | "super"))
            .collect();
        if !name.contains("::") {
            let candidates = [
                join(folder, &format!("{name}.rs")),
                join(folder, &format!("{name}/mod.rs")),
            ];
            return candidates
                .iter()
                .filter_map(|c| self.by_path.get(c.as_str()).copied())
                .collect();
        }
        for length in (1..=parts.len()).rev() {
            let path = parts[..length].join("/");
            let found: Vec<usize> = [format!("src/{path}.rs"), format!("src/{path}/mod.rs")]
                .iter()
                .flat_map(|c| self.ending_with(c))
                .filter(|file| shares_crate(&self.paths[*file], folder))
                .collect();
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// Files whose path is `suffix` or ends with `/suffix`; none when too many do.
    fn ending_with(&self, suffix: &str) -> Vec<usize> {
        let stem = split(suffix).1;
        let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
        let Some(same_stem) = self.by_stem.get(stem) else {
            return Vec::new();
        };
        let ends = |path: &str| {
            path.strip_suffix(suffix)
                .is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        let found: Vec<usize> = same_stem
            .iter()
            .copied()
            .filter(|file| ends(&self.paths[*file]))
            .collect();
        if found.len() > 3 { Vec::new() } else { found }
    }

    /// Follows imports from `roots` for `steps` steps; returns the files reached, the roots included.
    pub fn reach(
        &self,
        roots: &BTreeSet<usize>,
        steps: usize,
        imports_of: &dyn Fn(usize) -> Vec<usize>,
    ) -> BTreeSet<usize> {
        let mut reached = roots.clone();
        let mut edge: Vec<usize> = roots.iter().copied().collect();
        for _ in 0..steps {
            let next: BTreeSet<usize> = edge.iter().flat_map(|file| imports_of(*file)).collect();
            edge = next
                .into_iter()
                .filter(|file| reached.insert(*file))
                .collect();
        }
        reached
    }
}

fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

fn join(folder: &str, name: &str) -> String {
    match (folder.is_empty(), name.is_empty()) {
        (true, _) => name.to_owned(),
        (_, true) => folder.to_owned(),
        _ => format!("{folder}/{name}"),
    }
}

/// Resolves `.` and `..` parts; those that leave the project are dropped.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Whether `path` lies in the crate that `folder` belongs to: the same path before `src`.
fn shares_crate(path: &str, folder: &str) -> bool {
    let root = |p: &str| p.split("src").next().map(str::to_owned);
    root(path) == root(&format!("{folder}/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(paths: &[&str], from: usize, language: &str, name: &str) -> Vec<String> {
        let paths: Vec<String> = paths.iter().map(|p| (*p).to_owned()).collect();
        Importer::new(&paths)
            .resolve(from, language, name)
            .into_iter()
            .map(|i| paths[i].clone())
            .collect()
    }

    #[test]
    fn python_absolute_and_relative() {
        let paths = [
            "app/agent/loop.py",
            "app/tools/shell.py",
            "app/tools/__init__.py",
        ];
        assert_eq!(
            resolved(&paths, 0, "python", "app.tools.shell"),
            ["app/tools/shell.py"]
        );
        assert_eq!(
            resolved(&paths, 0, "python", "..tools"),
            ["app/tools/__init__.py"]
        );
        assert_eq!(resolved(&paths, 0, "python", "os"), [""; 0]);
    }

    #[test]
    fn scripts_with_and_without_endings() {
        let paths = ["src/main.ts", "src/tools/shell.ts", "src/tools/index.ts"];
        assert_eq!(
            resolved(&paths, 0, "typescript", "./tools/shell.js"),
            ["src/tools/shell.ts"]
        );
        assert_eq!(resolved(&paths, 1, "typescript", ".."), [""; 0]);
        assert_eq!(
            resolved(&paths, 0, "typescript", "./tools"),
            ["src/tools/index.ts"]
        );
        assert_eq!(
            resolved(&paths, 0, "typescript", "@/tools/shell"),
            ["src/tools/shell.ts"]
        );
    }

    #[test]
    fn go_folders_and_rust_modules() {
        let paths = [
            "cmd/main.go",
            "internal/shell/run.go",
            "internal/shell/env.go",
        ];
        assert_eq!(
            resolved(&paths, 0, "go", "example.com/o/r/internal/shell").len(),
            2
        );
        let paths = ["src/main.rs", "src/tools/shell.rs"];
        assert_eq!(
            resolved(&paths, 0, "rust", "crate::tools::shell::run"),
            ["src/tools/shell.rs"]
        );
    }
}

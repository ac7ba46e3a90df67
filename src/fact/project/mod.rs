//! What the project says of itself: manifests and the README.

mod imported;
mod lead;
mod listed;
mod manifest;
mod readme;
mod shipped;
mod tagline;

use std::collections::{BTreeMap, BTreeSet};

use minijinja::value::Value;

use crate::inventory::is_within;
use imported::imported;
use lead::lead_folders;
use listed::listed_names;
use manifest::Manifest;
use readme::{code_blocks, plain_lead, without_markup};
use shipped::shipped;

/// Names and texts from manifests and the README, with the names that conditions use.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// Display name.
    pub name: String,
    /// `owner/name` in lower case, or the folder's name.
    pub repository: String,
    /// Subpath that is scored; empty for none.
    pub subpath: String,
    /// Package names from the nearest manifests.
    pub packages: Vec<String>,
    /// One-line description of a manifest at the root; none where it is only a placeholder.
    pub description: Option<String>,
    /// Names of all declared dependencies.
    pub dependencies: Vec<String>,
    /// Files at the root of the scored folder.
    pub root_files: Vec<String>,
    /// Path of the README.
    pub readme_path: String,
    /// First part of the README, without badges and HTML.
    pub lead: String,
    /// The README's first sentence that says what the project is; empty for none.
    pub tagline: String,
    /// First code blocks of the README.
    pub blocks: Vec<String>,
    /// Modules and packages of the repository that the README's first code imports.
    pub imports: Vec<String>,
    /// Folders of the packages that the README installs, when they are parts of the repository; empty for none.
    pub lead_folders: Vec<String>,
    /// What the manifest at the root ships, as paths from the repository's root; empty where it does not tell.
    pub shipped: Vec<String>,
    /// Names that open an item of a list, table or heading of the README.
    pub listed: BTreeSet<String>,
}

impl Project {
    /// Reads `kept` texts (path to content) of manifests and READMEs; `paths` are all files of the snapshot, `linked`
    /// is the README that the root links to, if it does.
    pub fn read(
        name: &str,
        repository: &str,
        subpath: &str,
        kept: &BTreeMap<String, String>,
        paths: &[String],
        linked: Option<&str>,
    ) -> Self {
        let mut project = Self {
            name: name.to_owned(),
            repository: repository.to_lowercase(),
            subpath: subpath.to_owned(),
            root_files: at_root(paths, subpath),
            ..Self::default()
        };
        let packages = project.read_manifests(kept, subpath);
        project.shipped = shipped_below(subpath, kept, paths);
        project.read_readme(kept, subpath, linked);
        if let Some(readme) = kept.get(&project.readme_path) {
            project.lead_folders = lead_folders(&packages, subpath, readme);
            project.listed = listed_names(readme);
            project.imports = imported(&project.blocks, &packages, paths);
        }
        project
    }

    /// Folder and name of each package.
    fn read_manifests(
        &mut self,
        kept: &BTreeMap<String, String>,
        subpath: &str,
    ) -> Vec<(String, String)> {
        let mut packages = Vec::new();
        let mut manifests: Vec<(&String, &String)> = kept
            .iter()
            .filter(|(path, _)| is_within(path, subpath))
            .collect();
        manifests.sort_by_key(|(path, _)| (path.matches('/').count(), (*path).clone()));
        let mut dependencies = BTreeSet::new();
        let mut nearest = None;
        for (path, text) in manifests {
            let manifest = Manifest::read(path, text);
            let depth = path.matches('/').count();
            if let Some(name) = manifest.name {
                packages.push((folder(path).to_owned(), name.clone()));
                if *nearest.get_or_insert(depth) != depth {
                    dependencies.extend(manifest.dependencies);
                    continue;
                }
                self.packages.push(name);
                if is_at_root(path, subpath) {
                    let own = manifest.description.filter(|d| tagline::says_something(d));
                    self.description = self.description.take().or(own);
                }
            }
            dependencies.extend(manifest.dependencies);
        }
        self.dependencies = dependencies.into_iter().collect();
        packages
    }

    fn read_readme(
        &mut self,
        kept: &BTreeMap<String, String>,
        subpath: &str,
        linked: Option<&str>,
    ) {
        let depth = |path: &str| path.matches('/').count();
        let in_scope = |path: &&String| is_within(path, subpath) || !path.contains('/');
        let rank = |path: &String| {
            (
                linked != Some(path),
                !is_within(path, subpath),
                depth(path),
                !path.ends_with("README.md"),
                path.clone(),
            )
        };
        let Some(path) = kept
            .keys()
            .filter(|p| is_readme(p))
            .filter(in_scope)
            .min_by_key(|p| rank(p))
        else {
            return;
        };
        let text = &kept[path];
        self.readme_path = path.clone();
        self.lead = plain_lead(text);
        self.tagline = tagline::tagline(&without_markup(text));
        self.blocks = code_blocks(text);
    }

    /// The variable `project` of expressions.
    pub fn value(&self) -> Value {
        Value::from_pairs(BTreeMap::from([
            ("name", Value::from(&self.name)),
            ("repository", Value::from(&self.repository)),
            ("subpath", Value::from(&self.subpath)),
            ("packages", Value::from(self.packages.clone())),
            (
                "description",
                Value::from(self.description.clone().unwrap_or_default()),
            ),
            ("dependencies", Value::from(self.dependencies.clone())),
            ("root_files", Value::from(self.root_files.clone())),
        ]))
    }

    /// The variable `readme` of expressions.
    pub fn readme_value(&self) -> Value {
        Value::from_pairs(BTreeMap::from([
            ("path", Value::from(&self.readme_path)),
            ("lead", Value::from(&self.lead)),
            ("blocks", Value::from(self.blocks.clone())),
            ("imports", Value::from(self.imports.clone())),
        ]))
    }
}

/// Whether the scan has to keep the text of the file at `path` for [`Project::read`].
pub fn is_kept(path: &str) -> bool {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    is_readme(path)
        || matches!(
            name,
            "package.json"
                | "pyproject.toml"
                | "Cargo.toml"
                | "go.mod"
                | "setup.py"
                | "requirements.txt"
        )
}

/// What the Python manifest in the folder `root` ships, from the repository's root.
fn shipped_below(root: &str, kept: &BTreeMap<String, String>, paths: &[String]) -> Vec<String> {
    let prefix = if root.is_empty() {
        String::new()
    } else {
        format!("{root}/")
    };
    let Some(manifest) = kept.get(&format!("{prefix}pyproject.toml")) else {
        return Vec::new();
    };
    let below: Vec<&str> = paths
        .iter()
        .filter_map(|path| path.strip_prefix(&prefix))
        .collect();
    let shipped = shipped(manifest, &below);
    shipped
        .into_iter()
        .map(|path| format!("{prefix}{path}"))
        .collect()
}

/// Whether the file at `path` is called a README.
pub fn is_readme(path: &str) -> bool {
    let name = path
        .rsplit_once('/')
        .map_or(path, |(_, name)| name)
        .to_ascii_lowercase();
    name == "readme.md" || name == "readme.rst" || name == "readme" || name == "readme.txt"
}

/// Whether the file at `path` lies in the folder `subpath` itself: a manifest or README of a part says what the part is,
/// not what the project is.
pub fn is_at_root(path: &str, subpath: &str) -> bool {
    folder(path) == subpath
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn at_root(paths: &[String], subpath: &str) -> Vec<String> {
    let inside = |path: &String| match subpath {
        "" => Some(path.clone()),
        subpath => path
            .strip_prefix(subpath)?
            .strip_prefix('/')
            .map(str::to_owned),
    };
    paths
        .iter()
        .filter_map(inside)
        .filter(|p| !p.contains('/'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_name_packages_and_dependencies() {
        let kept = BTreeMap::from([
            ("pyproject.toml".to_owned(), "[project]\nname = \"my-mcp\"\ndependencies = [\"mcp>=1\", \"httpx[http2]\"]\n".to_owned()),
            ("ui/package.json".to_owned(), "{\"name\":\"ui\",\"dependencies\":{\"react\":\"1\"}}".to_owned()),
            ("README.md".to_owned(), "[![b](x)](y)\n<p align=center>\n# My MCP\nA [server](z) that lists what is in the house. And more.\n```sh\nuvx my-mcp\n```\n".to_owned()),
        ]);
        let project = Project::read(
            "My MCP",
            "O/My-MCP",
            "",
            &kept,
            &["README.md".to_owned(), "src/x.py".to_owned()],
            None,
        );
        assert_eq!(project.packages, ["my-mcp"]);
        assert_eq!(project.dependencies, ["httpx", "mcp", "react"]);
        assert_eq!(
            project.lead,
            "# My MCP A server that lists what is in the house. And more."
        );
        assert_eq!(project.tagline, "A server that lists what is in the house");
        assert_eq!(project.blocks, ["uvx my-mcp\n"]);
        assert_eq!(project.root_files, ["README.md"]);
    }
}

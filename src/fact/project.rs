//! What the project says of itself: manifests and the README.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use minijinja::value::Value;
use regex::Regex;

use super::lead::lead_folders;
use super::listed::listed_names;

/// Length of the README's lead, in characters.
const LEAD: usize = 2_500;
/// Shorter lines of the README are navigation, not prose.
const SHORTEST_LINE: usize = 20;
/// Number of code blocks kept.
const BLOCKS: usize = 8;

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
    /// One-line description of a manifest at the root.
    pub description: Option<String>,
    /// Names of all declared dependencies.
    pub dependencies: Vec<String>,
    /// Files at the root of the scored folder.
    pub root_files: Vec<String>,
    /// Path of the README.
    pub readme_path: String,
    /// First part of the README, without badges and HTML.
    pub lead: String,
    /// First sentence of the README that is no heading; empty for none.
    pub tagline: String,
    /// First code blocks of the README.
    pub blocks: Vec<String>,
    /// Folders of the packages that the README installs, when they are parts of the repository; empty for none.
    pub lead_folders: Vec<String>,
    /// Names that open an item of a list, table or heading of the README.
    pub listed: BTreeSet<String>,
}

impl Project {
    /// Reads `kept` texts (path to content) of manifests and READMEs; `paths` are all files of the snapshot.
    pub fn read(
        name: &str,
        repository: &str,
        subpath: &str,
        kept: &BTreeMap<String, String>,
        paths: &[String],
    ) -> Self {
        let mut project = Self {
            name: name.to_owned(),
            repository: repository.to_lowercase(),
            subpath: subpath.to_owned(),
            root_files: at_root(paths, subpath),
            ..Self::default()
        };
        let packages = project.read_manifests(kept, subpath);
        project.read_readme(kept, subpath);
        if let Some(readme) = kept.get(&project.readme_path) {
            project.lead_folders = lead_folders(&packages, subpath, readme);
            project.listed = listed_names(readme);
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
            .filter(|(path, _)| within(path, subpath))
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
                    self.description = self.description.take().or(manifest.description);
                }
            }
            dependencies.extend(manifest.dependencies);
        }
        self.dependencies = dependencies.into_iter().collect();
        packages
    }

    fn read_readme(&mut self, kept: &BTreeMap<String, String>, subpath: &str) {
        let depth = |path: &str| path.matches('/').count();
        let in_scope = |path: &&String| within(path, subpath) || !path.contains('/');
        let rank = |path: &String| {
            (
                !within(path, subpath),
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
        self.tagline = tagline(text);
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

fn is_readme(path: &str) -> bool {
    let name = path
        .rsplit_once('/')
        .map_or(path, |(_, name)| name)
        .to_ascii_lowercase();
    name == "readme.md" || name == "readme.rst" || name == "readme" || name == "readme.txt"
}

fn within(path: &str, subpath: &str) -> bool {
    subpath.is_empty()
        || path
            .strip_prefix(subpath)
            .is_some_and(|rest| rest.starts_with('/'))
}

/// A manifest of a part says what the part is, not what the project is.
fn is_at_root(path: &str, subpath: &str) -> bool {
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

#[derive(Default)]
struct Manifest {
    name: Option<String>,
    description: Option<String>,
    dependencies: Vec<String>,
}

impl Manifest {
    fn read(path: &str, text: &str) -> Self {
        match path.rsplit_once('/').map_or(path, |(_, name)| name) {
            "package.json" => Self::package_json(text).unwrap_or_default(),
            "pyproject.toml" => Self::pyproject(text).unwrap_or_default(),
            "Cargo.toml" => Self::cargo(text).unwrap_or_default(),
            "go.mod" => Self::go_mod(text),
            "requirements.txt" => Self {
                dependencies: text.lines().filter_map(requirement).collect(),
                ..Self::default()
            },
            "setup.py" => Self {
                dependencies: quoted_requirements(text),
                ..Self::default()
            },
            _ => Self::default(),
        }
    }

    fn package_json(text: &str) -> Option<Self> {
        let json: serde_json::Value = serde_json::from_str(text).ok()?;
        let keys = |field: &str| {
            json[field]
                .as_object()
                .map(|o| o.keys().cloned().collect::<Vec<_>>())
                .unwrap_or_default()
        };
        Some(Self {
            name: json["name"].as_str().map(str::to_owned),
            description: json["description"].as_str().map(str::to_owned),
            dependencies: [
                keys("dependencies"),
                keys("devDependencies"),
                keys("peerDependencies"),
            ]
            .concat(),
        })
    }

    fn pyproject(text: &str) -> Option<Self> {
        let table: toml::Table = toml::from_str(text).ok()?;
        let project = table.get("project");
        let poetry = table.get("tool").and_then(|t| t.get("poetry"));
        let word = |field: &str| {
            project
                .and_then(|p| p.get(field))
                .or_else(|| poetry?.get(field))?
                .as_str()
                .map(str::to_owned)
        };
        let listed = project
            .and_then(|p| p.get("dependencies"))
            .and_then(|d| d.as_array());
        let mut dependencies: Vec<String> = listed
            .into_iter()
            .flatten()
            .filter_map(|d| requirement(d.as_str()?))
            .collect();
        let poetry_names = poetry
            .and_then(|p| p.get("dependencies"))
            .and_then(|d| d.as_table());
        dependencies.extend(poetry_names.into_iter().flat_map(|t| t.keys().cloned()));
        let optional = project
            .and_then(|p| p.get("optional-dependencies"))
            .and_then(|d| d.as_table());
        let extras = optional
            .into_iter()
            .flat_map(|t| t.values())
            .filter_map(|v| v.as_array())
            .flatten();
        dependencies.extend(extras.filter_map(|d| requirement(d.as_str()?)));
        Some(Self {
            name: word("name"),
            description: word("description"),
            dependencies,
        })
    }

    fn cargo(text: &str) -> Option<Self> {
        let table: toml::Table = toml::from_str(text).ok()?;
        let word = |field: &str| {
            table
                .get("package")?
                .get(field)?
                .as_str()
                .map(str::to_owned)
        };
        let direct = table.get("dependencies").and_then(|d| d.as_table());
        let shared = table
            .get("workspace")
            .and_then(|w| w.get("dependencies"))
            .and_then(|d| d.as_table());
        let dependencies = direct
            .into_iter()
            .chain(shared)
            .flat_map(|t| t.keys().cloned())
            .collect();
        Some(Self {
            name: word("name"),
            description: word("description"),
            dependencies,
        })
    }

    fn go_mod(text: &str) -> Self {
        let name = text
            .lines()
            .find_map(|line| line.strip_prefix("module "))
            .map(|m| m.trim().to_owned());
        let required = text
            .lines()
            .map(|l| l.trim().trim_start_matches("require ").trim());
        let dependencies = required
            .filter_map(|line| line.split_once(" v"))
            .map(|(module, _)| module.trim().to_owned())
            .filter(|module| module.contains('.') && !module.contains(' '))
            .collect();
        Self {
            name,
            description: None,
            dependencies,
        }
    }
}

/// `requests[socks]>=2; python_version > "3.8"` names `requests`.
fn requirement(line: &str) -> Option<String> {
    let name: String = line
        .trim()
        .chars()
        .take_while(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
        .collect();
    (!name.is_empty()).then(|| name.to_lowercase())
}

static QUOTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"["']([A-Za-z][\w.-]{1,60})(?:\[[^\]]*\])?\s*(?:[<>=~!][^"']*)?["']"#).ok()
});

fn quoted_requirements(text: &str) -> Vec<String> {
    let Some(quoted) = QUOTED.as_ref() else {
        return Vec::new();
    };
    quoted
        .captures_iter(text)
        .map(|c| c[1].to_lowercase())
        .collect()
}

static NOISE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?s)<!--.*?-->|<[^>]{0,400}>|!\[[^\]]*\]\([^)]*\)|\[\s*\]\([^)]*\)|```.*?```").ok()
});
static LINK: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\[([^\]]*)\]\([^)]*\)").ok());

/// The text without badges, images, HTML and code blocks; link texts without their targets.
fn without_markup(head: &str) -> String {
    let without_noise = NOISE.as_ref().map_or(head.to_owned(), |noise| {
        noise.replace_all(head, " ").into_owned()
    });
    LINK.as_ref().map_or(without_noise.clone(), |link| {
        link.replace_all(&without_noise, "$1").into_owned()
    })
}

/// The README's words: no badges, images, HTML or code blocks; link texts without their targets.
fn plain_lead(text: &str) -> String {
    let head: String = text.chars().take(LEAD * 8).collect();
    let clean = without_markup(&head);
    let words = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(LEAD).collect()
}

/// The first line of prose, up to the end of its sentence.
fn tagline(text: &str) -> String {
    let head: String = text.chars().take(LEAD * 2).collect();
    let clean = without_markup(&head);
    let prose = |line: &&str| {
        line.len() >= SHORTEST_LINE
            && !line.starts_with(['#', '>', '|', '-', '*', '[', '=', ':', '.'])
    };
    let line = clean.lines().map(str::trim).find(prose).unwrap_or_default();
    line.split(". ").next().unwrap_or_default().to_owned()
}

fn code_blocks(text: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<String> = None;
    for line in text.lines() {
        match (&mut open, line.trim_start().starts_with("```")) {
            (None, true) => open = Some(String::new()),
            (Some(_), true) => blocks.extend(open.take()),
            (Some(block), false) => {
                block.push_str(line);
                block.push('\n');
            }
            (None, false) => {}
        }
        if blocks.len() == BLOCKS {
            break;
        }
    }
    blocks
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

    #[test]
    fn go_modules() {
        let manifest =
            Manifest::go_mod("module example.com/x\n\nrequire (\n\tgithub.com/a/b v1.2.3\n)\n");
        assert_eq!(manifest.name.as_deref(), Some("example.com/x"));
        assert_eq!(manifest.dependencies, ["github.com/a/b"]);
    }
}

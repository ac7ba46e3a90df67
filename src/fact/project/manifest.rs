//! Manifests of packages: name, description, dependencies.

use std::sync::LazyLock;

use regex::Regex;

/// What one manifest says.
#[derive(Default)]
pub(super) struct Manifest {
    /// Name of the package.
    pub(super) name: Option<String>,
    /// Its one-line description.
    pub(super) description: Option<String>,
    /// Names of the packages that it depends on.
    pub(super) dependencies: Vec<String>,
}

impl Manifest {
    /// Reads the manifest at `path`; one that cannot be read says nothing.
    pub(super) fn read(path: &str, text: &str) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_modules() {
        let manifest =
            Manifest::go_mod("module example.com/x\n\nrequire (\n\tgithub.com/a/b v1.2.3\n)\n");
        assert_eq!(manifest.name.as_deref(), Some("example.com/x"));
        assert_eq!(manifest.dependencies, ["github.com/a/b"]);
    }
}

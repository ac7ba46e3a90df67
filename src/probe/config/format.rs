//! Which syntax a configuration file has, by its name.

/// A syntax that [`flatten`](super::flatten) reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// YAML 1.2, one or several documents.
    Yaml,
    /// TOML 1.
    Toml,
    /// JSON, also with comments and trailing commas.
    Json,
    /// `NAME=value` lines.
    Env,
    /// Dockerfile and Containerfile.
    Dockerfile,
}

/// Endings of a template that is copied to make the file itself: `config.yaml.example`.
const TEMPLATE_ENDINGS: [&str; 6] = [
    ".example",
    ".sample",
    ".template",
    ".tmpl",
    ".dist",
    ".default",
];

impl Format {
    /// The syntax of the file at `path`; `None` when its name is of no syntax that is read.
    pub fn of(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        let stem = without_template_endings(&name);
        match stem.rsplit_once('.').map(|(_, extension)| extension) {
            Some("yaml" | "yml") => return Some(Self::Yaml),
            Some("toml") => return Some(Self::Toml),
            Some("json" | "jsonc" | "json5" | "code-workspace") => return Some(Self::Json),
            _ => {}
        }
        if is_dockerfile(&name) {
            Some(Self::Dockerfile)
        } else if is_env(stem) {
            Some(Self::Env)
        } else {
            None
        }
    }
}

fn without_template_endings(name: &str) -> &str {
    let mut stem = name;
    while let Some(shorter) = TEMPLATE_ENDINGS.iter().find_map(|e| stem.strip_suffix(e)) {
        stem = shorter;
    }
    stem
}

fn is_dockerfile(name: &str) -> bool {
    let named = |base: &str| {
        name.strip_prefix(base)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let other = [".md", ".mdx", ".dockerignore"]
        .iter()
        .any(|ending| name.ends_with(ending));
    !other && (named("dockerfile") || named("containerfile") || name.ends_with(".dockerfile"))
}

/// `.env`, `.env.local`, `.env_template`, `.envrc`, `web.env`, and `env.example` without its ending.
fn is_env(stem: &str) -> bool {
    let variant = |rest: &str| rest.is_empty() || rest.starts_with(['.', '_', '-']) || rest == "rc";
    let code = [".ts", ".js", ".mjs", ".cjs", ".py", ".sh", ".md"]
        .iter()
        .any(|e| stem.ends_with(e));
    !code
        && (stem.strip_prefix(".env").is_some_and(variant)
            || stem.ends_with(".env")
            || stem == "env")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inventory::InventoryRules;

    const CASES: [(&str, Option<Format>); 25] = [
        ("deploy/compose.yaml", Some(Format::Yaml)),
        ("config.yml.example", Some(Format::Yaml)),
        ("conf/agent.toml.sample", Some(Format::Toml)),
        ("package.json", Some(Format::Json)),
        (".vscode/settings.jsonc", Some(Format::Json)),
        (".env", Some(Format::Env)),
        (".env.example", Some(Format::Env)),
        (".env.production.local", Some(Format::Env)),
        (".env_template", Some(Format::Env)),
        ("env.example", Some(Format::Env)),
        ("docker/web.env", Some(Format::Env)),
        ("docker/web.env.example", Some(Format::Env)),
        (".envrc", Some(Format::Env)),
        ("Dockerfile", Some(Format::Dockerfile)),
        ("docker/Dockerfile.gpu", Some(Format::Dockerfile)),
        ("sandbox.Dockerfile", Some(Format::Dockerfile)),
        ("Containerfile", Some(Format::Dockerfile)),
        (".dockerignore", None),
        ("Dockerfile.gpu.dockerignore", None),
        ("docs/Dockerfile.md", None),
        ("Dockerfiles/readme", None),
        ("src/env.ts", None),
        ("src/.env.d.ts", None),
        ("environment", None),
        ("main.py", None),
    ];

    #[test]
    fn names_decide() {
        for (path, expected) in CASES {
            assert_eq!(Format::of(path), expected, "{path}");
        }
    }

    #[test]
    fn the_inventory_gives_the_same_languages() {
        let text = include_str!("../../../rubric/inventory.toml");
        let rules = InventoryRules::parse(text).unwrap();
        for (path, format) in CASES {
            let name = path.rsplit('/').next().unwrap();
            let language = rules.languages.of_file(name);
            let expected = match format {
                Some(Format::Yaml) => "yaml",
                Some(Format::Toml) => "toml",
                Some(Format::Json) => "json",
                Some(Format::Env) => "env",
                Some(Format::Dockerfile) => "dockerfile",
                None => continue,
            };
            assert_eq!(language.map(|l| l.name.as_str()), Some(expected), "{path}");
        }
    }
}

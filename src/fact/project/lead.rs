//! The lead packages of a repository of several: those that the README tells its reader to install.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

/// A command that installs or starts a package, up to the first package it names.
static INSTALL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?x)\b(?: pip3?\ install | uv\ (?:pip\ install|add|tool\ install) | pipx\ (?:install|run) | uvx | npx | bunx
        | npm\ (?:i|install) | pnpm\ (?:add|dlx) | yarn\ add | bun\ add | cargo\ install | poetry\ add )
        (?:\ +--?[\w-]+)* \ +["']?(@?[\w][\w./-]*)"#,
    )
    .ok()
});

/// Folders of the packages that `readme` installs by a name of `packages` (folder and name of each manifest). Empty
/// when one of them is the scored folder itself (`root`), or when none is named: then no package leads.
pub(super) fn lead_folders(packages: &[(String, String)], root: &str, readme: &str) -> Vec<String> {
    let mut folders_of: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (folder, name) in packages {
        folders_of.entry(normal(name)).or_default().push(folder);
    }
    let mut lead: Vec<String> = Vec::new();
    let installed = INSTALL.iter().flat_map(|r| r.captures_iter(readme));
    for name in installed.map(|c| normal(&c[1])) {
        for folder in folders_of.get(&name).into_iter().flatten() {
            if *folder == root {
                return Vec::new();
            }
            if !lead.iter().any(|l| l == folder) {
                lead.push((*folder).to_owned());
            }
        }
    }
    lead
}

/// Package indexes treat these as one name.
fn normal(name: &str) -> String {
    name.to_lowercase().replace('_', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packages() -> Vec<(String, String)> {
        [
            ("libs/deep", "deep_thing"),
            ("libs/code", "deep-code"),
            ("ui", "@deep/ui"),
        ]
        .map(|(folder, name)| (folder.to_owned(), name.to_owned()))
        .to_vec()
    }

    #[test]
    fn the_package_that_the_readme_installs_leads() {
        let readme = "```sh\npip install -U \"deep-thing[all]\"\n```\n";
        assert_eq!(lead_folders(&packages(), "", readme), ["libs/deep"]);
        assert_eq!(
            lead_folders(&packages(), "", "npx -y @deep/ui@latest"),
            ["ui"]
        );
    }

    #[test]
    fn none_leads_when_the_root_is_installed_or_nothing_is_named() {
        let mut with_root = packages();
        with_root.push((String::new(), "deep".to_owned()));
        let readme = "pip install deep-thing; pip install deep";
        assert!(lead_folders(&with_root, "", readme).is_empty());
        assert!(lead_folders(&packages(), "", "git clone x; pip install -e .").is_empty());
    }
}

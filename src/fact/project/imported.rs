//! Whether the README's code imports what the repository itself holds: a reader is shown a library then.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

/// Code blocks of the README that are looked at: later ones show details, such as how tests import the program.
const BLOCKS: usize = 5;

/// Folders of Python modules that are no part of what is installed.
const NOT_SHIPPED: [&str; 6] = ["test", "tests", "example", "examples", "scripts", "docs"];

/// An import: a Python module, the quoted source of a JavaScript or Go import, or a Rust crate.
static IMPORT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?xm) ^\s*(?:from|import)\s+(?<module>[A-Za-z_]\w*) (?:\s*$|[.,]|\s+(?:import|as)\b)
        | (?:\bfrom|\brequire\(|\bimport\(|^\s*import)\s*["'](?<source>[@\w][^"'\s]*)["']
        | ^\s*(?:import\s+|[\w.]+\s+)?"(?<go>[\w-]+\.[\w.-]+/[^"\s]*)"\s*$
        | ^\s*use\s+(?<krate>\w+)::"#,
    )
    .ok()
});

/// Names of modules and packages of the repository that the first of `blocks` import, sorted. `packages` are the
/// folder and name of each manifest, `paths` all files of the snapshot.
pub(super) fn imported(
    blocks: &[String],
    packages: &[(String, String)],
    paths: &[String],
) -> Vec<String> {
    let modules = python_modules(paths);
    let own_module = |name: &str| modules.contains(name).then(|| name.to_owned());
    let own_source = |source: &str| {
        let names = packages.iter().map(|(_, name)| name);
        names
            .filter(|name| {
                source
                    .strip_prefix(name.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
            .max_by_key(|name| name.len())
            .cloned()
    };
    let own_crate = |krate: &str| {
        let names = packages.iter().map(|(_, name)| name);
        names
            .filter(|name| name.replace('-', "_") == krate)
            .min()
            .cloned()
    };
    let mut own = BTreeSet::new();
    for block in blocks.iter().take(BLOCKS) {
        for import in IMPORT.iter().flat_map(|r| r.captures_iter(block)) {
            let group = |name| import.name(name).map(|m| m.as_str());
            own.extend(group("module").and_then(own_module));
            own.extend(group("source").or(group("go")).and_then(own_source));
            own.extend(group("krate").and_then(own_crate));
        }
    }
    own.into_iter().collect()
}

/// Folders with an `__init__.py` whose parent has none: what Python code can import by name.
fn python_modules(paths: &[String]) -> BTreeSet<&str> {
    let folders: BTreeSet<&str> = paths
        .iter()
        .filter_map(|path| path.strip_suffix("/__init__.py"))
        .collect();
    let parts = folders
        .iter()
        .map(|folder| folder.rsplit_once('/').unwrap_or(("", folder)));
    parts
        .filter(|(parent, name)| !folders.contains(parent) && !NOT_SHIPPED.contains(name))
        .map(|(_, name)| name)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(block: &str) -> Vec<String> {
        let packages = [
            ("packages/kit", "@acme/kit"),
            ("", "github.com/acme/tide"),
            ("crates/reef", "reef-core"),
        ]
        .map(|(folder, name)| (folder.to_owned(), name.to_owned()));
        let paths = [
            "src/coral/__init__.py",
            "src/coral/sub/__init__.py",
            "tests/__init__.py",
            "README.md",
        ]
        .map(str::to_owned);
        imported(&[block.to_owned()], &packages, &paths)
    }

    #[test]
    fn imports_of_the_own_packages_are_found_in_each_language() {
        assert_eq!(of("import os\nfrom coral.lm import Model\n"), ["coral"]);
        assert_eq!(
            of("import {\n  Agent,\n} from \"@acme/kit/server\";\n"),
            ["@acme/kit"]
        );
        assert_eq!(
            of("import (\n\t\"fmt\"\n\tt \"github.com/acme/tide/tools\"\n)\n"),
            ["github.com/acme/tide"]
        );
        assert_eq!(of("use reef_core::Agent;\n"), ["reef-core"]);
    }

    #[test]
    fn what_is_not_the_own_is_no_import() {
        for other in [
            "from sub import x",
            "from tests import x",
            "import x from \"@acme/kitchen\"",
            "import y from \"./coral\"",
            "\"args\": [\n  \"-y\",\n  \"@acme/kit\"\n]",
            "pip install coral",
            "use tokio::main;",
        ] {
            assert!(of(other).is_empty(), "{other}");
        }
    }
}

//! What a Python package ships: the folders and modules that its manifest names, or that its build tool takes by the
//! package's name. Scripts, diagnostics and benchmarks beside them reach no user.

use std::collections::BTreeSet;

use toml::{Table, Value};

/// Paths, below the folder of the manifest `text`, of what is shipped and is there among `paths` (files, from that
/// folder). Empty where the manifest does not tell.
pub(super) fn shipped(text: &str, paths: &[&str]) -> Vec<String> {
    let Ok(table) = toml::from_str::<Table>(text) else {
        return Vec::new();
    };
    let is_there = |name: &String| {
        let below = format!("{name}/");
        paths
            .iter()
            .any(|path| *path == name || path.starts_with(&below))
    };
    let mut named: BTreeSet<String> = named(&table).into_iter().filter(&is_there).collect();
    if named.is_empty() {
        let name = package(&table).replace('-', "_").to_lowercase();
        let usual = [format!("src/{name}"), name.clone()];
        named = usual
            .into_iter()
            .filter(|folder| paths.contains(&format!("{folder}/__init__.py").as_str()))
            .collect();
    }
    if !named.is_empty() {
        let modules = paths
            .iter()
            .filter(|path| path.ends_with(".py") && !path.contains('/'));
        named.extend(modules.map(|path| (*path).to_owned()));
    }
    named.into_iter().collect()
}

fn package(table: &Table) -> &str {
    let name = at(table, &["project", "name"]).or_else(|| at(table, &["tool", "poetry", "name"]));
    name.and_then(Value::as_str).unwrap_or_default()
}

/// What the settings of the build tools name, as paths.
fn named(table: &Table) -> Vec<String> {
    let texts = |path: &[&str]| -> Vec<String> {
        let found = at(table, path);
        let list = found.and_then(Value::as_array);
        let one = found.and_then(Value::as_str).into_iter();
        let many = list.into_iter().flatten().filter_map(Value::as_str);
        one.chain(many).map(str::to_owned).collect()
    };
    let setuptools = |rest: &[&str]| texts(&[&["tool", "setuptools"], rest].concat());
    let root = setuptools(&["package-dir", ""]).pop().unwrap_or_default();
    let within = |root: &str, module: &str| join(root, &module.replace('.', "/"));
    let mut all: Vec<String> = setuptools(&["packages"])
        .iter()
        .map(|module| within(&root, module))
        .collect();
    let folders = setuptools(&["packages", "find", "where"]);
    let modules = setuptools(&["packages", "find", "include"]);
    let first = folders.first().unwrap_or(&root);
    all.extend(modules.iter().map(|module| within(first, module)));
    if modules.is_empty() {
        all.extend(folders);
    }
    for key in ["packages", "only-include", "include"] {
        all.extend(texts(&["tool", "hatch", "build", "targets", "wheel", key]));
    }
    all.extend(poetry(table));
    all.into_iter().filter_map(|path| tidy(&path)).collect()
}

/// `packages = [{ include = "x", from = "src" }]`.
fn poetry(table: &Table) -> Vec<String> {
    let packages = at(table, &["tool", "poetry", "packages"]).and_then(Value::as_array);
    let packages = packages.into_iter().flatten().filter_map(Value::as_table);
    packages
        .filter_map(|package| {
            let word = |key: &str| package.get(key).and_then(Value::as_str);
            Some(join(word("from").unwrap_or_default(), word("include")?))
        })
        .collect()
}

fn at<'t>(table: &'t Table, path: &[&str]) -> Option<&'t Value> {
    let (first, rest) = path.split_first()?;
    rest.iter()
        .try_fold(table.get(*first)?, |value, key| value.as_table()?.get(*key))
}

fn join(root: &str, path: &str) -> String {
    format!("{root}/{path}")
}

/// The path without `.`, trailing wildcards and doubled slashes; none when nothing is left of it or it leads out.
fn tidy(path: &str) -> Option<String> {
    let parts: Vec<&str> = path
        .split('/')
        .map(|part| part.trim_end_matches('*'))
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    let inside = !parts.is_empty() && !parts.contains(&"..");
    inside.then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATHS: [&str; 6] = [
        "src/acme/__init__.py",
        "src/acme/tools.py",
        "acme_cli/__init__.py",
        "diagnostics/probe.py",
        "main.py",
        "README.md",
    ];

    fn of(text: &str) -> Vec<String> {
        shipped(text, &PATHS)
    }

    #[test]
    fn each_build_tool_names_what_it_ships() {
        for text in [
            "[tool.setuptools.packages.find]\nwhere = [\"src\"]\ninclude = [\"acme*\"]\n",
            "[tool.setuptools]\npackages = [\"acme\", \"acme.sub\"]\npackage-dir = {\"\" = \"src\"}\n",
            "[tool.hatch.build.targets.wheel]\npackages = [\"./src/acme/\"]\n",
            "[tool.poetry]\nname = \"x\"\npackages = [{ include = \"acme/**/*\", from = \"src\" }]\n",
            "[project]\nname = \"acme\"\n",
        ] {
            assert_eq!(of(text), ["main.py", "src/acme"], "{text}");
        }
        let folder = "[tool.setuptools.packages.find]\nwhere = [\"src\"]\n";
        assert_eq!(of(folder), ["main.py", "src"]);
        assert_eq!(
            of("[project]\nname = \"Acme-CLI\"\n"),
            ["acme_cli", "main.py"]
        );
    }

    #[test]
    fn nothing_is_said_where_the_manifest_does_not_tell() {
        for text in [
            "[project]\nname = \"other\"\n",
            "[tool.hatch.build.targets.wheel]\npackages = [\"../else\", \"gone\"]\n",
            "not toml [",
        ] {
            assert!(of(text).is_empty(), "{text}");
        }
    }
}

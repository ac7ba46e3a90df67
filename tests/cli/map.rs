//! What a repository is taken for, and which of its folders run tools.

use std::os::unix::fs::symlink;

use serde_json::Value;

use crate::support::{AGENT, Repo, audit_in, told};

/// The boundary map of `repo`.
fn map(repo: &Repo) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["map", repo.path().to_str().unwrap(), "--json", "--quiet"];
    let (stdout, stderr, code) = told(&audit_in(folder.path(), &arguments));
    assert_eq!((stderr.as_str(), code), ("", 0));
    serde_json::from_str(&stdout).unwrap()
}

/// The small agent with other files beside it, or in place of its own.
fn agent_with(files: &[(&'static str, &'static str)]) -> Repo {
    let others = AGENT
        .iter()
        .filter(|(path, _)| !files.iter().any(|(other, _)| other == path));
    let all: Vec<(&str, &str)> = others.chain(files).copied().collect();
    Repo::of(&all)
}

#[test]
fn a_readme_that_the_root_links_to_says_what_the_project_is() {
    let library =
        "# Tiny\n\nWrite loops that call tools.\n\n```python\nfrom tiny.loop import run\n```\n";
    let repo = agent_with(&[
        ("README.md", "placeholder"),
        ("docs/kit/README.md", library),
    ]);
    assert_eq!(map(&repo)["kind"], "agent");
    let readme = repo.path().join("README.md");
    std::fs::remove_file(&readme).unwrap();
    symlink("docs/kit/README.md", &readme).unwrap();
    std::fs::write(repo.path().join("tiny/__init__.py"), "").unwrap();
    repo.commit_all("linked");
    assert_eq!(map(&repo)["kind"], "framework");
}

#[test]
fn what_the_manifest_does_not_ship_is_no_core() {
    let loop_text = AGENT[2].1;
    let beside = [("tiny/__init__.py", ""), ("probes/loop.py", loop_text)];
    let core = map(&agent_with(&beside))["core"].to_string();
    assert!(core.contains("tiny") && !core.contains("probes"), "{core}");
    let unnamed = [
        (
            "pyproject.toml",
            "[project]\nname = \"other\"\ndependencies = [\"openai\"]\n",
        ),
        ("probes/loop.py", loop_text),
    ];
    let core = map(&agent_with(&unnamed))["core"].to_string();
    assert!(core.contains("probes"), "{core}");
}

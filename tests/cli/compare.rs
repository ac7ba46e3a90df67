//! Two cards of one project side by side.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{AGENT, Repo, audit_in, told};

/// Audits the repository as it is committed and returns the path of its scorecard.
fn card(repo: &Repo, folder: &Path, name: &str) -> PathBuf {
    let out = folder.join(name);
    let arguments = [".", "--out", out.to_str().unwrap(), "--quiet"];
    let (_, stderr, code) = told(&audit_in(repo.path(), &arguments));
    assert_eq!(code, 0, "{stderr}");
    out.join("scorecard.json")
}

fn commit(repo: &Repo, file: &str, text: &str) {
    fs::write(repo.path().join(file), text).unwrap();
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "change"]);
}

#[test]
fn moved_lines_are_no_change_and_a_lost_control_is_a_regression() {
    let folder = tempfile::tempdir().unwrap();
    let repo = Repo::of(AGENT);
    let shell = fs::read_to_string(repo.path().join("tiny/shell.py")).unwrap();
    let first = card(&repo, folder.path(), "first");
    commit(&repo, "tiny/shell.py", &format!("\n\n\n{shell}"));
    let moved = card(&repo, folder.path(), "moved");
    let looped = fs::read_to_string(repo.path().join("tiny/loop.py")).unwrap();
    let harmless = looped
        .replace("\"bash\"", "\"repeat\"")
        .replace("Run a shell command", "Repeat a text")
        .replace("\"command\"", "\"text\"")
        .replace("the command to run", "what to repeat");
    fs::write(repo.path().join("tiny/loop.py"), harmless).unwrap();
    let repeat = "def run_command(text: str) -> str:\n    return text\n";
    commit(&repo, "tiny/shell.py", repeat);
    let without = card(&repo, folder.path(), "without");

    let compare = |old: &Path, new: &Path, more: &[&str]| {
        let mut arguments = vec!["compare", old.to_str().unwrap(), new.to_str().unwrap()];
        arguments.extend(more);
        told(&audit_in(folder.path(), &arguments))
    };
    let (text, _, code) = compare(&first, &moved, &["--fail-on", "any"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("nothing changed"), "{text}");

    let (text, _, code) = compare(&without, &first, &["--fail-on", "regression"]);
    assert_eq!(code, 4, "{text}");
    assert!(text.contains("Worse: C4"), "{text}");

    let (json, _, code) = compare(&first, &without, &["--format", "json"]);
    assert_eq!(code, 0);
    let json: Value = serde_json::from_str(&json).unwrap();
    let c4 = json["changes"]
        .as_array()
        .unwrap()
        .iter()
        .find(|c| c["id"] == "C4")
        .unwrap();
    assert!(c4["new_score"].as_u64() > c4["old_score"].as_u64(), "{c4}");
    let (markdown, _, _) = compare(&first, &without, &["--format", "md"]);
    assert!(
        markdown.starts_with("## ") && markdown.contains("- **Better: C4"),
        "{markdown}"
    );
}

#[test]
fn cards_of_different_projects_are_compared_with_a_note() {
    let folder = tempfile::tempdir().unwrap();
    let repo = Repo::of(AGENT);
    let first = card(&repo, folder.path(), "first");
    let other = folder.path().join("other.json");
    let text = fs::read_to_string(&first).unwrap();
    let changed = text.replacen(
        "\"repo_url\": \"\"",
        "\"repo_url\": \"https://example.com/a/b\"",
        1,
    );
    assert_ne!(text, changed);
    fs::write(&other, changed).unwrap();
    let arguments = ["compare", first.to_str().unwrap(), other.to_str().unwrap()];
    let (_, stderr, code) = told(&audit_in(folder.path(), &arguments));
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("different projects"), "{stderr}");
}

#[test]
fn a_card_that_breaks_the_rules_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let repo = Repo::of(AGENT);
    let first = card(&repo, folder.path(), "first");
    let mut json: Value = serde_json::from_str(&fs::read_to_string(&first).unwrap()).unwrap();
    json["criteria"].as_array_mut().unwrap().pop();
    let broken = folder.path().join("broken.json");
    fs::write(&broken, json.to_string()).unwrap();
    let arguments = ["compare", first.to_str().unwrap(), broken.to_str().unwrap()];
    let (stdout, stderr, code) = told(&audit_in(folder.path(), &arguments));
    assert_eq!((stdout.as_str(), code), ("", 2), "{stderr}");
    assert!(stderr.contains("broken.json"), "{stderr}");
}

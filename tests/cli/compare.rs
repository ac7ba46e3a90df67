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

/// The shell tool with a time limit.
fn limited() -> String {
    let (_, shell) = AGENT
        .iter()
        .find(|(path, _)| *path == "tiny/shell.py")
        .unwrap();
    shell.replace("text=True", "text=True, timeout=5")
}

/// Compares two commits of `repo`.
fn between(repo: &Repo, from: &str, to: &str, more: &[&str]) -> (String, String, i32) {
    let mut arguments = vec!["compare", ".", "--from", from, "--to", to];
    arguments.extend(more);
    told(&audit_in(repo.path(), &arguments))
}

#[test]
fn two_commits_are_compared_and_nothing_is_written() {
    let repo = Repo::of(AGENT);
    repo.git(&["tag", "first"]);
    repo.commit("limited", "tiny/shell.py", &limited());
    let (text, stderr, code) = between(&repo, "first", "limited", &["--fail-on", "regression"]);
    assert_eq!(code, 0, "{stderr}{text}");
    assert!(text.contains("Better: C10"), "{text}");
    assert!(
        text.contains("cited now: tiny/shell.py:5 (timeout=5)"),
        "{text}"
    );
    let (text, _, code) = between(&repo, "limited", "first", &["--fail-on", "regression"]);
    assert_eq!(code, 4, "{text}");
    assert!(text.contains("Worse: C10"), "{text}");
    assert!(!repo.path().join("audit-out").exists());
}

#[test]
fn a_file_that_is_renamed_and_whose_lines_move_is_the_same() {
    let repo = Repo::of(AGENT);
    repo.git(&["tag", "first"]);
    let text = |file: &str| fs::read_to_string(repo.path().join(file)).unwrap();
    let shell = format!("\n\n{}", text("tiny/shell.py"));
    let looped = text("tiny/loop.py").replace("from .shell", "from .command");
    fs::remove_file(repo.path().join("tiny/shell.py")).unwrap();
    fs::write(repo.path().join("tiny/loop.py"), looped).unwrap();
    repo.commit("renamed", "tiny/command.py", &shell);
    repo.git(&["mv", "tiny", "core"]);
    repo.commit_all("moved");
    for (from, to) in [
        ("first", "renamed"),
        ("renamed", "moved"),
        ("first", "moved"),
    ] {
        let (text, stderr, code) = between(&repo, from, to, &["--fail-on", "any"]);
        assert_eq!(code, 0, "{from} to {to}: {stderr}{text}");
        assert!(text.contains("nothing changed"), "{text}");
    }
}

#[test]
fn other_evidence_for_the_same_level_is_a_change_and_no_regression() {
    let repo = Repo::of(AGENT);
    repo.git(&["tag", "first"]);
    let (_, shell) = AGENT
        .iter()
        .find(|(path, _)| *path == "tiny/shell.py")
        .unwrap();
    let other = shell.replace("run(command, shell=True", "run(['sh', '-c', command]");
    repo.commit("other", "tiny/shell.py", &other);
    let (text, stderr, code) = between(&repo, "first", "other", &["--fail-on", "regression"]);
    assert_eq!(code, 0, "{stderr}{text}");
    assert!(text.contains("Changed: C4: 0.00 → 0.00 (±0)"), "{text}");
    let (_, _, code) = between(&repo, "first", "other", &["--fail-on", "any"]);
    assert_eq!(code, 4);
}

#[test]
fn a_commit_that_cannot_be_compared_is_named() {
    let repo = Repo::of(&[
        ("README.md", "# Sort\n\nSorts lines.\n"),
        ("sort.py", "print(1)\n"),
    ]);
    repo.git(&["tag", "sorts"]);
    for (file, text) in AGENT {
        repo.commit(&file.replace('/', "-"), file, text);
    }
    let (stdout, stderr, code) = between(&repo, "sorts", "main", &[]);
    assert_eq!((stdout.as_str(), code), ("", 3), "{stderr}");
    assert!(stderr.starts_with("audit: at "), "{stderr}");
    let (_, stderr, code) = between(&repo, "main", "no-such", &[]);
    assert_eq!(code, 12, "{stderr}");
    for wrong in [
        &["compare", "."] as &[&str],
        &["compare", ".", "--from", "main"],
        &["compare", "a.json", "b.json", "--from", "x", "--to", "y"],
        &["compare", "a.json", "b.json", "--subpath", "x"],
    ] {
        let (_, stderr, code) = told(&audit_in(repo.path(), wrong));
        assert_eq!(code, 2, "{wrong:?}: {stderr}");
        assert!(
            stderr.contains("Usage: audit compare"),
            "{wrong:?}: {stderr}"
        );
    }
}

/// Gives every citation the quote that the rules ask for; the seed has none.
fn quote_all(json: &mut Value) {
    if json.get("file").is_some() {
        json["contains"] = "quote".into();
    }
    let list = json.as_array_mut().into_iter().flatten();
    list.for_each(quote_all);
    let fields = json.as_object_mut().into_iter().flatten();
    fields.for_each(|(_, value)| quote_all(value));
}

/// The seed card, quoted, and with `change` applied, as a file.
fn seed(folder: &Path, name: &str, change: impl FnOnce(&mut Value)) -> PathBuf {
    let text = include_str!("../data/coze-studio.scorecard.json");
    let mut json: Value = serde_json::from_str(text).unwrap();
    quote_all(&mut json);
    change(&mut json);
    let path = folder.join(name);
    fs::write(&path, json.to_string()).unwrap();
    path
}

fn of_seed(folder: &Path, change: impl FnOnce(&mut Value), more: &[&str]) -> (String, String, i32) {
    let old = seed(folder, "old.json", |_| {});
    let new = seed(folder, "new.json", change);
    let mut arguments = vec!["compare", old.to_str().unwrap(), new.to_str().unwrap()];
    arguments.extend(more);
    told(&audit_in(folder, &arguments))
}

#[test]
fn one_project_under_other_spellings_of_its_url_is_one() {
    let folder = tempfile::tempdir().unwrap();
    for url in [
        "https://GitHub.com/coze-dev/coze-studio",
        "https://github.com/coze-dev/coze-studio.git",
        "https://github.com/coze-dev/coze-studio/",
        "https://github.com/Coze-Dev/Coze-Studio",
    ] {
        let (text, stderr, code) = of_seed(
            folder.path(),
            |card| card["repo_url"] = url.into(),
            &["--fail-on", "any"],
        );
        assert_eq!((stderr.as_str(), code), ("", 0), "{url}: {text}");
    }
}

#[test]
fn whatever_a_card_rests_on_counts_as_a_change() {
    let folder = tempfile::tempdir().unwrap();
    let changes: [(&str, Value, i32, &str); 9] = [
        ("/criteria/3/parameters/S/finding", "Else.".into(), 0, "S L"),
        (
            "/criteria/3/parameters/S/evidence/0/file",
            "else.go".into(),
            0,
            "cited now: else.go",
        ),
        (
            "/criteria/1/parameters/S/evidence/1/hits",
            7.into(),
            0,
            "→ 7 hits",
        ),
        (
            "/criteria/3/caps",
            serde_json::json!([{"id": "G2", "reason": "Why."}]),
            4,
            "Cap G2 applies now",
        ),
        (
            "/criteria/4/caps",
            serde_json::json!([{"id": "C5-WORSTCASE", "reason": "Else."}]),
            0,
            "another reason",
        ),
        (
            "/critical_findings/0/summary",
            "Else.".into(),
            0,
            "Critical gap now: Else.",
        ),
        (
            "/capability_profile/sub_agents",
            "opt_in".into(),
            0,
            "Agent surface: sub agents",
        ),
        ("/rule_of_two/same_session", false.into(), 0, "Rule of Two"),
        ("/criteria/3/parameters/S/level", 0.into(), 4, "S L"),
    ];
    for (pointer, value, regression, told) in changes {
        let change = |card: &mut Value| {
            let place = card
                .pointer_mut(pointer)
                .unwrap_or_else(|| panic!("{pointer}"));
            *place = value.clone();
            // C and D may be one above S.
            if pointer.ends_with("S/level") {
                card["criteria"][3]["parameters"]["C"]["level"] = 1.into();
                card["criteria"][3]["parameters"]["D"]["level"] = 1.into();
            }
        };
        let (text, stderr, code) = of_seed(folder.path(), change, &["--fail-on", "any"]);
        assert_eq!(code, 4, "{pointer}: {stderr}{text}");
        assert!(text.contains(told), "{pointer}: {text}");
        let (text, _, code) = of_seed(folder.path(), change, &["--fail-on", "regression"]);
        assert_eq!(code, regression, "{pointer}: {text}");
    }
}

#[test]
fn an_opt_in_mechanism_that_comes_is_told_with_its_ratings() {
    let folder = tempfile::tempdir().unwrap();
    let add = |card: &mut Value| {
        let parameters = card["criteria"][3]["parameters"].clone();
        card["criteria"][3]["alt"] =
            serde_json::json!({"label": "Docker mode", "parameters": parameters, "caps": []});
    };
    let (text, stderr, code) = of_seed(folder.path(), add, &["--fail-on", "regression"]);
    assert_eq!(code, 0, "{stderr}{text}");
    for line in [
        "There is an opt-in mechanism now: Docker mode\n",
        "\n  Opt-in S L",
        "\n  Opt-in B L",
        "\n  cited now: ",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let (old, new) = ("new.json", "old.json");
    let (text, _, _) = told(&audit_in(folder.path(), &["compare", old, new]));
    assert!(
        text.contains("The opt-in mechanism is gone: Docker mode")
            && text.contains("\n  no longer cited: "),
        "{text}"
    );
}

#[test]
fn a_criterion_that_lost_one_level_and_won_another_says_both() {
    let folder = tempfile::tempdir().unwrap();
    let both = |card: &mut Value| {
        let parameters = &mut card["criteria"][3]["parameters"];
        for (parameter, level) in [("S", 1), ("B", 4)] {
            parameters[parameter]["level"] = level.into();
        }
        for parameter in ["C", "D"] {
            parameters[parameter]["level"] = 2.into();
        }
    };
    let (text, stderr, code) = of_seed(folder.path(), both, &["--fail-on", "regression"]);
    assert_eq!(code, 4, "{stderr}{text}");
    assert!(text.contains("Worse and better: C4"), "{text}");
}

#[test]
fn line_numbers_in_a_sentence_are_no_change() {
    let folder = tempfile::tempdir().unwrap();
    let with = |line: u32| {
        move |card: &mut Value| {
            let finding = format!("It runs there (backend/run.go:{line}).");
            card["criteria"][3]["parameters"]["S"]["finding"] = finding.into();
        }
    };
    let (old, new) = (
        seed(folder.path(), "a", with(3)),
        seed(folder.path(), "b", with(14)),
    );
    let arguments = [
        "compare",
        old.to_str().unwrap(),
        new.to_str().unwrap(),
        "--fail-on",
        "any",
    ];
    let (text, _, code) = told(&audit_in(folder.path(), &arguments));
    assert_eq!(code, 0, "{text}");
}

#[test]
fn hostile_cards_stay_inert_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let hostile =
        "\u{1b}[31mred\u{202e} @victim fixes #1, see https://evil.example/x or GH-7 &commat;victim";
    let change = |card: &mut Value| {
        card["name"] = hostile.into();
        card["criteria"][3]["parameters"]["S"]["finding"] = hostile.into();
        card["criteria"][3]["parameters"]["S"]["evidence"][0] = serde_json::json!({
            "file": "\u{1b}[31m\u{202e}@victim.go", "lines": "1", "contains": hostile,
        });
        card["critical_findings"][0]["summary"] = hostile.into();
        card["repo_url"] = "https://example.com/\u{1b}[31m\u{202e}".into();
    };
    for format in ["text", "md", "json"] {
        let (stdout, stderr, code) = of_seed(folder.path(), change, &["--format", format]);
        assert_eq!(code, 0, "{stderr}");
        assert!(stderr.contains("different projects"), "{stderr}");
        for printed in [&stdout, &stderr] {
            assert!(
                !printed.contains(['\u{1b}', '\u{202e}']),
                "{format}: {printed:?}"
            );
        }
        match format {
            "json" => {
                let json: Value = serde_json::from_str(&stdout).unwrap();
                assert_eq!(json["name"], hostile);
            }
            "md" => {
                let outside: String = stdout.split('`').step_by(2).collect();
                for mark in ["@victim", "#1", "https://", "GH-7", "&commat"] {
                    assert!(stdout.contains(mark) && !outside.contains(mark), "{stdout}");
                }
            }
            _ => {}
        }
    }
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

//! Gates and the baseline: the card is written, and the exit code says what did not hold.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{AGENT, Repo, audit_in, told};

fn audit(repo: &Repo, more: &[&str]) -> (String, String, i32) {
    let mut arguments = vec![".", "--out", "out", "--quiet"];
    arguments.extend(more);
    told(&audit_in(repo.path(), &arguments))
}

fn scorecard(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("out/scorecard.json")).unwrap()).unwrap()
}

#[test]
fn a_score_below_the_floor_fails_after_the_card_is_written() {
    let repo = Repo::of(AGENT);
    let gates = [
        "--fail-under",
        "5.0",
        "--fail-under",
        "c4=0.5",
        "--fail-under",
        "C7=1",
    ];
    let (stdout, stderr, code) = audit(&repo, &gates);
    assert_eq!(code, 4, "{stderr}");
    assert!(stdout.contains("Card: out/report.md"), "{stdout}");
    assert_eq!(
        scorecard(repo.path())["name"].as_str().map(str::is_empty),
        Some(false)
    );
    assert!(stderr.contains("under 5.0 (--fail-under)"), "{stderr}");
    assert!(stderr.contains("C4 is 0.0, under 0.5"), "{stderr}");
    assert!(
        !stderr.contains("C7"),
        "an absent surface scores a whole point: {stderr}"
    );
    let (_, stderr, code) = audit(&repo, &["--fail-under", "0.5", "--fail-under", "C4=0"]);
    assert_eq!((stderr.as_str(), code), ("", 0));
}

#[test]
fn a_cap_fails_where_caps_are_forbidden() {
    let repo = Repo::of(AGENT);
    let (_, stderr, code) = audit(&repo, &["--fail-on-cap"]);
    assert_eq!(code, 4);
    assert!(stderr.contains("C5-WORSTCASE (--fail-on-cap)"), "{stderr}");
    let (_, stderr, code) = audit(&repo, &["--fail-on-cap=false"]);
    assert_eq!((stderr.as_str(), code), ("", 0));
}

#[test]
fn a_run_that_left_too_much_unread_is_partial() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0000000000000000000000000000000000000000000000000000000000000000\nsize 12345\n";
    let mut files = AGENT.to_vec();
    files.push(("tiny/big.py", pointer));
    let repo = Repo::of(&files);
    let (_, stderr, code) = audit(&repo, &["--max-unread", "10%", "--fail-on-cap"]);
    assert_eq!(code, 5, "{stderr}");
    assert!(stderr.contains("not read, more than 10%"), "{stderr}");
    assert!(
        stderr.contains("--fail-on-cap"),
        "the gate is told, too: {stderr}"
    );
    assert!(repo.path().join("out/report.md").exists());
    let (_, stderr, code) = audit(&repo, &["--max-unread", "50%"]);
    assert_eq!((stderr.as_str(), code), ("", 0));
    let whole = Repo::of(AGENT);
    let (_, stderr, code) = audit(&whole, &["--max-unread", "0%"]);
    assert_eq!((stderr.as_str(), code), ("", 0));
}

#[test]
fn gates_that_make_no_sense_are_refused_before_anything_is_written() {
    let repo = Repo::of(AGENT);
    let cases: [(&[&str], &str); 9] = [
        (&["--fail-under", "much"], "C4=0.5"),
        (&["--fail-under", "10.5"], "from 0 to 10.0"),
        (&["--fail-under", "C4=1.5"], "from 0 to 1.0"),
        (&["--fail-under", "C4=nan"], "NaN"),
        (&["--fail-under", "C11=0.5"], "C1 to C10"),
        (&["--max-unread", "5"], "percent sign"),
        (&["--max-unread", "101%"], "from 0% to 100%"),
        (&["--fail-on", "any"], "--baseline"),
        (&["--baseline", "nowhere.json"], "nowhere.json"),
    ];
    for (arguments, named) in cases {
        let (_, stderr, code) = audit(&repo, arguments);
        assert_eq!(code, 2, "{arguments:?}: {stderr}");
        assert!(stderr.contains(named), "{arguments:?}: {stderr}");
    }
    assert!(!repo.path().join("out").exists());
}

#[test]
fn a_baseline_fails_only_on_what_is_new_and_fills_the_reaudit_log() {
    let repo = Repo::of(AGENT);
    let (_, shell) = AGENT
        .iter()
        .find(|(path, _)| *path == "tiny/shell.py")
        .unwrap();
    repo.commit(
        "limited",
        "tiny/shell.py",
        &shell.replace("text=True", "text=True, timeout=5"),
    );
    assert_eq!(audit(&repo, &[]).2, 0);
    let baseline = tempfile::tempdir().unwrap();
    let baseline = baseline.path().join("old.json");
    fs::rename(repo.path().join("out/scorecard.json"), &baseline).unwrap();
    let since = [
        "--baseline",
        baseline.to_str().unwrap(),
        "--fail-on",
        "regression",
    ];

    let (stdout, stderr, code) = audit(&repo, &since);
    assert_eq!((stderr.as_str(), code), ("", 0));
    assert!(stdout.contains("nothing changed"), "{stdout}");
    assert_eq!(scorecard(repo.path())["reaudit_log"], serde_json::json!([]));

    repo.commit("unlimited", "tiny/shell.py", &format!("\n{shell}"));
    let (stdout, stderr, code) = audit(&repo, &since);
    assert_eq!(code, 4, "{stderr}");
    assert!(stdout.contains("Worse: C10"), "{stdout}");
    assert!(stderr.contains("something got worse since"), "{stderr}");
    let card = scorecard(repo.path());
    let log = card["reaudit_log"].as_array().unwrap();
    let entry = log
        .iter()
        .find(|e| e["criterion"] == "C10" && e["parameter"] == "S")
        .unwrap();
    assert_eq!(
        (&entry["from_level"], &entry["to_level"]),
        (&2.into(), &1.into())
    );
    let reason = entry["reason"].as_str().unwrap();
    assert!(
        reason.starts_with("Since ") && reason.contains("No longer cited: tiny/shell.py:5"),
        "{reason}"
    );
    let report = fs::read_to_string(repo.path().join("out/report.md")).unwrap();
    assert!(report.contains("- C10 S: L2 → L1. Since "), "{report}");
    let verify = ["verify", "out/scorecard.json", "--repo", "."];
    assert_eq!(told(&audit_in(repo.path(), &verify)).2, 0);
}

#[test]
fn a_baseline_that_breaks_the_rules_is_refused() {
    let repo = Repo::of(AGENT);
    assert_eq!(audit(&repo, &[]).2, 0);
    let mut card = scorecard(repo.path());
    card["criteria"].as_array_mut().unwrap().pop();
    fs::write(repo.path().join("old.json"), card.to_string()).unwrap();
    fs::remove_dir_all(repo.path().join("out")).unwrap();
    let (_, stderr, code) = audit(&repo, &["--baseline", "old.json"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("old.json: criteria"), "{stderr}");
    assert!(!repo.path().join("out").exists());
}

#[test]
fn a_run_that_recognised_nothing_passes_no_limit_on_what_is_unread() {
    let repo = Repo::of(&[
        ("README.md", "# Acme agent\n\nAn AI agent.\n"),
        ("vendor/agent.py", "x = 1\n"),
    ]);
    let folder = tempfile::tempdir().unwrap();
    let place = repo.path().to_str().unwrap();
    let arguments = [
        place,
        "--force",
        "--quiet",
        "--out",
        "card",
        "--max-unread",
        "0%",
    ];
    let (_, stderr, code) = told(&audit_in(folder.path(), &arguments));
    assert_eq!(code, 5, "{stderr}");
    assert!(stderr.contains("no file was recognised"), "{stderr}");
}

#[test]
fn settings_that_are_no_file_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("audit.toml")).unwrap();
    let repo = Repo::of(AGENT);
    let (_, stderr, code) = told(&audit_in(folder.path(), &[repo.path().to_str().unwrap()]));
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("audit.toml"), "{stderr}");
}

#[test]
fn a_name_that_cannot_be_seen_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let repo = Repo::of(AGENT);
    for name in ["", " ", "\u{200b}\u{202e}"] {
        let arguments = [repo.path().to_str().unwrap(), "--name", name];
        let (_, stderr, code) = told(&audit_in(folder.path(), &arguments));
        assert_eq!(code, 2, "{stderr}");
    }
}

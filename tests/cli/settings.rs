//! `audit.toml`: read from the working folder or `--config`, never from the audited repository unasked.

use std::fs;
use std::path::Path;

use crate::support::{AGENT, Repo, audit_in, told};

const STRICT: &str = "max-unread = \"5%\"\nout = \"cards\"\n\n[fail-under]\ntotal = 9\nC4 = 0.5\n";

fn audit(folder: &Path, repo: &Repo, more: &[&str]) -> (String, String, i32) {
    let mut arguments = vec![repo.path().to_str().unwrap(), "--quiet"];
    arguments.extend(more);
    told(&audit_in(folder, &arguments))
}

#[test]
fn settings_of_the_working_folder_hold_and_flags_win() {
    let (repo, folder) = (Repo::of(AGENT), tempfile::tempdir().unwrap());
    fs::write(folder.path().join("audit.toml"), STRICT).unwrap();
    let (_, stderr, code) = audit(folder.path(), &repo, &[]);
    assert_eq!(code, 4, "{stderr}");
    assert!(
        stderr.contains("under 9.0") && stderr.contains("C4 is 0.0, under 0.5"),
        "{stderr}"
    );
    assert!(folder.path().join("cards/report.md").exists());
    let flags = [
        "--fail-under",
        "0.5",
        "--fail-under",
        "C4=0",
        "--out",
        "mine",
    ];
    let (stdout, stderr, code) = audit(folder.path(), &repo, &flags);
    assert_eq!((stderr.as_str(), code), ("", 0));
    assert!(stdout.contains("Card: mine/report.md"), "{stdout}");
}

#[test]
fn paths_are_relative_to_the_file() {
    let (repo, folder) = (Repo::of(AGENT), tempfile::tempdir().unwrap());
    fs::create_dir(folder.path().join("ci")).unwrap();
    fs::write(folder.path().join("ci/strict.toml"), STRICT).unwrap();
    let (_, stderr, code) = audit(folder.path(), &repo, &["--config", "ci/strict.toml"]);
    assert_eq!(code, 4, "{stderr}");
    assert!(folder.path().join("ci/cards/report.md").exists());
}

#[test]
fn the_audited_repository_sets_nothing_unasked() {
    let repo = Repo::of(AGENT);
    fs::write(repo.path().join("audit.toml"), STRICT).unwrap();
    let (_, stderr, code) = told(&audit_in(repo.path(), &[".", "--out", "out"]));
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stderr.contains("audit.toml belongs to the audited repository"),
        "{stderr}"
    );
    let (_, stderr, code) = audit(repo.path(), &repo, &["--config", "audit.toml"]);
    assert_eq!(code, 4, "{stderr}");

    let folder = tempfile::tempdir().unwrap();
    let inside = repo.path().join("audit.toml");
    let (_, stderr, code) = audit(
        folder.path(),
        &repo,
        &["--config", inside.to_str().unwrap()],
    );
    assert_eq!(code, 2);
    assert!(
        stderr.contains("lies in the audited repository"),
        "{stderr}"
    );
    assert!(!folder.path().join("audit-out").exists());
}

#[cfg(unix)]
#[test]
fn a_link_into_the_audited_repository_is_followed_before_it_is_judged() {
    let (repo, folder) = (Repo::of(AGENT), tempfile::tempdir().unwrap());
    fs::write(repo.path().join("audit.toml"), STRICT).unwrap();
    let link = folder.path().join("audit.toml");
    std::os::unix::fs::symlink(repo.path().join("audit.toml"), link).unwrap();
    assert_eq!(audit(folder.path(), &repo, &[]).2, 0);
    assert_eq!(
        audit(folder.path(), &repo, &["--config", "audit.toml"]).2,
        2
    );
}

#[test]
fn what_is_wrong_in_the_file_is_named_with_its_line() {
    let (repo, folder) = (Repo::of(AGENT), tempfile::tempdir().unwrap());
    let cases = [
        ("# ours\nfial-under = 3\n", ":2: unknown field `fial-under`"),
        (
            "[fail-under]\nC11 = 1\n",
            ":2: `C11`: criteria are C1 to C10",
        ),
        ("[fail-under]\ntotal = 3\nC4 = 5\n", ":3: 5 is not a score"),
        ("fail-under = \"5\"\n", ":1: invalid type"),
        ("\nmax-unread = \"5\"\n", ":2: give a share"),
        ("threads = 0\n", ":1: threads: 1 to 256"),
        ("fail-on = \"never\"\n", ":1: unknown variant `never`"),
        ("out = [\n", ":1: "),
        ("\"\\u001b[31m\\u202e\" = 1\n", ":1: unknown field `[31m`"),
    ];
    for (text, wanted) in cases {
        fs::write(folder.path().join("audit.toml"), text).unwrap();
        let (stdout, stderr, code) = audit(folder.path(), &repo, &[]);
        assert_eq!((stdout.as_str(), code), ("", 2), "{text}: {stderr}");
        assert!(
            stderr.contains(&format!("audit.toml{wanted}")),
            "{text}: {stderr}"
        );
    }
    let (_, stderr, code) = audit(folder.path(), &repo, &["--config", "nowhere.toml"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("nowhere.toml: "), "{stderr}");
}

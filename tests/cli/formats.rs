//! `--format`: which files of a card are written.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{AGENT, Repo, audit_in, told};

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn the_chosen_files_are_written_and_no_others() {
    let repo = Repo::of(AGENT);
    let url = "https://github.com/example/tiny";
    let write = |formats: &[&str], out: &str| {
        let mut arguments = vec![".", "--out", out, "--repo-url", url];
        arguments.extend(formats);
        let (stdout, stderr, code) = told(&audit_in(repo.path(), &arguments));
        assert_eq!(code, 0, "{stderr}");
        (names(&repo.path().join(out)), stdout)
    };
    let (default, stdout) = write(&[], "default");
    assert_eq!(default, ["entry.json", "report.md", "scorecard.json"]);
    assert!(stdout.ends_with("Card: default/report.md\n"), "{stdout}");
    let (sarif, stdout) = write(&["--format", "sarif"], "sarif");
    assert_eq!(sarif, ["report.sarif"]);
    assert!(stdout.ends_with("Card: sarif/report.sarif\n"), "{stdout}");
    let (some, _) = write(&["--format", "sarif,json", "--format", "json"], "some");
    assert_eq!(some, ["report.sarif", "scorecard.json"]);
    // What an earlier run wrote in another format stays.
    let (more, _) = write(&["--format", "md"], "some");
    assert_eq!(more, ["report.md", "report.sarif", "scorecard.json"]);
}

#[test]
fn the_file_is_what_render_prints_and_points_into_the_repository() {
    let repo = Repo::of(AGENT);
    let url = "https://github.com/example/tiny";
    let formats = ["--format", "json,sarif", "--out", "out", "--repo-url", url];
    let arguments: Vec<&str> = [".", "--quiet"].into_iter().chain(formats).collect();
    let (_, stderr, code) = told(&audit_in(repo.path(), &arguments));
    assert_eq!(code, 0, "{stderr}");
    let written = fs::read_to_string(repo.path().join("out/report.sarif")).unwrap();
    let render = ["render", "out/scorecard.json", "--format", "sarif"];
    let (printed, _, code) = told(&audit_in(repo.path(), &render));
    assert_eq!((code, &printed), (0, &written));

    let log: Value = serde_json::from_str(&written).unwrap();
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert!(results.len() > 20, "{}", results.len());
    for result in results {
        let place = &result["locations"][0]["physicalLocation"];
        let file = place["artifactLocation"]["uri"].as_str().unwrap();
        let path = repo.path().join(file);
        assert!(path.exists(), "{file}");
        if let Some(last) = place["region"]["endLine"].as_u64() {
            let lines = fs::read_to_string(path).unwrap().lines().count();
            assert!(last <= lines as u64, "{file}:{last}");
        }
    }
    let card = fs::read_to_string(repo.path().join("out/scorecard.json")).unwrap();
    let card: Value = serde_json::from_str(&card).unwrap();
    let provenance = &run["versionControlProvenance"][0];
    assert_eq!(provenance["revisionId"], card["pinned_commit"]);
    assert_eq!(provenance["repositoryUri"], url);
}

#[test]
fn a_folder_without_a_commit_claims_none() {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in AGENT {
        let path = folder.path().join("tiny").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let url = "https://github.com/example/tiny";
    let arguments = ["tiny", "--worktree", "--format", "sarif", "--repo-url", url];
    let (_, stderr, code) = told(&audit_in(folder.path(), &arguments));
    assert_eq!(code, 0, "{stderr}");
    let written = folder.path().join("audit-out/tiny/report.sarif");
    let log: Value = serde_json::from_str(&fs::read_to_string(written).unwrap()).unwrap();
    let provenance = &log["runs"][0]["versionControlProvenance"][0];
    assert_eq!(provenance["repositoryUri"], url);
    assert_eq!(provenance["revisionId"], Value::Null);
}

#[test]
fn formats_that_cannot_be_written_are_refused_before_the_work() {
    let repo = Repo::of(AGENT);
    for (format, told_of) in [
        ("entry", "--repo-url"),
        ("pdf", "possible values"),
        ("", "possible values"),
        ("md,,json", "possible values"),
    ] {
        let arguments = [".", "--out", "out", "--format", format];
        let (_, stderr, code) = told(&audit_in(repo.path(), &arguments));
        assert_eq!(code, 2, "{format}: {stderr}");
        assert!(stderr.contains(told_of), "{format}: {stderr}");
        assert!(!repo.path().join("out").exists(), "{format}");
    }
}

#[test]
fn nothing_is_removed_that_was_not_asked_for() {
    let repo = Repo::of(AGENT);
    fs::create_dir(repo.path().join("out")).unwrap();
    for mine in ["out/entry.json", "out/report.md"] {
        fs::write(repo.path().join(mine), "mine").unwrap();
    }
    let arguments = [".", "--out", "out", "--format", "sarif"];
    let (_, stderr, code) = told(&audit_in(repo.path(), &arguments));
    assert_eq!((stderr.as_str(), code), ("", 0));
    for mine in ["out/entry.json", "out/report.md"] {
        assert_eq!(fs::read_to_string(repo.path().join(mine)).unwrap(), "mine");
    }
}

#[test]
fn the_page_of_an_audit_shows_the_cited_lines_in_their_context() {
    let repo = Repo::of(AGENT);
    let arguments = [".", "--format", "html,json", "--out", "out", "--quiet"];
    let (_, stderr, code) = told(&audit_in(repo.path(), &arguments));
    assert_eq!(code, 0, "{stderr}");
    let page = fs::read_to_string(repo.path().join("out/report.html")).unwrap();
    let render = ["render", "out/scorecard.json", "--format", "html"];
    let (quotes_only, _, _) = told(&audit_in(repo.path(), &render));
    // A line around a cited one is not itself cited.
    let context = |page: &str| page.matches("<div class=\"line\"").count();
    assert!(context(&page) > 20, "{}", context(&page));
    assert_eq!(context(&quotes_only), 0);
}

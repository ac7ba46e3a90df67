//! Cards from strangers.

use std::fs;

use serde_json::{Value, json};

use crate::inert;
use crate::spoil::spoil;
use crate::support::{AGENT, Repo, audit_in, told};

const CARD: &str = include_str!("../data/coze-studio.scorecard.json");

fn card() -> Value {
    serde_json::from_str(CARD).unwrap()
}

/// Commands that would run a program, read a file of the machine, or leave the tree, with scopes that do.
const SEARCHES: [(&str, &str); 26] = [
    ("rg --pre 'touch pwned' x", "."),
    ("rg --pre=./run.sh x", "."),
    ("rg -z x", "."),
    ("rg --search-zip x", "."),
    ("rg --hostname-bin=./run.sh x", "."),
    ("rg -f /etc/passwd", "."),
    ("rg --ignore-file /etc/passwd x", "."),
    ("rg -P '(?<=a)b'", "."),
    ("rg --engine pcre2 x", "."),
    ("rg x; touch pwned", "."),
    ("rg x | sh", "."),
    ("rg $(touch pwned)", "."),
    ("rg `touch pwned`", "."),
    ("rg x && touch pwned", "."),
    ("rg x > pwned", "."),
    ("sh -c 'touch pwned'", "."),
    ("/usr/bin/rg x", "."),
    ("rg 'unclosed", "."),
    ("rg --follow x", "."),
    ("rg x", ".."),
    ("rg x", "../../etc"),
    ("rg x", "/etc"),
    ("rg x", "tiny/../../.."),
    ("rg x", "tiny/out"),
    ("rg x", "$(touch pwned)"),
    ("rg '((((a{99}){99}){99}){99})'", "."),
];

#[test]
fn recorded_searches_run_nothing_and_stay_in_the_tree() {
    let repo = Repo::of(AGENT);
    fs::write(repo.path().join("run.sh"), "#!/bin/sh\ntouch pwned\n").unwrap();
    std::os::unix::fs::symlink("/etc", repo.path().join("tiny/out")).unwrap();
    repo.commit_all("link");
    let mut card = card();
    let evidence: Vec<Value> = SEARCHES
        .iter()
        .map(|(search, scope)| json!({"search": search, "scope": scope, "hits": 0}))
        .collect();
    card["criteria"][1]["parameters"]["S"]["evidence"] = json!(evidence);
    card["pinned_commit"] = json!(crate::git(repo.path(), &["rev-parse", "HEAD"]));
    let file = repo.path().join("card.json");
    fs::write(&file, card.to_string()).unwrap();
    let (stdout, stderr, code) = told(&audit_in(
        repo.path(),
        &["verify", "card.json", "--repo", "."],
    ));
    assert_eq!(code, 1, "{stderr}");
    let refused = stdout
        .lines()
        .filter(|line| line.starts_with("C2.S"))
        .count();
    assert!(
        refused >= SEARCHES.len(),
        "{refused} of {}: {stdout}",
        SEARCHES.len()
    );
    assert!(!repo.path().join("pwned").exists());
    inert(&stdout);
}

/// Citations that point out of the tree or nowhere are problems, and no file there is read.
#[test]
fn citations_stay_in_the_tree() {
    let repo = Repo::of(AGENT);
    std::os::unix::fs::symlink("/etc/passwd", repo.path().join("tiny/out")).unwrap();
    repo.commit_all("link");
    let places = [
        ("../../../../etc/passwd", "1"),
        ("/etc/passwd", "1"),
        ("tiny/out", "1"),
        ("tiny/../../x", "1"),
        (".git/config", "1"),
        ("tiny", "1"),
        ("", "1"),
        ("tiny/loop.py", "0"),
        ("tiny/loop.py", "9-3"),
        ("tiny/loop.py", "999999999999"),
        ("tiny/loop.py", "-1"),
        ("tiny/loop.py\u{0}", "1"),
    ];
    for worktree in [&[][..], &["--worktree"]] {
        for (file, lines) in places {
            let mut card = card();
            card["criteria"][1]["parameters"]["S"]["evidence"] =
                json!([{"file": file, "lines": lines, "contains": "root"}]);
            card["pinned_commit"] = json!(crate::git(repo.path(), &["rev-parse", "HEAD"]));
            let place = tempfile::NamedTempFile::new().unwrap();
            fs::write(place.path(), card.to_string()).unwrap();
            let line = ["verify", place.path().to_str().unwrap(), "--repo", "."];
            let (stdout, stderr, code) = told(&audit_in(repo.path(), &[&line, worktree].concat()));
            assert_eq!(code, 1, "{file} {lines}: {stderr}");
            assert!(
                stdout.lines().any(|line| line.starts_with("C2.S")),
                "{file} {lines}: {stdout}"
            );
            assert!(!stdout.contains("root:x:"));
        }
    }
}

/// Every text of a card in turn is a script, a link, an escape: no format lets it act.
#[test]
fn links_and_markup_in_a_card_are_inert_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let hostile =
        "[x](javascript:alert(1)) <script>alert(1)</script> \u{1b}[2J\u{202e}\u{e0041} @octocat #1";
    let mut card = card();
    spoil(&mut card, hostile, &["repo_url", "lines"]);
    fs::write(folder.path().join("card.json"), card.to_string()).unwrap();
    for format in ["md", "html", "entry", "table", "summary", "sarif"] {
        let line = ["render", "card.json", "--format", format];
        let (stdout, stderr, code) = told(&audit_in(folder.path(), &line));
        assert_eq!(code, 0, "{format}: {stderr}");
        inert(&stdout);
        if format == "html" {
            assert!(!stdout.contains("<script>alert"));
            assert!(!stdout.contains("href=\"javascript"));
        }
    }
    for address in [
        "javascript:alert(1)",
        "http://x",
        "file:///etc/passwd",
        "https://x/\" onclick=\"y",
        "//x",
    ] {
        let mut card = self::card();
        card["repo_url"] = json!(address);
        fs::write(folder.path().join("card.json"), card.to_string()).unwrap();
        for format in ["md", "html"] {
            let (stdout, _, _) = told(&audit_in(
                folder.path(),
                &["render", "card.json", "--format", format],
            ));
            assert!(!stdout.contains("](javascript:") && !stdout.contains("href=\"javascript"));
            assert!(!stdout.contains("](file:"));
            assert!(format == "md" || !stdout.contains("\" onclick=\""));
        }
    }
}

/// Every place that a card's problems name can be explained.
#[test]
fn what_a_card_names_can_be_explained() {
    let repo = Repo::of(AGENT);
    for (what, code) in [
        ("C2", 0),
        ("c2.s", 0),
        ("C2.alt.S", 0),
        ("C2.alt", 0),
        ("C2.alt.X", 2),
        ("C2.S.alt", 2),
        ("C2.alt.S.x", 2),
        ("alt.S", 2),
        ("C11", 2),
        ("", 2),
        (".", 2),
        ("C2.\u{1b}[2J", 2),
    ] {
        let (stdout, stderr, got) = told(&audit_in(repo.path(), &["explain", ".", what]));
        assert_eq!(got, code, "{what:?}: {stderr}");
        inert(&stderr);
        if what == "C2.alt.S" {
            assert!(
                stdout.contains("S (alternative)") && !stdout.contains("(default)"),
                "{stdout}"
            );
        }
    }
}

#[test]
fn hidden_commands_are_not_offered() {
    let folder = tempfile::tempdir().unwrap();
    let (_, stderr, code) = told(&audit_in(folder.path(), &["man", "nope"]));
    assert_eq!(code, 2);
    assert!(
        stderr.contains("verify") && !stderr.contains("batch-member"),
        "{stderr}"
    );
}

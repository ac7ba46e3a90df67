//! Repositories, hosts, files, cards and rubrics that mean harm, and the program as it is driven against them.
//! docs/hostile.md lists every input with what has to come of it.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)]

mod cards;
mod content;
mod files;
mod host;
mod interrupt;
mod large;
mod limits;
mod paths;
mod properties;
mod repositories;
mod rubrics;
mod server;
#[path = "../shared/spoil.rs"]
mod spoil;
#[allow(dead_code, reason = "shared with the tests of cli")]
#[path = "../cli/support.rs"]
mod support;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;

use support::{AGENT, Repo, audit_in, told};

/// Something that an agent's card is about: a shell tool.
const TOOL: &str = "import subprocess\nsubprocess.run(command, shell=True)\n";

/// Audits `repo`, in every format, and checks what has to hold of any card: it verifies, and nothing in it steers a
/// terminal or a browser. Gives the scorecard and all texts.
fn audited(repo: &Repo, more: &[&str]) -> (Value, String) {
    let out = tempfile::tempdir().unwrap();
    let place = out.path().to_str().unwrap();
    let basic = [
        ".",
        "--out",
        place,
        "--format",
        "md,json,entry,sarif,html",
        "--repo-url",
        "https://github.com/o/tiny",
    ];
    let (mut texts, stderr, code) = told(&audit_in(repo.path(), &[&basic, more].concat()));
    assert_eq!(code, 0, "{stderr}");
    texts.push_str(&stderr);
    for file in [
        "report.md",
        "scorecard.json",
        "entry.json",
        "report.sarif",
        "report.html",
    ] {
        texts.push_str(&fs::read_to_string(out.path().join(file)).unwrap());
    }
    inert(&texts);
    let card = out.path().join("scorecard.json");
    let mut verify = vec!["verify", card.to_str().unwrap(), "--repo", "."];
    verify.extend(more.iter().filter(|flag| **flag == "--worktree"));
    let (stdout, stderr, code) = told(&audit_in(repo.path(), &verify));
    assert_eq!(code, 0, "{stdout}{stderr}");
    let card = serde_json::from_str(&fs::read_to_string(card).unwrap()).unwrap();
    (card, texts)
}

/// Nothing that is not seen, or that steers a terminal or the writing direction.
fn inert(text: &str) {
    let bad = |c: char| c != '\n' && (c.is_control() || audit::invisible::is_invisible(c));
    if let Some(at) = text.find(bad) {
        let from = text[..at].rfind('\n').map_or(0, |line| line + 1);
        let shown: String = text[from..].chars().take(200).collect();
        panic!("{shown:?}");
    }
}

/// Level of a parameter of the default mechanism; -1 when the whole criterion is absent.
fn level(card: &Value, criterion: usize, parameter: &str) -> i64 {
    let parameter = &card["criteria"][criterion - 1]["parameters"][parameter];
    parameter["level"].as_i64().unwrap_or(-1)
}

/// All levels of a card.
fn levels(card: &Value) -> Vec<i64> {
    let all = (1..=10).flat_map(|c| ["S", "C", "D", "B"].map(|p| level(card, c, p)));
    all.collect()
}

/// The levels of the agent alone.
static PLAIN: LazyLock<Vec<i64>> = LazyLock::new(|| levels(&audited(&Repo::of(AGENT), &[]).0));

/// No level of `card` is higher than the agent's own, and nothing is absent that was not. What could not be read may take
/// an absence away.
fn nothing_gained(card: &Value) {
    for (with, without) in levels(card).into_iter().zip(PLAIN.iter()) {
        assert!(
            with == *without || *without == -1 || (0..*without).contains(&with),
            "{card}"
        );
    }
}

/// The id of a new object of `kind` that holds `bytes`, well-formed or not.
fn object(repo: &Path, kind: &str, bytes: &[u8]) -> String {
    use std::io::Write;
    let mut child = Command::new("git")
        .args(["hash-object", "-w", "--literally", "-t", kind, "--stdin"])
        .current_dir(repo)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// What git prints for `arguments` in `repo`.
fn git(repo: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=T", "-c", "user.email=t@example.org"])
        .args(arguments)
        .current_dir(repo)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(output.status.success(), "git {arguments:?}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Moves the branch to a commit of `tree`.
fn commit_tree(repo: &Path, tree: &str) -> String {
    let commit = git(repo, &["commit-tree", "-m", "odd", tree]);
    git(repo, &["update-ref", "refs/heads/main", &commit]);
    commit
}

/// A tree object of entries: mode, name and id.
fn tree(repo: &Path, entries: &[(&str, &[u8], &str)]) -> String {
    let mut bytes = Vec::new();
    for (mode, name, id) in entries {
        bytes.extend_from_slice(mode.as_bytes());
        bytes.push(b' ');
        bytes.extend_from_slice(name);
        bytes.push(0);
        let digits = id.as_bytes().chunks(2);
        bytes.extend(
            digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()),
        );
    }
    object(repo, "tree", &bytes)
}

/// The entries of HEAD's root, for a tree with more of them.
fn root_entries(repo: &Path) -> Vec<(String, Vec<u8>, String)> {
    git(repo, &["ls-tree", "HEAD"])
        .lines()
        .map(|line| {
            let (head, name) = line.split_once('\t').unwrap();
            let mut parts = head.split(' ');
            let mode = parts.next().unwrap().to_owned();
            (
                mode,
                name.as_bytes().to_vec(),
                parts.nth(1).unwrap().to_owned(),
            )
        })
        .collect()
}

//! Rubrics from strangers: they are loaded or refused, in a bounded time, and run nothing.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::inert;
use crate::support::{AGENT, Repo, audit_in, copy_files, told};

/// What `audit --rubric` says to the rubric that ships with one thing changed: refused (2), or a card.
fn with(file: &str, from: &str, to: &str) -> (String, i32) {
    told_of(&[".", "--out", "out", "--no-cache"], file, from, to)
}

/// The same for `line`.
fn told_of(line: &[&str], file: &str, from: &str, to: &str) -> (String, i32) {
    let repo = Repo::of(AGENT);
    let folder = tempfile::tempdir().unwrap();
    copy_files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("rubric"),
        folder.path(),
    );
    let path = folder.path().join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{file} has no {from:?}");
    fs::write(&path, text.replacen(from, to, 1)).unwrap();
    let begun = Instant::now();
    let rubric = ["--rubric", folder.path().to_str().unwrap()];
    let line = [line, &rubric].concat();
    let (_, stderr, code) = told(&audit_in(repo.path(), &line));
    assert!(begun.elapsed() < Duration::from_secs(120), "{to:.60}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    inert(&stderr);
    (stderr, code)
}

#[test]
fn patterns_that_blow_up_are_refused_or_harmless() {
    let pattern = "pattern = '''";
    for bad in [
        "((((a{99}){99}){99}){99})",
        "(?:\\pL{1000}){1000}",
        "a{4294967296}",
        "(?P<x>a)(?P<x>b)",
    ] {
        let (stderr, code) = with("boundary.toml", pattern, &format!("{pattern}{bad}"));
        assert_eq!(code, 2, "{bad}: {stderr}");
        assert!(stderr.contains("boundary.toml:"), "{bad}: {stderr}");
    }
    // Exponential to a backtracking engine; ours is none.
    let (stderr, code) = with(
        "boundary.toml",
        pattern,
        &format!("{pattern}(a*)*(a|a?)+(?:x|x|x)*|"),
    );
    assert!([0, 2, 70].contains(&code), "{stderr}");
}

#[test]
fn templates_and_expressions_that_do_not_end_are_stopped() {
    for bad in [
        "{% for i in range(100000000) %}x{% endfor %}",
        "{% for i in range(9999) %}{% for j in range(9999) %}x{% endfor %}{% endfor %}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{% include '/etc/passwd' %}",
        "{{ 'x' * 100000000 }}",
        "{{ nowhere.at.all }}",
        "{% unclosed",
    ] {
        let finding = "finding = \"";
        // Every rung speaks, so that the one with the template does.
        let line = ["rubric", "show", "C4", "--sentences"];
        let to = format!("{finding}{bad} ");
        let (stderr, code) = told_of(&line, "criteria/C4.toml", finding, &to);
        assert_eq!(code, 2, "{bad}: {stderr}");
    }
    let when = "when = \"";
    for bad in [
        "range(100000000) | list | length and ",
        "((((((((((",
        "unknown_fact_of_mine and ",
    ] {
        let (stderr, code) = with("criteria/C4.toml", when, &format!("{when}{bad}"));
        assert_eq!(code, 2, "{bad}: {stderr}");
    }
}

#[test]
fn fields_limits_and_forms_that_nobody_knows_are_refused() {
    for (file, from, to) in [
        (
            "boundary.toml",
            "pattern = '''",
            "command = 'touch pwned'\npattern = '''",
        ),
        (
            "inventory.toml",
            "max_config_depth = 64",
            "max_config_depth = 100000",
        ),
        (
            "inventory.toml",
            "max_file_bytes = 2_000_000",
            "max_file_bytes = -1",
        ),
        (
            "inventory.toml",
            "max_file_bytes = 2_000_000",
            "max_file_bytes = 99999999999999999999",
        ),
        ("inventory.toml", "[limits]", "[limits]\nunknown = 1"),
        ("kinds.toml", "=", "= ="),
        ("method.toml", "=", "\u{202e}="),
        ("surface.toml", "\n", "\n\u{1b}[2J\n"),
    ] {
        let (stderr, code) = with(file, from, to);
        assert_eq!(code, 2, "{to}: {stderr}");
        assert!(stderr.contains(file), "{to}: {stderr}");
    }
}

//! The rubric that ships, and rubrics that are wrong.

use std::fs;
use std::path::Path;

use crate::support::{audit_in, copy_files, told};

fn rubric() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("rubric")
}

#[test]
fn every_case_of_every_probe_holds() {
    let folder = tempfile::tempdir().unwrap();
    let (stdout, stderr, code) = told(&audit_in(folder.path(), &["rubric", "check"]));
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stdout.ends_with(", 0 fail\n"), "{stdout}");
}

#[test]
fn every_criterion_can_be_shown() {
    let folder = tempfile::tempdir().unwrap();
    for number in 1..=10 {
        let id = format!("C{number}");
        let (stdout, stderr, code) = told(&audit_in(folder.path(), &["rubric", "show", &id]));
        assert_eq!(code, 0, "{stderr}");
        assert!(
            stdout.starts_with(&id) && stdout.contains("otherwise"),
            "{stdout}"
        );
    }
}

#[test]
fn every_rung_says_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    for number in 1..=10 {
        let id = format!("C{number}");
        let show = ["rubric", "show", &id, "--sentences"];
        let (stdout, stderr, code) = told(&audit_in(folder.path(), &show));
        assert_eq!(code, 0, "{stderr}");
        for line in stdout.lines().filter(|line| line.starts_with(' ')) {
            let said = line.trim_start_matches([' ', '>']);
            assert!(said.ends_with('.') && !said.contains("  "), "{id}: {line}");
        }
        insta::assert_snapshot!(format!("sentences_{id}"), stdout);
    }
}

/// The message for the built-in rubric with `from` replaced by `to` in the file `name`.
fn refusal(name: &str, from: &str, to: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    copy_files(&rubric(), folder.path());
    let path = folder.path().join(name);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{name} has no {from:?}");
    fs::write(&path, text.replacen(from, to, 1)).unwrap();
    let (stdout, stderr, code) = told(&audit_in(
        folder.path(),
        &["rubric", "check", folder.path().to_str().unwrap()],
    ));
    assert_ne!(code, 0, "{stdout}");
    stdout + &stderr
}

#[test]
fn a_wrong_rubric_is_refused_with_its_place() {
    let unknown_field = refusal("criteria/C2.toml", "level = 3", "levle = 3");
    assert!(
        unknown_field.contains("criteria/C2.toml:") && unknown_field.contains("levle"),
        "{unknown_field}"
    );
    let unknown_fact = refusal("criteria/C4.toml", "host_shell", "host_shel");
    assert!(
        unknown_fact.contains("criteria/C4.toml:") && unknown_fact.contains("host_shel"),
        "{unknown_fact}"
    );
    let broken = refusal("boundary.toml", "pattern = '''", "pattern = '''(");
    assert!(
        broken.contains("boundary.toml:") && broken.contains("unclosed group"),
        "{broken}"
    );
    let no_ladder = refusal("criteria/C9.toml", "parameter = \"B\"", "parameter = \"D\"");
    assert!(
        no_ladder.contains("criteria/C9.toml") && no_ladder.contains("ladders for B"),
        "{no_ladder}"
    );
    let too_high = refusal(
        "criteria/C10.toml",
        "inferred = true",
        "inferred = true\nlevel_of_surprise = 1",
    );
    assert!(too_high.contains("level_of_surprise"), "{too_high}");
}

#[test]
fn a_probe_that_misses_its_own_case_is_told() {
    let told = refusal(
        "boundary.toml",
        "matches = ['",
        "matches = ['nothing like it', '",
    );
    assert!(told.contains("misses its own case"), "{told}");
}

//! `audit completions` and `audit man`.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{audit_in, told};

fn printed(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (stdout, stderr, code) = told(&audit_in(folder.path(), arguments));
    assert_eq!((stderr.as_str(), code), ("", 0));
    stdout
}

/// What bash offers for `words`, whose last one is being typed.
fn offered(script: &Path, words: &[&str]) -> String {
    let (typed, before) = words.split_last().unwrap();
    let last = before.last().unwrap();
    let code = format!(
        "source '{}'; COMP_WORDS=({}); COMP_CWORD={}; _audit audit '{typed}' '{last}'; echo \"${{COMPREPLY[@]}}\"",
        script.display(),
        words.iter().map(|w| format!("'{w}' ")).collect::<String>(),
        before.len(),
    );
    let output = Command::new("bash").args(["-c", &code]).output().unwrap();
    let (stdout, stderr, code) = told(&output);
    assert_eq!((stderr.as_str(), code), ("", 0));
    stdout.trim_end().to_owned()
}

#[test]
fn bash_completes_commands_and_values() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("audit.bash");
    fs::write(&script, printed(&["completions", "bash"])).unwrap();
    assert_eq!(offered(&script, &["audit", "comple"]), "completions");
    assert_eq!(
        offered(&script, &["audit", "badge", "card.json", "--format", "s"]),
        "svg"
    );
    let formats = offered(&script, &["audit", ".", "--format", ""]);
    assert!(
        formats.contains("sarif") && formats.contains("json"),
        "{formats}"
    );
}

#[test]
fn every_shell_has_a_script_that_knows_the_commands() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = printed(&["completions", shell]);
        for word in ["compare", "rubric", "fail-on"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
        assert!(!script.contains("batch-member"), "{shell}");
    }
}

#[test]
fn there_is_a_page_for_the_program_and_for_each_command() {
    let page = printed(&["man"]);
    assert!(page.contains(".TH audit 1"), "{page}");
    for heading in ["NAME", "SYNOPSIS", "OPTIONS", "SUBCOMMANDS"] {
        assert!(page.contains(&format!(".SH {heading}")), "{heading}");
    }
    assert!(page.contains("Exit codes"), "{page}");
    for command in [
        "render", "verify", "map", "explain", "compare", "badge", "rubric",
    ] {
        let page = printed(&["man", command]);
        assert!(page.contains(&format!("audit\\-{command}")), "{page}");
    }
    assert!(printed(&["man", "rubric", "check"]).contains("audit rubric check"));
}

#[test]
fn a_page_that_is_not_there_is_refused_with_those_that_are() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, told_of) in [
        (&["man", "compere"][..], "compare"),
        (&["man", "rubric", "shaw"][..], "show"),
        (&["completions", "tcsh"][..], "powershell"),
    ] {
        let (stdout, stderr, code) = told(&audit_in(folder.path(), arguments));
        assert_eq!((stdout.as_str(), code), ("", 2));
        assert!(stderr.contains(told_of), "{stderr}");
    }
}

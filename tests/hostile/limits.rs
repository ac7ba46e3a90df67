//! What one audit may read in all, and what comes of the rest.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{AGENT, Repo, audit_in, copy_files, told};
use crate::{TOOL, audited, git, level, levels, nothing_gained};

/// The agent with a second tool.
fn agent_with_a_second_tool() -> Repo {
    let mut files = AGENT.to_vec();
    files.push(("tiny/zip.py", TOOL));
    Repo::of(&files)
}

fn limitations(card: &Value) -> String {
    card["limitations"].to_string()
}

/// Number of parameters that are inferred, not read off a line.
fn inferred(card: &Value) -> usize {
    card["criteria"]
        .to_string()
        .matches("\"status\":\"inferred\"")
        .count()
}

/// What holds of a card of which not all was read, where `whole` is that of all: it says what was not read, claims no
/// absence, and what speaks against a level may not have been seen, so that each above 0 is a low and an inferred one.
fn is_limited(card: &Value, whole: &Value, named: &str) {
    let told = limitations(card);
    assert!(told.contains("limits of one audit were reached"), "{told}");
    assert!(told.contains(named), "{told}");
    for criterion in 1..=10 {
        for parameter in ["S", "C", "D", "B"] {
            let now = level(card, criterion, parameter);
            assert!(now >= 0, "C{criterion} is called absent: {card}");
            let status = &card["criteria"][criterion - 1]["parameters"][parameter]["status"];
            assert!(
                now == 0 || now <= 2 && status == "inferred",
                "C{criterion}.{parameter}: {card}"
            );
        }
    }
    assert!(inferred(card) > inferred(whole), "{card}");
}

#[test]
fn what_lies_beyond_the_limits_is_told_and_shows_no_absence() {
    let repo = agent_with_a_second_tool();
    let (whole, _) = audited(&repo, &[]);
    assert!(!limitations(&whole).contains("limits of one audit"));
    for (files, first) in [
        ("0", "5 (README.md"),
        ("1", "4 (pyproject.toml"),
        ("2", "3 (tiny/loop.py"),
        ("3", "2 (tiny/shell.py"),
        ("4", "1 (tiny/zip.py"),
    ] {
        let (card, _) = audited(&repo, &["--force", "--max-files", files]);
        is_limited(&card, &whole, first);
    }
    let (card, _) = audited(&repo, &["--max-files", "5", "--max-bytes", "9000"]);
    assert_eq!(card, whole, "limits that are not reached change nothing");
}

#[test]
fn bytes_are_counted_over_all_files_and_the_first_that_is_too_many_ends_the_reading() {
    let repo = agent_with_a_second_tool();
    let size = |path: &str| fs::metadata(repo.path().join(path)).unwrap().len();
    let first = size("README.md") + size("pyproject.toml");
    let (whole, _) = audited(&repo, &[]);
    let most = (first + size("tiny/loop.py") - 1).to_string();
    let (card, _) = audited(&repo, &["--force", "--max-bytes", &most]);
    is_limited(
        &card,
        &whole,
        "3 (tiny/loop.py, tiny/shell.py, tiny/zip.py)",
    );
    let most = (first + size("tiny/loop.py") + size("tiny/shell.py")).to_string();
    let (card, _) = audited(&repo, &["--max-bytes", &most]);
    is_limited(&card, &whole, "1 (tiny/zip.py)");
}

#[test]
fn hits_and_kept_texts_have_limits_too() {
    let (whole, _) = audited(&Repo::of(AGENT), &[]);
    for (limit, few) in [
        ("max_all_hits = 4_000_000", "max_all_hits = 1"),
        ("max_kept_bytes = 64_000_000", "max_kept_bytes = 100"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("rubric");
        copy_files(&built_in, folder.path());
        let file = folder.path().join("inventory.toml");
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(limit));
        fs::write(&file, text.replace(limit, few)).unwrap();
        let rubric = folder.path().to_str().unwrap();
        let (card, _) = audited(&Repo::of(AGENT), &["--force", "--rubric", rubric]);
        is_limited(&card, &whole, "tiny/loop.py");
    }
}

#[test]
fn a_limited_run_is_a_partial_one() {
    let repo = agent_with_a_second_tool();
    let line = [
        ".",
        "--quiet",
        "--force",
        "--max-unread",
        "5%",
        "--max-files",
    ];
    for (files, code) in [("4", 5), ("5", 0)] {
        let (_, stderr, found) = told(&audit_in(repo.path(), &[&line[..], &[files]].concat()));
        assert_eq!(found, code, "{stderr}");
    }
}

#[test]
fn commented_lines_hide_no_hit_however_many_they_are() {
    let commented = "# MAX_STEPS = 30\n# for step in range(MAX_STEPS):\n".repeat(100);
    let docstring = format!("\"\"\"\n{}\"\"\"\n", commented.replace("# ", ""));
    for padding in [commented, docstring] {
        let padded = format!("{padding}{}", AGENT[2].1);
        let mut files = AGENT.to_vec();
        files[2] = ("tiny/loop.py", &padded);
        let (card, _) = audited(&Repo::of(&files), &[]);
        let (plain, _) = audited(&Repo::of(AGENT), &[]);
        assert_eq!(level(&plain, 10, "S"), 1);
        assert_eq!(levels(&card), levels(&plain));
    }
}

#[test]
fn a_source_file_that_is_missing_counts_as_one_and_not_as_a_byte() {
    let repo = agent_with_a_second_tool();
    let id = git(repo.path(), &["rev-parse", "HEAD:tiny/zip.py"]);
    let object = repo.path().join(".git/objects").join(&id[..2]);
    fs::remove_file(object.join(&id[2..])).unwrap();
    let (card, _) = audited(&repo, &[]);
    assert!(limitations(&card).contains("tiny/zip.py"));
    assert!(!levels(&card).contains(&-1), "{card}");
}

/// The agent with so many more files, of which the first `damaged` cannot be read.
fn damaged(files: usize, damaged: usize) -> Repo {
    let repo = Repo::of(AGENT);
    let path = |n: usize| format!("tiny/more/f{n:03}.py");
    fs::create_dir_all(repo.path().join("tiny/more")).unwrap();
    for n in 0..files {
        fs::write(repo.path().join(path(n)), format!("x = {n}\n")).unwrap();
    }
    repo.commit_all("more");
    for n in 0..damaged {
        let id = git(repo.path(), &["rev-parse", &format!("HEAD:{}", path(n))]);
        let object = repo.path().join(".git/objects").join(&id[..2]);
        let object = object.join(&id[2..]);
        fs::remove_file(&object).unwrap();
        fs::write(&object, "garbage").unwrap();
    }
    repo
}

#[test]
fn files_that_cannot_be_read_are_told_up_to_a_tenth() {
    let (card, _) = audited(&damaged(300, 25), &[]);
    let told = limitations(&card);
    assert!(told.contains("25 (tiny/more/f000.py"), "{told}");
    nothing_gained(&card);
}

#[test]
fn above_a_tenth_there_is_no_card() {
    let repo = damaged(40, 20);
    let (_, stderr, code) = told(&audit_in(repo.path(), &[".", "--quiet"]));
    assert_eq!(code, 19, "{stderr}");
    assert!(stderr.contains("20 of 44 files"), "{stderr}");
}

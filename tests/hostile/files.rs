//! Files that are named on the command line: pipes, devices, folders, what is too large, and places that cannot be
//! written.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::inert;
use crate::support::{AGENT, Repo, audit_in, told};

const CARD: &str = include_str!("../data/coze-studio.scorecard.json");

/// Every command that takes a file, with `FILE` where it goes.
const READERS: [&[&str]; 16] = [
    &["render", "FILE"],
    &["render", "FILE", "--format", "html"],
    &["render", "card.json", "--review", "FILE"],
    &["verify", "FILE"],
    &["badge", "FILE"],
    &["compare", "FILE", "card.json"],
    &["compare", "card.json", "FILE"],
    &["review", "init", "FILE"],
    &["batch", "FILE", "--out", "cards"],
    &["leaderboard", "FILE"],
    &["leaderboard", ".", "--previous", "FILE"],
    &[".", "--review", "FILE"],
    &[".", "--config", "FILE"],
    &[".", "--baseline", "FILE"],
    &[".", "--rubric", "FILE"],
    &["rubric", "check", "FILE"],
];

fn run(folder: &Path, line: &[&str], file: &str) -> (String, i32) {
    let line: Vec<&str> = line
        .iter()
        .map(|word| if *word == "FILE" { file } else { word })
        .collect();
    let (stdout, stderr, code) = told(&audit_in(folder, &line));
    inert(&stderr);
    assert!(!stderr.contains("os error"), "{line:?}: {stderr}");
    assert!(!stderr.contains("panicked"), "{line:?}: {stderr}");
    assert_eq!(stdout, "", "{line:?}");
    (stderr, code)
}

fn desk() -> Repo {
    let mut files = AGENT.to_vec();
    files.push(("card.json", CARD));
    Repo::of(&files)
}

#[test]
fn what_is_no_regular_file_is_refused_at_once_with_one_message() {
    let repo = desk();
    let at = |name: &str| repo.path().join(name);
    assert!(
        Command::new("mkfifo")
            .arg(at("pipe"))
            .status()
            .unwrap()
            .success()
    );
    let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
    symlink("/dev/zero", at("device")).unwrap();
    symlink("nowhere", at("dangling")).unwrap();
    symlink("circle", at("circle")).unwrap();
    for line in READERS {
        for file in [
            "pipe",
            "socket",
            "device",
            "dangling",
            "circle",
            "none",
            "card.json/x",
            "/dev/stdin",
        ] {
            let (stderr, code) = run(repo.path(), line, file);
            assert_eq!(code, 2, "{line:?} {file}: {stderr}");
            assert!(
                stderr.starts_with("audit: ") && stderr.contains(file),
                "{stderr}"
            );
            assert!(stderr.lines().count() <= 2, "{stderr}");
        }
    }
}

#[test]
fn a_pipe_in_a_rubric_or_a_batch_folder_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mkfifo = |name: &str| {
        assert!(
            Command::new("mkfifo")
                .arg(at(name))
                .status()
                .unwrap()
                .success()
        )
    };
    fs::create_dir(at("rubric")).unwrap();
    mkfifo("rubric/boundary.toml");
    let (_, stderr, code) = told(&audit_in(folder.path(), &["rubric", "check", "rubric"]));
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("is a pipe, not a regular file"), "{stderr}");
    let repo = Repo::of(AGENT);
    let list = format!(
        "[[repository]]\nid = \"tiny\"\npath = \"{}\"\n",
        repo.path().display()
    );
    fs::write(at("list.toml"), list).unwrap();
    let batch = ["batch", "list.toml", "--out", "cards", "--quiet"];
    assert_eq!(told(&audit_in(folder.path(), &batch)).2, 0);
    mkfifo("cards/tiny/pipe");
    let (_, stderr, code) = told(&audit_in(folder.path(), &batch));
    assert_eq!(code, 20, "{stderr}");
    fs::remove_file(at("cards/tiny/pipe")).unwrap();
    fs::remove_file(at("cards/tiny/scorecard.json")).unwrap();
    mkfifo("cards/tiny/scorecard.json");
    let (_, stderr, code) = told(&audit_in(folder.path(), &["leaderboard", "cards"]));
    assert_eq!(code, 1, "{stderr}");
}

#[test]
fn what_is_no_card_is_bad_input_to_every_command() {
    let repo = desk();
    let at = |name: &str| repo.path().join(name);
    let deep = "[".repeat(200_000);
    let unknown = CARD.replacen('{', "{\"unknown\": 1,", 1);
    let texts: [(&str, &[u8]); 9] = [
        ("empty", b""),
        ("text", b"# A report\n"),
        ("binary", b"\xff\xfe\x00card"),
        ("array", b"[]"),
        ("object", b"{}"),
        ("number", b"1e999"),
        ("deep", deep.as_bytes()),
        ("unknown", unknown.as_bytes()),
        ("escapes", b"{\"\x1b[2J\xe2\x80\xae\": 1}"),
    ];
    for (name, bytes) in texts {
        fs::write(at(name), bytes).unwrap();
        for line in READERS
            .iter()
            .filter(|line| ["render", "verify", "badge", "compare"].contains(&line[0]))
        {
            let (stderr, code) = run(repo.path(), line, name);
            assert_eq!(code, 2, "{line:?} {name}: {stderr}");
        }
    }
    // A card that breaks the rules is one, and has problems.
    fs::write(at("wrong"), CARD.replacen("2026-10-05", "yesterday", 1)).unwrap();
    let (stdout, _, code) = told(&audit_in(repo.path(), &["verify", "wrong"]));
    assert_eq!(code, 1, "{stdout}");
}

#[test]
fn a_file_that_is_too_large_is_refused_unread() {
    let repo = desk();
    let sparse = fs::File::create(repo.path().join("large")).unwrap();
    sparse.set_len(3 << 30).unwrap();
    for line in READERS.iter().filter(|line| {
        !line.contains(&"--rubric")
            && line[0] != "rubric"
            && line[0] != "leaderboard"
            && !line.contains(&"--previous")
    }) {
        let (stderr, code) = run(repo.path(), line, "large");
        assert_eq!(code, 2, "{line:?}: {stderr}");
        assert!(stderr.contains("has more than"), "{line:?}: {stderr}");
    }
}

#[test]
fn places_that_cannot_be_written_say_what_to_do() {
    let repo = desk();
    for (line, advice) in [
        (&[".", "--out", "card.json"][..], "choose another name"),
        (
            &[".", "--out", "card.json/x"],
            "a part of the path is a file",
        ),
        (&[".", "--out", "/proc/audit"], "check the name"),
        (&[".", "--out", "/sys/audit"], "choose another place"),
        (
            &["batch", "list.toml", "--out", "card.json"],
            "a part of the path is a file",
        ),
        (
            &["review", "init", "card.json", "--out", "none/x"],
            "check the name",
        ),
        (
            &["review", "init", "card.json", "--out", "card.json"],
            "choose another name",
        ),
        (&[".", "--private", "none/x"], "no such folder"),
    ] {
        fs::write(
            repo.path().join("list.toml"),
            "[[repository]]\nid = \"tiny\"\npath = \".\"\n",
        )
        .unwrap();
        let (_, stderr, code) = told(&audit_in(repo.path(), line));
        assert_eq!(code, 2, "{line:?}: {stderr}");
        assert!(
            stderr.contains(advice) && !stderr.contains("os error"),
            "{line:?}: {stderr}"
        );
    }
}

/// Runs the program with files of at most so many blocks of 512 bytes: what a full disk does, and needs no mount.
fn short_of_space(folder: &Path, blocks: u32, arguments: &str) -> (String, String, i32) {
    let program = env!("CARGO_BIN_EXE_audit");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec '{program}' {arguments}");
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder)
        .env("AUDIT_CACHE_DIR", folder.join("cache"))
        .output()
        .unwrap();
    told(&output)
}

#[test]
fn without_space_nothing_is_half_written() {
    let repo = desk();
    let (_, stderr, code) = short_of_space(repo.path(), 8, ". --out out --quiet");
    assert_eq!(code, 16, "{stderr}");
    assert_eq!(fs::read_dir(repo.path().join("out")).unwrap().count(), 0);
    let url = format!("file://{}", repo.path().display());
    let (_, stderr, code) = short_of_space(repo.path(), 1, &format!("{url} --out out --quiet"));
    assert_eq!(code, 16, "{stderr}");
    for entry in fs::read_dir(repo.path().join("cache")).unwrap() {
        let entry = entry.unwrap().path();
        if entry.file_name().unwrap() != "results" {
            assert_eq!(
                fs::read_dir(&entry).unwrap().count(),
                0,
                "{}",
                entry.display()
            );
        }
    }
    let (_, stderr, code) = short_of_space(repo.path(), 0, "review init card.json --out new.toml");
    assert_eq!(code, 16, "{stderr}");
    assert!(!repo.path().join("new.toml").exists());
}

#[test]
fn a_full_stdout_has_its_code_and_a_closed_one_is_no_error() {
    let repo = desk();
    for line in [
        &["render", "card.json"][..],
        &["verify", "card.json"],
        &["badge", "card.json"],
        &["man"],
        &["completions", "bash"],
        &["map", "."],
        &["rubric", "show", "C4"],
        &[".", "--out", "out"],
    ] {
        let run = |stdout: Stdio| {
            Command::new(env!("CARGO_BIN_EXE_audit"))
                .args(line)
                .current_dir(repo.path())
                .env("AUDIT_CACHE_DIR", repo.path().join("cache"))
                .stdout(stdout)
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        };
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = run(full.into()).wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(16), "{line:?}: {stderr}");
        assert!(
            stderr.contains("audit: stdout: no space is left"),
            "{stderr}"
        );
        let mut child = run(Stdio::piped());
        drop(child.stdout.take());
        // The hand-made card has problems, which verify tells by its code.
        let expected = if line[0] == "verify" { 1 } else { 0 };
        assert_eq!(child.wait().unwrap().code(), Some(expected), "{line:?}");
    }
}

#[test]
fn a_batch_does_not_follow_links_out_of_its_folder() {
    let elsewhere = tempfile::tempdir().unwrap();
    let kept = elsewhere.path().join("lock");
    fs::write(&kept, "mine").unwrap();
    let repo = Repo::of(AGENT);
    let list = "[[repository]]\nid = \"tiny\"\npath = \".\"\n";
    fs::write(repo.path().join("list.toml"), list).unwrap();
    let batch = || {
        told(&audit_in(
            repo.path(),
            &["batch", "list.toml", "--out", "cards", "--quiet"],
        ))
    };
    for link in [
        ".audit-batch",
        ".audit-batch/all",
        ".audit-batch/all/lock",
        ".audit-batch/all/date",
    ] {
        let place = repo.path().join("cards").join(link);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        let target = if link.contains("lock") || link.contains("date") {
            kept.clone()
        } else {
            elsewhere.path().to_owned()
        };
        symlink(target, &place).unwrap();
        let (_, stderr, code) = batch();
        assert_eq!(code, 2, "{link}: {stderr}");
        assert!(stderr.contains("is a link"), "{stderr}");
        fs::remove_dir_all(repo.path().join("cards")).unwrap();
    }
    fs::create_dir(repo.path().join("cards")).unwrap();
    symlink(elsewhere.path(), repo.path().join("cards/tiny")).unwrap();
    assert_eq!(batch().2, 20);
    assert_eq!(fs::read_to_string(&kept).unwrap(), "mine");
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1);
}

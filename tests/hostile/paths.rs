//! Paths that steer, hide, lead out, or are many.

use std::fs;
use std::os::unix::fs::symlink;

use crate::support::{AGENT, Repo, audit_in, told};
use crate::{TOOL, audited, commit_tree, inert, nothing_gained, object, root_entries, tree};

/// Names that no checkout has: they are named as unread, and nothing of them counts.
const ODD: [&[u8]; 12] = [
    b"..",
    b".",
    b"",
    b".git",
    b".GIT",
    b"../../up.py",
    b"/etc/passwd",
    b"sub/inner.py",
    b"caf\xe9.py",
    b"\xff\xfe",
    b"\xed\xa0\x80.py",
    b"..\xc0\xaf.py",
];

/// Names that are read and cited like any other, and stay inert.
const STRANGE: [&str; 33] = [
    "C:\\x.py",
    "C:x.py",
    "\\\\host\\share.py",
    "NUL.py",
    "con",
    "a\nb.py",
    "a\rb.py",
    "a\tb.py",
    "GIT~1",
    ".git .py",
    ".g\u{200c}it",
    ".git\u{200b}",
    "Twin.py",
    "twin.py",
    "TWIN.PY",
    "é.py",
    "e\u{301}.py",
    "[x](javascript:alert(1)).py",
    "<img src=x onerror=alert(1)>.py",
    "\u{1b}[2J\u{1b}]0;x\u{7}.py",
    "\u{9b}31m.py",
    "\u{202e}yp.exe",
    "\u{2066}a\u{61c}.py",
    "\u{e0041}\u{feff}\u{ad}.py",
    "`rm -rf`.py",
    "$(touch pwned).py",
    "-rf.py",
    "--pre=sh.py",
    "a|b.py",
    "# Score: 10.py",
    "{{ 7*7 }}{% for x in y %}.py",
    "%0a&amp;\"'.py",
    "'; touch pwned; '.py",
];

#[test]
fn names_of_every_kind_are_read_or_named_and_stay_inert() {
    let repo = Repo::of(AGENT);
    let place = repo.path();
    let blob = object(place, "blob", TOOL.as_bytes());
    let long = "l".repeat(4000) + ".py";
    let too_long = "t".repeat(5000) + ".py";
    let mut names: Vec<&[u8]> = ODD.to_vec();
    names.extend(STRANGE.iter().map(|name| name.as_bytes()));
    names.extend([long.as_bytes(), too_long.as_bytes()]);
    let entries: Vec<(&str, &[u8], &str)> = names
        .iter()
        .map(|name| ("100644", *name, blob.as_str()))
        .collect();
    let tiny = root_entries(place)
        .into_iter()
        .find(|(_, name, _)| name == b"tiny")
        .unwrap();
    let odd = tree(place, &entries);
    let mut root = root_entries(place);
    root.retain(|(_, name, _)| name != b"tiny");
    root.push(tiny);
    root.push(("40000".to_owned(), b"worker".to_vec(), odd.clone()));
    root.push(("40000".to_owned(), b"..".to_vec(), odd));
    let root: Vec<(&str, &[u8], &str)> = root
        .iter()
        .map(|(mode, name, id)| (mode.as_str(), name.as_slice(), id.as_str()))
        .collect();
    commit_tree(place, &tree(place, &root));
    let (card, texts) = audited(&repo, &[]);
    let limitations = card["limitations"].to_string();
    assert!(
        limitations.contains(&format!("were not read: {}", ODD.len() + 2)),
        "the odd names, the one that is too long, and the folder `..`: {limitations}"
    );
    nothing_gained(&card);
    let (map, stderr, code) = told(&audit_in(place, &["map", "."]));
    assert_eq!(code, 0, "{stderr}");
    inert(&map);
    assert!(!place.join("pwned").exists());
    let outside_code: String = texts.split('`').step_by(2).collect();
    assert!(!outside_code.contains("](javascript:"));
    assert!(!texts.contains("<img src=x"));
}

#[test]
fn links_lead_nowhere() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(
        outside.path().join("secret.py"),
        "# hunter2\nimport subprocess\n",
    )
    .unwrap();
    let repo = Repo::of(AGENT);
    let at = |name: &str| repo.path().join(name);
    let far = outside.path().join("secret.py");
    symlink(&far, at("tiny/out.py")).unwrap();
    symlink(outside.path(), at("tiny/folder")).unwrap();
    symlink("../../../../../../etc/passwd", at("tiny/up.py")).unwrap();
    symlink("self.py", at("tiny/self.py")).unwrap();
    symlink(".", at("tiny/loop")).unwrap();
    symlink("..", at("tiny/parent")).unwrap();
    symlink("pong.py", at("tiny/ping.py")).unwrap();
    symlink("ping.py", at("tiny/pong.py")).unwrap();
    symlink("", at("tiny/empty.py")).unwrap_or_default();
    for step in 0..60 {
        let next = format!("chain{}.py", step + 1);
        symlink(next, at(&format!("tiny/chain{step}.py"))).unwrap();
    }
    symlink("shell.py", at("tiny/chain60.py")).unwrap();
    for name in [
        ".gitignore",
        ".gitattributes",
        ".ignore",
        "package.json",
        "SECURITY.md",
        ".env",
        "Dockerfile",
    ] {
        symlink(&far, at(name)).unwrap();
    }
    symlink("/dev/zero", at("docker-compose.yml")).unwrap();
    symlink("/dev/stdin", at("tiny/stdin.py")).unwrap();
    repo.commit_all("links");
    for more in [&[][..], &["--worktree"]] {
        let (card, texts) = audited(&repo, more);
        assert!(
            !texts.contains("hunter2") && !texts.contains("root:x:"),
            "{more:?}"
        );
        nothing_gained(&card);
    }
}

#[test]
fn pipes_sockets_and_devices_in_a_folder_are_not_opened() {
    let repo = Repo::of(AGENT);
    for name in ["tiny/pipe.py", ".gitignore", ".env", "package.json"] {
        let status = std::process::Command::new("mkfifo")
            .arg(repo.path().join(name))
            .status();
        assert!(status.unwrap().success());
    }
    let _socket = std::os::unix::net::UnixListener::bind(repo.path().join("tiny/s.py")).unwrap();
    audited(&repo, &["--worktree"]);
}

#[test]
fn five_hundred_folders_deep() {
    let deep = "d/".repeat(500);
    let path = format!("tiny/{deep}tool.py");
    let mut files = AGENT.to_vec();
    files.push((&path, TOOL));
    let repo = Repo::of(&files);
    for more in [&[][..], &["--worktree"]] {
        audited(&repo, more);
    }
}

#[test]
fn a_submodule_has_no_content_and_its_folder_name_means_nothing() {
    let repo = Repo::of(AGENT);
    let place = repo.path();
    let mut root = root_entries(place);
    let nowhere = "1234567890".repeat(4);
    root.push(("160000".to_owned(), b"tiny.py".to_vec(), nowhere.clone()));
    root.push((
        "160000".to_owned(),
        b"--upload-pack=touch pwned".to_vec(),
        nowhere,
    ));
    let modules = "[submodule \"x\"]\n\tpath = tiny.py\n\turl = --upload-pack=touch pwned\n";
    let modules = object(place, "blob", modules.as_bytes());
    root.push(("100644".to_owned(), b".gitmodules".to_vec(), modules));
    let root: Vec<(&str, &[u8], &str)> = root
        .iter()
        .map(|(mode, name, id)| (mode.as_str(), name.as_slice(), id.as_str()))
        .collect();
    commit_tree(place, &tree(place, &root));
    audited(&repo, &[]);
    assert!(!place.join("pwned").exists());
}

#[test]
fn an_own_output_folder_that_is_a_link_is_refused() {
    let elsewhere = tempfile::tempdir().unwrap();
    for link in ["audit-out", "audit-out/tiny"] {
        let repo = Repo::of(AGENT);
        let place = repo.path().join(link);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        symlink(elsewhere.path(), place).unwrap();
        let (_, stderr, code) = told(&audit_in(repo.path(), &[".", "--id", "tiny"]));
        assert_eq!(code, 2, "{stderr}");
        assert!(
            stderr.contains("is a link") && stderr.contains("--out"),
            "{stderr}"
        );
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    }
}

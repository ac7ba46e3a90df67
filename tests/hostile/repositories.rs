//! Repositories of every form, whole and damaged.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{AGENT, Repo, audit_in, told};
use crate::{audited, commit_tree, git, object, root_entries, tree};

fn audit(repo: &Path, more: &[&str]) -> (String, i32) {
    let out = tempfile::tempdir().unwrap();
    let line = [
        &[".", "--quiet", "--out", out.path().to_str().unwrap()],
        more,
    ]
    .concat();
    let (_, stderr, code) = told(&audit_in(repo, &line));
    crate::inert(&stderr);
    assert!(!stderr.contains("panicked"), "{stderr}");
    (stderr, code)
}

fn loose(repo: &Path, id: &str) -> PathBuf {
    repo.join(".git/objects").join(&id[..2]).join(&id[2..])
}

fn overwrite(path: &Path, bytes: &[u8]) {
    let _ = fs::remove_file(path);
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_repository_of_the_other_hash_is_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    git(
        folder.path(),
        &["init", "-q", "--object-format=sha256", "-b", "main"],
    );
    fs::write(folder.path().join("a.py"), "x").unwrap();
    git(folder.path(), &["add", "-A"]);
    git(folder.path(), &["commit", "-q", "-m", "first"]);
    let (stderr, code) = audit(folder.path(), &[]);
    assert_eq!(code, 19, "{stderr}");
    assert!(
        stderr.to_lowercase().contains("sha256") || stderr.contains("object format"),
        "{stderr}"
    );
    assert_eq!(audit(folder.path(), &["--worktree", "--force"]).1, 0);
}

#[test]
fn alternates_are_read_and_a_circle_of_them_ends() {
    let repo = Repo::of(AGENT);
    let folder = tempfile::tempdir().unwrap();
    let borrower = folder.path().join("borrower");
    git(
        folder.path(),
        &[
            "clone",
            "-q",
            "--shared",
            repo.path().to_str().unwrap(),
            "borrower",
        ],
    );
    assert_eq!(audit(&borrower, &[]).1, 0);
    let alternates = borrower.join(".git/objects/info/alternates");
    let own = borrower.join(".git/objects");
    let lender = repo.path().join(".git/objects");
    fs::write(
        lender.join("info/alternates"),
        format!("{}\n", own.display()),
    )
    .unwrap();
    let (stderr, code) = audit(&borrower, &[]);
    assert!([0, 19].contains(&code), "a circle: {code} {stderr}");
    fs::remove_file(lender.join("info/alternates")).unwrap();
    for text in [
        "/nonexistent/objects\n",
        "/dev/zero\n",
        "\u{0}\n",
        "../../../../../../etc\n",
    ] {
        fs::write(&alternates, text).unwrap();
        let (stderr, code) = audit(&borrower, &[]);
        assert!([12, 15, 19].contains(&code), "{text:?}: {code} {stderr}");
    }
}

#[test]
fn a_linked_worktree_a_shallow_clone_and_a_bare_one_give_the_same_card() {
    let repo = Repo::of(AGENT);
    repo.commit("second", "NOTES.md", "more\n");
    let folder = tempfile::tempdir().unwrap();
    let url = format!("file://{}", repo.path().display());
    let linked = folder.path().join("linked");
    git(
        repo.path(),
        &[
            "worktree",
            "add",
            "-q",
            "--detach",
            linked.to_str().unwrap(),
        ],
    );
    git(
        folder.path(),
        &["clone", "-q", "--depth", "1", &url, "shallow"],
    );
    git(folder.path(), &["clone", "-q", "--bare", &url, "bare.git"]);
    let card = |place: &Path| {
        let out = tempfile::tempdir().unwrap();
        let line = [
            place.to_str().unwrap(),
            "--id",
            "x",
            "--name",
            "X",
            "--out",
            out.path().to_str().unwrap(),
            "--quiet",
            "--repo-url",
            "https://github.com/o/x",
        ];
        let (_, stderr, code) = told(&audit_in(folder.path(), &line));
        assert_eq!(code, 0, "{}: {stderr}", place.display());
        fs::read_to_string(out.path().join("scorecard.json")).unwrap()
    };
    let first = card(repo.path());
    for place in [
        linked,
        folder.path().join("shallow"),
        folder.path().join("bare.git"),
    ] {
        assert_eq!(card(&place), first, "{}", place.display());
    }
    // The parent of a shallow clone's commit is not there.
    let parent = git(repo.path(), &["rev-parse", "HEAD~1"]);
    assert_eq!(
        audit(&folder.path().join("shallow"), &["--commit", &parent]).1,
        12
    );
}

#[test]
fn a_repository_that_somebody_else_owns_is_read_and_trusted_in_nothing() {
    let repo = Repo::of(AGENT);
    git(repo.path(), &["config", "core.fsmonitor", "touch pwned"]);
    git(
        repo.path(),
        &["config", "remote.origin.url", "https://github.com/o/tiny"],
    );
    // Only root can give a file away; others see that their own is read.
    let given = Command::new("chown")
        .args(["-R", "12345:12345"])
        .arg(repo.path())
        .status();
    drop(given);
    audited(&repo, &[]);
    assert!(!repo.path().join("pwned").exists());
}

#[test]
fn a_partial_clone_is_read_as_far_as_it_goes_and_nothing_is_fetched() {
    let repo = Repo::of(AGENT);
    git(repo.path(), &["config", "uploadpack.allowFilter", "true"]);
    let folder = tempfile::tempdir().unwrap();
    let url = format!("file://{}", repo.path().display());
    for (name, filter) in [
        ("blobless", "blob:none"),
        ("treeless", "tree:0"),
        ("small", "blob:limit=100"),
    ] {
        git(
            folder.path(),
            &[
                "clone",
                "-q",
                "--bare",
                &format!("--filter={filter}"),
                &url,
                name,
            ],
        );
        let place = folder.path().join(name);
        git(&place, &["config", "remote.origin.url", "ext::touch pwned"]);
        let (stderr, code) = audit(&place, &["--force"]);
        assert!([0, 19].contains(&code), "{name}: {code} {stderr}");
        assert!(!place.join("pwned").exists());
    }
}

#[test]
fn damaged_objects_are_told_or_left_out_and_never_crash() {
    for damage in [
        &b""[..],
        b"garbage",
        b"\x78\x9c\x4b\xca\xc9",
        b"\x78\x9cblob 99999999999\0",
    ] {
        for what in [
            "HEAD",
            "HEAD^{tree}",
            "HEAD:tiny",
            "HEAD:tiny/shell.py",
            "HEAD:README.md",
        ] {
            let repo = Repo::of(AGENT);
            let id = git(repo.path(), &["rev-parse", what]);
            overwrite(&loose(repo.path(), &id), damage);
            let (stderr, code) = audit(repo.path(), &["--force"]);
            let expected: &[i32] = if what.ends_with(".py") || what.ends_with(".md") {
                &[0, 19]
            } else {
                &[12, 15, 19]
            };
            assert!(
                expected.contains(&code),
                "{what} {damage:?}: {code} {stderr}"
            );
        }
    }
}

#[test]
fn a_damaged_pack_or_index_of_one_never_crashes() {
    for ending in ["pack", "idx"] {
        for (at, keep) in [
            (0, true),
            (8, true),
            (40, true),
            (200, true),
            (30, false),
            (0, false),
        ] {
            let repo = Repo::of(AGENT);
            git(repo.path(), &["gc", "-q"]);
            let packs = fs::read_dir(repo.path().join(".git/objects/pack")).unwrap();
            let pack = packs
                .map(|entry| entry.unwrap().path())
                .find(|p| p.extension().is_some_and(|e| e == ending))
                .unwrap();
            let mut bytes = fs::read(&pack).unwrap();
            match keep {
                true => {
                    let end = bytes.len().min(at + 24);
                    bytes[at..end].iter_mut().for_each(|byte| *byte ^= 0xff);
                }
                false => bytes.truncate(at),
            }
            overwrite(&pack, &bytes);
            let (stderr, code) = audit(repo.path(), &["--force"]);
            assert!(
                [0, 12, 15, 19].contains(&code),
                "{ending} {at} {keep}: {code} {stderr}"
            );
        }
    }
}

#[test]
fn objects_that_are_forged_are_told() {
    let repo = Repo::of(AGENT);
    let place = repo.path();
    let blob = git(place, &["rev-parse", "HEAD:README.md"]);
    let trees = [
        object(place, "tree", b""),
        object(place, "tree", b"100644 unclosed"),
        object(place, "tree", b"99999999999999 a\0short"),
        object(place, "tree", b"100644 a\0"),
        tree(
            place,
            &[
                ("777777", b"a.py", &blob),
                ("0", b"b.py", &blob),
                ("40000", b"c", &blob),
            ],
        ),
        tree(
            place,
            &[("100644", b"a.py", &blob), ("100644", b"a.py", &blob)],
        ),
    ];
    for tree in trees {
        commit_tree(place, &tree);
        let (stderr, code) = audit(place, &["--force"]);
        assert!([0, 19].contains(&code), "{code} {stderr}");
    }
    for (kind, bytes) in [
        ("commit", &b""[..]),
        (
            "commit",
            b"tree 0000000000000000000000000000000000000000\n\n",
        ),
        ("commit", b"tree nonsense\nauthor \xff\n\n"),
        ("tag", b"object 1\ntype commit\ntag \x1b[2J\n\n"),
        ("blob", b"no commit"),
    ] {
        let id = object(place, kind, bytes);
        let (stderr, code) = audit(place, &["--commit", &id]);
        assert!([12, 19].contains(&code), "{kind}: {code} {stderr}");
    }
}

#[test]
fn references_of_every_kind() {
    let repo = Repo::of(AGENT);
    let place = repo.path();
    let head = git(place, &["rev-parse", "HEAD"]);
    git(place, &["tag", "-a", "-m", "noted", "v1"]);
    git(place, &["tag", "-a", "-m", "noted twice", "v2", "v1"]);
    git(
        place,
        &["tag", "-a", "-m", "of a blob", "blob", "HEAD:README.md"],
    );
    for name in [
        "refs/heads/ü",
        "refs/heads/a'b$(c)",
        "refs/heads/%0a",
        "refs/heads/-x",
        "refs/tags/HEAD",
        "refs/weird/x",
    ] {
        git(place, &["update-ref", name, &head]);
    }
    for (name, expected) in [
        ("v1", 0),
        ("v2", 0),
        ("ü", 0),
        ("a'b$(c)", 0),
        ("%0a", 0),
        ("refs/heads/-x", 0),
        ("refs/weird/x", 0),
        ("blob", 12),
        ("refs/heads/none", 12),
        ("HEAD~1", 2),
        ("HEAD^{tree}", 2),
        ("a..b", 2),
        ("@{u}", 2),
        ("../../etc/passwd", 2),
        ("\u{1b}[2J", 2),
        ("a\nb", 2),
        (&"f".repeat(40), 12),
        (&"f".repeat(5000), 2),
    ] {
        let revision = format!("--commit={name}");
        let (stderr, code) = audit(place, &[&revision]);
        assert_eq!(code, expected, "{name:?}: {stderr}");
    }
    // A tag that is no tag, and stands where versions are looked for.
    let broken = object(place, "tag", b"object 1\ntype commit\ntag \x1b[2J\n\n");
    fs::write(place.join(".git/refs/tags/v3"), format!("{broken}\n")).unwrap();
    let (stderr, code) = audit(place, &[]);
    assert_eq!(code, 0, "{stderr}");
    let (stderr, code) = audit(place, &["--commit", "v3"]);
    assert_eq!(code, 12, "{stderr}");
    // References that lead in a circle, to nothing, or are no references.
    fs::write(place.join(".git/refs/heads/ping"), "ref: refs/heads/pong\n").unwrap();
    fs::write(place.join(".git/refs/heads/pong"), "ref: refs/heads/ping\n").unwrap();
    fs::write(place.join(".git/refs/heads/junk"), [0xff; 4000]).unwrap();
    for name in ["ping", "junk"] {
        let (stderr, code) = audit(place, &["--commit", name]);
        assert!([12, 19].contains(&code), "{name}: {code} {stderr}");
    }
    for text in [
        "",
        "ref: refs/heads/none\n",
        "ref: ../../../etc/passwd\n",
        "\u{1b}[2J",
        "ref: refs/heads/ping\n",
    ] {
        fs::write(place.join(".git/HEAD"), text).unwrap();
        let (stderr, code) = audit(place, &[]);
        assert!(
            [12, 14, 15, 19].contains(&code),
            "{text:?}: {code} {stderr}"
        );
    }
}

#[test]
fn configuration_of_the_repository_is_not_obeyed() {
    let repo = Repo::of(AGENT);
    let config = repo.path().join(".git/config");
    let plain = fs::read_to_string(&config).unwrap();
    for text in [
        "[include]\n\tpath = /dev/zero\n",
        "[include]\n\tpath = config\n",
        "[core]\n\tworktree = /etc\n\thooksPath = /tmp\n\tsshCommand = touch pwned\n",
        "[core]\n\trepositoryformatversion = 99\n",
        "[extensions]\n\tworktreeConfig = true\n\tobjectFormat = md5\n",
        "[unclosed\n",
        "\u{0}\u{1b}",
    ] {
        fs::write(&config, format!("{plain}{text}")).unwrap();
        let (stderr, code) = audit(repo.path(), &[]);
        assert!([0, 19].contains(&code), "{text:?}: {code} {stderr}");
    }
    assert!(!repo.path().join("pwned").exists());
}

/// A folder whose `.git` is a file that leads elsewhere, in a circle, or to nothing.
#[test]
fn a_git_file_leads_to_a_repository_or_is_refused() {
    for text in [
        "gitdir: .\n",
        "gitdir: .git\n",
        "gitdir: /nonexistent\n",
        "gitdir: /dev/zero\n",
        "nonsense",
        "",
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(".git"), text).unwrap();
        let (stderr, code) = audit(folder.path(), &[]);
        assert!([14, 19].contains(&code), "{text:?}: {code} {stderr}");
    }
}

/// A tree that names itself a million times over, with the longest names: refused before memory is full.
#[test]
fn trees_that_multiply_are_refused() {
    let repo = Repo::of(AGENT);
    let place = repo.path();
    let blob = git(place, &["rev-parse", "HEAD:README.md"]);
    let name = |n: usize| format!("{n}{}", "n".repeat(600)).into_bytes();
    let names: Vec<Vec<u8>> = (0..10).map(name).collect();
    let level = |mode: &str, id: &str| {
        let entries: Vec<(&str, &[u8], &str)> =
            names.iter().map(|n| (mode, n.as_slice(), id)).collect();
        tree(place, &entries)
    };
    let mut id = level("100644", &blob);
    for _ in 0..5 {
        id = level("40000", &id);
    }
    let mut root = root_entries(place);
    root.push(("40000".to_owned(), b"bomb".to_vec(), id));
    let root: Vec<(&str, &[u8], &str)> = root
        .iter()
        .map(|(m, n, i)| (m.as_str(), n.as_slice(), i.as_str()))
        .collect();
    commit_tree(place, &tree(place, &root));
    let program = env!("CARGO_BIN_EXE_audit");
    let script = format!("ulimit -d 2000000; exec '{program}' . --quiet --out out");
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(place)
        .output()
        .unwrap();
    let (_, stderr, code) = told(&output);
    assert_eq!(code, 19, "{stderr}");
}

//! `--worktree`: a folder as it lies there.

use std::fs;

use audit::checkout::{CheckoutOptions, Mode, ReadError};

use crate::support::Repo;
use crate::{checkout, content, failure, options, paths};

#[test]
fn a_folder_is_taken_as_it_lies_there() {
    let repo = Repo::new();
    let commit = repo.commit(
        "first",
        &[
            ("a.txt", "1"),
            (".gitignore", "*.log\n/build\n"),
            ("sub/.env.example", "K="),
        ],
    );
    repo.write("a.txt", "changed");
    repo.write("new.txt", "untracked");
    repo.write("noise.log", "ignored");
    repo.write("build/out.txt", "ignored");
    std::os::unix::fs::symlink("/etc/passwd", repo.path().join("link")).unwrap();
    let options = CheckoutOptions {
        worktree: true,
        ..options()
    };
    let snapshot = checkout(repo.url(), &options).unwrap();
    assert!(snapshot.worktree);
    assert_eq!(snapshot.commit, commit);
    assert_eq!(
        paths(&snapshot),
        [".gitignore", "a.txt", "link", "new.txt", "sub/.env.example"]
    );
    assert_eq!(content(&snapshot, "a.txt").unwrap(), "changed");
    assert_eq!(
        content(&snapshot, "link").unwrap(),
        "/etc/passwd",
        "the link itself is not followed"
    );
    let id = snapshot.files[1].id.to_string();
    assert_eq!(id, repo.git(&["hash-object", "a.txt"]), "ids are git's");
    assert_eq!(
        failure(
            repo.url(),
            &CheckoutOptions {
                revision: Some("main".to_owned()),
                ..options
            }
        )
        .0,
        2
    );
}

#[test]
fn a_folder_need_not_be_a_repository() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "1").unwrap();
    let options = CheckoutOptions {
        worktree: true,
        ..options()
    };
    let snapshot = checkout(folder.path().to_str().unwrap(), &options).unwrap();
    assert_eq!(snapshot.commit, "0".repeat(40));
    assert_eq!(paths(&snapshot), ["a.txt"]);
    assert_eq!(
        failure(folder.path().join("none").to_str().unwrap(), &options).0,
        10
    );
    assert_eq!(failure("https://example.com/o/n", &options).0, 2);
}

#[test]
fn reading_never_leaves_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret"), "s").unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    for name in ["sub/secret", "pipe-to-be"] {
        fs::write(folder.path().join(name), "harmless").unwrap();
    }
    let options = CheckoutOptions {
        worktree: true,
        ..options()
    };
    let snapshot = checkout(folder.path().to_str().unwrap(), &options).unwrap();
    fs::remove_dir_all(folder.path().join("sub")).unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.path().join("sub")).unwrap();
    fs::remove_file(folder.path().join("pipe-to-be")).unwrap();
    std::os::unix::fs::symlink(
        outside.path().join("secret"),
        folder.path().join("pipe-to-be"),
    )
    .unwrap();
    assert!(matches!(
        content(&snapshot, "sub/secret"),
        Err(ReadError::Io(_))
    ));
    assert!(matches!(
        content(&snapshot, "pipe-to-be"),
        Err(ReadError::Io(_))
    ));
    let mut forged = snapshot.files[0].clone();
    forged.path = format!(
        "../{}/secret",
        outside.path().file_name().unwrap().to_str().unwrap()
    );
    assert!(matches!(
        snapshot.reader().read(&forged, 1000, &mut Vec::new()),
        Err(ReadError::Io(_))
    ));
}

#[test]
fn a_repository_inside_a_folder_is_a_submodule() {
    let repo = Repo::new();
    repo.commit("first", &[("a.txt", "1")]);
    repo.write("inner/.git/HEAD", "ref: refs/heads/main");
    repo.write("inner/code.py", "x");
    let snapshot = checkout(
        repo.url(),
        &CheckoutOptions {
            worktree: true,
            ..options()
        },
    )
    .unwrap();
    assert_eq!(paths(&snapshot), ["a.txt", "inner"]);
    assert_eq!(snapshot.files[1].mode, Mode::Submodule);
}

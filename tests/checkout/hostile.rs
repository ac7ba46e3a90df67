//! Repositories that lack objects, or mean harm.

use audit::checkout::{CheckoutOptions, Mode, ReadError};

use crate::support::Repo;
use crate::{at, cached_in, checkout, content, failure, options, paths};

#[test]
fn a_missing_blob_is_missing_and_no_more() {
    let repo = Repo::new();
    repo.commit("first", &[("a.txt", "here"), ("sub/gone.txt", "gone")]);
    // Marked as partial clone of a place that does not exist: an attempt to fetch would fail loudly.
    repo.git(&["config", "remote.origin.url", "file:///nonexistent"]);
    repo.git(&["config", "remote.origin.promisor", "true"]);
    repo.git(&["config", "extensions.partialClone", "origin"]);
    repo.remove_object("HEAD:sub/gone.txt");
    let cache = tempfile::tempdir().unwrap();
    for source in [repo.url(), &format!("file://{}", repo.url())] {
        let snapshot = checkout(source, &cached_in(cache.path())).unwrap();
        assert_eq!(paths(&snapshot), ["a.txt", "sub/gone.txt"]);
        assert_eq!(content(&snapshot, "a.txt").unwrap(), "here");
        let gone = content(&snapshot, "sub/gone.txt");
        assert!(
            matches!(gone, Err(ReadError::Missing)),
            "{source}: {gone:?}"
        );
    }
}

#[test]
fn a_missing_tree_is_noted() {
    let repo = Repo::new();
    repo.commit("first", &[("a.txt", "here"), ("sub/gone.txt", "gone")]);
    repo.remove_object("HEAD:sub");
    let snapshot = checkout(repo.url(), &options()).unwrap();
    assert_eq!(paths(&snapshot), ["a.txt"]);
    assert_eq!(snapshot.missing_trees, ["sub"]);
    repo.remove_object("HEAD^{tree}");
    assert_eq!(failure(repo.url(), &options()).0, 19);
}

#[test]
fn a_large_file_is_refused_and_a_submodule_has_no_content() {
    let repo = Repo::new();
    repo.commit("first", &[("large", &"x".repeat(2000))]);
    let head = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&[
        "update-index",
        "--add",
        "--cacheinfo",
        &format!("160000,{head},module"),
    ]);
    repo.git(&["commit", "-q", "-m", "submodule"]);
    let snapshot = checkout(repo.url(), &options()).unwrap();
    assert!(matches!(
        content(&snapshot, "large"),
        Err(ReadError::TooLarge(2000))
    ));
    assert_eq!(snapshot.files[1].mode, Mode::Submodule);
    assert!(matches!(
        content(&snapshot, "module"),
        Err(ReadError::Missing)
    ));
}

#[test]
fn paths_that_are_not_utf8_are_kept_apart() {
    let repo = Repo::new();
    repo.commit("first", &[("a.txt", "1")]);
    let blob = repo.git(&["rev-parse", "HEAD:a.txt"]);
    repo.git_with_input(
        &["mktree", "-z"],
        format!("100644 blob {blob}\tfine.txt\0100644 blob {blob}\t").as_bytes(),
    );
    let mut tree = format!("100644 blob {blob}\t").into_bytes();
    tree.extend_from_slice(b"caf\xe9.txt\0");
    tree.extend_from_slice(format!("100644 blob {blob}\tfine.txt\0").as_bytes());
    let tree = repo.git_with_input(&["mktree", "-z"], &tree);
    let commit = repo.git(&["commit-tree", "-m", "odd", &tree]);
    let snapshot = checkout(repo.url(), &at(&commit)).unwrap();
    assert_eq!(paths(&snapshot), ["fine.txt"]);
    assert_eq!(snapshot.odd_paths, ["caf\u{fffd}.txt"]);
}

#[test]
fn very_deep_and_exploding_trees_end() {
    let repo = Repo::new();
    repo.commit("first", &[("a.txt", "1")]);
    let mut tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
    for _ in 0..7 {
        let entries: String = (0..10)
            .map(|n| format!("040000 tree {tree}\t{n}\n"))
            .collect();
        tree = repo.git_with_input(&["mktree"], entries.as_bytes());
    }
    let bomb = repo.git(&["commit-tree", "-m", "ten million files", &tree]);
    let (code, message) = failure(repo.url(), &at(&bomb));
    assert_eq!(code, 19, "{message}");
    let deep = repo.deep_commit(5000);
    let snapshot = checkout(repo.url(), &at(&deep)).unwrap();
    assert_eq!(
        snapshot.odd_paths.len(),
        1,
        "cut where no system could check it out"
    );
}

#[test]
fn replacement_references_do_not_change_what_a_commit_holds() {
    let repo = Repo::new();
    let first = repo.commit("first", &[("a.txt", "pinned")]);
    let second = repo.commit("second", &[("a.txt", "replaced")]);
    repo.git(&["replace", &first, &second]);
    let snapshot = checkout(repo.url(), &at(&first)).unwrap();
    assert_eq!(content(&snapshot, "a.txt").unwrap(), "pinned");
}

#[test]
fn hostile_configuration_runs_nothing() {
    let repo = Repo::new();
    repo.commit(
        "first",
        &[("a.txt", "1"), (".gitattributes", "* filter=evil")],
    );
    let mark = repo.path().join("run");
    let command = format!("touch {}", mark.display());
    let keys = [
        "filter.evil.smudge",
        "filter.evil.process",
        "core.fsmonitor",
        "core.sshCommand",
        "credential.helper",
    ];
    for key in keys {
        repo.git(&["config", key, &command]);
    }
    let snapshot = checkout(repo.url(), &options()).unwrap();
    assert_eq!(content(&snapshot, "a.txt").unwrap(), "1");
    let folder = checkout(
        repo.url(),
        &CheckoutOptions {
            worktree: true,
            ..options()
        },
    )
    .unwrap();
    assert_eq!(content(&folder, "a.txt").unwrap(), "1");
    assert!(!mark.exists());
}

//! Repositories that lie on this machine.

use std::fs;

use audit::checkout::Mode;

use crate::support::Repo;
use crate::{at, checkout, content, failure, options, paths};

#[test]
fn a_path_gives_head_and_its_files() {
    let repo = Repo::new();
    repo.write("b/run.sh", "echo");
    fs::set_permissions(repo.path().join("b/run.sh"), executable()).unwrap();
    std::os::unix::fs::symlink("b/run.sh", repo.path().join("link")).unwrap();
    let commit = repo.commit("first", &[("a.txt", "one")]);
    let snapshot = checkout(repo.url(), &options()).unwrap();
    assert_eq!(snapshot.commit, commit);
    assert_eq!(paths(&snapshot), ["a.txt", "b/run.sh", "link"]);
    let modes: Vec<Mode> = snapshot.files.iter().map(|file| file.mode).collect();
    assert_eq!(modes, [Mode::File, Mode::Executable, Mode::Symlink]);
    assert_eq!(content(&snapshot, "a.txt").unwrap(), "one");
    assert_eq!(content(&snapshot, "link").unwrap(), "b/run.sh");
    assert!(!snapshot.worktree);
}

fn executable() -> fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o755)
}

#[test]
fn the_commit_counts_and_not_the_folder() {
    let repo = Repo::new();
    repo.commit("first", &[("a.txt", "committed")]);
    repo.write("a.txt", "changed");
    repo.write("new.txt", "untracked");
    let snapshot = checkout(repo.url(), &options()).unwrap();
    assert_eq!(paths(&snapshot), ["a.txt"]);
    assert_eq!(content(&snapshot, "a.txt").unwrap(), "committed");
}

#[test]
fn tags_branches_and_ids_lead_to_their_commit() {
    let repo = Repo::new();
    let first = repo.commit("first", &[("a.txt", "1")]);
    repo.git(&["tag", "light"]);
    repo.git(&["tag", "-a", "-m", "noted", "v1.9"]);
    repo.git(&["tag", "-a", "-m", "noted", "v1.10"]);
    repo.git(&["branch", "old"]);
    let second = repo.commit("second", &[("a.txt", "2")]);
    for name in [
        "light",
        "v1.9",
        "refs/tags/v1.10",
        "old",
        "heads/old",
        &first,
        &first[..10],
        &first.to_uppercase(),
    ] {
        let snapshot = checkout(repo.url(), &at(name)).unwrap();
        assert_eq!(snapshot.commit, first, "{name}");
        assert_eq!(
            snapshot.version.as_deref(),
            Some("v1.10"),
            "{name}: the highest of its tags"
        );
    }
    let head = checkout(repo.url(), &options()).unwrap();
    assert_eq!((head.commit, head.version), (second, None));
}

#[test]
fn bare_repositories_and_linked_worktrees_open() {
    let repo = Repo::new();
    let commit = repo.commit("first", &[("a.txt", "1")]);
    let bare = repo.clone_bare();
    assert_eq!(checkout(bare.url(), &options()).unwrap().commit, commit);
    let linked = repo.path().join("linked");
    repo.git(&[
        "worktree",
        "add",
        "-q",
        "--detach",
        linked.to_str().unwrap(),
    ]);
    let snapshot = checkout(linked.to_str().unwrap(), &options()).unwrap();
    assert_eq!((snapshot.commit, snapshot.id.as_str()), (commit, "linked"));
}

#[test]
fn names_come_from_the_remote_or_the_folder() {
    let repo = Repo::new();
    repo.commit("first", &[("a.txt", "1")]);
    let plain = checkout(repo.url(), &options()).unwrap();
    assert_eq!(
        (plain.id.as_str(), plain.name.as_str(), plain.repo_url),
        ("my-agent", "My Agent", None)
    );
    repo.git(&[
        "remote",
        "add",
        "origin",
        "https://me:hunter2@github.com/Owner/Other-Agent.git",
    ]);
    let with_origin = checkout(repo.url(), &options()).unwrap();
    assert_eq!(
        with_origin.remote.as_deref(),
        Some("https://github.com/Owner/Other-Agent.git")
    );
    assert_eq!(
        with_origin.repo_url.as_deref(),
        Some("https://github.com/Owner/Other-Agent")
    );
    assert_eq!(
        (with_origin.id.as_str(), with_origin.name.as_str()),
        ("other-agent", "Other Agent")
    );
}

#[test]
fn an_abbreviation_that_fits_several_commits_is_refused() {
    let repo = Repo::new();
    let (prefix, fitting) = repo.commits_with_common_prefix(4);
    let (code, message) = failure(repo.url(), &at(&prefix));
    assert_eq!(code, 13);
    for commit in fitting {
        assert!(message.contains(&commit), "{message} names {commit}");
    }
}

#[test]
fn objects_that_are_no_commits_do_not_make_an_abbreviation_ambiguous() {
    let repo = Repo::new();
    let commit = repo.commit("first", &[("a.txt", "1")]);
    let tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
    assert_eq!(
        checkout(repo.url(), &at(&commit[..4])).unwrap().commit,
        commit
    );
    assert_eq!(failure(repo.url(), &at(&tree)).0, 12, "a tree is no commit");
}

#[test]
fn failures_of_a_path_have_their_own_exit_codes() {
    let repo = Repo::new();
    assert_eq!(failure(repo.url(), &options()).0, 15, "empty");
    assert_eq!(
        failure(repo.url(), &at("main")).0,
        15,
        "empty, whatever is asked for"
    );
    repo.commit("first", &[("sub/a.txt", "1")]);
    assert_eq!(failure(repo.url(), &at("nope")).0, 12);
    assert_eq!(failure(repo.url(), &at(&"ab".repeat(20))).0, 12);
    assert_eq!(failure(repo.url(), &at("HEAD~1")).0, 2);
    let (code, message) = failure(repo.path().join("sub").to_str().unwrap(), &options());
    assert_eq!(code, 14);
    assert!(message.contains("lies inside of one"), "{message}");
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(failure(folder.path().to_str().unwrap(), &options()).0, 14);
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    assert_eq!(failure(file.to_str().unwrap(), &options()).0, 14);
    assert_eq!(
        failure(folder.path().join("none").to_str().unwrap(), &options()).0,
        10
    );
    let (_, message) = failure("github.com/owner/name", &options());
    assert!(
        message.contains("https://github.com/owner/name"),
        "{message}"
    );
}

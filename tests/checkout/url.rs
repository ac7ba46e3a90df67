//! Fetching, the cache, and what hosts answer.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use audit::checkout::CheckoutOptions;

use crate::support::{Repo, http_answering};
use crate::{at, cached_in, checkout, content, failure, paths};

#[test]
fn a_url_is_fetched_once_and_found_offline() {
    let repo = Repo::new();
    let first = repo.commit("first", &[("a.txt", "one")]);
    repo.git(&["tag", "-a", "-m", "noted", "v1"]);
    let second = repo.commit("second", &[("a.txt", "two")]);
    let url = format!("file://{}", repo.url());
    let cache = tempfile::tempdir().unwrap();
    let online = cached_in(cache.path());
    let offline = CheckoutOptions {
        offline: true,
        ..online.clone()
    };
    let with = |options: &CheckoutOptions, revision: &str| CheckoutOptions {
        revision: Some(revision.to_owned()),
        ..options.clone()
    };
    assert_eq!(failure(&url, &offline).0, 17);
    assert_eq!(checkout(&url, &online).unwrap().commit, second);
    let old = checkout(&url, &with(&online, "v1")).unwrap();
    assert_eq!(
        (old.commit.as_str(), old.version.as_deref()),
        (first.as_str(), Some("v1"))
    );
    assert_eq!(content(&old, "a.txt").unwrap(), "one");
    drop(repo);
    assert_eq!(
        checkout(&url, &with(&online, &first)).unwrap().commit,
        first,
        "no need for the remote"
    );
    assert_eq!(
        checkout(&url, &with(&online, &first[..7])).unwrap().commit,
        first
    );
    assert_eq!(checkout(&url, &offline).unwrap().commit, second);
    assert_eq!(
        checkout(&url, &with(&offline, "v1"))
            .unwrap()
            .version
            .as_deref(),
        Some("v1")
    );
    let (code, message) = failure(&url, &with(&offline, "v2"));
    assert_eq!(code, 17);
    assert!(message.contains(&first), "{message} lists what there is");
    assert_eq!(
        failure(&url, &with(&online, "v2")).0,
        10,
        "the remote is gone"
    );
}

#[test]
fn a_fetch_brings_one_commit_and_no_history() {
    let repo = Repo::new();
    let first = repo.commit("first", &[("old.txt", "old")]);
    repo.git(&["rm", "-q", "old.txt"]);
    let second = repo.commit("second", &[("a.txt", "two")]);
    let cache = tempfile::tempdir().unwrap();
    let url = format!("file://{}", repo.url());
    let full_id = CheckoutOptions {
        revision: Some(second),
        ..cached_in(cache.path())
    };
    assert_eq!(paths(&checkout(&url, &full_id).unwrap()), ["a.txt"]);
    let entry = only_entry(&only_entry(cache.path()));
    assert_eq!(failure(entry.to_str().unwrap(), &at(&first)).0, 12);
    assert!(!entry.join("index").exists(), "nothing is checked out");
}

fn only_entry(folder: &Path) -> PathBuf {
    let entries: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(entries.len(), 1, "{entries:?}");
    entries[0].clone()
}

#[test]
fn failures_of_a_url_leave_nothing_in_the_cache() {
    let repo = Repo::new();
    let cache = tempfile::tempdir().unwrap();
    let options = cached_in(cache.path());
    let url = format!("file://{}", repo.url());
    let with = |revision: &str| CheckoutOptions {
        revision: Some(revision.to_owned()),
        ..options.clone()
    };
    assert_eq!(failure(&url, &options).0, 15);
    repo.commit("first", &[("a.txt", "1")]);
    assert_eq!(failure(&url, &with("nope")).0, 12);
    assert_eq!(
        failure(&url, &with(&"ab".repeat(20))).0,
        12,
        "a commit that the remote does not have"
    );
    let (code, message) = failure(&url, &with("abcdef1"));
    assert_eq!(code, 12);
    assert!(message.contains("give the full id"), "{message}");
    let blob = repo.git(&["rev-parse", "HEAD:a.txt"]);
    assert_eq!(failure(&url, &with(&blob)).0, 12, "a blob is no commit");
    options.interrupt.store(true, Ordering::Relaxed);
    assert_eq!(failure(&url, &options).0, 130);
    assert_eq!(fs::read_dir(only_entry(cache.path())).unwrap().count(), 0);
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        failure(
            &format!("file://{}", folder.path().display()),
            &with("main")
        )
        .0,
        14
    );
    assert_eq!(
        failure("file:///nonexistent/repository", &with("main")).0,
        10
    );
}

#[test]
fn a_cache_that_cannot_be_written_says_so() {
    let repo = Repo::new();
    repo.commit("first", &[("a.txt", "1")]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cache");
    fs::write(&file, "not a folder").unwrap();
    let (code, message) = failure(&format!("file://{}", repo.url()), &cached_in(&file));
    assert_eq!(code, 16);
    assert!(message.contains("--cache-dir"), "{message}");
}

#[test]
fn a_damaged_entry_is_named() {
    let repo = Repo::new();
    let commit = repo.commit("first", &[("a.txt", "1")]);
    let cache = tempfile::tempdir().unwrap();
    let options = CheckoutOptions {
        revision: Some(commit),
        ..cached_in(cache.path())
    };
    let url = format!("file://{}", repo.url());
    checkout(&url, &options).unwrap();
    let entry = only_entry(&only_entry(cache.path()));
    fs::remove_file(entry.join("HEAD")).unwrap();
    let (code, message) = failure(&url, &options);
    assert_eq!(code, 19);
    assert!(message.contains(entry.to_str().unwrap()), "{message}");
}

#[test]
fn audits_side_by_side_share_the_cache() {
    let repo = Repo::new();
    let commit = repo.commit("first", &[("a.txt", "1")]);
    let cache = tempfile::tempdir().unwrap();
    let url = format!("file://{}", repo.url());
    std::thread::scope(|scope| {
        let audits: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| checkout(&url, &cached_in(cache.path())).map(|s| s.commit)))
            .collect();
        for audit in audits {
            assert_eq!(audit.join().unwrap().unwrap(), commit);
        }
    });
    only_entry(&only_entry(cache.path()));
}

#[test]
fn answers_of_a_host_have_their_own_exit_codes_and_show_no_secret() {
    let cache = tempfile::tempdir().unwrap();
    let server_says = |status: &str| {
        let address = http_answering(status);
        failure(
            &format!("http://me:hunter2@{address}/owner/name.git"),
            &cached_in(cache.path()),
        )
    };
    for (status, expected) in [
        ("401 Unauthorized", 11),
        ("403 Forbidden", 11),
        ("404 Not Found", 10),
        ("500 Oops", 18),
        ("200 OK", 10),
        ("", 18),
    ] {
        let (code, message) = server_says(status);
        assert_eq!(code, expected, "{status}: {message}");
        assert!(message.starts_with("http://127.0.0.1:"), "{message}");
        assert!(!message.contains("hunter2"), "{message}");
    }
    assert_eq!(
        failure("http://127.0.0.1:1/o/n", &cached_in(cache.path())).0,
        18,
        "nobody listens"
    );
    assert_eq!(
        failure("http://host.invalid/o/n", &cached_in(cache.path())).0,
        10,
        "no such host"
    );
}

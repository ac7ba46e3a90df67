//! Results of earlier audits: the same bytes with and without them, whatever became of them.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::support::{AGENT, Repo, audit_in, copy_files, told};

/// Name and bytes of the files of a card.
type Card = Vec<(String, Vec<u8>)>;

/// A folder to run in, with its cache.
struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn results(&self) -> PathBuf {
        self.0.path().join("cache/results")
    }

    /// The card of `repo` by an audit with `options`.
    fn card(&self, repo: &Path, options: &[&str]) -> Card {
        let out = tempfile::tempdir().unwrap();
        let mut arguments = vec![
            repo.to_str().unwrap(),
            "--quiet",
            "--id=tiny",
            "--repo-url=https://example.org/o/tiny",
            "--out",
            out.path().to_str().unwrap(),
        ];
        arguments.extend(options);
        let (_, errors, code) = told(&audit_in(self.0.path(), &arguments));
        assert_eq!((errors.as_str(), code), ("", 0));
        let mut files: Card = fs::read_dir(out.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| {
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                (name, fs::read(path).unwrap())
            })
            .collect();
        files.sort();
        assert_eq!(files.len(), 3);
        files
    }

    /// Every result, by name; the identity of the file tells whether it was written anew.
    fn kept(&self) -> Vec<(PathBuf, u64)> {
        let Ok(entries) = fs::read_dir(self.results()) else {
            return Vec::new();
        };
        let mut kept: Vec<_> = entries
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.path(), identity(&entry.metadata().unwrap())))
            .collect();
        kept.sort();
        kept
    }
}

#[cfg(unix)]
fn identity(data: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(data)
}

#[cfg(not(unix))]
fn identity(data: &fs::Metadata) -> u64 {
    data.len()
}

#[test]
fn a_second_run_uses_the_first_ones_results_and_writes_the_same_bytes() {
    let (desk, repo) = (Desk::new(), Repo::of(AGENT));
    let without = desk.card(repo.path(), &["--no-cache"]);
    assert_eq!(desk.kept(), []);
    let cold = desk.card(repo.path(), &["--threads=1"]);
    let kept = desk.kept();
    assert_eq!(kept.len(), 3);
    assert!(cold == without, "the first run differs");
    for threads in ["1", "2", "5"] {
        let warm = desk.card(repo.path(), &["--threads", threads]);
        assert!(warm == without, "{threads} threads differ");
    }
    assert_eq!(desk.kept(), kept, "everything was known");
}

#[test]
fn a_limited_run_gives_the_same_bytes_whatever_is_known_and_spoils_nothing_that_is() {
    let (desk, other, repo) = (Desk::new(), Desk::new(), Repo::of(AGENT));
    let limited = ["--force", "--max-files=3"];
    let card = |desk: &Desk, more: &[&str]| desk.card(repo.path(), &[&limited[..], more].concat());
    let without = card(&desk, &["--no-cache", "--threads=1"]);
    assert!(card(&desk, &["--threads=2"]) == without, "cold");
    assert!(card(&desk, &["--threads=1"]) == without, "warm");
    let whole = desk.card(repo.path(), &["--force"]);
    assert!(whole != without, "the limit is not reached");
    assert!(
        whole == other.card(repo.path(), &["--force", "--no-cache"]),
        "what a limited run knew is not all there is"
    );
    assert!(card(&desk, &["--threads=2"]) == without, "all is known");
}

#[test]
fn the_next_commit_takes_over_what_did_not_change() {
    let (desk, repo) = (Desk::new(), Repo::of(AGENT));
    desk.card(repo.path(), &[]);
    let first = desk.kept();
    repo.commit("v2", "tiny/more.py", "import os\n\nos.system(input())\n");
    repo.git(&["mv", "tiny/shell.py", "test_shell.py"]);
    repo.commit_all("v3");
    let next = desk.card(repo.path(), &[]);
    assert!(next == desk.card(repo.path(), &["--no-cache"]));
    let second = desk.kept();
    assert_eq!(
        first.iter().map(|(path, _)| path).collect::<Vec<_>>(),
        second.iter().map(|(path, _)| path).collect::<Vec<_>>(),
        "one entry of each kind for a repository"
    );
    assert!(first.iter().zip(&second).all(|(old, new)| old.1 != new.1));
    // Back again: the file that went is probed once more.
    let back = desk.card(repo.path(), &["--commit=v2"]);
    assert!(back == desk.card(repo.path(), &["--commit=v2", "--no-cache"]));
}

#[test]
fn damaged_results_are_as_none() {
    let (desk, repo) = (Desk::new(), Repo::of(AGENT));
    let card = desk.card(repo.path(), &[]);
    for damage in [
        |bytes: &mut Vec<u8>| bytes.truncate(bytes.len() / 2),
        |bytes: &mut Vec<u8>| bytes.clear(),
        |bytes: &mut Vec<u8>| {
            let last = bytes.len() - 1;
            bytes[last] ^= 0x20;
        },
        |bytes: &mut Vec<u8>| bytes.extend_from_slice(b"more"),
    ] {
        for (path, _) in desk.kept() {
            let mut bytes = fs::read(&path).unwrap();
            damage(&mut bytes);
            fs::write(&path, bytes).unwrap();
        }
        assert!(desk.card(repo.path(), &[]) == card);
    }
}

#[test]
fn results_of_another_repository_or_rubric_do_not_count() {
    let (desk, repo) = (Desk::new(), Repo::of(AGENT));
    desk.card(repo.path(), &[]);
    let rubric = tempfile::tempdir().unwrap();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("rubric");
    copy_files(&own, rubric.path());
    let changed = rubric.path().join("boundary.toml");
    let text = fs::read_to_string(&changed).unwrap();
    fs::write(&changed, format!("{text}\n# changed\n")).unwrap();
    desk.card(repo.path(), &["--rubric", rubric.path().to_str().unwrap()]);
    assert_eq!(desk.kept().len(), 6);
    desk.card(Repo::of(AGENT).path(), &[]);
    assert_eq!(desk.kept().len(), 9);
}

#[test]
fn nothing_is_kept_of_what_may_change() {
    let (desk, repo) = (Desk::new(), Repo::of(AGENT));
    desk.card(repo.path(), &["--worktree"]);
    assert_eq!(desk.kept(), []);
    // A commit that lacks the content of a file: it may be fetched later.
    let lost = walk(&repo.path().join(".git/objects"));
    let blob = lost
        .into_iter()
        .find(|path| fs::metadata(path).unwrap().len() < 200 && is_blob(repo.path(), path))
        .unwrap();
    fs::remove_file(blob).unwrap();
    desk.card(repo.path(), &[]);
    assert_eq!(desk.kept(), []);
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(walk(&path)),
            false => files.push(path),
        }
    }
    files
}

fn is_blob(repo: &Path, object: &Path) -> bool {
    let name = object.file_name().unwrap().to_str().unwrap();
    let folder = object.parent().unwrap().file_name().unwrap();
    let id = format!("{}{name}", folder.to_str().unwrap());
    let output = std::process::Command::new("git")
        .args(["cat-file", "-t", &id])
        .current_dir(repo)
        .output()
        .unwrap();
    output.stdout == b"blob\n"
}

#[test]
fn a_cache_that_cannot_be_written_is_no_matter() {
    let (desk, repo) = (Desk::new(), Repo::of(AGENT));
    fs::create_dir(desk.0.path().join("cache")).unwrap();
    fs::write(desk.results(), "in the way").unwrap();
    let card = desk.card(repo.path(), &[]);
    assert!(card == desk.card(repo.path(), &["--no-cache"]));
    assert_eq!(fs::read(desk.results()).unwrap(), b"in the way");
}

#[cfg(unix)]
#[test]
fn a_folder_that_others_may_write_is_not_used() {
    use std::os::unix::fs::PermissionsExt;
    let (desk, repo) = (Desk::new(), Repo::of(AGENT));
    fs::create_dir_all(desk.results()).unwrap();
    fs::set_permissions(desk.results(), fs::Permissions::from_mode(0o777)).unwrap();
    desk.card(repo.path(), &[]);
    assert_eq!(desk.kept(), []);
}

#[test]
fn audits_side_by_side_share_the_cache() {
    let (desk, repo) = (Desk::new(), Repo::of(AGENT));
    let alone = desk.card(repo.path(), &["--no-cache"]);
    std::thread::scope(|scope| {
        let audits: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| desk.card(repo.path(), &["--threads=1"])))
            .collect();
        for audit in audits {
            assert!(audit.join().unwrap() == alone);
        }
    });
    assert_eq!(desk.kept().len(), 3, "no temporary files are left");
    assert!(desk.card(repo.path(), &[]) == alone);
}

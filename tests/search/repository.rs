//! Repositories made for a test.

use std::path::Path;
use std::process::Command;

use audit::checkout::Snapshot;
use audit::search::SearchEngine;
use tempfile::TempDir;

/// A repository with one commit.
pub struct Repository {
    folder: TempDir,
}

impl Repository {
    /// Commits `files`, ignored or not.
    pub fn new(files: &[(&str, &[u8])]) -> Self {
        let repository = Self {
            folder: tempfile::tempdir().expect("temporary folder"),
        };
        for (path, content) in files {
            let path = repository.folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("parent")).expect("folder");
            std::fs::write(path, content).expect("file");
        }
        repository.git(&["init", "-q"]);
        repository.commit();
        repository
    }

    pub fn commit(&self) {
        self.git(&["add", "--all", "--force"]);
        self.git(&[
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.org",
            "commit",
            "-q",
            "-m",
            "files",
        ]);
    }

    pub fn git(&self, arguments: &[&str]) -> String {
        let mut git = Command::new("git");
        git.current_dir(self.folder.path())
            .args(["-c", "core.autocrlf=false", "-c", "commit.gpgsign=false"])
            .args(arguments);
        let output = git.output().expect("git");
        assert!(
            output.status.success(),
            "git {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    pub fn snapshot(&self) -> Snapshot {
        Snapshot::open(self.folder.path(), None).expect("snapshot")
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Runs all `cases` (command, scope, hits) in one pass and each on its own.
pub fn check(repository: &Repository, cases: &[(&str, &str, usize)]) {
    let snapshot = repository.snapshot();
    let engine = SearchEngine::new(&snapshot).expect("engine");
    let searches: Vec<_> = cases
        .iter()
        .map(|(command, scope, _)| (*command, *scope))
        .collect();
    for ((command, scope, hits), outcome) in cases.iter().zip(engine.run_all(&searches)) {
        let outcome = outcome.unwrap_or_else(|error| panic!("{command} in {scope}: {error}"));
        assert_eq!(
            (outcome.hits, outcome.older_hits),
            (*hits, *hits),
            "{command} in {scope}"
        );
        assert_eq!(
            engine.run(command, scope),
            Ok(outcome),
            "{command} in {scope} alone"
        );
    }
}

/// Why the search is refused.
pub fn refusal(repository: &Repository, command: &str, scope: &str) -> String {
    let snapshot = repository.snapshot();
    let engine = SearchEngine::new(&snapshot).expect("engine");
    engine.run(command, scope).expect_err(command).to_string()
}

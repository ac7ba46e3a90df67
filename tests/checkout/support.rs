//! Repositories and a host to test against.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Command, Stdio};

/// A repository in a temporary folder, driven by the `git` command without the user's configuration.
pub struct Repo {
    _folder: tempfile::TempDir,
    path: String,
}

impl Repo {
    /// An empty repository in a folder called `My-agent`, on the branch `main`.
    pub fn new() -> Self {
        let repo = Self::in_new_folder("My-agent");
        repo.git(&["init", "-q", "-b", "main"]);
        repo
    }

    fn in_new_folder(name: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join(name);
        fs::create_dir(&path).expect("a folder in it");
        Self {
            _folder: folder,
            path: path.to_str().expect("UTF-8").to_owned(),
        }
    }

    /// A bare clone, in a folder of its own.
    pub fn clone_bare(&self) -> Self {
        let bare = Self::in_new_folder("bare.git");
        bare.git(&["clone", "-q", "--bare", self.url(), "."]);
        bare
    }

    pub fn path(&self) -> &Path {
        Path::new(&self.path)
    }

    /// The path as text, as it is given on the command line.
    pub fn url(&self) -> &str {
        &self.path
    }

    pub fn write(&self, path: &str, content: &str) {
        let full = self.path().join(path);
        fs::create_dir_all(full.parent().expect("a parent")).expect("its folder");
        fs::write(full, content).expect("a file");
    }

    /// Writes `files`, commits everything, and returns the commit's id.
    pub fn commit(&self, message: &str, files: &[(&str, &str)]) -> String {
        for (path, content) in files {
            self.write(path, content);
        }
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Makes commits until some share their first `digits` digits; returns these digits and the commits.
    pub fn commits_with_common_prefix(&self, digits: usize) -> (String, Vec<String>) {
        let mut stream = String::new();
        for n in 0..2000 {
            stream.push_str(&format!(
                "commit refs/heads/main\ncommitter T <t@e> {n} +0000\ndata 0\n\n"
            ));
        }
        self.git_with_input(&["fast-import", "--quiet"], stream.as_bytes());
        let mut by_prefix: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for commit in self.git(&["rev-list", "main"]).lines() {
            by_prefix
                .entry(commit[..digits].to_owned())
                .or_default()
                .push(commit.to_owned());
        }
        by_prefix
            .into_iter()
            .find(|(_, commits)| commits.len() > 1)
            .expect("2000 commits collide")
    }

    /// A commit with one file under `depth` folders.
    pub fn deep_commit(&self, depth: usize) -> String {
        let path = "d/".repeat(depth);
        let stream = format!(
            "commit refs/heads/deep\ncommitter T <t@e> 0 +0000\ndata 0\nM 100644 inline {path}f\ndata 1\nx\n\n"
        );
        self.git_with_input(&["fast-import", "--quiet"], stream.as_bytes());
        self.git(&["rev-parse", "deep"])
    }

    /// Deletes the loose object that `revision` names.
    pub fn remove_object(&self, revision: &str) {
        let id = self.git(&["rev-parse", revision]);
        let file = self
            .path()
            .join(".git/objects")
            .join(&id[..2])
            .join(&id[2..]);
        fs::remove_file(file).expect("a loose object");
    }

    pub fn git(&self, arguments: &[&str]) -> String {
        self.git_with_input(arguments, b"")
    }

    /// Runs git in the repository and returns what it prints, without the last line break.
    pub fn git_with_input(&self, arguments: &[&str], input: &[u8]) -> String {
        let mut command = Command::new("git");
        command
            .args(arguments)
            .current_dir(self.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        for (name, value) in [
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_AUTHOR_NAME", "T"),
            ("GIT_AUTHOR_EMAIL", "t@example.com"),
            ("GIT_AUTHOR_DATE", "1700000000 +0000"),
            ("GIT_COMMITTER_NAME", "T"),
            ("GIT_COMMITTER_EMAIL", "t@example.com"),
            ("GIT_COMMITTER_DATE", "1700000000 +0000"),
        ] {
            command.env(name, value);
        }
        let mut child = command.spawn().expect("git runs");
        child
            .stdin
            .take()
            .expect("piped")
            .write_all(input)
            .expect("git reads");
        let output = child.wait_with_output().expect("git ends");
        assert!(output.status.success(), "git {arguments:?}");
        String::from_utf8(output.stdout)
            .expect("UTF-8")
            .trim_end()
            .to_owned()
    }
}

/// A host on this machine that answers every request with `status` and no git in it; it hangs up when `status` is empty.
pub fn http_answering(status: &str) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let answer = match status {
        "" => String::new(),
        status => {
            format!("HTTP/1.1 {status}\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
        }
    };
    std::thread::spawn(move || {
        for mut stream in listener.incoming().filter_map(Result::ok) {
            // The request ends with an empty line; it has no body.
            let request = BufReader::new(&stream);
            request
                .lines()
                .map_while(Result::ok)
                .take_while(|line| !line.is_empty())
                .for_each(drop);
            stream.write_all(answer.as_bytes()).ok();
        }
    });
    address
}

//! Runs the program, and makes small repositories for it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// The example platform that ships with the program.
pub fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/deskhand")
}

/// Runs `audit` with `arguments` in `folder`, on a fixed date.
pub fn audit_in(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_audit"))
        .args(arguments)
        .current_dir(folder)
        .env("SOURCE_DATE_EPOCH", "1796000000")
        .env("AUDIT_CACHE_DIR", folder.join("cache"))
        .output()
        .unwrap()
}

/// What the program printed on stdout, on stderr, and its exit code.
pub fn told(output: &Output) -> (String, String, i32) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (
        text(&output.stdout),
        text(&output.stderr),
        output.status.code().unwrap(),
    )
}

/// Copies the files below `from`.
pub fn copy_files(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy_files(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A git repository in a temporary folder.
pub struct Repo {
    folder: TempDir,
}

impl Repo {
    /// A repository with one commit of `files`.
    pub fn of(files: &[(&str, &str)]) -> Self {
        let repo = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        repo.git(&["init", "-q", "-b", "main"]);
        for (path, text) in files {
            let path = repo.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        repo.git(&["add", "-A", "-f"]);
        repo.git(&["commit", "-q", "-m", "first"]);
        repo
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes `text` to `file` and commits it under the tag `tag`.
    pub fn commit(&self, tag: &str, file: &str, text: &str) {
        let path = self.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self.commit_all(tag);
    }

    /// Commits whatever changed under the tag `tag`.
    pub fn commit_all(&self, tag: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", tag]);
        self.git(&["tag", tag]);
    }

    pub fn git(&self, arguments: &[&str]) {
        let status = Command::new("git")
            .args(["-c", "user.name=T", "-c", "user.email=t@example.org"])
            .args(arguments)
            .current_dir(self.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .status()
            .unwrap();
        assert!(status.success());
    }
}

/// A small agent: a loop, a dispatcher and a shell tool.
pub const AGENT: &[(&str, &str)] = &[
    (
        "README.md",
        "# Tiny\n\nTiny is a coding agent for your terminal.\n\n```sh\npip install tiny\ntiny\n```\n",
    ),
    (
        "pyproject.toml",
        "[project]\nname = \"tiny\"\ndescription = \"A coding agent\"\ndependencies = [\"openai\"]\n",
    ),
    (
        "tiny/loop.py",
        "from openai import OpenAI\nfrom .shell import run_command\n\nTOOLS = {\"bash\": run_command}\nMAX_STEPS = 30\n\n\
         def run(messages):\n    client = OpenAI()\n    for step in range(MAX_STEPS):\n        \
         reply = client.chat.completions.create(model=\"m\", messages=messages, tools=SCHEMAS)\n        \
         for call in reply.choices[0].message.tool_calls:\n            result = TOOLS[call.function.name](call.function.arguments)\n            \
         messages.append({\"role\": \"tool\", \"content\": result, \"tool_call_id\": call.id})\n\n\
         SCHEMAS = [{\"type\": \"function\", \"function\": {\"name\": \"bash\", \"description\": \"Run a shell command\", \
         \"parameters\": {\"type\": \"object\", \"properties\": {\"command\": {\"type\": \"string\", \"description\": \"the command to run\"}}}}}]\n",
    ),
    (
        "tiny/shell.py",
        "import subprocess\n\n\ndef run_command(command):\n    return subprocess.run(command, shell=True, capture_output=True, text=True).stdout\n",
    ),
];

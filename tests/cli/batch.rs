//! `audit batch`: many repositories, one of which may do anything.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{AGENT, Repo, audit_in, told};

/// A list with two agents, a repository without one, and one that is not there.
struct Lab {
    folder: TempDir,
    agents: [Repo; 2],
    nothing: Repo,
}

impl Lab {
    fn new() -> Self {
        let lab = Self {
            folder: tempfile::tempdir().unwrap(),
            agents: [Repo::of(AGENT), Repo::of(AGENT)],
            nothing: Repo::of(&[("README.md", "# Poems\n")]),
        };
        lab.list(&format!(
            "{}{}{}[[repository]]\nid = \"missing\"\npath = \"not/here\"\n",
            entry("one", lab.agents[0].path(), "name = \"One\"\n"),
            entry("two", lab.agents[1].path(), "subpath = \"tiny\"\n"),
            entry("nothing", lab.nothing.path(), ""),
        ));
        lab
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn list(&self, text: &str) {
        fs::write(self.path().join("list.toml"), text).unwrap();
    }

    fn batch(&self, out: &str, more: &[&str]) -> (String, String, i32) {
        let arguments = [&["batch", "list.toml", "--out", out], more].concat();
        told(&audit_in(self.path(), &arguments))
    }

    /// A batch that was started and is not waited for; its ssh is the shell command `ssh`.
    fn start(&self, out: &str, ssh: &str) -> Child {
        Command::new(env!("CARGO_BIN_EXE_audit"))
            .args(["batch", "list.toml", "--quiet", "--jobs", "2", "--out", out])
            .current_dir(self.path())
            .env("SOURCE_DATE_EPOCH", "1796000000")
            .env("AUDIT_CACHE_DIR", self.path().join("cache"))
            .env("GIT_SSH_COMMAND", ssh)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    fn summary(&self, out: &str) -> Value {
        let text = fs::read_to_string(self.path().join(out).join("summary.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    }
}

fn entry(id: &str, path: &Path, more: &str) -> String {
    format!(
        "[[repository]]\nid = \"{id}\"\npath = \"{}\"\n{more}\n",
        path.display()
    )
}

/// Every file below `folder` with its bytes.
fn bytes(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(place) = waiting.pop() {
        for found in fs::read_dir(place).unwrap() {
            let path = found.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_owned();
                files.insert(name, fs::read(path).unwrap());
            }
        }
    }
    files
}

/// Waits until `path` is there.
fn wait_for(path: &Path) {
    let until = Instant::now() + Duration::from_secs(60);
    while !path.exists() {
        assert!(Instant::now() < until, "{} never came", path.display());
        sleep(Duration::from_millis(10));
    }
}

fn written(path: PathBuf) -> std::time::SystemTime {
    fs::metadata(path).unwrap().modified().unwrap()
}

#[test]
fn one_failure_does_not_stop_the_rest_and_the_summary_says_why() {
    let lab = Lab::new();
    let (stdout, stderr, code) = lab.batch("out", &[]);
    assert_eq!(code, 20, "{stderr}");
    insta::assert_snapshot!(stdout);
    assert_eq!(stderr.lines().count(), 4, "{stderr}");
    let summary = lab.summary("out");
    let codes: Vec<(&str, Option<u64>)> = summary["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| (e["id"].as_str().unwrap(), e["code"].as_u64()))
        .collect();
    assert_eq!(
        codes,
        [
            ("missing", Some(10)),
            ("nothing", Some(3)),
            ("one", None),
            ("two", None)
        ]
    );
    assert!(lab.path().join("out/missing/failure.json").exists());
}

#[test]
fn cards_are_those_of_a_single_audit() {
    let lab = Lab::new();
    lab.batch("out", &["--jobs", "3"]);
    let repository = lab.agents[1].path().to_str().unwrap();
    let arguments = [
        repository,
        "--subpath",
        "tiny",
        "--id",
        "two",
        "--out",
        "alone",
    ];
    let (_, stderr, code) = told(&audit_in(lab.path(), &arguments));
    assert_eq!(code, 0, "{stderr}");
    let mut in_batch = bytes(&lab.path().join("out/two"));
    assert!(in_batch.remove(Path::new("receipt.json")).is_some());
    assert_eq!(in_batch, bytes(&lab.path().join("alone")));
}

#[test]
fn a_finished_card_is_kept_while_nothing_of_it_changes() {
    let lab = Lab::new();
    let list = |name: &str| lab.list(&entry("one", lab.agents[0].path(), name));
    let card = || lab.path().join("out/one/scorecard.json");
    list("");
    assert_eq!(lab.batch("out", &["--quiet"]).2, 0);
    let first = written(card());
    assert_eq!(lab.batch("out", &[]).2, 0);
    assert_eq!(written(card()), first, "the branch is where it was");
    let text = fs::read_to_string(card()).unwrap();

    fs::write(card(), text.replace("Tiny", "Tidy")).unwrap();
    assert_eq!(lab.batch("out", &[]).2, 0);
    assert_eq!(
        fs::read_to_string(card()).unwrap(),
        text,
        "a changed card is made again"
    );

    list("name = \"Other\"\n");
    lab.batch("out", &[]);
    let text = fs::read_to_string(card()).unwrap();
    assert!(text.contains("\"name\": \"Other\""), "an option changed");

    lab.agents[0].git(&["commit", "-q", "--allow-empty", "-m", "second"]);
    lab.batch("out", &[]);
    assert_ne!(
        fs::read_to_string(card()).unwrap(),
        text,
        "the branch moved"
    );
    let second = written(card());
    lab.batch("out", &["--date", "2026-01-02"]);
    assert_ne!(written(card()), second, "the date was asked for");
}

#[test]
fn a_failure_leaves_an_earlier_card_and_goes_when_there_is_a_new_one() {
    let lab = Lab::new();
    let list = |more: &str| lab.list(&entry("one", lab.agents[0].path(), more));
    list("");
    lab.batch("out", &[]);
    list("commit = \"no-such-tag\"\n");
    assert_eq!(lab.batch("out", &[]).2, 20);
    let place = lab.path().join("out/one");
    assert!(place.join("failure.json").exists() && place.join("report.md").exists());
    list("");
    assert_eq!(lab.batch("out", &[]).2, 0);
    assert!(!place.join("failure.json").exists());
}

/// Kills a batch in the middle with `signal`, goes on, and compares with a batch that was left alone.
fn killed_and_started_again(signal: &str) -> Option<i32> {
    let lab = Lab::new();
    // Hangs in the first run, and fails in the others.
    let hangs = "[[repository]]\nid = \"hangs\"\nurl = \"ssh://git@example.org/o/hangs\"\n";
    let list = fs::read_to_string(lab.path().join("list.toml")).unwrap();
    let two = "[[repository]]\nid = \"two\"";
    lab.list(&list.replacen(two, &format!("{hangs}{two}"), 1));
    let mut batch = lab.start("out", "sleep 600; true");
    wait_for(&lab.path().join("out/one/receipt.json"));
    let (_, stderr, code) = lab.batch("out", &[]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("another batch"), "{stderr}");
    let signalled = Command::new("kill")
        .args([signal, &batch.id().to_string()])
        .status()
        .unwrap();
    assert!(signalled.success());
    let code = batch.wait().unwrap().code();
    for (file, _) in bytes(&lab.path().join("out")) {
        assert!(!file.ends_with("summary.json"));
        if file.ends_with("report.md") && !file.starts_with(".audit-batch") {
            let card = lab
                .path()
                .join("out")
                .join(file)
                .with_file_name("receipt.json");
            assert!(card.exists(), "a card that is not whole");
        }
    }
    assert_eq!(lab.start("out", "false").wait().unwrap().code(), Some(20));
    assert_eq!(lab.start("calm", "false").wait().unwrap().code(), Some(20));
    let calm = bytes(&lab.path().join("calm"));
    assert!(calm.contains_key(Path::new("two/scorecard.json")));
    assert_eq!(bytes(&lab.path().join("out")), calm);
    code
}

#[test]
fn a_killed_run_that_is_started_again_ends_with_the_same_bytes() {
    assert_eq!(killed_and_started_again("-KILL"), None);
}

#[test]
fn an_interrupted_run_that_is_started_again_ends_with_the_same_bytes() {
    assert_eq!(killed_and_started_again("-INT"), Some(130));
}

#[test]
fn what_hangs_is_stopped_and_what_crashes_is_told() {
    let lab = Lab::new();
    let remote = "[[repository]]\nid = \"remote\"\nurl = \"ssh://git@example.org/o/remote\"\n";
    let batch = |ssh: &str, timeout: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_audit"))
            .args(["batch", "list.toml", "--jobs", "2", "--out", "out"])
            .args(["--timeout", timeout])
            .current_dir(lab.path())
            .env("AUDIT_CACHE_DIR", lab.path().join("cache"))
            .env("GIT_SSH_COMMAND", ssh)
            .output()
            .unwrap();
        let (stdout, stderr, code) = told(&output);
        assert_eq!(code, 20, "{stderr}");
        stdout
    };
    lab.list(remote);
    let stdout = batch("sleep 600; true", "2");
    let late = "  21  remote  stopped after 2 s (--timeout)";
    assert!(stdout.contains(late), "{stdout}");
    lab.list(&format!(
        "{remote}{}",
        entry("one", lab.agents[0].path(), "")
    ));
    let stdout = batch("kill -9 $PPID; true", "600");
    let crashed = "  22  remote  crashed, or needed more memory than --memory allows (signal: 9";
    assert!(stdout.contains(crashed), "{stdout}");
    assert!(stdout.contains("1 with a card"), "{stdout}");
}

#[test]
fn shards_cover_a_list_and_merge_by_copying() {
    let lab = Lab::new();
    lab.batch("whole", &[]);
    let mut merged = BTreeMap::new();
    for shard in ["0/2", "1/2"] {
        let out = format!("out-{}", &shard[..1]);
        lab.batch(&out, &["--shard", shard]);
        for (file, bytes) in bytes(&lab.path().join(out)) {
            if !file.starts_with(".audit-batch") {
                assert!(
                    merged.insert(file, bytes).is_none(),
                    "written by two shards"
                );
            }
        }
    }
    assert!(merged.remove(Path::new("summary-0-of-2.json")).is_some());
    assert!(merged.remove(Path::new("summary-1-of-2.json")).is_some());
    let mut whole = bytes(&lab.path().join("whole"));
    whole.retain(|file, _| !file.starts_with(".audit-batch") && !file.ends_with("summary.json"));
    assert_eq!(merged, whole);
}

#[test]
fn a_folder_that_is_no_card_is_left_alone() {
    let lab = Lab::new();
    lab.list(&entry("src", lab.agents[0].path(), ""));
    fs::create_dir(lab.path().join("src")).unwrap();
    fs::write(lab.path().join("src/main.c"), "int main;").unwrap();
    let (stdout, stderr, code) = lab.batch(".", &[]);
    assert_eq!(code, 20, "{stderr}");
    assert!(stdout.contains("is no card's folder"), "{stdout}");
    assert_eq!(bytes(&lab.path().join("src")).len(), 1);
}

#[test]
fn bad_input_stops_before_anything_is_written() {
    let lab = Lab::new();
    for more in [
        ["--rubric", "nowhere"],
        ["--date", "soon"],
        ["--shard", "3/2"],
    ] {
        assert_eq!(lab.batch("out", &more).2, 2, "{more:?}");
    }
    lab.list("[[repository]]\nurl = \"https://github.com/o/a\"\nbranch = \"main\"\n");
    let (_, stderr, code) = lab.batch("out", &[]);
    assert_eq!(code, 2);
    assert!(
        stderr.starts_with("audit: list.toml: line 3: unknown field `branch`"),
        "{stderr}"
    );
    assert!(!lab.path().join("out").exists());
}

//! What an audit costs, as a ratio to a yardstick that is measured in the same run, so that the figures mean the same on
//! a fast machine and a slow one: `cargo bench`.
//!
//! The yardstick reads every file and runs one regular expression over it, the union of the 150 patterns in
//! patterns.txt. Everything is CPU time of one thread, the least of several rounds, with the rounds of all figures
//! interleaved. scripts/benchmark.sh compares with other programs on a real repository.

#![allow(missing_docs, reason = "a benchmark has no users")]

mod tree;

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use audit::audit::{Examination, Rulebook, keep_searches, score, search_engine};
use audit::cache::Cache;
use audit::checkout::Snapshot;
use audit::rating::Identity;
use audit::render;
use audit::scorecard::ScoredCard;
use audit::verify::verify_with;
use cpu_time::ProcessTime;
use regex::bytes::{Regex, RegexBuilder};

/// Modules of the smaller tree, which has about 5 MB.
const MODULES: usize = 900;
/// Rounds; the least time of each figure counts.
const ROUNDS: usize = 5;
/// Largest file that the yardstick reads, in bytes.
const LARGEST: u64 = 2 << 20;

type Fallible<T> = Result<T, Box<dyn Error>>;

fn main() -> Fallible<()> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global()?;
    let folder = tempfile::tempdir()?;
    let (small, large) = (folder.path().join("small"), folder.path().join("large"));
    let files = tree::files(MODULES);
    commit(&small, &files, "first")?;
    commit(&small, &tree::next(&files), "next")?;
    commit(&large, &tree::files(2 * MODULES), "first")?;
    let first = Snapshot::open(&small, Some("first"))?;
    let next = Snapshot::open(&small, Some("next"))?;
    let doubled = Snapshot::open(&large, Some("first"))?;
    let union = union()?;

    let mut least = [Duration::MAX; 5];
    for round in 0..ROUNDS {
        let rulebook = Rulebook::load(None)?;
        let results = folder.path().join(format!("results-{round}"));
        let cache = || Cache::open(results.clone(), &rulebook.digest, &["bench"]);
        let times = [
            timed(|| yardstick(&first, &union))?,
            timed(|| audit(&first, &cache()))?,
            timed(|| audit(&first, &cache()))?,
            timed(|| audit(&next, &cache()))?,
            timed(|| audit(&doubled, &Cache::off()))?,
        ];
        for (least, time) in least.iter_mut().zip(times) {
            *least = time.min(*least);
        }
    }
    let ratio = |over: usize, under: usize| least[over].as_secs_f64() / least[under].as_secs_f64();
    let report = [
        ("whole audit, nothing cached, to the yardstick", ratio(1, 0)),
        (
            "second run of the same commit, to the yardstick",
            ratio(2, 0),
        ),
        (
            "next commit, 1% of files changed, to the yardstick",
            ratio(3, 0),
        ),
        ("double the tree, to the single one", ratio(4, 1)),
    ];
    let mut text = format!(
        "yardstick: {:.0} ms of CPU time\n",
        least[0].as_secs_f64() * 1e3
    );
    for (name, ratio) in report {
        text.push_str(&format!("{ratio:6.2}  {name}\n"));
    }
    std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes())?;
    Ok(())
}

/// CPU time that `work` takes.
fn timed<T>(work: impl FnOnce() -> Fallible<T>) -> Fallible<Duration> {
    let start = ProcessTime::try_now()?;
    std::hint::black_box(work()?);
    Ok(start.try_elapsed()?)
}

/// Everything that `audit REPO` does, but for opening the repository and writing the files.
fn audit(snapshot: &Snapshot, cache: &Cache) -> Fallible<String> {
    let rulebook = Rulebook::load(None)?;
    let examination = Examination::of(snapshot, &rulebook, None, "Platform", "o/platform", cache)?;
    let identity = Identity {
        id: "platform".to_owned(),
        name: "Platform".to_owned(),
        repo_url: "https://example.org/o/platform".to_owned(),
        subpath: None,
        description: "Platform".to_owned(),
        commit: snapshot.commit.clone(),
        version: None,
        date: "2026-01-01".to_owned(),
    };
    let (engine, recalled) = search_engine(cache, snapshot)?;
    let card = score(&engine, &rulebook, &examination, &identity, true)?.card;
    let problems = verify_with(&card, &rulebook.method, snapshot, &engine);
    if let Some(problem) = problems.first() {
        return Err(problem.to_string().into());
    }
    keep_searches(cache, snapshot, &engine, recalled);
    Ok(render::table(&ScoredCard::new(&card, &rulebook.method)))
}

/// Reads every file and counts what `union` matches.
fn yardstick(snapshot: &Snapshot, union: &Regex) -> Fallible<usize> {
    let reader = snapshot.reader();
    let mut bytes = Vec::new();
    let mut count = 0;
    for file in &snapshot.files {
        reader.read(file, LARGEST, &mut bytes)?;
        count += union.find_iter(&bytes).count();
    }
    Ok(count)
}

fn union() -> Fallible<Regex> {
    let patterns: Vec<&str> = include_str!("patterns.txt").lines().collect();
    Ok(RegexBuilder::new(&patterns.join("|"))
        .unicode(false)
        .build()?)
}

/// Commits `files` under the tag `tag` in a repository at `folder`, packed as a fetched one is.
fn commit(folder: &Path, files: &[tree::File], tag: &str) -> Fallible<()> {
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, text)?;
    }
    for arguments in [
        &["init", "-q"][..],
        &["add", "-A"],
        &["commit", "-q", "-m", "state"],
        &["tag", tag],
        &["gc", "-q"],
    ] {
        let status = Command::new("git")
            .args(["-c", "user.name=B", "-c", "user.email=b@example.org"])
            .args(arguments)
            .current_dir(folder)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .status()?;
        if !status.success() {
            return Err(format!("git {arguments:?} failed").into());
        }
    }
    Ok(())
}

//! Ctrl-C at every stage: the program ends soon, with 130, and nothing half done is left.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::host::fetched;
use crate::server::{Host, Protocol, git_answer, send, stall};
use crate::support::{AGENT, Repo};

/// How long the program may take to end once it was asked to.
const SOON: Duration = Duration::from_secs(60);

fn start(folder: &Path, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_audit"))
        .args(arguments)
        .current_dir(folder)
        .env("AUDIT_CACHE_DIR", folder.join("cache"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn interrupt(child: &Child) {
    Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
}

/// The exit code; none when the signal came before it was looked for.
fn end(child: &mut Child) -> Option<i32> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if begun.elapsed() > SOON {
            child.kill().unwrap();
            panic!("did not end");
        }
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn during_each_stage_of_a_fetch() {
    for stage in 0..3 {
        let repo = Repo::of(AGENT);
        let place = repo.path().to_owned();
        static REACHED: AtomicUsize = AtomicUsize::new(0);
        REACHED.store(0, Ordering::SeqCst);
        let host = Host::new(move |request, stream| {
            let (head, body) = git_answer(&place, request, Protocol::V2);
            let pack = request.asks_for_a_pack();
            let here = match stage {
                0 => request.method == "GET",
                1 => request.method == "POST" && !pack,
                _ => pack,
            };
            if !here {
                return send(stream, &head, &body);
            }
            if stage == 2 {
                stream
                    .write_all(
                        format!("{head}\r\nContent-Length: {}\r\n\r\n", body.len()).as_bytes(),
                    )
                    .ok();
                stream.write_all(&body[..body.len() / 2]).ok();
            }
            REACHED.store(1, Ordering::SeqCst);
            stall(stream);
        });
        let desk = tempfile::tempdir().unwrap();
        let mut child = start(desk.path(), &[&host.url(), "--out", "out"]);
        let begun = Instant::now();
        while REACHED.load(Ordering::SeqCst) == 0 {
            assert!(begun.elapsed() < SOON, "stage {stage} was not reached");
            sleep(Duration::from_millis(5));
        }
        interrupt(&child);
        assert_eq!(end(&mut child), Some(130), "stage {stage}");
        assert_eq!(fetched(desk.path()).len(), 0, "stage {stage}");
        assert!(!desk.path().join("out").exists());
    }
}

#[test]
fn at_any_moment_of_an_audit() {
    let repo = Repo::of(AGENT);
    for milliseconds in [0, 5, 20, 60, 120, 250, 500, 1000, 2000] {
        let desk = tempfile::tempdir().unwrap();
        let mut child = start(
            desk.path(),
            &[repo.path().to_str().unwrap(), "--out", "out"],
        );
        sleep(Duration::from_millis(milliseconds));
        interrupt(&child);
        let code = end(&mut child);
        assert!(
            [None, Some(130), Some(0)].contains(&code),
            "{milliseconds}: {code:?}"
        );
        let out = desk.path().join("out");
        let files = fs::read_dir(&out).map_or(0, Iterator::count);
        assert!(
            files == 0 || files == 2,
            "{milliseconds} ms, {code:?}: {files} files"
        );
        assert!(code != Some(130) || files == 0, "{milliseconds}");
    }
}

#[test]
fn a_second_interrupt_ends_at_once() {
    let desk = tempfile::tempdir().unwrap();
    let reached = std::sync::Arc::new(AtomicUsize::new(0));
    let mark = std::sync::Arc::clone(&reached);
    let host = Host::new(move |_, stream| {
        mark.store(1, Ordering::SeqCst);
        stall(stream);
    });
    let mut child = start(desk.path(), &[&host.url(), "--out", "out"]);
    while reached.load(Ordering::SeqCst) == 0 {
        sleep(Duration::from_millis(5));
    }
    interrupt(&child);
    sleep(Duration::from_millis(50));
    let begun = Instant::now();
    interrupt(&child);
    assert_eq!(end(&mut child), Some(130));
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
}

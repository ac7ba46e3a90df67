//! Repositories of a size that no test of the suite should wait for: `cargo test --test hostile -- --ignored`.

use std::process::{Command, Stdio};
use std::time::Instant;

use crate::support::{AGENT, Repo};
use crate::{audited, nothing_gained};

/// Adds a commit that git reads as `stream`, on top of the agent's.
fn import(repo: &Repo, files: impl Fn(&mut dyn std::io::Write)) {
    use std::io::Write;
    let mut child = Command::new("git")
        .args(["fast-import", "--quiet"])
        .current_dir(repo.path())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stream = std::io::BufWriter::new(child.stdin.take().unwrap());
    let head = "commit refs/heads/main\ncommitter T <t@e> 1700000000 +0000\ndata 0\nfrom refs/heads/main^0\n";
    stream.write_all(head.as_bytes()).unwrap();
    files(&mut stream);
    stream.write_all(b"\n").unwrap();
    drop(stream);
    assert!(child.wait().unwrap().success());
}

/// A card with the agent's own levels; the time is told.
#[allow(clippy::print_stderr, reason = "the time is what is wanted")]
fn like_the_agent(repo: &Repo, what: &str) -> String {
    let begun = Instant::now();
    let (card, _) = audited(repo, &[]);
    eprintln!(
        "{what}: {:.1} s for an audit in every format and a verification",
        begun.elapsed().as_secs_f64()
    );
    nothing_gained(&card);
    card["limitations"].to_string()
}

fn inline(text: &str, path: &str) -> String {
    format!("M 100644 inline {path}\ndata {}\n{text}\n", text.len())
}

#[test]
#[ignore = "large"]
fn three_hundred_thousand_files() {
    let repo = Repo::of(AGENT);
    import(&repo, |stream| {
        for n in 0..300_000 {
            let text = format!("x = {n}\n");
            write!(
                stream,
                "{}",
                inline(&text, &format!("data/{}/f{n}.py", n / 300))
            )
            .unwrap();
        }
    });
    like_the_agent(&repo, "300,000 files");
}

#[test]
#[ignore = "large"]
fn one_folder_with_a_hundred_thousand_files() {
    let repo = Repo::of(AGENT);
    import(&repo, |stream| {
        for n in 0..100_000 {
            write!(stream, "{}", inline("x = 1\n", &format!("data/f{n}.py"))).unwrap();
        }
    });
    like_the_agent(&repo, "one folder with 100,000 files");
}

#[test]
#[ignore = "large"]
fn a_blob_of_two_gigabytes() {
    let repo = Repo::of(AGENT);
    import(&repo, |stream| {
        write!(
            stream,
            "M 100644 inline tiny/large.py\ndata {}\n",
            2_u64 << 30
        )
        .unwrap();
        let block = "# filler filler\n".repeat(1 << 16);
        for _ in 0..(2_u64 << 30) / block.len() as u64 {
            stream.write_all(block.as_bytes()).unwrap();
        }
        stream.write_all(b"\n").unwrap();
    });
    let limitations = like_the_agent(&repo, "a blob of 2 GB");
    assert!(limitations.contains("tiny/large.py"), "{limitations}");
}

#[test]
#[ignore = "large"]
fn one_line_of_fifty_megabytes() {
    let repo = Repo::of(AGENT);
    import(&repo, |stream| {
        write!(stream, "{}", inline(&"a".repeat(50 << 20), "tiny/line.py")).unwrap();
    });
    let limitations = like_the_agent(&repo, "a line of 50 MB");
    assert!(limitations.contains("tiny/line.py"), "{limitations}");
}

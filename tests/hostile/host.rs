//! Hosts that stall, cut off, redirect, refuse, or send something else than a repository.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::inert;
use crate::server::{Host, Protocol, Request, git_answer, honest, send};
use crate::support::{AGENT, Repo, audit_in, told};

/// A desk to audit from, with a cache of its own.
struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn audit(&self, url: &str) -> (String, i32) {
        let begun = Instant::now();
        let (_, stderr, code) = told(&audit_in(self.0.path(), &[url, "--quiet", "--out", "out"]));
        inert(&stderr);
        assert!(!stderr.contains("panicked"), "{stderr}");
        assert!(begun.elapsed() < Duration::from_secs(100));
        if code != 0 {
            assert!(!self.0.path().join("out").exists(), "{stderr}");
            assert_eq!(
                self.fetched(),
                [] as [PathBuf; 0],
                "nothing is left in the cache"
            );
        }
        (stderr, code)
    }

    /// What lies in the cache of fetched commits.
    fn fetched(&self) -> Vec<PathBuf> {
        fetched(self.0.path())
    }
}

/// What lies in the cache of `desk`, work under way included.
pub fn fetched(desk: &Path) -> Vec<PathBuf> {
    let list = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten();
        entries.map(|entry| entry.unwrap().path()).collect()
    };
    let remotes = list(&desk.join("cache"))
        .into_iter()
        .filter(|path| !path.ends_with("results"));
    remotes.flat_map(|remote| list(&remote)).collect()
}

/// A host that serves the agent, and lets `spoil` answer where it wants to: it gets what git would have answered.
fn spoiling(
    protocol: Protocol,
    spoil: impl Fn(&Request, &mut TcpStream, &str, &[u8]) -> bool + Send + Sync + 'static,
) -> (Repo, Host) {
    let repo = Repo::of(AGENT);
    let place = repo.path().to_owned();
    let host = Host::new(move |request, stream| {
        let (head, body) = git_answer(&place, request, protocol);
        if !spoil(request, stream, &head, &body) {
            send(stream, &head, &body);
        }
    });
    (repo, host)
}

#[test]
fn both_of_gits_protocols_give_the_card() {
    for protocol in [Protocol::V0, Protocol::V2] {
        let repo = Repo::of(AGENT);
        repo.git(&["tag", "-a", "-m", "noted", "v1"]);
        let host = honest(repo.path().to_owned(), protocol);
        let desk = Desk::new();
        let (stderr, code) = desk.audit(&host.url());
        assert_eq!(code, 0, "{stderr}");
        assert_eq!(desk.fetched().len(), 1);
        let line = [
            &*host.url(),
            "--commit",
            "v1",
            "--offline",
            "--quiet",
            "--out",
            "again",
        ];
        let (_, stderr, code) = told(&audit_in(desk.0.path(), &line));
        assert!([0, 17].contains(&code), "{stderr}");
    }
}

#[test]
fn refusals_have_their_codes_and_leave_nothing() {
    for (status, expected) in [
        ("400 Bad Request", 18),
        ("401 Unauthorized", 11),
        ("403 Forbidden", 11),
        ("404 Not Found", 10),
        ("410 Gone", 10),
        ("418 I'm a teapot", 18),
        ("429 Too Many Requests\r\nRetry-After: 99999999", 18),
        ("500 Oops \x1b[2J\u{202e}", 18),
        ("503 Service Unavailable", 18),
        ("204 No Content", 10),
        ("999 Unheard", 18),
        ("200 OK\r\nContent-Type: text/html", 10),
        ("nonsense", 18),
    ] {
        let host = Host::new(move |_, stream| {
            let answer =
                format!("HTTP/1.1 {status}\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello");
            stream.write_all(answer.as_bytes()).ok();
        });
        let (stderr, code) = Desk::new().audit(&host.url());
        assert_eq!(code, expected, "{status}: {stderr}");
    }
}

#[test]
fn redirects_are_followed_where_they_lead_to_a_repository_and_end() {
    let repo = Repo::of(AGENT);
    let there = honest(repo.path().to_owned(), Protocol::V2);
    let to = |location: String| {
        Host::new(move |request, stream| {
            let rest = request.target.strip_prefix("/tiny.git").unwrap_or_default();
            let head =
                format!("HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: {location}{rest}");
            send(stream, &head, b"");
        })
    };
    let (stderr, code) = Desk::new().audit(&to(there.url()).url());
    assert!([0, 18].contains(&code), "{stderr}");
    for location in [
        "file:///etc/passwd?",
        "gopher://x/",
        "/tiny.git",
        "http://127.0.0.1:1/x",
        "https://",
        "\u{1b}[2J",
        "dict://127.0.0.1:11211/",
    ] {
        let (stderr, code) = Desk::new().audit(&to(location.to_owned()).url());
        assert!([10, 18].contains(&code), "{location}: {code} {stderr}");
    }
}

#[test]
fn a_login_is_sent_to_nobody_over_http_and_after_no_redirect() {
    let other = Host::new(|_, stream| {
        send(
            stream,
            "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"",
            b"",
        )
    });
    let address = other.url();
    let first = Host::new(move |_, stream| {
        let head =
            format!("HTTP/1.1 302 Found\r\nLocation: {address}/info/refs?service=git-upload-pack");
        send(stream, &head, b"");
    });
    let url = first.url().replace("http://", "http://me:hunter2@");
    let (stderr, code) = Desk::new().audit(&url);
    assert!([11, 18].contains(&code), "{code} {stderr}");
    assert!(!stderr.contains("hunter2"), "{stderr}");
    for host in [&first, &other] {
        let asked = host.asked.lock().unwrap().join("\n");
        assert!(!asked.to_lowercase().contains("authorization"), "{asked}");
    }
}

#[test]
fn an_answer_that_is_cut_off_leaves_nothing() {
    for protocol in [Protocol::V0, Protocol::V2] {
        for (in_the_pack, part) in [
            (false, 0.1),
            (false, 0.9),
            (true, 0.0),
            (true, 0.5),
            (true, 0.99),
        ] {
            let (_repo, host) = spoiling(protocol, move |request, stream, head, body| {
                let here = request.asks_for_a_pack() == in_the_pack
                    && (in_the_pack || request.method == "GET");
                if here {
                    let kept = (body.len() as f64 * part) as usize;
                    let head = format!("{head}\r\nContent-Length: {}\r\n\r\n", body.len());
                    stream.write_all(head.as_bytes()).ok();
                    stream.write_all(&body[..kept]).ok();
                }
                here
            });
            let (stderr, code) = Desk::new().audit(&host.url());
            assert!(
                [10, 18].contains(&code),
                "{in_the_pack} {part}: {code} {stderr}"
            );
        }
    }
}

#[test]
fn garbage_and_other_lengths_than_announced_leave_nothing() {
    type Spoil = fn(&[u8]) -> (usize, Vec<u8>);
    let spoils: [(&str, Spoil); 9] = [
        ("empty", |_| (0, Vec::new())),
        ("noise", |body| {
            (
                body.len(),
                (0..body.len()).map(|n| (n * 7919 % 251) as u8).collect(),
            )
        }),
        ("no packet", |_| (4, b"zzzz".to_vec())),
        ("a packet too long", |_| (6, b"fffeab".to_vec())),
        ("a packet of nothing", |_| (8, b"00040004".to_vec())),
        ("flipped", |body| {
            let mut body = body.to_vec();
            let middle = body.len() / 2;
            body[middle..]
                .iter_mut()
                .step_by(5)
                .for_each(|byte| *byte ^= 0x55);
            (body.len(), body)
        }),
        ("more than announced", |body| {
            (body.len() / 2, body.to_vec())
        }),
        ("twice", |body| (body.len() * 2, [body, body].concat())),
        ("an error", |_| {
            (
                60,
                b"003cERR \x1b[2J\xe2\x80\xaego away https://me:hunter2@x/y zzzzzzzzzzzzzz"
                    .to_vec(),
            )
        }),
    ];
    for in_the_pack in [false, true] {
        for (name, spoil) in spoils {
            let (_repo, host) = spoiling(Protocol::V2, move |request, stream, head, body| {
                let here = request.asks_for_a_pack() == in_the_pack
                    && (in_the_pack || request.method == "GET");
                if here {
                    let (length, body) = spoil(body);
                    let head = format!("{head}\r\nContent-Length: {length}\r\n\r\n");
                    stream.write_all(head.as_bytes()).ok();
                    stream.write_all(&body).ok();
                }
                here
            });
            let desk = Desk::new();
            let (stderr, code) = desk.audit(&host.url());
            assert!(
                [0, 10, 12, 15, 18, 19].contains(&code),
                "{name} {in_the_pack}: {code} {stderr}"
            );
            assert!(
                code != 0 || name == "twice",
                "{name} {in_the_pack}: taken for a repository"
            );
            assert!(!stderr.contains("hunter2"), "{stderr}");
        }
    }
}

/// Names of references that a host advertises may be anything: none is made a file, and the commit is found.
#[test]
fn references_of_a_host_with_odd_names_do_no_harm() {
    let repo = Repo::of(AGENT);
    let head = crate::git(repo.path(), &["rev-parse", "HEAD"]);
    let host = Host::new(move |_, stream| {
        let mut body = b"001e# service=git-upload-pack\n0000".to_vec();
        let mut line = |text: String| body.extend(format!("{:04x}{text}", text.len() + 4).bytes());
        line(format!(
            "{head} HEAD\0multi_ack side-band-64k shallow allow-reachable-sha1-in-want\n"
        ));
        for name in [
            "refs/heads/../../../pwned",
            "refs/heads/a\u{1b}[2J",
            "/etc/passwd",
            "refs/tags/x^{}",
            "refs/heads/.lock",
            "refs/heads/a b",
        ] {
            line(format!("{head} {name}\n"));
        }
        body.extend(b"0000");
        send(
            stream,
            "HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-advertisement",
            &body,
        );
    });
    let desk = Desk::new();
    let (stderr, code) = desk.audit(&host.url());
    assert!([10, 12, 18, 19].contains(&code), "{code} {stderr}");
    assert!(!desk.0.path().join("pwned").exists());
}

/// Takes a minute: the host never says a word, or says one byte now and then.
#[test]
#[ignore = "waits for a time-out of a minute"]
fn a_host_that_stalls_is_given_up() {
    for drip in [false, true] {
        let (_repo, host) = spoiling(Protocol::V2, move |request, stream, head, body| {
            let here = request.asks_for_a_pack();
            if here {
                stream
                    .write_all(
                        format!("{head}\r\nContent-Length: {}\r\n\r\n", body.len()).as_bytes(),
                    )
                    .ok();
                stream.write_all(&body[..body.len() / 2]).ok();
                let mut byte = || {
                    std::thread::sleep(Duration::from_secs(5));
                    stream.write_all(b"x").is_ok()
                };
                while drip && byte() {}
                crate::server::stall(stream);
            }
            here
        });
        let (stderr, code) = Desk::new().audit(&host.url());
        assert_eq!(code, 18, "{stderr}");
    }
}

//! A host on this machine that speaks HTTP, serves a repository through git's own CGI program, and misbehaves as asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

/// One request.
pub struct Request {
    pub method: String,
    /// With the query.
    pub target: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(key, _)| key == name);
        found.map_or("", |(_, value)| value)
    }

    /// The request in which the pack is asked for: of git's second protocol there are others before it.
    pub fn asks_for_a_pack(&self) -> bool {
        let body = String::from_utf8_lossy(&self.body);
        self.method == "POST" && (body.contains("command=fetch") || body.contains("want "))
    }
}

/// A host, and what it was asked.
pub struct Host {
    pub address: SocketAddr,
    pub asked: Arc<Mutex<Vec<String>>>,
}

impl Host {
    /// Answers each request by what `answer` writes; then the connection is closed.
    pub fn new(answer: impl Fn(&Request, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let (answer, log) = (Arc::new(answer), Arc::clone(&asked));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (answer, log) = (Arc::clone(&answer), Arc::clone(&log));
                std::thread::spawn(move || {
                    let mut stream = stream;
                    if let Some(request) = read(&mut stream) {
                        let headers: Vec<String> = request
                            .headers
                            .iter()
                            .map(|(k, v)| format!("{k}: {v}"))
                            .collect();
                        log.lock().unwrap().push(format!(
                            "{} {}\n{}",
                            request.method,
                            request.target,
                            headers.join("\n")
                        ));
                        answer(&request, &mut stream);
                    }
                });
            }
        });
        Self { address, asked }
    }

    pub fn url(&self) -> String {
        format!("http://{}/tiny.git", self.address)
    }
}

fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, target) = (words.next()?, words.next()?);
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let mut request = Request {
        method,
        target,
        headers,
        body: Vec::new(),
    };
    if request.header("expect") == "100-continue" {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").ok()?;
    }
    if request.header("transfer-encoding") == "chunked" {
        loop {
            let mut size = String::new();
            reader.read_line(&mut size).ok()?;
            let size = usize::from_str_radix(size.trim(), 16).ok()?;
            let mut chunk = vec![0; size + 2];
            reader.read_exact(&mut chunk).ok()?;
            if size == 0 {
                break;
            }
            request.body.extend_from_slice(&chunk[..size]);
        }
    } else {
        let length = request.header("content-length").parse().unwrap_or(0);
        request.body.resize(length, 0);
        reader.read_exact(&mut request.body).ok()?;
    }
    Some(request)
}

/// Which of git's protocols a host speaks.
#[derive(Clone, Copy, PartialEq)]
pub enum Protocol {
    V0,
    V2,
}

/// What git's own server answers for the repository at `repo`: status and headers, and the body.
pub fn git_answer(repo: &Path, request: &Request, protocol: Protocol) -> (String, Vec<u8>) {
    let (path, query) = request
        .target
        .split_once('?')
        .unwrap_or((&request.target, ""));
    let inside = path.strip_prefix("/tiny.git").unwrap_or(path);
    let mut command = Command::new("git");
    command
        .arg("http-backend")
        .env("GIT_PROJECT_ROOT", repo)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("PATH_INFO", inside)
        .env("QUERY_STRING", query)
        .env("REQUEST_METHOD", &request.method)
        .env("CONTENT_TYPE", request.header("content-type"))
        .env("CONTENT_LENGTH", request.body.len().to_string())
        .env("HTTP_CONTENT_ENCODING", request.header("content-encoding"))
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "safe.directory")
        .env("GIT_CONFIG_VALUE_0", "*")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    if protocol == Protocol::V2 {
        command.env("GIT_PROTOCOL", request.header("git-protocol"));
    }
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(&request.body).ok();
    let output = child.wait_with_output().unwrap().stdout;
    let end = output
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap_or(0);
    let head = String::from_utf8_lossy(&output[..end]).into_owned();
    let status = head
        .lines()
        .find_map(|line| line.strip_prefix("Status: "))
        .unwrap_or("200 OK");
    let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\n{head}");
    (
        head,
        output[end.saturating_add(4).min(output.len())..].to_vec(),
    )
}

/// A host that serves `repo` honestly.
pub fn honest(repo: PathBuf, protocol: Protocol) -> Host {
    Host::new(move |request, stream| {
        let (head, body) = git_answer(&repo, request, protocol);
        send(stream, &head, &body);
    })
}

/// Writes an answer with its length.
pub fn send(stream: &mut TcpStream, head: &str, body: &[u8]) {
    let head = format!("{head}\r\nContent-Length: {}\r\n\r\n", body.len());
    stream.write_all(head.as_bytes()).ok();
    stream.write_all(body).ok();
}

/// Keeps a connection open without a word, until the other side ends it.
pub fn stall(stream: &mut TcpStream) {
    stream.read_to_end(&mut Vec::new()).ok();
}

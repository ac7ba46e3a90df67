//! A headless Chromium, driven through chromedriver (W3C WebDriver: JSON over HTTP).

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

/// Set where a browser has to be there (`.ci/run` does): a missing one fails instead of being skipped.
const REQUIRED: &str = "AUDIT_BROWSER_TESTS";

/// A browser with one page; both programs end when it is dropped.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// Starts it; none, with a note, when there is no Chromium on this machine and none is required.
    #[allow(clippy::print_stderr)]
    pub fn start() -> Option<Self> {
        let browsers = [
            "chromium",
            "chromium-browser",
            "google-chrome",
            "google-chrome-stable",
        ];
        let found = browsers.iter().find_map(|name| on_path(name));
        let (Some(binary), Some(driver)) = (found, on_path("chromedriver")) else {
            assert!(
                std::env::var_os(REQUIRED).is_none(),
                "{REQUIRED} is set, and chromium or chromedriver is not on PATH"
            );
            eprintln!(
                "skipped: no chromium with chromedriver on PATH (apt-get install chromium chromium-driver)"
            );
            return None;
        };
        let (driver, port) = launch(&driver);
        let mut browser = Self {
            driver,
            port,
            session: String::new(),
        };
        browser.open_session(&binary);
        Some(browser)
    }

    fn open_session(&mut self, binary: &Path) {
        // Its sandbox needs rights that containers do not give; the pages are our own.
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--window-size=1200,900",
        ];
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": {"binary": binary, "args": arguments},
            "goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"},
        }}});
        let session = self.send("POST", "/session", &wanted);
        self.session = session["sessionId"].as_str().unwrap().to_owned();
    }

    /// Loads the file at `path` and gives its address.
    pub fn load(&self, path: &Path) -> String {
        let url = format!("file://{}", path.display());
        self.post("url", &json!({ "url": url }));
        url
    }

    /// What the body of a function gives, run in the page.
    pub fn run(&self, script: &str) -> Value {
        self.post("execute/sync", &json!({"script": script, "args": []}))
    }

    /// What a script gives to `done`, its last argument.
    pub fn wait_for(&self, script: &str) -> Value {
        let script = format!("const done = arguments[0]; {script}");
        self.post("execute/async", &json!({"script": script, "args": []}))
    }

    /// Presses keys one after the other.
    pub fn press(&self, keys: &[char]) {
        let key = |key: &char| {
            [
                json!({"type": "keyDown", "value": key}),
                json!({"type": "keyUp", "value": key}),
            ]
        };
        let actions: Vec<Value> = keys.iter().flat_map(key).collect();
        self.post(
            "actions",
            &json!({"actions": [{"type": "key", "id": "keys", "actions": actions}]}),
        );
    }

    /// A command of the DevTools protocol.
    pub fn devtools(&self, command: &str, parameters: &Value) {
        self.post(
            "goog/cdp/execute",
            &json!({"cmd": command, "params": parameters}),
        );
    }

    /// Addresses of all requests since the last call.
    pub fn requests(&self) -> Vec<String> {
        let log = self.post("se/log", &json!({"type": "performance"}));
        let mut urls = Vec::new();
        for entry in log.as_array().unwrap() {
            let event: Value = serde_json::from_str(entry["message"].as_str().unwrap()).unwrap();
            if event["message"]["method"] == "Network.requestWillBeSent" {
                let url = &event["message"]["params"]["request"]["url"];
                urls.push(url.as_str().unwrap().to_owned());
            }
        }
        urls
    }

    /// What the browser complained about since the last call.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.post("se/log", &json!({"type": "browser"}));
        let message = |entry: &Value| entry["message"].to_string();
        log.as_array().unwrap().iter().map(message).collect()
    }

    fn post(&self, command: &str, body: &Value) -> Value {
        self.send(
            "POST",
            &format!("/session/{}/{command}", self.session),
            body,
        )
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let value = self.exchange(method, path, body).unwrap()["value"].take();
        assert!(value["error"].is_null(), "{path}: {value}");
        value
    }

    fn exchange(&self, method: &str, path: &str, body: &Value) -> io::Result<Value> {
        let body = body.to_string();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + &body).as_bytes())?;
        read_body(stream)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser ends with its session, and outlives a driver that is killed before.
        let session = format!("/session/{}", self.session);
        self.exchange("DELETE", &session, &json!({})).ok();
        self.driver.kill().ok();
        self.driver.wait().ok();
    }
}

fn read_body(stream: TcpStream) -> io::Result<Value> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or_default();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(serde_json::from_slice(&body)?)
}

/// Starts chromedriver on a free port, which it tells on its output.
fn launch(driver: &Path) -> (Child, u16) {
    let mut child = Command::new(driver)
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let port = lines.map_while(Result::ok).find_map(|line| {
        let (_, port) = line.rsplit_once("successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    });
    (child, port.expect("chromedriver tells its port"))
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

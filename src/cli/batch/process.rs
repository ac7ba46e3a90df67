//! A process for one entry: started, watched, and ended when its time is over.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often a process is looked at.
const PAUSE: Duration = Duration::from_millis(10);

/// How long its messages are waited for after it ended: a helper of git that it started may still hold the pipe.
const MESSAGES: Duration = Duration::from_secs(2);

/// Most bytes of its messages that are kept.
const KEPT: u64 = 16 << 10;

/// Exit code of a Rust program that panicked.
const PANICKED: i32 = 101;

/// How a process ended.
pub(super) enum End {
    /// By itself, with this exit code and these messages.
    Code(u8, String),
    /// By a panic, with its place and message.
    Panicked(String),
    /// By a signal that nobody here sent: out of memory, or a crash.
    Crashed(ExitStatus),
    /// It took too long.
    TimedOut,
}

/// Runs `program` with `arguments` to its end, for at most `time`. `None` when `interrupt` was raised before.
pub(super) fn run(
    program: &Path,
    arguments: &[OsString],
    time: Duration,
    interrupt: &AtomicBool,
) -> io::Result<Option<End>> {
    let mut command = Command::new(program);
    command.args(arguments);
    command.stdin(Stdio::piped());
    command.stdout(Stdio::null());
    command.stderr(Stdio::piped());
    // Nobody is there to answer when ssh or git ask for a password.
    command.env("GIT_TERMINAL_PROMPT", "0");
    in_own_group(&mut command);
    let mut child = command.spawn()?;
    // Held open until the process has ended: it ends when this end is closed.
    let _held = child.stdin.take();
    let messages = child.stderr.take().map(collect);
    let until = Instant::now() + time;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        let (interrupted, late) = (interrupt.load(Ordering::Relaxed), Instant::now() >= until);
        if interrupted || late {
            kill(&mut child)?;
            return Ok((!interrupted).then_some(End::TimedOut));
        }
        thread::sleep(PAUSE);
    };
    let said = messages.and_then(|messages| messages.recv_timeout(MESSAGES).ok());
    Ok(Some(end(status, said.unwrap_or_default())))
}

fn end(status: ExitStatus, said: String) -> End {
    match status.code() {
        Some(PANICKED) => End::Panicked(panic(&said)),
        Some(code) => End::Code(u8::try_from(code).unwrap_or(u8::MAX), said),
        // What it said last depends on where in its work it was.
        None => End::Crashed(status),
    }
}

/// Place and message of a panic, without the number of the thread before and the backtrace behind.
fn panic(said: &str) -> String {
    let told = said
        .split_once("panicked at ")
        .map_or(said, |(_, told)| told);
    let ends = ["\nnote: ", "\nstack backtrace:"].map(|end| told.find(end));
    let end = ends.into_iter().flatten().min().unwrap_or(told.len());
    format!("panicked at {}", &told[..end])
}

/// Reads `pipe` to its end, whatever the process does, so that it never waits for us.
fn collect(mut pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    let read = move || {
        let mut text = Vec::new();
        // What was read before an error is what there is.
        let _ = pipe.by_ref().take(KEPT).read_to_end(&mut text);
        let _ = io::copy(&mut pipe, &mut io::sink());
        let _ = sender.send(String::from_utf8_lossy(&text).into_owned());
    };
    // Without a thread there are no messages, and the receiver says so at once.
    let _ = thread::Builder::new().spawn(read);
    receiver
}

/// Ctrl-C on a terminal goes to this process alone, which then ends the others.
#[cfg(unix)]
fn in_own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn in_own_group(_: &mut Command) {}

/// Ends the process and what it started (ssh, credential helpers).
fn kill(child: &mut Child) -> io::Result<()> {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            // It may have ended in the meantime.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
    #[cfg(not(unix))]
    child.kill()?;
    child.wait().map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_the_same_way_each_time() {
        let said = "\nthread 'main' (31847) panicked at src/a.rs:3:9:\nindex out of bounds\nnote: run with `RUST_BACKTRACE=1`\n";
        assert_eq!(
            panic(said),
            "panicked at src/a.rs:3:9:\nindex out of bounds"
        );
        assert_eq!(panic("é"), "panicked at é");
    }
}

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

/// How a process ended.
pub(super) enum End {
    /// By itself, with this exit code and these messages.
    Code(u8, String),
    /// By a signal that nobody here sent: out of memory, or a crash.
    Crashed(String),
    /// It took too long.
    TimedOut,
    /// The user pressed ctrl-C.
    Interrupted,
}

/// Runs `program` with `arguments` to its end, for at most `time`, or until `interrupt` is raised.
pub(super) fn run(
    program: &Path,
    arguments: &[OsString],
    time: Duration,
    interrupt: &AtomicBool,
) -> io::Result<End> {
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
            return Ok(if interrupted {
                End::Interrupted
            } else {
                End::TimedOut
            });
        }
        thread::sleep(PAUSE);
    };
    let said = messages.and_then(|messages| messages.recv_timeout(MESSAGES).ok());
    Ok(end(status, said.unwrap_or_default()))
}

fn end(status: ExitStatus, said: String) -> End {
    match status.code() {
        Some(code) => End::Code(u8::try_from(code).unwrap_or(u8::MAX), said),
        None => End::Crashed(format!("{said}\n{status}")),
    }
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

//! How many audits run side by side, and what memory each may have.

use std::fs;
use std::num::NonZeroUsize;
use std::thread;

/// Least memory that an audit is started with, in bytes. The largest repository that was tried (27 000 files) took
/// 173 MB on two cores; each further thread has its own buffers.
const LEAST: u64 = 512 << 20;

/// What the user asked for; what is `None` is worked out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request {
    /// Audits side by side.
    pub jobs: Option<u16>,
    /// Bytes for all of them together.
    pub memory: Option<u64>,
    /// Threads of each.
    pub threads: Option<u16>,
}

/// How a batch may use its machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Audits side by side, at least one.
    pub jobs: usize,
    /// Bytes for all of them together; `None` where the machine does not say what it has.
    pub memory: Option<u64>,
    /// Threads of each.
    pub threads: usize,
}

impl Budget {
    /// The budget for `request` on this machine. There are never so many jobs that one has less than the least memory.
    pub fn of(request: Request) -> Self {
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let memory = request
            .memory
            .or_else(|| available().map(|bytes| bytes / 4 * 3));
        Self::on(cores, memory, request)
    }

    fn on(cores: usize, memory: Option<u64>, request: Request) -> Self {
        let wanted = request.jobs.map_or(cores, usize::from);
        let fitting = memory.map_or(wanted, |bytes| {
            usize::try_from(bytes / LEAST).unwrap_or(usize::MAX)
        });
        let jobs = wanted.min(fitting).max(1);
        let threads = request.threads.map_or(cores / jobs, usize::from).max(1);
        Self {
            jobs,
            memory,
            threads,
        }
    }

    /// Bytes that one of the jobs may have.
    pub fn share(&self) -> Option<u64> {
        let jobs = u64::try_from(self.jobs).unwrap_or(u64::MAX);
        self.memory.map(|bytes| bytes / jobs)
    }

    /// One job with everything: for an entry that did not get through with its share.
    pub fn alone(&self) -> Self {
        Self {
            jobs: 1,
            threads: self.threads * self.jobs,
            ..*self
        }
    }
}

/// Bytes of memory that this process may take, of the machine and of its container; `None` where neither says so.
fn available() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
        let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
        kib.checked_mul(1024)
    });
    let container = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let container = container.and_then(|text| text.trim().parse().ok());
    machine.into_iter().chain(container).min()
}

/// Bytes of `4G`, `512M` or a plain number.
///
/// # Errors
/// What is wrong with `text`.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text}: write a size such as 512M or 4G");
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'M' | b'm') => (&text[..text.len() - 1], 20),
        Some(b'G' | b'g') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    let bytes = number.checked_mul(1 << shift).ok_or_else(wrong)?;
    match bytes >= 64 << 20 {
        true => Ok(bytes),
        false => Err(format!("{text}: an audit needs at least 64M")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_fit_into_the_memory() {
        let gib = 1 << 30;
        let asked = |jobs, threads| Request {
            jobs,
            threads,
            memory: None,
        };
        let eight = Budget::on(8, Some(2 * gib), asked(None, None));
        assert_eq!((eight.jobs, eight.threads), (4, 2));
        assert_eq!(eight.share(), Some(gib / 2));
        assert_eq!((eight.alone().jobs, eight.alone().threads), (1, 8));
        let tiny = Budget::on(8, Some(gib / 8), asked(Some(3), None));
        assert_eq!((tiny.jobs, tiny.share()), (1, Some(gib / 8)));
        let unknown = Budget::on(2, None, asked(Some(5), Some(7)));
        assert_eq!(
            (unknown.jobs, unknown.threads, unknown.share()),
            (5, 7, None)
        );
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_size("4G"), Ok(4 << 30));
        assert_eq!(parse_size("512m"), Ok(512 << 20));
        assert_eq!(parse_size("67108864"), Ok(64 << 20));
        for text in ["", "G", "1K", "-1G", "99999999999G", "63M", "é"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}

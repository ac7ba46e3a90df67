//! The audit of one entry, in a process of its own: what `audit batch` starts.

use std::io;
use std::thread;

use super::super::failure::Failure;
use super::super::target::Target;
use super::super::{audit, exit};
use super::args::MemberArguments;

/// Audits like `audit REPO`, within limits, and not longer than the batch lives.
pub(in crate::cli) fn run(arguments: &MemberArguments) -> Result<u8, Failure> {
    limit_memory(arguments.memory)?;
    end_with_batch()?;
    let date = audit::date(arguments.audit.date.as_deref())?;
    let target = Target::open(&arguments.audit.target)?;
    if arguments.known.as_ref() == Some(&target.snapshot.commit) {
        return Ok(exit::OK);
    }
    audit::write_card(&arguments.audit, target, date, audit::Beside::default())
}

/// Ends this process when its standard input does: the batch holds the other end, and no longer does when it was
/// killed. So nothing of a killed batch goes on beside the next one.
fn end_with_batch() -> Result<(), Failure> {
    let wait = || {
        // However reading ends, nobody holds the other end.
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        std::process::exit(i32::from(exit::INTERRUPTED));
    };
    let started = thread::Builder::new().spawn(wait);
    started.map(|_| ()).map_err(Failure::internal)
}

/// Bounds what this process may allocate. Objects of the repository are mapped from their files and do not count.
#[cfg(unix)]
fn limit_memory(bytes: Option<u64>) -> Result<(), Failure> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Some(bytes) = bytes else { return Ok(()) };
    let limit = Rlimit {
        current: Some(bytes),
        maximum: getrlimit(Resource::Data).maximum,
    };
    setrlimit(Resource::Data, limit).map_err(Failure::internal)
}

#[cfg(not(unix))]
fn limit_memory(_: Option<u64>) -> Result<(), Failure> {
    Ok(())
}

//! `audit batch`: many repositories, one card each.

pub(super) mod args;
mod entry;
mod folder;
mod member;
mod pool;
mod process;

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use super::audit::date;
use super::failure::Failure;
use super::target::interrupt;
use super::{exit, output};
use crate::audit::Rulebook;
use crate::batch::{self, Entry, Summary};
use crate::render;
use crate::rubric::RubricFiles;
use crate::scorecard::to_json;

use args::BatchArguments;
use entry::Audits;
use folder::BatchFolder;
pub(super) use member::run as run_member;

/// Largest list that is read, in bytes.
const LARGEST_LIST: u64 = 32 << 20;

pub(super) fn run(arguments: &BatchArguments) -> Result<u8, Failure> {
    let asked_date = asked_date(arguments)?;
    let mut entries = read_list(&arguments.list)?;
    if let Some(shard) = arguments.shard {
        entries.retain(|entry| shard.has(&entry.id));
    }
    // A rubric that is wrong stops everything, once, instead of every entry.
    let rulebook = Rulebook::load(arguments.rubric.as_deref())?;
    let interrupt = interrupt()?;
    let folder = BatchFolder::open(&arguments.out, arguments.shard)?;
    let summary_name = Summary::file_name(arguments.shard);
    // While a run is under way, or was killed, there is none.
    folder.remove_summary(&summary_name)?;
    let today = date(None)?;
    let audits = Audits {
        arguments,
        folder: &folder,
        date: match &asked_date {
            Some(asked) => asked.clone(),
            None => begun(folder.date(today.clone())?, &today, arguments.quiet),
        },
        rubric: rubric_files(arguments)?,
        asked_date,
        method: &rulebook.method,
        program: std::env::current_exe().map_err(Failure::internal)?,
        interrupt: &interrupt,
    };
    let outcomes = pool::audit_all(&audits, &entries);
    if interrupt.load(Ordering::Relaxed) {
        let done = outcomes.len();
        output::note(&format!(
            "audit: interrupted with {done} of {} done; the same command goes on",
            entries.len()
        ));
        return Ok(exit::INTERRUPTED);
    }
    let summary = Summary::new(arguments.shard, outcomes);
    output::print(&render::batch_summary(&summary))?;
    let text = to_json(&summary).map_err(Failure::internal)?;
    output::write_all(&arguments.out, &[(&summary_name, text)])?;
    folder.close()?;
    Ok(match summary.failed {
        0 => exit::OK,
        _ => exit::INCOMPLETE,
    })
}

/// The date that the user asked for, which then decides a card's bytes like any option.
fn asked_date(arguments: &BatchArguments) -> Result<Option<String>, Failure> {
    let is_asked = arguments.date.is_some() || std::env::var_os("SOURCE_DATE_EPOCH").is_some();
    is_asked
        .then(|| date(arguments.date.as_deref()))
        .transpose()
}

/// Tells of a run that goes on under the date on which it was begun.
fn begun(date: String, today: &str, quiet: bool) -> String {
    if date != today && !quiet {
        output::note(&format!(
            "audit: goes on with the run of {date}, which is the date of its cards; --date sets another"
        ));
    }
    date
}

fn rubric_files(arguments: &BatchArguments) -> Result<RubricFiles, Failure> {
    match &arguments.rubric {
        Some(folder) => RubricFiles::read(folder).map_err(Failure::input),
        None => Ok(RubricFiles::embedded()),
    }
}

fn read_list(path: &Path) -> Result<Vec<Entry>, Failure> {
    let text = output::read_text(path, LARGEST_LIST)?;
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
    batch::parse(&text, &folder).map_err(|e| Failure::input(format!("{}: {e}", path.display())))
}

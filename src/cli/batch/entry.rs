//! The audit of one entry, from the receipt of an earlier run to the card in its place.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::super::failure::Failure;
use super::super::{exit, render};
use super::args::BatchArguments;
use super::folder::BatchFolder;
use super::process::{self, End};
use crate::batch::{Budget, Entry, EntryFailure, Outcome, Receipt, Recipe};
use crate::rubric::RubricFiles;
use crate::scorecard::Method;

/// Name of the hidden command that audits one entry.
pub(in crate::cli) const MEMBER: &str = "batch-member";

/// What all audits of a batch share.
pub(super) struct Audits<'a> {
    pub(super) arguments: &'a BatchArguments,
    pub(super) folder: &'a BatchFolder,
    pub(super) rubric: RubricFiles,
    pub(super) method: &'a Method,
    /// Date of the cards that are made.
    pub(super) date: String,
    /// The date, if the user asked for it.
    pub(super) asked_date: Option<String>,
    /// This program.
    pub(super) program: PathBuf,
    pub(super) interrupt: &'a AtomicBool,
}

/// How an audit ended.
pub(super) enum Ended {
    /// With a card or without one.
    Settled(Outcome),
    /// With a crash, which may be for want of memory.
    Crashed(EntryFailure),
    /// The user pressed ctrl-C.
    Interrupted,
}

impl Audits<'_> {
    /// Keeps the card of `entry`, or makes it with one job's part of `budget`.
    pub(super) fn audit(&self, entry: &Entry, budget: &Budget) -> Ended {
        self.try_audit(entry, budget).unwrap_or_else(|failure| {
            let failure = EntryFailure::new(&entry.id, failure.code, &failure.to_string());
            Ended::Settled(Outcome::Failed(failure))
        })
    }

    fn try_audit(&self, entry: &Entry, budget: &Budget) -> Result<Ended, Failure> {
        let asked_date = self.asked_date.as_deref();
        let recipe = Recipe::of(entry, &self.rubric, asked_date, self.arguments.force);
        let earlier = self.folder.finished(&entry.id, &recipe);
        if let Some(receipt) = &earlier
            && entry
                .pinned_commit()
                .is_some_and(|commit| receipt.commit.eq_ignore_ascii_case(commit))
        {
            return self.keep(entry);
        }
        let staging = self.folder.staging(&entry.id)?;
        let arguments = self.command_line(entry, budget, earlier.as_ref(), &staging);
        let time = Duration::from_secs(self.arguments.timeout);
        let end = process::run(&self.program, &arguments, time, self.interrupt)
            .map_err(|e| Failure::io(&self.program, e))?;
        let Some(end) = end else {
            return Ok(Ended::Interrupted);
        };
        match end {
            // Nothing was written: the branch is where the earlier card found it.
            End::Code(exit::OK, _) if !staging.join("scorecard.json").exists() => self.keep(entry),
            End::Code(exit::OK, _) => self.install(entry, &recipe, &staging),
            other => {
                // What it wrote is not whole, and takes space that the others need.
                self.folder.staging(&entry.id)?;
                Ok(self.failed(entry, other, &staging))
            }
        }
    }

    /// The end of an audit that left no card.
    fn failed(&self, entry: &Entry, end: End, staging: &Path) -> Ended {
        let (code, said) = match end {
            End::Code(code, said) => (code, said),
            End::Panicked(said) => (exit::INTERNAL, said),
            End::Crashed(status) => (
                exit::CRASHED,
                format!("crashed, or needed more memory than --memory allows ({status})"),
            ),
            End::TimedOut => (
                exit::TIMEOUT,
                format!("stopped after {} s (--timeout)", self.arguments.timeout),
            ),
        };
        // Whoever reads this looks for the card's folder, not for ours.
        let place = self.folder.place(&entry.id).display().to_string();
        let said = said.replace(&staging.display().to_string(), &place);
        let failure = EntryFailure::new(&entry.id, code, &said);
        match code {
            exit::CRASHED => Ended::Crashed(failure),
            _ => Ended::Settled(Outcome::Failed(failure)),
        }
    }

    fn keep(&self, entry: &Entry) -> Result<Ended, Failure> {
        self.folder.keep(&entry.id)?;
        self.outcome(&self.folder.place(&entry.id))
    }

    fn install(&self, entry: &Entry, recipe: &Recipe, staging: &Path) -> Result<Ended, Failure> {
        let card = render::load(&staging.join("scorecard.json"))?;
        self.folder
            .install(&entry.id, &card.pinned_commit, recipe)?;
        Ok(Ended::Settled(Outcome::card(&card, self.method)))
    }

    fn outcome(&self, folder: &Path) -> Result<Ended, Failure> {
        let card = render::load(&folder.join("scorecard.json"))?;
        Ok(Ended::Settled(Outcome::card(&card, self.method)))
    }

    /// The arguments of `audit batch-member`: those that `audit` would be given for this entry alone, and the limits.
    fn command_line(
        &self,
        entry: &Entry,
        budget: &Budget,
        earlier: Option<&Receipt>,
        staging: &Path,
    ) -> Vec<OsString> {
        let mut line = vec![OsString::from(MEMBER)];
        // With `=`, so that no value is taken for an option.
        let mut option = |name: &str, value: Option<OsString>| {
            if let Some(value) = value {
                let mut word = OsString::from(format!("--{name}="));
                word.push(value);
                line.push(word);
            }
        };
        let text = |text: &Option<String>| text.as_ref().map(OsString::from);
        let given = self.arguments;
        option("commit", text(&entry.commit));
        option("subpath", text(&entry.subpath));
        option("name", text(&entry.name));
        option(
            "repo-url",
            text(&entry.url).filter(|_| entry.path.is_some()),
        );
        option("id", Some(OsString::from(&entry.id)));
        option("date", Some(OsString::from(&self.date)));
        option("out", Some(staging.into()));
        option("rubric", given.rubric.as_ref().map(OsString::from));
        option("cache-dir", given.cache_dir.as_ref().map(OsString::from));
        option("threads", Some(budget.threads.to_string().into()));
        option(
            "memory",
            budget.share().map(|bytes| bytes.to_string().into()),
        );
        option(
            "known",
            earlier.map(|receipt| OsString::from(&receipt.commit)),
        );
        line.push("--quiet".into());
        line.extend(given.offline.then(|| "--offline".into()));
        line.extend(given.force.then(|| "--force".into()));
        line.push("--".into());
        line.extend(entry.path.as_ref().map(OsString::from).or(text(&entry.url)));
        line
    }
}

//! `audit review`, and `--review`: a reviewer's overlay.

use std::path::{Path, PathBuf};

use jiff::ToSpan;
use jiff::civil::Date;

use super::args::ReviewCommand;
use super::failure::Failure;
use super::{exit, output, render};
use crate::checkout::Snapshot;
use crate::render::review_template;
use crate::review::{self, Outcome, Overlay, Reviewed};
use crate::scorecard::{Method, Scorecard};

/// Largest overlay that is read, in bytes.
const LARGEST: u64 = 1 << 20;
/// How many days a new overlay holds, unless the reviewer says otherwise.
const DAYS: i64 = 180;

pub(super) fn run(command: &ReviewCommand) -> Result<u8, Failure> {
    let ReviewCommand::Init { card: file, out } = command;
    let card = render::load(file)?;
    let text = review_template(&card, &until(&card.scored_date));
    match out {
        Some(path) => output::write_new(path, &text)?,
        None => output::print(&text)?,
    }
    Ok(exit::OK)
}

/// The day on which an overlay for a card of `date` ends.
fn until(date: &str) -> String {
    let end = date
        .parse::<Date>()
        .and_then(|date| date.checked_add(DAYS.days()));
    end.map_or_else(|_| date.to_owned(), |end| end.to_string())
}

/// An overlay, and its file for messages.
pub(super) struct Review {
    file: PathBuf,
    overlay: Overlay,
}

/// Reads the overlay, where one is given.
pub(super) fn load(file: Option<&Path>) -> Result<Option<Review>, Failure> {
    let Some(file) = file else { return Ok(None) };
    let text = output::read_text(file, LARGEST)?;
    let wrong = |error| Failure::input(format!("{}:{error}", file.display()));
    Ok(Some(Review {
        file: file.to_owned(),
        overlay: Overlay::read(&text).map_err(wrong)?,
    }))
}

impl Review {
    /// The card as the review makes it. What was not applied is told on stderr, also when the user wants quiet: it is a
    /// change that somebody relies on.
    pub(super) fn apply(
        &self,
        card: &Scorecard,
        method: &Method,
        snapshot: Option<&Snapshot>,
        quiet: bool,
    ) -> Result<Scorecard, Failure> {
        let file = self.file.display();
        let reviewed = review::apply(card, method, &self.overlay, snapshot)
            .map_err(|error| Failure::input(format!("{file}:{error}")))?;
        for Outcome {
            line,
            what,
            refused,
        } in &reviewed.outcomes
        {
            if let Some(why) = refused {
                output::note(&format!(
                    "audit: {file}:{line}: {what} was not applied: {why}"
                ));
            }
        }
        if !quiet {
            output::note(&self.summary(&reviewed));
        }
        Ok(reviewed.card)
    }

    fn summary(&self, reviewed: &Reviewed) -> String {
        let all = reviewed.outcomes.len();
        let refused = reviewed.outcomes.iter().filter(|o| o.refused.is_some());
        let refused = refused.count();
        let unchecked = match reviewed.unchecked {
            0 => String::new(),
            count => {
                format!("; the evidence of {count} was not looked for in the repository (--repo)")
            }
        };
        format!(
            "audit: {}: {} applied, {refused} not applied{unchecked}",
            self.file.display(),
            all - refused
        )
    }
}

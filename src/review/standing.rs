//! Whether an override still holds: its date, its commit, its evidence. What it sets is not looked at.

use jiff::civil::Date;

use super::ReviewError;
use super::overlay::{Overlay, Override};
use crate::checkout::Snapshot;
use crate::scorecard::{Evidence, Scorecard};
use crate::verify::relocate;

/// The evidence of an override as it stands at the card's commit, or why the override does not hold.
pub(super) type Standing = Result<Vec<Evidence>, String>;

/// The standing of each override.
pub(super) fn all(
    card: &Scorecard,
    overlay: &Overlay,
    snapshot: Option<&Snapshot>,
) -> Result<Vec<Standing>, ReviewError> {
    let found = snapshot
        .map(|snapshot| found(overlay, snapshot))
        .transpose()?;
    let mut standings = Vec::new();
    for (number, over) in overlay.overrides.iter().enumerate() {
        let found = found.as_ref().and_then(|found| found.get(number));
        standings.push(of(card, over, found, is_own(card, over, snapshot))?);
    }
    Ok(standings)
}

/// Whether an override was made at the card's own commit; a folder as it lies there has none.
pub(super) fn is_own(card: &Scorecard, over: &Override, snapshot: Option<&Snapshot>) -> bool {
    over.commit == card.pinned_commit && !snapshot.is_some_and(|snapshot| snapshot.worktree)
}

/// For each override, each of its items of evidence in `snapshot`.
fn found(
    overlay: &Overlay,
    snapshot: &Snapshot,
) -> Result<Vec<Vec<Result<Evidence, String>>>, ReviewError> {
    let overrides = &overlay.overrides;
    let every: Vec<Evidence> = overrides.iter().flat_map(|o| o.evidence.clone()).collect();
    let found = relocate(snapshot, &every).map_err(|message| ReviewError { line: 1, message })?;
    let mut found = found.into_iter();
    let of_each = overrides.iter();
    Ok(of_each
        .map(|over| found.by_ref().take(over.evidence.len()).collect())
        .collect())
}

fn of(
    card: &Scorecard,
    over: &Override,
    found: Option<&Vec<Result<Evidence, String>>>,
    is_own: bool,
) -> Result<Standing, ReviewError> {
    if is_expired(over.until, card) {
        let date = &card.scored_date;
        return Ok(Err(format!(
            "it held until {}, and the card is of {date}",
            over.until
        )));
    }
    let Some(found) = found else {
        return Ok(match is_own || over.evidence.is_empty() {
            true => Ok(over.evidence.clone()),
            false => Err(
                "it was made at another commit, and its evidence was not looked for in the repository"
                    .to_owned(),
            ),
        });
    };
    if is_own {
        exact(over, found)?;
    }
    let found: Result<Vec<Evidence>, String> = found.iter().cloned().collect();
    Ok(found.map_err(|wrong| format!("its evidence no longer fits: {wrong}")))
}

/// At its own commit, evidence holds as it is written.
fn exact(over: &Override, found: &[Result<Evidence, String>]) -> Result<(), ReviewError> {
    for (written, found) in over.evidence.iter().zip(found) {
        let wrong = match found {
            Err(wrong) => wrong.clone(),
            Ok(found) if found == written => continue,
            Ok(found) => format!("the quote stands at {}", super::log::place(found)),
        };
        let message = format!("{}: {}: {wrong}", over.change, super::log::place(written));
        let line = over.line;
        return Err(ReviewError { line, message });
    }
    Ok(())
}

/// A date that is none has no day on which anything holds; the rules refuse such a card.
fn is_expired(until: Date, card: &Scorecard) -> bool {
    card.scored_date
        .parse::<Date>()
        .map_or(true, |date| date > until)
}

//! Beside the pipeline: what a reviewer who knows better changes on a card.
//!
//! In: a scorecard, an [`Overlay`], and the repository where it is at hand. Out: the scorecard
//! with every override that holds, each in its Re-audit log, and what became of each override. One that is expired,
//! whose evidence is gone, or that does not fit the card stands in the card's Limitations instead. The card's date
//! decides what is expired, so that the result depends on nothing else.

mod access;
mod apply;
mod attempt;
mod file;
mod log;
mod overlay;
mod place;
mod settle;
mod standing;
mod terms;
mod words;

pub use overlay::{Change, Overlay, OverlayError, Override};
pub use place::{FindingPlace, MechanismPlace, ParameterPlace, SentencePlace};

use attempt::Attempt;
use standing::Standing;

use crate::checkout::Snapshot;
use crate::scorecard::{CriterionId, Method, Problem, Scorecard, check};

/// A card as it is after the review.
#[derive(Clone, Debug)]
pub struct Reviewed {
    /// The card; it breaks no rule that it did not break before.
    pub card: Scorecard,
    /// What became of each override, in the order of the overlay.
    pub outcomes: Vec<Outcome>,
    /// How many were applied whose evidence was not looked for in the repository.
    pub unchecked: usize,
}

/// What became of an override.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Where it stands in the overlay, from 1.
    pub line: u64,
    /// What it sets.
    pub what: String,
    /// Why it was not applied; none if it was.
    pub refused: Option<String>,
}

/// Why an overlay cannot be applied to a card.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {message}")]
pub struct ReviewError {
    /// Line of the overlay, from 1.
    pub line: u64,
    /// What is wrong.
    pub message: String,
}

/// Applies `overlay` to `card`; its evidence is looked for in `snapshot`, which is the repository at the card's commit.
///
/// # Errors
/// An overlay of another card; an override that was made at the card's own commit and whose evidence is not there, or
/// with which the card would break the rules. The same of an older commit is an [`Outcome`]: the code went on.
pub fn apply(
    card: &Scorecard,
    method: &Method,
    overlay: &Overlay,
    snapshot: Option<&Snapshot>,
) -> Result<Reviewed, ReviewError> {
    if overlay.card != card.id {
        let message = format!(
            "is a review of the card {:?}, this is {:?}",
            overlay.card, card.id
        );
        return Err(ReviewError { line: 1, message });
    }
    let mut standings = standing::all(card, overlay, snapshot)?;
    let known: Vec<(String, String)> = check(card, method).iter().map(unnumbered).collect();
    let own = |over: &Override| standing::is_own(card, over, snapshot);
    loop {
        let attempt = Attempt::make(card, method, overlay, &standings);
        let mut problems = check(&attempt.card, method).into_iter();
        match problems.find(|problem| !known.contains(&unnumbered(problem))) {
            Some(problem) => withdraw(overlay, &attempt, &mut standings, &problem, &own)?,
            None => return Ok(attempt.finish(overlay, &standings, snapshot.is_some())),
        }
    }
}

/// Takes back what made `problem`: the overrides of its criterion. At least one standing changes, so that this ends.
fn withdraw(
    overlay: &Overlay,
    attempt: &Attempt,
    standings: &mut [Standing],
    problem: &Problem,
    own: &dyn Fn(&Override) -> bool,
) -> Result<(), ReviewError> {
    let criterion = criterion_of(problem);
    let mut went = false;
    for (number, over) in overlay.overrides.iter().enumerate() {
        let is_cause = criterion.is_none() || over.change.criterion() == criterion;
        if !is_cause || attempt.refusals[number].is_some() {
            continue;
        }
        if own(over) {
            let message = format!("{}: the card would break a rule: {problem}", over.change);
            let line = over.line;
            return Err(ReviewError { line, message });
        }
        standings[number] = Err(format!("with it the card would break a rule: {problem}"));
        went = true;
    }
    match went {
        true => Ok(()),
        // Nothing of the review is there any more, so that there cannot be a new problem.
        false => Err(ReviewError {
            line: 1,
            message: problem.to_string(),
        }),
    }
}

/// A problem without the numbers of list items, which a review moves.
fn unnumbered(problem: &Problem) -> (String, String) {
    let mut place = String::new();
    for part in problem.place.split_inclusive('[') {
        let index = part.bytes().take_while(u8::is_ascii_digit).count();
        let is_item = place.ends_with('[');
        place.push_str(if is_item { &part[index..] } else { part });
    }
    (place, problem.message.clone())
}

/// The criterion of a place such as `C4.S.gap` or `critical_findings[0] (C5)`.
fn criterion_of(problem: &Problem) -> Option<CriterionId> {
    let words = problem.place.split(|c: char| !c.is_ascii_alphanumeric());
    let named = |word: &str| {
        CriterionId::ALL
            .into_iter()
            .find(|id| id.to_string() == word)
    };
    words.filter(|word| !word.is_empty()).find_map(named)
}

//! Checks a card's evidence against the repository at the pinned commit.
//!
//! In: a [`Snapshot`], the commit that the card pins, and its claims. Out: the claims that do not hold, each with the
//! place in the card. The rules are those of formats.md, "scorecard.json": a cited file and its lines are there and
//! hold the quoted text, and a recorded search finds exactly as many lines as the card says.

mod card;
mod citation;
mod relocate;

pub use card::{verify, verify_with};
pub use relocate::relocate;

use crate::checkout::Snapshot;
use crate::scorecard::{Evidence, Problem};
use crate::search::{Outcome, SearchEngine};

/// One piece of evidence, and where in the card it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Place in the card, such as `C4.S`; it heads the message.
    pub place: String,
    /// What is claimed.
    pub evidence: ClaimEvidence,
}

/// What a piece of evidence claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimEvidence {
    /// Lines of a file.
    Citation {
        /// Path from the root.
        file: String,
        /// `N` or `N-M`, counted from 1.
        lines: String,
        /// Text that those lines hold.
        contains: Option<String>,
    },
    /// A recorded search.
    Search {
        /// The ripgrep command.
        command: String,
        /// The paths it is run on.
        scope: String,
        /// How many non-empty lines it prints.
        hits: usize,
    },
}

impl From<&Evidence> for ClaimEvidence {
    fn from(evidence: &Evidence) -> Self {
        match evidence.clone() {
            Evidence::Citation {
                file,
                lines,
                contains,
                ..
            } => Self::Citation {
                file,
                lines,
                contains,
            },
            Evidence::Search {
                search,
                scope,
                hits,
                ..
            } => Self::Search {
                command: search,
                scope,
                hits: usize::try_from(hits).unwrap_or(usize::MAX),
            },
        }
    }
}

/// Checks all `claims` of a card that pins `commit` against `snapshot`. The problems come in the order of the claims,
/// after that of the commit.
pub fn check_claims(snapshot: &Snapshot, commit: &str, claims: &[Claim]) -> Vec<Problem> {
    match SearchEngine::new(snapshot) {
        Ok(engine) => check_claims_with(snapshot, &engine, commit, claims),
        Err(error) => {
            let problem = Problem {
                place: "repository".to_owned(),
                message: error.to_string(),
            };
            pin(snapshot, commit).into_iter().chain([problem]).collect()
        }
    }
}

/// The same with an engine for `snapshot`; searches that it remembers are not repeated.
fn check_claims_with(
    snapshot: &Snapshot,
    engine: &SearchEngine<'_>,
    commit: &str,
    claims: &[Claim],
) -> Vec<Problem> {
    let evidence = check(engine, claims);
    pin(snapshot, commit).into_iter().chain(evidence).collect()
}

fn pin(snapshot: &Snapshot, commit: &str) -> Option<Problem> {
    (commit != snapshot.commit).then(|| Problem {
        place: "pinned_commit".to_owned(),
        message: format!(
            "the card pins {commit}, the repository is at {}",
            snapshot.commit
        ),
    })
}

/// What is wrong with which of `claims`, in their order.
fn messages(engine: &SearchEngine<'_>, claims: &[Claim]) -> Vec<Message> {
    let mut messages = citation::check(engine, claims);
    messages.extend(check_searches(engine, claims));
    messages.sort_by_key(|(number, _)| *number);
    messages
}

fn check(engine: &SearchEngine<'_>, claims: &[Claim]) -> Vec<Problem> {
    let problem = |(number, message): (usize, String)| Problem {
        place: claims[number].place.clone(),
        message,
    };
    messages(engine, claims).into_iter().map(problem).collect()
}

/// A claim's number and what is wrong with it.
type Message = (usize, String);

/// Repeats every search. Versions of ripgrep differ in which ignore rules above the scope they apply; a count that
/// any of them gives is right.
fn check_searches(engine: &SearchEngine<'_>, claims: &[Claim]) -> Vec<Message> {
    let mut numbers = Vec::new();
    let mut searches = Vec::new();
    for (number, claim) in claims.iter().enumerate() {
        if let ClaimEvidence::Search {
            command,
            scope,
            hits,
        } = &claim.evidence
        {
            numbers.push((number, *hits));
            searches.push((command.as_str(), scope.as_str()));
        }
    }
    let mut messages = Vec::new();
    for (outcome, ((number, hits), (command, scope))) in engine
        .run_all(&searches)
        .iter()
        .zip(numbers.iter().zip(&searches))
    {
        let wrong = match outcome {
            Ok(outcome) => difference(*hits, outcome),
            Err(error) => Some(error.to_string()),
        };
        messages.extend(wrong.map(|wrong| (*number, format!("`{command}` in `{scope}`: {wrong}"))));
    }
    messages
}

fn difference(hits: usize, outcome: &Outcome) -> Option<String> {
    let Outcome {
        hits: current,
        older_hits: older,
        ..
    } = outcome;
    match (current, older) {
        (current, older) if *current == hits || *older == hits => None,
        (current, older) if current == older => {
            Some(format!("gives {current}, the card says {hits}"))
        }
        _ => Some(format!(
            "gives {current} ({older} with ripgrep before version 15), the card says {hits}"
        )),
    }
}

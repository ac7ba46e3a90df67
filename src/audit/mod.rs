//! One audit: the pipeline from a snapshot to a scorecard that verifies.
//!
//! This is the only place that knows the order of the stages; each stage knows only what it is given.

mod cited;
mod examination;
mod linked;
mod memory;
mod roles;
mod rulebook;
mod searches;
mod sentences;
mod share;

pub use cited::CitedFiles;
pub use examination::Examination;
pub use memory::{keep_searches, search_engine};
pub use rulebook::{Rulebook, RulebookError};
pub use sentences::{RungSentences, sentences};
pub use share::Share;

use crate::rating::{Identity, Pinpoint, rate};
use crate::rubric::RubricError;
use crate::scorecard::Scorecard;
use crate::search::SearchEngine;

/// Why a snapshot got no card.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// There is no agent, agent framework or tool server in it.
    #[error("nothing to score here: {0}. Use --force to score it all the same")]
    NoSubject(String),
    /// Too much of the snapshot is damaged or too large for anything to be said of it.
    #[error(
        "{count} of {files} files cannot be read, the first of them {first}: the repository is damaged; clone it anew, \
         or rate a folder with --worktree"
    )]
    Unreadable {
        /// Number of such files.
        count: usize,
        /// Number of all files.
        files: usize,
        /// Path of the first.
        first: String,
    },
    /// A condition or sentence of the rubric could not be evaluated.
    #[error(transparent)]
    Rubric(#[from] RubricError),
    /// A search that the rubric records could not be run.
    #[error("search `{id}` of the rubric: {message}")]
    Search {
        /// Id of the search.
        id: String,
        /// What is wrong.
        message: String,
    },
}

/// A card, and what was found that does not belong into it.
pub struct Audited {
    /// The card, made to be published.
    pub card: Scorecard,
    /// Concrete weaknesses of shipped controls, for the maintainers alone.
    pub pinpoints: Vec<Pinpoint>,
}

/// Rates `examination` and runs the searches that its card records, with the `engine` of the same snapshot.
///
/// # Errors
/// See [`AuditError`]; `force` skips [`AuditError::NoSubject`].
pub fn score(
    engine: &SearchEngine<'_>,
    rulebook: &Rulebook,
    examination: &Examination,
    identity: &Identity,
    force: bool,
) -> Result<Audited, AuditError> {
    if !force {
        examination.check_subject(rulebook)?;
    }
    let ground = examination.ground();
    let basis = examination.basis(rulebook, &ground);
    let rated = rate(&basis)?;
    let evidence = searches::run(engine, rulebook, examination, &rated.searches())?;
    let pinpoints = rated.pinpoints(&basis)?;
    let card = rated.finish(&basis, identity, &evidence)?;
    Ok(Audited { card, pinpoints })
}

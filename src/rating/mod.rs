//! Stage 5: ratings apply the rubric's ladders to the facts.
//!
//! In: rubric, facts, hits. Out: a draft of the scorecard whose evidence still names hits and searches; `draft` turns
//! it into a card once the searches have been run. No criterion's rules stand here: they are data.

mod caps;
mod card;
mod criterion;
mod draft;
mod fixes;
mod identity;
mod ladder;
mod pinpoint;

pub use card::{RatedCard, rate};
pub use identity::Identity;
pub use pinpoint::Pinpoint;

use crate::fact::{Facts, Ground};
use crate::rubric::{Expressions, Rubric, RubricError, Scope};
use crate::scorecard::Method;

/// What the ratings are made from.
pub struct Basis<'a> {
    /// The ladders.
    pub rubric: &'a Rubric,
    /// The method's figures.
    pub method: &'a Method,
    /// The facts.
    pub facts: &'a Facts,
    /// The hits behind them.
    pub ground: &'a Ground<'a>,
    /// Evaluates conditions and sentences.
    pub expressions: &'a Expressions,
    /// Whether an absence may rest on what was read: false when too much of the source was not read or parsed.
    pub complete: bool,
    /// Whether the limits of an audit ended the reading: what speaks against a level may lie beyond them.
    pub limited: bool,
}

impl Basis<'_> {
    fn holds(
        &self,
        condition: Option<&str>,
        scope: &Scope,
        place: &str,
    ) -> Result<bool, RubricError> {
        self.expressions
            .holds(condition, scope)
            .map_err(|message| at(place, message))
    }

    fn text(&self, template: &str, scope: &Scope, place: &str) -> Result<String, RubricError> {
        self.expressions
            .text(template, scope)
            .map_err(|message| at(place, message))
    }
}

/// A condition or sentence of the rubric that could not be evaluated, at `place`.
fn at(place: &str, message: String) -> RubricError {
    RubricError {
        file: place.to_owned(),
        line: None,
        message,
    }
}

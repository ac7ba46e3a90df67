//! What is wrong with a card, and where.

use std::fmt;

/// One thing that is wrong with a card.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Where: `pinned_commit`, `C4.S.gap`, `C4.alt.D.evidence[1].lines`, `fixes[2]`.
    pub place: String,
    /// What is wrong there, and what would be right.
    pub message: String,
}

impl Problem {
    /// A problem at a place.
    pub fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            message: message.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for Problem {}

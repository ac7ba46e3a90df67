//! The overlay: what a reviewer changed, as it was read from a file and found to be whole.

use std::collections::BTreeSet;
use std::fmt;

use jiff::civil::Date;

use super::file;
use super::place::{FindingPlace, MechanismPlace, ParameterPlace, SentencePlace};
use crate::scorecard::{CriterionId, Evidence, Level, Status};

/// All that a reviewer changed on one project's card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// Id of the card that it is for.
    pub card: String,
    /// Levels first, then caps, absences, sentences and accepted findings, each in the order of the file.
    pub overrides: Vec<Override>,
}

/// One change, why, and for how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// Where it begins in the file, from 1.
    pub line: u64,
    /// What it sets.
    pub change: Change,
    /// Why, in the reviewer's words.
    pub reason: String,
    /// What it rests on; only an acceptance may have none. Citations have a quote.
    pub evidence: Vec<Evidence>,
    /// The commit that the reviewer looked at, 40 hexadecimal digits.
    pub commit: String,
    /// The last day on which it holds, compared with the card's date.
    pub until: Date,
}

/// What an override sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A parameter, whole.
    Level {
        /// Which.
        at: ParameterPlace,
        /// The level that the card has without the override.
        from: Level,
        /// The level that it should have.
        to: Level,
        /// Read or reasoned.
        status: Status,
        /// Its finding.
        finding: String,
        /// What the next level lacks; needed below L4.
        gap: Option<String>,
    },
    /// A cap that applies, or does not.
    Cap {
        /// On which mechanism.
        at: MechanismPlace,
        /// Its id.
        id: String,
        /// Whether it applies.
        applies: bool,
    },
    /// The risk surface of a criterion is absent.
    Absence {
        /// Which.
        at: CriterionId,
        /// The criterion's summary.
        summary: String,
    },
    /// A sentence.
    Sentence {
        /// Which.
        at: SentencePlace,
        /// What the card says without the override.
        says: String,
        /// What it should say.
        text: String,
    },
    /// A finding is an accepted risk. It stays on the card, and scores what it scores.
    Acceptance {
        /// Which.
        at: FindingPlace,
        /// What was accepted, in the card's words.
        says: String,
    },
}

/// Why a file is no overlay.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {message}")]
pub struct OverlayError {
    /// Line, from 1.
    pub line: u64,
    /// What is wrong and what to do.
    pub message: String,
}

impl Overlay {
    /// Reads the text of an overlay.
    ///
    /// # Errors
    /// The first thing that is wrong: no YAML, an unknown key, a missing reason, two overrides of one place.
    pub fn read(text: &str) -> Result<Self, OverlayError> {
        let overlay = file::read(text)?;
        overlay.check_conflicts()?;
        Ok(overlay)
    }

    /// Refuses two overrides that set the same thing.
    fn check_conflicts(&self) -> Result<(), OverlayError> {
        let mut set = BTreeSet::new();
        let absent = self.absent();
        for over in &self.overrides {
            let doubled = over
                .change
                .sets()
                .into_iter()
                .find(|what| !set.insert(what.clone()));
            let is_absence = matches!(over.change, Change::Absence { .. });
            let vain = over
                .change
                .criterion()
                .filter(|id| !is_absence && absent.contains(id));
            let message = match (doubled, vain) {
                (Some(what), _) => format!("{what} is set twice"),
                (None, Some(id)) => format!("{id} is set absent, so nothing else of it can be set"),
                (None, None) => continue,
            };
            let line = over.line;
            return Err(OverlayError { line, message });
        }
        Ok(())
    }

    fn absent(&self) -> BTreeSet<CriterionId> {
        let absences = self.overrides.iter().filter_map(|over| match over.change {
            Change::Absence { at, .. } => Some(at),
            _ => None,
        });
        absences.collect()
    }
}

impl Change {
    /// The criterion that it is about; none for the headline.
    pub fn criterion(&self) -> Option<CriterionId> {
        match self {
            Self::Level { at, .. } => Some(at.criterion()),
            Self::Cap { at, .. } => Some(at.criterion),
            Self::Absence { at, .. } => Some(*at),
            Self::Sentence { at, .. } => match at {
                SentencePlace::Headline => None,
                SentencePlace::Summary(id) => Some(*id),
                SentencePlace::Finding(place) | SentencePlace::Gap(place) => {
                    Some(place.criterion())
                }
            },
            Self::Acceptance { at, .. } => match at {
                FindingPlace::CriticalGap(id) => Some(*id),
                FindingPlace::Parameter(place) => Some(place.criterion()),
            },
        }
    }

    /// Names of all that it sets.
    fn sets(&self) -> Vec<String> {
        match self {
            Self::Level { at, .. } => vec![
                at.to_string(),
                SentencePlace::Finding(*at).to_string(),
                SentencePlace::Gap(*at).to_string(),
            ],
            Self::Acceptance { at, says } => vec![format!("the acceptance of {at} ({says:?})")],
            other => vec![other.to_string()],
        }
    }
}

impl fmt::Display for Change {
    /// What is changed, such as `C4.S` or `cap C5-WORSTCASE of C5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level { at, .. } => write!(f, "{at}"),
            Self::Cap { at, id, .. } => write!(f, "cap {id} of {at}"),
            Self::Absence { at, .. } => write!(f, "absence of {at}"),
            Self::Sentence { at, .. } => write!(f, "{at}"),
            Self::Acceptance { at, .. } => write!(f, "acceptance of {at}"),
        }
    }
}

//! The closed word lists of a card: criteria, parameters, levels, categories (formats.md).

mod level;
mod parameter;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use level::Level;
pub use parameter::{ParameterId, PerParameter};

/// One of the ten criteria.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum CriterionId {
    C1,
    C2,
    C3,
    C4,
    C5,
    C6,
    C7,
    C8,
    C9,
    C10,
}

impl CriterionId {
    /// All ten, in the order of the card.
    pub const ALL: [Self; 10] = [
        Self::C1,
        Self::C2,
        Self::C3,
        Self::C4,
        Self::C5,
        Self::C6,
        Self::C7,
        Self::C8,
        Self::C9,
        Self::C10,
    ];

    /// 1 for C1 to 10 for C10.
    pub fn number(self) -> usize {
        self as usize + 1
    }
}

impl fmt::Display for CriterionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "C{}", self.number())
    }
}

/// How a parameter's level was established.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Read in the source.
    Verified,
    /// Reasoned from the source; at most L2.
    Inferred,
}

impl Status {
    /// The word of the file and of the card.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Inferred => "inferred",
        }
    }
}

/// How much of a criterion's rating was read rather than reasoned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// No inferred parameter.
    High,
    /// One or two.
    Medium,
    /// Three or four.
    Low,
}

impl Confidence {
    /// The word of the file, lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }

    /// The word of the table, capitalised.
    pub fn label(self) -> &'static str {
        match self {
            Self::High => "High",
            Self::Medium => "Medium",
            Self::Low => "Low",
        }
    }
}

/// Which of a criterion's two mechanisms is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MechanismKind {
    /// What ships on.
    Default,
    /// A stronger one that is opt-in.
    Alt,
}

impl MechanismKind {
    /// The word of the file and of the card.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Alt => "alt",
        }
    }
}

/// The domain that a project acts on (method.md, "What kind of project").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Category {
    Coding,
    Cybersecurity,
    InfrastructureOps,
    AiAssistants,
    DataAnalytics,
    AgentFrameworks,
}

impl Category {
    /// The name that the card prints.
    pub fn label(self) -> &'static str {
        match self {
            Self::Coding => "Coding",
            Self::Cybersecurity => "Cybersecurity",
            Self::InfrastructureOps => "Infrastructure & Ops",
            Self::AiAssistants => "AI Assistants",
            Self::DataAnalytics => "Data & Analytics",
            Self::AgentFrameworks => "Agent Frameworks",
        }
    }
}

/// Whether a capability exists in the scored default configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// Only when someone turns it on.
    OptIn,
}

impl Presence {
    /// The word that the card prints (`opt_in` loses its underscore).
    pub fn label(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::OptIn => "opt-in",
        }
    }
}

//! The authored scorecard, as `scorecard.json` holds it (formats.md). No computed figures.

mod file;

use serde::{Deserialize, Serialize};

use self::file::{CriterionFile, ParameterFile};

use super::evidence::Evidence;
use super::vocabulary::{
    Category, CriterionId, Level, ParameterId, PerParameter, Presence, Status,
};

/// A whole card, as its author wrote it. The fields stand in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scorecard {
    /// Slug, `[a-z0-9][a-z0-9-]*`.
    pub id: String,
    /// The project's name, for people.
    pub name: String,
    /// `https://…`, no trailing path.
    pub repo_url: String,
    /// The folder that was scored inside a monorepo.
    #[serde(deserialize_with = "Option::deserialize")]
    pub subpath: Option<String>,
    /// What the project is, in one line.
    pub description: String,
    /// The domain it acts on.
    pub category: Category,
    /// The commit that was read, 40 hexadecimal digits.
    pub pinned_commit: String,
    /// The tag at that commit.
    #[serde(deserialize_with = "Option::deserialize")]
    pub version: Option<String>,
    /// YYYY-MM-DD.
    pub scored_date: String,
    /// What counted as the default, in one sentence.
    pub scored_configuration: String,
    /// What the agent can do in that configuration.
    pub capability_profile: CapabilityProfile,
    /// Two to four sentences for someone who deploys it as shipped.
    pub headline: String,
    /// C1 to C10, in order.
    pub criteria: Vec<Criterion>,
    /// Caps that bite, and worst blast radii.
    pub critical_findings: Vec<CriticalFinding>,
    /// Whether untrusted input, sensitive data and egress meet.
    pub rule_of_two: RuleOfTwo,
    /// At most five.
    pub fixes: Vec<Fix>,
    /// Levels that a second look changed.
    pub reaudit_log: Vec<LevelChange>,
    /// What was not examined; never empty.
    pub limitations: Vec<String>,
    /// Version of the file format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema_version: Option<String>,
    /// Version of the method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scorecard_version: Option<String>,
}

/// The agent surface: nine capabilities in the scored default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct CapabilityProfile {
    pub code_execution: Presence,
    pub filesystem_write: Presence,
    pub network_egress: Presence,
    pub external_credentials: Presence,
    pub persistent_memory: Presence,
    pub untrusted_input: Presence,
    pub third_party_extensions: Presence,
    pub sub_agents: Presence,
    pub external_communication: Presence,
}

impl CapabilityProfile {
    /// The nine with the words that the card prints, in its order.
    pub fn entries(&self) -> [(&'static str, Presence); 9] {
        [
            ("code execution", self.code_execution),
            ("filesystem write", self.filesystem_write),
            ("network egress", self.network_egress),
            ("external credentials", self.external_credentials),
            ("persistent memory", self.persistent_memory),
            ("untrusted input", self.untrusted_input),
            ("third party extensions", self.third_party_extensions),
            ("sub agents", self.sub_agents),
            ("external communication", self.external_communication),
        ]
    }
}

/// One criterion: its paragraph and its rating.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "CriterionFile", into = "CriterionFile")]
pub struct Criterion {
    /// C1 to C10.
    pub id: CriterionId,
    /// What exists, what is missing, what follows.
    pub summary: String,
    /// The levels, or the absence of the risk surface.
    pub rating: Rating,
    /// Printed under the criterion.
    pub notes: Option<String>,
}

/// How a criterion is rated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rating {
    /// By one mechanism or two.
    Scored(Box<Mechanisms>),
    /// The risk surface does not exist at all; scores 1.00.
    Absent {
        /// The recorded negative search.
        evidence: Vec<Evidence>,
    },
}

/// What ships on, and a stronger opt-in mechanism when there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mechanisms {
    /// The scored default configuration.
    pub default: Mechanism,
    /// A stronger mechanism that is opt-in, held to G1.
    pub alt: Option<Alternative>,
}

/// Four rated parameters and the caps on their sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mechanism {
    /// S, C, D and B.
    pub parameters: Parameters,
    /// In the author's order; only the lowest counts.
    pub caps: Vec<Cap>,
}

/// A stronger mechanism that is opt-in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alternative {
    /// What it is called, such as the flag that turns it on.
    pub label: String,
    /// S, C, D and B.
    pub parameters: Parameters,
    /// Beside G1, which always applies.
    #[serde(default)]
    pub caps: Vec<Cap>,
}

/// S, C, D and B.
pub type Parameters = PerParameter<Parameter>;

/// One rated parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "ParameterFile", into = "ParameterFile")]
pub struct Parameter {
    /// The rung, or the absence of the surface.
    pub level: Level,
    /// Read, or reasoned.
    pub status: Status,
    /// What was found, in one sentence.
    pub finding: String,
    /// Never empty.
    pub evidence: Vec<Evidence>,
    /// The one element of the next level that is missing; needed below L4.
    pub gap: Option<String>,
}

/// A limit on a criterion's score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cap {
    /// One of the table in method.md; [`check`](super::check) refuses others.
    pub id: String,
    /// Why it applies, in one sentence.
    pub reason: String,
}

/// A critical gap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CriticalFinding {
    /// What can happen, in one sentence.
    pub summary: String,
    /// The criterion it belongs to.
    pub criterion: CriterionId,
    /// OWASP labels.
    pub owasp: Vec<String>,
    /// Quoted citations.
    pub evidence: Vec<Evidence>,
}

/// Whether untrusted input, sensitive data and egress meet in one default session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleOfTwo {
    /// `[A]`, with path:line.
    pub untrusted_input: String,
    /// `[B]`, with path:line.
    pub sensitive_data: String,
    /// `[C]`, with path:line.
    pub state_change_or_egress: String,
    /// Whether all three meet.
    pub same_session: bool,
}

/// A proposed improvement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fix {
    /// The change, in one sentence.
    pub summary: String,
    /// The criterion it raises.
    pub criterion: CriterionId,
    /// The parameter it raises.
    pub parameter: ParameterId,
    /// The level on this card.
    pub from_level: Level,
    /// The level afterwards.
    pub to_level: Level,
    /// The step of a playbook, such as `Playbook 5, step 1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playbook: Option<String>,
}

/// A level that a second look changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelChange {
    /// The criterion.
    pub criterion: CriterionId,
    /// The parameter.
    pub parameter: ParameterId,
    /// The level before.
    pub from_level: Level,
    /// The level now.
    pub to_level: Level,
    /// Why.
    pub reason: String,
}

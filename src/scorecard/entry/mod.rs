//! `entry.json`: a card with its figures, for programs (formats.md). The published schema is
//! `rubric/entry.schema.json`.

mod build;
mod check;

pub use build::Permalink;

use serde::{Deserialize, Serialize};

use super::evidence::{Evidence, EvidenceFile};
use super::model::{CapabilityProfile, LevelChange, RuleOfTwo};
use super::vocabulary::{
    Category, Confidence, CriterionId, Level, MechanismKind, ParameterId, PerParameter, Status,
};

/// A card with its figures. The fields stand in the order of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Entry {
    pub schema_version: String,
    pub scorecard_version: String,
    pub id: String,
    pub name: String,
    pub repo_url: String,
    #[serde(deserialize_with = "Option::deserialize")]
    pub subpath: Option<String>,
    pub description: String,
    pub category: Category,
    pub pinned_commit: String,
    #[serde(deserialize_with = "Option::deserialize")]
    pub version: Option<String>,
    pub scored_date: String,
    pub scored_configuration: String,
    /// One decimal.
    pub score: f64,
    /// 10.0.
    pub max_score: f64,
    pub band: EntryBand,
    pub applicable: Applicable,
    pub capability_profile: CapabilityProfile,
    pub headline: String,
    pub criteria: Vec<EntryCriterion>,
    pub critical_findings: Vec<EntryFinding>,
    pub rule_of_two: RuleOfTwo,
    pub fixes: Vec<EntryFix>,
    pub reaudit_log: Vec<LevelChange>,
    pub limitations: Vec<String>,
}

/// The band of the total.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct EntryBand {
    pub id: String,
    pub label: String,
    pub color: String,
}

/// The figures over the criteria whose risk surface exists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Applicable {
    /// How many there are.
    pub count: usize,
    /// The sum of their scores, two decimals.
    pub score: f64,
    /// What they could earn.
    pub max: f64,
    /// The share; null when there are none.
    #[serde(deserialize_with = "Option::deserialize")]
    pub percent: Option<u64>,
}

/// A criterion with its figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct EntryCriterion {
    pub id: CriterionId,
    pub name: String,
    pub number: usize,
    pub owasp: Vec<String>,
    pub question: String,
    pub summary: String,
    pub max: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    pub status: EntryStatus,
    /// Three decimals.
    pub score: f64,
    pub counted: MechanismKind,
    pub confidence: Confidence,
    #[serde(deserialize_with = "Option::deserialize")]
    pub cap: Option<EntryCap>,
    /// Those of the counted mechanism.
    pub parameters: PerParameter<EntryParameter>,
    /// The default one first.
    pub mechanisms: Vec<EntryMechanism>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absence_evidence: Option<Vec<EntryEvidence>>,
}

/// How a criterion came by its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryStatus {
    /// By its parameters.
    Scored,
    /// By the absence of its risk surface.
    StructuralAbsence,
}

/// The cap that applied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct EntryCap {
    pub id: String,
    pub reason: String,
    pub max: f64,
}

/// A mechanism with its figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct EntryMechanism {
    pub kind: MechanismKind,
    pub label: String,
    /// Three decimals.
    pub score: f64,
    /// Three decimals.
    pub raw: f64,
    #[serde(deserialize_with = "Option::deserialize")]
    pub cap: Option<EntryCap>,
    pub confidence: Confidence,
    pub parameters: PerParameter<EntryParameter>,
}

/// A parameter with its figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct EntryParameter {
    /// 4 when the surface is absent.
    pub level: u8,
    pub structural_absence: bool,
    pub status: Status,
    pub finding: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<String>,
    pub evidence: Vec<EntryEvidence>,
    pub weight: f64,
    pub points: f64,
}

/// A critical gap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct EntryFinding {
    pub summary: String,
    pub criterion: CriterionId,
    pub owasp: Vec<String>,
    pub evidence: Vec<EntryEvidence>,
}

/// A proposed improvement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct EntryFix {
    pub summary: String,
    pub criterion: CriterionId,
    pub parameter: ParameterId,
    pub from_level: Level,
    pub to_level: Level,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playbook: Option<String>,
    /// Before caps; three decimals.
    pub estimated_gain: f64,
}

/// Evidence, with the permalink of a citation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "EvidenceFile", into = "EvidenceFile")]
pub struct EntryEvidence {
    /// As in the scorecard.
    pub evidence: Evidence,
    /// The lines at the pinned commit, on the forge.
    pub url: Option<String>,
}

impl TryFrom<EvidenceFile> for EntryEvidence {
    type Error = &'static str;

    fn try_from(mut read: EvidenceFile) -> Result<Self, Self::Error> {
        let url = read.url.take();
        let evidence = Evidence::try_from(read)?;
        if url.is_some() && evidence.is_search() {
            return Err("unknown field `url`: only a citation has one");
        }
        Ok(Self { evidence, url })
    }
}

impl From<EntryEvidence> for EvidenceFile {
    fn from(entry: EntryEvidence) -> Self {
        let mut file = Self::from(entry.evidence);
        file.url = entry.url;
        file
    }
}

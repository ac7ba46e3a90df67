//! How parameters and criteria stand in a file. The model is stricter: what cannot be together
//! there is apart, and absence is written in one way.

use serde::{Deserialize, Serialize};

use super::{Alternative, Cap, Criterion, Mechanism, Mechanisms, Parameter, Parameters, Rating};
use crate::scorecard::evidence::Evidence;
use crate::scorecard::vocabulary::{CriterionId, Level, Status};

/// A parameter as it stands in a file, where absence can be written in two ways.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ParameterFile {
    level: Level,
    status: Status,
    finding: String,
    evidence: Vec<Evidence>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gap: Option<String>,
    #[serde(default, skip_serializing)]
    structural_absence: bool,
}

impl From<ParameterFile> for Parameter {
    fn from(read: ParameterFile) -> Self {
        Self {
            level: if read.structural_absence {
                Level::Absent
            } else {
                read.level
            },
            status: read.status,
            finding: read.finding,
            evidence: read.evidence,
            gap: read.gap,
        }
    }
}

impl From<Parameter> for ParameterFile {
    fn from(parameter: Parameter) -> Self {
        Self {
            level: parameter.level,
            status: parameter.status,
            finding: parameter.finding,
            evidence: parameter.evidence,
            gap: parameter.gap,
            structural_absence: false,
        }
    }
}

/// A criterion as it stands in a file: the fields of both ratings side by side.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CriterionFile {
    id: CriterionId,
    summary: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    structural_absence: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    absence_evidence: Option<Vec<Evidence>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parameters: Option<Parameters>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    caps: Option<Vec<Cap>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    alt: Option<Alternative>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    notes: Option<String>,
}

impl TryFrom<CriterionFile> for Criterion {
    type Error = String;

    fn try_from(read: CriterionFile) -> Result<Self, Self::Error> {
        let id = read.id;
        let caps = read.caps.unwrap_or_default();
        let absence_evidence = read.absence_evidence.unwrap_or_default();
        let rating = match (read.structural_absence, read.parameters) {
            (true, None) if caps.is_empty() && read.alt.is_none() => Rating::Absent {
                evidence: absence_evidence,
            },
            (false, Some(parameters)) if absence_evidence.is_empty() => {
                Rating::Scored(Box::new(Mechanisms {
                    default: Mechanism { parameters, caps },
                    alt: read.alt,
                }))
            }
            _ => {
                return Err(format!(
                    "{id} needs either `parameters` (with `caps` and `alt`) or `structural_absence` (with `absence_evidence`)"
                ));
            }
        };
        Ok(Self {
            id,
            summary: read.summary,
            rating,
            notes: read.notes,
        })
    }
}

impl From<Criterion> for CriterionFile {
    fn from(criterion: Criterion) -> Self {
        let mut file = Self {
            id: criterion.id,
            summary: criterion.summary,
            structural_absence: false,
            absence_evidence: None,
            parameters: None,
            caps: None,
            alt: None,
            notes: criterion.notes,
        };
        match criterion.rating {
            Rating::Absent { evidence } => {
                file.structural_absence = true;
                file.absence_evidence = Some(evidence);
            }
            Rating::Scored(mechanisms) => {
                let Mechanisms { default, alt } = *mechanisms;
                file.parameters = Some(default.parameters);
                file.caps = Some(default.caps);
                file.alt = alt;
            }
        }
        file
    }
}

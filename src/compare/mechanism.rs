//! The opt-in mechanism of a criterion, where one card has it and the other has not.

use serde::Serialize;

use super::criterion::SurfaceChange;
use super::evidence::EvidenceChange;
use super::renames::Renames;
use crate::scorecard::{Evidence, Level, Parameter, ParameterId, ScoredCriterion, Status};

/// An opt-in mechanism that came or went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MechanismChange {
    /// Which of the two.
    pub change: SurfaceChange,
    /// What it is called.
    pub label: String,
    /// Its parameters on the card that has it.
    pub parameters: Vec<MechanismRating>,
}

/// A parameter of a mechanism that is on one card only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MechanismRating {
    /// The parameter.
    pub parameter: ParameterId,
    /// Its level.
    pub level: Level,
    /// Whether the level was read or reasoned.
    pub status: Status,
    /// What the card says.
    pub finding: String,
    /// Its evidence, which appeared or went with it.
    pub evidence: EvidenceChange,
}

/// The opt-in mechanism of a criterion that is rated on both cards.
pub(super) fn change(
    old: &ScoredCriterion<'_>,
    new: &ScoredCriterion<'_>,
    renames: &Renames,
) -> Option<MechanismChange> {
    if old.is_absent() || new.is_absent() {
        return None;
    }
    let (change, mechanism) = match (old.mechanisms.get(1), new.mechanisms.get(1)) {
        (None, Some(mechanism)) => (SurfaceChange::Appeared, mechanism),
        (Some(mechanism), None) => (SurfaceChange::Vanished, mechanism),
        _ => return None,
    };
    let rating = |(id, parameter): (ParameterId, &Parameter)| {
        let (before, now): (&[Evidence], &[Evidence]) = match change {
            SurfaceChange::Appeared => (&[], &parameter.evidence),
            SurfaceChange::Vanished => (&parameter.evidence, &[]),
        };
        MechanismRating {
            parameter: id,
            level: parameter.level,
            status: parameter.status,
            finding: parameter.finding.clone(),
            evidence: EvidenceChange::between(before, now, renames),
        }
    };
    Some(MechanismChange {
        change,
        label: mechanism.label.to_owned(),
        parameters: mechanism.parameters.iter().map(rating).collect(),
    })
}

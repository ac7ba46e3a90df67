//! Pinpoints: concrete weaknesses of shipped controls, kept out of the card (method.md, "Posture, not exploits").

use std::collections::BTreeSet;

use super::Basis;
use super::criterion::{RatedCriterion, RatedRating};
use super::draft::{Draft, citation, evidence};
use crate::rubric::{PinpointConfidence, RubricError, Scope};
use crate::scorecard::{CriterionId, Evidence};

/// One weakness, for a private report to the maintainers.
#[derive(Clone, Debug)]
pub struct Pinpoint {
    /// Criterion whose control it concerns.
    pub criterion: CriterionId,
    /// What is wrong.
    pub title: String,
    /// Who can reach it.
    pub reach: String,
    /// How sure the rule is.
    pub confidence: PinpointConfidence,
    /// Citations of the lines.
    pub lines: Vec<Evidence>,
}

/// The pinpoints that hold, in the order of the criteria.
pub(super) fn find(
    basis: &Basis<'_>,
    scope: &Scope,
    rated: &[RatedCriterion<'_>],
) -> Result<Vec<Pinpoint>, RubricError> {
    let mut found = Vec::new();
    for criterion in rated {
        if matches!(criterion.rating, RatedRating::Absent(_)) {
            continue;
        }
        let place = format!("{} [[pinpoint]]", criterion.id);
        for spec in &criterion.file.pinpoint {
            if !basis.holds(Some(spec.when.get_ref()), scope, &place)? {
                continue;
            }
            let drafts = evidence(basis, &spec.cite, &[], &mut BTreeSet::new());
            let lines: Vec<Evidence> = drafts
                .iter()
                .filter_map(|draft| match draft {
                    Draft::Hit(index) => Some(citation(basis, *index)),
                    Draft::Search(_) => None,
                })
                .collect();
            if !lines.is_empty() {
                found.push(Pinpoint {
                    criterion: criterion.id,
                    title: basis.text(&spec.title, scope, &place)?,
                    reach: basis.text(&spec.reach, scope, &place)?,
                    confidence: spec.confidence,
                    lines,
                });
            }
        }
    }
    Ok(found)
}

//! One criterion: absence, or the default mechanism and a stronger opt-in one.

use std::collections::BTreeSet;

use super::draft::{Draft, evidence};
use super::ladder::{RatedParameters, climb};
use super::{Basis, caps::RatedCap};
use crate::rubric::{CriterionFile, RubricError};
use crate::scorecard::CriterionId;

/// A criterion whose evidence is not yet resolved.
pub(super) struct RatedCriterion<'r> {
    pub(super) id: CriterionId,
    pub(super) file: &'r CriterionFile,
    pub(super) rating: RatedRating,
    pub(super) caps: Vec<RatedCap>,
}

/// How it is rated.
pub(super) enum RatedRating {
    /// Searches that show that there is nothing to control.
    Absent(Vec<Draft>),
    /// What ships on, and the label, parameters and reason of a stronger opt-in mechanism.
    Scored {
        default: Box<RatedParameters>,
        alternative: Option<Box<RatedAlternative>>,
    },
}

/// A stronger mechanism that is opt-in.
pub(super) struct RatedAlternative {
    pub(super) label: String,
    pub(super) reason: Option<String>,
    pub(super) parameters: RatedParameters,
}

/// Rates the criterion of `file`.
pub(super) fn rate_criterion<'r>(
    basis: &Basis<'_>,
    id: CriterionId,
    file: &'r CriterionFile,
) -> Result<RatedCriterion<'r>, RubricError> {
    let place = id.to_string();
    let scope = &basis.facts.scope;
    if let Some(absence) = &file.absence
        && basis.complete
        && basis.holds(Some(&absence.when), scope, &place)?
    {
        let rating =
            RatedRating::Absent(evidence(basis, &[], &absence.search, &mut BTreeSet::new()));
        return Ok(RatedCriterion {
            id,
            file,
            rating,
            caps: Vec::new(),
        });
    }
    let default = Box::new(climb(basis, &file.ladder, &place)?);
    let alternative = match &file.alternative {
        Some(alternative) if basis.holds(Some(&alternative.when), scope, &place)? => {
            Some(Box::new(RatedAlternative {
                label: basis.text(&alternative.label, scope, &place)?,
                reason: alternative
                    .reason
                    .as_deref()
                    .map(|r| basis.text(r, scope, &place))
                    .transpose()?,
                parameters: climb(basis, &alternative.ladder, &format!("{place}.alternative"))?,
            }))
        }
        _ => None,
    };
    Ok(RatedCriterion {
        id,
        file,
        rating: RatedRating::Scored {
            default,
            alternative,
        },
        caps: Vec::new(),
    })
}

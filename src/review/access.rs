//! Parts of a card by their places, to be changed. Each fails with why the card has no such part.

use super::place::{MechanismPlace, ParameterPlace};
use crate::scorecard::{
    Cap, Criterion, CriterionId, MechanismKind, Mechanisms, Parameter, Rating, Scorecard,
};

/// A criterion.
pub(super) fn criterion(card: &mut Scorecard, id: CriterionId) -> Result<&mut Criterion, String> {
    let found = card
        .criteria
        .iter_mut()
        .find(|criterion| criterion.id == id);
    found.ok_or_else(|| format!("the card has no {id}"))
}

fn mechanisms(card: &mut Scorecard, id: CriterionId) -> Result<&mut Mechanisms, String> {
    match &mut criterion(card, id)?.rating {
        Rating::Scored(rated) => Ok(rated),
        Rating::Absent { .. } => Err("the card says that the surface is absent".to_owned()),
    }
}

/// A rated parameter; none of a criterion that is absent.
pub(super) fn parameter(
    card: &mut Scorecard,
    at: ParameterPlace,
) -> Result<&mut Parameter, String> {
    let rated = mechanisms(card, at.criterion())?;
    let parameters = match at.mechanism.kind {
        MechanismKind::Default => &mut rated.default.parameters,
        MechanismKind::Alt => &mut rated.alt.as_mut().ok_or(NO_ALT)?.parameters,
    };
    Ok(parameters.get_mut(at.parameter))
}

/// The caps of a mechanism.
pub(super) fn caps(card: &mut Scorecard, at: MechanismPlace) -> Result<&mut Vec<Cap>, String> {
    let rated = mechanisms(card, at.criterion)?;
    Ok(match at.kind {
        MechanismKind::Default => &mut rated.default.caps,
        MechanismKind::Alt => &mut rated.alt.as_mut().ok_or(NO_ALT)?.caps,
    })
}

const NO_ALT: &str = "the card has no opt-in mechanism there";

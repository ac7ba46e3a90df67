//! Fixes: the changes that gain most on this card, after caps.

use super::Basis;
use super::criterion::RatedCriterion;
use crate::rubric::FixSpec;
use crate::rubric::{RubricError, Scope};
use crate::scorecard::{Fix, Level, ParameterId, Points, Rating, Scorecard, ScoredCard};

/// Most fixes of one criterion, so that five fixes do not all mend the same.
const OF_ONE_CRITERION: usize = 2;

/// At most five fixes, ordered by what each gains on `card` after caps, then before caps.
pub(super) fn propose(
    basis: &Basis<'_>,
    scope: &Scope,
    rated: &[RatedCriterion<'_>],
    card: &Scorecard,
) -> Result<Vec<Fix>, RubricError> {
    let total = sum(card, basis);
    let mut candidates: Vec<(Points, Points, usize, Fix)> = Vec::new();
    for (index, criterion) in rated.iter().enumerate() {
        let Rating::Scored(mechanisms) = &card.criteria[index].rating else {
            continue;
        };
        let parameters = &mechanisms.default.parameters;
        for spec in &criterion.file.fix {
            let id = *spec.parameter.get_ref();
            let from = parameters.get(id).level;
            let to = Level::Rung(reachable(basis, id, spec.to, parameters.s.level));
            let place = format!("{} [[fix]]", criterion.id);
            if from.number() >= to.number() || !basis.holds(spec.when.as_deref(), scope, &place)? {
                continue;
            }
            let summary = basis.text(&spec.summary, scope, &place)?;
            let playbook = Some(spec.playbook.clone());
            let fix = Fix {
                summary,
                criterion: criterion.id,
                parameter: id,
                from_level: from,
                to_level: to,
                playbook,
            };
            let after = sum(&with(card, index, &fix, spec), basis).less(total);
            candidates.push((after, basis.method.gain(&fix), candidates.len(), fix));
        }
    }
    candidates.sort_by(|a, b| (b.0, b.1).cmp(&(a.0, a.1)).then(a.2.cmp(&b.2)));
    let mut fixes: Vec<Fix> = Vec::new();
    for (_, _, _, fix) in candidates {
        let of_same = fixes.iter().filter(|f| f.criterion == fix.criterion);
        let repeated = fixes
            .iter()
            .any(|f| f.criterion == fix.criterion && f.parameter == fix.parameter);
        if of_same.count() < OF_ONE_CRITERION
            && !repeated
            && fixes.len() < basis.method.limits.fixes
        {
            fixes.push(fix);
        }
    }
    Ok(fixes)
}

/// C and D get no higher than one above strength as it stands.
fn reachable(basis: &Basis<'_>, id: ParameterId, to: u8, strength: Level) -> u8 {
    match id {
        ParameterId::C | ParameterId::D => to.min(basis.method.highest_beside(strength)),
        ParameterId::S | ParameterId::B => to,
    }
}

/// The card with one parameter raised and the caps gone that the fix lifts.
fn with(card: &Scorecard, index: usize, fix: &Fix, spec: &FixSpec) -> Scorecard {
    let mut changed = card.clone();
    if let Rating::Scored(mechanisms) = &mut changed.criteria[index].rating {
        let caps = &mut mechanisms.default.caps;
        caps.retain(|cap| !spec.lifts.contains(&cap.id));
        let parameters = &mut mechanisms.default.parameters;
        let parameter = match fix.parameter {
            ParameterId::S => &mut parameters.s,
            ParameterId::C => &mut parameters.c,
            ParameterId::D => &mut parameters.d,
            ParameterId::B => &mut parameters.b,
        };
        parameter.level = fix.to_level;
    }
    changed
}

/// Sum of the criterion scores, in thousandths; rounding would hide small gains.
fn sum(card: &Scorecard, basis: &Basis<'_>) -> Points {
    ScoredCard::new(card, basis.method).total
}

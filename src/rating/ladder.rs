//! One parameter: the highest rung that holds.

use std::collections::BTreeSet;

use super::draft::{Draft, evidence};
use super::{Basis, at};
use crate::rubric::{Ladder, RubricError, Rung};
use crate::scorecard::{Level, ParameterId, PerParameter, Status};

/// The gap of a level that is held down because the search behind it did not see everything.
const PARTIAL_VIEW: &str = "This rests on searches of a tree that was not read whole (see Limitations), so no more can be credited.";
/// The same where the limits of the audit ended the reading.
const LIMITED_VIEW: &str = "What lies beyond the limits of the audit was not read (see Limitations), so no more can be credited.";

/// A rated parameter whose evidence is not yet resolved.
#[derive(Clone, Debug)]
pub(super) struct RatedParameter {
    pub(super) level: Level,
    pub(super) status: Status,
    pub(super) finding: String,
    pub(super) gap: Option<String>,
    pub(super) evidence: Vec<Draft>,
}

/// The four parameters of a mechanism.
pub(super) type RatedParameters = PerParameter<RatedParameter>;

/// Rates the four parameters by `ladders`; `place` names them in errors.
pub(super) fn climb(
    basis: &Basis<'_>,
    ladders: &[Ladder],
    place: &str,
) -> Result<RatedParameters, RubricError> {
    let mut cited = BTreeSet::new();
    let mut one = |id: ParameterId| -> Result<RatedParameter, RubricError> {
        let place = format!("{place}.{id}");
        let rung = standing(basis, ladders, id, &place)?;
        rated(basis, rung, &place, &mut cited)
    };
    let strength = one(ParameterId::S)?;
    let coverage = held_to(basis, one(ParameterId::C)?, strength.level);
    let default = held_to(basis, one(ParameterId::D)?, strength.level);
    Ok(PerParameter {
        s: strength,
        c: coverage,
        d: default,
        b: one(ParameterId::B)?,
    })
}

/// The rung of parameter `id` that the facts reach.
pub(super) fn standing<'r>(
    basis: &Basis<'_>,
    ladders: &'r [Ladder],
    id: ParameterId,
    place: &str,
) -> Result<&'r Rung, RubricError> {
    let kind = basis.facts.judgement.kind;
    let ladder = ladders
        .iter()
        .find(|l| *l.parameter.get_ref() == id && l.kinds.contains(&kind));
    for rung in ladder.into_iter().flat_map(|l| &l.rung) {
        if basis.holds(rung.when.as_deref(), &basis.facts.scope, place)? {
            return Ok(rung);
        }
    }
    Err(at(place, format!("no ladder for kind {}", kind.word())))
}

fn rated(
    basis: &Basis<'_>,
    rung: &Rung,
    place: &str,
    cited: &mut BTreeSet<usize>,
) -> Result<RatedParameter, RubricError> {
    let scope = &basis.facts.scope;
    let drafts = evidence(basis, &rung.cite, &rung.search, cited);
    let rests_on_searches = !drafts.iter().any(|d| matches!(d, Draft::Hit(_)));
    let earns = !rung.level.get_ref().is_absent() && rung.level.get_ref().number() > 0;
    let reasoned =
        rung.inferred || (rests_on_searches && !basis.complete) || (earns && basis.limited);
    let highest = basis.method.limits.inferred;
    let level = match *rung.level.get_ref() {
        level if reasoned && level.number() > highest => Level::Rung(highest),
        level => level,
    };
    let gap = rung
        .gap
        .as_deref()
        .map(|gap| basis.text(gap, scope, place))
        .transpose()?;
    let lowered = level != *rung.level.get_ref();
    Ok(RatedParameter {
        level,
        status: if reasoned {
            Status::Inferred
        } else {
            Status::Verified
        },
        finding: basis.text(&rung.finding, scope, place)?,
        gap: match (lowered, basis.limited) {
            (true, true) => Some(LIMITED_VIEW.to_owned()),
            (true, false) => Some(PARTIAL_VIEW.to_owned()),
            (false, _) => gap,
        },
        evidence: drafts,
    })
}

/// Holds coverage or default to one level above strength (method.md, Numbers).
fn held_to(basis: &Basis<'_>, rated: RatedParameter, strength: Level) -> RatedParameter {
    let highest = basis.method.highest_beside(strength);
    if strength.is_absent() || rated.level.is_absent() || rated.level.number() <= highest {
        return rated;
    }
    let gap = format!(
        "Held at L{highest}, one level above strength: the mechanism itself has to become stronger first."
    );
    RatedParameter {
        level: Level::Rung(highest),
        gap: Some(gap),
        ..rated
    }
}

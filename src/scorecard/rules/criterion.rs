//! The rules of one criterion: levels, statuses, caps, and what belongs in the critical gaps.

use super::evidence::{self, Wanted};
use super::{has_text, out_of_range};
use crate::scorecard::method::Method;
use crate::scorecard::model::{Cap, Parameter, Parameters, Rating, Scorecard};
use crate::scorecard::problem::Problem;
use crate::scorecard::score::{OFF_BY_DEFAULT, ScoredCriterion};
use crate::scorecard::vocabulary::{CriterionId, Level, MechanismKind, ParameterId, Status};

/// The cap that belongs in the critical gaps also when an opt-in mechanism counts.
const BYPASSABLE: &str = "G2";

/// Adds what is wrong with one criterion.
pub(super) fn check(
    scored: &ScoredCriterion<'_>,
    card: &Scorecard,
    method: &Method,
    problems: &mut Vec<Problem>,
) {
    let criterion = scored.criterion;
    let id = criterion.id;
    if !has_text(&criterion.summary) {
        problems.push(Problem::new(format!("{id}.summary"), "a summary is needed"));
    }
    match &criterion.rating {
        Rating::Absent { evidence } => {
            let wanted = Wanted {
                search: true,
                contains: false,
            };
            evidence::check(evidence, &format!("{id}.absence"), wanted, problems);
        }
        Rating::Scored(rated) => {
            let default = &rated.default;
            let place = id.to_string();
            check_mechanism(&default.parameters, &default.caps, &place, method, problems);
            check_caps(&default.caps, id, &place, method, problems);
            if let Some(alt) = &rated.alt {
                let place = format!("{id}.alt");
                if !has_text(&alt.label) {
                    problems.push(Problem::new(format!("{place}.label"), "a label is needed"));
                }
                check_mechanism(&alt.parameters, &alt.caps, &place, method, problems);
                check_caps(&alt.caps, id, &place, method, problems);
            }
        }
    }
    if is_critical(scored) && card.critical_findings.iter().all(|f| f.criterion != id) {
        problems.push(Problem::new(
            id.to_string(),
            "belongs in critical_findings: a criterion cap or G2 applies, or its blast radius is L0",
        ));
    }
}

/// Whether a criterion belongs in the critical gaps: every criterion cap that counted, every G2, and every default B
/// at L0 of the criteria whose failure reaches furthest (method.md, "How to rate").
pub fn is_critical(scored: &ScoredCriterion<'_>) -> bool {
    let Some(default) = scored.mechanisms.first() else {
        return false;
    };
    let cap = default.cap.map(|cap| cap.id);
    let counts = scored.counted_kind() == Some(MechanismKind::Default);
    (counts && cap.is_some_and(|id| id != OFF_BY_DEFAULT))
        || cap == Some(BYPASSABLE)
        || (scored.facts.worst_blast_is_critical && default.has_worst_blast())
}

fn check_mechanism(
    parameters: &Parameters,
    caps: &[Cap],
    place: &str,
    method: &Method,
    problems: &mut Vec<Problem>,
) {
    let highest_beside = method.highest_beside(parameters.s.level);
    for (id, parameter) in parameters.iter() {
        let place = format!("{place}.{id}");
        let level = parameter.level;
        if matches!(id, ParameterId::C | ParameterId::D)
            && !level.is_absent()
            && level.number() > highest_beside
        {
            problems.push(Problem::new(
                &place,
                format!("{level} is over S {} + 1", parameters.s.level),
            ));
        }
        check_parameter(parameter, &place, method, problems);
        let wanted = Wanted {
            search: level.is_absent(),
            contains: needs_quotes(id, level, caps),
        };
        evidence::check(&parameter.evidence, &place, wanted, problems);
    }
}

fn check_parameter(
    parameter: &Parameter,
    place: &str,
    method: &Method,
    problems: &mut Vec<Problem>,
) {
    let level = parameter.level;
    if !level.is_in_range() {
        problems.push(Problem::new(format!("{place}.level"), out_of_range(level)));
    }
    let highest = method.limits.inferred;
    if parameter.status == Status::Inferred && level.number() > highest {
        problems.push(Problem::new(
            format!("{place}.status"),
            format!("inferred at {level}; what was not read is at most L{highest}"),
        ));
    }
    if !has_text(&parameter.finding) {
        problems.push(Problem::new(
            format!("{place}.finding"),
            "a finding is needed",
        ));
    }
    if level.number() < Level::MAX && !parameter.gap.as_deref().is_some_and(has_text) {
        problems.push(Problem::new(
            format!("{place}.gap"),
            "below L4 a gap is needed: the one element of the next level that is missing",
        ));
    }
}

/// Whether citations need `contains`: at L3 and L4, and wherever a cap applies (for G1: on D).
fn needs_quotes(id: ParameterId, level: Level, caps: &[Cap]) -> bool {
    let high = !level.is_absent() && level.number() >= 3;
    let capped = caps
        .iter()
        .any(|cap| cap.id != OFF_BY_DEFAULT || id == ParameterId::D);
    high || capped
}

fn check_caps(
    caps: &[Cap],
    criterion: CriterionId,
    place: &str,
    method: &Method,
    problems: &mut Vec<Problem>,
) {
    for (index, cap) in caps.iter().enumerate() {
        let place = format!("{place}.caps[{index}]");
        match method.cap(&cap.id).map(|facts| facts.criterion) {
            None => problems.push(Problem::new(&place, format!("unknown cap {:?}", cap.id))),
            Some(Some(owner)) if owner != criterion => problems.push(Problem::new(
                &place,
                format!("{} is a cap of {owner}", cap.id),
            )),
            Some(_) => {}
        }
        if !has_text(&cap.reason) {
            problems.push(Problem::new(&place, format!("{} needs a reason", cap.id)));
        }
    }
}

//! A whole card: the rules that need no repository, then every piece of its evidence.

use super::{Claim, check_claims, check_claims_with};
use crate::checkout::Snapshot;
use crate::scorecard::{
    Criterion, Evidence, Method, Parameters, Problem, Rating, Scorecard, check,
};
use crate::search::SearchEngine;

/// Checks `card` against the method's rules and against `snapshot`; the problems of the rules come first.
pub fn verify(card: &Scorecard, method: &Method, snapshot: &Snapshot) -> Vec<Problem> {
    let mut problems = check(card, method);
    problems.extend(check_claims(snapshot, &card.pinned_commit, &claims(card)));
    problems
}

/// The same with the engine that made the card: its citations are checked against the files, its searches against what
/// the engine found for them, which it need not find a second time.
pub fn verify_with(
    card: &Scorecard,
    method: &Method,
    snapshot: &Snapshot,
    engine: &SearchEngine<'_>,
) -> Vec<Problem> {
    let mut problems = check(card, method);
    let claims = claims(card);
    problems.extend(check_claims_with(
        snapshot,
        engine,
        &card.pinned_commit,
        &claims,
    ));
    problems
}

/// Every piece of evidence with its place in the card.
fn claims(card: &Scorecard) -> Vec<Claim> {
    let mut claims = Vec::new();
    for criterion in &card.criteria {
        of_criterion(criterion, &mut claims);
    }
    for (index, finding) in card.critical_findings.iter().enumerate() {
        add(
            &format!("critical_findings[{index}]"),
            &finding.evidence,
            &mut claims,
        );
    }
    claims
}

fn of_criterion(criterion: &Criterion, claims: &mut Vec<Claim>) {
    let id = criterion.id;
    match &criterion.rating {
        Rating::Absent { evidence } => add(&format!("{id}.absence_evidence"), evidence, claims),
        Rating::Scored(mechanisms) => {
            of_parameters(&id.to_string(), &mechanisms.default.parameters, claims);
            if let Some(alternative) = &mechanisms.alt {
                of_parameters(&format!("{id}.alt"), &alternative.parameters, claims);
            }
        }
    }
}

fn of_parameters(place: &str, parameters: &Parameters, claims: &mut Vec<Claim>) {
    for (id, parameter) in parameters.iter() {
        add(&format!("{place}.{id}"), &parameter.evidence, claims);
    }
}

fn add(place: &str, evidence: &[Evidence], claims: &mut Vec<Claim>) {
    claims.extend(evidence.iter().map(|item| Claim {
        place: place.to_owned(),
        evidence: item.into(),
    }));
}

//! Caps of the default mechanism: those whose trigger the facts show.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::value::Value;

use super::Basis;
use super::criterion::{RatedCriterion, RatedRating};
use super::draft::{Draft, evidence};
use crate::rubric::{RubricError, Scope};
use crate::scorecard::ParameterId;

/// A cap with what shows it.
pub(super) struct RatedCap {
    pub(super) id: String,
    pub(super) reason: String,
    pub(super) evidence: Vec<Draft>,
}

/// The variables that sentences about a rated card see: facts, and `levels.C2.S`, `absent.C4`, `caps.C6`.
pub(super) fn card_scope(basis: &Basis<'_>, criteria: &[RatedCriterion<'_>]) -> Scope {
    let scope = basis.facts.scope.fork();
    let mut levels: BTreeMap<String, Value> = BTreeMap::new();
    let mut absent: BTreeMap<String, Value> = BTreeMap::new();
    let mut caps: BTreeMap<String, Value> = BTreeMap::new();
    for criterion in criteria {
        let number = |id: ParameterId| match &criterion.rating {
            RatedRating::Absent(_) => 4,
            RatedRating::Scored { default, .. } => default.get(id).level.number(),
        };
        let four =
            Value::from_pairs(ParameterId::ALL.map(|id| (id.to_string(), Value::from(number(id)))));
        levels.insert(criterion.id.to_string(), four);
        absent.insert(
            criterion.id.to_string(),
            Value::from(matches!(criterion.rating, RatedRating::Absent(_))),
        );
        let ids: Vec<String> = criterion.caps.iter().map(|cap| cap.id.clone()).collect();
        caps.insert(criterion.id.to_string(), Value::from(ids));
    }
    scope.set("levels", Value::from_pairs(levels));
    scope.set("absent", Value::from_pairs(absent));
    scope.set("caps", Value::from_pairs(caps));
    scope
}

/// Works out the caps of every scored criterion.
pub(super) fn apply(
    basis: &Basis<'_>,
    criteria: &mut [RatedCriterion<'_>],
) -> Result<(), RubricError> {
    let scope = card_scope(basis, criteria);
    for criterion in criteria {
        if matches!(criterion.rating, RatedRating::Absent(_)) {
            continue;
        }
        let place = criterion.id.to_string();
        for cap in &criterion.file.cap {
            let known = criterion
                .caps
                .iter()
                .any(|given| given.id == *cap.id.get_ref());
            if known || !basis.holds(Some(&cap.when), &scope, &place)? {
                continue;
            }
            let shown = evidence(basis, &cap.cite, &[], &mut BTreeSet::new());
            // A cap's trigger must be verified in the code (method.md, Caps): without a hit it does not apply.
            if !shown.is_empty() {
                let reason = basis.text(&cap.reason, &scope, &place)?;
                criterion.caps.push(RatedCap {
                    id: cap.id.get_ref().clone(),
                    reason,
                    evidence: shown,
                });
            }
        }
    }
    Ok(())
}

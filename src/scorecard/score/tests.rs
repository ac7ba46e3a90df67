use proptest::prelude::*;

use super::*;
use crate::scorecard::model::{Alternative, Mechanism, Parameter};
use crate::scorecard::vocabulary::{ParameterId, PerParameter};

type Levels = [u8; 4];

fn method() -> Method {
    Method::built_in().unwrap()
}

fn parameters(levels: Levels, status: Status) -> Parameters {
    let [s, c, d, b] = levels.map(|rung| Parameter {
        level: Level::Rung(rung),
        status,
        finding: String::new(),
        evidence: Vec::new(),
        gap: None,
    });
    PerParameter { s, c, d, b }
}

fn caps(ids: &[&str]) -> Vec<Cap> {
    ids.iter()
        .map(|id| Cap {
            id: (*id).to_owned(),
            reason: format!("reason of {id}"),
        })
        .collect()
}

fn criterion(id: CriterionId, levels: Levels, cap_ids: &[&str]) -> Criterion {
    Criterion {
        id,
        summary: String::new(),
        rating: Rating::Scored(Box::new(Mechanisms {
            default: Mechanism {
                parameters: parameters(levels, Status::Verified),
                caps: caps(cap_ids),
            },
            alt: None,
        })),
        notes: None,
    }
}

fn with_alt(mut criterion: Criterion, levels: Levels, cap_ids: &[&str]) -> Criterion {
    if let Rating::Scored(rated) = &mut criterion.rating {
        rated.alt = Some(Alternative {
            label: "--strict".to_owned(),
            parameters: parameters(levels, Status::Inferred),
            caps: caps(cap_ids),
        });
    }
    criterion
}

fn thousandths(criterion: &Criterion) -> u32 {
    let method = method();
    ScoredCriterion::new(criterion, &method)
        .score()
        .thousandths()
}

#[test]
fn raw_is_the_sum_of_the_parts() {
    assert_eq!(
        thousandths(&criterion(CriterionId::C10, [2, 1, 1, 1], &[])),
        325
    );
    assert_eq!(
        thousandths(&criterion(CriterionId::C4, [3, 3, 2, 0], &[])),
        550
    );
    assert_eq!(
        thousandths(&criterion(CriterionId::C1, [4, 4, 4, 4], &[])),
        1000
    );
}

#[test]
fn the_lowest_cap_counts_and_the_first_of_equals_is_shown() {
    let method = method();
    let card = criterion(
        CriterionId::C2,
        [4, 4, 4, 4],
        &["G1", "G2", "C2-SELFAPPROVE"],
    );
    let scored = ScoredCriterion::new(&card, &method);
    assert_eq!(scored.cap().unwrap().id, "G2");
    assert_eq!(scored.cap().unwrap().reason, "reason of G2");
    assert_eq!(scored.score().thousandths(), 250);
    assert_eq!(scored.raw(), Points::ONE);
}

#[test]
fn the_worst_case_of_c5_applies_by_itself() {
    let method = method();
    let cap = |id, blast| {
        let card = criterion(id, [4, 4, 4, blast], &[]);
        ScoredCriterion::new(&card, &method)
            .cap()
            .map(|cap| cap.id.to_owned())
    };
    assert_eq!(cap(CriterionId::C5, 0).as_deref(), Some("C5-WORSTCASE"));
    assert_eq!(cap(CriterionId::C5, 1), None);
    assert_eq!(cap(CriterionId::C4, 0), None);
}

#[test]
fn an_automatic_cap_has_the_methods_reason_and_the_authors_if_there_is_one() {
    let method = method();
    let reason = |cap_ids: &[&str]| {
        let card = criterion(CriterionId::C5, [0, 0, 0, 0], cap_ids);
        ScoredCriterion::new(&card, &method)
            .cap()
            .unwrap()
            .reason
            .to_owned()
    };
    assert!(reason(&[]).starts_with("Untrusted content can"));
    assert_eq!(reason(&["C5-WORSTCASE"]), "reason of C5-WORSTCASE");
}

#[test]
fn an_opt_in_mechanism_counts_only_if_it_scores_more_under_g1() {
    let method = method();
    let kind = |default, alt, alt_caps: &[&str]| {
        let card = with_alt(criterion(CriterionId::C2, default, &[]), alt, alt_caps);
        let scored = ScoredCriterion::new(&card, &method);
        (scored.counted_kind(), scored.score().thousandths())
    };
    let (default, alt) = (Some(MechanismKind::Default), Some(MechanismKind::Alt));
    assert_eq!(kind([0, 0, 0, 1], [4, 4, 4, 4], &[]), (alt, 500));
    assert_eq!(kind([2, 2, 2, 2], [4, 4, 4, 4], &["G1"]), (default, 500));
    assert_eq!(
        kind([2, 1, 1, 1], [4, 4, 4, 4], &["G1", "G2"]),
        (default, 325)
    );
}

#[test]
fn confidence_is_that_of_the_counted_mechanism() {
    let method = method();
    let mut card = criterion(CriterionId::C9, [1, 1, 1, 1], &[]);
    let confidence = |card: &Criterion| ScoredCriterion::new(card, &method).confidence();
    let infer = |card: &mut Criterion| {
        if let Rating::Scored(rated) = &mut card.rating {
            let parameters = &mut rated.default.parameters;
            let next = [&mut parameters.s, &mut parameters.c, &mut parameters.d]
                .into_iter()
                .find(|p| p.status == Status::Verified);
            next.unwrap().status = Status::Inferred;
        }
    };
    assert_eq!(confidence(&card), Confidence::High);
    infer(&mut card);
    assert_eq!(confidence(&card), Confidence::Medium);
    infer(&mut card);
    assert_eq!(confidence(&card), Confidence::Medium);
    infer(&mut card);
    assert_eq!(confidence(&card), Confidence::Low);

    let strict = with_alt(
        criterion(CriterionId::C9, [0, 0, 0, 0], &[]),
        [2, 2, 2, 2],
        &[],
    );
    assert_eq!(confidence(&strict), Confidence::Low);
}

fn any_levels() -> impl Strategy<Value = Levels> {
    prop::array::uniform4(0..=Level::MAX)
}

fn any_cap() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["G1", "G2", "C2-POWERBYPASS", "no such cap"])
}

proptest! {
    #[test]
    fn a_higher_level_never_scores_less(
        levels in any_levels(),
        cap_ids in prop::collection::vec(any_cap(), 0..3),
        raised in 0..4usize,
        id in prop::sample::select(CriterionId::ALL.to_vec()),
    ) {
        let mut higher = levels;
        higher[raised] = (higher[raised] + 1).min(Level::MAX);
        prop_assert!(
            thousandths(&criterion(id, levels, &cap_ids)) <= thousandths(&criterion(id, higher, &cap_ids))
        );
    }

    #[test]
    fn a_cap_never_raises_and_always_holds(
        levels in any_levels(),
        cap_ids in prop::collection::vec(any_cap(), 0..3),
        added in any_cap(),
    ) {
        let method = method();
        let before = criterion(CriterionId::C2, levels, &cap_ids);
        let all: Vec<_> = cap_ids.iter().copied().chain([added]).collect();
        let after = criterion(CriterionId::C2, levels, &all);
        prop_assert!(thousandths(&after) <= thousandths(&before));

        let scored = ScoredCriterion::new(&after, &method);
        let lowest = all.iter().map(|id| method.cap_max(id)).min().unwrap();
        prop_assert_eq!(scored.score(), scored.raw().min(lowest));
    }

    #[test]
    fn raw_is_a_sum_of_quarters(levels in any_levels()) {
        let method = method();
        let card = criterion(CriterionId::C7, levels, &[]);
        let [s, c, d, b] = levels.map(u32::from);
        let raw = ScoredCriterion::new(&card, &method).raw();
        prop_assert_eq!(raw.thousandths(), 75 * (s + c) + 50 * (d + b));
        let parts = ParameterId::ALL
            .into_iter()
            .zip(levels)
            .map(|(id, rung)| method.earned(id, Level::Rung(rung)))
            .sum::<Points>();
        prop_assert_eq!(raw, parts);
    }

    #[test]
    fn an_alternative_never_lowers_a_criterion(default in any_levels(), alt in any_levels()) {
        let alone = criterion(CriterionId::C5, default, &[]);
        let both = with_alt(alone.clone(), alt, &[]);
        prop_assert!(thousandths(&both) >= thousandths(&alone));
        prop_assert!(thousandths(&both) <= thousandths(&alone).max(500));
    }
}

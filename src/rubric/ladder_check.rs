//! Whether ladders are whole: one for each kind and parameter, rungs in order, down to level 0.

use super::check::{Checker, Stage};
use super::{Kind, Ladder, Rung};
use crate::scorecard::{Level, ParameterId};

/// Checks the ladders of one mechanism.
pub(super) fn check_ladders(checker: &mut Checker<'_>, file: &str, what: &str, ladders: &[Ladder]) {
    for kind in Kind::ALL {
        for parameter in ParameterId::ALL {
            let count = ladders
                .iter()
                .filter(|l| *l.parameter.get_ref() == parameter && l.kinds.contains(&kind))
                .count();
            if count != 1 {
                let (letter, kind) = (parameter, kind.word());
                checker.error(
                    file,
                    None,
                    format!(
                        "[[{what}]]: {count} ladders for {letter} of kind {kind}; there must be one"
                    ),
                );
            }
        }
    }
    for ladder in ladders {
        check_ladder(checker, file, ladder);
    }
}

fn check_ladder(checker: &mut Checker<'_>, file: &str, ladder: &Ladder) {
    let letter = *ladder.parameter.get_ref();
    let at = Some(ladder.parameter.span().start);
    match ladder.rung.last() {
        Some(rung) if *rung.level.get_ref() == Level::Rung(0) && rung.when.is_none() => {}
        _ => checker.error(
            file,
            at,
            format!("ladder {letter}: the last rung must be level 0 without `when`"),
        ),
    }
    let heights: Vec<u8> = ladder.rung.iter().map(height).collect();
    if !heights.is_sorted_by(|a, b| a >= b) {
        checker.error(
            file,
            at,
            format!("ladder {letter}: rungs stand from the highest level to the lowest"),
        );
    }
    for (index, rung) in ladder.rung.iter().enumerate() {
        if rung.when.is_none() && index + 1 < ladder.rung.len() {
            checker.error(
                file,
                Some(rung.level.span().start),
                "only the last rung may lack `when`".into(),
            );
        }
        check_rung(checker, file, rung);
    }
}

fn height(rung: &Rung) -> u8 {
    match rung.level.get_ref() {
        Level::Rung(level) => *level,
        Level::Absent => 5,
    }
}

fn check_rung(checker: &mut Checker<'_>, file: &str, rung: &Rung) {
    let at = Some(rung.level.span().start);
    if let Some(condition) = &rung.when {
        checker.condition(file, at, condition, Stage::Ratings);
    }
    checker.template(file, at, &rung.finding, Stage::Ratings);
    checker.evidence(file, at, &rung.cite, &rung.search);
    if rung.cite.is_empty() && rung.search.is_empty() {
        checker.error(file, at, "a rung needs `cite` or `search`".into());
    }
    match (&rung.gap, height(rung)) {
        (Some(gap), _) => checker.template(file, at, gap, Stage::Ratings),
        (None, 0..=3) => checker.error(file, at, "a rung below level 4 needs a `gap`".into()),
        (None, _) => {}
    }
    match rung.level.get_ref() {
        Level::Rung(5..) => checker.error(file, at, "level is 0 to 4 or \"SA\"".into()),
        Level::Rung(3..) if rung.inferred => {
            checker.error(
                file,
                at,
                "an inferred rung is at most level 2 (method.md, Numbers)".into(),
            );
        }
        Level::Absent if rung.search.is_empty() => {
            checker.error(
                file,
                at,
                "a rung of structural absence needs a `search`".into(),
            );
        }
        _ => {}
    }
}

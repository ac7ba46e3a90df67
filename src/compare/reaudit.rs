//! The Re-audit log of a card that was compared with an older one (formats.md, `reaudit_log`).

use super::criterion::{CriterionChange, ParameterChange, SurfaceChange};
use super::{Comparison, EvidenceChange, Place};
use crate::rubric::inert;
use crate::scorecard::{Level, LevelChange, MechanismKind, ParameterId, Rating, Scorecard};

/// Places of each sort that a reason names.
const PLACES: usize = 3;
/// Digits of a commit in a reason.
const COMMIT: usize = 12;

/// One entry for every level that changed since `old`, with what came and what went. A risk surface that came or went
/// gives four, from or to SA; a cap that changed alone is written under S, whose level stays.
pub fn reaudit_log(comparison: &Comparison, old: &Scorecard, new: &Scorecard) -> Vec<LevelChange> {
    let mut changes: Vec<&CriterionChange> = comparison.changes.iter().collect();
    changes.sort_by_key(|change| change.id);
    let since: String = comparison.old.commit.chars().take(COMMIT).collect();
    let entries = changes.into_iter().flat_map(|change| match change.surface {
        Some(surface) => surface_entries(change, surface, old, new),
        None => criterion_entries(change, new),
    });
    entries
        .map(|mut entry| {
            entry.reason = format!("Since {since}: {}", entry.reason);
            entry
        })
        .collect()
}

fn surface_entries(
    change: &CriterionChange,
    surface: SurfaceChange,
    old: &Scorecard,
    new: &Scorecard,
) -> Vec<LevelChange> {
    let side = match surface {
        SurfaceChange::Appeared => new,
        SurfaceChange::Vanished => old,
    };
    let criterion = side.criteria.iter().find(|c| c.id == change.id);
    let Some(Rating::Scored(rated)) = criterion.map(|c| &c.rating) else {
        return Vec::new();
    };
    let entry = |(parameter, rated): (ParameterId, &crate::scorecard::Parameter)| {
        let (from_level, to_level, reason) = match surface {
            SurfaceChange::Appeared => {
                let reason = format!("the risk surface is there now. {}", rated.finding);
                (Level::Absent, rated.level, reason)
            }
            SurfaceChange::Vanished => {
                let reason = "the risk surface is absent now.".to_owned();
                (rated.level, Level::Absent, reason)
            }
        };
        LevelChange {
            criterion: change.id,
            parameter,
            from_level,
            to_level,
            reason,
        }
    };
    rated.default.parameters.iter().map(entry).collect()
}

fn criterion_entries(change: &CriterionChange, new: &Scorecard) -> Vec<LevelChange> {
    let levels = change.parameters.iter().filter(|p| p.old != p.new);
    let mut entries: Vec<LevelChange> = levels
        .map(|parameter| LevelChange {
            criterion: change.id,
            parameter: parameter.parameter,
            from_level: parameter.old,
            to_level: parameter.new,
            reason: reason(parameter),
        })
        .collect();
    let gained = change.caps_gained.iter().map(|cap| (cap, "applies now"));
    let lost = change
        .caps_lost
        .iter()
        .map(|cap| (cap, "no longer applies"));
    let caps: Vec<String> = gained
        .chain(lost)
        .map(|(cap, what)| format!("cap {} {what}", inert(cap)))
        .collect();
    if caps.is_empty() {
        return entries;
    }
    let caps = caps.join(", ");
    match entries.first_mut() {
        Some(entry) => entry.reason = format!("{caps}. {}", entry.reason),
        None => entries.extend(cap_entry(change, &caps, new)),
    }
    entries
}

/// The entry of caps that changed while every level stayed.
fn cap_entry(change: &CriterionChange, caps: &str, new: &Scorecard) -> Option<LevelChange> {
    let criterion = new.criteria.iter().find(|c| c.id == change.id)?;
    let Rating::Scored(rated) = &criterion.rating else {
        return None;
    };
    let level = rated.default.parameters.s.level;
    Some(LevelChange {
        criterion: change.id,
        parameter: ParameterId::S,
        from_level: level,
        to_level: level,
        reason: format!("the level stays, {caps}."),
    })
}

fn reason(change: &ParameterChange) -> String {
    let mechanism = match change.mechanism {
        MechanismKind::Default => "",
        MechanismKind::Alt => "opt-in mechanism. ",
    };
    let places = places(&change.evidence);
    format!("{mechanism}{}{places}", change.finding)
}

/// Which places came and went, behind a sentence.
fn places(evidence: &EvidenceChange) -> String {
    let sorts = [
        ("Cited now", &evidence.appeared),
        ("No longer cited", &evidence.gone),
    ];
    let told = sorts.iter().filter(|(_, places)| !places.is_empty());
    told.map(|(what, places)| {
        let more = if places.len() > PLACES { ", …" } else { "" };
        format!(" {what}: {}{more}.", list(places))
    })
    .collect()
}

fn list(places: &[Place]) -> String {
    let named = places.iter().take(PLACES).map(|place| inert(&place.at));
    named.collect::<Vec<_>>().join(", ")
}

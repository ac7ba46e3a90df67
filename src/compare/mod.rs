//! Beside the pipeline: what changed between two cards of one project.
//!
//! In: two scored cards, the older first. Out: a [`Comparison`]: the totals, every criterion whose score, levels, caps
//! or absence changed, with the evidence that appeared, moved or went, and the fixes of the older card that are done.
//! Evidence that merely moved is no change.

mod evidence;

use serde::Serialize;

pub use evidence::{EvidenceChange, Place};

use crate::scorecard::{
    CriterionId, Level, ParameterId, Points, Rating, ScoredCard, ScoredCriterion,
};

/// Which cards are compared, and their totals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Side {
    /// Commit of the card.
    pub commit: String,
    /// Its date.
    pub date: String,
    /// Its total in thousandths of a point, rounded to tenths as the card prints it.
    pub total: u32,
}

/// What changed between two cards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Name of the newer card.
    pub name: String,
    /// The older card.
    pub old: Side,
    /// The newer card.
    pub new: Side,
    /// Criteria that changed, those that lost most first.
    pub changes: Vec<CriterionChange>,
    /// Fixes that the older card asked for and the newer one has.
    pub fixes_done: Vec<String>,
}

/// What changed in one criterion. Levels are those of the default mechanism.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CriterionChange {
    /// The criterion.
    pub id: CriterionId,
    /// Its score before, in thousandths.
    pub old_score: u32,
    /// Its score now.
    pub new_score: u32,
    /// Parameters whose level changed; empty when the risk surface appeared or vanished.
    pub levels: Vec<ParameterChange>,
    /// Whether the risk surface is absent now and was not, or the other way round.
    pub surface: Option<SurfaceChange>,
    /// Caps that the default mechanism has gained.
    pub caps_gained: Vec<String>,
    /// Caps that it has lost.
    pub caps_lost: Vec<String>,
}

/// A risk surface that came or went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SurfaceChange {
    /// It was absent.
    Appeared,
    /// It is absent now.
    Vanished,
}

/// A level that changed, with what it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ParameterChange {
    /// The parameter.
    pub parameter: ParameterId,
    /// Its level before.
    pub old: Level,
    /// Its level now.
    pub new: Level,
    /// What the newer card says.
    pub finding: String,
    /// Evidence that appeared, moved or went.
    pub evidence: EvidenceChange,
}

impl ParameterChange {
    /// Whether the level fell.
    pub fn is_regression(&self) -> bool {
        self.new.number() < self.old.number()
    }
}

impl CriterionChange {
    /// Whether anything of it got worse: the score, a level, or a new cap.
    pub fn is_regression(&self) -> bool {
        self.new_score < self.old_score
            || !self.caps_gained.is_empty()
            || self.levels.iter().any(ParameterChange::is_regression)
    }
}

impl Comparison {
    /// Compares `new` with `old`.
    pub fn of(old: &ScoredCard<'_>, new: &ScoredCard<'_>) -> Self {
        let pairs = new.criteria.iter().filter_map(|criterion| {
            let id = criterion.criterion.id;
            let before = old.criteria.iter().find(|c| c.criterion.id == id)?;
            change(before, criterion)
        });
        let mut changes: Vec<CriterionChange> = pairs.collect();
        changes.sort_by_key(|c| {
            let gain = i64::from(c.new_score) - i64::from(c.old_score);
            (!c.is_regression(), gain, c.id)
        });
        Self {
            name: new.card.name.clone(),
            old: side(old),
            new: side(new),
            changes,
            fixes_done: fixes_done(old, new),
        }
    }

    /// Whether anything got worse.
    pub fn is_regression(&self) -> bool {
        self.changes.iter().any(CriterionChange::is_regression)
    }
}

fn side(scored: &ScoredCard<'_>) -> Side {
    Side {
        commit: scored.card.pinned_commit.clone(),
        date: scored.card.scored_date.clone(),
        total: scored.total.thousandths(),
    }
}

fn change(old: &ScoredCriterion<'_>, new: &ScoredCriterion<'_>) -> Option<CriterionChange> {
    let surface = match (old.is_absent(), new.is_absent()) {
        (true, false) => Some(SurfaceChange::Appeared),
        (false, true) => Some(SurfaceChange::Vanished),
        _ => None,
    };
    let caps = |of: &ScoredCriterion<'_>| -> Vec<String> {
        let cap = of.mechanisms.first().and_then(|m| m.cap.as_ref());
        cap.map(|cap| cap.id.to_owned()).into_iter().collect()
    };
    let (before, now) = (caps(old), caps(new));
    let only = |in_: &[String], not_in: &[String]| -> Vec<String> {
        in_.iter()
            .filter(|c| !not_in.contains(c))
            .cloned()
            .collect()
    };
    let change = CriterionChange {
        id: new.criterion.id,
        old_score: old.score().thousandths(),
        new_score: new.score().thousandths(),
        levels: levels(old, new),
        surface,
        caps_gained: only(&now, &before),
        caps_lost: only(&before, &now),
    };
    let changed = change.old_score != change.new_score
        || !change.levels.is_empty()
        || surface.is_some()
        || before != now;
    changed.then_some(change)
}

fn levels(old: &ScoredCriterion<'_>, new: &ScoredCriterion<'_>) -> Vec<ParameterChange> {
    let (Rating::Scored(before), Rating::Scored(now)) =
        (&old.criterion.rating, &new.criterion.rating)
    else {
        return Vec::new();
    };
    let changed = |id: &ParameterId| {
        let (old, new) = (
            before.default.parameters.get(*id),
            now.default.parameters.get(*id),
        );
        (old.level != new.level).then(|| ParameterChange {
            parameter: *id,
            old: old.level,
            new: new.level,
            finding: new.finding.clone(),
            evidence: EvidenceChange::between(&old.evidence, &new.evidence),
        })
    };
    ParameterId::ALL.iter().filter_map(changed).collect()
}

/// Fixes of the older card whose parameter has reached the level they promised.
fn fixes_done(old: &ScoredCard<'_>, new: &ScoredCard<'_>) -> Vec<String> {
    let reached = |criterion: CriterionId, parameter: ParameterId| {
        let now = new.card.criteria.iter().find(|c| c.id == criterion)?;
        match &now.rating {
            Rating::Absent { .. } => Some(Level::Absent),
            Rating::Scored(m) => Some(m.default.parameters.get(parameter).level),
        }
    };
    let done = old.card.fixes.iter().filter(|fix| {
        reached(fix.criterion, fix.parameter)
            .is_some_and(|level| level.number() >= fix.to_level.number())
    });
    done.map(|fix| fix.summary.clone()).collect()
}

/// The difference of two sums of thousandths as people write it: `+0.5`, `-0.075`.
pub fn signed(old: u32, new: u32) -> String {
    let distance = Points::from_thousandths(new.abs_diff(old));
    let text = distance.three_decimals();
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match new.cmp(&old) {
        std::cmp::Ordering::Less => format!("-{text}"),
        std::cmp::Ordering::Equal => "±0".to_owned(),
        std::cmp::Ordering::Greater => format!("+{text}"),
    }
}

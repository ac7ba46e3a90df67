//! Beside the pipeline: what changed between two cards of one project.
//!
//! In: two scored cards, the older first, and the files that were renamed between them. Out: a [`Comparison`]: the
//! totals, every criterion whose score, levels, findings, evidence, caps or critical gaps changed, the agent surface,
//! and the fixes of the older card that are done. Evidence that merely moved is no change.

mod criterion;
mod evidence;
mod gaps;
mod mechanism;
mod project;
mod reaudit;
mod renames;
mod searches;

use serde::Serialize;

pub use criterion::{CriterionChange, Direction, ParameterChange, SurfaceChange};
pub use evidence::{EvidenceChange, Place};
pub use gaps::GapChange;
pub use mechanism::{MechanismChange, MechanismRating};
pub use project::same_project;
pub use reaudit::reaudit_log;
pub use renames::Renames;
pub use searches::SearchChange;

use crate::scorecard::{CriterionId, Level, ParameterId, Points, Presence, Rating, ScoredCard};

/// Which cards are compared, and their totals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Side {
    /// Commit of the card.
    pub commit: String,
    /// Its date; none for a card that was made only to be compared.
    pub date: Option<String>,
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
    /// Criteria that changed: what got worse first, then what got better, then the rest (see [`Direction`]); most points first.
    pub changes: Vec<CriterionChange>,
    /// Entries of the agent surface that changed.
    pub capabilities: Vec<CapabilityChange>,
    /// Whether untrusted input, sensitive data and egress meet now (Rule of Two), where that changed.
    pub same_session: Option<bool>,
    /// Fixes that the older card asked for and the newer one has.
    pub fixes_done: Vec<String>,
}

/// An entry of the agent surface that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CapabilityChange {
    /// What the agent can do, in the card's words.
    pub capability: &'static str,
    /// Whether it could.
    pub old: Presence,
    /// Whether it can now.
    pub new: Presence,
}

impl Comparison {
    /// Compares `new` with `old`; a file of `renames` is the same file.
    pub fn of(old: &ScoredCard<'_>, new: &ScoredCard<'_>, renames: &Renames) -> Self {
        let mut changes: Vec<CriterionChange> = new
            .criteria
            .iter()
            .filter_map(|criterion| criterion::change(old, new, criterion, renames))
            .collect();
        changes.sort_by_key(|c| {
            let distance = c.new_score.abs_diff(c.old_score);
            (c.direction(), std::cmp::Reverse(distance), c.id)
        });
        let meets = new.card.rule_of_two.same_session;
        Self {
            name: new.card.name.clone(),
            old: side(old),
            new: side(new),
            changes,
            capabilities: capabilities(old, new),
            same_session: (old.card.rule_of_two.same_session != meets).then_some(meets),
            fixes_done: fixes_done(old, new),
        }
    }

    /// Whether anything got worse.
    pub fn is_regression(&self) -> bool {
        self.changes.iter().any(CriterionChange::is_regression)
    }

    /// Whether anything changed at all.
    pub fn is_change(&self) -> bool {
        !self.changes.is_empty() || !self.capabilities.is_empty() || self.same_session.is_some()
    }
}

fn side(scored: &ScoredCard<'_>) -> Side {
    Side {
        commit: scored.card.pinned_commit.clone(),
        date: Some(scored.card.scored_date.clone()),
        total: scored.total.thousandths(),
    }
}

fn capabilities(old: &ScoredCard<'_>, new: &ScoredCard<'_>) -> Vec<CapabilityChange> {
    let before = old.card.capability_profile.entries();
    let now = new.card.capability_profile.entries();
    let pairs = before.into_iter().zip(now);
    pairs
        .filter(|((_, old), (_, new))| old != new)
        .map(|((capability, old), (_, new))| CapabilityChange {
            capability,
            old,
            new,
        })
        .collect()
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

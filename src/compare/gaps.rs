//! Critical gaps of two cards side by side.

use serde::Serialize;

use super::evidence::EvidenceChange;
use super::renames::Renames;
use crate::scorecard::{CriterionId, CriticalFinding, Scorecard};

/// A critical gap that came, went, or rests on something else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GapChange {
    /// What the older card says; none if the gap is new.
    pub old: Option<String>,
    /// What the newer card says; none if it is closed.
    pub new: Option<String>,
    /// Evidence that appeared, moved or went.
    pub evidence: EvidenceChange,
}

/// Critical gaps of the criterion `id`: the same sentence is the same gap, then the first is the first.
pub(super) fn gaps(
    old: &Scorecard,
    new: &Scorecard,
    id: CriterionId,
    renames: &Renames,
) -> Vec<GapChange> {
    let mut before = gaps_of(old, id);
    let mut now = gaps_of(new, id);
    let mut pairs = Vec::new();
    now.retain(|gap| {
        let same = |old: &&CriticalFinding| renames.says_the_same(&old.summary, &gap.summary);
        let found = before.iter().position(same);
        pairs.extend(found.map(|at| (Some(before.remove(at)), Some(*gap))));
        found.is_none()
    });
    let rest = before.len().max(now.len());
    pairs.extend((0..rest).map(|at| (before.get(at).copied(), now.get(at).copied())));
    let changed = pairs.into_iter();
    changed
        .filter_map(|(old, new)| gap(old, new, renames))
        .collect()
}

fn gaps_of(card: &Scorecard, id: CriterionId) -> Vec<&CriticalFinding> {
    let all = card.critical_findings.iter();
    all.filter(|gap| gap.criterion == id).collect()
}

fn gap(
    old: Option<&CriticalFinding>,
    new: Option<&CriticalFinding>,
    renames: &Renames,
) -> Option<GapChange> {
    let evidence = EvidenceChange::between(
        old.map_or(&[], |gap| &gap.evidence),
        new.map_or(&[], |gap| &gap.evidence),
        renames,
    );
    let same = match (old, new) {
        (Some(old), Some(new)) => renames.says_the_same(&old.summary, &new.summary),
        _ => false,
    };
    (!same || evidence.is_change()).then(|| GapChange {
        old: old.map(|gap| gap.summary.clone()),
        new: new.map(|gap| gap.summary.clone()),
        evidence,
    })
}

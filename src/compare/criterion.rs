//! What changed in one criterion.

use serde::Serialize;

use super::evidence::EvidenceChange;
use super::gaps::{GapChange, gaps};
use super::mechanism::{self, MechanismChange};
use super::renames::Renames;
use crate::scorecard::{
    CriterionId, Level, MechanismKind, Parameter, ParameterId, Rating, ScoredCard, ScoredCriterion,
    Status,
};

/// What changed in one criterion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CriterionChange {
    /// The criterion.
    pub id: CriterionId,
    /// Its score before, in thousandths.
    pub old_score: u32,
    /// Its score now.
    pub new_score: u32,
    /// Whether the risk surface is absent now and was not, or the other way round.
    pub surface: Option<SurfaceChange>,
    /// Whether the opt-in mechanism is there now and was not, or the other way round.
    pub alternative: Option<MechanismChange>,
    /// Caps that apply now and did not.
    pub caps_gained: Vec<String>,
    /// Caps that no longer apply.
    pub caps_lost: Vec<String>,
    /// Caps that apply for another reason than before.
    pub caps_restated: Vec<String>,
    /// Critical gaps that came, went or rest on something else.
    pub gaps: Vec<GapChange>,
    /// Parameters whose level, status, finding or evidence changed, of mechanisms that are on both cards.
    pub parameters: Vec<ParameterChange>,
    /// The evidence of an absence that is on both cards.
    pub absence: EvidenceChange,
}

/// A risk surface, or a mechanism, that came or went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SurfaceChange {
    /// It was absent.
    Appeared,
    /// It is absent now.
    Vanished,
}

/// A parameter that changed, with what it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ParameterChange {
    /// Of the default mechanism or the opt-in one.
    pub mechanism: MechanismKind,
    /// The parameter.
    pub parameter: ParameterId,
    /// Its level before.
    pub old: Level,
    /// Its level now.
    pub new: Level,
    /// Whether the level was read or reasoned.
    pub old_status: Status,
    /// Whether it is now.
    pub new_status: Status,
    /// What the older card says, if the newer one says something else than other line numbers.
    pub old_finding: Option<String>,
    /// What the newer card says.
    pub finding: String,
    /// Evidence that appeared, moved or went.
    pub evidence: EvidenceChange,
}

/// Which way a criterion went; in the order in which a comparison tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// Something got worse, and nothing better.
    Worse,
    /// Something got worse, and something better.
    Mixed,
    /// Nothing got worse, and something better.
    Better,
    /// The score rests on something else.
    Changed,
}

impl ParameterChange {
    /// Whether the level fell.
    pub fn is_regression(&self) -> bool {
        self.new.number() < self.old.number()
    }
}

impl CriterionChange {
    /// Whether anything of it got worse: the score, a level, a new cap or a new critical gap.
    pub fn is_regression(&self) -> bool {
        self.new_score < self.old_score
            || !self.caps_gained.is_empty()
            || self.gaps.iter().any(|gap| gap.old.is_none())
            || self.parameters.iter().any(ParameterChange::is_regression)
    }

    /// Which way it went.
    pub fn direction(&self) -> Direction {
        match (self.is_regression(), self.is_improvement()) {
            (true, false) => Direction::Worse,
            (true, true) => Direction::Mixed,
            (false, true) => Direction::Better,
            (false, false) => Direction::Changed,
        }
    }

    /// Whether anything of it got better: the score, a level, a cap or a critical gap that went.
    fn is_improvement(&self) -> bool {
        let rose = |p: &ParameterChange| p.new.number() > p.old.number();
        self.new_score > self.old_score
            || !self.caps_lost.is_empty()
            || self.gaps.iter().any(|gap| gap.new.is_none())
            || self.parameters.iter().any(rose)
    }

    fn is_change(&self) -> bool {
        self.direction() != Direction::Changed
            || self.surface.is_some()
            || self.alternative.is_some()
            || !self.caps_restated.is_empty()
            || !self.gaps.is_empty()
            || !self.parameters.is_empty()
            || self.absence.is_change()
    }
}

/// What changed between the criterion `new` of `new_card` and the same one of `old_card`; none if nothing did.
pub(super) fn change(
    old_card: &ScoredCard<'_>,
    new_card: &ScoredCard<'_>,
    new: &ScoredCriterion<'_>,
    renames: &Renames,
) -> Option<CriterionChange> {
    let id = new.criterion.id;
    let old = old_card.criteria.iter().find(|c| c.criterion.id == id)?;
    let (before, now) = (caps(old), caps(new));
    let only = |these: &[(String, &str)], those: &[(String, &str)]| -> Vec<String> {
        let missing = these
            .iter()
            .filter(|(cap, _)| those.iter().all(|(other, _)| other != cap));
        missing.map(|(cap, _)| cap.clone()).collect()
    };
    let restated = now.iter().filter(|(cap, reason)| {
        let old = before.iter().find(|(other, _)| other == cap);
        old.is_some_and(|(_, old)| !renames.says_the_same(old, reason))
    });
    let change = CriterionChange {
        id,
        old_score: old.score().thousandths(),
        new_score: new.score().thousandths(),
        surface: came(!old.is_absent(), !new.is_absent()),
        alternative: mechanism::change(old, new, renames),
        caps_gained: only(&now, &before),
        caps_lost: only(&before, &now),
        caps_restated: restated.map(|(cap, _)| cap.clone()).collect(),
        gaps: gaps(old_card.card, new_card.card, id, renames),
        parameters: parameters(old, new, renames),
        absence: match (&old.criterion.rating, &new.criterion.rating) {
            (Rating::Absent { evidence: old }, Rating::Absent { evidence: new }) => {
                EvidenceChange::between(old, new, renames)
            }
            _ => EvidenceChange::default(),
        },
    };
    change.is_change().then_some(change)
}

fn came(before: bool, now: bool) -> Option<SurfaceChange> {
    match (before, now) {
        (false, true) => Some(SurfaceChange::Appeared),
        (true, false) => Some(SurfaceChange::Vanished),
        _ => None,
    }
}

/// Every cap of the default mechanism with its reason, the automatic one too; those of the opt-in mechanism are told
/// apart, without G1, which it always has.
fn caps<'c>(criterion: &'c ScoredCriterion<'_>) -> Vec<(String, &'c str)> {
    let Rating::Scored(rated) = &criterion.criterion.rating else {
        return Vec::new();
    };
    let authored = rated.default.caps.iter();
    let mut caps: Vec<_> = authored
        .map(|cap| (cap.id.clone(), cap.reason.as_str()))
        .collect();
    let applied = criterion.mechanisms.first().and_then(|m| m.cap.as_ref());
    if let Some(cap) = applied.filter(|cap| caps.iter().all(|(id, _)| id != cap.id)) {
        caps.push((cap.id.to_owned(), cap.reason));
    }
    let alternative = rated.alt.iter().flat_map(|alt| &alt.caps);
    caps.extend(alternative.filter(|cap| cap.id != "G1").map(|cap| {
        (
            format!("{} (opt-in mechanism)", cap.id),
            cap.reason.as_str(),
        )
    }));
    caps
}

fn parameters(
    old: &ScoredCriterion<'_>,
    new: &ScoredCriterion<'_>,
    renames: &Renames,
) -> Vec<ParameterChange> {
    let pairs = old.mechanisms.iter().zip(&new.mechanisms);
    pairs
        .flat_map(|(old, new)| {
            ParameterId::ALL.into_iter().filter_map(|id| {
                let (before, now) = (old.parameters.get(id), new.parameters.get(id));
                parameter(new.kind, id, before, now, renames)
            })
        })
        .collect()
}

fn parameter(
    mechanism: MechanismKind,
    id: ParameterId,
    old: &Parameter,
    new: &Parameter,
    renames: &Renames,
) -> Option<ParameterChange> {
    let reworded = !renames.says_the_same(&old.finding, &new.finding);
    let evidence = EvidenceChange::between(&old.evidence, &new.evidence, renames);
    let changed =
        old.level != new.level || old.status != new.status || reworded || evidence.is_change();
    changed.then(|| ParameterChange {
        mechanism,
        parameter: id,
        old: old.level,
        new: new.level,
        old_status: old.status,
        new_status: new.status,
        old_finding: reworded.then(|| old.finding.clone()),
        finding: new.finding.clone(),
        evidence,
    })
}

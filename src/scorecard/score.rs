//! The figures of a card, in exact arithmetic (method.md, "Numbers", "Caps", "Two mechanisms").

use super::method::{Band, CriterionFacts, Method};
use super::model::{Cap, Criterion, Mechanisms, Parameters, Rating, Scorecard};
use super::points::Points;
use super::vocabulary::{Confidence, CriterionId, Level, MechanismKind, Status};

/// The cap of a mechanism that is off by default.
pub(super) const OFF_BY_DEFAULT: &str = "G1";
/// The cap of C5 when its default blast radius is L0.
const WORST_CASE: &str = "C5-WORSTCASE";
/// The blast radius that draws it.
const WORST: Level = Level::Rung(0);
const DEFAULT_LABEL: &str = "default configuration";

/// A card with its figures. Borrows the card: there is nothing in it that could be changed apart.
#[derive(Clone, Debug)]
pub struct ScoredCard<'a> {
    /// What its author wrote.
    pub card: &'a Scorecard,
    /// The method it is scored by.
    pub method: &'a Method,
    /// In the card's order.
    pub criteria: Vec<ScoredCriterion<'a>>,
    /// Rounded half up to tenths.
    pub total: Points,
    /// The band of the total.
    pub band: &'a Band,
}

/// A criterion with its figures.
#[derive(Clone, Debug)]
pub struct ScoredCriterion<'a> {
    /// What the author wrote.
    pub criterion: &'a Criterion,
    /// What the method says of it.
    pub facts: &'a CriterionFacts,
    /// The default one first, then the opt-in one; empty when the surface is absent.
    pub mechanisms: Vec<ScoredMechanism<'a>>,
    counted: usize,
}

/// A mechanism with its figures.
#[derive(Clone, Debug)]
pub struct ScoredMechanism<'a> {
    /// Default or opt-in.
    pub kind: MechanismKind,
    /// What it is called.
    pub label: &'a str,
    /// Its rated parameters.
    pub parameters: &'a Parameters,
    /// The lowest cap that applies.
    pub cap: Option<AppliedCap<'a>>,
    /// The sum of the parameters.
    pub raw: Points,
    /// The sum, held to the cap.
    pub score: Points,
    /// From the number of inferred parameters.
    pub confidence: Confidence,
}

/// A cap with its maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AppliedCap<'a> {
    /// Such as `G1`.
    pub id: &'a str,
    /// The author's sentence, or the method's when the program applied the cap.
    pub reason: &'a str,
    /// The most that the criterion scores.
    pub max: Points,
}

impl<'a> ScoredCard<'a> {
    /// Computes all figures. Total: any card that loads can be scored, also one that
    /// [`check`](super::check) refuses.
    pub fn new(card: &'a Scorecard, method: &'a Method) -> Self {
        let criteria: Vec<_> = card
            .criteria
            .iter()
            .map(|criterion| ScoredCriterion::new(criterion, method))
            .collect();
        let total = criteria
            .iter()
            .map(ScoredCriterion::score)
            .sum::<Points>()
            .rounded_to_tenths();
        Self {
            card,
            method,
            criteria,
            total,
            band: method.band(total),
        }
    }

    /// How many criteria have a risk surface, and the exact sum of their scores.
    pub fn applicable(&self) -> (usize, Points) {
        let present = || self.criteria.iter().filter(|c| !c.is_absent());
        (
            present().count(),
            present().map(ScoredCriterion::score).sum(),
        )
    }

    /// The share of what the applicable criteria could earn, in percent, rounded half up; none when
    /// no criterion applies.
    pub fn applicable_percent(&self) -> Option<u64> {
        let (count, score) = self.applicable();
        let possible = u64::from(Points::ONE.thousandths()) * u64::try_from(count).ok()?;
        (200 * u64::from(score.thousandths()) + possible).checked_div(2 * possible)
    }
}

impl<'a> ScoredCriterion<'a> {
    fn new(criterion: &'a Criterion, method: &'a Method) -> Self {
        let mechanisms = match &criterion.rating {
            Rating::Absent { .. } => Vec::new(),
            Rating::Scored(rated) => mechanisms(criterion.id, rated, method),
        };
        Self {
            criterion,
            facts: method.criterion(criterion.id),
            counted: counted(&mechanisms),
            mechanisms,
        }
    }

    /// Whether the risk surface is structurally absent.
    pub fn is_absent(&self) -> bool {
        self.mechanisms.is_empty()
    }

    /// The mechanism whose score is the criterion's; none when the surface is absent.
    pub fn counted(&self) -> Option<&ScoredMechanism<'a>> {
        self.mechanisms.get(self.counted)
    }

    /// The position of the counted mechanism; 0 when the surface is absent.
    pub(super) fn counted_index(&self) -> usize {
        self.counted
    }

    /// The criterion's score; a whole point when the surface is absent.
    pub fn score(&self) -> Points {
        self.counted().map_or(Points::ONE, |m| m.score)
    }

    /// The sum of the counted mechanism's parameters.
    pub fn raw(&self) -> Points {
        self.counted().map_or(Points::ONE, |m| m.raw)
    }

    /// The cap of the counted mechanism.
    pub fn cap(&self) -> Option<&AppliedCap<'a>> {
        self.counted()?.cap.as_ref()
    }

    /// The confidence of the counted mechanism; an absence rests on a search that was run.
    pub fn confidence(&self) -> Confidence {
        self.counted().map_or(Confidence::High, |m| m.confidence)
    }

    /// Which mechanism counts; none when the surface is absent.
    pub fn counted_kind(&self) -> Option<MechanismKind> {
        self.counted().map(|m| m.kind)
    }
}

fn mechanisms<'a>(
    criterion: CriterionId,
    rated: &'a Mechanisms,
    method: &'a Method,
) -> Vec<ScoredMechanism<'a>> {
    let default = &rated.default;
    let worst_case = criterion == CriterionId::C5 && default.parameters.b.level == WORST;
    let mut mechanisms = vec![ScoredMechanism::new(
        MechanismKind::Default,
        DEFAULT_LABEL,
        &default.parameters,
        lowest_cap(&default.caps, worst_case.then_some(WORST_CASE), method),
        method,
    )];
    if let Some(alt) = &rated.alt {
        mechanisms.push(ScoredMechanism::new(
            MechanismKind::Alt,
            &alt.label,
            &alt.parameters,
            lowest_cap(&alt.caps, Some(OFF_BY_DEFAULT), method),
            method,
        ));
    }
    mechanisms
}

/// The position of the first of the highest scores: an opt-in mechanism has to win to count.
fn counted(mechanisms: &[ScoredMechanism<'_>]) -> usize {
    let mut best = 0;
    for (index, mechanism) in mechanisms.iter().enumerate() {
        if mechanism.score > mechanisms[best].score {
            best = index;
        }
    }
    best
}

impl<'a> ScoredMechanism<'a> {
    fn new(
        kind: MechanismKind,
        label: &'a str,
        parameters: &'a Parameters,
        cap: Option<AppliedCap<'a>>,
        method: &Method,
    ) -> Self {
        let raw = parameters
            .iter()
            .map(|(id, parameter)| method.earned(id, parameter.level))
            .sum();
        let inferred = parameters
            .iter()
            .filter(|(_, parameter)| parameter.status == Status::Inferred)
            .count();
        Self {
            kind,
            label,
            parameters,
            cap,
            raw,
            score: cap.map_or(raw, |cap| raw.min(cap.max)),
            confidence: match inferred {
                0 => Confidence::High,
                1 | 2 => Confidence::Medium,
                _ => Confidence::Low,
            },
        }
    }

    /// Whether anything can go wrong, unhindered, once the control has failed: B at L0.
    pub fn has_worst_blast(&self) -> bool {
        self.parameters.b.level == WORST
    }
}

/// The lowest of the author's caps and the automatic one; the first of equals, the author's first.
fn lowest_cap<'a>(
    caps: &'a [Cap],
    automatic: Option<&'static str>,
    method: &'a Method,
) -> Option<AppliedCap<'a>> {
    let authored = caps
        .iter()
        .map(|cap| (cap.id.as_str(), Some(cap.reason.as_str())));
    let unwritten = automatic
        .filter(|id| caps.iter().all(|cap| cap.id != *id))
        .map(|id| (id, None));
    authored
        .chain(unwritten)
        .map(|(id, reason)| AppliedCap {
            id,
            reason: reason
                .or_else(|| method.cap(id)?.automatic.as_deref())
                .unwrap_or_default(),
            max: method.cap_max(id),
        })
        .min_by_key(|cap| cap.max)
}

#[cfg(test)]
mod tests;

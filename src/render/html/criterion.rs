//! A criterion on the page: its row, and what opens below it.

use serde::Serialize;

use super::Sources;
use super::chart::Bar;
use super::evidence::EvidenceView;
use super::text::{Piece, pieces};
use crate::render::escape::plain;
use crate::scorecard::{
    AppliedCap, MechanismKind, Method, Parameter, ParameterId, Rating, ScoredCriterion,
    ScoredMechanism,
};

#[derive(Serialize)]
pub(super) struct CriterionView {
    id: String,
    name: String,
    question: String,
    owasp: Vec<String>,
    raw: String,
    score: String,
    confidence: &'static str,
    bar: Bar,
    /// An opt-in mechanism counted.
    opt_in: bool,
    cap: Option<CapView>,
    summary: Vec<Piece>,
    /// The searches behind an absence.
    absence: Option<Vec<EvidenceView>>,
    mechanisms: Vec<MechanismView>,
    notes: Option<Vec<Piece>>,
}

#[derive(Serialize)]
struct CapView {
    id: String,
    reason: Vec<Piece>,
    max: String,
}

#[derive(Serialize)]
struct MechanismView {
    label: Vec<Piece>,
    kind: &'static str,
    raw: String,
    score: String,
    counted: bool,
    cap: Option<CapView>,
    ratings: Vec<RatingView>,
}

#[derive(Serialize)]
struct RatingView {
    parameter: String,
    name: &'static str,
    level: String,
    /// 0 to 4, for its colour.
    rung: u8,
    absent: bool,
    status: &'static str,
    finding: Vec<Piece>,
    gap: Option<Vec<Piece>>,
    evidence: Vec<EvidenceView>,
}

impl CriterionView {
    pub(super) fn new(
        scored: &ScoredCriterion<'_>,
        method: &Method,
        sources: &Sources<'_>,
    ) -> Self {
        let counted = scored.counted_kind();
        let mechanism =
            |m: &ScoredMechanism<'_>| MechanismView::new(m, Some(m.kind) == counted, sources);
        Self {
            id: scored.criterion.id.to_string(),
            name: scored.facts.name.clone(),
            question: scored.facts.question.clone(),
            owasp: scored.facts.owasp.clone(),
            raw: scored.raw().two_decimals(),
            score: scored.score().two_decimals(),
            confidence: scored.confidence().as_str(),
            bar: Bar::new(scored, method),
            opt_in: counted == Some(MechanismKind::Alt),
            cap: scored.cap().map(CapView::new),
            summary: pieces(&scored.criterion.summary),
            absence: match &scored.criterion.rating {
                Rating::Absent { evidence } => Some(EvidenceView::list(evidence, sources)),
                Rating::Scored(_) => None,
            },
            mechanisms: scored.mechanisms.iter().map(mechanism).collect(),
            notes: scored.criterion.notes.as_deref().map(pieces),
        }
    }
}

impl CapView {
    fn new(cap: &AppliedCap<'_>) -> Self {
        Self {
            id: plain(cap.id),
            reason: pieces(cap.reason),
            max: cap.max.two_decimals(),
        }
    }
}

impl MechanismView {
    fn new(scored: &ScoredMechanism<'_>, counted: bool, sources: &Sources<'_>) -> Self {
        let ratings = scored.parameters.iter();
        Self {
            label: pieces(scored.label),
            kind: scored.kind.as_str(),
            raw: scored.raw.two_decimals(),
            score: scored.score.two_decimals(),
            counted,
            cap: scored.cap.as_ref().map(CapView::new),
            ratings: ratings
                .map(|(id, p)| RatingView::new(id, p, sources))
                .collect(),
        }
    }
}

impl RatingView {
    fn new(id: ParameterId, parameter: &Parameter, sources: &Sources<'_>) -> Self {
        Self {
            parameter: id.to_string(),
            name: name(id),
            level: parameter.level.to_string(),
            rung: parameter.level.number(),
            absent: parameter.level.is_absent(),
            status: parameter.status.as_str(),
            finding: pieces(&parameter.finding),
            gap: parameter.gap.as_deref().map(pieces),
            evidence: EvidenceView::list(&parameter.evidence, sources),
        }
    }
}

/// The parameter's name in the method.
fn name(id: ParameterId) -> &'static str {
    match id {
        ParameterId::S => "Strength",
        ParameterId::C => "Coverage",
        ParameterId::D => "Default and tamper-resistance",
        ParameterId::B => "Blast radius",
    }
}

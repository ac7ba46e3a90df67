//! From a scored card to its entry.

use super::{
    Applicable, Entry, EntryBand, EntryCap, EntryCriterion, EntryEvidence, EntryFinding, EntryFix,
    EntryMechanism, EntryParameter, EntryStatus,
};
use crate::scorecard::evidence::Evidence;
use crate::scorecard::method::Method;
use crate::scorecard::model::{CriticalFinding, Fix, Parameter, Rating};
use crate::scorecard::points::Points;
use crate::scorecard::score::{AppliedCap, ScoredCard, ScoredCriterion, ScoredMechanism};
use crate::scorecard::vocabulary::{Confidence, Level, MechanismKind, ParameterId, Status};

/// Where a file's lines can be read at the pinned commit: path and lines in, address out; none when
/// the forge is unknown. The function percent-encodes the path.
pub type Permalink<'a> = dyn Fn(&str, &str) -> Option<String> + 'a;

const ABSENCE_LABEL: &str = "structural absence";
const ABSENCE_FINDING: &str = "The risk surface of this criterion does not exist.";

impl Entry {
    /// The entry of a scored card. Versions that the card does not state are the method's.
    pub fn new(scored: &ScoredCard<'_>, permalink: &Permalink<'_>) -> Self {
        let ScoredCard { card, method, .. } = scored;
        let builder = Builder { method, permalink };
        let or_methods =
            |stated: &Option<String>, own: &str| stated.clone().unwrap_or_else(|| own.to_owned());
        Self {
            schema_version: or_methods(&card.schema_version, &method.schema_version),
            scorecard_version: or_methods(&card.scorecard_version, &method.scorecard_version),
            id: card.id.clone(),
            name: card.name.clone(),
            repo_url: card.repo_url.clone(),
            subpath: card.subpath.clone(),
            description: card.description.clone(),
            category: card.category,
            pinned_commit: card.pinned_commit.clone(),
            version: card.version.clone(),
            scored_date: card.scored_date.clone(),
            scored_configuration: card.scored_configuration.clone(),
            score: scored.total.as_f64(),
            max_score: 10.0,
            band: EntryBand {
                id: scored.band.id.clone(),
                label: scored.band.label.clone(),
                color: scored.band.color.clone(),
            },
            applicable: applicable(scored),
            capability_profile: card.capability_profile.clone(),
            headline: card.headline.clone(),
            criteria: scored
                .criteria
                .iter()
                .map(|c| builder.criterion(c))
                .collect(),
            critical_findings: card
                .critical_findings
                .iter()
                .map(|f| builder.finding(f))
                .collect(),
            rule_of_two: card.rule_of_two.clone(),
            fixes: card.fixes.iter().map(|f| builder.fix(f)).collect(),
            reaudit_log: card.reaudit_log.clone(),
            limitations: card.limitations.clone(),
        }
    }
}

fn applicable(scored: &ScoredCard<'_>) -> Applicable {
    let (count, score) = scored.applicable();
    Applicable {
        count,
        score: score.rounded_to_hundredths(),
        max: count as f64 * Points::ONE.as_f64(),
        percent: scored.applicable_percent(),
    }
}

struct Builder<'a> {
    method: &'a Method,
    permalink: &'a Permalink<'a>,
}

impl Builder<'_> {
    fn criterion(&self, scored: &ScoredCriterion<'_>) -> EntryCriterion {
        let authored = scored.criterion;
        let facts = scored.facts;
        let (status, mechanisms, absence_evidence) = match &authored.rating {
            Rating::Scored(_) => {
                let mechanisms = scored.mechanisms.iter().map(|m| self.mechanism(m));
                (EntryStatus::Scored, mechanisms.collect(), None)
            }
            Rating::Absent { evidence } => {
                let evidence = self.evidence(evidence);
                let absence = vec![self.absence(&evidence)];
                (EntryStatus::StructuralAbsence, absence, Some(evidence))
            }
        };
        EntryCriterion {
            id: authored.id,
            name: facts.name.clone(),
            number: authored.id.number(),
            owasp: facts.owasp.clone(),
            question: facts.question.clone(),
            summary: authored.summary.clone(),
            max: Points::ONE.as_f64(),
            notes: authored.notes.clone(),
            status,
            score: scored.score().as_f64(),
            counted: scored.counted_kind().unwrap_or(MechanismKind::Default),
            confidence: scored.confidence(),
            cap: scored.cap().map(cap),
            parameters: mechanisms[scored.counted_index()].parameters.clone(),
            mechanisms,
            absence_evidence,
        }
    }

    fn mechanism(&self, scored: &ScoredMechanism<'_>) -> EntryMechanism {
        EntryMechanism {
            kind: scored.kind,
            label: scored.label.to_owned(),
            score: scored.score.as_f64(),
            raw: scored.raw.as_f64(),
            cap: scored.cap.as_ref().map(cap),
            confidence: scored.confidence,
            parameters: scored.parameters.map(|id, p| self.parameter(id, p)),
        }
    }

    fn parameter(&self, id: ParameterId, authored: &Parameter) -> EntryParameter {
        EntryParameter {
            level: authored.level.number(),
            structural_absence: authored.level.is_absent(),
            status: authored.status,
            finding: authored.finding.clone(),
            gap: authored.gap.clone(),
            evidence: self.evidence(&authored.evidence),
            weight: self.method.weights.get(id).as_f64(),
            points: self.method.earned(id, authored.level).as_f64(),
        }
    }

    /// The one mechanism of an absent criterion, with all four parameters at level 4.
    fn absence(&self, evidence: &[EntryEvidence]) -> EntryMechanism {
        EntryMechanism {
            kind: MechanismKind::Default,
            label: ABSENCE_LABEL.to_owned(),
            score: Points::ONE.as_f64(),
            raw: Points::ONE.as_f64(),
            cap: None,
            confidence: Confidence::High,
            parameters: self.method.weights.map(|_, weight| EntryParameter {
                level: Level::MAX,
                structural_absence: true,
                status: Status::Verified,
                finding: ABSENCE_FINDING.to_owned(),
                gap: None,
                evidence: evidence.to_vec(),
                weight: weight.as_f64(),
                points: weight.as_f64(),
            }),
        }
    }

    fn evidence(&self, authored: &[Evidence]) -> Vec<EntryEvidence> {
        let linked = |evidence: &Evidence| EntryEvidence {
            evidence: evidence.clone(),
            url: match evidence {
                Evidence::Citation { file, lines, .. } => (self.permalink)(file, lines),
                Evidence::Search { .. } => None,
            },
        };
        authored.iter().map(linked).collect()
    }

    fn finding(&self, authored: &CriticalFinding) -> EntryFinding {
        EntryFinding {
            summary: authored.summary.clone(),
            criterion: authored.criterion,
            owasp: authored.owasp.clone(),
            evidence: self.evidence(&authored.evidence),
        }
    }

    fn fix(&self, authored: &Fix) -> EntryFix {
        EntryFix {
            summary: authored.summary.clone(),
            criterion: authored.criterion,
            parameter: authored.parameter,
            from_level: authored.from_level,
            to_level: authored.to_level,
            playbook: authored.playbook.clone(),
            estimated_gain: self.method.gain(authored).as_f64(),
        }
    }
}

fn cap(applied: &AppliedCap<'_>) -> EntryCap {
    EntryCap {
        id: applied.id.to_owned(),
        reason: applied.reason.to_owned(),
        max: applied.max.as_f64(),
    }
}

//! What the template of the card sees: strings that are ready to print, each made inert here.

use serde::Serialize;

use super::escape::{cell, code, inline, paragraph};
use super::evidence;
use super::sections::{ChangeView, FixView, RuleOfTwoView};
use crate::scorecard::{
    CriticalFinding, MechanismKind, Parameter, ParameterId, Permalink, Rating, ScoredCard,
    ScoredCriterion, ScoredMechanism,
};

/// Stands where the address of the repository would.
const NO_ADDRESS: &str = "a local folder without an https origin";

/// The card as its template prints it.
#[derive(Serialize)]
pub(super) struct CardView {
    name: String,
    repo_url: String,
    subpath: Option<String>,
    commit: String,
    version: Option<String>,
    reviewed: String,
    description: String,
    category: &'static str,
    scored_configuration: String,
    surface: String,
    score: String,
    band: String,
    applicable: Option<String>,
    headline: String,
    critical_gaps: Vec<GapView>,
    criteria: Vec<CriterionView>,
    rule_of_two: RuleOfTwoView<String>,
    fixes: Vec<FixView<String>>,
    reaudit_log: Vec<ChangeView<String>>,
    limitations: Vec<String>,
}

#[derive(Serialize)]
struct GapView {
    summary: String,
    labels: String,
    evidence: String,
}

#[derive(Serialize)]
struct CriterionView {
    id: String,
    name: String,
    levels: [String; 4],
    raw: String,
    cap: String,
    score: String,
    tag: &'static str,
    confidence: &'static str,
    confidence_label: &'static str,
    summary: String,
    absence: Option<String>,
    mechanisms: Vec<MechanismView>,
    notes: Option<String>,
}

#[derive(Serialize)]
struct MechanismView {
    label: String,
    kind: &'static str,
    raw: String,
    score: String,
    counted: bool,
    parameters: Vec<ParameterView>,
    cap_id: Option<String>,
    cap_reason: Option<String>,
}

#[derive(Serialize)]
struct ParameterView {
    id: String,
    level: String,
    finding: String,
    evidence: String,
    status: &'static str,
    gap: Option<String>,
}

impl CardView {
    /// Everything the template needs.
    pub(super) fn new(scored: &ScoredCard<'_>, permalink: &Permalink<'_>) -> Self {
        let card = scored.card;
        let gap = |finding| GapView::new(finding, permalink);
        let criterion = |criterion| CriterionView::new(criterion, permalink);
        let fix = |fix| FixView::new(fix, scored.method, paragraph, inline);
        let change = |change| ChangeView::new(change, inline);
        Self {
            name: inline(&card.name),
            repo_url: if card.repo_url.is_empty() {
                NO_ADDRESS.to_owned()
            } else {
                inline(&card.repo_url)
            },
            subpath: card.subpath.as_deref().map(code),
            commit: code(&card.pinned_commit),
            version: card.version.as_deref().map(inline),
            reviewed: inline(&card.scored_date),
            description: inline(&card.description),
            category: card.category.label(),
            scored_configuration: inline(&card.scored_configuration),
            surface: surface(scored),
            score: scored.total.one_decimal(),
            band: inline(&scored.band.label),
            applicable: applicable(scored),
            headline: paragraph(&card.headline),
            critical_gaps: card.critical_findings.iter().map(gap).collect(),
            criteria: scored.criteria.iter().map(criterion).collect(),
            rule_of_two: RuleOfTwoView::new(&card.rule_of_two, inline),
            fixes: card.fixes.iter().map(fix).collect(),
            reaudit_log: card.reaudit_log.iter().map(change).collect(),
            limitations: card
                .limitations
                .iter()
                .map(|text| paragraph(text))
                .collect(),
        }
    }
}

fn surface(scored: &ScoredCard<'_>) -> String {
    scored
        .card
        .capability_profile
        .entries()
        .map(|(name, presence)| format!("{name} {}", presence.label()))
        .join(" · ")
}

/// The line under the table; none when all ten criteria apply.
pub(super) fn applicable(scored: &ScoredCard<'_>) -> Option<String> {
    let (count, score) = scored.applicable();
    let absent = scored.criteria.len() - count;
    if absent == 0 {
        return None;
    }
    let share = scored
        .applicable_percent()
        .map_or(String::new(), |percent| format!(" ({percent}%)"));
    let criteria = if absent == 1 { "criterion" } else { "criteria" };
    Some(format!(
        "Controls where a risk surface exists: {} / {count}.0{share}; {absent} {criteria} scored SA (surface absent).",
        score.two_decimals(),
    ))
}

/// The four levels of the counted mechanism.
pub(super) fn levels(scored: &ScoredCriterion<'_>) -> [String; 4] {
    ParameterId::ALL.map(|id| match scored.counted() {
        Some(mechanism) => mechanism.parameters.get(id).level.to_string(),
        None => "SA".to_owned(),
    })
}

/// What stands behind the score: an absence, or an opt-in mechanism that counted.
pub(super) fn tag(scored: &ScoredCriterion<'_>) -> &'static str {
    match scored.counted_kind() {
        None => " (SA)",
        Some(MechanismKind::Alt) => " (alt)",
        Some(MechanismKind::Default) => "",
    }
}

impl GapView {
    fn new(finding: &CriticalFinding, permalink: &Permalink<'_>) -> Self {
        let owasp = finding.owasp.join(", ");
        let labels = if owasp.is_empty() {
            finding.criterion.to_string()
        } else {
            format!("{}; {}", inline(&owasp), finding.criterion)
        };
        Self {
            summary: paragraph(&finding.summary),
            labels,
            evidence: evidence::list(&finding.evidence, permalink),
        }
    }
}

impl CriterionView {
    fn new(scored: &ScoredCriterion<'_>, permalink: &Permalink<'_>) -> Self {
        let criterion = scored.criterion;
        let counted = scored.counted_kind();
        let mechanism =
            |m: &ScoredMechanism<'_>| MechanismView::new(m, Some(m.kind) == counted, permalink);
        Self {
            id: criterion.id.to_string(),
            name: cell(&scored.facts.name),
            levels: levels(scored),
            raw: scored.raw().two_decimals(),
            cap: scored.cap().map_or("none".to_owned(), |cap| cell(cap.id)),
            score: scored.score().two_decimals(),
            tag: tag(scored),
            confidence: scored.confidence().as_str(),
            confidence_label: scored.confidence().label(),
            summary: paragraph(&criterion.summary),
            absence: match &criterion.rating {
                Rating::Absent { evidence } => Some(evidence::list(evidence, permalink)),
                Rating::Scored(_) => None,
            },
            mechanisms: scored.mechanisms.iter().map(mechanism).collect(),
            notes: criterion.notes.as_deref().map(inline),
        }
    }
}

impl MechanismView {
    fn new(scored: &ScoredMechanism<'_>, counted: bool, permalink: &Permalink<'_>) -> Self {
        let parameters = scored.parameters.iter();
        Self {
            label: inline(scored.label),
            kind: scored.kind.as_str(),
            raw: scored.raw.two_decimals(),
            score: scored.score.two_decimals(),
            counted,
            parameters: parameters
                .map(|(id, p)| ParameterView::new(id, p, permalink))
                .collect(),
            cap_id: scored.cap.map(|cap| inline(cap.id)),
            cap_reason: scored.cap.map(|cap| inline(cap.reason)),
        }
    }
}

impl ParameterView {
    fn new(id: ParameterId, parameter: &Parameter, permalink: &Permalink<'_>) -> Self {
        Self {
            id: id.to_string(),
            level: parameter.level.to_string(),
            finding: inline(&parameter.finding),
            evidence: evidence::list(&parameter.evidence, permalink),
            status: parameter.status.as_str(),
            gap: parameter.gap.as_deref().map(inline),
        }
    }
}

//! What the template of the page sees. Its values are text, not HTML: the template escapes them.

use serde::Serialize;

use super::Sources;
use super::chart::Radar;
use super::criterion::CriterionView;
use super::evidence::EvidenceView;
use super::text::{Piece, pieces};
use crate::render::escape::{link_target, plain};
use crate::render::sections::{ChangeView, FixView, RuleOfTwoView};
use crate::render::view;
use crate::scorecard::{CriticalFinding, Presence, Scorecard, ScoredCard};

/// Digits of a commit in the page's head; the foot has all of them.
const SHORT_COMMIT: usize = 12;

#[derive(Serialize)]
pub(super) struct PageView {
    name: String,
    description: Vec<Piece>,
    repository: Option<RepositoryView>,
    subpath: Option<String>,
    commit: Option<CommitView>,
    version: Option<String>,
    reviewed: String,
    category: &'static str,
    score: String,
    band: String,
    /// `green`, `amber`, `red`; anything else of a user's method stays grey.
    tone: String,
    applicable: Option<String>,
    headline: Vec<Piece>,
    radar: Radar,
    critical_gaps: Vec<GapView>,
    criteria: Vec<CriterionView>,
    scored_configuration: Vec<Piece>,
    surface: Vec<SurfaceView>,
    rule_of_two: RuleOfTwoView<Vec<Piece>>,
    fixes: Vec<FixView<Vec<Piece>>>,
    reaudit_log: Vec<ChangeView<Vec<Piece>>>,
    limitations: Vec<Vec<Piece>>,
}

#[derive(Serialize)]
struct CommitView {
    id: String,
    short: String,
}

#[derive(Serialize)]
struct RepositoryView {
    name: String,
    url: Option<String>,
}

#[derive(Serialize)]
struct GapView {
    criterion: String,
    owasp: Vec<String>,
    summary: Vec<Piece>,
    evidence: Vec<EvidenceView>,
}

/// The capabilities of one presence.
#[derive(Serialize)]
struct SurfaceView {
    presence: &'static str,
    names: Vec<&'static str>,
}

impl PageView {
    pub(super) fn new(scored: &ScoredCard<'_>, sources: &Sources<'_>) -> Self {
        let card = scored.card;
        let criterion = |c| CriterionView::new(c, scored.method, sources);
        let gap = |finding| GapView::new(finding, sources);
        let fix = |fix| FixView::new(fix, scored.method, pieces, plain);
        let change = |change| ChangeView::new(change, pieces);
        Self {
            name: plain(&card.name),
            description: pieces(&card.description),
            repository: RepositoryView::new(&card.repo_url),
            subpath: card.subpath.as_deref().map(plain),
            commit: CommitView::new(&card.pinned_commit),
            version: card.version.as_deref().map(plain),
            reviewed: plain(&card.scored_date),
            category: card.category.label(),
            score: scored.total.one_decimal(),
            band: plain(&scored.band.label),
            tone: plain(&scored.band.color),
            applicable: view::applicable(scored),
            headline: pieces(&card.headline),
            radar: Radar::new(scored),
            critical_gaps: card.critical_findings.iter().map(gap).collect(),
            criteria: scored.criteria.iter().map(criterion).collect(),
            scored_configuration: pieces(&card.scored_configuration),
            surface: SurfaceView::all(card),
            rule_of_two: RuleOfTwoView::new(&card.rule_of_two, pieces),
            fixes: card.fixes.iter().map(fix).collect(),
            reaudit_log: card.reaudit_log.iter().map(change).collect(),
            limitations: card.limitations.iter().map(|text| pieces(text)).collect(),
        }
    }
}

impl CommitView {
    /// None for a folder without a commit, which a card pins as zeros.
    fn new(id: &str) -> Option<Self> {
        let id = plain(id);
        let short = id.chars().take(SHORT_COMMIT).collect();
        id.contains(|digit| digit != '0')
            .then_some(Self { id, short })
    }
}

impl RepositoryView {
    fn new(url: &str) -> Option<Self> {
        (!url.is_empty()).then(|| Self {
            name: plain(url.strip_prefix("https://").unwrap_or(url)),
            url: link_target(url),
        })
    }
}

impl GapView {
    fn new(finding: &CriticalFinding, sources: &Sources<'_>) -> Self {
        Self {
            criterion: finding.criterion.to_string(),
            owasp: finding.owasp.iter().map(|label| plain(label)).collect(),
            summary: pieces(&finding.summary),
            evidence: EvidenceView::list(&finding.evidence, sources),
        }
    }
}

impl SurfaceView {
    /// What it can do, what it can be told to, and what it cannot; without what is empty.
    fn all(card: &Scorecard) -> Vec<Self> {
        let entries = card.capability_profile.entries();
        let group = |presence: Presence| Self {
            presence: presence.label(),
            names: entries
                .iter()
                .filter(|(_, has)| *has == presence)
                .map(|(name, _)| *name)
                .collect(),
        };
        let mut groups = Vec::from([Presence::Yes, Presence::OptIn, Presence::No].map(group));
        groups.retain(|group| !group.names.is_empty());
        groups
    }
}

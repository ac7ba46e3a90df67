//! What follows on a card from changed levels and caps: its critical gaps and its fixes.

use crate::scorecard::{
    Criterion, CriterionId, CriticalFinding, Evidence, Fix, Level, Method, Rating, Scorecard,
    ScoredCard, ScoredCriterion, is_critical,
};

/// A cap that a reviewer set, with what shows it.
pub(super) struct ShownCap<'o> {
    pub(super) criterion: CriterionId,
    pub(super) id: &'o str,
    pub(super) evidence: &'o [Evidence],
}

/// Brings the critical gaps and the fixes of `after` in line with its levels and caps, where they differ from `before`.
pub(super) fn settle(
    before: &Scorecard,
    after: &mut Scorecard,
    method: &Method,
    shown: &[ShownCap<'_>],
) {
    let touched: Vec<usize> = (0..after.criteria.len())
        .filter(|index| before.criteria.get(*index) != after.criteria.get(*index))
        .collect();
    let (mut gaps, mut fixes) = (after.critical_findings.clone(), after.fixes.clone());
    let (old, new) = (
        ScoredCard::new(before, method),
        ScoredCard::new(after, method),
    );
    for index in touched {
        if let (Some(old), Some(new)) = (old.criteria.get(index), new.criteria.get(index)) {
            settle_gaps(old, new, shown, &mut gaps);
            fixes
                .retain_mut(|fix| fix.criterion != new.criterion.id || is_left(fix, new.criterion));
        }
    }
    after.critical_findings = gaps;
    after.fixes = fixes;
}

fn settle_gaps(
    old: &ScoredCriterion<'_>,
    new: &ScoredCriterion<'_>,
    shown: &[ShownCap<'_>],
    gaps: &mut Vec<CriticalFinding>,
) {
    let id = new.criterion.id;
    let was_critical = is_critical(old);
    let is_critical = is_critical(new);
    let lifted = lifted_reasons(old.criterion, new.criterion);
    gaps.retain(|gap| {
        let is_over = (was_critical && !is_critical) || lifted.contains(&gap.summary.as_str());
        gap.criterion != id || !is_over
    });
    if is_critical && gaps.iter().all(|gap| gap.criterion != id) {
        let at = gaps.partition_point(|gap| gap.criterion < id);
        let found = critical_gap(new, shown);
        if let Some(gap) = found {
            gaps.insert(at, gap);
        }
    }
}

/// Reasons of the caps that a criterion no longer has.
fn lifted_reasons<'c>(old: &'c Criterion, new: &Criterion) -> Vec<&'c str> {
    let caps = |criterion: &'c Criterion| match &criterion.rating {
        Rating::Scored(rated) => rated.default.caps.as_slice(),
        Rating::Absent { .. } => &[],
    };
    let kept = |id: &str| match &new.rating {
        Rating::Scored(rated) => rated.default.caps.iter().any(|cap| cap.id == id),
        Rating::Absent { .. } => false,
    };
    let lifted = caps(old).iter().filter(|cap| !kept(&cap.id));
    lifted.map(|cap| cap.reason.as_str()).collect()
}

/// The critical gap of a criterion that has none yet: its cap with what shows it, else its blast radius.
fn critical_gap(scored: &ScoredCriterion<'_>, shown: &[ShownCap<'_>]) -> Option<CriticalFinding> {
    let default = scored.mechanisms.first()?;
    let id = scored.criterion.id;
    let blast = &default.parameters.b;
    let cap = default
        .cap
        .filter(|_| !default.has_worst_blast() || !scored.facts.worst_blast_is_critical);
    let shown_cap = shown
        .iter()
        .find(|s| s.criterion == id && default.cap.is_some_and(|cap| cap.id == s.id));
    let (summary, evidence) = match (shown_cap, cap) {
        (Some(shown), _) => (default.cap?.reason, shown.evidence.to_vec()),
        (None, Some(cap)) => (cap.reason, quoted(scored)),
        (None, None) => (blast.finding.as_str(), quoted(scored)),
    };
    Some(CriticalFinding {
        summary: summary.to_owned(),
        criterion: id,
        owasp: scored.facts.owasp.clone(),
        evidence,
    })
}

/// What the default mechanism rests on: of the blast radius, else of the first parameter that quotes something.
fn quoted(scored: &ScoredCriterion<'_>) -> Vec<Evidence> {
    let Some(default) = scored.mechanisms.first() else {
        return Vec::new();
    };
    let four = &default.parameters;
    let quotes = |evidence: &[Evidence]| -> Vec<Evidence> {
        let quoting = evidence.iter().filter(|item| {
            !matches!(item, Evidence::Citation { contains, .. } if contains.as_deref().is_none_or(str::is_empty))
        });
        quoting.cloned().collect()
    };
    let lists = [&four.b, &four.s, &four.c, &four.d].map(|p| quotes(&p.evidence));
    lists
        .into_iter()
        .find(|list| !list.is_empty())
        .unwrap_or_default()
}

/// Whether there is something left to fix; the fix then starts where the card is now.
fn is_left(fix: &mut Fix, criterion: &Criterion) -> bool {
    let Rating::Scored(rated) = &criterion.rating else {
        return false;
    };
    fix.from_level = rated.default.parameters.get(fix.parameter).level;
    matches!(fix.from_level, Level::Rung(_)) && fix.from_level.number() < fix.to_level.number()
}

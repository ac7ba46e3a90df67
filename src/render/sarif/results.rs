//! The results of a card: critical gaps first, then every parameter that is under its goal.
//!
//! The goal of a parameter is L4, the level at which it earns its whole weight; what it lacks for the next level stands
//! in the message. Rated is the mechanism that counts, as in the card's table.

use super::location::{Places, primary};
use super::log::{Fingerprints, ResultProperties, SarifResult, Text};
use super::rules::{self, Subject};
use super::severity::Severity;
use super::text::{inert, sentence};
use crate::render::escape::plain;
use crate::scorecard::{
    AppliedCap, CriterionId, CriticalFinding, Evidence, Level, Parameter, ParameterId, ScoredCard,
    ScoredCriterion, Status,
};

/// A result, and what its rule has to know of it.
pub(super) struct Found<'a> {
    criterion: CriterionId,
    subject: Subject,
    pub(super) severity: Severity,
    pub(super) status: Status,
    message: String,
    own: &'a [Evidence],
    /// Evidence of the whole criterion.
    around: Vec<&'a Evidence>,
    /// What tells it from every other result of the card.
    identity: String,
    properties: ResultProperties,
}

/// All results, in the order of the card.
pub(super) fn all<'a>(scored: &ScoredCard<'a>) -> Vec<Found<'a>> {
    let findings = &scored.card.critical_findings;
    let gaps = findings.iter().enumerate().map(|(position, finding)| {
        let same = |other: &&CriticalFinding| other.criterion == finding.criterion;
        let earlier = findings[..position].iter().filter(same).count();
        Found::gap(scored, finding, earlier)
    });
    let ratings = scored.criteria.iter().flat_map(|criterion| {
        let parameters = criterion.counted().map(|mechanism| mechanism.parameters);
        parameters
            .into_iter()
            .flat_map(|parameters| parameters.iter())
            .filter(|(_, parameter)| parameter.level.number() < Level::MAX)
            .map(|(id, parameter)| Found::rating(criterion, id, parameter))
    });
    gaps.chain(ratings).collect()
}

impl<'a> Found<'a> {
    /// A critical gap; `earlier` gaps of its criterion stand before it on the card.
    fn gap(scored: &ScoredCard<'a>, finding: &'a CriticalFinding, earlier: usize) -> Self {
        let of_gap = |c: &&ScoredCriterion<'_>| c.criterion.id == finding.criterion;
        let criterion = scored.criteria.iter().find(of_gap);
        let cap = criterion.and_then(ScoredCriterion::cap);
        let mut identity = rules::id(finding.criterion, Subject::Gap);
        if earlier > 0 {
            identity.push_str(&format!(".{}", earlier + 1));
        }
        Self {
            criterion: finding.criterion,
            subject: Subject::Gap,
            severity: Severity::of_gap(cap.is_some()),
            status: Status::Verified,
            message: sentence(&finding.summary) + &capped(finding.criterion, cap, &finding.summary),
            own: &finding.evidence,
            around: criterion.map(evidence).unwrap_or_default(),
            identity,
            properties: ResultProperties {
                level: None,
                status: None,
                cap: cap.map(|cap| plain(cap.id)),
            },
        }
    }

    /// A parameter under its goal.
    fn rating(
        criterion: &ScoredCriterion<'a>,
        parameter: ParameterId,
        rated: &'a Parameter,
    ) -> Self {
        let id = criterion.criterion.id;
        let subject = Subject::Parameter(parameter);
        let cap = criterion.cap();
        let mut message = sentence(&rated.finding);
        if let Some(gap) = &rated.gap {
            message.push_str(&format!(" To reach the next level: {}", sentence(gap)));
        }
        message.push_str(&format!(
            " {id} {} is {} of L{} ({}).",
            parameter.name(),
            rated.level,
            Level::MAX,
            rated.status.as_str()
        ));
        Self {
            criterion: id,
            subject,
            severity: Severity::of_rating(rated.level, cap.is_some()),
            status: rated.status,
            message: message + &capped(id, cap, &rated.finding),
            own: &rated.evidence,
            around: evidence(criterion),
            identity: rules::id(id, subject),
            properties: ResultProperties {
                level: Some(rated.level.to_string()),
                status: Some(rated.status.as_str()),
                cap: cap.map(|cap| plain(cap.id)),
            },
        }
    }

    /// Position of its rule.
    pub(super) fn rule(&self) -> usize {
        rules::index(self.criterion, self.subject)
    }

    /// As it is written; `subpath` is the card's.
    pub(super) fn result(self, subpath: Option<&str>) -> SarifResult {
        let places = Places::of(self.own);
        let rule_index = self.rule();
        SarifResult {
            rule_id: rules::id(self.criterion, self.subject),
            rule_index,
            level: self.severity.level,
            message: Text {
                text: format!("{} Evidence: {}", self.message, places.text),
            },
            locations: primary(self.own, &self.around),
            related_locations: places.related,
            partial_fingerprints: fingerprints(subpath, &self.identity),
            properties: self.properties,
        }
    }
}

/// The sentence on the cap of a criterion, with a space before it; the reason only where it is not `said` already.
fn capped(criterion: CriterionId, cap: Option<&AppliedCap<'_>>, said: &str) -> String {
    let Some(cap) = cap else {
        return String::new();
    };
    let held = format!(
        " {criterion} is held to {} by {}",
        cap.max.two_decimals(),
        inert(cap.id)
    );
    match cap.reason == said {
        true => held + ".",
        false => format!("{held}: {}", sentence(cap.reason)),
    }
}

/// All evidence of a criterion's counted mechanism.
fn evidence<'a>(criterion: &ScoredCriterion<'a>) -> Vec<&'a Evidence> {
    let mechanism = criterion.counted();
    let parameters = mechanism.into_iter().flat_map(|m| m.parameters.iter());
    parameters.flat_map(|(_, rated)| &rated.evidence).collect()
}

/// The rule, and in a monorepo the folder: no line, file or wording, so that a gap stays the same alert while its
/// evidence moves.
fn fingerprints(subpath: Option<&str>, identity: &str) -> Fingerprints {
    let identity = match subpath {
        Some(folder) => format!("{}:{identity}", plain(folder)),
        None => identity.to_owned(),
    };
    Fingerprints {
        rating: identity.clone(),
        github: identity,
    }
}

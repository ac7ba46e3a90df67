//! The rated card: all criteria, then the sentences about them, then the scorecard.

use std::collections::{BTreeMap, BTreeSet};

use super::criterion::{RatedCriterion, RatedRating, rate_criterion};
use super::draft::{Draft, citation};
use super::ladder::{RatedParameter, RatedParameters};
use super::{Basis, Identity, Pinpoint, at, caps, fixes, pinpoint};
use crate::rubric::{RubricError, Scope, Sentence};
use crate::scorecard::{
    Alternative, Cap, CapabilityProfile, Category, Criterion, CriterionId, CriticalFinding,
    Evidence, Level, Mechanism, Mechanisms, Parameter, Presence, Rating, RuleOfTwo, Scorecard,
    ScoredCard,
};

/// Most sentences of the headline (formats.md).
const HEADLINE: usize = 4;

/// A rated repository whose searches have not been run yet.
pub struct RatedCard<'r> {
    criteria: Vec<RatedCriterion<'r>>,
    scope: Scope,
}

/// Rates all criteria.
///
/// # Errors
/// A condition or sentence of the rubric that cannot be evaluated, with its place.
pub fn rate<'r>(basis: &Basis<'r>) -> Result<RatedCard<'r>, RubricError> {
    let files = CriterionId::ALL.into_iter().zip(&basis.rubric.criteria);
    let mut criteria = Vec::new();
    for (id, file) in files {
        criteria.push(rate_criterion(basis, id, file)?);
    }
    caps::apply(basis, &mut criteria)?;
    let scope = caps::card_scope(basis, &criteria);
    Ok(RatedCard { criteria, scope })
}

impl RatedCard<'_> {
    /// Ids of the searches that the card records.
    pub fn searches(&self) -> BTreeSet<&str> {
        let parameters = |p: &RatedParameters| {
            p.iter()
                .flat_map(|(_, p)| p.evidence.clone())
                .collect::<Vec<_>>()
        };
        let drafts = self
            .criteria
            .iter()
            .flat_map(|criterion| match &criterion.rating {
                RatedRating::Absent(drafts) => drafts.clone(),
                RatedRating::Scored {
                    default,
                    alternative,
                } => {
                    let mut all = parameters(default);
                    all.extend(alternative.iter().flat_map(|a| parameters(&a.parameters)));
                    all
                }
            });
        let names: BTreeSet<String> = drafts
            .filter_map(|draft| {
                if let Draft::Search(id) = draft {
                    Some(id)
                } else {
                    None
                }
            })
            .collect();
        self.known(&names)
    }

    fn known(&self, names: &BTreeSet<String>) -> BTreeSet<&str> {
        let files = self.criteria.iter().flat_map(|c| searches_of(c.file));
        files.filter(|id| names.contains(*id)).collect()
    }

    /// What belongs into a private report, not into the card.
    ///
    /// # Errors
    /// A sentence of the rubric that cannot be rendered, with its place.
    pub fn pinpoints(&self, basis: &Basis<'_>) -> Result<Vec<Pinpoint>, RubricError> {
        pinpoint::find(basis, &self.scope, &self.criteria)
    }

    /// The scorecard, with `searches` holding the evidence of every search that [`RatedCard::searches`] named.
    ///
    /// # Errors
    /// A sentence of the rubric that cannot be rendered, with its place.
    pub fn finish(
        self,
        basis: &Basis<'_>,
        identity: &Identity,
        searches: &BTreeMap<String, Evidence>,
    ) -> Result<Scorecard, RubricError> {
        let writer = Writer {
            basis,
            scope: &self.scope,
            searches,
        };
        let kinds = &basis.rubric.kinds;
        let mut card = Scorecard {
            id: identity.id.clone(),
            name: identity.name.clone(),
            repo_url: identity.repo_url.clone(),
            subpath: identity.subpath.clone(),
            description: identity.description.clone(),
            category: writer.category()?,
            pinned_commit: identity.commit.clone(),
            version: identity.version.clone(),
            scored_date: identity.date.clone(),
            scored_configuration: writer.first(&kinds.configuration, "[[configuration]]")?,
            capability_profile: writer.surface(),
            headline: writer.paragraph(&kinds.headline, "[[headline]]", HEADLINE)?,
            criteria: writer.criteria(&self.criteria)?,
            critical_findings: Vec::new(),
            rule_of_two: writer.rule_of_two()?,
            fixes: Vec::new(),
            reaudit_log: Vec::new(),
            limitations: writer.all(&kinds.limitation, "[[limitation]]")?,
            schema_version: None,
            scorecard_version: None,
        };
        card.critical_findings = writer.critical(&self.criteria, &card)?;
        card.fixes = fixes::propose(basis, &self.scope, &self.criteria, &card)?;
        Ok(card)
    }
}

/// Ids of all searches that a criterion's file can record.
fn searches_of(file: &crate::rubric::CriterionFile) -> impl Iterator<Item = &str> {
    let ladders = file
        .ladder
        .iter()
        .chain(file.alternative.iter().flat_map(|a| &a.ladder));
    let rungs = ladders
        .flat_map(|ladder| &ladder.rung)
        .flat_map(|rung| &rung.search);
    rungs
        .chain(file.absence.iter().flat_map(|absence| &absence.search))
        .map(String::as_str)
}

/// Writes the parts of a card.
struct Writer<'a> {
    basis: &'a Basis<'a>,
    scope: &'a Scope,
    searches: &'a BTreeMap<String, Evidence>,
}

impl Writer<'_> {
    fn resolve(&self, drafts: &[Draft]) -> Vec<Evidence> {
        let resolved = drafts.iter().filter_map(|draft| match draft {
            Draft::Hit(index) => Some(citation(self.basis, *index)),
            Draft::Search(id) => self.searches.get(id).cloned(),
        });
        resolved.collect()
    }

    /// The first sentence that holds.
    fn first(&self, sentences: &[Sentence], place: &str) -> Result<String, RubricError> {
        for sentence in sentences {
            if self
                .basis
                .holds(sentence.when.as_deref(), self.scope, place)?
            {
                return self.basis.text(&sentence.text, self.scope, place);
            }
        }
        Err(at(place, "no sentence holds".into()))
    }

    /// All sentences that hold.
    fn all(&self, sentences: &[Sentence], place: &str) -> Result<Vec<String>, RubricError> {
        let mut texts = Vec::new();
        for sentence in sentences {
            if self
                .basis
                .holds(sentence.when.as_deref(), self.scope, place)?
            {
                texts.push(self.basis.text(&sentence.text, self.scope, place)?);
            }
        }
        Ok(texts)
    }

    fn paragraph(
        &self,
        sentences: &[Sentence],
        place: &str,
        most: usize,
    ) -> Result<String, RubricError> {
        let mut texts = self.all(sentences, place)?;
        texts.truncate(most);
        Ok(texts.join(" "))
    }

    fn category(&self) -> Result<Category, RubricError> {
        for rule in &self.basis.rubric.kinds.category {
            if self
                .basis
                .holds(rule.when.as_deref(), self.scope, "[[category]]")?
            {
                let word = serde_json::Value::from(rule.is.as_str());
                return serde_json::from_value(word).map_err(|e| at("[[category]]", e.to_string()));
            }
        }
        Err(at("[[category]]", "no category holds".into()))
    }

    fn surface(&self) -> CapabilityProfile {
        let entries = &self.basis.facts.judgement.surface;
        let presence = |key: &str| match entries
            .iter()
            .find(|(name, _, _)| name == key)
            .map(|(_, v, _)| v.as_str())
        {
            Some("yes") => Presence::Yes,
            Some("opt_in") => Presence::OptIn,
            _ => Presence::No,
        };
        CapabilityProfile {
            code_execution: presence("code_execution"),
            filesystem_write: presence("filesystem_write"),
            network_egress: presence("network_egress"),
            external_credentials: presence("external_credentials"),
            persistent_memory: presence("persistent_memory"),
            untrusted_input: presence("untrusted_input"),
            third_party_extensions: presence("third_party_extensions"),
            sub_agents: presence("sub_agents"),
            external_communication: presence("external_communication"),
        }
    }

    fn rule_of_two(&self) -> Result<RuleOfTwo, RubricError> {
        let rules = &self.basis.rubric.kinds.rule_of_two;
        Ok(RuleOfTwo {
            untrusted_input: self.first(&rules.untrusted_input, "[rule_of_two] untrusted_input")?,
            sensitive_data: self.first(&rules.sensitive_data, "[rule_of_two] sensitive_data")?,
            state_change_or_egress: self.first(
                &rules.state_change_or_egress,
                "[rule_of_two] state_change_or_egress",
            )?,
            same_session: self.basis.holds(
                Some(&rules.same_session),
                self.scope,
                "[rule_of_two] same_session",
            )?,
        })
    }

    fn criteria(&self, rated: &[RatedCriterion<'_>]) -> Result<Vec<Criterion>, RubricError> {
        rated
            .iter()
            .map(|criterion| self.criterion(criterion))
            .collect()
    }

    fn criterion(&self, rated: &RatedCriterion<'_>) -> Result<Criterion, RubricError> {
        let place = format!("{}.summary", rated.id);
        let (summary, rating) = match &rated.rating {
            RatedRating::Absent(drafts) => {
                let template = rated
                    .file
                    .absence
                    .as_ref()
                    .map_or("", |absence| &absence.summary);
                let summary = self.basis.text(template, self.scope, &place)?;
                (
                    summary,
                    Rating::Absent {
                        evidence: self.resolve(drafts),
                    },
                )
            }
            RatedRating::Scored {
                default,
                alternative,
            } => {
                let caps = rated.caps.iter().map(|cap| Cap {
                    id: cap.id.clone(),
                    reason: cap.reason.clone(),
                });
                let default = Mechanism {
                    parameters: self.parameters(default),
                    caps: caps.collect(),
                };
                let alt = alternative.as_ref().map(|alternative| Alternative {
                    label: alternative.label.clone(),
                    parameters: self.parameters(&alternative.parameters),
                    caps: alternative
                        .reason
                        .iter()
                        .map(|r| Cap {
                            id: "G1".into(),
                            reason: r.clone(),
                        })
                        .collect(),
                });
                let summary = match self.paragraph(&rated.file.summary, &place, usize::MAX)? {
                    none if none.is_empty() => default.parameters.s.finding.clone(),
                    summary => summary,
                };
                (
                    summary,
                    Rating::Scored(Box::new(Mechanisms { default, alt })),
                )
            }
        };
        Ok(Criterion {
            id: rated.id,
            summary,
            rating,
            notes: None,
        })
    }

    fn parameters(&self, rated: &RatedParameters) -> crate::scorecard::Parameters {
        rated.map(|_, parameter| self.parameter(parameter))
    }

    fn parameter(&self, rated: &RatedParameter) -> Parameter {
        Parameter {
            level: rated.level,
            status: rated.status,
            finding: rated.finding.clone(),
            evidence: self.resolve(&rated.evidence),
            gap: rated
                .gap
                .clone()
                .filter(|_| rated.level.number() < Level::MAX),
        }
    }

    /// Critical gaps: every cap of a criterion or G2 that counts, every worst blast radius where it is critical
    /// (method.md, How to rate).
    fn critical(
        &self,
        rated: &[RatedCriterion<'_>],
        card: &Scorecard,
    ) -> Result<Vec<CriticalFinding>, RubricError> {
        let scored = ScoredCard::new(card, self.basis.method);
        let mut findings = Vec::new();
        for (criterion, scored) in rated.iter().zip(&scored.criteria) {
            let RatedRating::Scored { default, .. } = &criterion.rating else {
                continue;
            };
            let counted_by_default =
                scored.counted_kind() == Some(crate::scorecard::MechanismKind::Default);
            let cap = scored
                .mechanisms
                .first()
                .and_then(|mechanism| mechanism.cap.as_ref())
                .map(|cap| cap.id);
            let stated = criterion.caps.iter().find(|c| Some(c.id.as_str()) == cap);
            let worst = default.b.level == Level::Rung(0) && scored.facts.worst_blast_is_critical;
            let (summary, drafts) = match stated {
                Some(cap) if cap.id == "G2" || (cap.id != "G1" && counted_by_default) => {
                    (cap.reason.clone(), &cap.evidence)
                }
                _ if worst => {
                    let template = criterion
                        .file
                        .critical
                        .as_ref()
                        .map_or("", |critical| &critical.text);
                    (
                        self.basis.text(template, self.scope, "[critical]")?,
                        &default.b.evidence,
                    )
                }
                _ => continue,
            };
            findings.push(CriticalFinding {
                summary,
                criterion: criterion.id,
                owasp: scored.facts.owasp.clone(),
                evidence: self.resolve(drafts),
            });
        }
        Ok(findings)
    }
}

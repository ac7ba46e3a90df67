//! From an entry back to what its author wrote, and whether its figures are those of the method.

use serde_json::{Map, Value};

use super::{
    Entry, EntryCap, EntryCriterion, EntryEvidence, EntryFinding, EntryFix, EntryMechanism,
    EntryParameter, EntryStatus, Permalink,
};
use crate::scorecard::evidence::Evidence;
use crate::scorecard::method::Method;
use crate::scorecard::model::{
    Alternative, Cap, Criterion, CriticalFinding, Fix, Mechanism, Mechanisms, Parameter,
    Parameters, Rating, Scorecard,
};
use crate::scorecard::problem::Problem;
use crate::scorecard::score::ScoredCard;
use crate::scorecard::vocabulary::{Level, MechanismKind, PerParameter};

/// Fields that each author words in their own way.
const AUTHORS_WORDS: &[&str] = &["question"];
/// In an absent criterion also the four parameters, which only repeat the absence.
const ABSENCE_WORDS: &[&str] = &["question", "parameters"];
/// How far a printed figure may be from the computed one: half a unit of its last decimal, and
/// a little, because programs round halves differently.
const TOLERANCE: f64 = 0.0011;

impl Entry {
    /// The scorecard that this entry was computed from. Of a mechanism's caps only the one that
    /// applied is known.
    ///
    /// # Errors
    /// A criterion whose mechanisms are not the default one and at most one alternative.
    pub fn to_scorecard(&self) -> Result<Scorecard, Problem> {
        Ok(Scorecard {
            id: self.id.clone(),
            name: self.name.clone(),
            repo_url: self.repo_url.clone(),
            subpath: self.subpath.clone(),
            description: self.description.clone(),
            category: self.category,
            pinned_commit: self.pinned_commit.clone(),
            version: self.version.clone(),
            scored_date: self.scored_date.clone(),
            scored_configuration: self.scored_configuration.clone(),
            capability_profile: self.capability_profile.clone(),
            headline: self.headline.clone(),
            criteria: self
                .criteria
                .iter()
                .map(criterion)
                .collect::<Result<_, _>>()?,
            critical_findings: self.critical_findings.iter().map(finding).collect(),
            rule_of_two: self.rule_of_two.clone(),
            fixes: self.fixes.iter().map(fix).collect(),
            reaudit_log: self.reaudit_log.clone(),
            limitations: self.limitations.clone(),
            schema_version: Some(self.schema_version.clone()),
            scorecard_version: Some(self.scorecard_version.clone()),
        })
    }

    /// Where this entry differs from the one that the method computes from `card`, its own
    /// scorecard: wrong figures, wrong names, parameters that are not those of the counted
    /// mechanism, permalinks that lead elsewhere.
    pub fn differences(
        &self,
        card: &Scorecard,
        method: &Method,
        permalink: &Permalink<'_>,
    ) -> Vec<Problem> {
        let computed = Self::new(&ScoredCard::new(card, method), permalink);
        let mut problems = Vec::new();
        compare(
            "",
            &tree(self),
            &tree(&computed),
            AUTHORS_WORDS,
            &mut problems,
        );
        problems
    }
}

fn criterion(entry: &EntryCriterion) -> Result<Criterion, Problem> {
    let rating = match (entry.status, entry.mechanisms.as_slice()) {
        (EntryStatus::StructuralAbsence, _) => Rating::Absent {
            evidence: evidence(entry.absence_evidence.as_deref().unwrap_or_default()),
        },
        (EntryStatus::Scored, [default]) if default.kind == MechanismKind::Default => {
            scored(default, None)
        }
        (EntryStatus::Scored, [default, alt])
            if (default.kind, alt.kind) == (MechanismKind::Default, MechanismKind::Alt) =>
        {
            scored(default, Some(alt))
        }
        _ => {
            return Err(Problem::new(
                format!("{}.mechanisms", entry.id),
                "the default mechanism is needed, then at most one of kind alt",
            ));
        }
    };
    Ok(Criterion {
        id: entry.id,
        summary: entry.summary.clone(),
        rating,
        notes: entry.notes.clone(),
    })
}

fn scored(default: &EntryMechanism, alt: Option<&EntryMechanism>) -> Rating {
    Rating::Scored(Box::new(Mechanisms {
        default: Mechanism {
            parameters: parameters(&default.parameters),
            caps: caps(default.cap.as_ref()),
        },
        alt: alt.map(|alt| Alternative {
            label: alt.label.clone(),
            parameters: parameters(&alt.parameters),
            caps: caps(alt.cap.as_ref()),
        }),
    }))
}

fn parameters(entry: &PerParameter<EntryParameter>) -> Parameters {
    entry.map(|_, parameter| Parameter {
        level: if parameter.structural_absence {
            Level::Absent
        } else {
            Level::Rung(parameter.level)
        },
        status: parameter.status,
        finding: parameter.finding.clone(),
        evidence: evidence(&parameter.evidence),
        gap: parameter.gap.clone(),
    })
}

fn caps(entry: Option<&EntryCap>) -> Vec<Cap> {
    let authored = |cap: &EntryCap| Cap {
        id: cap.id.clone(),
        reason: cap.reason.clone(),
    };
    entry.map(authored).into_iter().collect()
}

fn evidence(entry: &[EntryEvidence]) -> Vec<Evidence> {
    entry.iter().map(|item| item.evidence.clone()).collect()
}

fn finding(entry: &EntryFinding) -> CriticalFinding {
    CriticalFinding {
        summary: entry.summary.clone(),
        criterion: entry.criterion,
        owasp: entry.owasp.clone(),
        evidence: evidence(&entry.evidence),
    }
}

fn fix(entry: &EntryFix) -> Fix {
    Fix {
        summary: entry.summary.clone(),
        criterion: entry.criterion,
        parameter: entry.parameter,
        from_level: entry.from_level,
        to_level: entry.to_level,
        playbook: entry.playbook.clone(),
    }
}

/// The types of this module have string keys only, so this does not fail; if it did, both sides
/// would be null, and no difference is claimed.
fn tree(entry: &Entry) -> Value {
    serde_json::to_value(entry).unwrap_or(Value::Null)
}

/// Adds a problem for each leaf that differs. `place` names a criterion by its id.
fn compare(
    place: &str,
    stated: &Value,
    computed: &Value,
    skipped: &[&str],
    problems: &mut Vec<Problem>,
) {
    match (stated, computed) {
        (Value::Object(stated), Value::Object(computed)) => {
            compare_fields(place, stated, computed, skipped, problems);
        }
        (Value::Array(stated), Value::Array(computed)) if stated.len() == computed.len() => {
            for (index, (stated, computed)) in stated.iter().zip(computed).enumerate() {
                let place = item_place(place, index, stated);
                compare(&place, stated, computed, skipped, problems);
            }
        }
        (Value::Number(a), Value::Number(b)) if near(place, a.as_f64(), b.as_f64()) => {}
        _ if stated == computed => {}
        _ => problems.push(Problem::new(
            place,
            format!("the entry says {stated}, the method gives {computed}"),
        )),
    }
}

fn compare_fields(
    place: &str,
    stated: &Map<String, Value>,
    computed: &Map<String, Value>,
    skipped: &[&str],
    problems: &mut Vec<Problem>,
) {
    let is_absent = stated
        .get("status")
        .is_some_and(|status| status == "structural_absence");
    let skipped = if is_absent { ABSENCE_WORDS } else { skipped };
    let missing = computed.keys().filter(|key| !stated.contains_key(*key));
    for key in stated.keys().chain(missing) {
        let (a, b) = (stated.get(key), computed.get(key));
        let unknown_link = key == "url" && (a.is_none() || b.is_none());
        if skipped.contains(&key.as_str()) || unknown_link {
            continue;
        }
        let place = match place {
            "" => key.clone(),
            _ => format!("{place}.{key}"),
        };
        let or_null = |value: Option<&Value>| value.cloned().unwrap_or(Value::Null);
        compare(&place, &or_null(a), &or_null(b), skipped, problems);
    }
}

fn item_place(list: &str, index: usize, item: &Value) -> String {
    match item.get("id").and_then(Value::as_str) {
        Some(id) if list == "criteria" => id.to_owned(),
        _ => format!("{list}[{index}]"),
    }
}

fn near(place: &str, stated: Option<f64>, computed: Option<f64>) -> bool {
    let tolerance = match place {
        "applicable.score" => 0.006,
        "applicable.percent" => 1.0,
        _ => TOLERANCE,
    };
    matches!((stated, computed), (Some(a), Some(b)) if (a - b).abs() <= tolerance)
}

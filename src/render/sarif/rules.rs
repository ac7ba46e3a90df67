//! The rules that results refer to: for each criterion its four parameters and its critical gap.
//!
//! All fifty are always there, in this order, so that a rule has the same index on every card.

use super::help::{self, Ladders};
use super::log::{Configuration, Rule, RuleProperties, Text};
use super::severity::Severity;
use super::text::description;
use crate::scorecard::{CriterionFacts, CriterionId, Method, ParameterId, Status};

/// Rules of one criterion.
const OF_CRITERION: usize = ParameterId::ALL.len() + 1;
/// Tags that GitHub keeps of a rule.
const TAGS: usize = 20;
/// Without it GitHub ignores `security-severity`.
const SECURITY: &str = "security";

/// What a result is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// A parameter below L4.
    Parameter(ParameterId),
    /// A critical gap.
    Gap,
}

impl Subject {
    fn all() -> impl Iterator<Item = Self> {
        ParameterId::ALL
            .into_iter()
            .map(Self::Parameter)
            .chain([Self::Gap])
    }
}

/// Id of a rule, such as `C4.S` or `C4.gap`.
pub(super) fn id(criterion: CriterionId, subject: Subject) -> String {
    match subject {
        Subject::Parameter(parameter) => format!("{criterion}.{parameter}"),
        Subject::Gap => format!("{criterion}.gap"),
    }
}

/// Position of a rule among all.
pub(super) fn index(criterion: CriterionId, subject: Subject) -> usize {
    let within = match subject {
        Subject::Parameter(parameter) => parameter as usize,
        Subject::Gap => ParameterId::ALL.len(),
    };
    (criterion.number() - 1) * OF_CRITERION + within
}

/// All rules, as mild as can be until a result [`raise`]s them.
pub(super) fn all(method: &Method, ladders: &Ladders<'_>) -> Vec<Rule> {
    let of = |criterion| Subject::all().map(move |subject| (criterion, subject));
    CriterionId::ALL
        .into_iter()
        .flat_map(of)
        .map(|(criterion, subject)| rule(method, ladders, criterion, subject))
        .collect()
}

/// Gives a rule the severity of its result, and the precision of a rating that was reasoned where it was. GitHub reads
/// both from the rule, never from the result.
pub(super) fn raise(rule: &mut Rule, severity: Severity, status: Status) {
    let figure = |text: &str| text.parse::<f64>().unwrap_or_default();
    if figure(severity.security) > figure(rule.properties.security_severity) {
        rule.properties.security_severity = severity.security;
        rule.default_configuration.level = severity.level;
    }
    if status == Status::Inferred {
        rule.properties.precision = precision(status);
    }
}

fn precision(status: Status) -> &'static str {
    match status {
        Status::Verified => "high",
        Status::Inferred => "medium",
    }
}

fn rule(method: &Method, ladders: &Ladders<'_>, criterion: CriterionId, subject: Subject) -> Rule {
    let facts = method.criterion(criterion);
    let (title, name) = match subject {
        Subject::Parameter(parameter) => {
            (format!("{} below L4", parameter.name()), parameter.name())
        }
        Subject::Gap => ("critical gap".to_owned(), "critical gap"),
    };
    let full = format!("{} {}", facts.question, help::measure(subject));
    Rule {
        id: id(criterion, subject),
        name: pascal(&format!("{} {name}", facts.name)),
        short_description: Text {
            text: description(&format!("{criterion} {}: {title}", facts.name)),
        },
        full_description: Text {
            text: description(&full),
        },
        help: help::help(method, ladders, criterion, subject),
        default_configuration: Configuration {
            level: Severity::LEAST.level,
        },
        properties: RuleProperties {
            precision: precision(Status::Verified),
            security_severity: Severity::LEAST.security,
            tags: tags(facts),
        },
    }
}

/// `security`, then the OWASP labels.
fn tags(facts: &CriterionFacts) -> Vec<String> {
    let labels = facts.owasp.iter().map(String::as_str);
    std::iter::once(SECURITY)
        .chain(labels)
        .take(TAGS)
        .map(str::to_owned)
        .collect()
}

/// `Code-execution isolation strength` as `CodeExecutionIsolationStrength`, the form that the standard asks of names.
fn pascal(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words
        .flat_map(|word| {
            let (first, rest) = word.split_at(word.len().min(1));
            [first.to_ascii_uppercase(), rest.to_owned()]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_of_a_rule_is_its_position() {
        let method = Method::built_in().unwrap();
        let rules = all(&method, &Ladders::new(&[]));
        assert_eq!(rules.len(), 50);
        for criterion in CriterionId::ALL {
            for subject in Subject::all() {
                let rule = &rules[index(criterion, subject)];
                assert_eq!(rule.id, id(criterion, subject));
            }
        }
    }

    #[test]
    fn names_are_one_word() {
        assert_eq!(
            pascal("Secrets & sensitive-data protection blast radius"),
            "SecretsSensitiveDataProtectionBlastRadius"
        );
    }

    #[test]
    fn a_rule_takes_the_worst_of_its_results() {
        let method = Method::built_in().unwrap();
        let mut rules = all(&method, &Ladders::new(&[]));
        let rule = &mut rules[0];
        raise(rule, Severity::of_gap(true), Status::Inferred);
        raise(rule, Severity::LEAST, Status::Verified);
        assert_eq!(rule.properties.security_severity, "9.5");
        assert_eq!(rule.default_configuration.level, "error");
        assert_eq!(rule.properties.precision, "medium");
    }
}

//! Every sentence of a criterion's ladders, filled from the probes' own cases: what a card would say.
//!
//! Whoever writes a rung reads it here before a repository reaches it; a snapshot of all of them is a test.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::value::Value;

use super::Rulebook;
use super::examination::library_value;
use crate::fact::FactView;
use crate::probe::{Hit, example};
use crate::rubric::{CriterionFile, FactSpec, Kind, Ladder, Rung, Scope, Step};
use crate::scorecard::{Level, ParameterId};

/// Most examples that one fact is made of.
const HITS: usize = 2;
/// Name of the project that the sentences speak of.
const PROJECT: &str = "Acme";

/// The sentences of one rung.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RungSentences {
    /// The kinds that its ladder is for.
    pub kinds: Vec<Kind>,
    /// Whether it rates the opt-in mechanism.
    pub is_alternative: bool,
    /// Its parameter.
    pub parameter: ParameterId,
    /// Its level.
    pub level: Level,
    /// The finding, once for each kind where they differ, and once with nothing but what its conditions need.
    pub findings: Vec<String>,
    /// The gap.
    pub gap: Option<String>,
}

/// The sentences of all rungs of `criterion`, in the order of its ladders.
///
/// # Errors
/// A sentence that cannot be filled, with its reason.
pub fn sentences(
    rulebook: &Rulebook,
    criterion: &CriterionFile,
) -> Result<Vec<RungSentences>, String> {
    let examples = Examples::of(rulebook)?;
    let mut all = Vec::new();
    let own = criterion.ladder.iter().map(|ladder| (ladder, None));
    let opted = criterion.alternative.iter();
    let opted = opted.flat_map(|a| {
        a.ladder
            .iter()
            .map(|ladder| (ladder, Some(a.when.as_str())))
    });
    for (ladder, alternative) in own.chain(opted) {
        for rung in &ladder.rung {
            all.push(examples.rung(rulebook, ladder, rung, alternative)?);
        }
    }
    Ok(all)
}

/// An example of every fact, by its id.
struct Examples {
    facts: BTreeMap<String, Vec<(Hit, String)>>,
}

impl Examples {
    fn of(rulebook: &Rulebook) -> Result<Self, String> {
        let set = rulebook.probes.set().map_err(|e| e.to_string())?;
        let rubric = &rulebook.rubric;
        let limits = &rulebook.inventory.limits;
        let probes = rubric.probes.iter().enumerate();
        let of_probes: BTreeMap<&str, (Hit, String)> = probes
            .filter_map(|(index, spec)| {
                let found = example(set, index, spec, limits)?;
                Some((spec.id.get_ref().as_str(), found))
            })
            .collect();
        let mut examples = Self {
            facts: BTreeMap::new(),
        };
        for step in &rubric.order {
            if let Step::Fact(index) = step {
                let spec = &rubric.facts[*index];
                let hits = examples.hits(spec, &of_probes);
                examples.facts.insert(spec.id.get_ref().clone(), hits);
            }
        }
        Ok(examples)
    }

    fn hits(
        &self,
        spec: &FactSpec,
        of_probes: &BTreeMap<&str, (Hit, String)>,
    ) -> Vec<(Hit, String)> {
        let from_probes = spec
            .probes
            .iter()
            .filter_map(|id| of_probes.get(id.as_str()));
        let from_facts = spec.union.iter().filter_map(|id| self.facts.get(id));
        from_probes
            .chain(from_facts.flatten())
            .take(HITS)
            .cloned()
            .collect()
    }

    fn rung(
        &self,
        rulebook: &Rulebook,
        ladder: &Ladder,
        rung: &Rung,
        alternative: Option<&str>,
    ) -> Result<RungSentences, String> {
        let wrong = |e: String| {
            format!(
                "{} {}: {e}",
                ladder.parameter.get_ref(),
                rung.level.get_ref()
            )
        };
        let expressions = &rulebook.expressions;
        let conditions = rung.when.as_deref().into_iter().chain(alternative);
        let needed = needed(rulebook, conditions).map_err(wrong)?;
        let is_needed = |id: &str| needed.contains(id);
        let mut findings: Vec<String> = Vec::new();
        let mut gap = None;
        for kind in &ladder.kinds {
            for scope in [
                self.scope(rulebook, *kind, &|_| true),
                self.scope(rulebook, *kind, &is_needed),
            ] {
                let text = expressions.text(&rung.finding, &scope).map_err(wrong)?;
                if !findings.contains(&text) {
                    findings.push(text);
                }
                if let (Some(template), None) = (&rung.gap, &gap) {
                    gap = Some(expressions.text(template, &scope).map_err(wrong)?);
                }
            }
        }
        Ok(RungSentences {
            kinds: ladder.kinds.clone(),
            is_alternative: alternative.is_some(),
            parameter: *ladder.parameter.get_ref(),
            level: *rung.level.get_ref(),
            findings,
            gap,
        })
    }

    /// A project of `kind` in which the facts hold that `holds` names.
    fn scope(&self, rulebook: &Rulebook, kind: Kind, holds: &dyn Fn(&str) -> bool) -> Scope {
        let scope = Scope::default();
        let folders = Value::from(vec!["src"]);
        scope.set("kind", Value::from(kind.word()));
        scope.set(
            "core",
            Value::from_pairs([("found", Value::from(true)), ("folders", folders)]),
        );
        scope.set("library", library_value(&rulebook.rubric.libraries));
        scope.set(
            "project",
            Value::from_pairs([("name", Value::from(PROJECT))]),
        );
        let facts = &rulebook.rubric.facts;
        let in_order = rulebook.rubric.order.iter().filter_map(|step| match step {
            Step::Fact(index) => Some(&facts[*index]),
            Step::Kind | Step::Surface => None,
        });
        for spec in in_order {
            let id = spec.id.get_ref();
            if let Some(expression) = &spec.expr {
                // A fact that is words says them of the examples; any other is given.
                let worked_out = rulebook.expressions.value(expression, &scope).ok();
                let words = worked_out.filter(|value| value.as_str().is_some());
                scope.set(id, words.unwrap_or_else(|| Value::from(holds(id))));
                continue;
            }
            let hits = self.facts.get(id).filter(|_| holds(id));
            let hits: Vec<(&Hit, &str)> = hits
                .into_iter()
                .flatten()
                .map(|(hit, path)| (hit, path.as_str()))
                .collect();
            scope.set(id, Value::from_object(FactView::new(&hits)));
        }
        scope
    }
}

/// The facts that `conditions` read, and those that these are made of.
fn needed<'a>(
    rulebook: &Rulebook,
    conditions: impl Iterator<Item = &'a str>,
) -> Result<BTreeSet<String>, String> {
    let read = |expression: &str| -> Result<Vec<String>, String> {
        let variables = rulebook.expressions.variables_of_expression(expression)?;
        let root = |v: &String| v.split('.').next().unwrap_or_default().to_owned();
        Ok(variables.iter().map(root).collect())
    };
    let mut open = Vec::new();
    for condition in conditions {
        open.extend(read(condition)?);
    }
    let mut all = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !all.insert(id.clone()) {
            continue;
        }
        let facts = &rulebook.rubric.facts;
        if let Some(fact) = facts.iter().find(|fact| *fact.id.get_ref() == id) {
            open.extend(fact.union.iter().cloned());
            if let Some(expression) = &fact.expr {
                open.extend(read(expression)?);
            }
        }
    }
    Ok(all)
}

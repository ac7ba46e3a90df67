//! What the evidence adds up to: the rubric's facts, resolved over all hits.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::value::Value;

use super::core::Core;
use super::filter::Filter;
use super::order::{Order, distinct};
use super::view::FactView;
use crate::inventory::Role;
use crate::probe::Hit;
use crate::rubric::{Expressions, FactSpec, Kind, Rubric, Scope, Step};

/// Most hits that one fact keeps: the most telling ones.
const KEPT: usize = 400;

/// What facts are resolved from.
pub struct Ground<'a> {
    /// All hits, by file and line.
    pub hits: &'a [Hit],
    /// Path of each file.
    pub paths: &'a [String],
    /// Role of each file.
    pub roles: &'a [Role],
    /// The core.
    pub core: &'a Core,
}

/// One resolved fact.
#[derive(Clone, Debug, Default)]
pub struct Fact {
    /// Indices of its hits, most telling first.
    pub hits: Vec<usize>,
}

/// Kind and surface, which some facts wait for.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The kind.
    pub kind: Kind,
    /// Why.
    pub because: String,
    /// Value of each entry of the surface with the facts to cite.
    pub surface: Vec<(String, String, Vec<String>)>,
}

/// All facts of one snapshot.
pub struct Facts {
    facts: BTreeMap<String, Fact>,
    /// The variables that conditions and sentences see.
    pub scope: Scope,
    /// Kind and surface.
    pub judgement: Judgement,
}

impl Facts {
    /// The fact `id`; an empty one when it has no hits.
    pub fn hits(&self, id: &str) -> &[usize] {
        self.facts.get(id).map_or(&[], |fact| &fact.hits)
    }

    /// Whether the fact `id` holds: it has hits, or its expression is true.
    pub fn holds(&self, id: &str) -> bool {
        self.scope.get(id).is_some_and(|value| value.is_true())
    }

    /// Resolves all facts of `rubric` in its order.
    ///
    /// # Errors
    /// A message that names the fact whose condition cannot be evaluated.
    pub fn resolve(
        rubric: &Rubric,
        ground: &Ground<'_>,
        scope: Scope,
        expressions: &Expressions,
    ) -> Result<Self, String> {
        let mut by_probe: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, hit) in ground.hits.iter().enumerate() {
            by_probe
                .entry(rubric.probes[hit.probe].id.get_ref())
                .or_default()
                .push(index);
        }
        let judgement = Judgement {
            kind: Kind::Agent,
            because: String::new(),
            surface: Vec::new(),
        };
        let order = Order::of(ground);
        let mut facts = Self {
            facts: BTreeMap::new(),
            scope,
            judgement,
        };
        for step in &rubric.order {
            match step {
                Step::Fact(index) => facts.add(
                    &rubric.facts[*index],
                    &by_probe,
                    &order,
                    ground,
                    expressions,
                )?,
                Step::Kind => facts.decide_kind(rubric, expressions)?,
                Step::Surface => facts.decide_surface(rubric, expressions)?,
            }
        }
        Ok(facts)
    }

    fn add(
        &mut self,
        spec: &FactSpec,
        by_probe: &BTreeMap<&str, Vec<usize>>,
        order: &Order,
        ground: &Ground<'_>,
        expressions: &Expressions,
    ) -> Result<(), String> {
        let id = spec.id.get_ref();
        let named = |e: String| format!("fact `{id}`: {e}");
        let wanted = expressions
            .holds(spec.when.as_deref(), &self.scope)
            .map_err(named)?;
        if let Some(expression) = &spec.expr {
            let value = if wanted {
                expressions.value(expression, &self.scope).map_err(named)?
            } else {
                Value::from(false)
            };
            self.scope.set(id, value);
            return Ok(());
        }
        let mut hits: BTreeSet<usize> = BTreeSet::new();
        if wanted {
            hits.extend(
                spec.probes
                    .iter()
                    .filter_map(|p| by_probe.get(p.as_str()))
                    .flatten(),
            );
            hits.extend(
                spec.union
                    .iter()
                    .flat_map(|other| self.hits(other).to_vec()),
            );
        }
        if !hits.is_empty() {
            let filter = Filter::new(self, spec, ground).map_err(named)?;
            hits = filter.kept(hits).map_err(named)?;
        }
        let mut ranked = order.rank(&distinct(hits, ground), ground);
        if ranked.len() < spec.at_least {
            ranked.clear();
        }
        ranked.truncate(KEPT);
        let shown: Vec<(&Hit, &str)> = ranked
            .iter()
            .map(|hit| {
                (
                    &ground.hits[*hit],
                    ground.paths[ground.hits[*hit].file].as_str(),
                )
            })
            .collect();
        self.scope
            .set(id, Value::from_object(FactView::new(&shown)));
        self.facts.insert(id.clone(), Fact { hits: ranked });
        Ok(())
    }

    fn decide_kind(&mut self, rubric: &Rubric, expressions: &Expressions) -> Result<(), String> {
        for rule in &rubric.kinds.kind {
            if expressions.holds(rule.when.as_deref(), &self.scope)? {
                self.judgement.kind = rule.is;
                self.judgement.because = expressions.text(&rule.because, &self.scope)?;
                break;
            }
        }
        self.scope
            .set("kind", Value::from(self.judgement.kind.word()));
        Ok(())
    }

    fn decide_surface(&mut self, rubric: &Rubric, expressions: &Expressions) -> Result<(), String> {
        for entry in &rubric.surface {
            for rung in &entry.rung {
                if expressions.holds(rung.when.as_deref(), &self.scope)? {
                    self.judgement.surface.push((
                        entry.key.get_ref().clone(),
                        rung.value.clone(),
                        rung.cite.clone(),
                    ));
                    break;
                }
            }
        }
        let values: BTreeMap<&str, &str> = self
            .judgement
            .surface
            .iter()
            .map(|(key, value, _)| (key.as_str(), value.as_str()))
            .collect();
        self.scope.set("surface", Value::from_pairs(values));
        Ok(())
    }
}

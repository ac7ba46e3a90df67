//! What the evidence adds up to: the rubric's facts, resolved over all hits.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::value::Value;

use super::core::Core;
use super::view::FactView;
use crate::inventory::Role;
use crate::probe::Hit;
use crate::rubric::{Expressions, FactSpec, FollowSpec, Kind, Pattern, Rubric, Scope, Step};

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
        let mut facts = Self {
            facts: BTreeMap::new(),
            scope,
            judgement,
        };
        for step in &rubric.order {
            match step {
                Step::Fact(index) => {
                    facts.add(&rubric.facts[*index], &by_probe, ground, expressions)?
                }
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
        let mut ranked = rank(&distinct(hits, ground), ground);
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

/// The conditions of a fact on its hits, compiled.
struct Filter<'a> {
    spec: &'a FactSpec,
    ground: &'a Ground<'a>,
    captures: Vec<(&'a str, Pattern)>,
    paths: Vec<Pattern>,
    not_paths: Vec<Pattern>,
    with: Option<BTreeSet<usize>>,
    without: BTreeSet<usize>,
    near: Option<(BTreeMap<usize, Vec<u32>>, u32)>,
    followed_by: Option<Follow>,
    not_followed_by: Option<Follow>,
}

/// Lines by file, of what has to follow and of what ends the construct.
struct Follow {
    fact: BTreeMap<usize, Vec<u32>>,
    until: BTreeMap<usize, Vec<u32>>,
}

impl Follow {
    /// Whether the fact stands at or after the first line of `hit`, before the next construct begins.
    fn holds(&self, hit: &Hit) -> bool {
        let ends = self.until.get(&hit.file).into_iter().flatten();
        let end = ends.filter(|l| **l > hit.first).min().unwrap_or(&u32::MAX);
        let mut follows = self.fact.get(&hit.file).into_iter().flatten();
        follows.any(|l| *l >= hit.first && l < end)
    }
}

impl<'a> Filter<'a> {
    fn new(facts: &Facts, spec: &'a FactSpec, ground: &'a Ground<'a>) -> Result<Self, String> {
        let compile = |pattern: &String| Pattern::new(pattern);
        let files = |others: &[String]| -> BTreeSet<usize> {
            others
                .iter()
                .flat_map(|other| facts.hits(other))
                .map(|hit| ground.hits[*hit].file)
                .collect()
        };
        let lines_of = |fact: &str| {
            let mut lines: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
            for hit in facts.hits(fact) {
                let hit = &ground.hits[*hit];
                lines.entry(hit.file).or_default().push(hit.first);
            }
            lines
        };
        let near = spec.near.as_ref().map(|n| (lines_of(&n.fact), n.lines));
        let follow = |spec: &Option<FollowSpec>| {
            spec.as_ref().map(|f| Follow {
                fact: lines_of(&f.fact),
                until: lines_of(&f.until),
            })
        };
        let mut captures = Vec::new();
        for (name, pattern) in &spec.capture {
            captures.push((name.as_str(), compile(pattern)?));
        }
        Ok(Self {
            spec,
            ground,
            captures,
            paths: spec.paths.iter().map(compile).collect::<Result<_, _>>()?,
            not_paths: spec
                .not_paths
                .iter()
                .map(compile)
                .collect::<Result<_, _>>()?,
            with: (!spec.in_files_with.is_empty()).then(|| files(&spec.in_files_with)),
            without: files(&spec.not_in_files_with),
            near,
            followed_by: follow(&spec.followed_by),
            not_followed_by: follow(&spec.not_followed_by),
        })
    }

    /// Those of `hits` that meet all conditions.
    fn kept(&self, hits: BTreeSet<usize>) -> Result<BTreeSet<usize>, String> {
        let mut kept = BTreeSet::new();
        for hit in hits {
            if self.keeps(hit)? {
                kept.insert(hit);
            }
        }
        Ok(kept)
    }

    fn keeps(&self, index: usize) -> Result<bool, String> {
        let hit = &self.ground.hits[index];
        let role = self.ground.roles[hit.file];
        let path = &self.ground.paths[hit.file];
        let zone = self.spec.zone;
        let in_place = (self.spec.roles.is_empty() || self.spec.roles.contains(&role))
            && self.ground.core.holds(zone, hit.file, role == Role::Source)
            && self.is_among(hit);
        Ok(in_place
            && self.captures_fit(hit)?
            && (self.paths.is_empty() || any_matches(&self.paths, path)?)
            && !any_matches(&self.not_paths, path)?)
    }

    /// Whether the hit stands where other facts have to be, and not where they may not.
    fn is_among(&self, hit: &Hit) -> bool {
        self.with
            .as_ref()
            .is_none_or(|files| files.contains(&hit.file))
            && !self.without.contains(&hit.file)
            && self.followed_by.as_ref().is_none_or(|f| f.holds(hit))
            && !self.not_followed_by.as_ref().is_some_and(|f| f.holds(hit))
            && self.near.as_ref().is_none_or(|(lines, distance)| {
                lines
                    .get(&hit.file)
                    .is_some_and(|at| at.iter().any(|line| line.abs_diff(hit.first) <= *distance))
            })
    }

    fn captures_fit(&self, hit: &Hit) -> Result<bool, String> {
        for (name, pattern) in &self.captures {
            let text = hit.captures.get(*name);
            if !text.map_or(Ok(false), |text| pattern.is_match(text))? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn any_matches(patterns: &[Pattern], text: &str) -> Result<bool, String> {
    for pattern in patterns {
        if pattern.is_match(text)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Drops the hits of other probes on a construct that is there already: same file and name, lines that touch.
fn distinct(hits: BTreeSet<usize>, ground: &Ground<'_>) -> Vec<usize> {
    let mut by_place: Vec<usize> = hits.into_iter().collect();
    by_place.sort_by_key(|index| (ground.hits[*index].file, ground.hits[*index].first, *index));
    let mut kept: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    let mut distinct = Vec::new();
    for index in by_place {
        let hit = &ground.hits[index];
        let Some(name) = hit.captures.get("name") else {
            distinct.push(index);
            continue;
        };
        let before = kept.get(&(hit.file, name.as_str()));
        let same = before
            .map(|b| &ground.hits[*b])
            .is_some_and(|before| before.probe != hit.probe && hit.first <= before.last + 1);
        if !same {
            kept.insert((hit.file, name.as_str()), index);
            distinct.push(index);
        }
    }
    distinct
}

/// Orders hits for citing: tools before loop before core before the rest, then by path and line; the first hit of
/// every file before the second of any.
fn rank(hits: &[usize], ground: &Ground<'_>) -> Vec<usize> {
    let mut within_file: BTreeMap<usize, usize> = BTreeMap::new();
    let mut keyed: Vec<((usize, u8, usize), usize)> = Vec::new();
    for index in hits {
        let index = *index;
        let file = ground.hits[index].file;
        let turn = within_file.entry(file).or_default();
        keyed.push(((*turn, ground.core.distance(file), file), index));
        *turn += 1;
    }
    keyed.sort();
    keyed.into_iter().map(|(_, index)| index).collect()
}

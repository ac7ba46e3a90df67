//! Which hits of its probes a fact keeps.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{Facts, Ground};
use crate::inventory::Role;
use crate::probe::Hit;
use crate::rubric::{FactSpec, FollowSpec, Pattern};

/// The conditions of a fact on its hits, compiled.
pub(super) struct Filter<'a> {
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
    /// Compiles the conditions of `spec`, on the facts that stand before it.
    ///
    /// # Errors
    /// A message when a pattern does not compile.
    pub(super) fn new(
        facts: &Facts,
        spec: &'a FactSpec,
        ground: &'a Ground<'a>,
    ) -> Result<Self, String> {
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
    ///
    /// # Errors
    /// A message when a pattern cannot be matched.
    pub(super) fn kept(&self, hits: BTreeSet<usize>) -> Result<BTreeSet<usize>, String> {
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

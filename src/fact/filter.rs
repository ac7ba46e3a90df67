//! Which hits of its probes a fact keeps.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{Facts, Ground};
use crate::inventory::Role;
use crate::probe::Hit;
use crate::rubric::{FactSpec, FollowSpec, NearSpec, Pattern};

/// The conditions of a fact on its hits, compiled.
pub(super) struct Filter<'a> {
    spec: &'a FactSpec,
    ground: &'a Ground<'a>,
    captures: Captures<'a>,
    paths: Vec<Pattern>,
    not_paths: Vec<Pattern>,
    with: Option<BTreeSet<usize>>,
    without: BTreeSet<usize>,
    near: Option<Near>,
    not_near: Option<Near>,
    followed_by: Option<Follow>,
    not_followed_by: Option<Follow>,
}

/// Patterns of captures.
struct Captures<'a> {
    wanted: Vec<(&'a str, Pattern)>,
    unwanted: Vec<(&'a str, Pattern)>,
}

impl Captures<'_> {
    /// Whether every wanted capture is there and matches, and no unwanted one does.
    fn fit(&self, hit: &Hit) -> Result<bool, String> {
        let matches = |(name, pattern): &(&str, Pattern)| {
            let text = hit.captures.get(*name);
            text.map_or(Ok(false), |text| pattern.is_match(text))
        };
        for wanted in &self.wanted {
            if !matches(wanted)? {
                return Ok(false);
            }
        }
        for unwanted in &self.unwanted {
            if matches(unwanted)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Lines by file, and how far from one of them is near.
struct Near {
    lines: BTreeMap<usize, Vec<u32>>,
    distance: u32,
}

impl Near {
    fn holds(&self, hit: &Hit) -> bool {
        let mut lines = self.lines.get(&hit.file).into_iter().flatten();
        lines.any(|line| line.abs_diff(hit.first) <= self.distance)
    }
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
        let near = |spec: &Option<NearSpec>| {
            spec.as_ref().map(|n| Near {
                lines: lines_of(&n.fact),
                distance: n.lines,
            })
        };
        let follow = |spec: &Option<FollowSpec>| {
            spec.as_ref().map(|f| Follow {
                fact: lines_of(&f.fact),
                until: lines_of(&f.until),
            })
        };
        Ok(Self {
            spec,
            ground,
            captures: Captures {
                wanted: compiled(&spec.capture)?,
                unwanted: compiled(&spec.not_capture)?,
            },
            paths: spec.paths.iter().map(compile).collect::<Result<_, _>>()?,
            not_paths: spec
                .not_paths
                .iter()
                .map(compile)
                .collect::<Result<_, _>>()?,
            with: (!spec.in_files_with.is_empty()).then(|| files(&spec.in_files_with)),
            without: files(&spec.not_in_files_with),
            near: near(&spec.near),
            not_near: near(&spec.not_near),
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
            && self.captures.fit(hit)?
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
            && self.near.as_ref().is_none_or(|near| near.holds(hit))
            && !self.not_near.as_ref().is_some_and(|near| near.holds(hit))
    }
}

/// The patterns by the capture they are for.
fn compiled(patterns: &BTreeMap<String, String>) -> Result<Vec<(&str, Pattern)>, String> {
    patterns
        .iter()
        .map(|(name, pattern)| Ok((name.as_str(), Pattern::new(pattern)?)))
        .collect()
}

fn any_matches(patterns: &[Pattern], text: &str) -> Result<bool, String> {
    for pattern in patterns {
        if pattern.is_match(text)? {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(first: u32, captures: &[(&str, &str)]) -> Hit {
        let captures = captures
            .iter()
            .map(|(n, t)| ((*n).to_owned(), (*t).to_owned()));
        Hit {
            probe: 0,
            file: 3,
            first,
            last: first,
            quote: String::new(),
            captures: captures.collect(),
        }
    }

    #[test]
    fn captures_are_wanted_or_not() -> Result<(), String> {
        let captures = Captures {
            wanted: vec![("value", Pattern::new("^1$")?)],
            unwanted: vec![("name", Pattern::new("^SKIP_")?)],
        };
        assert!(captures.fit(&hit(1, &[("name", "A_KEY"), ("value", "1")]))?);
        assert!(captures.fit(&hit(1, &[("value", "1")]))?);
        assert!(!captures.fit(&hit(1, &[("name", "A_KEY")]))?);
        assert!(!captures.fit(&hit(1, &[("name", "SKIP_A_KEY"), ("value", "1")]))?);
        Ok(())
    }

    #[test]
    fn near_is_within_the_distance_in_the_same_file() {
        let near = |file| Near {
            lines: BTreeMap::from([(file, vec![10, 40])]),
            distance: 5,
        };
        assert!(near(3).holds(&hit(15, &[])) && near(3).holds(&hit(36, &[])));
        assert!(!near(3).holds(&hit(16, &[])) && !near(2).holds(&hit(10, &[])));
    }
}

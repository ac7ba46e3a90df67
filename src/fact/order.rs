//! Which hits of a fact are shown first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::facts::Ground;

/// How telling each file is.
pub(super) struct Order {
    /// Number of different probes that hit each file: where much of the evidence comes together, a reader sees the
    /// construct among what it works with.
    variety: Vec<usize>,
}

impl Order {
    /// Looks at all hits of `ground`.
    pub(super) fn of(ground: &Ground<'_>) -> Self {
        let mut probes: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); ground.paths.len()];
        for hit in ground.hits {
            probes[hit.file].insert(hit.probe);
        }
        Self {
            variety: probes.iter().map(BTreeSet::len).collect(),
        }
    }

    /// Orders `hits`, which stand by file and line: tools before loop before core before the rest, then the files that
    /// more probes hit, then by path and line; the first hit of every file before the second of any.
    pub(super) fn rank(&self, hits: &[usize], ground: &Ground<'_>) -> Vec<usize> {
        let mut within_file: BTreeMap<usize, usize> = BTreeMap::new();
        let mut keyed = Vec::new();
        for &index in hits {
            let file = ground.hits[index].file;
            let turn = within_file.entry(file).or_default();
            let distance = ground.core.distance(file);
            keyed.push(((*turn, distance, Reverse(self.variety[file]), file), index));
            *turn += 1;
        }
        keyed.sort();
        keyed.into_iter().map(|(_, index)| index).collect()
    }
}

/// Drops the hits of other probes on a construct that is there already: same file and name, lines that touch.
pub(super) fn distinct(hits: BTreeSet<usize>, ground: &Ground<'_>) -> Vec<usize> {
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

//! Evidence before the searches are run.

use std::collections::BTreeSet;

use super::Basis;
use crate::scorecard::Evidence;

/// Most citations of one parameter (issue of the card: one to four).
const CITATIONS: usize = 4;
/// Longest span of lines that is cited whole.
const SPAN: u32 = 25;

/// One item of evidence, not yet resolved.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Draft {
    /// A hit, by its index.
    Hit(usize),
    /// A search, by its id.
    Search(String),
}

/// The hits of the facts `cite`, a few of each, most telling first, then the searches.
pub(super) fn evidence(basis: &Basis<'_>, cite: &[String], search: &[String]) -> Vec<Draft> {
    let lists: Vec<&[usize]> = cite.iter().map(|fact| basis.facts.hits(fact)).collect();
    let mut drafts: Vec<Draft> = Vec::new();
    let mut places = BTreeSet::new();
    let room = CITATIONS
        .saturating_sub(usize::from(!search.is_empty()))
        .max(1);
    for turn in 0..CITATIONS {
        for hits in &lists {
            let Some(index) = hits.get(turn) else {
                continue;
            };
            let hit = &basis.ground.hits[*index];
            if drafts.len() < room && places.insert((hit.file, hit.first)) {
                drafts.push(Draft::Hit(*index));
            }
        }
        if turn > 0 && lists.len() > 1 {
            break;
        }
    }
    drafts.extend(search.iter().cloned().map(Draft::Search));
    drafts
}

/// The citation of a hit.
pub(super) fn citation(basis: &Basis<'_>, index: usize) -> Evidence {
    let hit = &basis.ground.hits[index];
    let last = if hit.last - hit.first > SPAN {
        hit.first
    } else {
        hit.last
    };
    let lines = if last == hit.first {
        hit.first.to_string()
    } else {
        format!("{}-{last}", hit.first)
    };
    Evidence::Citation {
        file: basis.ground.paths[hit.file].clone(),
        lines,
        contains: (!hit.quote.is_empty()).then(|| hit.quote.clone()),
        note: None,
    }
}

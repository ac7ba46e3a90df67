//! Evidence before the searches are run.

use std::collections::BTreeSet;

use super::Basis;
use crate::scorecard::Evidence;

/// Most citations of one parameter (issue of the card: one to four).
const CITATIONS: usize = 4;
/// Most hits of one fact, where a parameter cites several facts.
const TURNS: usize = 2;
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

/// The hits of the facts `cite`, a few of each, most telling first, then the searches. `cited` are the files that the
/// criterion cites already: behind the most telling hit, those in other files come first, so that a card shows more
/// of the code than one place four times. The files of the result are added to it.
pub(super) fn evidence(
    basis: &Basis<'_>,
    cite: &[String],
    search: &[String],
    cited: &mut BTreeSet<usize>,
) -> Vec<Draft> {
    let file = |index: &usize| basis.ground.hits[*index].file;
    let mut hits = candidates(basis, cite);
    let rest = hits.split_off(hits.len().min(1));
    let (fresh, known): (Vec<_>, Vec<_>) =
        rest.into_iter().partition(|h| !cited.contains(&file(h)));
    hits.extend(fresh.into_iter().chain(known));
    let room = CITATIONS
        .saturating_sub(usize::from(!search.is_empty()))
        .max(1);
    hits.truncate(room);
    cited.extend(hits.iter().map(file));
    let searches = search.iter().cloned().map(Draft::Search);
    hits.into_iter().map(Draft::Hit).chain(searches).collect()
}

/// The first hits of each fact, one of every fact before the second of any; no place twice.
fn candidates(basis: &Basis<'_>, cite: &[String]) -> Vec<usize> {
    let lists: Vec<&[usize]> = cite.iter().map(|fact| basis.facts.hits(fact)).collect();
    let turns = if lists.len() > 1 { TURNS } else { CITATIONS };
    let mut places = BTreeSet::new();
    let mut hits = Vec::new();
    for turn in 0..turns {
        for index in lists.iter().filter_map(|list| list.get(turn)) {
            let hit = &basis.ground.hits[*index];
            if places.insert((hit.file, hit.first)) {
                hits.push(*index);
            }
        }
    }
    hits
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

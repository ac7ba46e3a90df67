//! Tells from one pass over a text which probes can hit in it, and near which places.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::grams::Literals;
use super::locality::{Reach, windows};

/// With more places of one set of literals than this they are not told apart.
const MOST_PLACES: u32 = 400;
/// Kinds of files for which literals are made ready; a repository has a few dozen. It bounds memory.
const MOST_SELECTIONS: usize = 256;

/// What has to be in a text for one probe to hit.
#[derive(Default)]
pub(super) struct Needs {
    /// Sets of lower-case literals; of every set at least one has to be there. No sets: the probe always runs.
    pub(super) sets: Vec<Vec<String>>,
    /// Which of the sets tell where.
    pub(super) local: Option<Local>,
}

/// Where matches can be.
#[derive(Debug)]
pub(super) struct Local {
    /// The sets of each of which every match contains a literal.
    pub(super) sets: Range<usize>,
    /// How far a match reaches from that.
    pub(super) reach: Reach,
}

/// A probe that can hit in a text.
pub(super) struct Candidate {
    /// Index of the probe.
    pub(super) probe: usize,
    /// The parts of the text that its pattern has to be run on.
    pub(super) parts: Vec<Range<usize>>,
}

/// The literals of all probes, looked for together.
pub(super) struct Prefilter {
    needs: Vec<Needs>,
    /// What is looked for, by the probes that apply.
    selections: Mutex<BTreeMap<Vec<bool>, Arc<Selection>>>,
}

impl Prefilter {
    /// A prefilter for probes with these `needs`.
    pub(super) fn new(needs: Vec<Needs>) -> Self {
        Self {
            needs,
            selections: Mutex::default(),
        }
    }

    /// Of the probes that apply, those that can hit in `text`.
    pub(super) fn candidates(&self, applies: &[bool], text: &[u8]) -> Vec<Candidate> {
        let selection = self.selection(applies);
        let seen = selection.look(text);
        let candidate = |chosen: &Chosen| {
            let needs = &self.needs[chosen.probe];
            let found = seen.counts[chosen.sets.clone()].iter();
            let can_hit = found.clone().all(|count| *count > 0);
            can_hit.then(|| Candidate {
                probe: chosen.probe,
                parts: seen.parts(text, chosen, needs.local.as_ref()),
            })
        };
        let candidates = selection.chosen.iter().filter_map(candidate);
        candidates
            .filter(|candidate| !candidate.parts.is_empty())
            .collect()
    }

    fn selection(&self, applies: &[bool]) -> Arc<Selection> {
        let mut selections = self
            .selections
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(selection) = selections.get(applies) {
            return Arc::clone(selection);
        }
        let selection = Arc::new(Selection::new(&self.needs, applies));
        if selections.len() < MOST_SELECTIONS {
            selections.insert(applies.to_vec(), Arc::clone(&selection));
        }
        selection
    }
}

/// The literals of the probes that apply to files of one kind.
struct Selection {
    literals: Literals,
    /// For each literal, the sets that it is in.
    uses: Vec<Uses>,
    /// The probes that apply.
    chosen: Vec<Chosen>,
    /// Number of sets of all of them.
    sets: usize,
}

/// The sets that a literal is in.
#[derive(Default)]
struct Uses {
    /// Those of which it matters only that one is there.
    somewhere: Vec<usize>,
    /// Those that tell where matches are.
    places: Vec<usize>,
}

/// A probe that applies.
struct Chosen {
    probe: usize,
    /// Numbers of its sets in the selection.
    sets: Range<usize>,
}

impl Selection {
    fn new(needs: &[Needs], applies: &[bool]) -> Self {
        let mut by_literal: BTreeMap<&str, Uses> = BTreeMap::new();
        let mut chosen = Vec::new();
        let mut next = 0;
        let applying = needs.iter().enumerate().zip(applies);
        for ((probe, needs), _) in applying.filter(|(_, applies)| **applies) {
            let first = next;
            for (number, set) in needs.sets.iter().enumerate() {
                let is_place = |local: &Local| local.sets.contains(&number);
                let is_place = needs.local.as_ref().is_some_and(is_place);
                for literal in set {
                    let uses = by_literal.entry(literal).or_default();
                    match is_place {
                        true => uses.places.push(next),
                        false => uses.somewhere.push(next),
                    }
                }
                next += 1;
            }
            let sets = first..next;
            chosen.push(Chosen { probe, sets });
        }
        let (literals, uses): (Vec<_>, Vec<_>) = by_literal.into_iter().unzip();
        Self {
            literals: Literals::new(literals.into_iter().map(str::to_owned).collect()),
            uses,
            chosen,
            sets: next,
        }
    }

    /// Counts the literals of every set in `text`, and notes where those are that tell of places.
    fn look(&self, text: &[u8]) -> Seen {
        let mut counts = vec![0; self.sets];
        let mut places = Vec::new();
        let mut met = vec![false; self.uses.len()];
        self.literals.find(text, |literal, start| {
            let Uses {
                somewhere,
                places: local,
            } = &self.uses[literal];
            if !std::mem::replace(&mut met[literal], true) {
                somewhere.iter().for_each(|set| counts[*set] = 1);
            }
            for set in local {
                if counts[*set] <= MOST_PLACES {
                    counts[*set] += 1;
                    places.push((*set, start));
                }
            }
        });
        let mut needed = vec![false; self.sets];
        for Chosen { sets, .. } in &self.chosen {
            let all_met = counts[sets.clone()].iter().all(|count| *count > 0);
            needed[sets.clone()].fill(all_met);
        }
        places.retain(|(set, _)| needed[*set]);
        places.sort_unstable();
        Seen { counts, places }
    }
}

/// What was seen of the sets of a selection in one text.
struct Seen {
    /// How many literals of each set there are; for a set that does not tell of places, whether there are any.
    counts: Vec<u32>,
    /// Set and place, ordered; only of probes that can hit.
    places: Vec<(usize, usize)>,
}

impl Seen {
    /// The parts of `text` in which a probe can hit: those around the literals of its rarest set that hold literals of
    /// the others, too.
    fn parts(&self, text: &[u8], chosen: &Chosen, local: Option<&Local>) -> Vec<Range<usize>> {
        let first = chosen.sets.start;
        let sets = local.map_or(0..0, |local| {
            first + local.sets.start..first + local.sets.end
        });
        let told = sets.filter(|set| chosen.sets.contains(set) && self.counts[*set] <= MOST_PLACES);
        let told: Vec<usize> = told.collect();
        let rarest = told.iter().min_by_key(|set| self.counts[**set]);
        let (Some(rarest), Some(local)) = (rarest, local) else {
            return Vec::from([Range {
                start: 0,
                end: text.len(),
            }]);
        };
        let mut parts = windows(text, &self.places_of(*rarest), local.reach);
        for other in told.iter().filter(|set| *set != rarest) {
            let places = self.places_of(*other);
            parts.retain(|part| {
                let next = places.partition_point(|place| *place < part.start);
                places.get(next).is_some_and(|place| *place < part.end)
            });
        }
        parts
    }

    /// The places of the literals of `set`, ascending.
    fn places_of(&self, set: usize) -> Vec<usize> {
        let first = self.places.partition_point(|(other, _)| *other < set);
        let places = self.places[first..].iter();
        let places = places.take_while(|(other, _)| *other == set);
        places.map(|(_, place)| *place).collect()
    }
}

//! Tells from one pass over a text which probes can hit in it, and near which places.

use std::collections::BTreeMap;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, BuildError, MatchKind};

use super::locality::windows;

/// A text with more places for one probe than this is searched as a whole.
const MOST_PLACES: usize = 400;

/// What has to be in a text for one probe to hit.
#[derive(Default)]
pub(super) struct Needs {
    /// Sets of lower-case literals; of every set at least one has to be there. No sets: the probe always runs.
    pub(super) sets: Vec<Vec<String>>,
    /// The set of which every match contains a literal, and how many lines a match reaches over beside that one's.
    pub(super) local: Option<(usize, u32)>,
}

/// A probe that can hit in a text.
pub(super) struct Candidate {
    /// Index of the probe.
    pub(super) probe: usize,
    /// The parts of the text that its pattern has to be run on.
    pub(super) parts: Vec<Range<usize>>,
}

/// The literals of all probes in one automaton.
pub(super) struct Prefilter {
    automaton: AhoCorasick,
    /// For each literal, the sets that it is in.
    uses: Vec<Vec<Use>>,
    /// For each probe, the bits of all its sets, and how far its matches reach.
    probes: Vec<(u32, Option<u32>)>,
}

/// A literal's part in a probe.
struct Use {
    probe: usize,
    /// The set's bit.
    set: u32,
    /// Matches are to be looked for where it occurs.
    local: bool,
}

impl Prefilter {
    /// Builds the automaton for probes with these `needs`, at most 32 sets each.
    pub(super) fn new(needs: Vec<Needs>) -> Result<Self, BuildError> {
        let mut by_literal: BTreeMap<String, Vec<Use>> = BTreeMap::new();
        let mut probes = Vec::new();
        for (probe, Needs { sets, local }) in needs.into_iter().enumerate() {
            let mut all = 0;
            for (number, set) in sets.into_iter().enumerate() {
                let bit = 1 << number;
                all |= bit;
                for literal in set {
                    by_literal.entry(literal).or_default().push(Use {
                        probe,
                        set: bit,
                        local: local.is_some_and(|(local, _)| local == number),
                    });
                }
            }
            probes.push((all, local.map(|(_, reach)| reach)));
        }
        let (literals, uses): (Vec<_>, Vec<_>) = by_literal.into_iter().unzip();
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(&literals)?;
        Ok(Self {
            automaton,
            uses,
            probes,
        })
    }

    /// Of the probes that apply, those that can hit in `text`.
    pub(super) fn candidates(&self, applies: &[bool], text: &[u8]) -> Vec<Candidate> {
        let mut met = vec![0; self.probes.len()];
        let mut counts = vec![0; self.probes.len()];
        let mut places: Vec<(usize, usize)> = Vec::new();
        for found in self.automaton.find_overlapping_iter(text) {
            for each in &self.uses[found.pattern().as_usize()] {
                if !applies[each.probe] {
                    continue;
                }
                met[each.probe] |= each.set;
                if each.local && counts[each.probe] <= MOST_PLACES {
                    counts[each.probe] += 1;
                    places.push((each.probe, found.start()));
                }
            }
        }
        places.sort_unstable();
        let can_hit = |probe: &usize| applies[*probe] && met[*probe] == self.probes[*probe].0;
        let candidate = |probe: usize| {
            let parts = match self.probes[probe].1 {
                Some(reach) if counts[probe] <= MOST_PLACES => {
                    windows(text, &places_of(&places, probe), reach)
                }
                _ => vec![Range {
                    start: 0,
                    end: text.len(),
                }],
            };
            Candidate { probe, parts }
        };
        (0..self.probes.len())
            .filter(can_hit)
            .map(candidate)
            .collect()
    }
}

/// The places of `probe`, ascending, among those of all probes.
fn places_of(places: &[(usize, usize)], probe: usize) -> Vec<usize> {
    let first = places.partition_point(|(other, _)| *other < probe);
    places[first..]
        .iter()
        .take_while(|(other, _)| *other == probe)
        .map(|(_, place)| *place)
        .collect()
}

//! All overrides that hold, on a copy of the card.

use std::collections::BTreeSet;

use super::apply::Desk;
use super::overlay::{Change, Overlay, Override};
use super::place::SentencePlace;
use super::standing::Standing;
use super::{Outcome, Reviewed, log, settle};
use crate::compare::Renames;
use crate::scorecard::{CriterionId, Evidence, LevelChange, Method, Rating, Scorecard};

/// A card with the overrides that hold; whether it keeps the rules is yet to be seen.
pub(super) struct Attempt {
    pub(super) card: Scorecard,
    /// For each override, why it was not applied.
    pub(super) refusals: Vec<Option<String>>,
    log: Vec<LevelChange>,
}

impl Attempt {
    /// Applies the overrides whose standing holds, then what follows from them, then the acceptances, which are of what
    /// the card says in the end.
    pub(super) fn make(
        card: &Scorecard,
        method: &Method,
        overlay: &Overlay,
        standings: &[Standing],
    ) -> Self {
        let renames = Renames::of_cards(card, card);
        let mut reviewed = card.clone();
        let mut refusals: Vec<Option<String>> = standings.iter().map(|s| s.clone().err()).collect();
        let mut desk = Desk {
            card: &mut reviewed,
            log: Vec::new(),
            renames: &renames,
        };
        let held: Vec<(usize, &Override, &Vec<Evidence>)> = overlay
            .overrides
            .iter()
            .zip(standings)
            .enumerate()
            .filter_map(|(number, (over, standing))| Some((number, over, standing.as_ref().ok()?)))
            .collect();
        let appearing = appear(card, &held, &mut desk, &mut refusals);
        let mut run = |held: &[(usize, &Override, &Vec<Evidence>)], desk: &mut Desk<'_>| {
            for (number, over, evidence) in held {
                let is_done = is_level(over)
                    && over
                        .change
                        .criterion()
                        .is_some_and(|id| appearing.contains(&id));
                if !is_done {
                    refusals[*number] = desk.apply(over, evidence).err();
                }
            }
        };
        let is_acceptance =
            |(_, over, _): &(usize, &Override, _)| matches!(over.change, Change::Acceptance { .. });
        let (acceptances, sets): (Vec<_>, Vec<_>) = held.iter().copied().partition(is_acceptance);
        run(&sets, &mut desk);
        settle::settle(card, desk.card, method, &applied_caps(&sets));
        run(&acceptances, &mut desk);
        let mut log = desk.log;
        log.sort_by_key(|entry| (entry.criterion, entry.parameter));
        Self {
            card: reviewed,
            refusals,
            log,
        }
    }

    /// The card with its Re-audit log and Limitations, and what became of each override.
    pub(super) fn finish(
        self,
        overlay: &Overlay,
        standings: &[Standing],
        is_checked: bool,
    ) -> Reviewed {
        let mut card = self.card;
        card.reaudit_log.extend(self.log);
        let applied = self.refusals.iter().filter(|why| why.is_none()).count();
        if applied > 0 {
            card.limitations.push(log::reviewed(applied));
        }
        let mut unchecked = 0;
        let mut outcomes = Vec::new();
        let judged = overlay.overrides.iter().zip(standings).zip(self.refusals);
        for ((over, standing), refused) in judged {
            match (&refused, standing) {
                (Some(why), _) => card.limitations.push(log::refusal(over, why)),
                (None, Ok(evidence)) => {
                    unchecked += usize::from(!is_checked && !evidence.is_empty());
                    if is_headline(over) {
                        let told = log::headline(over, evidence, &card.pinned_commit);
                        card.limitations.push(told);
                    }
                }
                (None, Err(_)) => {}
            }
            outcomes.push(Outcome {
                line: over.line,
                what: over.change.to_string(),
                refused,
            });
        }
        if unchecked > 0 {
            card.limitations.push(log::unchecked(unchecked));
        }
        Reviewed {
            card,
            outcomes,
            unchecked,
        }
    }
}

/// Rates the criteria that the card calls absent and a reviewer does not; gives those that were looked at.
fn appear(
    card: &Scorecard,
    held: &[(usize, &Override, &Vec<Evidence>)],
    desk: &mut Desk<'_>,
    refusals: &mut [Option<String>],
) -> BTreeSet<CriterionId> {
    let absent = card
        .criteria
        .iter()
        .filter(|c| matches!(c.rating, Rating::Absent { .. }));
    let mut appearing = BTreeSet::new();
    for id in absent.map(|criterion| criterion.id) {
        let of_it = held
            .iter()
            .filter(|(_, over, _)| is_level(over) && over.change.criterion() == Some(id));
        let of_it: Vec<_> = of_it.copied().collect();
        let levels: Vec<_> = of_it
            .iter()
            .map(|(_, over, evidence)| (*over, *evidence))
            .collect();
        if levels.is_empty() {
            continue;
        }
        appearing.insert(id);
        let outcome = desk.appear(id, &levels);
        for (number, ..) in &of_it {
            refusals[*number] = outcome.clone().err();
        }
    }
    appearing
}

fn is_level(over: &Override) -> bool {
    matches!(over.change, Change::Level { .. })
}

fn is_headline(over: &Override) -> bool {
    matches!(
        over.change,
        Change::Sentence {
            at: SentencePlace::Headline,
            ..
        }
    )
}

/// The caps that overrides add, with what shows them.
fn applied_caps<'o>(
    sets: &[(usize, &'o Override, &'o Vec<Evidence>)],
) -> Vec<settle::ShownCap<'o>> {
    let caps = sets
        .iter()
        .filter_map(|(_, over, evidence)| match &over.change {
            Change::Cap {
                at,
                id,
                applies: true,
            } => Some(settle::ShownCap {
                criterion: at.criterion,
                id,
                evidence,
            }),
            _ => None,
        });
    caps.collect()
}

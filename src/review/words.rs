//! What one override does to a card, if it fits: sentences and accepted findings.

use super::access::{criterion, parameter};
use super::apply::Desk;
use super::log;
use super::overlay::Override;
use super::place::{FindingPlace, SentencePlace};
use crate::compare::Renames;
use crate::scorecard::{CriterionId, Evidence, MechanismKind};

impl Desk<'_> {
    /// Sets a sentence that says what the reviewer saw.
    pub(super) fn sentence(
        &mut self,
        at: SentencePlace,
        says: &str,
        text: &str,
        over: &Override,
        evidence: &[Evidence],
    ) -> Result<(), String> {
        let renames = self.renames;
        let set = |sentence: &mut String| replace(sentence, says, text, renames);
        match at {
            SentencePlace::Headline => set(&mut self.card.headline)?,
            SentencePlace::Summary(id) => {
                set(&mut criterion(self.card, id)?.summary)?;
                self.enter_unchanged(id, "The summary is a reviewer's: ", over, evidence)?;
            }
            SentencePlace::Finding(place) => {
                let parameter = parameter(self.card, place)?;
                set(&mut parameter.finding)?;
                let new = evidence
                    .iter()
                    .filter(|item| !parameter.evidence.contains(item));
                let new: Vec<Evidence> = new.cloned().collect();
                parameter.evidence.extend(new);
                let level = parameter.level;
                self.enter(
                    place,
                    (level, level),
                    "The level stays, the finding is a reviewer's: ",
                    over,
                    &[],
                );
            }
            SentencePlace::Gap(place) => {
                let parameter = parameter(self.card, place)?;
                let level = parameter.level;
                set(parameter.gap.as_mut().ok_or("the card has no gap there")?)?;
                self.enter(
                    place,
                    (level, level),
                    "The level stays, the gap is a reviewer's: ",
                    over,
                    evidence,
                );
            }
        }
        Ok(())
    }

    /// Marks a finding as an accepted risk, if it is the one that was accepted.
    pub(super) fn acceptance(
        &mut self,
        at: FindingPlace,
        says: &str,
        over: &Override,
        evidence: &[Evidence],
    ) -> Result<(), String> {
        let other = "the card no longer says what was accepted there";
        match at {
            FindingPlace::CriticalGap(id) => {
                let mut gaps = self
                    .card
                    .critical_findings
                    .iter()
                    .filter(|gap| gap.criterion == id);
                if !gaps.any(|gap| self.renames.says_the_same(says, &gap.summary)) {
                    return Err(other.to_owned());
                }
                self.accept(id, "the critical gap", over)?;
                self.enter_unchanged(
                    id,
                    "The level stays, the critical gap is an accepted risk: ",
                    over,
                    evidence,
                )
            }
            FindingPlace::Parameter(place) => {
                let parameter = parameter(self.card, place)?;
                if !self.renames.says_the_same(says, &parameter.finding) {
                    return Err(other.to_owned());
                }
                let level = parameter.level;
                let word = match place.mechanism.kind {
                    MechanismKind::Default => place.parameter.to_string(),
                    MechanismKind::Alt => format!("{} of the opt-in mechanism", place.parameter),
                };
                self.accept(place.criterion(), &word, over)?;
                self.enter(
                    place,
                    (level, level),
                    "The level stays, the finding is an accepted risk: ",
                    over,
                    evidence,
                );
                Ok(())
            }
        }
    }

    /// Writes an acceptance into the criterion's notes, behind what stands there.
    fn accept(&mut self, id: CriterionId, what: &str, over: &Override) -> Result<(), String> {
        let notes = &mut criterion(self.card, id)?.notes;
        let accepted = log::acceptance(over, what);
        *notes = Some(match notes.take() {
            Some(there) => format!("{there} {accepted}"),
            None => accepted,
        });
        Ok(())
    }
}

/// Sets `sentence` to `text`, if it says what the reviewer saw.
fn replace(sentence: &mut String, says: &str, text: &str, renames: &Renames) -> Result<(), String> {
    if sentence == text {
        return Err("the card says so already".to_owned());
    }
    if !renames.says_the_same(says, sentence) {
        return Err("the card no longer says what the reviewer saw there".to_owned());
    }
    text.clone_into(sentence);
    Ok(())
}

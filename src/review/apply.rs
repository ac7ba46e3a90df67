//! What one override does to a card, if it fits.

use super::log;
use super::overlay::{Change, Override};
use super::place::{FindingPlace, MechanismPlace, ParameterPlace, SentencePlace};
use crate::compare::Renames;
use crate::scorecard::{
    Cap, Criterion, CriterionId, Evidence, Level, LevelChange, MechanismKind, Mechanisms,
    Parameter, ParameterId, Parameters, Rating, Scorecard,
};

/// A card that is being reviewed.
pub(super) struct Desk<'c> {
    /// The card as it becomes.
    pub(super) card: &'c mut Scorecard,
    /// What was written into the Re-audit log.
    pub(super) log: Vec<LevelChange>,
    /// Tells which sentences say the same.
    pub(super) renames: &'c Renames,
}

impl Desk<'_> {
    /// Does what `over` asks for, with `evidence` as it stands at the card's commit.
    ///
    /// # Errors
    /// Why it does not fit the card; the card is then as it was.
    pub(super) fn apply(&mut self, over: &Override, evidence: &[Evidence]) -> Result<(), String> {
        match &over.change {
            Change::Level { at, from, .. } => self.level(*at, *from, over, evidence),
            Change::Cap { at, id, applies } => self.cap(*at, id, *applies, over, evidence),
            Change::Absence { at, summary } => self.absence(*at, summary, over, evidence),
            Change::Sentence { at, says, text } => self.sentence(*at, says, text, over, evidence),
            Change::Acceptance { at, says } => self.acceptance(*at, says, over, evidence),
        }
    }

    /// Rates a criterion whose surface the card calls absent: `overrides` are one for each parameter.
    pub(super) fn appear(
        &mut self,
        id: CriterionId,
        overrides: &[(&Override, &Vec<Evidence>)],
    ) -> Result<(), String> {
        let of = |wanted: ParameterId| {
            overrides
                .iter()
                .find_map(|(over, evidence)| match &over.change {
                    Change::Level {
                        at,
                        from: Level::Absent,
                        ..
                    } if at.parameter == wanted && at.mechanism.kind == MechanismKind::Default => {
                        rated(&over.change, evidence)
                    }
                    _ => None,
                })
        };
        let (Some(s), Some(c), Some(d), Some(b)) = (
            of(ParameterId::S),
            of(ParameterId::C),
            of(ParameterId::D),
            of(ParameterId::B),
        ) else {
            return Err("the card says that the surface is absent; to rate it, set all of S, C, D and B, `from: SA`".to_owned());
        };
        let criterion = criterion(self.card, id)?;
        criterion.rating = Rating::Scored(Box::new(Mechanisms {
            default: crate::scorecard::Mechanism {
                parameters: Parameters { s, c, d, b },
                caps: Vec::new(),
            },
            alt: None,
        }));
        for (over, evidence) in overrides {
            if let Change::Level { at, to, .. } = over.change {
                self.enter(at, (Level::Absent, to), "", over, evidence);
            }
        }
        Ok(())
    }

    fn level(
        &mut self,
        at: ParameterPlace,
        from: Level,
        over: &Override,
        evidence: &[Evidence],
    ) -> Result<(), String> {
        let parameter = parameter(self.card, at)?;
        let Some(rated) = rated(&over.change, evidence) else {
            return Ok(());
        };
        if parameter.level != from {
            return Err(format!(
                "it was made for {from}, and the card says {}",
                parameter.level
            ));
        }
        let to = rated.level;
        *parameter = rated;
        self.enter(at, (from, to), "", over, &[]);
        Ok(())
    }

    fn cap(
        &mut self,
        at: MechanismPlace,
        id: &str,
        applies: bool,
        over: &Override,
        evidence: &[Evidence],
    ) -> Result<(), String> {
        let caps = caps(self.card, at)?;
        let there = caps.iter().position(|cap| cap.id == id);
        match (there, applies) {
            (Some(_), true) => return Err(format!("the card has the cap {id} already")),
            (None, false) => {
                return Err(format!(
                    "the card has no cap {id} that a reviewer could lift"
                ));
            }
            (None, true) => caps.push(Cap {
                id: id.to_owned(),
                reason: over.reason.clone(),
            }),
            (Some(index), false) => {
                caps.remove(index);
            }
        }
        let what = match applies {
            true => format!("The level stays, cap {id} applies: "),
            false => format!("The level stays, cap {id} no longer applies: "),
        };
        let place = ParameterPlace {
            mechanism: at,
            parameter: ParameterId::S,
        };
        let level = parameter(self.card, place)?.level;
        self.enter(place, (level, level), &what, over, evidence);
        Ok(())
    }

    fn absence(
        &mut self,
        id: CriterionId,
        summary: &str,
        over: &Override,
        evidence: &[Evidence],
    ) -> Result<(), String> {
        let criterion = criterion(self.card, id)?;
        let Rating::Scored(rated) = &criterion.rating else {
            return Err("the card says so already".to_owned());
        };
        let levels = rated.default.parameters.map(|_, parameter| parameter.level);
        criterion.rating = Rating::Absent {
            evidence: evidence.to_vec(),
        };
        criterion.summary = summary.to_owned();
        for (parameter, level) in levels.iter() {
            let place = default_place(id, parameter);
            self.enter(
                place,
                (*level, Level::Absent),
                "The risk surface is absent: ",
                over,
                &[],
            );
        }
        Ok(())
    }

    fn sentence(
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

    fn acceptance(
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

    /// An entry of a criterion as a whole: under S, whose level stays.
    fn enter_unchanged(
        &mut self,
        id: CriterionId,
        what: &str,
        over: &Override,
        evidence: &[Evidence],
    ) -> Result<(), String> {
        let level = match &criterion(self.card, id)?.rating {
            Rating::Absent { .. } => Level::Absent,
            Rating::Scored(rated) => rated.default.parameters.s.level,
        };
        self.enter(
            default_place(id, ParameterId::S),
            (level, level),
            what,
            over,
            evidence,
        );
        Ok(())
    }

    fn enter(
        &mut self,
        at: ParameterPlace,
        (from_level, to_level): (Level, Level),
        what: &str,
        over: &Override,
        evidence: &[Evidence],
    ) {
        let mechanism = match at.mechanism.kind {
            MechanismKind::Default => "",
            MechanismKind::Alt => "Opt-in mechanism. ",
        };
        let what = format!("{mechanism}{what}");
        self.log.push(LevelChange {
            criterion: at.criterion(),
            parameter: at.parameter,
            from_level,
            to_level,
            reason: log::reason(&what, over, evidence, &self.card.pinned_commit),
        });
    }
}

fn default_place(criterion: CriterionId, parameter: ParameterId) -> ParameterPlace {
    let kind = MechanismKind::Default;
    ParameterPlace {
        mechanism: MechanismPlace { criterion, kind },
        parameter,
    }
}

/// The parameter that a level override describes.
fn rated(change: &Change, evidence: &[Evidence]) -> Option<Parameter> {
    match change {
        Change::Level {
            to,
            status,
            finding,
            gap,
            ..
        } => Some(Parameter {
            level: *to,
            status: *status,
            finding: finding.clone(),
            evidence: evidence.to_vec(),
            gap: gap.clone(),
        }),
        _ => None,
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

fn criterion(card: &mut Scorecard, id: CriterionId) -> Result<&mut Criterion, String> {
    let found = card
        .criteria
        .iter_mut()
        .find(|criterion| criterion.id == id);
    found.ok_or_else(|| format!("the card has no {id}"))
}

fn mechanisms(card: &mut Scorecard, id: CriterionId) -> Result<&mut Mechanisms, String> {
    match &mut criterion(card, id)?.rating {
        Rating::Scored(rated) => Ok(rated),
        Rating::Absent { .. } => Err("the card says that the surface is absent".to_owned()),
    }
}

fn parameter(card: &mut Scorecard, at: ParameterPlace) -> Result<&mut Parameter, String> {
    let rated = mechanisms(card, at.criterion())?;
    let parameters = match at.mechanism.kind {
        MechanismKind::Default => &mut rated.default.parameters,
        MechanismKind::Alt => &mut rated.alt.as_mut().ok_or(NO_ALT)?.parameters,
    };
    Ok(parameters.get_mut(at.parameter))
}

fn caps(card: &mut Scorecard, at: MechanismPlace) -> Result<&mut Vec<Cap>, String> {
    let rated = mechanisms(card, at.criterion)?;
    Ok(match at.kind {
        MechanismKind::Default => &mut rated.default.caps,
        MechanismKind::Alt => &mut rated.alt.as_mut().ok_or(NO_ALT)?.caps,
    })
}

const NO_ALT: &str = "the card has no opt-in mechanism there";

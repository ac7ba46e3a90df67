//! What one override does to a card, if it fits: levels, caps, absences. Words are next door.

use super::access::{caps, criterion, parameter};
use super::log;
use super::overlay::{Change, Override};
use super::place::{MechanismPlace, ParameterPlace};
use crate::compare::Renames;
use crate::scorecard::{
    Cap, CriterionId, Evidence, Level, LevelChange, Mechanism, MechanismKind, Mechanisms,
    Parameter, ParameterId, Parameters, Rating, Scorecard,
};

/// Why a criterion that the card calls absent is not rated.
const NOT_WHOLE: &str =
    "the card says that the surface is absent; to rate it, set all of S, C, D and B, `from: SA`";

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
            return Err(NOT_WHOLE.to_owned());
        };
        let criterion = criterion(self.card, id)?;
        criterion.rating = Rating::Scored(Box::new(Mechanisms {
            default: Mechanism {
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

    /// An entry of a criterion as a whole: under S, whose level stays.
    pub(super) fn enter_unchanged(
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

    /// Writes an entry into the Re-audit log: what was done, and the reviewer's reason.
    pub(super) fn enter(
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

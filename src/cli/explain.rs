//! `audit explain`: how a level came about.

use std::collections::BTreeSet;

use super::args::ExplainArguments;
use super::failure::Failure;
use super::map::places;
use super::target::Target;
use super::{exit, output};
use crate::audit::{Examination, Rulebook};
use crate::rubric::{CriterionFile, Ladder};
use crate::scorecard::ParameterId;

/// Places listed of one fact.
const PLACES: usize = 5;

pub(super) fn run(arguments: &ExplainArguments) -> Result<u8, Failure> {
    let (criterion, parameter) = arguments
        .what
        .split_once('.')
        .map_or((arguments.what.as_str(), None), |(c, p)| (c, Some(p)));
    let wrong = || {
        Failure::input(format!(
            "{}: give a criterion such as C4 or a parameter such as C4.S",
            arguments.what
        ))
    };
    let parameters: Vec<ParameterId> = ParameterId::ALL
        .into_iter()
        .filter(|id| parameter.is_none_or(|p| id.to_string() == p))
        .collect();
    if parameters.is_empty() {
        return Err(wrong());
    }
    let target = Target::open(&arguments.target)?;
    let file = target
        .rulebook
        .rubric
        .criteria
        .iter()
        .find(|c| c.id == criterion)
        .ok_or_else(wrong)?;
    let examination = target.examine(&target.snapshot.name.clone(), None)?;
    let explained = Explainer {
        rulebook: &target.rulebook,
        examination: &examination,
    }
    .criterion(file, &parameters)?;
    output::print(&explained)?;
    Ok(exit::OK)
}

struct Explainer<'a> {
    rulebook: &'a Rulebook,
    examination: &'a Examination,
}

impl Explainer<'_> {
    fn criterion(
        &self,
        file: &CriterionFile,
        parameters: &[ParameterId],
    ) -> Result<String, Failure> {
        let kind = self.examination.facts.judgement.kind;
        let mut text = format!(
            "{} for kind {} ({})\n",
            file.id,
            kind.phrase(),
            self.examination.facts.judgement.because
        );
        if let Some(absence) = &file.absence {
            text.push_str(&format!(
                "\nStructural absence: {}\n",
                self.condition(Some(&absence.when))?
            ));
        }
        for id in parameters {
            text.push_str(&self.ladder(&file.ladder, *id, "default")?);
        }
        if let Some(alternative) = &file.alternative {
            text.push_str(&format!(
                "\nAlternative: {}\n",
                self.condition(Some(&alternative.when))?
            ));
            for id in parameters {
                text.push_str(&self.ladder(&alternative.ladder, *id, "alternative")?);
            }
        }
        for cap in &file.cap {
            text.push_str(&format!(
                "\nCap {}: {}\n",
                cap.id.get_ref(),
                self.condition(Some(&cap.when))?
            ));
        }
        Ok(text)
    }

    fn ladder(
        &self,
        ladders: &[Ladder],
        id: ParameterId,
        mechanism: &str,
    ) -> Result<String, Failure> {
        let kind = self.examination.facts.judgement.kind;
        let ladder = ladders
            .iter()
            .find(|l| *l.parameter.get_ref() == id && l.kinds.contains(&kind));
        let mut text = format!("\n{id} ({mechanism})\n");
        let mut reached = false;
        for rung in ladder.into_iter().flat_map(|l| &l.rung) {
            let holds = self.holds(rung.when.as_deref())?;
            let mark = match (holds, reached) {
                (true, false) => "→",
                (true, true) => "+",
                (false, _) => " ",
            };
            reached |= holds;
            text.push_str(&format!(
                "{mark} {} {}\n",
                rung.level.get_ref(),
                self.condition(rung.when.as_deref())?
            ));
        }
        Ok(text)
    }

    fn holds(&self, condition: Option<&str>) -> Result<bool, Failure> {
        self.rulebook
            .expressions
            .holds(condition, &self.examination.facts.scope)
            .map_err(Failure::input)
    }

    /// A condition, whether it holds, and the facts in it with their first places.
    fn condition(&self, condition: Option<&str>) -> Result<String, Failure> {
        let Some(condition) = condition else {
            return Ok("otherwise".to_owned());
        };
        let shown = condition.split_whitespace().collect::<Vec<_>>().join(" ");
        let held = if condition.contains("levels.") {
            "decided with the levels"
        } else if self.holds(Some(condition))? {
            "holds"
        } else {
            "does not hold"
        };
        let mut text = format!("{shown}: {held}");
        let variables = self
            .rulebook
            .expressions
            .variables_of_expression(condition)
            .map_err(Failure::input)?;
        let facts: BTreeSet<&str> = variables
            .iter()
            .filter_map(|v| v.split('.').next())
            .collect();
        for fact in facts {
            let places = places(self.examination, fact);
            if places.is_empty() {
                text.push_str(&format!(
                    "\n      {fact}: {}",
                    self.examination.facts.holds(fact)
                ));
                continue;
            }
            for (place, quote) in places.iter().take(PLACES) {
                text.push_str(&format!("\n      {fact}: {place}  {quote}"));
            }
        }
        Ok(text)
    }
}

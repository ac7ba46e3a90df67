//! `audit explain`: how a level came about.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::args::ExplainArguments;
use super::failure::Failure;
use super::map::places;
use super::target::Target;
use super::{exit, output};
use crate::audit::{Examination, Rulebook};
use crate::rubric::{CriterionFile, Ladder, inert};
use crate::scorecard::{ParameterId, to_json};

/// Places listed of one fact.
const PLACES: usize = 5;

pub(super) fn run(arguments: &ExplainArguments) -> Result<u8, Failure> {
    let what = What::parse(arguments.what.as_deref())?;
    let target = Target::open(&arguments.target)?;
    let examination = target.examine(&target.name())?;
    let explainer = Explainer {
        rulebook: &target.rulebook,
        examination: &examination,
    };
    let explained = target
        .rulebook
        .rubric
        .criteria
        .iter()
        .filter(|file| what.criterion.as_ref().is_none_or(|id| *id == file.id))
        .map(|file| explainer.criterion(file, &what))
        .collect::<Result<Vec<_>, _>>()?;
    let judgement = &examination.facts.judgement;
    let text = if arguments.json {
        let explained = serde_json::json!({
            "commit": target.snapshot.commit,
            "kind": judgement.kind.word(),
            "criteria": explained,
        });
        to_json(&explained).map_err(Failure::internal)?
    } else {
        let head = format!("kind {} ({})", judgement.kind.phrase(), judgement.because);
        let sections: Vec<String> = explained.iter().map(|c| c.text(&head)).collect();
        sections.join("\n")
    };
    output::print(&text)?;
    Ok(exit::OK)
}

/// What the user wants explained.
struct What {
    criterion: Option<String>,
    parameters: Vec<ParameterId>,
    /// Only the alternative, as in `C4.alt.S`, the name that cards have for its parameters.
    alternative: bool,
}

impl What {
    fn parse(asked: Option<&str>) -> Result<Self, Failure> {
        let asked = asked.map(str::to_ascii_uppercase);
        let mut parts = asked.iter().flat_map(|asked| asked.split('.')).peekable();
        let criterion = parts.next();
        let alternative = parts.next_if_eq(&"ALT").is_some();
        let parameter = parts.next();
        let parameters: Vec<ParameterId> = ParameterId::ALL
            .into_iter()
            .filter(|id| parameter.is_none_or(|p| id.to_string() == p))
            .collect();
        let known = criterion.is_none_or(|c| {
            c.strip_prefix('C')
                .and_then(|n| n.parse::<u8>().ok())
                .is_some_and(|n| (1..=10).contains(&n))
        });
        if parameters.is_empty() || !known || parts.next().is_some() {
            return Err(Failure::input(format!(
                "{}: give a criterion such as C4, a parameter such as C4.S, or one of an alternative such as C2.alt.S",
                asked.unwrap_or_default()
            )));
        }
        Ok(Self {
            criterion: criterion.map(str::to_owned),
            parameters,
            alternative,
        })
    }
}

/// A condition of the rubric and how it stands on this commit.
#[derive(Serialize)]
struct Condition {
    /// Expression over facts; none: what is left when nothing above held.
    when: Option<String>,
    /// None where it can only be decided with the levels.
    holds: Option<bool>,
    facts: BTreeMap<String, Evidence>,
}

#[derive(Serialize)]
struct Evidence {
    holds: bool,
    /// What it is, where it is a word such as the kind of the project.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    places: Vec<(String, String)>,
}

#[derive(Serialize)]
struct ExplainedRung {
    level: String,
    /// Whether this is the rung that gave the level.
    decides: bool,
    #[serde(flatten)]
    condition: Condition,
}

#[derive(Serialize)]
struct ExplainedLadder {
    parameter: String,
    rungs: Vec<ExplainedRung>,
}

#[derive(Serialize)]
struct Explained {
    id: String,
    absence: Option<Condition>,
    ladders: Vec<ExplainedLadder>,
    alternative: Option<(Condition, Vec<ExplainedLadder>)>,
    caps: Vec<(String, Condition)>,
}

struct Explainer<'a> {
    rulebook: &'a Rulebook,
    examination: &'a Examination,
}

impl Explainer<'_> {
    fn criterion(&self, file: &CriterionFile, what: &What) -> Result<Explained, Failure> {
        if what.alternative && file.alternative.is_none() {
            return Err(Failure::input(format!(
                "{0}.alt: the rubric has no alternative for {0}; give {0}, or a parameter such as {0}.S",
                file.id
            )));
        }
        let ladders = |of: &[Ladder]| -> Result<Vec<ExplainedLadder>, Failure> {
            what.parameters
                .iter()
                .map(|id| self.ladder(of, *id))
                .collect()
        };
        let condition = |when: &str| self.condition(Some(when));
        Ok(Explained {
            id: file.id.clone(),
            absence: file
                .absence
                .as_ref()
                .map(|absence| condition(&absence.when))
                .transpose()?,
            ladders: match what.alternative {
                true => Vec::new(),
                false => ladders(&file.ladder)?,
            },
            alternative: file
                .alternative
                .as_ref()
                .map(|other| Ok::<_, Failure>((condition(&other.when)?, ladders(&other.ladder)?)))
                .transpose()?,
            caps: file
                .cap
                .iter()
                .map(|cap| Ok((cap.id.get_ref().clone(), condition(&cap.when)?)))
                .collect::<Result<_, Failure>>()?,
        })
    }

    fn ladder(&self, ladders: &[Ladder], id: ParameterId) -> Result<ExplainedLadder, Failure> {
        let kind = self.examination.facts.judgement.kind;
        let ladder = ladders
            .iter()
            .find(|l| *l.parameter.get_ref() == id && l.kinds.contains(&kind));
        let mut rungs: Vec<ExplainedRung> = Vec::new();
        for rung in ladder.into_iter().flat_map(|l| &l.rung) {
            let condition = self.condition(rung.when.as_deref())?;
            rungs.push(ExplainedRung {
                level: rung.level.get_ref().to_string(),
                decides: condition.holds == Some(true) && rungs.iter().all(|r| !r.decides),
                condition,
            });
        }
        Ok(ExplainedLadder {
            parameter: id.to_string(),
            rungs,
        })
    }

    /// A condition, whether it holds, and the facts in it with their first places.
    fn condition(&self, when: Option<&str>) -> Result<Condition, Failure> {
        let Some(when) = when else {
            return Ok(Condition {
                when: None,
                holds: Some(true),
                facts: BTreeMap::new(),
            });
        };
        let expressions = &self.rulebook.expressions;
        let facts = &self.examination.facts;
        let holds = if when.contains("levels.") {
            None
        } else {
            let held = expressions.holds(Some(when), &facts.scope);
            Some(held.map_err(Failure::input)?)
        };
        let variables = expressions
            .variables_of_expression(when)
            .map_err(Failure::input)?;
        let ids: BTreeSet<&str> = variables
            .iter()
            .filter_map(|v| v.split('.').next())
            .collect();
        let word = |id: &str| {
            let value = expressions.value(id, &facts.scope).ok()?;
            value.as_str().map(inert)
        };
        let evidence = |id: &str| Evidence {
            holds: facts.holds(id),
            value: word(id),
            places: places(self.examination, id)
                .into_iter()
                .take(PLACES)
                .collect(),
        };
        Ok(Condition {
            when: Some(when.split_whitespace().collect::<Vec<_>>().join(" ")),
            holds,
            facts: ids
                .into_iter()
                .map(|id| (id.to_owned(), evidence(id)))
                .collect(),
        })
    }
}

impl Explained {
    fn text(&self, head: &str) -> String {
        let mut text = format!("{} for {head}\n", self.id);
        if let Some(absence) = &self.absence {
            text.push_str(&format!("\nStructural absence: {}\n", absence.text()));
        }
        for ladder in &self.ladders {
            text.push_str(&ladder.text("default"));
        }
        if let Some((condition, ladders)) = &self.alternative {
            text.push_str(&format!("\nAlternative: {}\n", condition.text()));
            for ladder in ladders {
                text.push_str(&ladder.text("alternative"));
            }
        }
        for (id, condition) in &self.caps {
            text.push_str(&format!("\nCap {id}: {}\n", condition.text()));
        }
        text
    }
}

impl ExplainedLadder {
    fn text(&self, mechanism: &str) -> String {
        let mut text = format!("\n{} ({mechanism})\n", self.parameter);
        for rung in &self.rungs {
            let mark = match (rung.decides, rung.condition.holds) {
                (true, _) => "→",
                (false, Some(true)) => "+",
                (false, _) => " ",
            };
            text.push_str(&format!(
                "{mark} {} {}\n",
                rung.level,
                rung.condition.text()
            ));
        }
        text
    }
}

impl Condition {
    fn text(&self) -> String {
        let Some(when) = &self.when else {
            return "otherwise".to_owned();
        };
        let held = match self.holds {
            None => "decided with the levels",
            Some(true) => "holds",
            Some(false) => "does not hold",
        };
        let mut text = format!("{when}: {held}");
        for (id, evidence) in &self.facts {
            if let Some(word) = &evidence.value {
                text.push_str(&format!("\n      {id}: {word}"));
            } else if evidence.places.is_empty() {
                text.push_str(&format!("\n      {id}: {}", evidence.holds));
            }
            for (place, quote) in &evidence.places {
                text.push_str(&format!("\n      {id}: {place}  {quote}"));
            }
        }
        text
    }
}

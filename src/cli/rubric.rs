//! `audit rubric`: checks and shows a rubric.

use std::path::Path;

use super::args::RubricCommand;
use super::failure::Failure;
use super::{exit, output};
use crate::audit::{self, Rulebook, RungSentences};
use crate::probe::run_cases;
use crate::rubric::{CriterionFile, Ladder, Rubric};
use crate::scorecard::CriterionId;

pub(super) fn run(command: &RubricCommand) -> Result<u8, Failure> {
    match command {
        RubricCommand::Check { folder } => check(folder.as_deref()),
        RubricCommand::Show {
            criterion,
            rubric,
            sentences,
        } => show(criterion, rubric.as_deref(), *sentences),
    }
}

fn check(folder: Option<&Path>) -> Result<u8, Failure> {
    let rulebook = Rulebook::load_and_check(folder)?;
    let probes = rulebook.probes.set().map_err(Failure::input)?;
    let (held, failed) = run_cases(probes, &rulebook.rubric.probes, &rulebook.inventory.limits);
    let mut report: String = failed
        .iter()
        .map(|failure| format!("{failure}\n"))
        .collect();
    let rubric = &rulebook.rubric;
    report.push_str(&format!(
        "{} probes, {} facts, {} searches, {} criteria; {held} cases hold, {} fail\n",
        rubric.probes.len(),
        rubric.facts.len(),
        rubric.searches.len(),
        rubric.criteria.len(),
        failed.len()
    ));
    output::print(&report)?;
    Ok(if failed.is_empty() {
        exit::OK
    } else {
        exit::PROBLEMS
    })
}

fn show(id: &str, folder: Option<&Path>, only_sentences: bool) -> Result<u8, Failure> {
    let rulebook = Rulebook::load(folder)?;
    let Some(file) = rulebook
        .rubric
        .criteria
        .iter()
        .find(|c| c.id.eq_ignore_ascii_case(id))
    else {
        return Err(Failure::input(format!("{id}: criteria are C1 to C10")));
    };
    let mut text = String::new();
    if only_sentences {
        for rung in audit::sentences(&rulebook, file).map_err(Failure::input)? {
            speak(&mut text, &rung);
        }
        output::print(&text)?;
        return Ok(exit::OK);
    }
    if let Some(id) = CriterionId::ALL
        .into_iter()
        .find(|id| id.to_string() == file.id)
    {
        let facts = rulebook.method.criterion(id);
        text.push_str(&format!(
            "{id} {} ({})\n{}\n",
            facts.name,
            facts.owasp.join(", "),
            facts.question
        ));
    }
    describe(&mut text, file, &rulebook.rubric);
    output::print(&text)?;
    Ok(exit::OK)
}

/// What one rung says: its findings, and the gap below them.
fn speak(text: &mut String, rung: &RungSentences) {
    let kinds: Vec<&str> = rung.kinds.iter().map(|kind| kind.phrase()).collect();
    let mechanism = if rung.is_alternative {
        ", alternative"
    } else {
        ""
    };
    text.push_str(&format!(
        "{} {} ({}{mechanism})\n",
        rung.parameter,
        rung.level,
        kinds.join(", ")
    ));
    for finding in &rung.findings {
        text.push_str(&format!("    {finding}\n"));
    }
    if let Some(gap) = &rung.gap {
        text.push_str(&format!("  > {gap}\n"));
    }
}

fn describe(text: &mut String, file: &CriterionFile, rubric: &Rubric) {
    if let Some(absence) = &file.absence {
        text.push_str(&format!(
            "\nStructural absence when {}\n",
            one_line(&absence.when)
        ));
    }
    file.ladder
        .iter()
        .for_each(|ladder| describe_ladder(text, ladder, "default"));
    if let Some(alternative) = &file.alternative {
        text.push_str(&format!(
            "\nAlternative (G1) when {}\n",
            one_line(&alternative.when)
        ));
        alternative
            .ladder
            .iter()
            .for_each(|ladder| describe_ladder(text, ladder, "alternative"));
    }
    for cap in &file.cap {
        text.push_str(&format!(
            "\nCap {} when {}\n  {}\n",
            cap.id.get_ref(),
            one_line(&cap.when),
            one_line(&cap.reason)
        ));
    }
    text.push_str("\nFacts\n");
    for fact in &file.fact {
        text.push_str(&format!(
            "  {}: {}\n",
            fact.id.get_ref(),
            fact.says.as_deref().unwrap_or("(derived)")
        ));
    }
    text.push_str("\nProbes\n");
    for probe in rubric
        .probes
        .iter()
        .filter(|p| file.probe.iter().any(|own| own.id == p.id))
    {
        let what = probe
            .pattern
            .as_ref()
            .or(probe.query.as_ref())
            .or(probe.key.as_ref());
        text.push_str(&format!(
            "  {}: {}\n",
            probe.id.get_ref(),
            one_line(what.map_or("", String::as_str))
        ));
    }
}

fn describe_ladder(text: &mut String, ladder: &Ladder, mechanism: &str) {
    let kinds: Vec<&str> = ladder.kinds.iter().map(|kind| kind.phrase()).collect();
    text.push_str(&format!(
        "\n{} ({mechanism}; {})\n",
        ladder.parameter.get_ref(),
        kinds.join(", ")
    ));
    for rung in &ladder.rung {
        let inferred = if rung.inferred { ", inferred" } else { "" };
        let condition = rung
            .when
            .as_deref()
            .map_or("otherwise".to_owned(), one_line);
        text.push_str(&format!(
            "  {}{inferred}: {condition}\n      {}\n",
            rung.level.get_ref(),
            one_line(&rung.finding)
        ));
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

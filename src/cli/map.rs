//! `audit map`: what was found, before anything is rated.

use serde_json::{Value, json};

use super::args::MapArguments;
use super::failure::Failure;
use super::target::Target;
use super::{exit, output};
use crate::audit::Examination;
use crate::scorecard::to_json;

/// Places listed of one fact.
const PLACES: usize = 12;

pub(super) fn run(arguments: &MapArguments) -> Result<u8, Failure> {
    let target = Target::open(&arguments.target)?;
    let examination = target.examine(&target.name())?;
    let text = if arguments.json {
        to_json(&as_json(&target, &examination)).map_err(Failure::internal)?
    } else {
        as_text(&target, &examination)
    };
    output::print(&text)?;
    Ok(exit::OK)
}

fn as_text(target: &Target, examination: &Examination) -> String {
    let judgement = &examination.facts.judgement;
    let mut text = format!(
        "Commit: {}\nKind: {} ({})\n",
        target.snapshot.commit,
        judgement.kind.phrase(),
        judgement.because
    );
    text.push_str(&format!(
        "Core: {}\n",
        examination.core.folders(&examination.paths).join(" ")
    ));
    for (title, files) in roots(examination) {
        text.push_str(&format!("{title}: {}\n", files.join(" ")));
    }
    for section in &target.rulebook.rubric.map {
        text.push_str(&format!("\n{}\n", section.title));
        for fact in &section.facts {
            for (place, quote) in places(examination, fact).into_iter().take(PLACES) {
                text.push_str(&format!("  {fact}  {place}  {quote}\n"));
            }
        }
    }
    text
}

fn as_json(target: &Target, examination: &Examination) -> Value {
    let judgement = &examination.facts.judgement;
    let facts: serde_json::Map<String, Value> = target
        .rulebook
        .rubric
        .facts
        .iter()
        .map(|fact| {
            let id = fact.id.get_ref();
            let value = if fact.expr.is_some() {
                json!(examination.facts.holds(id))
            } else {
                let hits = places(examination, id);
                let listed: Vec<Value> = hits
                    .iter()
                    .take(PLACES)
                    .map(|(place, quote)| json!({"place": place, "quote": quote}))
                    .collect();
                json!({"count": hits.len(), "places": listed})
            };
            (id.clone(), value)
        })
        .collect();
    let surface: serde_json::Map<String, Value> = judgement
        .surface
        .iter()
        .map(|(key, value, _)| (key.clone(), json!(value)))
        .collect();
    json!({
        "commit": target.snapshot.commit,
        "kind": judgement.kind.word(),
        "because": judgement.because,
        "surface": surface,
        "core": examination.core.folders(&examination.paths),
        "roots": roots(examination).into_iter().collect::<std::collections::BTreeMap<_, _>>(),
        "facts": facts,
    })
}

fn roots(examination: &Examination) -> [(&'static str, Vec<String>); 3] {
    let names = |files: &[usize]| {
        files
            .iter()
            .map(|file| crate::rubric::inert(&examination.paths[*file]))
            .collect()
    };
    [
        ("Registrations", names(&examination.core.registrations)),
        ("Executors", names(&examination.core.executors)),
        ("Loops", names(&examination.core.loops)),
    ]
}

/// `path:line` and quote of every hit of `fact`, inert.
pub(super) fn places(examination: &Examination, fact: &str) -> Vec<(String, String)> {
    let place = |index: &usize| {
        let hit = &examination.hits[*index];
        let place = format!("{}:{}", examination.paths[hit.file], hit.first);
        (
            crate::rubric::inert(&place),
            crate::rubric::inert(&hit.quote),
        )
    };
    examination.facts.hits(fact).iter().map(place).collect()
}

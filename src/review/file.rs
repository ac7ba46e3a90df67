//! The YAML of an overlay (docs/review.md): bounded, and every key known.

use serde::Deserialize;
use serde_saphyr::Spanned;

use super::overlay::{Change, Overlay, OverlayError};
use super::place::{FindingPlace, MechanismPlace, ParameterPlace, SentencePlace};
use super::terms::{Defaults, Terms, one_line};
use crate::scorecard::{CriterionId, Evidence, Level, Status};

/// Most nodes of an overlay: a card has some hundred sentences, each override some ten nodes.
const NODES: usize = 50_000;
/// Deepest nesting; an honest overlay has five levels.
const DEPTH: usize = 12;
/// Most aliases, for evidence that several overrides share.
const ALIASES: usize = 200;

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OverlayFile {
    card: Spanned<String>,
    commit: Option<Spanned<String>>,
    until: Option<Spanned<String>>,
    levels: Option<Vec<Spanned<LevelFile>>>,
    caps: Option<Vec<Spanned<CapFile>>>,
    absences: Option<Vec<Spanned<AbsenceFile>>>,
    sentences: Option<Vec<Spanned<SentenceFile>>>,
    accepted: Option<Vec<Spanned<AcceptedFile>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelFile {
    at: ParameterPlace,
    from: Level,
    to: Level,
    #[serde(default = "verified")]
    status: Status,
    finding: String,
    gap: Option<String>,
    reason: String,
    evidence: Vec<Evidence>,
    commit: Option<String>,
    until: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CapFile {
    at: MechanismPlace,
    cap: String,
    applies: bool,
    reason: String,
    evidence: Vec<Evidence>,
    commit: Option<String>,
    until: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AbsenceFile {
    at: CriterionId,
    summary: String,
    reason: String,
    evidence: Vec<Evidence>,
    commit: Option<String>,
    until: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SentenceFile {
    at: SentencePlace,
    says: String,
    text: String,
    reason: String,
    evidence: Vec<Evidence>,
    commit: Option<String>,
    until: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AcceptedFile {
    at: FindingPlace,
    says: String,
    reason: String,
    #[serde(default)]
    evidence: Vec<Evidence>,
    commit: Option<String>,
    until: Option<String>,
}

/// A level that a reviewer sets was read, unless it says otherwise.
fn verified() -> Status {
    Status::Verified
}

/// The terms of a section's struct.
macro_rules! terms {
    ($file:ident) => {
        Terms {
            reason: $file.reason,
            evidence: $file.evidence,
            commit: $file.commit,
            until: $file.until,
        }
    };
}

/// Reads an overlay; whether its overrides go together is not looked at.
pub(super) fn read(text: &str) -> Result<Overlay, OverlayError> {
    let budget = serde_saphyr::budget! {
        max_nodes: NODES,
        max_depth: DEPTH,
        max_aliases: ALIASES,
        max_anchors: ALIASES,
        max_documents: 1,
        max_merge_keys: 0,
    };
    let options = serde_saphyr::options! { budget: budget, with_snippet: false };
    let file: OverlayFile =
        serde_saphyr::from_str_with_options(text, options).map_err(|error| yaml_error(&error))?;
    let defaults = Defaults {
        commit: file.commit.as_ref(),
        until: file.until.as_ref(),
    };
    defaults.check()?;
    let mut overrides = Vec::new();
    let mut add = |line, (change, terms)| {
        let read = defaults.complete(line, change, terms);
        read.map(|over| overrides.push(over))
            .map_err(|message| OverlayError { line, message })
    };
    for item in file.levels.unwrap_or_default() {
        add(item.referenced.line(), item.value.split())?;
    }
    for item in file.caps.unwrap_or_default() {
        add(item.referenced.line(), item.value.split())?;
    }
    for item in file.absences.unwrap_or_default() {
        add(item.referenced.line(), item.value.split())?;
    }
    for item in file.sentences.unwrap_or_default() {
        add(item.referenced.line(), item.value.split())?;
    }
    for item in file.accepted.unwrap_or_default() {
        add(item.referenced.line(), item.value.split())?;
    }
    Ok(Overlay {
        card: file.card.value,
        overrides,
    })
}

/// The parser's message, with the line before it instead of behind it.
fn yaml_error(error: &serde_saphyr::Error) -> OverlayError {
    let message = error.render_with_formatter(&serde_saphyr::UserMessageFormatter);
    let Some(place) = error.location() else {
        return OverlayError { line: 1, message };
    };
    let behind = format!(" at line {}, column {}", place.line(), place.column());
    OverlayError {
        line: place.line().max(1),
        message: message.trim_end_matches(&behind).to_owned(),
    }
}

impl LevelFile {
    fn split(self) -> (Change, Terms) {
        let change = Change::Level {
            at: self.at,
            from: self.from,
            to: self.to,
            status: self.status,
            finding: one_line(&self.finding),
            gap: self
                .gap
                .as_deref()
                .map(one_line)
                .filter(|gap| !gap.is_empty()),
        };
        (change, terms!(self))
    }
}

impl CapFile {
    fn split(self) -> (Change, Terms) {
        let change = Change::Cap {
            at: self.at,
            id: self.cap,
            applies: self.applies,
        };
        (change, terms!(self))
    }
}

impl AbsenceFile {
    fn split(self) -> (Change, Terms) {
        let summary = one_line(&self.summary);
        (
            Change::Absence {
                at: self.at,
                summary,
            },
            terms!(self),
        )
    }
}

impl SentenceFile {
    fn split(self) -> (Change, Terms) {
        let change = Change::Sentence {
            at: self.at,
            says: self.says,
            text: one_line(&self.text),
        };
        (change, terms!(self))
    }
}

impl AcceptedFile {
    fn split(self) -> (Change, Terms) {
        let says = self.says;
        (Change::Acceptance { at: self.at, says }, terms!(self))
    }
}

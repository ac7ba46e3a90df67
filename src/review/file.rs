//! The YAML of an overlay (docs/review.md): bounded, and every key known.

use jiff::civil::Date;
use serde::Deserialize;
use serde_saphyr::Spanned;

use super::overlay::{Change, Overlay, OverlayError, Override};
use super::place::{FindingPlace, MechanismPlace, ParameterPlace, SentencePlace};
use crate::scorecard::{CriterionId, Evidence, Level, LineRange, Status};

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

/// What every override has.
struct Terms {
    reason: String,
    evidence: Vec<Evidence>,
    commit: Option<String>,
    until: Option<String>,
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

fn yaml_error(error: &serde_saphyr::Error) -> OverlayError {
    let line = error.location().map_or(1, |place| place.line().max(1));
    let message = error.without_snippet().to_string();
    OverlayError { line, message }
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

/// What stands at the top of the file, for overrides that do not say.
struct Defaults<'f> {
    commit: Option<&'f Spanned<String>>,
    until: Option<&'f Spanned<String>>,
}

impl Defaults<'_> {
    /// Wrong ones are told where they stand, not at the overrides that use them.
    fn check(&self) -> Result<(), OverlayError> {
        let at = |line| move |message| OverlayError { line, message };
        if let Some(commit) = self.commit {
            check_commit(&commit.value).map_err(at(commit.referenced.line()))?;
        }
        if let Some(until) = self.until {
            date(&until.value).map_err(at(until.referenced.line()))?;
        }
        Ok(())
    }

    fn complete(&self, line: u64, change: Change, terms: Terms) -> Result<Override, String> {
        check_texts(&change)?;
        let reason = one_line(&terms.reason);
        if reason.is_empty() {
            return Err(format!("{change}: a reason is needed"));
        }
        check_evidence(&change, &terms.evidence)?;
        let commit = terms
            .commit
            .or_else(|| self.commit.map(|c| c.value.clone()));
        let commit = commit.ok_or_else(|| {
            format!(
                "{change}: `commit` is needed, here or at the top: the commit that you looked at"
            )
        })?;
        check_commit(&commit)?;
        let until = terms.until.or_else(|| self.until.map(|u| u.value.clone()));
        let until = until.ok_or_else(|| {
            format!(
                "{change}: `until` is needed, here or at the top: the last day on which it holds"
            )
        })?;
        Ok(Override {
            line,
            change,
            reason,
            evidence: terms.evidence,
            commit,
            until: date(&until)?,
        })
    }
}

fn check_commit(text: &str) -> Result<(), String> {
    let is_hex = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    match text.len() == 40 && text.bytes().all(is_hex) {
        true => Ok(()),
        false => Err(format!(
            "commit: {text:?} is not a whole commit, 40 lower-case hexadecimal digits"
        )),
    }
}

/// jiff reads more forms than this one, so the date has to print as it was written.
fn date(text: &str) -> Result<Date, String> {
    let date = text.parse::<Date>().ok();
    date.filter(|date| date.to_string() == text)
        .ok_or_else(|| format!("until: {text:?} is not a date as YYYY-MM-DD"))
}

/// Sentences of a card are lines of its file and of its Markdown.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn check_texts(change: &Change) -> Result<(), String> {
    let (key, text) = match change {
        Change::Level { finding, .. } => ("finding", finding),
        Change::Absence { summary, .. } => ("summary", summary),
        Change::Sentence { text, .. } => ("text", text),
        Change::Cap { id, .. } => ("cap", id),
        Change::Acceptance { says, .. } => ("says", says),
    };
    match text.trim().is_empty() {
        true => Err(format!("{change}: `{key}` is empty")),
        false => Ok(()),
    }
}

/// An override has to be looked at again at other commits, so that a citation needs a quote.
fn check_evidence(change: &Change, evidence: &[Evidence]) -> Result<(), String> {
    let may_have_none = matches!(change, Change::Acceptance { .. });
    if evidence.is_empty() && !may_have_none {
        return Err(format!(
            "{change}: evidence is needed, a citation or a search"
        ));
    }
    let is_absence = matches!(change, Change::Absence { .. });
    if is_absence && !evidence.iter().any(Evidence::is_search) {
        return Err(format!("{change}: an absence needs a search"));
    }
    for item in evidence {
        let Evidence::Citation {
            file,
            lines,
            contains,
            ..
        } = item
        else {
            continue;
        };
        if LineRange::parse(lines).is_none() {
            return Err(format!("{change}: lines: {lines:?} is not N or N-M"));
        }
        if contains
            .as_deref()
            .is_none_or(|quote| quote.trim().is_empty())
        {
            return Err(format!(
                "{change}: {file}:{lines} needs `contains`, a literal text of those lines: by it the place is found at other commits"
            ));
        }
    }
    Ok(())
}

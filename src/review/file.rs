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

/// An override as its section of the file has it.
trait Section {
    fn split(self) -> (Change, Terms);
}

/// The struct of a section: its own keys, what they change, and the keys that every override has. Those are written
/// into each struct, as a flattened one would let unknown keys in.
macro_rules! section {
    ($name:ident { $($(#[$attribute:meta])* $key:ident: $type:ty,)* } => $change:expr) => {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct $name {
            $($(#[$attribute])* $key: $type,)*
            reason: String,
            #[serde(default)]
            evidence: Vec<Evidence>,
            commit: Option<String>,
            until: Option<String>,
        }

        impl Section for $name {
            fn split(self) -> (Change, Terms) {
                let Self { $($key,)* reason, evidence, commit, until } = self;
                (
                    $change,
                    Terms { reason, evidence, commit, until },
                )
            }
        }
    };
}

section!(LevelFile {
    at: ParameterPlace,
    from: Level,
    to: Level,
    #[serde(default = "verified")]
    status: Status,
    finding: String,
    gap: Option<String>,
} => Change::Level {
    at,
    from,
    to,
    status,
    finding: one_line(&finding),
    gap: gap.as_deref().map(one_line).filter(|gap| !gap.is_empty()),
});

section!(CapFile {
    at: MechanismPlace,
    cap: String,
    applies: bool,
} => Change::Cap { at, id: cap, applies });

section!(AbsenceFile {
    at: CriterionId,
    summary: String,
} => Change::Absence { at, summary: one_line(&summary) });

section!(SentenceFile {
    at: SentencePlace,
    says: String,
    text: String,
} => Change::Sentence { at, says, text: one_line(&text) });

section!(AcceptedFile {
    at: FindingPlace,
    says: String,
} => Change::Acceptance { at, says });

/// A level that a reviewer sets was read, unless it says otherwise.
fn verified() -> Status {
    Status::Verified
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
    let all = lines(file.levels)
        .chain(lines(file.caps))
        .chain(lines(file.absences))
        .chain(lines(file.sentences))
        .chain(lines(file.accepted));
    let overrides = all.map(|(line, (change, terms))| {
        let read = defaults.complete(line, change, terms);
        read.map_err(|message| OverlayError { line, message })
    });
    Ok(Overlay {
        card: file.card.value,
        overrides: overrides.collect::<Result<_, _>>()?,
    })
}

/// The overrides of a section, each with its line; a section may be empty.
fn lines<S: Section>(
    section: Option<Vec<Spanned<S>>>,
) -> impl Iterator<Item = (u64, (Change, Terms))> {
    let items = section.unwrap_or_default().into_iter();
    items.map(|item| (item.referenced.line(), item.value.split()))
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

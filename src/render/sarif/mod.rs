//! A card as SARIF 2.1.0, for GitHub code scanning and for editors.
//!
//! Severities, fingerprints and limits follow what GitHub reads of a file (docs/sarif.md); everything else is the
//! standard's. Nothing is on it that is not on the card.

mod help;
mod location;
mod log;
mod results;
mod rules;
mod severity;
mod text;

use std::collections::BTreeMap;

use help::Ladders;
use log::{
    BaseFolder, BaseReference, CardProperties, DescriptorReference, Driver, Id, Invocation, Log,
    Notification, NotificationKind, Provenance, Run, SarifResult, Text, Tool,
};

use super::escape::{link_target, plain};
use crate::rubric::CriterionFile;
use crate::scorecard::{Scorecard, ScoredCard};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The program's name; GitHub keeps a tool's alerts apart by it.
const NAME: &str = "audit";
const NOT_EXAMINED: &str = "not-examined";

/// The card as a SARIF file of one run, for [`to_json`](crate::scorecard::to_json). `criteria` are the rubric's ten
/// files, for the help of the rules.
pub fn sarif(scored: &ScoredCard<'_>, criteria: &[CriterionFile]) -> impl serde::Serialize {
    let card = scored.card;
    let mut rules = rules::all(scored.method, &Ladders::new(criteria));
    let mut results: Vec<SarifResult> = Vec::new();
    for found in results::all(scored) {
        rules::raise(&mut rules[found.rule()], found.severity, found.status);
        results.push(found.result(card.subpath.as_deref()));
    }
    let driver = Driver {
        name: NAME,
        semantic_version: env!("CARGO_PKG_VERSION"),
        short_description: said("Scores how well an AI agent's own code contains harm."),
        rules,
        notifications: [NotificationKind {
            id: NOT_EXAMINED,
            name: "NotExamined",
            short_description: said("What the review did not read, run or decide"),
            full_description: said(
                "A limitation of the card: results may be missing because of it.",
            ),
            help: said("Look at what is named before you rely on the absence of a result."),
        }],
    };
    Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: Tool { driver },
            automation_details: Id { id: category(card) },
            invocations: [invocation(card)],
            original_uri_base_ids: BTreeMap::from([(location::ROOT, base_folder())]),
            version_control_provenance: provenance(card).into_iter().collect(),
            results,
            properties: properties(scored),
        }],
    }
}

/// What keeps two cards of one repository apart: GitHub replaces the alerts of a category by those of the next upload.
/// The slash at the end leaves the name of the single run empty.
fn category(card: &Scorecard) -> String {
    let folder = card.subpath.as_deref().map(|f| f.trim_matches('/'));
    match folder.filter(|folder| !folder.is_empty()) {
        Some(folder) => plain(&format!("{NAME}/{}/{folder}/", card.id)),
        None => plain(&format!("{NAME}/{}/", card.id)),
    }
}

/// The Limitations as notifications: results may be missing because of them.
fn invocation(card: &Scorecard) -> Invocation {
    let notification = |limitation: &String| Notification {
        descriptor: DescriptorReference {
            id: NOT_EXAMINED,
            index: 0,
        },
        level: "warning",
        message: said(&text::inert(limitation)),
    };
    Invocation {
        execution_successful: true,
        tool_execution_notifications: card.limitations.iter().map(notification).collect(),
    }
}

/// Without an address: whoever reads the file has a checkout of their own.
fn base_folder() -> BaseFolder {
    BaseFolder {
        description: said("The root of the repository at the pinned commit."),
    }
}

/// Where the commit lies; none for a repository without an https address, which the standard requires.
fn provenance(card: &Scorecard) -> Option<Provenance> {
    Some(Provenance {
        repository_uri: link_target(&card.repo_url)?,
        revision_id: commit(card),
        revision_tag: card.version.as_deref().map(plain),
        mapped_to: BaseReference {
            uri_base_id: location::ROOT,
        },
    })
}

/// The pinned commit; none for a folder that was rated as it lay there.
fn commit(card: &Scorecard) -> Option<String> {
    let commit = plain(&card.pinned_commit);
    (!commit.trim_matches('0').is_empty()).then_some(commit)
}

fn properties(scored: &ScoredCard<'_>) -> CardProperties {
    let card = scored.card;
    CardProperties {
        id: plain(&card.id),
        score: scored.total.one_decimal(),
        band: plain(&scored.band.label),
        scored_date: plain(&card.scored_date),
        commit: commit(card),
        subpath: card.subpath.as_deref().map(plain),
    }
}

fn said(text: &str) -> Text {
    Text {
        text: text.to_owned(),
    }
}

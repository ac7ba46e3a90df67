//! Wording: the Re-audit log and the Limitations of a reviewed card.

use super::overlay::{Change, Override};
use crate::rubric::inert;
use crate::scorecard::Evidence;

/// Digits of a commit in a sentence.
const COMMIT: usize = 12;
/// Places that a sentence names.
const PLACES: usize = 3;

/// `path:lines`, or a search and its count.
pub(super) fn place(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Citation { file, lines, .. } => inert(&format!("{file}:{lines}")),
        Evidence::Search {
            search,
            scope,
            hits,
            ..
        } => format!(
            "searched {} in {} → {hits} hits",
            inert(search),
            inert(scope)
        ),
    }
}

/// The reason of an entry of the Re-audit log: what was done, the reviewer's reason, where it was seen, and for how
/// long it holds.
pub(super) fn reason(what: &str, over: &Override, evidence: &[Evidence], commit: &str) -> String {
    let places = match evidence {
        [] => String::new(),
        _ => format!(" Evidence: {}.", list(evidence)),
    };
    let stop = match over.reason.ends_with(['.', '!', '?']) {
        true => "",
        false => ".",
    };
    let again = match over.commit == commit {
        true => "",
        false => ", evidence found again at this commit",
    };
    let again = if evidence.is_empty() { "" } else { again };
    format!(
        "{what}{}{stop}{places} (Review of {:.COMMIT$}, holds until {}{again}.)",
        over.reason, over.commit, over.until
    )
}

fn list(evidence: &[Evidence]) -> String {
    let more = if evidence.len() > PLACES { ", …" } else { "" };
    let named: Vec<String> = evidence.iter().take(PLACES).map(place).collect();
    format!("{}{more}", named.join(", "))
}

/// The sentence of the Limitations for an override that was not applied.
pub(super) fn refusal(over: &Override, why: &str) -> String {
    let verb = match over.change {
        Change::Acceptance { .. } => "wants",
        _ => "sets",
    };
    format!(
        "A review of {:.COMMIT$} (until {}) {verb} {}; this was not applied: {}.",
        over.commit,
        over.until,
        inert(&over.change.to_string()),
        why.trim_end_matches('.')
    )
}

/// The sentence of the Limitations for a headline that a reviewer wrote; the Re-audit log is by criterion.
pub(super) fn headline(over: &Override, evidence: &[Evidence], commit: &str) -> String {
    reason("The headline is a reviewer's: ", over, evidence, commit)
}

/// The sentence of the Limitations that tells a reviewed card from one that rules made alone.
pub(super) fn reviewed(count: usize) -> String {
    match count {
        1 => "A reviewer changed one thing on this card; the Re-audit log says what and why."
            .to_owned(),
        _ => format!(
            "A reviewer changed {count} things on this card; the Re-audit log says what and why."
        ),
    }
}

/// The sentence of the Limitations for evidence that nobody looked for.
pub(super) fn unchecked(count: usize) -> String {
    let overrides = match count {
        1 => "1 override of a reviewer was",
        _ => {
            return format!(
                "{count} overrides of a reviewer were applied without looking for their evidence in the repository."
            );
        }
    };
    format!("{overrides} applied without looking for its evidence in the repository.")
}

/// What the criterion's notes say of an accepted finding.
pub(super) fn acceptance(over: &Override, what: &str) -> String {
    let reason = over.reason.trim_end_matches('.');
    format!("Accepted risk until {} ({what}): {reason}.", over.until)
}

//! Evidence that was written at one commit, looked for at another.

use super::{Claim, ClaimEvidence, citation, messages};
use crate::checkout::Snapshot;
use crate::scorecard::Evidence;
use crate::search::SearchEngine;

/// What became of each item of `evidence` at `snapshot`: the same, where it holds; with the lines on which its quote
/// stands now, where the file has the quote exactly once; else why it does not hold.
///
/// # Errors
/// Why nothing can be checked in this repository.
pub fn relocate(
    snapshot: &Snapshot,
    evidence: &[Evidence],
) -> Result<Vec<Result<Evidence, String>>, String> {
    let engine = SearchEngine::new(snapshot).map_err(|error| error.to_string())?;
    let claims: Vec<Claim> = evidence.iter().map(claim).collect();
    let mut found: Vec<Result<Evidence, String>> = evidence.iter().cloned().map(Ok).collect();
    for (number, message) in messages(&engine, &claims) {
        let moved = moved(&engine, &evidence[number]);
        found[number] = moved.ok_or(message);
    }
    Ok(found)
}

fn claim(evidence: &Evidence) -> Claim {
    Claim {
        place: String::new(),
        evidence: ClaimEvidence::from(evidence),
    }
}

/// `evidence` at the one place where its quote stands.
fn moved(engine: &SearchEngine<'_>, evidence: &Evidence) -> Option<Evidence> {
    let Evidence::Citation {
        file,
        contains: Some(quote),
        note,
        ..
    } = evidence
    else {
        return None;
    };
    let lines = citation::find(engine, file, quote)?;
    Some(Evidence::Citation {
        file: file.clone(),
        lines: lines.to_string(),
        contains: Some(quote.clone()),
        note: note.clone(),
    })
}

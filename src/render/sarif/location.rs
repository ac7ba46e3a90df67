//! Where a result stands: citations as locations below the repository's root.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::log::{ArtifactLocation, Location, PhysicalLocation, Region, Text};
use super::text::{inert, link};
use crate::scorecard::{Evidence, LineRange};

/// The root of the repository at the pinned commit; GitHub and the editors put their checkout in its place.
pub(super) const ROOT: &str = "%SRCROOT%";

/// What stands in a path without being encoded. A colon does not: it would make the first folder a scheme.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The evidence of one result.
pub(super) struct Places {
    /// A location for each citation, with ids from 1 that the text links to.
    pub(super) related: Vec<Location>,
    /// All evidence in one line, searches too.
    pub(super) text: String,
}

impl Places {
    pub(super) fn of(evidence: &[Evidence]) -> Self {
        let mut related: Vec<Location> = Vec::new();
        let mut items = Vec::new();
        for item in evidence {
            items.push(match item {
                Evidence::Citation {
                    file,
                    lines,
                    contains,
                    note,
                } => {
                    let place = format!("{file}:{lines}");
                    match of_lines(file, lines) {
                        Some(mut location) => {
                            let id = related.len() + 1;
                            location.id = Some(id);
                            location.message = about(contains.as_deref(), note.as_deref());
                            related.push(location);
                            link(&place, id)
                        }
                        None => inert(&place),
                    }
                }
                Evidence::Search {
                    search,
                    scope,
                    hits,
                    note,
                } => {
                    let note = note.as_deref().map_or(String::new(), |n| format!(" ({n})"));
                    inert(&format!(
                        "searched `{search}` in `{scope}` → {hits} hits{note}"
                    ))
                }
            });
        }
        Self {
            related,
            text: items.join("; "),
        }
    }
}

/// The one place that a reader is sent to: the first citation of `own`, else of `around` (the rest of the criterion),
/// else where the first search looked. GitHub shows no result without a location.
pub(super) fn primary(own: &[Evidence], around: &[&Evidence]) -> Vec<Location> {
    let cited = |item: &Evidence| match item {
        Evidence::Citation { file, lines, .. } => of_lines(file, lines),
        Evidence::Search { .. } => None,
    };
    let searched = |item: &Evidence| match item {
        Evidence::Search { scope, .. } => of_scope(scope),
        Evidence::Citation { .. } => None,
    };
    let first = own
        .iter()
        .find_map(cited)
        .or_else(|| around.iter().find_map(|item| cited(item)))
        .or_else(|| own.iter().find_map(searched));
    first.into_iter().collect()
}

/// Lines of a file; none if the card names no lines or no file below the root.
fn of_lines(file: &str, lines: &str) -> Option<Location> {
    let range = LineRange::parse(lines)?;
    let steps_out = |part: &str| matches!(part, "" | "." | "..");
    if file.split('/').any(steps_out) {
        return None;
    }
    let region = Region {
        start_line: range.first,
        end_line: range.last,
    };
    Some(at(file, Some(region)))
}

/// The first path that a search was given.
fn of_scope(scope: &str) -> Option<Location> {
    let first = shlex::split(scope)?.into_iter().next()?;
    let path = first.trim_start_matches("./").trim_end_matches('/');
    let steps_out = path.starts_with('/') || path.split('/').any(|part| part == "..");
    let path = if path.is_empty() { "." } else { path };
    (!steps_out).then(|| at(path, None))
}

fn at(path: &str, region: Option<Region>) -> Location {
    Location {
        id: None,
        physical_location: PhysicalLocation {
            artifact_location: ArtifactLocation {
                uri: utf8_percent_encode(path, PATH).to_string(),
                uri_base_id: ROOT,
            },
            region,
        },
        message: None,
    }
}

/// What is to be seen there: the quote, the note, or both.
fn about(contains: Option<&str>, note: Option<&str>) -> Option<Text> {
    let text = match (contains, note) {
        (Some(quote), Some(note)) => format!("{quote} ({note})"),
        (Some(text), None) | (None, Some(text)) => text.to_owned(),
        (None, None) => return None,
    };
    Some(Text { text: inert(&text) })
}

//! Evidence on the page: citations with their lines, and searches with their count.

use serde::Serialize;

use super::Sources;
use super::excerpt::Excerpt;
use super::text::{Piece, pieces};
use crate::render::escape::{link_target, plain};
use crate::scorecard::{Evidence, LineRange};

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum EvidenceView {
    Citation {
        /// `FILE:LINES`.
        place: String,
        url: Option<String>,
        excerpt: Option<Excerpt>,
        note: Option<Vec<Piece>>,
    },
    Search {
        search: String,
        scope: String,
        hits: u64,
        note: Option<Vec<Piece>>,
    },
}

impl EvidenceView {
    pub(super) fn list(evidence: &[Evidence], sources: &Sources<'_>) -> Vec<Self> {
        evidence.iter().map(|one| Self::new(one, sources)).collect()
    }

    fn new(evidence: &Evidence, sources: &Sources<'_>) -> Self {
        match evidence {
            Evidence::Citation {
                file,
                lines,
                contains,
                note,
            } => Self::Citation {
                place: plain(&format!("{file}:{lines}")),
                url: (sources.permalink)(file, lines).and_then(|url| link_target(&url)),
                excerpt: excerpt(file, lines, contains.as_deref(), sources),
                note: note.as_deref().map(pieces),
            },
            Evidence::Search {
                search,
                scope,
                hits,
                note,
            } => Self::Search {
                search: plain(search),
                scope: plain(scope),
                hits: *hits,
                note: note.as_deref().map(pieces),
            },
        }
    }
}

/// The file's lines when it is at hand and has them, else the quote.
fn excerpt(file: &str, lines: &str, quote: Option<&str>, sources: &Sources<'_>) -> Option<Excerpt> {
    let cited = || Excerpt::of_file(file, (sources.text)(file)?, LineRange::parse(lines)?);
    cited().or_else(|| Some(Excerpt::of_quote(file, quote?)))
}

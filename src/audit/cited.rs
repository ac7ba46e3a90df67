//! The files that a card cites, read once: a page shows the cited lines.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::checkout::Snapshot;
use crate::scorecard::{Criterion, Evidence, Rating, Scorecard};
use crate::search::{SearchEngine, SearchError};

/// Text of each cited file that can be read, by its path from the root.
#[derive(Debug, Default)]
pub struct CitedFiles {
    texts: BTreeMap<String, String>,
}

impl CitedFiles {
    /// Reads what `card` cites from the snapshot that it rates. A file that cannot be read is left
    /// out: whether citations hold is for [`verify`](crate::verify::verify) to say.
    ///
    /// # Errors
    /// When the snapshot's ignore files cannot be read.
    pub fn read(snapshot: &Snapshot, card: &Scorecard) -> Result<Self, SearchError> {
        let engine = SearchEngine::new(snapshot)?;
        let read = |file: &str| Some((file.to_owned(), engine.text(file).ok()?));
        let texts = cited(card).into_par_iter().filter_map(read).collect();
        Ok(Self { texts })
    }

    /// Text of `file` with `\n` at line ends.
    pub fn text(&self, file: &str) -> Option<&str> {
        self.texts.get(file).map(String::as_str)
    }
}

fn cited(card: &Scorecard) -> BTreeSet<&str> {
    let findings = card.critical_findings.iter().flat_map(|f| &f.evidence);
    let all = card.criteria.iter().flat_map(evidence).chain(findings);
    all.filter_map(file).collect()
}

fn file(evidence: &Evidence) -> Option<&str> {
    match evidence {
        Evidence::Citation { file, .. } => Some(file),
        Evidence::Search { .. } => None,
    }
}

fn evidence(criterion: &Criterion) -> Vec<&Evidence> {
    match &criterion.rating {
        Rating::Absent { evidence } => evidence.iter().collect(),
        Rating::Scored(mechanisms) => {
            let alt = mechanisms.alt.as_ref().map(|alt| &alt.parameters);
            let rated = std::iter::once(&mechanisms.default.parameters).chain(alt);
            let parameters = rated.flat_map(|parameters| parameters.iter());
            parameters.flat_map(|(_, p)| &p.evidence).collect()
        }
    }
}

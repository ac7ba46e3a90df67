//! The plain-text summary: what someone reads who wants no tables.

use super::escape::plain;
use crate::scorecard::Scorecard;

/// The name, then the summary of each criterion as a paragraph, separated by blank lines.
pub fn summary(card: &Scorecard) -> String {
    let summaries = card.criteria.iter().map(|criterion| &criterion.summary);
    let paragraphs: Vec<_> = std::iter::once(&card.name)
        .chain(summaries)
        .map(|text| plain(text))
        .collect();
    paragraphs.join("\n\n") + "\n"
}

//! How evidence prints in the Markdown card (formats.md, "How evidence prints").

use super::escape;
use crate::scorecard::{Evidence, Permalink};

/// All evidence of a sentence in one line; `none` if there is none.
pub(super) fn list(evidence: &[Evidence], permalink: &Permalink<'_>) -> String {
    let items: Vec<_> = evidence.iter().map(|item| one(item, permalink)).collect();
    if items.is_empty() {
        "none".to_owned()
    } else {
        items.join("; ")
    }
}

fn one(evidence: &Evidence, permalink: &Permalink<'_>) -> String {
    let (text, note) = match evidence {
        Evidence::Citation {
            file, lines, note, ..
        } => (citation(file, lines, permalink), note),
        Evidence::Search {
            search,
            scope,
            hits,
            note,
        } => {
            let (search, scope) = (escape::code(search), escape::code(scope));
            (format!("searched {search} in {scope} → {hits} hits"), note)
        }
    };
    match note {
        Some(note) => format!("{text} ({})", escape::inline(note)),
        None => text,
    }
}

fn citation(file: &str, lines: &str, permalink: &Permalink<'_>) -> String {
    let place = format!("{file}:{lines}");
    match permalink(file, lines).and_then(|url| escape::link_target(&url)) {
        Some(target) => format!("[{}]({target})", escape::link_text(&place)),
        None => escape::code(&place),
    }
}

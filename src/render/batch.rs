//! How a batch went, as text for a terminal.

use super::escape::plain;
use crate::batch::{EntryFailure, Outcome, Summary};
use crate::scorecard::Points;

/// One line for an entry that has come to its end.
pub fn batch_outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Card {
            id, total, commit, ..
        } => {
            let total = Points::from_thousandths(*total).one_decimal();
            let short: String = commit.chars().take(12).collect();
            format!("{id}: {total} at {}", plain(&short))
        }
        Outcome::Failed(EntryFailure { id, code, reason }) => {
            format!("{id}: no card ({code}): {}", plain(reason))
        }
    }
}

/// How many cards there are, and a table of what has none: exit code, id and reason.
pub fn batch_summary(summary: &Summary) -> String {
    let count = summary.cards + summary.failed;
    let mut text = format!(
        "{count} {}: {} with a card, {} without\n",
        if count == 1 {
            "repository"
        } else {
            "repositories"
        },
        summary.cards,
        summary.failed
    );
    let widest = summary.failures().map(|failure| failure.id.len()).max();
    let Some(widest) = widest else { return text };
    let widest = widest.max(2);
    text.push_str(&format!("\ncode  {:widest$}  why\n", "id"));
    for EntryFailure { id, code, reason } in summary.failures() {
        text.push_str(&format!("{code:>4}  {id:widest$}  {}\n", plain(reason)));
    }
    text
}

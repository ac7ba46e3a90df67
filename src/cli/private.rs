//! The private file: pinpoints for the maintainers, as Markdown.

use super::output::PRIVATE_HEAD;
use crate::rating::Pinpoint;
use crate::rubric::PinpointConfidence;
use crate::scorecard::{Evidence, Scorecard};

/// The text of the file. Names and quotes of the audited code are inert already.
pub(super) fn text(card: &Scorecard, pinpoints: &[Pinpoint]) -> String {
    let mut text = format!(
        "{PRIVATE_HEAD}{} at {}\n\nNot for publication. Report them to the maintainers privately first (SECURITY.md, a private advisory, or a \
         security contact), with a date until which you wait. Each was found by a rule, not by running anything: read the lines before you report.\n",
        card.name, card.pinned_commit
    );
    if pinpoints.is_empty() {
        text.push_str("\nNo rule found a concrete weakness of a shipped control.\n");
    }
    for pinpoint in pinpoints {
        text.push_str(&format!(
            "\n## {}: {}\n\n- Who can reach it: {}\n- Confidence: {}\n",
            pinpoint.criterion,
            pinpoint.title,
            pinpoint.reach,
            word(pinpoint.confidence)
        ));
        for line in &pinpoint.lines {
            if let Evidence::Citation {
                file,
                lines,
                contains,
                ..
            } = line
            {
                let quote = contains.as_deref().unwrap_or_default();
                let place = crate::rubric::inert(&format!("{file}:{lines}"));
                text.push_str(&format!("- {place}  `{}`\n", crate::rubric::inert(quote)));
            }
        }
    }
    text
}

fn word(confidence: PinpointConfidence) -> &'static str {
    match confidence {
        PinpointConfidence::High => "high",
        PinpointConfidence::Medium => "medium",
        PinpointConfidence::Low => "low",
    }
}

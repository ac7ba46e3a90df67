//! A comparison of two cards, as text for a terminal and as Markdown.

use super::escape::{inline, plain};
use crate::compare::{Comparison, CriterionChange, ParameterChange, Place, SurfaceChange, signed};
use crate::scorecard::Points;

/// For a terminal: the totals, regressions first, then what got better.
pub fn comparison_text(comparison: &Comparison) -> String {
    let mut text = format!("{}\n", headline(comparison, &plain));
    for change in &comparison.changes {
        text.push_str(&format!("\n{}\n", criterion_line(change)));
        for line in details(change, &plain) {
            text.push_str(&format!("  {line}\n"));
        }
    }
    for fix in &comparison.fixes_done {
        text.push_str(&format!("\nDone: {}\n", plain(fix)));
    }
    text
}

/// As Markdown, with nested lists.
pub fn comparison_markdown(comparison: &Comparison) -> String {
    let mut text = format!("## {}\n\n", headline(comparison, &inline));
    for change in &comparison.changes {
        text.push_str(&format!("- **{}**\n", criterion_line(change)));
        for line in details(change, &inline) {
            text.push_str(&format!("  - {line}\n"));
        }
    }
    for fix in &comparison.fixes_done {
        text.push_str(&format!("- Done: {}\n", inline(fix)));
    }
    text
}

fn headline(comparison: &Comparison, safe: &dyn Fn(&str) -> String) -> String {
    let (old, new) = (&comparison.old, &comparison.new);
    let short = |commit: &str| safe(&commit.chars().take(12).collect::<String>());
    let total = |thousandths| Points::from_thousandths(thousandths).one_decimal();
    let verdict = if comparison.changes.is_empty() {
        ", nothing changed"
    } else {
        ""
    };
    format!(
        "{}: {} → {} ({}), {} ({}) → {} ({}){verdict}",
        safe(&comparison.name),
        total(old.total),
        total(new.total),
        signed(old.total, new.total),
        short(&old.commit),
        safe(&old.date),
        short(&new.commit),
        safe(&new.date),
    )
}

fn criterion_line(change: &CriterionChange) -> String {
    let points = |thousandths| Points::from_thousandths(thousandths).two_decimals();
    format!(
        "{} {}: {} → {} ({})",
        if change.is_regression() {
            "Worse:"
        } else {
            "Better:"
        },
        change.id,
        points(change.old_score),
        points(change.new_score),
        signed(change.old_score, change.new_score)
    )
}

fn details(change: &CriterionChange, safe: &dyn Fn(&str) -> String) -> Vec<String> {
    let mut lines = Vec::new();
    match change.surface {
        Some(SurfaceChange::Appeared) => {
            lines.push("The risk surface was absent and is there now".to_owned())
        }
        Some(SurfaceChange::Vanished) => lines.push("The risk surface is absent now".to_owned()),
        None => {}
    }
    lines.extend(
        change
            .caps_gained
            .iter()
            .map(|cap| format!("Cap {} applies now", safe(cap))),
    );
    lines.extend(
        change
            .caps_lost
            .iter()
            .map(|cap| format!("Cap {} no longer applies", safe(cap))),
    );
    for level in &change.levels {
        lines.push(format!(
            "{} {} → {}: {}",
            level.parameter,
            level.old,
            level.new,
            safe(&level.finding)
        ));
        lines.extend(evidence(level, safe));
    }
    lines
}

fn evidence(level: &ParameterChange, safe: &dyn Fn(&str) -> String) -> Vec<String> {
    let place = |place: &Place| match &place.quote {
        Some(quote) => format!("{} ({})", safe(&place.at), safe(quote)),
        None => safe(&place.at),
    };
    let appeared = level
        .evidence
        .appeared
        .iter()
        .map(|p| format!("appeared: {}", place(p)));
    let gone = level
        .evidence
        .gone
        .iter()
        .map(|p| format!("gone: {}", place(p)));
    let moved = level.evidence.moved.iter();
    let moved = moved.map(|(a, b)| format!("moved: {} → {}", safe(&a.at), place(b)));
    appeared.chain(gone).chain(moved).collect()
}

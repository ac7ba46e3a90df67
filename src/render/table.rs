//! The score table for a terminal: aligned columns, no colours.

use super::escape::plain;
use super::view;
use crate::scorecard::{ScoredCard, ScoredCriterion};

const HEADINGS: [&str; 10] = [
    "#",
    "Criterion",
    "S",
    "C",
    "D",
    "B",
    "Raw",
    "Cap",
    "Score",
    "Confidence",
];

/// Ten rows, then the total with its band, then the share over the applicable criteria when some
/// risk surface is absent.
pub fn table(scored: &ScoredCard<'_>) -> String {
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    rows.extend(scored.criteria.iter().map(row));
    let mut text = aligned(&rows);
    text.push_str(&format!(
        "\n{}: {} / 10.0 ({})\n",
        plain(&scored.card.name),
        scored.total.one_decimal(),
        scored.band.label
    ));
    if let Some(line) = view::applicable(scored) {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn row(scored: &ScoredCriterion<'_>) -> [String; 10] {
    let [s, c, d, b] = view::levels(scored);
    [
        scored.criterion.id.to_string(),
        scored.facts.name.clone(),
        s,
        c,
        d,
        b,
        scored.raw().two_decimals(),
        plain(scored.cap().map_or("none", |cap| cap.id)),
        format!("{}{}", scored.score().two_decimals(), view::tag(scored)),
        scored.confidence().label().to_owned(),
    ]
}

fn aligned(rows: &[[String; 10]]) -> String {
    let widest = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: [usize; 10] = std::array::from_fn(|column| widest(column).unwrap_or_default());
    let line = |row: &[String; 10]| {
        let cells: Vec<_> = row
            .iter()
            .zip(widths)
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        cells.join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

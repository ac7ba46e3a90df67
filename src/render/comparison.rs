//! A comparison of two cards: as text for a terminal, as Markdown for a pull request, and as JSON.

use std::collections::BTreeSet;

use super::escape::{self, plain, unlinked};
use crate::compare::{
    Comparison, CriterionChange, Direction, EvidenceChange, GapChange, MechanismChange,
    ParameterChange, Place, SearchChange, SurfaceChange, signed,
};
use crate::scorecard::{MechanismKind, Points, to_json};

/// How foreign text is made inert in one of the formats.
struct Style {
    /// A sentence or a name.
    text: fn(&str) -> String,
    /// A place, a quote or a command, word for word.
    code: fn(&str) -> String,
}

const TERMINAL: Style = Style {
    text: plain,
    code: plain,
};

const MARKDOWN: Style = Style {
    text: unlinked,
    code: escape::code,
};

/// For a terminal: the totals, regressions first, then what got better, then what merely changed.
pub fn comparison_text(comparison: &Comparison) -> String {
    let mut text = format!("{}\n", headline(comparison, &TERMINAL));
    for change in &comparison.changes {
        text.push_str(&format!("\n{}\n", criterion_line(change)));
        for line in details(change, &TERMINAL) {
            text.push_str(&format!("  {line}\n"));
        }
    }
    let rest = rest(comparison, &TERMINAL);
    if !rest.is_empty() {
        text.push_str(&format!("\n{}\n", rest.join("\n")));
    }
    text
}

/// As Markdown, with nested lists. Meant to be posted: nothing in it notifies a person or points at an issue.
pub fn comparison_markdown(comparison: &Comparison) -> String {
    let mut text = format!("## {}\n\n", headline(comparison, &MARKDOWN));
    for change in &comparison.changes {
        text.push_str(&format!("- **{}**\n", criterion_line(change)));
        for line in details(change, &MARKDOWN) {
            text.push_str(&format!("  - {line}\n"));
        }
    }
    for line in rest(comparison, &MARKDOWN) {
        text.push_str(&format!("- {line}\n"));
    }
    text
}

/// As JSON, in which control and direction characters stand escaped; scores in thousandths.
///
/// # Errors
/// None for a comparison, whose keys are all strings.
pub fn comparison_json(comparison: &Comparison) -> Result<String, serde_json::Error> {
    to_json(comparison)
}

fn headline(comparison: &Comparison, style: &Style) -> String {
    let (old, new) = (&comparison.old, &comparison.new);
    let card = |side: &crate::compare::Side| {
        let commit: String = side.commit.chars().take(12).collect();
        let date = side.date.as_ref();
        let date = date.map_or(String::new(), |date| format!(" ({})", (style.text)(date)));
        format!("{}{date}", (style.text)(&commit))
    };
    let total = |thousandths| Points::from_thousandths(thousandths).one_decimal();
    let verdict = match comparison.is_change() {
        true => "",
        false => ", nothing changed",
    };
    format!(
        "{}: {} → {} ({}), {} → {}{verdict}",
        (style.text)(&comparison.name),
        total(old.total),
        total(new.total),
        signed(old.total, new.total),
        card(old),
        card(new),
    )
}

fn criterion_line(change: &CriterionChange) -> String {
    let points = |thousandths| Points::from_thousandths(thousandths).two_decimals();
    let direction = match change.direction() {
        Direction::Worse => "Worse",
        Direction::Mixed => "Worse and better",
        Direction::Better => "Better",
        Direction::Changed => "Changed",
    };
    format!(
        "{direction}: {}: {} → {} ({})",
        change.id,
        points(change.old_score),
        points(change.new_score),
        signed(change.old_score, change.new_score)
    )
}

fn details(change: &CriterionChange, style: &Style) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(change.surface.map(|came| match came {
        SurfaceChange::Appeared => "The risk surface was absent and is there now".to_owned(),
        SurfaceChange::Vanished => "The risk surface is absent now".to_owned(),
    }));
    for (caps, what) in [
        (&change.caps_gained, "applies now"),
        (&change.caps_lost, "no longer applies"),
        (&change.caps_restated, "applies for another reason"),
    ] {
        lines.extend(
            caps.iter()
                .map(|cap| format!("Cap {} {what}", (style.text)(cap))),
        );
    }
    let mut told = BTreeSet::new();
    if let Some(mechanism) = &change.alternative {
        lines.extend(mechanism_lines(mechanism, &mut told, style));
    }
    for gap in &change.gaps {
        lines.push(gap_line(gap, style));
        lines.extend(evidence(&gap.evidence, &mut told, style));
    }
    for parameter in &change.parameters {
        lines.extend(parameter_lines(parameter, style));
        lines.extend(evidence(&parameter.evidence, &mut told, style));
    }
    lines.extend(evidence(&change.absence, &mut told, style));
    lines
}

fn gap_line(gap: &GapChange, style: &Style) -> String {
    match (&gap.old, &gap.new) {
        (None, Some(new)) => format!("New critical gap: {}", (style.text)(new)),
        (Some(old), None) => format!("Closed critical gap: {}", (style.text)(old)),
        (_, new) => {
            let new = new.as_deref().unwrap_or_default();
            format!("Critical gap now: {}", (style.text)(new))
        }
    }
}

/// An opt-in mechanism that came or went, with what it is rated.
fn mechanism_lines(
    change: &MechanismChange,
    told: &mut BTreeSet<String>,
    style: &Style,
) -> Vec<String> {
    let label = (style.text)(&change.label);
    let mut lines = Vec::from([match change.change {
        SurfaceChange::Appeared => format!("There is an opt-in mechanism now: {label}"),
        SurfaceChange::Vanished => format!("The opt-in mechanism is gone: {label}"),
    }]);
    for rating in &change.parameters {
        let finding = (style.text)(&rating.finding);
        let (parameter, level, status) = (rating.parameter, rating.level, rating.status.as_str());
        lines.push(format!("Opt-in {parameter} {level} ({status}): {finding}"));
        lines.extend(evidence(&rating.evidence, told, style));
    }
    lines
}

fn parameter_lines(change: &ParameterChange, style: &Style) -> Vec<String> {
    let mechanism = match change.mechanism {
        MechanismKind::Default => "",
        MechanismKind::Alt => "Opt-in ",
    };
    let level = match change.old == change.new {
        true => change.new.to_string(),
        false => format!("{} → {}", change.old, change.new),
    };
    let status = match change.old_status == change.new_status {
        true => String::new(),
        false => format!(
            " ({}, was {})",
            change.new_status.as_str(),
            change.old_status.as_str()
        ),
    };
    let finding = (style.text)(&change.finding);
    let mut lines = vec![format!(
        "{mechanism}{} {level}{status}: {finding}",
        change.parameter
    )];
    let before = change.old_finding.as_deref();
    lines.extend(before.map(|finding| format!("before: {}", (style.text)(finding))));
    lines
}

/// The lines of `change` that are not among those `told` of the criterion; where all are, one that says so.
fn evidence(change: &EvidenceChange, told: &mut BTreeSet<String>, style: &Style) -> Vec<String> {
    let lines = evidence_lines(change, style);
    let again = !lines.is_empty() && lines.iter().all(|line| told.contains(line));
    match again {
        true => vec!["evidence: as above".to_owned()],
        false => {
            let new = lines.into_iter().filter(|line| told.insert(line.clone()));
            new.collect()
        }
    }
}

fn evidence_lines(change: &EvidenceChange, style: &Style) -> Vec<String> {
    let place = |place: &Place| match &place.quote {
        Some(quote) => format!("{} ({})", (style.code)(&place.at), (style.code)(quote)),
        None => (style.code)(&place.at),
    };
    let appeared = change.appeared.iter();
    let gone = change.gone.iter();
    let moved = change.moved.iter();
    let searches = change.searches.iter();
    appeared
        .map(|p| format!("cited now: {}", place(p)))
        .chain(gone.map(|p| format!("no longer cited: {}", place(p))))
        .chain(moved.map(|(a, b)| format!("moved: {} → {}", (style.code)(&a.at), place(b))))
        .chain(searches.map(|search| search_line(search, style)))
        .collect()
}

fn search_line(change: &SearchChange, style: &Style) -> String {
    let search = (style.code)(&change.search);
    let scope = (style.code)(&change.scope);
    let hits = match (change.old_hits, change.new_hits) {
        (Some(old), Some(new)) => format!("{old} → {new} hits"),
        (None, Some(new)) => format!("{new} hits, not recorded before"),
        (old, None) => format!("{} hits, not recorded now", old.unwrap_or_default()),
    };
    format!("searched {search} in {scope}: {hits}")
}

/// What belongs to no criterion.
fn rest(comparison: &Comparison, style: &Style) -> Vec<String> {
    let mut lines: Vec<String> = comparison
        .capabilities
        .iter()
        .map(|change| {
            let (old, new) = (change.old.label(), change.new.label());
            format!("Agent surface: {} {old} → {new}", change.capability)
        })
        .collect();
    lines.extend(comparison.same_session.map(|meets| match meets {
        true => "Rule of Two: all three meet in one default session now".to_owned(),
        false => "Rule of Two: all three no longer meet in one default session".to_owned(),
    }));
    let done = comparison.fixes_done.iter();
    lines.extend(done.map(|fix| format!("Done: {}", (style.text)(fix))));
    lines
}

//! Which rules a card has to keep, as far as the card alone can tell (formats.md, "Rejected";
//! method.md, "How to rate"). Citations and searches are compared with the repository elsewhere.

mod criterion;
mod evidence;

pub use criterion::is_critical;

use jiff::civil::Date;

use super::method::Method;
use super::model::{Fix, Scorecard};
use super::problem::Problem;
use super::score::ScoredCard;
use super::vocabulary::{CriterionId, Level};
use crate::invisible::is_blank;

/// Everything that is wrong with a card, in the card's order; nothing if it keeps the rules.
pub fn check(card: &Scorecard, method: &Method) -> Vec<Problem> {
    let mut problems = Vec::new();
    check_head(card, &mut problems);
    check_order(card, &mut problems);
    for criterion in &ScoredCard::new(card, method).criteria {
        criterion::check(criterion, card, method, &mut problems);
    }
    check_critical_findings(card, &mut problems);
    check_fixes(card, method, &mut problems);
    check_reaudit_log(card, &mut problems);
    check_limitations(card, &mut problems);
    problems
}

fn check_head(card: &Scorecard, problems: &mut Vec<Problem>) {
    let checks = [
        (
            "id",
            &card.id,
            is_slug as fn(&str) -> bool,
            "a slug: [a-z0-9][a-z0-9-]*",
        ),
        (
            "repo_url",
            &card.repo_url,
            is_https_or_none,
            "an address that starts with https://, or empty where there is none",
        ),
        (
            "pinned_commit",
            &card.pinned_commit,
            is_commit,
            "40 lower-case hexadecimal digits",
        ),
        (
            "scored_date",
            &card.scored_date,
            is_date,
            "a date as YYYY-MM-DD",
        ),
        ("name", &card.name, has_text, "a name"),
        ("description", &card.description, has_text, "a line"),
        (
            "scored_configuration",
            &card.scored_configuration,
            has_text,
            "a sentence",
        ),
        (
            "headline",
            &card.headline,
            has_text,
            "two to four sentences",
        ),
    ];
    for (place, value, holds, wanted) in checks {
        if !holds(value) {
            problems.push(Problem::new(place, format!("{value:?} is not {wanted}")));
        }
    }
}

fn is_slug(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    text.bytes().next().is_some_and(plain) && text.bytes().all(|b| plain(b) || b == b'-')
}

/// A repository that is only on somebody's machine has no address; its card has no links and no entry.
fn is_https_or_none(text: &str) -> bool {
    text.is_empty() || is_https(text)
}

fn is_https(text: &str) -> bool {
    text.strip_prefix("https://")
        .is_some_and(|rest| !rest.is_empty() && !rest.contains(char::is_whitespace))
}

fn is_commit(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// jiff reads more forms than this one, so the date has to print as it was written.
fn is_date(text: &str) -> bool {
    text.parse::<Date>()
        .is_ok_and(|date| date.to_string() == text)
}

fn has_text(text: &str) -> bool {
    !is_blank(text)
}

fn check_order(card: &Scorecard, problems: &mut Vec<Problem>) {
    if !card.criteria.iter().map(|c| c.id).eq(CriterionId::ALL) {
        let found: Vec<_> = card.criteria.iter().map(|c| c.id.to_string()).collect();
        problems.push(Problem::new(
            "criteria",
            format!(
                "C1 to C10 are needed, each once and in order; found {}",
                found.join(" ")
            ),
        ));
    }
}

fn check_critical_findings(card: &Scorecard, problems: &mut Vec<Problem>) {
    for (index, finding) in card.critical_findings.iter().enumerate() {
        let place = format!("critical_findings[{index}] ({})", finding.criterion);
        if !has_text(&finding.summary) {
            problems.push(Problem::new(&place, "a summary is needed"));
        }
        let wanted = evidence::Wanted {
            search: false,
            contains: true,
        };
        evidence::check(&finding.evidence, &place, wanted, problems);
    }
}

fn check_fixes(card: &Scorecard, method: &Method, problems: &mut Vec<Problem>) {
    let most = method.limits.fixes;
    if card.fixes.len() > most {
        problems.push(Problem::new(
            "fixes",
            format!("{} fixes; a card proposes at most {most}", card.fixes.len()),
        ));
    }
    for (index, fix) in card.fixes.iter().enumerate() {
        let place = format!("fixes[{index}]");
        if !has_text(&fix.summary) {
            problems.push(Problem::new(&place, "a summary is needed"));
        }
        if !rises(fix) {
            problems.push(Problem::new(
                &place,
                format!(
                    "{} to {}: a fix raises a level, and levels go from 0 to 4",
                    fix.from_level, fix.to_level
                ),
            ));
        }
    }
}

fn rises(fix: &Fix) -> bool {
    match (fix.from_level, fix.to_level) {
        (Level::Rung(from), Level::Rung(to)) => from < to && to <= Level::MAX,
        _ => false,
    }
}

fn check_reaudit_log(card: &Scorecard, problems: &mut Vec<Problem>) {
    for (index, change) in card.reaudit_log.iter().enumerate() {
        let place = format!("reaudit_log[{index}]");
        for level in [change.from_level, change.to_level] {
            if !level.is_in_range() {
                problems.push(Problem::new(&place, out_of_range(level)));
            }
        }
        if !has_text(&change.reason) {
            problems.push(Problem::new(&place, "a reason is needed"));
        }
    }
}

fn check_limitations(card: &Scorecard, problems: &mut Vec<Problem>) {
    if card.limitations.is_empty() {
        problems.push(Problem::new(
            "limitations",
            "at least one is needed: every review leaves something unexamined",
        ));
    }
}

fn out_of_range(level: Level) -> String {
    format!("{level} is out of range: levels are 0 to 4 or \"SA\"")
}

#[cfg(test)]
mod tests;

//! Literals of which at least one must be in a text that a regular expression matches.
//!
//! They feed the one multi-pattern prefilter: a probe whose literals do not occur in a file is not run on it.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Fewest bytes of a literal that is worth filtering by.
const SHORTEST: usize = 2;
/// More alternatives than this are no longer a filter.
const MOST: usize = 64;

/// Returns lower-case literals, one of which every match of `hir` contains (ASCII case ignored),
/// or `None` when there is no such set of literals of two bytes and more.
pub fn required(hir: &Hir) -> Option<Vec<String>> {
    let mut best = best_of(hir)?;
    best.sort();
    best.dedup();
    (weight(&best) >= SHORTEST && best.len() <= MOST).then_some(best)
}

fn weight(literals: &[String]) -> usize {
    literals.iter().map(String::len).min().unwrap_or(0)
}

fn best_of(hir: &Hir) -> Option<Vec<String>> {
    if let Some(text) = exact(hir) {
        return (!text.is_empty()).then(|| vec![text]);
    }
    match hir.kind() {
        HirKind::Capture(capture) => best_of(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => best_of(&repetition.sub),
        HirKind::Alternation(branches) => {
            let mut all = Vec::new();
            for branch in branches {
                all.extend(best_of(branch)?);
            }
            Some(all)
        }
        HirKind::Concat(parts) => best_of_sequence(parts),
        _ => None,
    }
}

/// Joins neighbouring exact parts, then takes the part with the longest shortest literal.
fn best_of_sequence(parts: &[Hir]) -> Option<Vec<String>> {
    let mut candidates: Vec<Vec<String>> = Vec::new();
    let mut run = String::new();
    for part in parts {
        if let Some(text) = exact(part) {
            run.push_str(&text);
            continue;
        }
        if !run.is_empty() {
            candidates.push(vec![std::mem::take(&mut run)]);
        }
        candidates.extend(best_of(part));
    }
    if !run.is_empty() {
        candidates.push(vec![run]);
    }
    candidates
        .into_iter()
        .max_by_key(|c| (weight(c), std::cmp::Reverse(c.len())))
}

/// The one text that `hir` matches, ASCII case ignored; empty for look-arounds.
fn exact(hir: &Hir) -> Option<String> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Some(String::new()),
        HirKind::Literal(literal) => std::str::from_utf8(&literal.0)
            .ok()
            .map(str::to_ascii_lowercase),
        HirKind::Class(class) => one_letter(class),
        HirKind::Capture(capture) => exact(&capture.sub),
        HirKind::Concat(parts) => parts.iter().map(exact).collect::<Option<String>>(),
        _ => None,
    }
}

/// `[Aa]` is how a case-insensitive letter is represented.
fn one_letter(class: &Class) -> Option<String> {
    let bounds: Vec<(u32, u32)> = match class {
        Class::Unicode(c) => c
            .ranges()
            .iter()
            .map(|r| (u32::from(r.start()), u32::from(r.end())))
            .collect(),
        Class::Bytes(c) => c
            .ranges()
            .iter()
            .map(|r| (u32::from(r.start()), u32::from(r.end())))
            .collect(),
    };
    let letters: Vec<char> = bounds
        .iter()
        .filter(|(a, b)| a == b)
        .filter_map(|(a, _)| char::from_u32(*a))
        .collect();
    match letters.as_slice() {
        [one] if bounds.len() == 1 => Some(one.to_ascii_lowercase().to_string()),
        [a, b] if bounds.len() == 2 && a.eq_ignore_ascii_case(b) => {
            Some(a.to_ascii_lowercase().to_string())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pattern: &str) -> Option<Vec<String>> {
        let hir = regex_syntax::ParserBuilder::new()
            .unicode(false)
            .utf8(false)
            .build()
            .parse(pattern)
            .unwrap();
        required(&hir)
    }

    #[test]
    fn takes_the_longest_part_of_a_sequence() {
        assert_eq!(of(r"\bmax_(iter|step)\w*\s*="), Some(vec!["max_".into()]));
        assert_eq!(
            of(r"subprocess\.(run|Popen)\("),
            Some(vec!["subprocess.".into()])
        );
    }

    #[test]
    fn takes_every_branch_of_an_alternation() {
        assert_eq!(
            of(r"(approve|confirm)\w*"),
            Some(vec!["approve".into(), "confirm".into()])
        );
    }

    #[test]
    fn ignores_case() {
        assert_eq!(of(r"(?i)Sandbox"), Some(vec!["sandbox".into()]));
    }

    #[test]
    fn refuses_what_has_no_literal() {
        assert_eq!(of(r"\w+\s*=\s*\d+"), None);
        assert_eq!(of(r"(foobar|\d+)"), None);
        assert_eq!(of(r"(secret)?x"), None);
    }
}

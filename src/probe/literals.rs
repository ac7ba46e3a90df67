//! Literals of which at least one must be in a text that a regular expression matches.
//!
//! They feed the one multi-pattern prefilter: a probe whose literals do not occur in a file is not run on it.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Fewest bytes of a literal that is worth filtering by.
const SHORTEST: usize = 2;
/// A literal of so many bytes is rare enough; a longer one filters no better.
const LONG: usize = 8;
/// More alternatives than this are no longer a filter.
const MOST: usize = 64;
/// Parts are joined only to so many texts, so that alternations of joined texts stay under [`MOST`].
const JOINED: usize = 16;

/// Returns lower-case literals, one of which every match of `hir` contains (ASCII case ignored),
/// or `None` when there is no such set of literals of two bytes and more.
pub fn required(hir: &Hir) -> Option<Vec<String>> {
    let best = best_of(hir)?;
    (weight(&best) >= SHORTEST && best.len() <= MOST).then_some(best)
}

fn weight(literals: &[String]) -> usize {
    literals.iter().map(String::len).min().unwrap_or(0)
}

/// How well a set filters: by its shortest literal, then by how few there are.
fn worth(literals: &[String]) -> (usize, std::cmp::Reverse<usize>) {
    (
        weight(literals).min(LONG),
        std::cmp::Reverse(literals.len()),
    )
}

fn best_of(hir: &Hir) -> Option<Vec<String>> {
    if let Some(texts) = exact(hir) {
        return (weight(&texts) > 0).then_some(texts);
    }
    match hir.kind() {
        HirKind::Capture(capture) => best_of(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => best_of(&repetition.sub),
        HirKind::Alternation(branches) => {
            let mut all = Vec::new();
            for branch in branches {
                all.extend(best_of(branch)?);
            }
            Some(sorted(all))
        }
        HirKind::Concat(parts) => best_of_sequence(parts),
        _ => None,
    }
}

/// Joins neighbouring parts whose texts are known, then takes the set that filters best.
fn best_of_sequence(parts: &[Hir]) -> Option<Vec<String>> {
    let mut candidates: Vec<Vec<String>> = Vec::new();
    let mut run: Option<Vec<String>> = None;
    for part in parts {
        let Some(texts) = exact(part) else {
            candidates.extend(run.take());
            candidates.extend(best_of(part));
            continue;
        };
        let joined = run.as_ref().and_then(|before| product(before, &texts));
        if joined.is_none() {
            candidates.extend(run.take());
        }
        run = joined.or(Some(texts));
        candidates.extend(run.clone());
    }
    candidates
        .into_iter()
        .filter(|c| weight(c) > 0 && c.len() <= MOST)
        .max_by_key(|c| worth(c))
}

/// Every text of `before` followed by every one of `after`, unless these are too many.
fn product(before: &[String], after: &[String]) -> Option<Vec<String>> {
    if before.len() * after.len() > JOINED {
        return None;
    }
    let mut joined = Vec::new();
    for a in before {
        joined.extend(after.iter().map(|b| format!("{a}{b}")));
    }
    Some(sorted(joined))
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts.dedup();
    texts
}

/// All texts that `hir` matches, ASCII case ignored, when they are few; the empty one for look-arounds.
fn exact(hir: &Hir) -> Option<Vec<String>> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Some(vec![String::new()]),
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).ok()?;
            Some(vec![text.to_ascii_lowercase()])
        }
        HirKind::Class(class) => letters(class),
        HirKind::Capture(capture) => exact(&capture.sub),
        HirKind::Repetition(repetition) if repetition.max == Some(1) => {
            let mut texts = exact(&repetition.sub)?;
            if repetition.min == 0 {
                texts.push(String::new());
            }
            Some(sorted(texts))
        }
        HirKind::Concat(parts) => parts.iter().try_fold(vec![String::new()], |before, part| {
            product(&before, &exact(part)?)
        }),
        HirKind::Alternation(branches) => {
            let texts: Option<Vec<_>> = branches.iter().map(exact).collect();
            let texts = sorted(texts?.concat());
            (texts.len() <= MOST).then_some(texts)
        }
        _ => None,
    }
}

/// Most letters of a class that is spelt out; `[Aa]` is how a case-insensitive letter is represented.
const LETTERS: u32 = 8;

fn letters(class: &Class) -> Option<Vec<String>> {
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
    let size: u32 = bounds.iter().map(|(a, b)| b - a + 1).sum();
    let ascii = bounds.iter().all(|(_, b)| *b < 128);
    if size == 0 || size > LETTERS || !ascii {
        return None;
    }
    let all = bounds.into_iter().flat_map(|(a, b)| a..=b);
    let lower = all
        .filter_map(char::from_u32)
        .map(|letter| letter.to_ascii_lowercase().to_string());
    Some(sorted(lower.collect()))
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
        assert_eq!(
            of(r"\w+ subprocess\.(run|Popen)\("),
            Some(vec![" subprocess.".into()])
        );
    }

    #[test]
    fn joins_what_is_known() {
        assert_eq!(
            of(r"\bmax_?(iter|step)\w*\s*="),
            Some(vec![
                "max_iter".into(),
                "max_step".into(),
                "maxiter".into(),
                "maxstep".into()
            ])
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

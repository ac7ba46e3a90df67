//! Literals of which at least one must be in a text that a regular expression matches.
//!
//! They feed the one multi-pattern prefilter: a probe whose literals do not occur in a file is not run on it.

use std::cmp::Reverse;

use regex_syntax::hir::{Class, Hir, HirKind};

/// Fewest bytes of a literal that is worth filtering by.
const SHORTEST: usize = 2;
/// A literal of so many bytes is rare enough; a longer one filters no better.
const LONG: usize = 8;
/// More alternatives than this are no longer a filter.
const MOST: usize = 128;
/// Parts are joined only to so many texts, so that alternations of joined texts stay under [`MOST`].
const JOINED: usize = 16;
/// Words, and ends of words, that are on every few lines of most programs.
const COMMON: &[&str] = &[
    "action", "app", "args", "async", "await", "base", "call", "case", "class", "code", "config",
    "const", "context", "data", "def", "err", "error", "export", "field", "file", "for", "format",
    "from", "func", "function", "get", "http", "import", "in", "info", "input", "int", "item",
    "key", "list", "map", "message", "model", "name", "new", "nil", "node", "not", "null", "onfig",
    "option", "out", "path", "per", "plugin", "public", "put", "ref", "request", "res", "response",
    "result", "return", "rite", "self", "set", "state", "static", "str", "string", "struct",
    "test", "text", "the", "this", "throw", "tion", "true", "try", "turn", "type", "unction",
    "url", "use", "user", "value", "with", "workflow",
];
/// See [`strength`]; less than that of three bytes.
const COMMON_STRENGTH: usize = 5;
/// Sets that are derived from one pattern.
const SETS: usize = 3;

/// Returns sets of lower-case literals, the best filter first; every match of `hir` contains one literal of each set
/// (ASCII case ignored). None when there is no such set of literals of two bytes and more.
pub fn required(hir: &Hir) -> Vec<Vec<String>> {
    let mut sets = sets_of(hir);
    sets.retain(|set| weight(set) >= SHORTEST && set.len() <= MOST);
    sets.into_iter().map(shortest_only).collect()
}

/// Leaves out literals that hold another one: where they are, that one is.
pub(super) fn shortest_only(mut literals: Vec<String>) -> Vec<String> {
    literals.sort_by_key(String::len);
    let mut kept: Vec<String> = Vec::new();
    for literal in literals {
        if !kept.iter().any(|short| literal.contains(short.as_str())) {
            kept.push(literal);
        }
    }
    sorted(kept)
}

fn weight(literals: &[String]) -> usize {
    literals.iter().map(String::len).min().unwrap_or(0)
}

/// How well a set filters: by its most common literal, then by how few there are.
fn worth(literals: &[String]) -> (usize, Reverse<usize>) {
    (strength(literals), Reverse(literals.len()))
}

/// How rare the most common one of `literals` is, as far as one can tell: the longer, the rarer; but a common word is
/// hardly better than two bytes.
pub(super) fn strength(literals: &[String]) -> usize {
    let rare = |literal: &String| match COMMON.contains(&literal.trim()) {
        true => (2 * literal.len()).min(COMMON_STRENGTH),
        false => 2 * literal.len().min(LONG),
    };
    literals.iter().map(rare).min().unwrap_or(0)
}

fn sets_of(hir: &Hir) -> Vec<Vec<String>> {
    if let Some(texts) = exact(hir) {
        return Vec::from_iter((weight(&texts) > 0).then_some(texts));
    }
    match hir.kind() {
        HirKind::Capture(capture) => sets_of(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => sets_of(&repetition.sub),
        HirKind::Alternation(branches) => sets_of_any(branches),
        HirKind::Concat(parts) => sets_of_sequence(parts),
        _ => Vec::new(),
    }
}

/// What is needed whichever of `branches` matches: the first sets of all together, the second ones, and so on.
fn sets_of_any(branches: &[Hir]) -> Vec<Vec<String>> {
    let by_branch: Vec<_> = branches.iter().map(sets_of).collect();
    let most = by_branch.iter().map(Vec::len).max().unwrap_or(0);
    if by_branch.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let together = |number: usize| {
        let sets = by_branch
            .iter()
            .flat_map(|sets| &sets[number.min(sets.len() - 1)]);
        sorted(sets.cloned().collect())
    };
    (0..most).map(together).collect()
}

/// Joins neighbouring parts whose texts are known, and takes the sets that filter best.
fn sets_of_sequence(parts: &[Hir]) -> Vec<Vec<String>> {
    let mut sets: Vec<Vec<String>> = Vec::new();
    let mut run: Option<Vec<String>> = None;
    let mut best_of_run: Option<Vec<String>> = None;
    for part in parts {
        let texts = exact(part);
        let joined = texts
            .as_ref()
            .and_then(|texts| product(run.as_ref()?, texts));
        if joined.is_none() {
            sets.extend(best_of_run.take());
        }
        if texts.is_none() {
            sets.extend(sets_of(part));
        }
        run = joined.or(texts);
        let better = run.iter().chain(&best_of_run).max_by_key(|set| worth(set));
        best_of_run = better.cloned();
    }
    sets.extend(best_of_run);
    sets.retain(|set| weight(set) > 0 && set.len() <= MOST);
    sets.sort_by_key(|set| Reverse(worth(set)));
    sets.dedup();
    sets.truncate(SETS);
    sets
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
        all_of(pattern).into_iter().next()
    }

    fn all_of(pattern: &str) -> Vec<Vec<String>> {
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
    fn takes_a_set_of_every_part() {
        let sets = all_of(r"\bmax_?\w*(?:steps?|turns)\w*\s*=\s*Field\(|limit\s*=\s*env");
        let expected = [vec!["field(", "limit"], vec!["env", "step", "turns"]];
        assert_eq!(sets, expected);
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

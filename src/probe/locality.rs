//! Where in a text a pattern can match, given where its literals occur.
//!
//! Every match of a text probe contains one of the literals that were derived from its pattern. What a match can hold
//! beside that is bounded for most patterns: they leave a line only in white space (`\s*`), and only so often. So the
//! pattern has to be run on a few lines around each literal, and finds there exactly what it finds in the whole text.

use std::ops::Range;

use memchr::{memchr, memrchr};
use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// A pattern that reaches over more lines is run on whole texts.
const FARTHEST: u32 = 32;

/// Most lines with something on them that a match of `hir` reaches over, beside the one that a literal is on; `None`
/// when there is no bound worth having, or when what is matched depends on where the text begins and ends.
pub(super) fn reach(hir: &Hir) -> Option<u32> {
    breaks(hir).filter(|breaks| *breaks <= FARTHEST)
}

/// How often a match can go from one line with something on it to another.
fn breaks(hir: &Hir) -> Option<u32> {
    match hir.kind() {
        HirKind::Empty => Some(0),
        HirKind::Look(look) => at_lines(*look).then_some(0),
        HirKind::Literal(literal) => {
            u32::try_from(literal.0.iter().filter(|byte| **byte == b'\n').count()).ok()
        }
        HirKind::Class(class) => Some(u32::from(holds_newline(class))),
        HirKind::Capture(capture) => breaks(&capture.sub),
        HirKind::Repetition(repetition) => match repetition.sub.kind() {
            // However long a run of white space is, there is nothing on the lines that lie within.
            HirKind::Class(class) if is_space(class) => Some(1),
            _ => match breaks(&repetition.sub)? {
                0 => Some(0),
                each => each.checked_mul(repetition.max?),
            },
        },
        HirKind::Concat(parts) => parts
            .iter()
            .try_fold(0u32, |sum, part| sum.checked_add(breaks(part)?)),
        HirKind::Alternation(branches) => branches
            .iter()
            .try_fold(0, |most, branch| Some(breaks(branch)?.max(most))),
    }
}

/// Whether `look` holds at a line's end in the same way when the text ends there.
fn at_lines(look: Look) -> bool {
    matches!(
        look,
        Look::StartLF | Look::EndLF | Look::WordAscii | Look::WordAsciiNegate
    )
}

fn bounds(class: &Class) -> Vec<(u32, u32)> {
    match class {
        Class::Unicode(class) => {
            let ranges = class.ranges().iter();
            ranges
                .map(|range| (u32::from(range.start()), u32::from(range.end())))
                .collect()
        }
        Class::Bytes(class) => {
            let ranges = class.ranges().iter();
            ranges
                .map(|range| (u32::from(range.start()), u32::from(range.end())))
                .collect()
        }
    }
}

fn holds_newline(class: &Class) -> bool {
    let newline = u32::from(b'\n');
    bounds(class)
        .iter()
        .any(|(start, end)| (*start..=*end).contains(&newline))
}

fn is_space(class: &Class) -> bool {
    let space = |code: u32| u8::try_from(code).is_ok_and(is_space_byte);
    bounds(class)
        .iter()
        .all(|(start, end)| end - start < 8 && (*start..=*end).all(space))
}

/// What `\s` stands for without Unicode.
fn is_space_byte(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0b | 0x0c | b'\r' | b' ')
}

/// The parts of `text`, in order and apart, that hold every match which contains a literal at one of `places`
/// (ascending) and reaches over at most `reach` lines. Each begins at a line and ends before a line break.
pub(super) fn windows(text: &[u8], places: &[usize], reach: u32) -> Vec<Range<usize>> {
    let mut windows: Vec<Range<usize>> = Vec::new();
    let mut seen = None;
    for &place in places {
        let line = line_start(text, place)..line_end(text, place);
        if seen.replace(line.start) == Some(line.start) {
            continue;
        }
        let end = downwards(text, line.end, reach);
        match windows.last_mut() {
            Some(last) if line.start <= last.end => last.end = last.end.max(end),
            last => {
                let floor = last.as_ref().map_or(0, |last| last.end);
                let start = upwards(text, line.start, floor, reach);
                match last {
                    Some(last) if start <= last.end => last.end = end,
                    _ => windows.push(start..end),
                }
            }
        }
    }
    windows
}

fn line_start(text: &[u8], at: usize) -> usize {
    memrchr(b'\n', &text[..at]).map_or(0, |newline| newline + 1)
}

fn line_end(text: &[u8], at: usize) -> usize {
    memchr(b'\n', &text[at..]).map_or(text.len(), |newline| at + newline)
}

/// Whether there is something on a line.
fn is_filled(line: &[u8]) -> bool {
    !line.iter().all(|byte| is_space_byte(*byte))
}

/// Start of the first of `reach` filled lines above the one at `start`, and of the empty ones above that; what lies
/// before `floor` belongs to another window.
fn upwards(text: &[u8], mut start: usize, floor: usize, reach: u32) -> usize {
    let mut left = reach;
    while start > floor {
        let above = line_start(text, start - 1);
        if is_filled(&text[above..start - 1]) {
            if left == 0 {
                break;
            }
            left -= 1;
        }
        start = above;
    }
    start
}

/// End of the last of `reach` filled lines below the one that ends at `end`, and of the empty ones below that.
fn downwards(text: &[u8], mut end: usize, reach: u32) -> usize {
    let mut left = reach;
    while end < text.len() {
        let below = line_end(text, end + 1);
        if is_filled(&text[end + 1..below]) {
            if left == 0 {
                break;
            }
            left -= 1;
        }
        end = below;
    }
    end
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::compile::{parse, text_regex};
    use super::super::literals;
    use super::super::text::{self, Found};
    use super::*;

    fn reach_of(pattern: &str) -> Option<u32> {
        reach(&parse(pattern).unwrap())
    }

    #[test]
    fn white_space_of_any_length_is_one_break() {
        assert_eq!(reach_of(r"\bexec\([^)\n]*\)$"), Some(0));
        assert_eq!(reach_of(r"^\s*name\s*:\s*\w+"), Some(3));
        assert_eq!(reach_of(r"if\n\s*return|a\nb\nc\nd"), Some(3));
        assert_eq!(reach_of(r"(?:\w+[^;]){0,4}x"), Some(4));
    }

    #[test]
    fn what_has_no_bound_is_run_on_whole_texts() {
        for pattern in [
            r"a[^;]*b",
            r"(?:x\s*)+y",
            r"(?s)a.*b",
            r"\Aexec",
            r"(?-m)exec$",
            r"a[^;]{0,99}b",
        ] {
            assert_eq!(reach_of(pattern), None, "{pattern}");
        }
    }

    #[test]
    fn windows_take_in_empty_lines() {
        let text = b"a\nb\n\n x\n\n\nc\nd\nx";
        let windows = |places: &[usize], reach| -> Vec<(usize, usize)> {
            let windows = windows(text, places, reach);
            windows.iter().map(|part| (part.start, part.end)).collect()
        };
        assert_eq!(windows(&[5], 0), [(4, 9)]);
        assert_eq!(windows(&[5], 1), [(2, 11)]);
        assert_eq!(windows(&[5, 14], 0), [(4, 9), (14, 15)]);
        assert_eq!(windows(&[5, 14], 1), [(2, 11), (12, 15)]);
    }

    fn spans(found: &[Found]) -> Vec<(usize, usize)> {
        found.iter().map(|f| (f.start, f.end)).collect()
    }

    fn pieces(choices: &'static [&'static str], most: usize) -> impl Strategy<Value = String> {
        proptest::collection::vec(proptest::sample::select(choices), 1..most)
            .prop_map(|pieces| pieces.concat())
    }

    const PATTERN: &[&str] = &[
        "key",
        "(?:key|cap)",
        r"\s*",
        r"\s+",
        r"\b",
        r"\B",
        "^",
        "$",
        r"\n",
        r"\w*",
        "[^;]{0,2}",
        ".",
        "=?",
        "(?:x|y\n)?",
        "|cap",
    ];
    const TEXT: &[&str] = &[
        "key", "cap", "\n", "\n", " ", "\r\n", "x", "y", "=", ";", "\t",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn the_same_is_found_as_in_the_whole_text(pattern in pieces(PATTERN, 7), text in pieces(TEXT, 40)) {
            let hir = parse(&pattern).unwrap();
            let (Some(reach), Some(needed)) = (reach(&hir), literals::required(&hir)) else { return Ok(()) };
            prop_assume!(needed.iter().all(|literal| !literal.contains('\n')));
            let places: Vec<usize> = (0..text.len())
                .filter(|at| needed.iter().any(|literal| text[*at..].starts_with(literal.as_str())))
                .collect();
            let regex = text_regex(&pattern).unwrap();
            let whole = text::find(&regex, text.as_bytes(), std::slice::from_ref(&(0..text.len())), 40);
            let parts = text::find(&regex, text.as_bytes(), &windows(text.as_bytes(), &places, reach), 40);
            prop_assert_eq!(spans(&whole), spans(&parts));
        }
    }
}

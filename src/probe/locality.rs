//! Where in a text a pattern can match, given where its literals occur.
//!
//! Every match of a text probe contains one of the literals that were derived from its pattern. What a match can hold
//! beside that is bounded for most patterns: they leave a line only in white space (`\s*`), and only so often; or they
//! go on up to a `)` at the most (`[^)]*`); or there is a longest match. So the pattern has to be run on a few lines
//! around each literal, and finds there exactly what it finds in the whole text.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memrchr, memrchr_iter};
use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// A pattern that reaches over more lines is run on whole texts.
const FARTHEST: u32 = 32;
/// So few lines are not measured otherwise.
const FEW_LINES: usize = 4;
/// A pattern that reaches over more bytes is run on whole texts, too, as far as one can tell.
const FARTHEST_BYTES: usize = 2000;
/// About how many bytes there are from one line break to the next in a program.
const LINE: usize = 40;
/// Marks at which parts of patterns end, with about how many bytes there are from one to the next.
const MARKS: &[(u8, usize)] = &[
    (b'\n', LINE),
    (b'"', 60),
    (b')', 60),
    (b'(', 60),
    (b',', 60),
    (b';', 150),
    (b'}', 150),
    (b'{', 150),
    (b']', 250),
    (b'`', 500),
];

/// How far a match can reach from a literal that it contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Over so many lines with something on them, beside the one that the literal is on.
    Lines(u32),
    /// Over so many of one mark.
    Marks(u8, u32),
    /// So many bytes.
    Bytes(usize),
}

/// How far a match of `hir` reaches, in the measure that keeps it shortest; `None` when there is no bound worth having,
/// or when what is matched depends on where the text begins and ends.
pub(super) fn reach(hir: &Hir) -> Option<Reach> {
    if !hir.properties().look_set().iter().all(at_lines) {
        return None;
    }
    let lines = breaks(hir).filter(|breaks| *breaks <= FARTHEST);
    let lines = lines.map(|lines| (lines as usize * LINE, Reach::Lines(lines)));
    let marks = MARKS.iter().filter_map(|(mark, apart)| {
        let most = most(hir, *mark)?;
        Some((
            (most as usize + 1).checked_mul(*apart)?,
            Reach::Marks(*mark, most),
        ))
    });
    let bytes = hir.properties().maximum_len();
    let bytes = bytes.map(|bytes| (bytes, Reach::Bytes(bytes)));
    let others = marks.chain(bytes).filter(|(far, _)| *far <= FARTHEST_BYTES);
    // Lines are cheapest to find, and other measures are rounded up to them.
    let lines_or_others = lines.filter(|(far, _)| *far <= FEW_LINES * LINE);
    let shortest =
        lines_or_others.or_else(|| lines.into_iter().chain(others).min_by_key(|(far, _)| *far));
    shortest.map(|(_, reach)| reach)
}

/// How many of `mark` a match can hold.
fn most(hir: &Hir, mark: u8) -> Option<u32> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Some(0),
        HirKind::Literal(literal) => u32::try_from(memchr_iter(mark, &literal.0).count()).ok(),
        HirKind::Class(class) => Some(u32::from(holds(class, mark))),
        HirKind::Capture(capture) => most(&capture.sub, mark),
        HirKind::Repetition(repetition) => match most(&repetition.sub, mark)? {
            0 => Some(0),
            each => each.checked_mul(repetition.max?),
        },
        HirKind::Concat(parts) => parts
            .iter()
            .try_fold(0u32, |sum, part| sum.checked_add(most(part, mark)?)),
        HirKind::Alternation(branches) => branches
            .iter()
            .try_fold(0, |all, branch| Some(most(branch, mark)?.max(all))),
    }
}

/// How often a match can go from one line with something on it to another.
fn breaks(hir: &Hir) -> Option<u32> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Some(0),
        HirKind::Literal(literal) => u32::try_from(memchr_iter(b'\n', &literal.0).count()).ok(),
        HirKind::Class(class) => Some(u32::from(holds(class, b'\n'))),
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

fn holds(class: &Class, byte: u8) -> bool {
    let byte = u32::from(byte);
    bounds(class)
        .iter()
        .any(|(start, end)| (*start..=*end).contains(&byte))
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
/// (ascending) and reaches no farther than `reach`. Each begins at a line and ends before a line break.
pub(super) fn windows(text: &[u8], places: &[usize], reach: Reach) -> Vec<Range<usize>> {
    let mut windows: Vec<Range<usize>> = Vec::new();
    let mut seen = None;
    for &place in places {
        let line = line_start(text, place)..line_end(text, place);
        if seen.replace(line.start) == Some(line.start) && matches!(reach, Reach::Lines(_)) {
            continue;
        }
        let end = reach.down(text, place, line.end);
        match windows.last_mut() {
            Some(last) if line.start <= last.end => last.end = last.end.max(end),
            last => {
                let floor = last.as_ref().map_or(0, |last| last.end);
                let start = reach.up(text, place, line.start, floor);
                match last {
                    Some(last) if start <= last.end => last.end = end,
                    _ => windows.push(start..end),
                }
            }
        }
    }
    windows
}

impl Reach {
    /// Start of the line that a match with the literal at `place` can reach upwards; what lies before `floor` belongs
    /// to another window. The literal's line starts at `line`.
    fn up(self, text: &[u8], place: usize, line: usize, floor: usize) -> usize {
        match self {
            Self::Lines(lines) => upwards(text, line, floor, lines),
            Self::Marks(mark, most) => {
                let mut marks = memrchr_iter(mark, &text[floor..place]);
                let first = marks.nth(most as usize);
                line_start(text, first.map_or(floor, |first| floor + first))
            }
            Self::Bytes(bytes) => line_start(text, place.saturating_sub(bytes).max(floor)),
        }
    }

    /// End of the line that a match with the literal at `place` can reach downwards; the literal's line ends at `line`.
    fn down(self, text: &[u8], place: usize, line: usize) -> usize {
        match self {
            Self::Lines(lines) => downwards(text, line, lines),
            Self::Marks(mark, most) => {
                let last = memchr_iter(mark, &text[place..]).nth(most as usize);
                last.map_or(text.len(), |last| line_end(text, place + last))
            }
            Self::Bytes(bytes) => line_end(text, place.saturating_add(bytes).min(text.len())),
        }
    }
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

    fn breaks_of(pattern: &str) -> Option<u32> {
        breaks(&parse(pattern).unwrap())
    }

    fn reach_of(pattern: &str) -> Option<Reach> {
        reach(&parse(pattern).unwrap())
    }

    #[test]
    fn white_space_of_any_length_is_one_break() {
        assert_eq!(breaks_of(r"\bexec\([^)\n]*\)$"), Some(0));
        assert_eq!(breaks_of(r"^\s*name\s*:\s*\w+"), Some(3));
        assert_eq!(breaks_of(r"if\n\s*return|a\nb\nc\nd"), Some(3));
        assert_eq!(breaks_of(r"(?:\w+[^;]){0,4}x"), Some(4));
        assert_eq!(breaks_of(r"a[^;]*b"), None);
    }

    #[test]
    fn the_shortest_measure_is_taken() {
        assert_eq!(reach_of(r"exec\([^)\n]*\)"), Some(Reach::Lines(0)));
        assert_eq!(reach_of(r"exec\([^)]*shell"), Some(Reach::Marks(b')', 0)));
        assert_eq!(reach_of(r"a\(\[[^\]]*\]\s*\)"), Some(Reach::Marks(b']', 1)));
        assert_eq!(reach_of(r"a[^;]{0,99}b"), Some(Reach::Bytes(101)));
    }

    #[test]
    fn what_has_no_bound_is_run_on_whole_texts() {
        for pattern in [
            r"a[^#]*b",
            r"(?:x\s*\W)+y",
            r"(?s)a.*b",
            r"\Aexec",
            r"(?-m)exec$",
        ] {
            assert_eq!(reach_of(pattern), None, "{pattern}");
        }
    }

    #[test]
    fn windows_take_in_empty_lines() {
        let text = b"a\nb\n\n x\n\n\nc\nd\nx";
        let windows = |places: &[usize], reach| -> Vec<(usize, usize)> {
            let windows = windows(text, places, Reach::Lines(reach));
            windows.iter().map(|part| (part.start, part.end)).collect()
        };
        assert_eq!(windows(&[5], 0), [(4, 9)]);
        assert_eq!(windows(&[5], 1), [(2, 11)]);
        assert_eq!(windows(&[5, 14], 0), [(4, 9), (14, 15)]);
        assert_eq!(windows(&[5, 14], 1), [(2, 11), (12, 15)]);
    }

    #[test]
    fn windows_go_to_marks_and_to_the_ends_of_their_lines() {
        let text = b"a)\nb\nx(\n1)\n2)\n3)";
        let ends = |reach| {
            let windows = windows(text, &[5], reach);
            let ends = windows.iter().map(|window| (window.start, window.end));
            ends.collect::<Vec<_>>()
        };
        assert_eq!(ends(Reach::Marks(b')', 0)), [(0, 10)]);
        assert_eq!(ends(Reach::Marks(b')', 1)), [(0, 13)]);
        assert_eq!(ends(Reach::Bytes(1)), [(3, 7)]);
        assert_eq!(ends(Reach::Bytes(99)), [(0, text.len())]);
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
        "[^;]*",
        "[^)]*",
        ";",
        r"\)",
        ".",
        "=?",
        "(?:x|y\n)?",
        "|cap",
    ];
    const TEXT: &[&str] = &[
        "key", "cap", "\n", "\n", " ", "\r\n", "x", "y", "=", ";", ")", "\t",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn the_same_is_found_as_in_the_whole_text(pattern in pieces(PATTERN, 7), text in pieces(TEXT, 40)) {
            let hir = parse(&pattern).unwrap();
            let Some(reach) = reach(&hir) else { return Ok(()) };
            let sets = literals::required(&hir);
            let places = |set: &Vec<String>| -> Vec<usize> {
                (0..text.len())
                    .filter(|at| set.iter().any(|literal| text[*at..].starts_with(literal.as_str())))
                    .collect()
            };
            let regex = text_regex(&pattern).unwrap();
            let whole = text::find(&regex, text.as_bytes(), std::slice::from_ref(&(0..text.len())), |_| true, 40);
            for set in &sets {
                let windows = windows(text.as_bytes(), &places(set), reach);
                let parts = text::find(&regex, text.as_bytes(), &windows, |_| true, 40);
                prop_assert_eq!(spans(&whole), spans(&parts));
            }
        }
    }
}

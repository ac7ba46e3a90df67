//! The cited lines of a file, with a few around them; or the quote, when the file is not at hand.

use serde::Serialize;

use super::highlight::{Token, highlight};
use crate::render::escape::revealed;
use crate::scorecard::LineRange;

/// The text of a file at the card's commit, by its path from the root and with `\n` at line ends;
/// none when it is not at hand.
pub type SourceText<'a> = dyn Fn(&str) -> Option<&'a str> + 'a;

/// Lines shown before and behind the cited ones.
const CONTEXT: usize = 3;
/// Most cited lines that are shown.
const LONGEST: usize = 24;
/// Most characters of a line that are shown.
const WIDEST: usize = 240;

/// Lines of a file, ready to print.
#[derive(Serialize)]
pub(super) struct Excerpt {
    lines: Vec<Line>,
    /// How many cited lines are left out at the end.
    omitted: usize,
}

#[derive(Serialize)]
struct Line {
    /// Counted from 1; none for a quote, whose line is known only roughly.
    number: Option<usize>,
    cited: bool,
    tokens: Vec<Token>,
}

impl Excerpt {
    /// The lines around `range` of the file `name`; none when the file is shorter.
    pub(super) fn of_file(name: &str, text: &str, range: LineRange) -> Option<Self> {
        let (first, last) = (range.first as usize, range.last as usize);
        let shown_last = last.min(first.saturating_add(LONGEST - 1));
        let omitted = last - shown_last;
        let behind = if omitted == 0 { CONTEXT } else { 0 };
        let start = first.saturating_sub(CONTEXT).max(1);
        let lines: Vec<String> = text
            .lines()
            .skip(start - 1)
            .take(shown_last + behind + 1 - start)
            .map(shown)
            .collect();
        if start + lines.len() <= first {
            return None;
        }
        let numbered = (start..).zip(highlight(name, lines.iter().map(String::as_str)));
        let line = |(number, tokens)| Line {
            number: Some(number),
            cited: (first..=last).contains(&number),
            tokens,
        };
        Some(Self {
            lines: numbered.map(line).collect(),
            omitted,
        })
    }

    /// What a card quotes from the file `name`.
    pub(super) fn of_quote(name: &str, quote: &str) -> Self {
        let lines: Vec<String> = quote.lines().take(LONGEST).map(shown).collect();
        let line = |tokens| Line {
            number: None,
            cited: true,
            tokens,
        };
        let coloured = highlight(name, lines.iter().map(String::as_str));
        Self {
            omitted: quote.lines().count() - lines.len(),
            lines: coloured.into_iter().map(line).collect(),
        }
    }
}

fn shown(line: &str) -> String {
    let line = revealed(line);
    match line.char_indices().nth(WIDEST) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str, lines: &str) -> Option<(Vec<usize>, Vec<usize>, usize)> {
        let range = LineRange::parse(lines).unwrap();
        let excerpt = Excerpt::of_file("a.txt", text, range)?;
        let numbers = |cited: bool| {
            let lines = excerpt.lines.iter().filter(move |line| line.cited == cited);
            lines.filter_map(|line| line.number).collect()
        };
        Some((numbers(true), numbers(false), excerpt.omitted))
    }

    #[test]
    fn context_ends_with_the_file() {
        let text = "a\nb\nc\nd\ne\nf\n";
        assert_eq!(numbers(text, "1"), Some((vec![1], vec![2, 3, 4], 0)));
        assert_eq!(numbers(text, "5-6"), Some((vec![5, 6], vec![2, 3, 4], 0)));
        assert_eq!(numbers(text, "7"), None);
        assert_eq!(numbers("", "1"), None);
    }

    #[test]
    fn a_long_range_is_cut_and_says_so() {
        let text = "x\n".repeat(500);
        let (cited, around, omitted) = numbers(&text, "10-400").unwrap();
        assert_eq!((cited.len(), around, omitted), (24, vec![7, 8, 9], 367));
        assert!(numbers(&text, "1-4294967295").is_some());
    }

    #[test]
    fn what_cannot_be_seen_is_named() {
        assert_eq!(shown("\ta\u{202E}b\u{1b}"), "\ta⟨U+202E⟩b⟨U+001B⟩");
        assert_eq!(shown(&"x".repeat(300)).chars().count(), 241);
    }
}

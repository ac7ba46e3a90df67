//! Running text of a page: inert, with the code spans of a card's sentences as such.

use serde::Serialize;

use crate::render::escape::plain;

/// A stretch of running text.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Piece {
    code: bool,
    text: String,
}

/// A sentence, cut at its code spans (`` `…` ``). A backtick that opens none stays a backtick.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let text = plain(text);
    let mut pieces = Vec::new();
    let mut rest = text.as_str();
    while let Some((before, span, after)) = next_span(rest) {
        push(&mut pieces, false, before);
        push(&mut pieces, true, span);
        rest = after;
    }
    push(&mut pieces, false, rest);
    pieces
}

/// The text before the first code span, the span's, and what follows it.
fn next_span(text: &str) -> Option<(&str, &str, &str)> {
    let (before, opened) = text.split_once('`')?;
    let (span, after) = opened.split_once('`')?;
    (!span.is_empty()).then_some((before, span, after))
}

fn push(pieces: &mut Vec<Piece>, code: bool, text: &str) {
    if !text.is_empty() {
        let text = text.to_owned();
        pieces.push(Piece { code, text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str) -> String {
        let mark = |piece: Piece| match piece.code {
            true => format!("[{}]", piece.text),
            false => piece.text,
        };
        pieces(text).into_iter().map(mark).collect()
    }

    #[test]
    fn code_spans_are_told_from_text() {
        assert_eq!(marked("Set `a` and `b c`."), "Set [a] and [b c].");
        assert_eq!(marked("No span"), "No span");
        assert_eq!(marked("`all`"), "[all]");
    }

    #[test]
    fn a_backtick_that_opens_nothing_stays() {
        assert_eq!(marked("a ` b"), "a ` b");
        assert_eq!(marked("a `` b"), "a `` b");
        assert_eq!(marked(""), "");
    }
}

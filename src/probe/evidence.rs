//! What a probe finds.

use std::collections::BTreeMap;

use memchr::memchr2_iter;
use serde::{Deserialize, Serialize};

/// Longest quote kept of a hit, in bytes.
const QUOTE: usize = 160;

/// One place where a probe hit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hit {
    /// Index of the probe in its set.
    pub probe: usize,
    /// Index of the file in the inventory; a hit that is kept for another audit has none.
    #[serde(skip)]
    pub file: usize,
    /// First line, from 1.
    pub first: u32,
    /// Last line.
    pub last: u32,
    /// A literal of the first line.
    pub quote: String,
    /// Named captures.
    pub captures: BTreeMap<String, String>,
}

/// Maps byte offsets of one text to lines.
pub struct Lines<'t> {
    text: &'t [u8],
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// Indexes the lines of `text`; LF, CRLF and a lone CR end a line, as they do when a card is verified.
    pub fn new(text: &'t [u8]) -> Self {
        let ends = |at: &usize| text[*at] == b'\n' || text.get(at + 1) != Some(&b'\n');
        let after = memchr2_iter(b'\n', b'\r', text)
            .filter(ends)
            .map(|at| at + 1);
        Self {
            text,
            starts: std::iter::once(0).chain(after).collect(),
        }
    }

    /// Line of the byte at `offset`, from 1.
    pub fn line(&self, offset: usize) -> u32 {
        u32::try_from(self.starts.partition_point(|start| *start <= offset)).unwrap_or(u32::MAX)
    }

    /// Offset of the first byte of `line`.
    pub fn start(&self, line: u32) -> usize {
        self.starts
            .get(line as usize - 1)
            .copied()
            .unwrap_or(self.text.len())
    }

    /// The bytes of `line`, without its end.
    pub fn text(&self, line: u32) -> &'t [u8] {
        let start = self.start(line).min(self.text.len());
        let end = self
            .starts
            .get(line as usize)
            .map_or(self.text.len(), |next| next - 1);
        let bytes = &self.text[start..end.max(start)];
        bytes.strip_suffix(b"\r").unwrap_or(bytes)
    }

    /// The first and last line of a match and the part of the first line that can be quoted.
    pub fn locate(&self, start: usize, end: usize) -> (u32, u32, String) {
        let skipped = self.text[start..end]
            .iter()
            .take_while(|b| b.is_ascii_whitespace())
            .count();
        let start = if start + skipped < end {
            start + skipped
        } else {
            start
        };
        let first = self.line(start);
        let last = self.line(end.saturating_sub(1).max(start));
        let line_end = self.start(first) + self.text(first).len();
        let stop = end.min(line_end).max(start);
        (first, last, quote(&self.text[start..stop]))
    }
}

/// Cuts `bytes` to something that can stand in a card as a literal of its line.
pub fn quote(bytes: &[u8]) -> String {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    };
    let mut end = text.len().min(QUOTE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_count_from_one() {
        let lines = Lines::new(b"one\ntwo\r\nthree");
        assert_eq!(
            (lines.line(0), lines.line(3), lines.line(4), lines.line(13)),
            (1, 1, 2, 3)
        );
        assert_eq!(lines.text(2), b"two");
        assert_eq!(lines.locate(4, 14), (2, 3, "two".into()));
    }

    #[test]
    fn a_lone_carriage_return_ends_a_line() {
        let lines = Lines::new(b"one\rtwo\r\nthree");
        assert_eq!((lines.line(4), lines.line(9)), (2, 3));
        assert_eq!((lines.text(1), lines.text(2)), (&b"one"[..], &b"two"[..]));
    }

    #[test]
    fn quotes_are_cut_at_a_character() {
        let long = "é".repeat(200);
        assert!(quote(long.as_bytes()).len() <= QUOTE);
        assert_eq!(quote(b"ok \xff\xfe"), "ok");
    }
}

//! Splits JSON with comments into tokens. No text is refused here, and the time is linear.

use std::ops::Range;

/// A token of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'t> {
    /// `{` (true) or `[`.
    Open(bool),
    /// `}` (true) or `]`.
    Close(bool),
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// A string with its quotes. One that is not closed ends, without a quote, with its line.
    String(&'t str),
    /// Anything else: a number, a word.
    Bare(&'t str),
}

/// The tokens of a text with their places, comments and blanks left out.
pub struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Tokens<'t> {
    /// Reads `text`.
    pub fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    fn skip_blanks_and_comments(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            let comment = if trimmed.starts_with("//") {
                trimmed.find('\n')
            } else if let Some(inner) = trimmed.strip_prefix("/*") {
                inner.find("*/").map(|end| end + 4)
            } else {
                return;
            };
            self.at += comment.unwrap_or(trimmed.len());
        }
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = (Token<'t>, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blanks_and_comments();
        let rest = &self.text[self.at..];
        let (token, length) = match rest.bytes().next()? {
            b'{' => (Token::Open(true), 1),
            b'[' => (Token::Open(false), 1),
            b'}' => (Token::Close(true), 1),
            b']' => (Token::Close(false), 1),
            b',' => (Token::Comma, 1),
            b':' => (Token::Colon, 1),
            quote @ (b'"' | b'\'') => {
                let length = string_length(rest, quote);
                (Token::String(&rest[..length]), length)
            }
            _ => {
                let length = bare_length(rest);
                (Token::Bare(&rest[..length]), length)
            }
        };
        let start = self.at;
        self.at += length;
        Some((token, start..self.at))
    }
}

/// Length of the string that `rest` begins with, up to its closing quote or the end of its line.
fn string_length(rest: &str, quote: u8) -> usize {
    let mut escaped = false;
    for (at, byte) in rest.bytes().enumerate().skip(1) {
        match byte {
            b'\n' => return at,
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            _ if byte == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

fn bare_length(rest: &str) -> usize {
    let ends = |c: char| c.is_whitespace() || "{}[],:\"'/".contains(c);
    let first = rest.chars().next().map_or(0, char::len_utf8);
    rest[first..]
        .find(ends)
        .map_or(rest.len(), |length| first + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<&str> {
        Tokens::new(text).map(|(_, range)| &text[range]).collect()
    }

    #[test]
    fn tokens_of_all_kinds() {
        assert_eq!(
            tokens("{\"a\\\"b\" :[-1.5e+3,true/**/]}\n'é'\u{a0}x"),
            [
                "{",
                "\"a\\\"b\"",
                ":",
                "[",
                "-1.5e+3",
                ",",
                "true",
                "]",
                "}",
                "'é'",
                "x"
            ]
        );
    }

    #[test]
    fn comments_are_no_tokens_but_in_strings() {
        assert_eq!(
            tokens("/**/ /***/ 1 // \"x\"\n\"// y\" /* \n z"),
            ["1", "\"// y\""]
        );
    }

    #[test]
    fn open_ends() {
        assert_eq!(tokens("\"a\n\"b\\"), ["\"a", "\"b\\"]);
        assert_eq!(tokens("/ a/"), ["/", "a", "/"]);
    }
}

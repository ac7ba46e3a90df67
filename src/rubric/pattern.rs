//! Regular expressions over captures, paths and texts of facts.

use std::sync::OnceLock;

use regex::Regex;

/// A regular expression with Unicode, which compiles its large tables only when a text asks for them.
///
/// Most texts are ASCII, and on those an automaton over bytes finds the same: classes, word boundaries and letter case
/// differ beyond ASCII only. It compiles many times faster, and a rubric has hundreds.
#[derive(Debug)]
pub struct Pattern {
    source: String,
    /// For texts in ASCII; none for a pattern that has another meaning without Unicode, or none.
    ascii: Option<regex::bytes::Regex>,
    unicode: OnceLock<Result<Regex, String>>,
}

impl Pattern {
    /// Compiles `source`.
    ///
    /// # Errors
    /// A message when it is no regular expression.
    pub fn new(source: &str) -> Result<Self, String> {
        // A letter beyond ASCII may stand for one of it: with `(?i)`, `ſ` is an `s`.
        let build = || {
            regex::bytes::RegexBuilder::new(source)
                .unicode(false)
                .build()
        };
        let ascii = source.is_ascii().then(build).and_then(Result::ok);
        let pattern = Self {
            source: source.to_owned(),
            ascii,
            unicode: OnceLock::new(),
        };
        if pattern.ascii.is_none() {
            pattern.unicode()?;
        }
        Ok(pattern)
    }

    /// Whether it matches somewhere in `text`.
    ///
    /// # Errors
    /// A message when it is too large with Unicode.
    pub fn is_match(&self, text: &str) -> Result<bool, String> {
        match self.ascii.as_ref().filter(|_| text.is_ascii()) {
            Some(ascii) => Ok(ascii.is_match(text.as_bytes())),
            None => Ok(self.unicode()?.is_match(text)),
        }
    }

    fn unicode(&self) -> Result<&Regex, String> {
        let compile = || Regex::new(&self.source).map_err(|e| e.to_string());
        self.unicode
            .get_or_init(compile)
            .as_ref()
            .map_err(Clone::clone)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_no_expression_is_refused() {
        assert!(Pattern::new("(").is_err());
        assert!(Pattern::new(r"\p{Greek}").unwrap().is_match("λ").unwrap());
        assert!(!Pattern::new(r"\p{Greek}").unwrap().is_match("l").unwrap());
    }

    const PATTERN: &[&str] = &[
        "(?i)",
        "k",
        "S",
        r"\w+",
        r"\b",
        ".",
        "[^k]",
        "^",
        "$",
        "(a|é)",
        r"\s",
        r"\d{1,2}",
        "[[:alpha:]]",
        "(?-u:k)",
        "ſ",
    ];
    const TEXT: &[&str] = &[
        "k", "K", "s", "\u{17f}", "\u{212a}", "é", "a", " ", "\n", "7", "٣", "_",
    ];

    fn pieces(choices: &'static [&'static str]) -> impl Strategy<Value = String> {
        proptest::collection::vec(proptest::sample::select(choices), 1..6)
            .prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn it_matches_as_with_unicode(source in pieces(PATTERN), text in pieces(TEXT)) {
            let Ok(regex) = Regex::new(&source) else { return Ok(()) };
            let pattern = Pattern::new(&source).unwrap();
            prop_assert_eq!(pattern.is_match(&text).unwrap(), regex.is_match(&text));
        }
    }
}

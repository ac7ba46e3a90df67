//! Compiles a query's patterns the way ripgrep does, and tells which ones only newer versions of ripgrep can read.

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use regex_syntax::ast::{self, AssertionKind, Ast, GroupKind, LiteralKind};

use super::error::SearchError;
use super::query::{Boundary, Case, Query};

/// ripgrep allows 100 MB for a compiled pattern; a tenth is far more than an honest one takes.
const SIZE_LIMIT: usize = 10 << 20;
/// Memory for the lazily built automaton; with less the search gets slower, not different.
const CACHE_LIMIT: usize = 2 << 20;

/// Compiles the patterns of `query` with ripgrep's defaults: Unicode, `^` and `$` at lines, no match across lines
/// except with `-U`.
pub(super) fn compile(query: &Query) -> Result<RegexMatcher, SearchError> {
    let mut builder = RegexMatcherBuilder::new();
    builder
        .multi_line(true)
        .unicode(true)
        .octal(false)
        .fixed_strings(query.fixed_strings)
        .case_insensitive(query.case == Case::Insensitive)
        .case_smart(query.case == Case::Smart)
        .word(query.boundary == Some(Boundary::Word))
        .whole_line(query.boundary == Some(Boundary::Line))
        .size_limit(SIZE_LIMIT)
        .dfa_size_limit(CACHE_LIMIT)
        .ban_byte(Some(b'\0'));
    if !query.multiline {
        builder.line_terminator(Some(b'\n'));
    }
    let error = |error: grep_regex::Error| SearchError::Pattern {
        patterns: query.patterns.join(" | "),
        error: error.to_string(),
    };
    builder.build_many(&query.patterns).map_err(error)
}

/// Why a pattern cannot be recorded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// It is no regular expression.
    #[error("pattern `{pattern}` is malformed: {error}")]
    Malformed {
        /// The pattern.
        pattern: String,
        /// What the parser says.
        error: String,
    },
    /// ripgrep 13, which distributions still ship, does not understand a part of it.
    #[error(
        "pattern `{pattern}`: `{part}` is not understood by older versions of ripgrep; write {instead}"
    )]
    TooNew {
        /// The pattern.
        pattern: String,
        /// The part in question.
        part: String,
        /// How to write it.
        instead: &'static str,
    },
}

/// Checks that every ripgrep since version 13 reads `pattern`, so that a recorded search can be repeated anywhere.
///
/// # Errors
/// When the pattern is malformed, or holds a needless escape (`\/`, `\"`), a word-boundary of the newer kinds
/// (`\<`, `\b{start}`) or a group written `(?<name>…)`.
pub fn check_portable(pattern: &str) -> Result<(), PatternError> {
    let malformed = |error: ast::Error| PatternError::Malformed {
        pattern: pattern.to_owned(),
        error: error.kind().to_string(),
    };
    let tree = ast::parse::Parser::new()
        .parse(pattern)
        .map_err(malformed)?;
    match ast::visit(&tree, Portable) {
        Ok(()) => Ok(()),
        Err((span, instead)) => {
            let part = pattern
                .get(span.start.offset..span.end.offset)
                .unwrap_or(pattern)
                .to_owned();
            Err(PatternError::TooNew {
                pattern: pattern.to_owned(),
                part,
                instead,
            })
        }
    }
}

/// Stops at the first part that ripgrep 13 refuses.
struct Portable;

type Refusal = (ast::Span, &'static str);

impl Portable {
    fn literal(literal: &ast::Literal) -> Result<(), Refusal> {
        match literal.kind {
            LiteralKind::Superfluous => Err((literal.span, "the character without the backslash")),
            _ => Ok(()),
        }
    }
}

impl ast::Visitor for Portable {
    type Output = ();
    type Err = Refusal;

    fn finish(self) -> Result<(), Refusal> {
        Ok(())
    }

    fn visit_pre(&mut self, node: &Ast) -> Result<(), Refusal> {
        match node {
            Ast::Literal(literal) => Self::literal(literal),
            Ast::Assertion(assertion) => match assertion.kind {
                AssertionKind::StartLine
                | AssertionKind::EndLine
                | AssertionKind::StartText
                | AssertionKind::EndText
                | AssertionKind::WordBoundary
                | AssertionKind::NotWordBoundary => Ok(()),
                _ => Err((assertion.span, r"\b")),
            },
            Ast::Group(group) => match &group.kind {
                GroupKind::CaptureName {
                    starts_with_p: false,
                    ..
                } => Err((group.span, "(?P<name>…) or a group without a name")),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn visit_class_set_item_pre(&mut self, item: &ast::ClassSetItem) -> Result<(), Refusal> {
        match item {
            ast::ClassSetItem::Literal(literal) => Self::literal(literal),
            ast::ClassSetItem::Range(range) => {
                Self::literal(&range.start).and_then(|()| Self::literal(&range.end))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
#[allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a broken test set-up has to stop the test"
)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_hand_made_cards_are_portable() {
        for pattern in [
            r"169\.254|is_loopback",
            r#""untrusted""#,
            r"\bcredential",
            r"\.(push|clone_from)\(",
            r"max_cost\-x",
            "(?i)a",
            "(?P<n>x)+",
            "[]a&&b]",
            "",
        ] {
            assert_eq!(check_portable(pattern), Ok(()), "{pattern}");
        }
    }

    #[test]
    fn newer_syntax_is_refused_with_the_part_and_a_way_out() {
        for (pattern, part) in [
            (r"a\/b", r"\/"),
            (r#"x[\"']"#, r#"\""#),
            (r"\<word", r"\<"),
            (r"\b{start}w", r"\b{start}"),
            (r"[!-\:]", r"\:"),
        ] {
            match check_portable(pattern) {
                Err(PatternError::TooNew { part: found, .. }) => assert_eq!(found, part),
                other => panic!("{pattern}: {other:?}"),
            }
        }
        assert!(matches!(
            check_portable("(?<n>x)"),
            Err(PatternError::TooNew { .. })
        ));
        assert!(matches!(
            check_portable("a("),
            Err(PatternError::Malformed { .. })
        ));
    }
}

//! Reads the command of a recorded search. No shell is involved: the words are split the way a POSIX shell splits
//! them, and everything that is not a known flag or the one pattern is refused.

use super::flags::{self, Action};
use super::query::Query;

/// Why a recorded command is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// A quote is not closed, or the command ends in a backslash.
    #[error("a quote in the command is not closed: {0}")]
    Quotes(String),
    /// The first word is not `rg`.
    #[error("a recorded search starts with `rg`, not with `{0}`")]
    NotRipgrep(String),
    /// A flag that no recorded search may have.
    #[error("flag {flag} is refused: {reason}")]
    Flag {
        /// The flag as written.
        flag: String,
        /// Why, and what to use instead.
        reason: &'static str,
    },
    /// A flag whose value is missing.
    #[error("flag {0} needs a value")]
    NoValue(String),
    /// No pattern.
    #[error("the command has no pattern")]
    NoPattern,
    /// A word after the pattern.
    #[error(
        "`{0}` stands where a path would: paths belong in the scope, and a pattern with spaces in quotes"
    )]
    Path(String),
}

impl Query {
    /// Reads `command`, a line such as `rg -n -i 'a|b' -g '!*_test.go'`.
    ///
    /// # Errors
    /// When the command is not `rg` with known flags and one pattern (or several with `-e`).
    pub fn parse(command: &str) -> Result<Self, CommandError> {
        let words =
            shlex::split(command).ok_or_else(|| CommandError::Quotes(command.to_owned()))?;
        let mut words = words.into_iter();
        let program = words.next().unwrap_or_default();
        if program != "rg" {
            return Err(CommandError::NotRipgrep(program));
        }
        let mut query = Self::default();
        let mut operands = Vec::new();
        while let Some(word) = words.next() {
            if word == "--" {
                operands.extend(words.by_ref());
            } else if let Some(flag) = word.strip_prefix("--") {
                query.long_flag(flag, &mut words)?;
            } else if word.len() > 1 && word.starts_with('-') {
                query.short_flags(&word, &mut words)?;
            } else {
                operands.push(word);
            }
        }
        query.take_operands(operands)?;
        Ok(query)
    }

    /// Without `-e` the first operand is the pattern; every other one would be a path.
    fn take_operands(&mut self, operands: Vec<String>) -> Result<(), CommandError> {
        let mut operands = operands.into_iter();
        if self.patterns.is_empty() {
            self.patterns
                .push(operands.next().ok_or(CommandError::NoPattern)?);
        }
        operands
            .next()
            .map_or(Ok(()), |word| Err(CommandError::Path(word)))
    }

    fn long_flag(
        &mut self,
        flag: &str,
        rest: &mut impl Iterator<Item = String>,
    ) -> Result<(), CommandError> {
        let (name, value) = match flag.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (flag, None),
        };
        let refuse = |reason| CommandError::Flag {
            flag: format!("--{name}"),
            reason,
        };
        match flags::by_name(name) {
            Action::Value(set) => {
                let value = value.or_else(|| rest.next());
                set(
                    self,
                    value.ok_or_else(|| CommandError::NoValue(format!("--{name}")))?,
                );
            }
            Action::Switch(set) if value.is_none() => set(self),
            Action::Switch(_) => return Err(refuse("it takes no value")),
            Action::Refuse(reason) => return Err(refuse(reason)),
        }
        Ok(())
    }

    /// Reads the letters of one word: switches may be joined, and a value may follow its letter (`-g'*.go'`, `-g=*.go`).
    fn short_flags(
        &mut self,
        word: &str,
        rest: &mut impl Iterator<Item = String>,
    ) -> Result<(), CommandError> {
        for (at, letter) in word.char_indices().skip(1) {
            match flags::by_letter(letter) {
                Action::Switch(set) => set(self),
                Action::Value(set) => {
                    let value = match &word[at + letter.len_utf8()..] {
                        "" => rest.next(),
                        joined => Some(joined.strip_prefix('=').unwrap_or(joined).to_owned()),
                    };
                    set(
                        self,
                        value.ok_or_else(|| CommandError::NoValue(format!("-{letter}")))?,
                    );
                    return Ok(());
                }
                Action::Refuse(reason) => {
                    return Err(CommandError::Flag {
                        flag: format!("-{letter}"),
                        reason,
                    });
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a broken test set-up has to stop the test"
)]
mod tests {
    use super::super::query::{Boundary, Case, Output};
    use super::*;

    fn parse(command: &str) -> Query {
        Query::parse(command).expect(command)
    }

    fn refused(command: &str) -> String {
        Query::parse(command).expect_err(command).to_string()
    }

    #[test]
    fn flags_may_stand_before_and_after_the_pattern() {
        let query = parse(r#"rg -n -i -g '*.go' "os/exec|exec\.Command" -g '!*_test.go' --hidden"#);
        assert_eq!(query.patterns, [r"os/exec|exec\.Command"]);
        assert_eq!(query.selection.globs, ["*.go", "!*_test.go"]);
        assert!(query.line_numbers && query.selection.hidden && query.case == Case::Insensitive);
    }

    #[test]
    fn short_flags_join_and_take_their_value_in_three_ways() {
        let expected = parse("rg -n -i -w -t py -e a -g '*.py'");
        assert_eq!(parse("rg -niwtpy -ea -g=*.py"), expected);
        assert_eq!(
            parse(
                "rg --line-number --ignore-case --word-regexp --type=py --regexp a --glob '*.py'"
            ),
            expected
        );
    }

    #[test]
    fn the_last_of_contradicting_flags_counts() {
        assert_eq!(parse("rg -i -S a").case, Case::Smart);
        assert_eq!(parse("rg -S -s a").case, Case::Sensitive);
        assert_eq!(parse("rg -w -x a").boundary, Some(Boundary::Line));
        assert!(!parse("rg -n -N a").line_numbers);
        assert_eq!(parse("rg -c -l a").output, Output::Paths);
    }

    #[test]
    fn several_patterns_need_e_and_dashes_need_e_or_a_double_dash() {
        assert_eq!(
            parse("rg -n -e cap-drop -e --network").patterns,
            ["cap-drop", "--network"]
        );
        assert_eq!(parse("rg -n -- --network").patterns, ["--network"]);
        assert_eq!(parse("rg -").patterns, ["-"]);
        assert_eq!(parse("rg -n ''").patterns, [""]);
        assert_eq!(refused("rg -n"), "the command has no pattern");
        assert_eq!(refused("rg -e"), "flag -e needs a value");
    }

    #[test]
    fn paths_and_other_programs_are_refused() {
        assert!(refused("rg -n a src").starts_with("`src` stands where a path would"));
        assert!(refused("rg -e a src").starts_with("`src` stands where a path would"));
        assert!(refused("grep -rn a").contains("not with `grep`"));
        assert!(refused("").contains("not with ``"));
        assert!(refused("rg 'a").contains("not closed"));
    }

    #[test]
    fn a_refused_flag_is_named_with_its_reason() {
        assert_eq!(
            refused("rg --pre=cat a"),
            "flag --pre is refused: it runs a program on every file"
        );
        assert!(
            refused("rg -nz a").starts_with("flag -z is refused: it runs programs that decompress")
        );
        assert!(refused("rg -f list").starts_with("flag -f is refused: it reads patterns"));
        assert!(refused("rg --follow a").starts_with("flag --follow is refused: it follows links"));
        assert!(refused("rg -P a").starts_with("flag -P is refused: not every ripgrep has PCRE2"));
        assert!(
            refused("rg -niE utf-8 a")
                .starts_with("flag -E is refused: a recorded search has only")
        );
        assert!(
            refused("rg --hidden=yes a").starts_with("flag --hidden is refused: it takes no value")
        );
    }
}

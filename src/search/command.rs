//! Reads the command of a recorded search. No shell is involved: the words are split the way a POSIX shell splits
//! them, and everything that is not a known flag or the one pattern is refused.

/// What a recorded command asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The patterns; a line matches when any of them does.
    pub patterns: Vec<String>,
    /// `-F`: the patterns are literals.
    pub fixed_strings: bool,
    /// `-i`, `-s`, `-S`; the last one given counts.
    pub case: Case,
    /// `-w`, `-x`; the last one given counts.
    pub boundary: Option<Boundary>,
    /// `-U`: a match may span lines.
    pub multiline: bool,
    /// `-v`: print the lines that do not match.
    pub invert_match: bool,
    /// `-o`: print the matches, each on a line of its own.
    pub only_matching: bool,
    /// `-n`: print line numbers.
    pub line_numbers: bool,
    /// `-H`: print paths, also when only one file is searched.
    pub with_filename: bool,
    /// Lines, or one line a file.
    pub output: Output,
    /// Which files are looked at.
    pub selection: Selection,
}

/// How letters compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Case {
    /// As written (ripgrep's default, and `-s`).
    #[default]
    Sensitive,
    /// `-i`.
    Insensitive,
    /// `-S`: insensitive when the pattern holds no upper-case letter.
    Smart,
}

/// What has to surround a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// `-w`.
    Word,
    /// `-x`.
    Line,
}

/// What is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Output {
    /// Matching lines.
    #[default]
    Lines,
    /// `-c`: a count for each file with matches.
    Counts,
    /// `-l`: the path of each file with matches.
    Paths,
}

/// The flags that choose files.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Selection {
    /// `--hidden`.
    pub hidden: bool,
    /// `--no-ignore`.
    pub no_ignore: bool,
    /// `-g`, in order.
    pub globs: Vec<String>,
    /// `-t` and `-T`, in order.
    pub types: Vec<TypeChoice>,
}

/// One `-t NAME` or `-T NAME`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TypeChoice {
    /// `-t`.
    Only(String),
    /// `-T`.
    Not(String),
}

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
    /// Two flags that contradict each other.
    #[error("-c and -l exclude each other: keep one")]
    CountAndPaths,
    /// No pattern.
    #[error("the command has no pattern")]
    NoPattern,
    /// A word after the pattern.
    #[error("`{0}` stands where a path would: paths belong in the scope, and a pattern with spaces in quotes")]
    Path(String),
}

/// A flag without a value.
#[derive(Clone, Copy)]
enum Switch {
    LineNumbers,
    NoLineNumbers,
    Filename,
    NoHeading,
    IgnoreCase,
    CaseSensitive,
    SmartCase,
    Word,
    Line,
    Fixed,
    Multiline,
    Invert,
    OnlyMatching,
    Count,
    Paths,
    Hidden,
    NoIgnore,
}

/// A flag with a value.
#[derive(Clone, Copy)]
enum Valued {
    Pattern,
    Glob,
    Type,
    TypeNot,
}

const SWITCHES: [(&str, &str, Switch); 17] = [
    ("n", "line-number", Switch::LineNumbers),
    ("N", "no-line-number", Switch::NoLineNumbers),
    ("H", "with-filename", Switch::Filename),
    ("", "no-heading", Switch::NoHeading),
    ("i", "ignore-case", Switch::IgnoreCase),
    ("s", "case-sensitive", Switch::CaseSensitive),
    ("S", "smart-case", Switch::SmartCase),
    ("w", "word-regexp", Switch::Word),
    ("x", "line-regexp", Switch::Line),
    ("F", "fixed-strings", Switch::Fixed),
    ("U", "multiline", Switch::Multiline),
    ("v", "invert-match", Switch::Invert),
    ("o", "only-matching", Switch::OnlyMatching),
    ("c", "count", Switch::Count),
    ("l", "files-with-matches", Switch::Paths),
    (".", "hidden", Switch::Hidden),
    ("", "no-ignore", Switch::NoIgnore),
];

const VALUED: [(&str, &str, Valued); 4] = [
    ("e", "regexp", Valued::Pattern),
    ("g", "glob", Valued::Glob),
    ("t", "type", Valued::Type),
    ("T", "type-not", Valued::TypeNot),
];

const UNKNOWN: &str = "recorded searches use -n -i -s -S -w -x -F -U -v -o -c -l -e -g -t -T --hidden --no-ignore only";

/// Flags whose refusal deserves a reason of its own.
const REFUSED: [(&str, &str, &str); 8] = [
    ("", "pre", "it runs a program on every file"),
    ("", "pre-glob", "it belongs to --pre, which runs a program on every file"),
    ("z", "search-zip", "it runs decompression programs"),
    ("f", "file", "it reads patterns from another file; write them with -e"),
    ("L", "follow", "it follows links out of the repository"),
    ("P", "pcre2", "not every ripgrep has PCRE2; write the pattern without look-around and back-references"),
    ("", "engine", "not every ripgrep has PCRE2; write the pattern without look-around and back-references"),
    ("", "ignore-file", "it reads ignore rules that are not part of the commit"),
];

impl Query {
    /// Reads `command`, a line such as `rg -n -i 'a|b' -g '!*_test.go'`.
    ///
    /// # Errors
    /// When the command is not `rg` with known flags and one pattern (or several with `-e`).
    pub fn parse(command: &str) -> Result<Self, CommandError> {
        let words = shlex::split(command).ok_or_else(|| CommandError::Quotes(command.to_owned()))?;
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
            self.patterns.push(operands.next().ok_or(CommandError::NoPattern)?);
        }
        operands.next().map_or(Ok(()), |word| Err(CommandError::Path(word)))
    }

    fn long_flag(&mut self, flag: &str, rest: &mut impl Iterator<Item = String>) -> Result<(), CommandError> {
        let (name, value) = match flag.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (flag, None),
        };
        if let Some(&(_, _, valued)) = VALUED.iter().find(|(_, long, _)| *long == name) {
            let value = value.or_else(|| rest.next()).ok_or_else(|| CommandError::NoValue(format!("--{name}")))?;
            self.set_value(valued, value);
            return Ok(());
        }
        match SWITCHES.iter().find(|(_, long, _)| *long == name) {
            Some(&(_, _, switch)) if value.is_none() => self.set_switch(switch),
            _ => Err(refusal(format!("--{name}"), |(_, long, _)| *long == name)),
        }
    }

    /// Reads the letters of one word: switches may be joined, and a value may follow its letter (`-g'*.go'`, `-g=*.go`).
    fn short_flags(&mut self, word: &str, rest: &mut impl Iterator<Item = String>) -> Result<(), CommandError> {
        for (at, letter) in word.char_indices().skip(1) {
            let after = &word[at + letter.len_utf8()..];
            let is_letter = |short: &str| short.chars().eq([letter]);
            if let Some(&(_, _, valued)) = VALUED.iter().find(|(short, _, _)| is_letter(short)) {
                let value = match after.strip_prefix('=').unwrap_or(after) {
                    "" if after.is_empty() => rest.next().ok_or_else(|| CommandError::NoValue(format!("-{letter}")))?,
                    value => value.to_owned(),
                };
                self.set_value(valued, value);
                return Ok(());
            }
            match SWITCHES.iter().find(|(short, _, _)| is_letter(short)) {
                Some(&(_, _, switch)) => self.set_switch(switch)?,
                None => return Err(refusal(format!("-{letter}"), |(short, _, _)| is_letter(short))),
            }
        }
        Ok(())
    }

    fn set_value(&mut self, flag: Valued, value: String) {
        match flag {
            Valued::Pattern => self.patterns.push(value),
            Valued::Glob => self.selection.globs.push(value),
            Valued::Type => self.selection.types.push(TypeChoice::Only(value)),
            Valued::TypeNot => self.selection.types.push(TypeChoice::Not(value)),
        }
    }

    fn set_switch(&mut self, switch: Switch) -> Result<(), CommandError> {
        match switch {
            Switch::LineNumbers => self.line_numbers = true,
            Switch::NoLineNumbers => self.line_numbers = false,
            Switch::Filename => self.with_filename = true,
            // What ripgrep does anyway when it does not print to a terminal.
            Switch::NoHeading => {}
            Switch::IgnoreCase => self.case = Case::Insensitive,
            Switch::CaseSensitive => self.case = Case::Sensitive,
            Switch::SmartCase => self.case = Case::Smart,
            Switch::Word => self.boundary = Some(Boundary::Word),
            Switch::Line => self.boundary = Some(Boundary::Line),
            Switch::Fixed => self.fixed_strings = true,
            Switch::Multiline => self.multiline = true,
            Switch::Invert => self.invert_match = true,
            Switch::OnlyMatching => self.only_matching = true,
            Switch::Count => return self.set_output(Output::Counts),
            Switch::Paths => return self.set_output(Output::Paths),
            Switch::Hidden => self.selection.hidden = true,
            Switch::NoIgnore => self.selection.no_ignore = true,
        }
        Ok(())
    }

    /// Versions of ripgrep disagree on which of `-c` and `-l` wins, so a record has only one of them.
    fn set_output(&mut self, output: Output) -> Result<(), CommandError> {
        if self.output != Output::Lines && self.output != output {
            return Err(CommandError::CountAndPaths);
        }
        self.output = output;
        Ok(())
    }
}

fn refusal(flag: String, is_it: impl Fn(&(&str, &str, &'static str)) -> bool) -> CommandError {
    let reason = REFUSED.iter().find(|row| is_it(row)).map_or(UNKNOWN, |(_, _, reason)| reason);
    CommandError::Flag { flag, reason }
}

#[cfg(test)]
mod tests {
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
        assert_eq!(parse("rg --line-number --ignore-case --word-regexp --type=py --regexp a --glob '*.py'"), expected);
    }

    #[test]
    fn the_last_of_contradicting_flags_counts() {
        assert_eq!(parse("rg -i -S a").case, Case::Smart);
        assert_eq!(parse("rg -S -s a").case, Case::Sensitive);
        assert_eq!(parse("rg -w -x a").boundary, Some(Boundary::Line));
        assert!(!parse("rg -n -N a").line_numbers);
        assert_eq!(refused("rg -c -l a"), "-c and -l exclude each other: keep one");
    }

    #[test]
    fn several_patterns_need_e_and_dashes_need_e_or_a_double_dash() {
        assert_eq!(parse("rg -n -e cap-drop -e --network").patterns, ["cap-drop", "--network"]);
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
        assert_eq!(refused("rg --pre=cat a"), "flag --pre is refused: it runs a program on every file");
        assert!(refused("rg -nz a").starts_with("flag -z is refused: it runs decompression"));
        assert!(refused("rg -f list").starts_with("flag -f is refused: it reads patterns"));
        assert!(refused("rg --follow a").starts_with("flag --follow is refused: it follows links"));
        assert!(refused("rg -P a").starts_with("flag -P is refused: not every ripgrep has PCRE2"));
        assert!(refused("rg -niE utf-8 a").starts_with("flag -E is refused: recorded searches use"));
        assert!(refused("rg --hidden=yes a").starts_with("flag --hidden is refused"));
    }
}

//! What a recorded command asks for.

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

//! Colours for cited lines: comments, strings, numbers and keywords, told apart by a file's name.
//!
//! This helps the eye and decides nothing: a line that it reads wrongly is only coloured wrongly.

use serde::Serialize;

/// What a stretch of a line is; the page's style has a colour for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Plain,
    Comment,
    String,
    Number,
    Keyword,
}

/// A stretch of a line.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) text: String,
}

/// How the files of one family are read.
struct Syntax {
    line_comments: &'static [&'static str],
    /// What goes on over line ends: how it begins and ends.
    spans: &'static [(&'static str, &'static str, Kind)],
    quotes: &'static [char],
    has_keywords: bool,
}

const BLOCK_COMMENT: (&str, &str, Kind) = ("/*", "*/", Kind::Comment);
const BACKTICKS: (&str, &str, Kind) = ("`", "`", Kind::String);

const C_LIKE: Syntax = Syntax {
    line_comments: &["//"],
    spans: &[BLOCK_COMMENT, BACKTICKS],
    quotes: &['"', '\''],
    has_keywords: true,
};
/// A single quote may begin a lifetime.
const RUST: Syntax = Syntax {
    spans: &[BLOCK_COMMENT],
    quotes: &['"'],
    ..C_LIKE
};
const SCRIPT: Syntax = Syntax {
    line_comments: &["#"],
    spans: &[
        ("\"\"\"", "\"\"\"", Kind::String),
        ("'''", "'''", Kind::String),
    ],
    quotes: &['"', '\''],
    has_keywords: true,
};
const SETTINGS: Syntax = Syntax {
    spans: &[],
    has_keywords: false,
    ..SCRIPT
};
const DATA: Syntax = Syntax {
    line_comments: &[],
    ..SETTINGS
};
const PROSE: Syntax = Syntax {
    quotes: &[],
    ..DATA
};

const KEYWORDS: &[&str] = &[
    "None",
    "True",
    "False",
    "and",
    "as",
    "async",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "def",
    "default",
    "defer",
    "del",
    "do",
    "elif",
    "else",
    "enum",
    "except",
    "export",
    "extends",
    "false",
    "finally",
    "fn",
    "for",
    "from",
    "func",
    "function",
    "go",
    "if",
    "impl",
    "implements",
    "import",
    "in",
    "interface",
    "is",
    "lambda",
    "let",
    "loop",
    "match",
    "mod",
    "mut",
    "new",
    "nil",
    "not",
    "null",
    "or",
    "package",
    "pass",
    "private",
    "protected",
    "pub",
    "public",
    "raise",
    "range",
    "return",
    "self",
    "static",
    "struct",
    "super",
    "switch",
    "this",
    "throw",
    "trait",
    "true",
    "try",
    "type",
    "undefined",
    "use",
    "var",
    "void",
    "where",
    "while",
    "with",
    "yield",
];

fn syntax(file: &str) -> &'static Syntax {
    let name = file.rsplit('/').next().unwrap_or(file);
    let extension = name
        .rsplit_once('.')
        .map_or(name, |(_, extension)| extension);
    match extension {
        "c" | "cc" | "cjs" | "cpp" | "cs" | "cts" | "dart" | "go" | "h" | "hpp" | "java" | "js"
        | "jsx" | "kt" | "kts" | "mjs" | "mts" | "php" | "proto" | "scala" | "swift" | "ts"
        | "tsx" => &C_LIKE,
        "rs" => &RUST,
        "bash" | "ex" | "exs" | "py" | "pyi" | "rb" | "sh" | "zsh" => &SCRIPT,
        "cfg" | "conf" | "env" | "example" | "hcl" | "ini" | "properties" | "tf" | "toml"
        | "yaml" | "yml" | "Dockerfile" | "Makefile" => &SETTINGS,
        "json" | "jsonc" => &DATA,
        _ => &PROSE,
    }
}

/// Colours `lines`, which follow each other in `file`.
pub(super) fn highlight<'l>(file: &str, lines: impl Iterator<Item = &'l str>) -> Vec<Vec<Token>> {
    let mut reader = Reader {
        syntax: syntax(file),
        open: None,
    };
    lines.map(|line| reader.line(line)).collect()
}

struct Reader {
    syntax: &'static Syntax,
    /// The end of what an earlier line began, and its kind.
    open: Option<(&'static str, Kind)>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Vec<Token> {
        let mut tokens = Vec::new();
        let mut rest = line;
        while !rest.is_empty() {
            let (kind, length) = self.next(rest);
            let (text, after) = rest.split_at(length);
            push(&mut tokens, kind, text);
            rest = after;
        }
        tokens
    }

    /// Kind and length of what `rest` begins with; the length is not 0.
    fn next(&mut self, rest: &str) -> (Kind, usize) {
        if let Some((end, kind)) = self.open {
            return self.up_to(end, kind, rest, 0);
        }
        let syntax = self.syntax;
        if syntax
            .line_comments
            .iter()
            .any(|mark| rest.starts_with(mark))
        {
            return (Kind::Comment, rest.len());
        }
        if let Some((begin, end, kind)) = syntax
            .spans
            .iter()
            .find(|(begin, ..)| rest.starts_with(begin))
        {
            return self.up_to(end, *kind, rest, begin.len());
        }
        let first = rest.chars().next().unwrap_or_default();
        if syntax.quotes.contains(&first) {
            return match quoted(rest, first) {
                Some(length) => (Kind::String, length),
                None => (Kind::Plain, first.len_utf8()),
            };
        }
        self.word(rest, first)
    }

    /// Up to `end`, looked for from `from` on, or the whole line when it comes later.
    fn up_to(&mut self, end: &'static str, kind: Kind, rest: &str, from: usize) -> (Kind, usize) {
        match rest[from..].find(end) {
            Some(at) => {
                self.open = None;
                (kind, from + at + end.len())
            }
            None => {
                self.open = Some((end, kind));
                (kind, rest.len())
            }
        }
    }

    fn word(&self, rest: &str, first: char) -> (Kind, usize) {
        if !is_word(first) {
            return (Kind::Plain, first.len_utf8());
        }
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let kind = if std::ptr::eq(self.syntax, &PROSE) {
            Kind::Plain
        } else if first.is_ascii_digit() {
            Kind::Number
        } else if self.syntax.has_keywords && KEYWORDS.contains(&&rest[..length]) {
            Kind::Keyword
        } else {
            Kind::Plain
        };
        (kind, length)
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Length of the string that `text` begins with, its quotes included; none when it does not end here.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(at + c.len_utf8()),
            _ => {}
        }
    }
    None
}

/// Neighbours of one kind are one token.
fn push(tokens: &mut Vec<Token>, kind: Kind, text: &str) {
    match tokens.last_mut() {
        Some(last) if last.kind == kind => last.text.push_str(text),
        _ => tokens.push(Token {
            kind,
            text: text.to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests;

//! Comments and docstrings: text in them is not what the code does.

use memchr::{memchr2_iter, memmem, memrchr};

use super::evidence::Lines;

/// Tells whether places of one text lie in a comment or a docstring.
pub struct Comments {
    markers: &'static [&'static [u8]],
    docstrings: Vec<(usize, usize)>,
    /// The line that was asked about last, and whether it is a comment: a line can have very many hits.
    last_line: Option<(u32, bool)>,
}

impl Comments {
    /// Prepares for `text` in the language of that name (inventory.toml).
    pub fn new(language: &str, text: &[u8]) -> Self {
        Self {
            markers: markers(language),
            docstrings: if language == "python" {
                docstrings(text)
            } else {
                Vec::new()
            },
            last_line: None,
        }
    }

    /// Whether the byte at `offset` lies in a comment line or a docstring.
    pub fn cover(&mut self, lines: &Lines<'_>, offset: usize) -> bool {
        self.is_comment(lines, lines.line(offset)) || self.is_in_docstring(offset)
    }

    fn is_comment(&mut self, lines: &Lines<'_>, line: u32) -> bool {
        if let Some((_, known)) = self.last_line.filter(|(last, _)| *last == line) {
            return known;
        }
        let text = lines.text(line).trim_ascii_start();
        let is_comment = self.markers.iter().any(|marker| text.starts_with(marker));
        self.last_line = Some((line, is_comment));
        is_comment
    }

    /// They do not overlap and are in the order of the text.
    fn is_in_docstring(&self, offset: usize) -> bool {
        let begun = self
            .docstrings
            .partition_point(|(start, _)| *start <= offset);
        begun > 0 && offset < self.docstrings[begun - 1].1
    }
}

fn markers(language: &str) -> &'static [&'static [u8]] {
    match language {
        "python" | "ruby" | "shell" | "yaml" | "toml" | "dockerfile" | "env" => &[b"#"],
        "go" | "javascript" | "typescript" | "tsx" | "java" | "csharp" | "kotlin" | "c" | "cpp"
        | "swift" | "php" => &[b"//", b"/*", b"* ", b"*/"],
        "rust" => &[b"//", b"/*", b"* "],
        "sql" => &[b"--"],
        _ => &[],
    }
}

/// Byte ranges of triple-quoted strings that are statements of their own.
fn docstrings(text: &[u8]) -> Vec<(usize, usize)> {
    let mut ranges = Vec::new();
    let mut at = 0;
    while let Some(open) = find_triple(text, at) {
        let mark = &text[open..open + 3];
        let close = memmem::find(&text[open + 3..], mark).map_or(text.len(), |p| open + 6 + p);
        let line_start = memrchr(b'\n', &text[..open]).map_or(0, |p| p + 1);
        if text[line_start..open]
            .iter()
            .all(|b| b" \trRuU".contains(b))
        {
            ranges.push((open, close));
        }
        at = close;
    }
    ranges
}

fn find_triple(text: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let is_triple = |at: &usize| {
        let mark = rest[*at];
        rest.get(at + 1..at + 3)
            .is_some_and(|next| next == [mark, mark])
    };
    memchr2_iter(b'"', b'\'', rest)
        .find(is_triple)
        .map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(language: &str, text: &str, needle: &str) -> bool {
        let lines = Lines::new(text.as_bytes());
        Comments::new(language, text.as_bytes()).cover(&lines, text.find(needle).unwrap())
    }

    #[test]
    fn comment_lines_are_covered() {
        assert!(covered("python", "x = 1\n  # run(cmd)\n", "run"));
        assert!(covered("go", "\t// exec.Command(\n", "exec"));
        assert!(!covered("python", "run(cmd)  # now\n", "run"));
    }

    #[test]
    fn docstrings_are_covered_but_not_strings_in_expressions() {
        let text = "def f():\n    \"\"\"Calls eval(x).\"\"\"\n    return \"\"\"eval(y)\"\"\"\n";
        assert!(covered("python", text, "eval(x)"));
        assert!(!covered("python", text, "eval(y)"));
    }
}

//! Splits a Dockerfile into instructions: continued lines, comments between them, here-documents.

use std::iter::Enumerate;
use std::str::Lines;

/// One instruction with all its lines.
#[derive(Debug, Default)]
pub struct Instruction {
    /// The instruction on one line, without continuation characters and comments.
    pub text: String,
    /// Contents of its here-documents.
    pub body: String,
    /// First and last line.
    pub lines: (u32, u32),
    /// The here-document whose end is missing.
    pub unclosed: Option<String>,
    /// Where in `text` each line begins.
    starts: Vec<(usize, u32)>,
}

impl Instruction {
    /// The line that holds the byte at `offset` of the text.
    pub fn line_at(&self, offset: usize) -> u32 {
        let after = self.starts.partition_point(|(start, _)| *start <= offset);
        self.starts[..after]
            .last()
            .map_or(self.lines.0, |(_, line)| *line)
    }

    /// Appends a line; blanks around the joint count as one.
    fn push(&mut self, part: &str, line: u32) {
        let blank =
            self.text.ends_with(char::is_whitespace) || part.starts_with(char::is_whitespace);
        self.text.truncate(self.text.trim_end().len());
        if self.text.is_empty() {
            self.lines.0 = line;
        } else if blank {
            self.text.push(' ');
        }
        self.starts.push((self.text.len(), line));
        self.text.push_str(part.trim_start());
        self.lines.1 = line;
    }
}

/// The instructions of a Dockerfile in order.
pub struct Instructions<'t> {
    lines: Enumerate<Lines<'t>>,
    escape: char,
}

impl<'t> Instructions<'t> {
    /// Reads `text`.
    pub fn new(text: &'t str) -> Self {
        Self {
            lines: text.lines().enumerate(),
            escape: escape_character(text),
        }
    }

    fn next_line(&mut self) -> Option<(u32, &'t str)> {
        let (index, line) = self.lines.next()?;
        Some((u32::try_from(index).unwrap_or(u32::MAX - 1) + 1, line))
    }

    /// Takes the lines of the here-document `marker`.
    fn take_body(&mut self, instruction: &mut Instruction, marker: &Marker) {
        while let Some((number, line)) = self.next_line() {
            instruction.lines.1 = number;
            let end = if marker.strips_tabs {
                line.trim_start_matches('\t')
            } else {
                line
            };
            if end == marker.name {
                return;
            }
            if !instruction.body.is_empty() {
                instruction.body.push('\n');
            }
            instruction.body.push_str(line);
        }
        instruction.unclosed = Some(marker.name.clone());
    }
}

impl Iterator for Instructions<'_> {
    type Item = Instruction;

    fn next(&mut self) -> Option<Instruction> {
        let mut instruction = Instruction::default();
        while let Some((number, line)) = self.next_line() {
            // Comments and empty lines do not end a continued instruction.
            if line.trim().is_empty() || line.trim_start().starts_with('#') {
                continue;
            }
            match line.trim_end().strip_suffix(self.escape) {
                Some(part) => instruction.push(part, number),
                None => {
                    instruction.push(line, number);
                    break;
                }
            }
        }
        instruction.text.truncate(instruction.text.trim_end().len());
        for marker in here_documents(&instruction.text) {
            self.take_body(&mut instruction, &marker);
        }
        (!instruction.text.is_empty()).then_some(instruction)
    }
}

/// The directive `# escape=X` among the comments at the top; a backslash without one.
fn escape_character(text: &str) -> char {
    let directives = text.lines().map_while(|line| line.trim().strip_prefix('#'));
    let mut escapes = directives.filter_map(|directive| {
        let (name, value) = directive.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("escape")
            .then(|| value.trim().chars().next())?
    });
    escapes.next().unwrap_or('\\')
}

struct Marker {
    name: String,
    /// `<<-`: tabs before the end marker do not count.
    strips_tabs: bool,
}

/// The here-documents that an instruction opens: words like `<<EOF`, `<<-"EOF"`, `3<<EOF`.
fn here_documents(instruction: &str) -> Vec<Marker> {
    let mut words = instruction.split_whitespace();
    let name = words.next().unwrap_or_default().to_ascii_uppercase();
    if !["RUN", "COPY", "ADD"].contains(&name.as_str()) {
        return Vec::new();
    }
    words.filter_map(marker).collect()
}

fn marker(word: &str) -> Option<Marker> {
    let after = word
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .strip_prefix("<<")?;
    let name = after.strip_prefix('-').unwrap_or(after);
    let name = name.trim_matches(['"', '\'']);
    let valid = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
    valid.then(|| Marker {
        name: name.to_owned(),
        strips_tabs: after.starts_with('-'),
    })
}

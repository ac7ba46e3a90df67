//! Dockerfile and Containerfile: one entry for each instruction, `ENV` and `ARG` one for each name.

mod lines;

#[cfg(test)]
mod tests;

use super::collector::{Collector, Stop};
use lines::{Instruction, Instructions};

/// Instructions of the [reference](https://docs.docker.com/reference/dockerfile/).
const INSTRUCTIONS: [&str; 18] = [
    "ADD",
    "ARG",
    "CMD",
    "COPY",
    "ENTRYPOINT",
    "ENV",
    "EXPOSE",
    "FROM",
    "HEALTHCHECK",
    "LABEL",
    "MAINTAINER",
    "ONBUILD",
    "RUN",
    "SHELL",
    "STOPSIGNAL",
    "USER",
    "VOLUME",
    "WORKDIR",
];

/// Adds the instructions of `text`: `USER = app`, `FROM = image` (without flags and stage name),
/// `ENV.NAME = value`, and the text behind any other instruction as it stands, on one line.
pub fn flatten(text: &str, collector: &mut Collector<'_>) -> Result<(), Stop> {
    let mut broken = None;
    for instruction in Instructions::new(text) {
        if let Some(problem) = add(&instruction, collector)? {
            broken.get_or_insert(Stop::syntax(instruction.lines.0, problem));
        }
    }
    broken.map_or(Ok(()), Err)
}

/// Adds one instruction; what is wrong with it, if anything.
fn add(found: &Instruction, collector: &mut Collector<'_>) -> Result<Option<String>, Stop> {
    let (word, rest) = split_at_blank(&found.text);
    let name = word.to_ascii_uppercase();
    match name.as_str() {
        "FROM" => collector.add(&[&name], image(rest), found.lines)?,
        "ENV" | "ARG" => add_names(&name, found, collector)?,
        _ if INSTRUCTIONS.contains(&name.as_str()) => {
            collector.add(&[&name], &with_body(rest, &found.body), found.lines)?;
        }
        _ => return Ok(Some(format!("`{word}` is no instruction"))),
    }
    let unclosed = found.unclosed.as_ref();
    Ok(unclosed.map(|marker| format!("the here-document `{marker}` is not closed")))
}

fn split_at_blank(text: &str) -> (&str, &str) {
    text.split_once(char::is_whitespace)
        .map_or((text, ""), |(word, rest)| (word, rest.trim()))
}

fn with_body(rest: &str, body: &str) -> String {
    if body.is_empty() {
        rest.to_owned()
    } else {
        format!("{rest}\n{body}")
    }
}

fn image(rest: &str) -> &str {
    rest.split_whitespace()
        .find(|word| !word.starts_with("--"))
        .unwrap_or_default()
}

/// `ENV A=1 B="two words"`, `ARG A B=1`, and the old `ENV A one value`.
fn add_names(name: &str, found: &Instruction, collector: &mut Collector<'_>) -> Result<(), Stop> {
    let words = words(&found.text);
    let Some((_, assignments)) = words.split_first() else {
        return Ok(());
    };
    if let Some(first) = assignments.first()
        && name == "ENV"
        && !first.text.contains('=')
    {
        let value = found.text[first.end..].trim();
        return collector.add(&[name, &first.text], value, found.lines);
    }
    for word in assignments {
        let (variable, value) = word.text.split_once('=').unwrap_or((&word.text, ""));
        let lines = (found.line_at(word.start), found.line_at(word.end - 1));
        collector.add(&[name, variable], value, lines)?;
    }
    Ok(())
}

struct Word {
    /// The word without its quotes and escapes.
    text: String,
    start: usize,
    end: usize,
}

/// Splits at blanks outside of quotes.
fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut current: Option<Word> = None;
    let mut quote = None;
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        if quote.is_none() && character.is_whitespace() {
            words.extend(current.take());
            continue;
        }
        let word = current.get_or_insert(Word {
            text: String::new(),
            start: at,
            end: at,
        });
        word.end = at + character.len_utf8();
        match character {
            '"' | '\'' if quote.is_none() => quote = Some(character),
            _ if quote == Some(character) => quote = None,
            '\\' if quote != Some('\'') => {
                if let Some((at, escaped)) = characters.next() {
                    word.text.push(escaped);
                    word.end = at + escaped.len_utf8();
                }
            }
            _ => word.text.push(character),
        }
    }
    words.extend(current);
    words
}

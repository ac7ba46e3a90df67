//! JSON, also with comments and trailing commas.
//!
//! Read token by token rather than with a grammar: around an error, the nodes of a recovering
//! grammar no longer tell in which object a pair is, and its search for a recovery costs much.

mod tokens;

#[cfg(test)]
mod tests;

use super::Reason;
use super::collector::{Collector, Stop};
use super::lines::LineIndex;
use tokens::{Token, Tokens};

/// Adds the entries of `text`; those after an error, too, as far as their place is clear.
pub fn flatten(text: &str, collector: &mut Collector<'_>) -> Result<(), Stop> {
    let lines = LineIndex::new(text);
    let mut reader = Reader {
        line: 1,
        path: Vec::new(),
        open: Vec::new(),
        broken: None,
        collector,
    };
    for (token, range) in Tokens::new(text) {
        reader.line = lines.line(range.start);
        reader.token(token)?;
    }
    if !reader.open.is_empty() {
        reader.trouble("ends inside of an object or array");
    }
    reader.broken.map_or(Ok(()), Err)
}

/// An object or array that is not yet closed.
struct Open {
    is_object: bool,
    line: u32,
    /// Values in it so far.
    items: usize,
    expects: Expects,
}

/// What comes next in an object or array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expects {
    /// A key of an object, an item of an array, or the end.
    Item,
    /// The colon after a key; the path ends with that key.
    Colon,
    /// The value after a colon; the path ends with its key.
    Value,
    /// A comma or the end.
    Comma,
}

struct Reader<'c, 'l> {
    line: u32,
    path: Vec<String>,
    open: Vec<Open>,
    /// The first trouble.
    broken: Option<Stop>,
    collector: &'c mut Collector<'l>,
}

impl Reader<'_, '_> {
    fn token(&mut self, token: Token<'_>) -> Result<(), Stop> {
        match token {
            Token::Open(is_object) => self.open(is_object),
            Token::Close(is_object) => self.close(is_object),
            Token::Comma => {
                self.comma();
                Ok(())
            }
            Token::Colon => {
                self.colon();
                Ok(())
            }
            Token::String(quoted) => {
                let text = self.unquoted(quoted);
                self.scalar(text)
            }
            Token::Bare(word) => {
                let is_key = self.expects_key();
                if !is_key && !is_literal(word) {
                    self.trouble("neither a string nor a number nor true, false or null");
                }
                self.scalar(if word == "null" && !is_key {
                    String::new()
                } else {
                    word.to_owned()
                })
            }
        }
    }

    fn trouble(&mut self, message: &str) {
        let line = self.line;
        self.broken
            .get_or_insert_with(|| Stop::syntax(line, format!("not JSON: {message}")));
    }

    fn expects_key(&self) -> bool {
        self.open
            .last()
            .is_some_and(|open| open.is_object && open.expects == Expects::Item)
    }

    fn scalar(&mut self, text: String) -> Result<(), Stop> {
        match self.open.last_mut() {
            // A text that is nothing but a scalar has no key to be found by.
            None => return Ok(()),
            Some(open) if open.is_object && open.expects == Expects::Item => {
                open.expects = Expects::Colon;
                self.path.push(text);
                return Ok(());
            }
            Some(_) => {}
        }
        self.begin_value();
        self.collector
            .add(&self.path, &text, (self.line, self.line))?;
        self.end_value();
        Ok(())
    }

    fn open(&mut self, is_object: bool) -> Result<(), Stop> {
        let max_depth = self.collector.limits.max_depth;
        if self.open.len() > max_depth {
            return Err(Stop {
                line: self.line,
                reason: Reason::TooDeep(max_depth),
            });
        }
        self.begin_value();
        self.open.push(Open {
            is_object,
            line: self.line,
            items: 0,
            expects: Expects::Item,
        });
        Ok(())
    }

    /// A bracket that does not fit the one that is open is passed over.
    fn close(&mut self, is_object: bool) -> Result<(), Stop> {
        let Some(open) = self.open.pop_if(|open| open.is_object == is_object) else {
            self.trouble("a bracket out of place");
            return Ok(());
        };
        if matches!(open.expects, Expects::Colon | Expects::Value) {
            self.trouble("a key without a value");
            self.path.pop();
        }
        if open.items == 0 && !self.path.is_empty() {
            self.collector.add(&self.path, "", (open.line, open.line))?;
        }
        self.end_value();
        Ok(())
    }

    fn comma(&mut self) {
        match self.open.last_mut() {
            Some(open) if open.expects == Expects::Comma => open.expects = Expects::Item,
            Some(open) if matches!(open.expects, Expects::Colon | Expects::Value) => {
                open.expects = Expects::Item;
                self.path.pop();
                self.trouble("a key without a value");
            }
            _ => self.trouble("a comma out of place"),
        }
    }

    fn colon(&mut self) {
        match self.open.last_mut() {
            Some(open) if open.expects == Expects::Colon => open.expects = Expects::Value,
            _ => self.trouble("a colon out of place"),
        }
    }

    /// Makes the path end with the place of the value that begins here.
    fn begin_value(&mut self) {
        let Some(open) = self.open.last() else { return };
        let expected = if open.is_object {
            Expects::Value
        } else {
            Expects::Item
        };
        let is_expected = open.expects == expected;
        if !open.is_object {
            self.path.push(open.items.to_string());
        } else if !matches!(open.expects, Expects::Colon | Expects::Value) {
            // A value without a key has a place all the same, so that what follows has its own.
            self.path.push(String::new());
        }
        if !is_expected {
            self.trouble("a value out of place");
        }
    }

    fn end_value(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.items += 1;
            open.expects = Expects::Comma;
            self.path.pop();
        }
    }

    /// The text of a string token; one with an escape that JSON does not know is left as it is.
    fn unquoted(&mut self, token: &str) -> String {
        let quote = if token.starts_with('"') { '"' } else { '\'' };
        let Some(inner) = token[1..].strip_suffix(quote) else {
            self.trouble("a string that does not end");
            return token[1..].to_owned();
        };
        if quote == '\'' {
            return inner.replace("\\'", "'");
        }
        serde_json::from_str(token).unwrap_or_else(|_| inner.to_owned())
    }
}

/// Whether `word` is a constant or a number, as JSON or JSON5 writes it.
fn is_literal(word: &str) -> bool {
    let unsigned = word.trim_start_matches(['+', '-']);
    let number = unsigned.parse::<f64>().is_ok() || unsigned.starts_with("0x");
    matches!(word, "true" | "false" | "null") || number
}

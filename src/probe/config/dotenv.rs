//! `.env` files: `NAME=value` lines as dotenv loaders and Compose read them.

use super::collector::{Collector, Stop};
use super::lines::LineIndex;

/// Adds the assignments of `text`. Comments, and lines that assign nothing, are passed over, as
/// the loaders do.
pub fn flatten(text: &str, collector: &mut Collector<'_>) -> Result<(), Stop> {
    let lines = LineIndex::new(text);
    let mut at = 0;
    while at < text.len() {
        let line_end = text[at..]
            .find('\n')
            .map_or(text.len(), |newline| at + newline);
        let mut next = line_end + 1;
        if let Some((name, from)) = assignment(text, at, line_end) {
            let value = value(text, from, line_end);
            let first = lines.line(from);
            let last = lines.line(value.end);
            collector.add(&[name], &value.text, (first, last.max(first)))?;
            if value.end > line_end {
                next = text[value.end..]
                    .find('\n')
                    .map_or(text.len(), |n| value.end + n + 1);
            }
        }
        at = next;
    }
    Ok(())
}

/// The name that the line `text[at..end]` assigns to, and where its value begins.
fn assignment(text: &str, at: usize, end: usize) -> Option<(&str, usize)> {
    let line = &text[at..end];
    let equals = line.find('=')?;
    let name = line[..equals].trim();
    let name = name.strip_prefix("export ").map_or(name, str::trim_start);
    let first = name.bytes().next()?;
    let valid = (first.is_ascii_alphabetic() || first == b'_')
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b));
    let after = &line[equals + 1..];
    let blanks = after.len() - after.trim_start_matches([' ', '\t']).len();
    valid.then_some((name, at + equals + 1 + blanks))
}

struct Value {
    text: String,
    /// Offset of its last byte (of the closing quote, if there is one).
    end: usize,
}

/// The value that begins at `from` on a line that ends at `line_end`; only a quoted one goes on.
fn value(text: &str, from: usize, line_end: usize) -> Value {
    let quoted = match text.as_bytes().get(from) {
        Some(b'"') => double_quoted(text, from),
        Some(quote @ (b'\'' | b'`')) => raw_quoted(text, from, char::from(*quote)),
        _ => None,
    };
    quoted.unwrap_or_else(|| Value {
        text: unquoted(&text[from..line_end]).to_owned(),
        end: from,
    })
}

/// `None` when the quote is not closed: then it is an ordinary character.
fn raw_quoted(text: &str, from: usize, quote: char) -> Option<Value> {
    let inner = &text[from + 1..];
    let length = inner.find(quote)?;
    Some(Value {
        text: inner[..length].to_owned(),
        end: from + 1 + length,
    })
}

fn double_quoted(text: &str, from: usize) -> Option<Value> {
    let mut value = String::new();
    let mut characters = text[from + 1..].char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => {
                return Some(Value {
                    text: value,
                    end: from + 1 + at,
                });
            }
            '\\' => match characters.next()?.1 {
                'n' => value.push('\n'),
                'r' => value.push('\r'),
                't' => value.push('\t'),
                escaped @ ('"' | '\\' | '$') => value.push(escaped),
                other => value.extend(['\\', other]),
            },
            _ => value.push(character),
        }
    }
    None
}

/// An unquoted value ends where a blank and `#` begin a comment.
fn unquoted(rest: &str) -> &str {
    let comment = rest.char_indices().find(|(at, character)| {
        *character == '#' && (*at == 0 || rest[..*at].ends_with([' ', '\t']))
    });
    comment.map_or(rest, |(at, _)| &rest[..at]).trim()
}

#[cfg(test)]
mod tests {
    use crate::probe::config::tests::read;

    #[test]
    fn names_values_and_comments() {
        let text =
            "# A=0\n\nA=1\nexport B = two words # note\nC=\nD=#none\nE=a#b\n  F='x # y' # z\n";
        assert_eq!(
            read(".env.example", text),
            [
                "3 A = 1",
                "4 B = two words",
                "5 C = ",
                "6 D = ",
                "7 E = a#b",
                "8 F = x # y"
            ]
        );
    }

    #[test]
    fn a_line_that_assigns_nothing_is_passed_over() {
        assert_eq!(
            read(".env", "NAME\nif [ -z = ]\n1A=2\nA B=3\n=4\nOK=5\n"),
            ["6 OK = 5"]
        );
    }

    #[test]
    fn double_quotes_know_escapes() {
        assert_eq!(
            read(".env", r#"A="say \"hi\"\\ \d" # c"#),
            [r#"1 A = say "hi"\ \d"#]
        );
    }

    #[test]
    fn quoted_values_go_over_lines() {
        let text = "KEY=\"-----BEGIN\nabc\n-----END\"\nNEXT='a\nb' # c\nLAST=1\n";
        assert_eq!(
            read(".env", text),
            [
                "1-3 KEY = -----BEGIN\nabc\n-----END",
                "4-5 NEXT = a\nb",
                "6 LAST = 1"
            ]
        );
    }

    #[test]
    fn an_open_quote_is_an_ordinary_character() {
        assert_eq!(
            read(".env", "A='it\nB=\"5\nC=3"),
            ["1 A = 'it", "2 B = \"5", "3 C = 3"]
        );
    }

    #[test]
    fn windows_line_ends() {
        assert_eq!(
            read(".env", "A=1\r\nB=\"2\"\r\nC=\r\nD=x # y\r\n"),
            ["1 A = 1", "2 B = 2", "3 C = ", "4 D = x"]
        );
    }
}

//! TOML, by the spans of the `toml` crate's recovering parser.

use std::borrow::Cow;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

use super::ConfigLimits;
use super::collector::{Collector, Stop};
use super::lines::LineIndex;

/// Adds the entries of `text` in the order of the file.
pub fn flatten(text: &str, collector: &mut Collector<'_>) -> Result<(), Stop> {
    let lines = LineIndex::new(text);
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut walk = Walk {
        text,
        limits: collector.limits,
        path: Vec::new(),
        found: Vec::new(),
    };
    walk.table(table.get_ref());
    // The parser sorts tables by key; a reader expects the order of the file.
    walk.found.sort_by_key(|found| found.span.start);
    for Found { key, value, span } in &walk.found {
        collector.add(key, value, lines.lines(span.clone()))?;
    }
    let first_error = errors.iter().min_by_key(|error| start(error));
    first_error.map_or(Ok(()), |error| {
        Err(Stop::syntax(lines.line(start(error)), error.message()))
    })
}

fn start(error: &Error) -> usize {
    error.span().map_or(0, |span| span.start)
}

struct Found<'t> {
    key: Vec<Cow<'t, str>>,
    value: &'t str,
    span: Range<usize>,
}

struct Walk<'t, 'l> {
    text: &'t str,
    limits: &'l ConfigLimits,
    path: Vec<Cow<'t, str>>,
    found: Vec<Found<'t>>,
}

impl<'t> Walk<'t, '_> {
    fn table(&mut self, table: &'t DeTable<'_>) {
        for (key, value) in table {
            self.child(Cow::Borrowed(key.get_ref()), value);
        }
    }

    fn child(&mut self, key: Cow<'t, str>, value: &'t Spanned<DeValue<'_>>) {
        // One entry over a limit is enough for the collector to refuse it.
        if self.found.len() > self.limits.max_entries {
            return;
        }
        self.path.push(key);
        match value.get_ref() {
            _ if self.path.len() > self.limits.max_depth => self.add("", value.span()),
            DeValue::Table(table) if !table.is_empty() => self.table(table),
            DeValue::Array(items) if !items.is_empty() => {
                for (index, item) in items.iter().enumerate() {
                    self.child(Cow::Owned(index.to_string()), item);
                }
            }
            DeValue::Table(_) | DeValue::Array(_) => self.add("", value.span()),
            DeValue::String(text) => self.add(text, value.span()),
            _ => self.literal(value.span()),
        }
        self.path.pop();
    }

    /// A number, boolean or date, as it is written. The parser stands an empty number at 0 for a
    /// value that it could not read; the error is reported, and there is nothing to add.
    fn literal(&mut self, span: Range<usize>) {
        let text = self.text;
        if let Some(written) = text.get(span.clone()).filter(|written| !written.is_empty()) {
            self.add(written, span);
        }
    }

    fn add(&mut self, value: &'t str, span: Range<usize>) {
        self.found.push(Found {
            key: self.path.clone(),
            value,
            span,
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::probe::config::tests::{failure, read};

    #[test]
    fn tables_arrays_and_dotted_keys_in_the_order_of_the_file() {
        let text = "title = \"x\"\n[b.c]\nz = true\ne = [1,\n  0x1_f,\n]\n[[a]]\nf.g = 1979-05-27\n[[a]]\nf = {h = 1.5}\n[b]\n\"k.l\" = inf\n";
        assert_eq!(
            read("a.toml", text),
            [
                "1 title = x",
                "3 b.c.z = true",
                "4 b.c.e.0 = 1",
                "5 b.c.e.1 = 0x1_f",
                "8 a.0.f.g = 1979-05-27",
                "10 a.1.f.h = 1.5",
                "12 b.k.l = inf",
            ]
        );
    }

    #[test]
    fn strings_of_all_kinds_and_their_lines() {
        let text =
            "a = 'C:\\x'\nb = \"\\u00e9\"\nc = \"\"\"\none\ntwo\"\"\"\nd = '''x\ny'''\r\ne = 1\n";
        assert_eq!(
            read("a.toml", text),
            [
                "1 a = C:\\x",
                "2 b = é",
                "3-5 c = one\ntwo",
                "6-7 d = x\ny",
                "8 e = 1"
            ]
        );
    }

    #[test]
    fn empty_tables_and_arrays_are_on_the_line_of_their_key() {
        let text = "a = []\nb = {}\n[c]\n[d.e]\n[[f]]\n";
        assert_eq!(
            read("a.toml", text),
            ["1 a = ", "2 b = ", "3 c = ", "4 d.e = ", "5 f.0 = "]
        );
    }

    #[test]
    fn errors_leave_the_other_entries() {
        let text = "a = 1\nb = \nc = {{ x }}\n[d\ne = 2\n[f]\ng = 3\na b\n";
        let (entries, line) = failure("a.toml", text);
        assert_eq!(line, 2);
        assert_eq!(entries.first().map(String::as_str), Some("1 a = 1"));
        assert!(entries.contains(&"7 f.g = 3".to_owned()), "{entries:?}");
    }

    #[test]
    fn a_repeated_key_is_an_error() {
        assert_eq!(failure("a.toml", "a = 1\nb = 2\na = 3\n").1, 3);
    }
}

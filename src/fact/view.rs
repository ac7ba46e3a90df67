//! A fact as expressions and sentences see it.

use std::collections::BTreeSet;
use std::sync::Arc;

use minijinja::value::{Object, Value};

use crate::probe::Hit;

/// Most names that a sentence lists.
const NAMES: usize = 3;

/// The summary of a fact's hits.
#[derive(Debug)]
pub struct FactView {
    count: usize,
    paths: Vec<String>,
    names: Vec<String>,
    values: Vec<String>,
    first: Option<(String, String, u32)>,
}

impl FactView {
    /// Sums up `hits`, which come with the path of their file and the most telling first.
    pub fn new(hits: &[(&Hit, &str)]) -> Self {
        Self {
            count: hits.len(),
            paths: distinct(hits.iter().map(|(_, path)| (*path).to_owned())),
            names: distinct(
                hits.iter()
                    .map(|(hit, _)| identifier(hit.captures.get("name").unwrap_or(&hit.quote))),
            ),
            values: distinct(
                hits.iter()
                    .map(|(hit, _)| hit.captures.get("value").unwrap_or(&hit.quote).clone()),
            ),
            first: hits
                .first()
                .map(|(hit, path)| (hit.quote.clone(), (*path).to_owned(), hit.first)),
        }
    }

    fn numbers(&self) -> impl Iterator<Item = f64> {
        self.values.iter().filter_map(|value| number(value))
    }

    fn folders(&self) -> Vec<String> {
        let folder = |path: &String| {
            path.rsplit_once('/')
                .map_or_else(|| ".".to_owned(), |(folder, _)| folder.to_owned())
        };
        distinct(self.paths.iter().map(folder))
            .into_iter()
            .take(NAMES)
            .collect()
    }
}

/// A construct's name as a sentence prints it: without the bracket, comma or quotation mark where the match ended.
fn identifier(text: &str) -> String {
    let edge = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '(' | '[' | '{' | ',' | ':' | ';' | '=' | '"' | '\'' | '`'
            )
    };
    text.trim_end_matches(edge)
        .trim_start_matches(|c| edge(c) || c == '.')
        .to_owned()
}

/// A quote as a sentence prints it: without a bracket that opens at its end, and with what it leaves open closed.
fn closed(quote: &str) -> String {
    let opens = |c: char| c.is_whitespace() || matches!(c, '(' | '[' | '{' | ',' | ':' | '=');
    let text = quote.trim_end_matches(opens);
    let mut open = Vec::new();
    for character in text.chars() {
        match character {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' if open.last() == Some(&character) => {
                open.pop();
            }
            _ => {}
        }
    }
    let ends: String = open.iter().rev().collect();
    match ends.is_empty() {
        true => text.to_owned(),
        false => format!("{text} …{ends}"),
    }
}

/// Reads `30`, `60_000`, `"2.5"`, `15 * 60`.
fn number(text: &str) -> Option<f64> {
    let plain: String = text
        .chars()
        .filter(|c| !matches!(c, '_' | '"' | '\'' | ' '))
        .collect();
    let product: Option<f64> = plain
        .split('*')
        .map(|factor| factor.parse::<f64>().ok())
        .product();
    product.filter(|n| n.is_finite())
}

fn distinct(items: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    items.filter(|item| seen.insert(item.clone())).collect()
}

impl Object for FactView {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let first = self.first.as_ref();
        match key.as_str()? {
            "count" => Some(Value::from(self.count)),
            "files" => Some(Value::from(self.paths.len())),
            "name" => self.names.first().map(Value::from),
            "names" => Some(Value::from(
                self.names.iter().take(NAMES).cloned().collect::<Vec<_>>(),
            )),
            "value" => self.values.first().map(Value::from),
            "values" => Some(Value::from(self.values.clone())),
            "number" => self.values.first().and_then(|v| number(v)).map(Value::from),
            "min" => self.numbers().reduce(f64::min).map(Value::from),
            "max" => self.numbers().reduce(f64::max).map(Value::from),
            "quote" => first.map(|(quote, _, _)| Value::from(closed(quote))),
            "file" => first.map(|(_, file, _)| Value::from(file)),
            "line" => first.map(|(_, _, line)| Value::from(*line)),
            "place" => first.map(|(_, file, line)| Value::from(format!("{file}:{line}"))),
            "folders" => Some(Value::from(self.folders())),
            _ => None,
        }
    }

    fn is_true(self: &Arc<Self>) -> bool {
        self.count > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_end_where_a_reader_can_go_on() {
        assert_eq!(closed("docker.from_env("), "docker.from_env");
        assert_eq!(closed("run(cmd, shell=True"), "run(cmd, shell=True …)");
        assert_eq!(closed("f(a[0])"), "f(a[0])");
        assert_eq!(closed("env: {"), "env");
    }

    #[test]
    fn numbers_are_read_as_code_writes_them() {
        assert_eq!(number("60_000"), Some(60_000.0));
        assert_eq!(number("15 * 60"), Some(900.0));
        assert_eq!(number("None"), None);
        assert_eq!(number("inf"), None);
    }
}

//! Conditions and sentences of the rubric: MiniJinja expressions and templates over facts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::value::{Object, Value, ValueKind};
use minijinja::{Environment, Error, ErrorKind, Output, State};

use super::Pattern;
use crate::invisible::is_invisible;

/// Steps that one expression or template may take; a template that loops is stopped.
const FUEL: u64 = 20_000;
/// Longest text of the target that one placeholder prints, in characters.
const PRINTED: usize = 160;

/// Evaluates the rubric's expressions and templates.
pub struct Expressions {
    environment: Environment<'static>,
}

impl Default for Expressions {
    fn default() -> Self {
        Self::new()
    }
}

impl Expressions {
    /// The environment of all rubric files: no loaders, no includes, bounded work, and one test, `matching`.
    pub fn new() -> Self {
        let mut environment = Environment::new();
        environment.set_fuel(Some(FUEL));
        environment.add_test("matching", matching);
        environment.set_formatter(print_inert);
        Self { environment }
    }

    /// The variables that `expression` reads, with their attributes (`host_shell`, `core.found`).
    ///
    /// # Errors
    /// A message when it does not parse.
    pub fn variables_of_expression(&self, expression: &str) -> Result<BTreeSet<String>, String> {
        let compiled = self
            .environment
            .compile_expression(expression)
            .map_err(|e| message(&e))?;
        Ok(compiled.undeclared_variables(true).into_iter().collect())
    }

    /// The variables that `template` reads, with their attributes.
    ///
    /// # Errors
    /// A message when it does not parse.
    pub fn variables_of_template(&self, template: &str) -> Result<BTreeSet<String>, String> {
        let compiled = self
            .environment
            .template_from_str(template)
            .map_err(|e| message(&e))?;
        Ok(compiled.undeclared_variables(true).into_iter().collect())
    }

    /// Value of `expression` over `scope`.
    ///
    /// # Errors
    /// A message when it cannot be evaluated.
    pub fn value(&self, expression: &str, scope: &Scope) -> Result<Value, String> {
        let compiled = self
            .environment
            .compile_expression(expression)
            .map_err(|e| message(&e))?;
        compiled
            .eval(scope.value())
            .map_err(|e| format!("`{expression}`: {}", message(&e)))
    }

    /// Whether `condition` holds; no condition holds.
    ///
    /// # Errors
    /// A message when it cannot be evaluated.
    pub fn holds(&self, condition: Option<&str>, scope: &Scope) -> Result<bool, String> {
        condition.map_or(Ok(true), |c| Ok(self.value(c, scope)?.is_true()))
    }

    /// Text of `template` over `scope`, on one line.
    ///
    /// # Errors
    /// A message when it cannot be rendered.
    pub fn text(&self, template: &str, scope: &Scope) -> Result<String, String> {
        let text = self
            .environment
            .render_str(template, scope.value())
            .map_err(|e| format!("`{template}`: {}", message(&e)))?;
        Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

fn message(error: &Error) -> String {
    let detail = error
        .detail()
        .map_or_else(|| error.kind().to_string(), str::to_owned);
    match error.line() {
        Some(line) if line > 1 => format!("{detail} (line {line} of the text)"),
        _ => detail,
    }
}

/// `x is matching('regex')`: whether the text, or any item of the list, matches.
fn matching(value: &Value, pattern: &str) -> Result<bool, Error> {
    let wrong = |message: String| Error::new(ErrorKind::InvalidOperation, message);
    let pattern = Pattern::new(pattern).map_err(wrong)?;
    let matches = |text: &Value| match text.as_str() {
        Some(text) => pattern.is_match(text).map_err(wrong),
        None => Ok(false),
    };
    if value.kind() == ValueKind::Seq {
        for item in value.try_iter()? {
            if matches(&item)? {
                return Ok(true);
            }
        }
        return Ok(false);
    }
    matches(value)
}

/// Prints a value so that text of the target is inert in Markdown, HTML and a terminal.
fn print_inert(
    out: &mut Output<'_>,
    _state: &mut State<'_, '_>,
    value: &Value,
) -> Result<(), Error> {
    let text = value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned);
    out.write_str(&inert_part(&text)).map_err(Error::from)
}

/// Drops control and direction characters, defuses code spans and HTML, and cuts what is long.
pub fn inert(text: &str) -> String {
    let mut printed = String::new();
    for (count, character) in text.chars().filter(|c| !invisible(*c)).enumerate() {
        if count == PRINTED {
            printed.push('…');
            break;
        }
        printed.push(match character {
            '`' => '\'',
            '<' => '‹',
            '>' => '›',
            c if c.is_whitespace() => ' ',
            c => c,
        });
    }
    printed
        .split(' ')
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// [`inert`] for a value within a sentence, where a blank at an end keeps it apart from the next word.
fn inert_part(text: &str) -> String {
    let blank = |is: bool| if is { " " } else { "" };
    let core = inert(text);
    if core.is_empty() {
        return core;
    }
    format!(
        "{}{core}{}",
        blank(text.starts_with(' ')),
        blank(text.ends_with(' '))
    )
}

fn invisible(character: char) -> bool {
    is_invisible(character) || (character.is_control() && !character.is_whitespace())
}

/// The variables that expressions see; grows while facts are worked out.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    variables: Arc<Variables>,
}

#[derive(Debug, Default)]
struct Variables(Mutex<BTreeMap<String, Value>>);

impl Object for Variables {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(key.as_str()?)
            .cloned()
    }
}

impl Scope {
    /// Sets the variable `name`.
    pub fn set(&self, name: &str, value: Value) {
        self.variables
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(name.to_owned(), value);
    }

    /// The variable `name`.
    pub fn get(&self, name: &str) -> Option<Value> {
        self.variables
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(name)
            .cloned()
    }

    /// A copy that grows on its own.
    pub fn fork(&self) -> Self {
        let copy = self
            .variables
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        Self {
            variables: Arc::new(Variables(Mutex::new(copy))),
        }
    }

    fn value(&self) -> Value {
        Value::from_dyn_object(self.variables.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_read_the_scope() {
        let expressions = Expressions::new();
        let scope = Scope::default();
        scope.set("count", Value::from(3));
        assert!(
            expressions
                .holds(Some("count >= 3 and not missing"), &scope)
                .unwrap()
        );
        assert!(expressions.holds(None, &scope).unwrap());
    }

    #[test]
    fn matching_takes_text_and_lists() {
        let expressions = Expressions::new();
        let scope = Scope::default();
        scope.set("names", Value::from(vec!["alpha", "my-mcp"]));
        assert!(
            expressions
                .holds(Some(r"names is matching('(^|\W)mcp(\W|$)')"), &scope)
                .unwrap()
        );
        assert!(
            !expressions
                .holds(Some("names is matching('beta')"), &scope)
                .unwrap()
        );
    }

    #[test]
    fn text_of_the_target_is_inert() {
        let expressions = Expressions::new();
        let scope = Scope::default();
        scope.set("name", Value::from("`<b>\u{202e}x\n\u{1b}[31my"));
        assert_eq!(
            expressions.text("{{ name }} runs", &scope).unwrap(),
            "'‹b›x [31my runs"
        );
    }

    #[test]
    fn endless_templates_are_stopped() {
        let expressions = Expressions::new();
        let scope = Scope::default();
        let template =
            "{% for i in range(9999) %}{% for j in range(9999) %}x{% endfor %}{% endfor %}";
        assert!(expressions.text(template, &scope).is_err());
    }
}

//! What all templates of the program share: strict, one newline at the end, blocks that leave no blank lines.

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, UndefinedBehavior};
use thiserror::Error;

/// Why a card's template is refused: its message names the template and the line.
#[derive(Debug, Error)]
#[error("the card's template is wrong: {0}")]
pub struct TemplateError(#[from] minijinja::Error);

/// An environment with `templates`, each a name and a text. A name that ends with `.html` is
/// escaped wherever it prints a value.
pub(super) fn environment(
    templates: &[(&'static str, &'static str)],
) -> Result<Environment<'static>, TemplateError> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(
        SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .keep_trailing_newline(true)
            .build()?,
    );
    for (name, text) in templates {
        environment.add_template(name, text)?;
    }
    Ok(environment)
}

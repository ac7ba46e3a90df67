//! The Markdown card, from the template `rubric/templates/card.md.jinja`.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};
use thiserror::Error;

use super::view::CardView;
use crate::scorecard::{Permalink, ScoredCard};

const TEMPLATE: &str = include_str!("../../rubric/templates/card.md.jinja");
const TEMPLATE_NAME: &str = "card.md.jinja";

/// Why the card's template is refused: its message names the template and the line.
#[derive(Debug, Error)]
#[error("the card's template is wrong: {0}")]
pub struct TemplateError(#[from] minijinja::Error);

/// The card, ending with one newline. `permalink` gives the address of cited lines; it
/// percent-encodes the path.
///
/// # Errors
/// Only if the template of this build is wrong, which the tests rule out.
pub fn markdown(
    scored: &ScoredCard<'_>,
    permalink: &Permalink<'_>,
) -> Result<String, TemplateError> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(
        SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .keep_trailing_newline(true)
            .build()?,
    );
    environment.add_template(TEMPLATE_NAME, TEMPLATE)?;
    let template = environment.get_template(TEMPLATE_NAME)?;
    Ok(template.render(Serde(CardView::new(scored, permalink)))?)
}

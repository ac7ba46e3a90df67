//! The Markdown card, from the template `rubric/templates/card.md.jinja`.

use minijinja::value::Serde;

use super::template::{TemplateError, environment};
use super::view::CardView;
use crate::scorecard::{Permalink, ScoredCard};

const TEMPLATE: &str = include_str!("../../rubric/templates/card.md.jinja");
const TEMPLATE_NAME: &str = "card.md.jinja";

/// The card, ending with one newline. `permalink` gives the address of cited lines; it
/// percent-encodes the path.
///
/// # Errors
/// Only if the template of this build is wrong, which the tests rule out.
pub fn markdown(
    scored: &ScoredCard<'_>,
    permalink: &Permalink<'_>,
) -> Result<String, TemplateError> {
    let environment = environment(&[(TEMPLATE_NAME, TEMPLATE)])?;
    let template = environment
        .get_template(TEMPLATE_NAME)
        .map_err(TemplateError::from)?;
    Ok(template.render(Serde(CardView::new(scored, permalink)))?)
}

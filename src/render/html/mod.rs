//! The card as one page for a browser: no request leaves it, and it works without its script.
//!
//! The template `card.html.jinja` escapes every value that it prints; its style and script are the
//! only ones that the page's content security policy lets run.

mod chart;
mod criterion;
mod evidence;
mod excerpt;
mod highlight;
mod page;
mod policy;
mod text;

use minijinja::context;
use minijinja::value::Serde;

pub use self::excerpt::SourceText;
use self::page::PageView;
use super::template::{TemplateError, environment};
use crate::scorecard::{Permalink, ScoredCard};

const PAGE: &str = "card.html.jinja";
const TEMPLATES: [(&str, &str); 2] = [
    (PAGE, include_str!("card.html.jinja")),
    ("parts.html.jinja", include_str!("parts.html.jinja")),
];
const STYLE: &str = include_str!("card.css");
const SCRIPT: &str = include_str!("card.js");

/// Where the page takes what stands behind a citation from.
struct Sources<'a> {
    permalink: &'a Permalink<'a>,
    text: &'a SourceText<'a>,
}

/// The page. `permalink` gives the address of cited lines; `text` the text of a cited file, whose
/// lines are then shown with a few around them (`|_| None` shows the quotes alone).
///
/// # Errors
/// Only if the template of this build is wrong, which the tests rule out.
pub fn html<'a>(
    scored: &ScoredCard<'_>,
    permalink: &'a Permalink<'a>,
    text: &'a SourceText<'a>,
) -> Result<String, TemplateError> {
    let environment = environment(&TEMPLATES)?;
    let template = environment
        .get_template(PAGE)
        .map_err(TemplateError::from)?;
    let page = PageView::new(scored, &Sources { permalink, text });
    Ok(template.render(context! {
        policy => policy::policy(STYLE, SCRIPT),
        style => STYLE,
        script => SCRIPT,
        card => Serde(page),
    })?)
}

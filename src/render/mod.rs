//! Last stage: text for people.
//!
//! In: a [`ScoredCard`](crate::scorecard::ScoredCard). Out: the Markdown card, the page
//! (HTML), the plain-text summary and the table for a terminal. Nothing is decided here, and whatever a card quotes is
//! made inert where it is printed. The machine-readable entry is
//! [`Entry`](crate::scorecard::Entry), written by [`to_json`](crate::scorecard::to_json).

mod comparison;
mod escape;
mod evidence;
mod html;
mod markdown;
mod summary;
mod table;
mod template;
mod view;

pub use comparison::{comparison_markdown, comparison_text};
pub use html::{SourceText, html};
pub use markdown::markdown;
pub use summary::summary;
pub use table::table;
pub use template::TemplateError;

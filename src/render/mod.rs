//! Last stage: text for people, and for the programs that show it to them.
//!
//! In: a [`ScoredCard`](crate::scorecard::ScoredCard). Out: the Markdown card, the page (HTML), the plain-text summary,
//! the table for a terminal, the badge, SARIF and the overlay that a review begins with. Nothing is decided here, and
//! whatever a card quotes is made inert where it is printed. The machine-readable entry is
//! [`Entry`](crate::scorecard::Entry), written by [`to_json`](crate::scorecard::to_json).

mod badge;
mod batch;
mod comparison;
mod escape;
mod evidence;
mod html;
mod leaderboard;
mod markdown;
mod review;
mod sarif;
mod sections;
mod summary;
mod table;
mod template;
mod view;

pub use badge::{BadgeEndpoint, badge_svg};
pub use batch::{batch_outcome, batch_summary};
pub use comparison::{comparison_json, comparison_markdown, comparison_text};
pub use escape::plain;
pub use html::{SourceText, html};
pub use leaderboard::{leaderboard_html, leaderboard_markdown};
pub use markdown::markdown;
pub use review::review_template;
pub use sarif::sarif;
pub use summary::summary;
pub use table::table;
pub use template::TemplateError;

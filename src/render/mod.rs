//! Last stage: text for people.
//!
//! In: a [`ScoredCard`](crate::scorecard::ScoredCard). Out: the Markdown card, the plain-text
//! summary and the table for a terminal. Nothing is decided here, and whatever a card quotes is
//! made inert where it is printed. The machine-readable entry is
//! [`Entry`](crate::scorecard::Entry), written by [`to_json`](crate::scorecard::to_json).

mod batch;
mod comparison;
mod escape;
mod evidence;
mod leaderboard;
mod markdown;
mod summary;
mod table;
mod view;

pub use batch::{batch_outcome, batch_summary};
pub use comparison::{comparison_markdown, comparison_text};
pub use leaderboard::{leaderboard_html, leaderboard_markdown};
pub use markdown::{TemplateError, markdown};
pub use summary::summary;
pub use table::table;

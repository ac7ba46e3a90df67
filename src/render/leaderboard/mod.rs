//! The leaderboard for people, as Markdown and as HTML.

mod cells;
mod html;
mod markdown;

pub use html::leaderboard_html;
pub use markdown::leaderboard_markdown;

//! Stage 4: facts are what the evidence adds up to.
//!
//! In: the hits of the scan. Out: the core, the project's kind, the agent surface and every fact of the rubric, by
//! name, with the hits that show it.

mod core;
mod facts;
mod filter;
mod imports;
mod order;
mod project;
mod view;

pub use self::core::{Core, CoreInput, lift};
pub use facts::{Fact, Facts, Ground, Judgement};
pub use project::{Project, is_at_root, is_kept, is_readme};
pub use view::FactView;

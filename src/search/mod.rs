//! ripgrep-compatible searches over a snapshot, without a checkout and without running ripgrep.
//!
//! A card records its negative findings as searches: a plain `rg` command, a scope of paths, and the number of
//! non-empty lines that ripgrep prints when the paths are appended (formats.md, "scorecard.json"). This module reads
//! such a command ([`Query`]), finds the files that ripgrep would look at in a checkout of the commit, and counts
//! the lines it would print. Matching, line handling, binary detection and printing are ripgrep's own crates; which
//! files are looked at is decided here, from the snapshot's own ignore files.
//!
//! ```text
//! command ─┐
//! scope ───┴→ plan (walk, tree, rules) → batch (memory, prefilter, count, tally)
//! ```
//!
//! What is not imitated, because it is not part of a commit: a user's ripgrep configuration and global ignore files,
//! `.git/info/exclude`, ignore files above the repository, and conversions that `.gitattributes` asks for. Nor is
//! `.git` itself: whoever records a search of the whole repository with `--hidden` adds `-g '!.git'`.

mod batch;
mod command;
mod count;
mod engine;
mod error;
mod flags;
mod memory;
mod pattern;
mod plan;
mod prefilter;
mod query;
mod quote;
mod rules;
mod scope;
mod tally;
mod text;
mod tree;
mod walk;

pub use command::CommandError;
pub use engine::{MAX_FILE_BYTES, Outcome, Place, SearchEngine};
pub use error::SearchError;
pub use memory::FileMemory;
pub use pattern::{PatternError, check_portable};
pub use query::{Boundary, Case, Output, Query, Selection, TypeChoice};
pub use quote::{quote_command, quote_scope, quote_word};
pub use scope::ScopeError;

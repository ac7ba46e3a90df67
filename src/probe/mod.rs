//! Stage 3: probes turn files into evidence.
//!
//! In: the inventory's files and the rubric's probes. Out: hits (path, lines, literal text, captures). Each file is
//! read once and parsed at most once, whatever the number of probes.

mod budget;
mod cases;
mod comment;
mod compile;
pub mod config;
mod evidence;
mod find;
mod grams;
mod imports;
mod known;
mod lazy;
mod literals;
mod locality;
mod prefilter;
mod scan;
mod syntax;
mod text;

pub use cases::{example, run_cases};
pub use compile::{ProbeError, ProbeSet};
pub use evidence::Hit;
pub use known::Known;
pub use lazy::Probes;
pub use scan::{FileScan, Outcome, Scan, scan};
pub use syntax::has_grammar;

//! `audit` scores how well an AI agent's own code contains harm.
//!
//! The modules are the stages of one pipeline; data flows one way and no stage reaches back:
//!
//! ```text
//! checkout → inventory → probe → fact → rating → scorecard → render
//!                                       review ↗   ↓ verify, compare, batch, leaderboard
//! ```
//!
//! `cache` keeps what probes and searches found for the next audit of the repository.
//! `rubric` is the data that all stages from `inventory` to `rating` read, and SARIF's help with them; `search` is the
//! ripgrep-compatible engine behind recorded searches; `cli` is the only module that prints. `input` reads the files
//! that are given beside the repository, and `invisible` knows what a stranger's text may hide behind.

pub mod audit;
pub mod batch;
pub mod cache;
pub mod checkout;
pub mod cli;
pub mod compare;
pub mod fact;
pub mod input;
pub mod inventory;
pub mod invisible;
pub mod leaderboard;
pub mod probe;
pub mod rating;
pub mod render;
pub mod review;
pub mod rubric;
pub mod scorecard;
pub mod search;
pub mod verify;

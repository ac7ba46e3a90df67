//! Beside the pipeline: many repositories, one card each, in one folder.
//!
//! In: a list of repositories, and how the audit of each entry ended. Out: the entries of a shard, the receipts by which
//! a later run knows a finished card, how many audits a machine takes at a time, and the summary. Nothing here audits
//! or writes: `cli` starts one process for each entry, so that a crash, a limit or a hang is that entry's alone.
//!
//! ```text
//! DIR/<id>/report.md, scorecard.json, entry.json   what `audit` writes
//! DIR/<id>/receipt.json                            what the card was made from, and the digest of each file
//! DIR/<id>/failure.json                            instead, or beside an earlier card: why there is no new one
//! DIR/summary.json                                 all entries of the list (summary-K-of-N.json of a shard)
//! DIR/.audit-batch/                                the lock, and work that is under way
//! ```

mod budget;
mod digest;
mod list;
mod outcome;
mod receipt;
mod shard;

pub use budget::{Budget, Request, parse_size};
pub use list::{Entry, ListError, parse};
pub use outcome::{EntryFailure, Outcome, Summary};
pub use receipt::{FAILURE, RECEIPT, Receipt, Recipe};
pub use shard::Shard;

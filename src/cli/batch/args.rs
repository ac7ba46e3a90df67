//! The arguments of `audit batch`, and of the process that it starts for each entry.

use std::path::PathBuf;

use clap::Args;

use super::super::args::AuditArguments;
use crate::batch::{Shard, parse_size};

#[derive(Args, Debug)]
pub(in crate::cli) struct BatchArguments {
    /// List of repositories; docs/at-scale.md has its form.
    #[arg(value_name = "LIST.toml")]
    pub(in crate::cli) list: PathBuf,
    /// Folder for the cards, DIR/<id>/, and summary.json.
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) out: PathBuf,
    /// Audits at the same time; by default as many as there are cores and memory for.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(in crate::cli) jobs: Option<u16>,
    /// Memory for all of them together, such as 4G; three quarters of what is free by default.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(in crate::cli) memory: Option<u64>,
    /// Seconds after which one audit is stopped.
    #[arg(long, value_name = "SECONDS", default_value_t = 1800, value_parser = clap::value_parser!(u64).range(1..=604_800))]
    pub(in crate::cli) timeout: u64,
    /// Audits a part of the list: shard K of N, by the ids. K is 0 to N-1, or 1 to N.
    #[arg(long, value_name = "K/N")]
    pub(in crate::cli) shard: Option<Shard>,
    /// Date on the cards; the day on which the run began by default, or SOURCE_DATE_EPOCH.
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(in crate::cli) date: Option<String>,
    /// Folder for fetched commits; the platform's cache folder by default.
    #[arg(long, value_name = "DIR", env = "AUDIT_CACHE_DIR")]
    pub(in crate::cli) cache_dir: Option<PathBuf>,
    /// Never fetches: uses what the cache has.
    #[arg(long)]
    pub(in crate::cli) offline: bool,
    /// Threads of each audit; by default the cores are shared out.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(in crate::cli) threads: Option<u16>,
    /// Folder with another rubric than the built-in one.
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) rubric: Option<PathBuf>,
    /// Scores repositories in which no agent, framework or tool server was found, too.
    #[arg(long)]
    pub(in crate::cli) force: bool,
    /// No line on stderr for each repository.
    #[arg(long, short)]
    pub(in crate::cli) quiet: bool,
}

/// What `audit REPO` takes, and the limits of a batch.
#[derive(Args, Debug)]
pub(in crate::cli) struct MemberArguments {
    #[command(flatten)]
    pub(in crate::cli) audit: AuditArguments,
    /// Commit that has a card: nothing is done when the repository is still at it.
    #[arg(long)]
    pub(in crate::cli) known: Option<String>,
    /// Most bytes to allocate.
    #[arg(long)]
    pub(in crate::cli) memory: Option<u64>,
}

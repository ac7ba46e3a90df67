//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Scores how well an AI agent's own code contains harm, from its source at one commit.
///
/// Reads a repository (nothing of it is installed or run) and writes report.md, scorecard.json and entry.json: ten
/// criteria C1-C10, each rated L0-L4 on strength, coverage, default and blast radius, with caps, a total, and for
/// every rating file:line evidence at the pinned commit.
#[derive(Debug, Parser)]
#[command(
    name = "audit",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
#[command(after_help = crate::cli::exit::HELP)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) audit: AuditArguments,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Renders a scorecard.json or entry.json to stdout, hand-made ones too.
    Render(RenderArguments),
    /// Checks a card against the rules and the repository: citations, quotes, searches, the pinned commit.
    Verify(VerifyArguments),
    /// Prints the boundary map: kind, tools, loop, core, and every fact with its places.
    Map(MapArguments),
    /// Shows how a level came about: every rung with its condition, and the facts behind it.
    Explain(ExplainArguments),
    /// Tells what changed between two cards of one project, regressions first.
    Compare(CompareArguments),
    /// Checks or shows a rubric.
    #[command(subcommand)]
    Rubric(RubricCommand),
}

/// Where the repository is and what of it is read.
#[derive(Args, Debug)]
pub(super) struct TargetArguments {
    /// URL (https, http, ssh, git@ or file://) or path of the repository.
    #[arg(required = true)]
    pub(super) repository: Option<String>,
    /// Commit (full or abbreviated), tag or branch; HEAD by default.
    #[arg(long, value_name = "REVISION")]
    pub(super) commit: Option<String>,
    /// Rates the folder as it lies there instead of a commit.
    #[arg(long, conflicts_with = "commit")]
    pub(super) worktree: bool,
    /// Scores one folder of a monorepo.
    #[arg(long, value_name = "FOLDER")]
    pub(super) subpath: Option<String>,
    /// https URL of the repository, where it cannot be derived.
    #[arg(long, value_name = "URL")]
    pub(super) repo_url: Option<String>,
    /// Folder for fetched commits; the platform's cache folder by default.
    #[arg(long, value_name = "DIR", env = "AUDIT_CACHE_DIR")]
    pub(super) cache_dir: Option<PathBuf>,
    /// Never fetches: uses what the cache has.
    #[arg(long)]
    pub(super) offline: bool,
    /// Threads to use; all cores by default. The result is the same for any number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(super) threads: Option<u16>,
    /// Folder with another rubric than the built-in one.
    #[arg(long, value_name = "DIR")]
    pub(super) rubric: Option<PathBuf>,
    /// No progress bar and no notes on stderr.
    #[arg(long, short)]
    pub(super) quiet: bool,
}

#[derive(Args, Debug)]
pub(super) struct AuditArguments {
    #[command(flatten)]
    pub(super) target: TargetArguments,
    /// Folder for the card; audit-out/<id> by default.
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Slug of the card ([a-z0-9][a-z0-9-]*).
    #[arg(long)]
    pub(super) id: Option<String>,
    /// Name on the card.
    #[arg(long)]
    pub(super) name: Option<String>,
    /// Date on the card; today in UTC by default, or SOURCE_DATE_EPOCH.
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(super) date: Option<String>,
    /// File for concrete weaknesses of shipped controls, readable by you alone; the card never names them.
    #[arg(long, value_name = "FILE")]
    pub(super) private: Option<PathBuf>,
    /// Scores a repository in which no agent, framework or tool server was found, too.
    #[arg(long)]
    pub(super) force: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Format {
    /// The Markdown card.
    Md,
    /// The card as one page for a browser, with nothing beside it.
    Html,
    /// entry.json.
    Entry,
    /// The score table.
    Table,
    /// The ten summaries as plain text.
    Summary,
}

#[derive(Args, Debug)]
pub(super) struct RenderArguments {
    /// scorecard.json or entry.json.
    pub(super) card: PathBuf,
    /// What to print.
    #[arg(long, value_enum, default_value = "md")]
    pub(super) format: Format,
}

#[derive(Args, Debug)]
pub(super) struct VerifyArguments {
    /// scorecard.json or entry.json.
    pub(super) card: PathBuf,
    /// URL or path of the repository; without it only the rules are checked.
    #[arg(long = "repo", value_name = "REPO")]
    pub(super) repository: Option<String>,
    /// Checks a card that was made with --worktree against the folder as it lies there.
    #[arg(long, requires = "repository")]
    pub(super) worktree: bool,
    /// Folder for fetched commits.
    #[arg(long, value_name = "DIR", env = "AUDIT_CACHE_DIR")]
    pub(super) cache_dir: Option<PathBuf>,
    /// Never fetches: uses what the cache has.
    #[arg(long)]
    pub(super) offline: bool,
}

#[derive(Args, Debug)]
pub(super) struct MapArguments {
    #[command(flatten)]
    pub(super) target: TargetArguments,
    /// Prints JSON instead of text: every fact with its places.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Args, Debug)]
pub(super) struct ExplainArguments {
    #[command(flatten)]
    pub(super) target: TargetArguments,
    /// Criterion (C4) or parameter (C4.S); every criterion by default.
    pub(super) what: Option<String>,
    /// JSON instead of text.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ComparisonFormat {
    /// For a terminal.
    Text,
    /// Markdown.
    Md,
    /// JSON; scores in thousandths of a point.
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// A lower score or level, or a new cap.
    Regression,
    /// Any change.
    Any,
}

#[derive(Args, Debug)]
pub(super) struct CompareArguments {
    /// The older scorecard.json or entry.json.
    pub(super) old: PathBuf,
    /// The newer one.
    pub(super) new: PathBuf,
    /// What to print.
    #[arg(long, value_enum, default_value = "text")]
    pub(super) format: ComparisonFormat,
    /// Ends with exit code 4 when there is such a change.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(super) fail_on: Option<FailOn>,
}

#[derive(Debug, Subcommand)]
pub(super) enum RubricCommand {
    /// Loads a rubric, refuses what is wrong with file and line, and runs its probes' own cases.
    Check {
        /// Folder of the rubric; the built-in one by default.
        folder: Option<PathBuf>,
    },
    /// Prints a criterion's question, ladders, caps and probes.
    Show {
        /// C1 to C10.
        criterion: String,
        /// Folder of the rubric; the built-in one by default.
        #[arg(long, value_name = "DIR")]
        rubric: Option<PathBuf>,
    },
}

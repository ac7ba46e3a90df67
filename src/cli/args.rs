//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use serde::Deserialize;

use super::gate::{Floor, Percent};

use super::batch::args::{BatchArguments, MemberArguments};

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
    /// Tells what changed between two cards of one project, or two commits of a repository, regressions first.
    Compare(CompareArguments),
    /// Prints the total and its band as a badge.
    Badge(BadgeArguments),
    /// A reviewer's changes of a card, in a file that is applied with --review.
    #[command(subcommand)]
    Review(ReviewCommand),
    /// Audits many repositories into one folder; goes on where an interrupted run stopped.
    Batch(BatchArguments),
    /// One entry of a batch; started by `batch`.
    #[command(hide = true)]
    BatchMember(Box<MemberArguments>),
    /// Ranks the cards in a folder, with what changed since an earlier one.
    Leaderboard(LeaderboardArguments),
    /// Checks or shows a rubric.
    #[command(subcommand)]
    Rubric(RubricCommand),
    /// Prints a completion script for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Prints the manual page of the program or of one command, for man(1).
    Man {
        /// The command, such as `compare` or `rubric check`.
        command: Vec<String>,
    },
}

/// Where the repository is and what of it is read.
#[derive(Args, Clone, Debug)]
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
    /// Folder for fetched commits and for results; the platform's cache folder by default.
    #[arg(long, value_name = "DIR", env = "AUDIT_CACHE_DIR")]
    pub(super) cache_dir: Option<PathBuf>,
    /// Never fetches: uses what the cache has.
    #[arg(long)]
    pub(super) offline: bool,
    /// Neither uses nor keeps what earlier audits of the repository found. The result is the same.
    #[arg(long)]
    pub(super) no_cache: bool,
    /// Threads to use; all cores by default. The result is the same for any number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(super) threads: Option<u16>,
    /// Most bytes to read of all files together; the rubric's limit by default. The card names what was not read.
    #[arg(long, value_name = "BYTES")]
    pub(super) max_bytes: Option<u64>,
    /// Most files to read; the rubric's limit by default.
    #[arg(long, value_name = "N")]
    pub(super) max_files: Option<u64>,
    /// Folder with another rubric than the built-in one.
    #[arg(long, value_name = "DIR")]
    pub(super) rubric: Option<PathBuf>,
    /// No progress bar and no notes on stderr.
    #[arg(long, short)]
    pub(super) quiet: bool,
}

#[derive(Args, Clone, Debug)]
pub(super) struct AuditArguments {
    #[command(flatten)]
    pub(super) target: TargetArguments,
    /// Folder for the card; audit-out/<id> by default.
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Which files are written; those of other formats stay as they are.
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT,...",
        value_delimiter = ',',
        default_value = "md,json,entry"
    )]
    pub(super) format: Vec<CardFormat>,
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
    /// A reviewer's overlay (see `audit review init`), applied to the card.
    #[arg(long, value_name = "FILE")]
    pub(super) review: Option<PathBuf>,
    /// File with settings; audit.toml of the current folder by default, unless that is in the audited repository.
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    #[command(flatten)]
    pub(super) gates: GateArguments,
}

/// What the card has to hold for the command to end well. It is written before a gate fails.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Gates")]
pub(super) struct GateArguments {
    /// Older scorecard.json or entry.json: prints what changed, and writes it into the Re-audit log.
    #[arg(long, value_name = "CARD")]
    pub(super) baseline: Option<PathBuf>,
    /// Exit code 4 when there is such a change since the baseline.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(super) fail_on: Option<FailOn>,
    /// Exit code 4 when the total, or a criterion's score (C4=0.5), is lower; may be repeated.
    #[arg(long, value_name = "SCORE|C4=SCORE")]
    pub(super) fail_under: Vec<Floor>,
    /// Exit code 4 when a cap holds a criterion.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(super) fail_on_cap: Option<bool>,
    /// Exit code 5 when more of the source was not read, such as 5%; by default a partial run fails nothing.
    #[arg(long, value_name = "PERCENT")]
    pub(super) max_unread: Option<Percent>,
}

/// The files of a card, in the order in which they are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(super) enum CardFormat {
    /// report.md, the Markdown card.
    Md,
    /// scorecard.json.
    Json,
    /// entry.json, for a card with an https address.
    Entry,
    /// report.sarif, for code scanning.
    Sarif,
    /// report.html, one page with the cited lines.
    Html,
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
    /// SARIF 2.1.0.
    Sarif,
}

#[derive(Args, Debug)]
pub(super) struct RenderArguments {
    /// scorecard.json or entry.json.
    pub(super) card: PathBuf,
    /// What to print.
    #[arg(long, value_enum, default_value = "md")]
    pub(super) format: Format,
    /// A reviewer's overlay (see `audit review init`), applied to the card before it is printed.
    #[arg(long, value_name = "FILE")]
    pub(super) review: Option<PathBuf>,
    /// URL or path of the repository, in which the overlay's evidence is looked for.
    #[arg(long = "repo", value_name = "REPO", requires = "review")]
    pub(super) repository: Option<String>,
    /// Folder for fetched commits.
    #[arg(long, value_name = "DIR", env = "AUDIT_CACHE_DIR")]
    pub(super) cache_dir: Option<PathBuf>,
    /// Never fetches: uses what the cache has.
    #[arg(long)]
    pub(super) offline: bool,
    /// No progress bar and no notes on stderr.
    #[arg(long, short)]
    pub(super) quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum ReviewCommand {
    /// Writes an overlay for a card, with every override commented out.
    Init {
        /// scorecard.json or entry.json.
        card: PathBuf,
        /// A new file; stdout by default.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
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
    /// Criterion (C4), parameter (C4.S) or one of an alternative (C2.alt.S); every criterion by default.
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

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum FailOn {
    /// A lower score or level, a new cap or a new critical gap.
    Regression,
    /// Any change of scores, levels, findings, evidence, caps, critical gaps or the agent surface.
    Any,
}

#[derive(Args, Debug)]
#[command(override_usage = "audit compare [OPTIONS] <OLD> <NEW>\n       \
    audit compare [OPTIONS] <REPO> --from <REVISION> --to <REVISION>")]
pub(super) struct CompareArguments {
    /// The older scorecard.json or entry.json; with --from and --to the URL or path of a repository.
    #[arg(value_name = "OLD|REPO")]
    pub(super) old: String,
    /// The newer one.
    #[arg(
        required_unless_present = "from",
        conflicts_with_all = ["from", "to", "subpath", "repo_url", "offline", "threads", "rubric", "force"]
    )]
    pub(super) new: Option<PathBuf>,
    /// What to print.
    #[arg(long, value_enum, default_value = "text")]
    pub(super) format: ComparisonFormat,
    /// Ends with exit code 4 when there is such a change.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(super) fail_on: Option<FailOn>,
    #[command(flatten)]
    pub(super) commits: CommitsArguments,
}

/// Two commits of one repository, and what of it is read. The options mean what they mean for `audit REPO`.
#[derive(Args, Debug)]
#[command(next_help_heading = "Two commits of one repository")]
pub(super) struct CommitsArguments {
    /// The older commit, tag or branch; both are audited, and no card is written.
    #[arg(long, value_name = "REVISION", requires = "to")]
    pub(super) from: Option<String>,
    /// The newer one.
    #[arg(long, value_name = "REVISION", requires = "from")]
    pub(super) to: Option<String>,
    /// Compares one folder of a monorepo.
    #[arg(long, value_name = "FOLDER", requires = "from")]
    pub(super) subpath: Option<String>,
    /// https URL of the repository, where it cannot be derived.
    #[arg(long, value_name = "URL", requires = "from")]
    pub(super) repo_url: Option<String>,
    /// Folder for fetched commits; the platform's cache folder by default.
    #[arg(long, value_name = "DIR", env = "AUDIT_CACHE_DIR")]
    pub(super) cache_dir: Option<PathBuf>,
    /// Never fetches: uses what the cache has.
    #[arg(long, requires = "from")]
    pub(super) offline: bool,
    /// Neither uses nor keeps what earlier audits of the repository found.
    #[arg(long, requires = "from")]
    pub(super) no_cache: bool,
    /// Threads to use; all cores by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), requires = "from")]
    pub(super) threads: Option<u16>,
    /// Folder with another rubric than the built-in one.
    #[arg(long, value_name = "DIR", requires = "from")]
    pub(super) rubric: Option<PathBuf>,
    /// No progress bar and no notes on stderr.
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Compares commits in which no agent, framework or tool server was found, too.
    #[arg(long, requires = "from")]
    pub(super) force: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum BadgeFormat {
    /// What a shields.io endpoint answers.
    Json,
    /// An image.
    Svg,
}

#[derive(Args, Debug)]
pub(super) struct BadgeArguments {
    /// scorecard.json or entry.json.
    pub(super) card: PathBuf,
    /// What to print.
    #[arg(long, value_enum, default_value = "svg")]
    pub(super) format: BadgeFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LeaderboardFormat {
    /// Markdown.
    Md,
    /// JSON; scores in thousandths of a point.
    Json,
    /// One HTML file that loads nothing.
    Html,
}

#[derive(Args, Debug)]
pub(super) struct LeaderboardArguments {
    /// Folder of cards: DIR/<any name>/scorecard.json or entry.json.
    #[arg(value_name = "DIR")]
    pub(super) folder: PathBuf,
    /// What to print.
    #[arg(long, value_enum, default_value = "md")]
    pub(super) format: LeaderboardFormat,
    /// Folder of an earlier run, for what changed since.
    #[arg(long, value_name = "DIR")]
    pub(super) previous: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(super) enum RubricCommand {
    /// Loads a rubric, refuses what is wrong with file and line, and runs its probes' own cases.
    Check {
        /// Folder of the rubric; the built-in one by default.
        folder: Option<PathBuf>,
    },
    /// Prints a criterion's question, ladders, caps and probes, or what its rungs say.
    Show {
        /// C1 to C10.
        criterion: String,
        /// Folder of the rubric; the built-in one by default.
        #[arg(long, value_name = "DIR")]
        rubric: Option<PathBuf>,
        /// Prints each rung's sentences as a card would have them, filled from the probes' own cases.
        #[arg(long)]
        sentences: bool,
    },
}

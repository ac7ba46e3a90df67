//! How each entry of a list ended, and the summary of a run.

use serde::{Deserialize, Serialize};

use super::shard::Shard;
use crate::scorecard::{Method, Scorecard, ScoredCard};

/// Longest reason that is kept, in characters.
const REASON: usize = 600;

/// Why an entry has no card (of this run).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryFailure {
    /// Id of the entry.
    pub id: String,
    /// Exit code that the audit of this entry alone has.
    pub code: u8,
    /// What it said: one line, without control characters.
    pub reason: String,
}

impl EntryFailure {
    /// Takes what a process printed on stderr.
    pub fn new(id: &str, code: u8, said: &str) -> Self {
        let said = said.trim();
        let said = said.strip_prefix("audit: ").unwrap_or(said);
        let words = said.split(|c: char| c.is_whitespace() || c.is_control());
        let line: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let reason = match line.is_empty() {
            true => "no message".to_owned(),
            false => line.join(" ").chars().take(REASON).collect(),
        };
        Self {
            id: id.to_owned(),
            code,
            reason,
        }
    }
}

/// How an entry ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Outcome {
    /// There is a card of this run, made or kept.
    Card {
        /// Id of the entry.
        id: String,
        /// Commit of the card.
        commit: String,
        /// Total in thousandths of a point, rounded to tenths as the card prints it.
        total: u32,
        /// Id of the band.
        band: String,
    },
    /// There is none.
    Failed(EntryFailure),
}

impl Outcome {
    /// The outcome of an entry that has `card`.
    pub fn card(card: &Scorecard, method: &Method) -> Self {
        let scored = ScoredCard::new(card, method);
        Self::Card {
            id: card.id.clone(),
            commit: card.pinned_commit.clone(),
            total: scored.total.thousandths(),
            band: scored.band.id.clone(),
        }
    }

    fn id(&self) -> &str {
        match self {
            Self::Card { id, .. } | Self::Failed(EntryFailure { id, .. }) => id,
        }
    }
}

/// `summary.json`. It says nothing of what was kept, of time or of machines: a run that was killed and started again
/// ends with the same bytes as one that was left alone.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Version of the program.
    program: &'static str,
    /// K/N of a shard.
    shard: Option<String>,
    /// Entries with a card.
    pub cards: usize,
    /// Entries without.
    pub failed: usize,
    /// All entries, by id.
    entries: Vec<Outcome>,
}

impl Summary {
    /// The summary of a run that came to its end.
    pub fn new(shard: Option<Shard>, mut entries: Vec<Outcome>) -> Self {
        entries.sort_by(|a, b| a.id().cmp(b.id()));
        let cards = entries.iter().filter(|e| matches!(e, Outcome::Card { .. }));
        let cards = cards.count();
        Self {
            program: env!("CARGO_PKG_VERSION"),
            shard: shard.map(|shard| shard.to_string()),
            cards,
            failed: entries.len() - cards,
            entries,
        }
    }

    /// What failed, by id.
    pub fn failures(&self) -> impl Iterator<Item = &EntryFailure> {
        self.entries.iter().filter_map(|entry| match entry {
            Outcome::Failed(failure) => Some(failure),
            Outcome::Card { .. } => None,
        })
    }

    /// Name of its file.
    pub fn file_name(shard: Option<Shard>) -> String {
        match shard {
            Some(shard) => format!("summary-{}.json", shard.file_part()),
            None => "summary.json".to_owned(),
        }
    }
}

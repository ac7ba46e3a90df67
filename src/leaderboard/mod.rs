//! Beside the pipeline: many cards, ranked.
//!
//! In: the scored cards of a folder, those of an earlier run if there are any, and what has no card. Out: a
//! [`Leaderboard`], which `render` prints.
//!
//! Rank is by the total as a card prints it, in tenths: hundredths of a review's score mean nothing. Equal totals share
//! a rank and the next rank is skipped (1, 2, 2, 4); among equals the order is that of the ids.

mod change;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::Serialize;

pub use change::{Change, Departed};

use crate::batch::EntryFailure;
use crate::scorecard::{Band, Category, CriterionId, ScoredCard};

/// A ranked list of cards.
#[derive(Clone, Debug, Serialize)]
pub struct Leaderboard {
    /// All cards, best first.
    pub rows: Vec<Row>,
    /// The ids of each category that has a card, best first.
    pub categories: Vec<CategoryRanking>,
    /// Entries and files without a card that can be ranked, by id.
    pub without_card: Vec<EntryFailure>,
    /// Cards of the earlier run that are not among the rows; `None` without an earlier run.
    pub departed: Option<Vec<Departed>>,
}

/// One card.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// From 1; shared by equal totals.
    pub rank: usize,
    /// Id of the card.
    pub id: String,
    /// Name on it.
    pub name: String,
    /// Its repository, or empty.
    pub repo_url: String,
    /// Folder of a monorepo.
    pub subpath: Option<String>,
    /// Domain that the project acts on.
    pub category: Category,
    /// Commit of the card.
    pub commit: String,
    /// Date of the card.
    pub date: String,
    /// Total in thousandths of a point, rounded to tenths.
    pub total: u32,
    /// Band of the total.
    pub band: BandName,
    /// Share of what its risk surfaces could earn.
    pub applicable: Share,
    /// Caps that hold down a criterion's score.
    pub caps: Vec<CapName>,
    /// What changed since the earlier run; `None` without one.
    pub change: Option<Change>,
}

/// A band as it is called.
#[derive(Clone, Debug, Serialize)]
pub struct BandName {
    /// For programs.
    pub id: String,
    /// For people.
    pub label: String,
}

/// What criteria with a risk surface earned.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Share {
    /// How many there are.
    pub count: usize,
    /// Their scores together, in thousandths.
    pub score: u32,
    /// Of what they could earn; `None` when there are none.
    pub percent: Option<u64>,
}

/// A cap and the criterion that it holds down.
#[derive(Clone, Debug, Serialize)]
pub struct CapName {
    /// The criterion.
    pub criterion: CriterionId,
    /// The cap.
    pub id: String,
}

/// The cards of one category.
#[derive(Clone, Debug, Serialize)]
pub struct CategoryRanking {
    /// The category.
    pub category: Category,
    /// Its cards, best first.
    pub rows: Vec<CategoryRow>,
}

/// A card's place within its category.
#[derive(Clone, Debug, Serialize)]
pub struct CategoryRow {
    /// From 1; shared by equal totals.
    pub rank: usize,
    /// Id of the card, which is among the [`Leaderboard::rows`].
    pub id: String,
}

impl Leaderboard {
    /// Ranks `cards`, whose ids differ. `previous` are the cards of an earlier run, if there was one.
    pub fn new(
        cards: &[ScoredCard<'_>],
        previous: Option<&[ScoredCard<'_>]>,
        mut without_card: Vec<EntryFailure>,
    ) -> Self {
        let mut rows = ranked(cards);
        let departed = previous.map(|previous| change::apply(&mut rows, &ranked(previous)));
        without_card.sort_by(|a, b| a.id.cmp(&b.id));
        Self {
            categories: categories(&rows),
            rows,
            without_card,
            departed,
        }
    }

    /// The row of the card `id`.
    pub fn row(&self, id: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.id == id)
    }
}

/// The rows of `cards`, best first, without changes.
fn ranked(cards: &[ScoredCard<'_>]) -> Vec<Row> {
    let mut rows: Vec<Row> = cards.iter().map(row).collect();
    rows.sort_by(|a, b| b.total.cmp(&a.total).then_with(|| a.id.cmp(&b.id)));
    let ranks = ranks(rows.iter().map(|row| row.total));
    for (row, rank) in rows.iter_mut().zip(ranks) {
        row.rank = rank;
    }
    rows
}

/// The rank of each of `totals`, which fall.
fn ranks(totals: impl Iterator<Item = u32>) -> Vec<usize> {
    let mut ranks = Vec::new();
    let mut last = None;
    for (at, total) in totals.enumerate() {
        let rank = match last {
            Some((rank, before)) if before == total => rank,
            _ => at + 1,
        };
        last = Some((rank, total));
        ranks.push(rank);
    }
    ranks
}

fn categories(rows: &[Row]) -> Vec<CategoryRanking> {
    let mut groups: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        groups.entry(row.category.label()).or_default().push(row);
    }
    let ranking = |rows: Vec<&Row>| {
        let category = rows.first()?.category;
        let ranks = ranks(rows.iter().map(|row| row.total));
        let place = |(rank, row): (usize, &Row)| CategoryRow {
            rank,
            id: row.id.clone(),
        };
        let rows = ranks.into_iter().zip(rows).map(place).collect();
        Some(CategoryRanking { category, rows })
    };
    groups.into_values().filter_map(ranking).collect()
}

fn row(scored: &ScoredCard<'_>) -> Row {
    let card = scored.card;
    let (count, score) = scored.applicable();
    let caps = scored.criteria.iter().filter_map(|criterion| {
        let cap = criterion.cap()?;
        Some(CapName {
            criterion: criterion.criterion.id,
            id: cap.id.to_owned(),
        })
    });
    Row {
        rank: 0,
        id: card.id.clone(),
        name: card.name.clone(),
        repo_url: card.repo_url.clone(),
        subpath: card.subpath.clone(),
        category: card.category,
        commit: card.pinned_commit.clone(),
        date: card.scored_date.clone(),
        total: scored.total.thousandths(),
        band: band(scored.band),
        applicable: Share {
            count,
            score: score.thousandths(),
            percent: scored.applicable_percent(),
        },
        caps: caps.collect(),
        change: None,
    }
}

fn band(band: &Band) -> BandName {
    BandName {
        id: band.id.clone(),
        label: band.label.clone(),
    }
}

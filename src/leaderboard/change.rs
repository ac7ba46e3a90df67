//! What changed since an earlier run.

use serde::Serialize;

use super::Row;

/// What became of a card since the earlier run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Change {
    /// The project had no card.
    New,
    /// It had one.
    Since {
        /// Its rank then.
        rank: usize,
        /// Its total then, in thousandths.
        total: u32,
        /// Whether the card is of the same commit: then a change of the score is one of the rules, not of the code.
        same_commit: bool,
    },
}

/// A card of the earlier run whose project has none now.
#[derive(Clone, Debug, Serialize)]
pub struct Departed {
    /// Id of the card.
    pub id: String,
    /// Name on it.
    pub name: String,
    /// Its rank then.
    pub rank: usize,
    /// Its total then, in thousandths.
    pub total: u32,
}

/// Sets the change of each of `rows`, and gives what was in `earlier` and is no longer.
pub(super) fn apply(rows: &mut [Row], earlier: &[Row]) -> Vec<Departed> {
    for row in rows.iter_mut() {
        let before = earlier.iter().find(|before| is_same(before, row));
        row.change = Some(before.map_or(Change::New, |before| Change::Since {
            rank: before.rank,
            total: before.total,
            same_commit: before.commit == row.commit,
        }));
    }
    let has_gone = |before: &&Row| !rows.iter().any(|row| is_same(before, row));
    let departed = earlier.iter().filter(has_gone).map(|before| Departed {
        id: before.id.clone(),
        name: before.name.clone(),
        rank: before.rank,
        total: before.total,
    });
    departed.collect()
}

/// Whether two cards are of one project. An id that went to another repository makes another project.
fn is_same(a: &Row, b: &Row) -> bool {
    (&a.id, &a.repo_url, &a.subpath) == (&b.id, &b.repo_url, &b.subpath)
}

//! What stands in the columns of both forms. Nothing of it comes from a card unless said so.

use std::cmp::Ordering;

use crate::compare::signed;
use crate::leaderboard::{Change, Leaderboard, Row, Share};
use crate::scorecard::Points;

/// How the order comes about; stands below the title.
pub(super) const ORDER: &str = "Ranked by total; equal totals share a rank and are in the order of their ids. \
    \"Applicable\" is what was earned where a risk surface exists.";

/// Digits of a commit.
const SHORT_COMMIT: usize = 10;

pub(super) fn title(board: &Leaderboard) -> String {
    let cards = board.rows.len();
    format!(
        "Defense-in-depth leaderboard: {cards} {}",
        if cards == 1 { "card" } else { "cards" }
    )
}

pub(super) fn total(thousandths: u32) -> String {
    Points::from_thousandths(thousandths).one_decimal()
}

/// `2.58 / 8.0 (32%)`.
pub(super) fn applicable(share: &Share) -> String {
    let earned = Points::from_thousandths(share.score).two_decimals();
    let percent = share.percent.map(|percent| format!(" ({percent}%)"));
    format!(
        "{earned} / {}.0{}",
        share.count,
        percent.unwrap_or_default()
    )
}

/// `C2 G1, C4-HOSTROOT`: the criterion stands before a cap that does not name it. The caps' names come from the card.
pub(super) fn caps(row: &Row) -> String {
    let caps: Vec<String> = row
        .caps
        .iter()
        .map(
            |cap| match cap.id.starts_with(&format!("{}-", cap.criterion)) {
                true => cap.id.clone(),
                false => format!("{} {}", cap.criterion, cap.id),
            },
        )
        .collect();
    match caps.is_empty() {
        true => "none".to_owned(),
        false => caps.join(", "),
    }
}

/// `+0.4, up from 5`; empty without an earlier run.
pub(super) fn change(row: &Row) -> String {
    match row.change {
        None => String::new(),
        Some(Change::New) => "new".to_owned(),
        Some(Change::Since {
            rank,
            total,
            same_commit,
        }) => {
            let mut text = signed(total, row.total);
            match row.rank.cmp(&rank) {
                Ordering::Less => text.push_str(&format!(", up from {rank}")),
                Ordering::Greater => text.push_str(&format!(", down from {rank}")),
                Ordering::Equal => {}
            }
            if same_commit && total != row.total {
                text.push_str(" (same commit, other rules)");
            }
            text
        }
    }
}

/// The card's commit, shortened.
pub(super) fn commit(row: &Row) -> String {
    row.commit.chars().take(SHORT_COMMIT).collect()
}

//! The leaderboard as Markdown.

use super::super::escape::{cell, code, inline, link_target, paragraph};
use super::cells;
use crate::leaderboard::{Leaderboard, Row};

/// Tables of all cards and of each category, then what has no card, then what is no longer there.
pub fn leaderboard_markdown(board: &Leaderboard) -> String {
    let has_changes = board.departed.is_some();
    let mut text = format!("# {}\n\n{}\n\n", cells::title(board), cells::ORDER);
    let columns = ["Category", "Commit", "Date"];
    text.push_str(&header(has_changes, &columns));
    for row in &board.rows {
        let more = [
            row.category.label().to_owned(),
            code(&cells::commit(row)).replace('|', "\\|"),
            cell(&row.date),
        ];
        text.push_str(&line(row, row.rank, has_changes, &more));
    }
    for ranking in &board.categories {
        text.push_str(&format!("\n## {}\n\n", ranking.category.label()));
        text.push_str(&header(has_changes, &[]));
        for place in &ranking.rows {
            if let Some(row) = board.row(&place.id) {
                text.push_str(&line(row, place.rank, has_changes, &[]));
            }
        }
    }
    text.push_str(&without_card(board));
    text.push_str(&departed(board));
    text
}

fn header(has_changes: bool, more: &[&str]) -> String {
    let mut columns = vec!["Rank", "Agent", "Score", "Band", "Applicable", "Caps"];
    columns.extend(has_changes.then_some("Change"));
    columns.extend(more);
    let rule = "|---".repeat(columns.len());
    format!("| {} |\n{rule}|\n", columns.join(" | "))
}

fn line(row: &Row, rank: usize, has_changes: bool, more: &[String]) -> String {
    let mut cells = vec![
        rank.to_string(),
        agent(row),
        format!("**{}**", cells::total(row.total)),
        cell(&row.band.label),
        cells::applicable(&row.applicable),
        cell(&cells::caps(row)),
    ];
    cells.extend(has_changes.then(|| cells::change(row)));
    cells.extend_from_slice(more);
    format!("| {} |\n", cells.join(" | "))
}

/// The name, linked to the repository where it has an address.
fn agent(row: &Row) -> String {
    let name = cell(&row.name).replace(['[', ']'], "");
    let name = match link_target(&row.repo_url) {
        Some(target) => format!("[{name}]({})", target.replace('|', "%7C")),
        None => name,
    };
    match &row.subpath {
        Some(subpath) => format!("{name} ({})", code(subpath).replace('|', "\\|")),
        None => name,
    }
}

fn without_card(board: &Leaderboard) -> String {
    if board.without_card.is_empty() {
        return String::new();
    }
    let lines = board.without_card.iter().map(|failure| {
        let (id, reason) = (code(&failure.id), inline(&failure.reason));
        format!("- {id} (exit code {}): {reason}\n", failure.code)
    });
    format!("\n## Without a card\n\n{}", lines.collect::<String>())
}

fn departed(board: &Leaderboard) -> String {
    let departed = board.departed.as_deref().unwrap_or_default();
    if departed.is_empty() {
        return String::new();
    }
    let lines = departed.iter().map(|gone| {
        let (name, total) = (paragraph(&gone.name), cells::total(gone.total));
        format!("- {name} ({total}, rank {})\n", gone.rank)
    });
    format!("\n## No longer listed\n\n{}", lines.collect::<String>())
}

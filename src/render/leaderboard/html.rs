//! The leaderboard as one HTML file that loads nothing and runs nothing.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;

use super::super::TemplateError;
use super::super::escape::{link_target, plain};
use super::cells;
use crate::leaderboard::{CategoryRow, Leaderboard, Row};

const TEMPLATE: &str = include_str!("leaderboard.html.jinja");
const TEMPLATE_NAME: &str = "leaderboard.html";

/// The page. Everything of a card is escaped by the template, whatever it holds.
///
/// # Errors
/// Only if the template of this build is wrong, which the tests rule out.
pub fn leaderboard_html(board: &Leaderboard) -> Result<String, TemplateError> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .keep_trailing_newline(true)
        .build()?;
    environment.set_syntax(syntax);
    environment.add_template(TEMPLATE_NAME, TEMPLATE)?;
    let template = environment.get_template(TEMPLATE_NAME)?;
    Ok(template.render(Serde(PageView::new(board)))?)
}

#[derive(Serialize)]
struct PageView {
    title: String,
    order: &'static str,
    has_changes: bool,
    tables: Vec<TableView>,
    without_card: Vec<FailureView>,
    departed: Vec<DepartedView>,
}

#[derive(Serialize)]
struct TableView {
    heading: &'static str,
    rows: Vec<RowView>,
}

#[derive(Serialize)]
struct RowView {
    rank: usize,
    name: String,
    link: Option<String>,
    subpath: Option<String>,
    total: String,
    band: String,
    applicable: String,
    caps: String,
    change: String,
    category: &'static str,
    commit: String,
    date: String,
}

#[derive(Serialize)]
struct FailureView {
    id: String,
    code: u8,
    reason: String,
}

#[derive(Serialize)]
struct DepartedView {
    name: String,
    total: String,
    rank: usize,
}

impl PageView {
    fn new(board: &Leaderboard) -> Self {
        let all = TableView {
            heading: "All",
            rows: board
                .rows
                .iter()
                .map(|row| RowView::new(row, row.rank))
                .collect(),
        };
        let categories = board.categories.iter().map(|ranking| {
            let places = ranking.rows.iter();
            let row = |place: &CategoryRow| Some(RowView::new(board.row(&place.id)?, place.rank));
            TableView {
                heading: ranking.category.label(),
                rows: places.filter_map(row).collect(),
            }
        });
        let failures = board.without_card.iter().map(|failure| FailureView {
            id: plain(&failure.id),
            code: failure.code,
            reason: plain(&failure.reason),
        });
        let departed = board.departed.iter().flatten().map(|gone| DepartedView {
            name: plain(&gone.name),
            total: cells::total(gone.total),
            rank: gone.rank,
        });
        Self {
            title: cells::title(board),
            order: cells::ORDER,
            has_changes: board.departed.is_some(),
            tables: std::iter::once(all).chain(categories).collect(),
            without_card: failures.collect(),
            departed: departed.collect(),
        }
    }
}

impl RowView {
    fn new(row: &Row, rank: usize) -> Self {
        Self {
            rank,
            name: plain(&row.name),
            link: link_target(&row.repo_url),
            subpath: row.subpath.as_deref().map(plain),
            total: cells::total(row.total),
            band: plain(&row.band.label),
            applicable: cells::applicable(&row.applicable),
            caps: plain(&cells::caps(row)),
            change: cells::change(row),
            category: row.category.label(),
            commit: plain(&cells::commit(row)),
            date: plain(&row.date),
        }
    }
}

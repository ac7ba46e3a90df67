//! `audit render`: any card to stdout.

use super::args::{Format, RenderArguments};
use super::failure::Failure;
use super::{exit, output, review};
use crate::checkout::{self, CheckoutOptions, Snapshot, Source, remote};
use crate::render;
use crate::rubric::{CriterionFile, RubricFiles};
use crate::scorecard::{CardFile, Entry, LineRange, Method, Scorecard, ScoredCard, read, to_json};

pub(super) fn run(arguments: &RenderArguments) -> Result<u8, Failure> {
    let mut card = load(&arguments.card)?;
    let method = Method::built_in().map_err(Failure::internal)?;
    if let Some(review) = review::load(arguments.review.as_deref())? {
        let snapshot = snapshot(arguments, &card)?;
        card = review.apply(&card, &method, snapshot.as_ref(), arguments.quiet)?;
    }
    let scored = ScoredCard::new(&card, &method);
    let link = |file: &str, lines: &str| permalink(&card, file, lines);
    let text = match arguments.format {
        Format::Md => render::markdown(&scored, &link).map_err(Failure::internal)?,
        // From a file alone there is nothing to read: the page has the quotes.
        Format::Html => render::html(&scored, &link, &|_| None).map_err(Failure::internal)?,
        Format::Entry => to_json(&Entry::new(&scored, &link)).map_err(Failure::internal)?,
        Format::Table => render::table(&scored),
        Format::Summary => render::summary(&card),
        Format::Sarif => {
            to_json(&render::sarif(&scored, &built_in_criteria()?)).map_err(Failure::internal)?
        }
    };
    output::print(&text)?;
    Ok(exit::OK)
}

/// The repository at the card's commit, where it is given.
fn snapshot(arguments: &RenderArguments, card: &Scorecard) -> Result<Option<Snapshot>, Failure> {
    let Some(repository) = &arguments.repository else {
        return Ok(None);
    };
    let options = CheckoutOptions {
        revision: Some(card.pinned_commit.clone()),
        cache_dir: arguments.cache_dir.clone(),
        offline: arguments.offline,
        quiet: arguments.quiet,
        ..CheckoutOptions::default()
    };
    Ok(Some(checkout::open(&Source::parse(repository)?, &options)?))
}

/// The ten criteria of the rubric that the program ships with.
fn built_in_criteria() -> Result<Vec<CriterionFile>, Failure> {
    let files = RubricFiles::embedded();
    RubricFiles::criteria()
        .map(|name| files.parse(&name).map_err(Failure::internal))
        .collect()
}

/// Reads a card in either form.
pub(super) fn load(path: &std::path::Path) -> Result<Scorecard, Failure> {
    let wrong = |message: String| Failure::input(format!("{}: {message}", path.display()));
    let text = read_card(path)?;
    match read(&text).map_err(|e| wrong(e.to_string()))? {
        CardFile::Scorecard(card) => Ok(*card),
        CardFile::Entry(entry) => entry.to_scorecard().map_err(|e| wrong(e.to_string())),
    }
}

/// Address of cited lines on the host of the card's repository.
pub(super) fn permalink(card: &Scorecard, file: &str, lines: &str) -> Option<String> {
    let range = LineRange::parse(lines)?;
    remote::permalink(
        &card.repo_url,
        &card.pinned_commit,
        file,
        (range.first, range.last),
    )
}

/// Largest card that is read, in bytes.
const LARGEST_CARD: u64 = 32 << 20;

/// The text of a card's file. Its Markdown lies beside it and is easily given in its place.
pub(super) fn read_card(path: &std::path::Path) -> Result<String, Failure> {
    let text = output::read_text(path, LARGEST_CARD)?;
    let is_named_so = path.extension().is_some_and(|ending| ending == "md");
    match is_named_so && !text.trim_start().starts_with('{') {
        true => Err(Failure::input(format!(
            "{}: this is Markdown; give the card's scorecard.json, which is written with it",
            path.display()
        ))),
        false => Ok(text),
    }
}

//! `audit --format`: the files of a card, and which of them are written.

use super::args::CardFormat;
use super::failure::Failure;
use super::render::permalink;
use super::target::Target;
use crate::audit::CitedFiles;
use crate::render;
use crate::scorecard::{Entry, Scorecard, ScoredCard, to_json};

/// The name of an entry, the one file that a card without an address does not have.
pub(super) const ENTRY: &str = "entry.json";

/// Name and text of each file in `formats`, each once, in the order of [`CardFormat`].
pub(super) fn files(
    formats: &[CardFormat],
    card: &Scorecard,
    target: &Target,
) -> Result<Vec<(&'static str, String)>, Failure> {
    let mut formats = formats.to_vec();
    formats.sort();
    formats.dedup();
    formats
        .into_iter()
        .filter(|format| *format != CardFormat::Entry || !card.repo_url.is_empty())
        .map(|format| Ok((name(format), text(format, card, target)?)))
        .collect()
}

/// Refuses a run that would end without a file.
pub(super) fn check(formats: &[CardFormat], repo_url: Option<&str>) -> Result<(), Failure> {
    let entry_alone = formats.iter().all(|format| *format == CardFormat::Entry);
    if entry_alone && repo_url.is_none_or(str::is_empty) {
        return Err(Failure::input(
            "--format entry: no https origin, so there is no entry.json; --repo-url gives it one",
        ));
    }
    Ok(())
}

fn name(format: CardFormat) -> &'static str {
    match format {
        CardFormat::Md => "report.md",
        CardFormat::Json => "scorecard.json",
        CardFormat::Entry => ENTRY,
        CardFormat::Sarif => "report.sarif",
        CardFormat::Html => "report.html",
    }
}

fn text(format: CardFormat, card: &Scorecard, target: &Target) -> Result<String, Failure> {
    let rulebook = &target.rulebook;
    let scored = ScoredCard::new(card, &rulebook.method);
    let link = |file: &str, lines: &str| permalink(card, file, lines);
    match format {
        CardFormat::Md => render::markdown(&scored, &link).map_err(Failure::internal),
        CardFormat::Json => to_json(card).map_err(Failure::internal),
        CardFormat::Entry => to_json(&Entry::new(&scored, &link)).map_err(Failure::internal),
        CardFormat::Sarif => {
            to_json(&render::sarif(&scored, &rulebook.rubric.criteria)).map_err(Failure::internal)
        }
        CardFormat::Html => {
            let cited = CitedFiles::read(&target.snapshot, card).map_err(Failure::internal)?;
            render::html(&scored, &link, &|file| cited.text(file)).map_err(Failure::internal)
        }
    }
}

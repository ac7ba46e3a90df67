//! `audit REPO`: the card.

use std::path::PathBuf;

use super::args::{AuditArguments, CardFormat};
use super::failure::Failure;
use super::formats;
use super::private;
use super::target::Target;
use super::{exit, output};
use crate::audit::{self, Audited, Examination};
use crate::checkout::naming;
use crate::rating::Identity;
use crate::render;
use crate::scorecard::{Scorecard, ScoredCard};
use crate::verify;

/// Longest description taken over from the repository, in characters.
const DESCRIPTION: usize = 160;

pub(super) fn run(arguments: &AuditArguments) -> Result<u8, Failure> {
    let date = date(arguments.date.as_deref())?;
    if let Some(file) = &arguments.private {
        output::check_private(file)?;
    }
    let target = Target::open(&arguments.target)?;
    let mut identity = identity(arguments, &target, date)?;
    formats::check(&arguments.format, &identity.repo_url)?;
    let examination = target.examine(&identity.name)?;
    identity.description = describe(&examination, &identity.name);
    let Audited { card, pinpoints } = audit::score(
        &target.snapshot,
        &target.rulebook,
        &examination,
        &identity,
        arguments.force,
    )?;
    verify_own(&card, &target)?;
    target.check_interrupt()?;
    let folder = arguments
        .out
        .clone()
        .unwrap_or_else(|| PathBuf::from("audit-out").join(&card.id));
    let files = formats::files(&arguments.format, &card, &target.rulebook)?;
    output::write_all(&folder, &files)?;
    let no_entry = card.repo_url.is_empty() && arguments.format.contains(&CardFormat::Entry);
    if no_entry {
        // An earlier card's entry would pass for this one's.
        output::remove_stale(&folder, &files, formats::ENTRY)?;
    }
    if let Some(file) = &arguments.private {
        output::write_private(file, &private::text(&card, &pinpoints))?;
    }
    let scored = ScoredCard::new(&card, &target.rulebook.method);
    output::print(&render::table(&scored))?;
    if let Some((name, _)) = files.first() {
        output::print(&format!("\nCard: {}\n", folder.join(name).display()))?;
    }
    if no_entry && !arguments.target.quiet {
        output::note(
            "audit: no https origin, so the card has no links and there is no entry.json; --repo-url gives it one",
        );
    }
    Ok(exit::OK)
}

/// YYYY-MM-DD from `--date`, SOURCE_DATE_EPOCH, or the clock.
fn date(given: Option<&str>) -> Result<String, Failure> {
    if let Some(text) = given {
        return text
            .parse::<jiff::civil::Date>()
            .map(|date| date.to_string())
            .map_err(|e| Failure::input(format!("--date {text}: {e}")));
    }
    let now = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(epoch) => {
            let wrong = || {
                Failure::input(format!(
                    "SOURCE_DATE_EPOCH={epoch}: not a number of seconds"
                ))
            };
            let seconds = epoch.parse::<i64>().map_err(|_| wrong())?;
            jiff::Timestamp::from_second(seconds).map_err(|_| wrong())?
        }
        Err(_) => jiff::Timestamp::now(),
    };
    Ok(jiff::tz::Offset::UTC.to_datetime(now).date().to_string())
}

fn identity(
    arguments: &AuditArguments,
    target: &Target,
    date: String,
) -> Result<Identity, Failure> {
    let snapshot = &target.snapshot;
    let repo_url = target.repo_url.clone().unwrap_or_default();
    let id = match &arguments.id {
        Some(id) if naming::slug(id) == *id => id.clone(),
        Some(id) => {
            return Err(Failure::input(format!(
                "--id {id}: lower-case letters, digits and hyphens, such as `{}`",
                naming::slug(id)
            )));
        }
        None if repo_url.is_empty() => snapshot.id.clone(),
        None => naming::slug(naming::last_segment(&repo_url)),
    };
    let name = arguments.name.clone().unwrap_or_else(|| target.name());
    Ok(Identity {
        id,
        name,
        repo_url,
        subpath: target.subpath.clone(),
        description: String::new(),
        commit: snapshot.commit.clone(),
        version: snapshot.version.clone(),
        date,
    })
}

/// The repository's own description, as data: inert, one line, shortened.
fn describe(examination: &Examination, name: &str) -> String {
    let own = examination
        .project
        .description
        .as_deref()
        .filter(|text| !text.trim().is_empty());
    let text = crate::rubric::inert(own.unwrap_or(&examination.project.tagline));
    match shortened(text.trim()) {
        short if short.is_empty() => name.to_owned(),
        short => short,
    }
}

/// `text` up to [`DESCRIPTION`] characters, cut between words.
fn shortened(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(DESCRIPTION) else {
        return text.to_owned();
    };
    let whole_words = text[..end].rfind(' ').unwrap_or(end);
    format!("{}…", text[..whole_words].trim_end_matches([',', ';', ':']))
}

/// A card that does not verify is never written.
fn verify_own(card: &Scorecard, target: &Target) -> Result<(), Failure> {
    let problems = verify::verify(card, &target.rulebook.method, &target.snapshot);
    if problems.is_empty() {
        return Ok(());
    }
    let listed: Vec<String> = problems
        .iter()
        .map(|problem| format!("  {problem}"))
        .collect();
    Err(Failure::internal(format!(
        "the card does not verify, so it is not written; please report this:\n{}",
        listed.join("\n")
    )))
}

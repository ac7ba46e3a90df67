//! `audit REPO`: the card.

use std::path::PathBuf;

use super::args::{AuditArguments, CardFormat};
use super::baseline::Baseline;
use super::failure::Failure;
use super::gate::Verdict;
use super::review::Review;
use super::target::Target;
use super::{baseline, formats, output, private, review, settings};
use crate::audit::{self, Audited, Examination};
use crate::checkout::naming;
use crate::invisible::is_blank;
use crate::rating::Identity;
use crate::render;
use crate::scorecard::{Scorecard, ScoredCard};
use crate::search::SearchEngine;
use crate::verify;

/// Longest description taken over from the repository, in characters.
const DESCRIPTION: usize = 160;

pub(super) fn run(arguments: &AuditArguments) -> Result<u8, Failure> {
    let arguments = &settings::apply(arguments)?;
    let date = date(arguments.date.as_deref())?;
    if let Some(file) = &arguments.private {
        output::check_private(file)?;
    }
    let beside = Beside {
        baseline: baseline::load(&arguments.gates)?,
        review: review::load(arguments.review.as_deref())?,
    };
    let target = Target::open(&arguments.target)?;
    write_card(arguments, target, date, beside)
}

/// What the user lays beside a card.
#[derive(Default)]
pub(super) struct Beside {
    /// The card that it is compared with.
    baseline: Option<Baseline>,
    /// What a reviewer changes on it.
    review: Option<Review>,
}

/// Scores `target`, writes its card and tells of it: what an audit and a member of a batch have in common.
pub(super) fn write_card(
    arguments: &AuditArguments,
    target: Target,
    date: String,
    beside: Beside,
) -> Result<u8, Failure> {
    formats::check(&arguments.format, target.repo_url.as_deref())?;
    if arguments.name.as_deref().is_some_and(is_blank) {
        return Err(Failure::input("--name: give a name that can be seen"));
    }
    let labels = Labels {
        id: arguments.id.clone(),
        name: arguments.name.clone(),
        date,
    };
    let Made {
        audited: Audited {
            mut card,
            pinpoints,
        },
        examination,
        engine,
        recalled,
    } = make(&target, &labels, arguments.force)?;
    if let Some(review) = &beside.review {
        let snapshot = Some(&target.snapshot);
        let quiet = arguments.target.quiet;
        card = review.apply(&card, &target.rulebook.method, snapshot, quiet)?;
    }
    let comparison = beside
        .baseline
        .map(|old| baseline::compare(&old, &mut card, &target, &arguments.target))
        .transpose()?;
    verify_own(&card, &target, &engine)?;
    audit::keep_searches(&target.cache, &target.snapshot, &engine, recalled);
    target.check_interrupt()?;
    let written = write(arguments, &card, &target)?;
    if let Some(file) = &arguments.private {
        output::write_private(file, &private::text(&card, &pinpoints))?;
    }
    let scored = ScoredCard::new(&card, &target.rulebook.method);
    output::print(&render::table(&scored))?;
    if let Some(comparison) = &comparison {
        output::print(&format!("\n{}", render::comparison_text(comparison)))?;
    }
    output::print(&format!("\nCard: {}\n", written.display()))?;
    let share = &examination.share;
    let verdict = Verdict::of(&arguments.gates, &scored, share, comparison.as_ref());
    for reason in verdict.partial.iter().chain(&verdict.failed) {
        output::note(&format!("audit: {reason}"));
    }
    Ok(verdict.code())
}

/// Writes the files that were asked for; returns the first one's path.
fn write(
    arguments: &AuditArguments,
    card: &Scorecard,
    target: &Target,
) -> Result<PathBuf, Failure> {
    let folder = match &arguments.out {
        Some(folder) => folder.clone(),
        None => default_folder(&card.id)?,
    };
    let files = formats::files(&arguments.format, card, target)?;
    output::write_all(&folder, &files)?;
    if card.repo_url.is_empty() && arguments.format.contains(&CardFormat::Entry) {
        // An earlier card's entry would pass for this one's.
        output::remove_stale(&folder, &files, formats::ENTRY)?;
        if !arguments.target.quiet {
            output::note(
                "audit: no https origin, so the card has no links and there is no entry.json; --repo-url gives it one",
            );
        }
    }
    Ok(folder.join(files.first().map_or("", |(name, _)| name)))
}

/// The folder of the card `id` where none is named. A link there may be the audited repository's, and lead anywhere.
fn default_folder(id: &str) -> Result<PathBuf, Failure> {
    let root = PathBuf::from("audit-out");
    let folder = root.join(id);
    match [root, folder.clone()]
        .iter()
        .find(|place| place.is_symlink())
    {
        Some(link) => Err(Failure::input(format!(
            "{}: is a link; remove it, or name a folder with --out",
            link.display()
        ))),
        None => Ok(folder),
    }
}

/// What the user calls a card, and its date.
#[derive(Default)]
pub(super) struct Labels {
    /// Slug; derived when none.
    pub(super) id: Option<String>,
    /// Display name; derived when none.
    pub(super) name: Option<String>,
    /// YYYY-MM-DD.
    pub(super) date: String,
}

/// A card with what it was made from.
pub(super) struct Made<'t> {
    pub(super) audited: Audited,
    pub(super) examination: Examination,
    /// What the card's searches were run with.
    engine: SearchEngine<'t>,
    /// Number of their outcomes that came from the cache.
    recalled: usize,
}

/// Examines and rates `target`; nothing is written.
pub(super) fn make<'t>(
    target: &'t Target,
    labels: &Labels,
    force: bool,
) -> Result<Made<'t>, Failure> {
    let mut identity = identity(labels, target)?;
    let examination = target.examine(&identity.name)?;
    identity.description = describe(&examination, &identity.name);
    let (snapshot, rulebook) = (&target.snapshot, &target.rulebook);
    let engine = audit::search_engine(&target.cache, snapshot);
    let (engine, recalled) = engine.map_err(Failure::input)?;
    let audited = audit::score(&engine, rulebook, &examination, &identity, force)?;
    Ok(Made {
        audited,
        examination,
        engine,
        recalled,
    })
}

/// YYYY-MM-DD from `--date`, SOURCE_DATE_EPOCH, or the clock.
pub(super) fn date(given: Option<&str>) -> Result<String, Failure> {
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

fn identity(labels: &Labels, target: &Target) -> Result<Identity, Failure> {
    let snapshot = &target.snapshot;
    let repo_url = target.repo_url.clone().unwrap_or_default();
    let id = match &labels.id {
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
    let name = labels.name.clone().unwrap_or_else(|| target.name());
    Ok(Identity {
        id,
        name,
        repo_url,
        subpath: target.subpath.clone(),
        description: String::new(),
        commit: snapshot.commit.clone(),
        version: snapshot.version.clone(),
        date: labels.date.clone(),
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
fn verify_own(card: &Scorecard, target: &Target, engine: &SearchEngine<'_>) -> Result<(), Failure> {
    let method = &target.rulebook.method;
    let problems = verify::verify_with(card, method, &target.snapshot, engine);
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

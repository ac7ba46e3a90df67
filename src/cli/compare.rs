//! `audit compare`: two cards, or two commits of one repository, side by side.

use std::path::Path;

use super::args::{CommitsArguments, CompareArguments, ComparisonFormat, FailOn, TargetArguments};
use super::audit::{self, Labels};
use super::failure::Failure;
use super::render::load;
use super::target::Target;
use super::{exit, output};
use crate::compare::{Comparison, Renames, same_project};
use crate::render;
use crate::scorecard::{Method, Scorecard, ScoredCard, check};

pub(super) fn run(arguments: &CompareArguments) -> Result<u8, Failure> {
    let comparison = match (&arguments.new, &arguments.commits) {
        (Some(new), _) => of_files(Path::new(&arguments.old), new, arguments.commits.quiet)?,
        (None, commits) => of_commits(&arguments.old, commits)?,
    };
    let text = match arguments.format {
        ComparisonFormat::Text => render::comparison_text(&comparison),
        ComparisonFormat::Md => render::comparison_markdown(&comparison),
        ComparisonFormat::Json => {
            render::comparison_json(&comparison).map_err(Failure::internal)?
        }
    };
    output::print(&text)?;
    Ok(
        match arguments.fail_on.and_then(|what| failed(&comparison, what)) {
            Some(_) => exit::GATE,
            None => exit::OK,
        },
    )
}

/// What of a comparison a gate forbids; none if the gate holds.
pub(super) fn failed(comparison: &Comparison, what: FailOn) -> Option<&'static str> {
    match what {
        FailOn::Regression if comparison.is_regression() => Some("something got worse"),
        FailOn::Any if comparison.is_change() => Some("something changed"),
        _ => None,
    }
}

/// Refuses a card that breaks the rules: its figures would mean nothing.
pub(super) fn check_rules(path: &Path, card: &Scorecard, method: &Method) -> Result<(), Failure> {
    match check(card, method).first() {
        Some(problem) => Err(Failure::input(format!("{}: {problem}", path.display()))),
        None => Ok(()),
    }
}

/// Says on stderr that two cards are of different projects, if they are.
pub(super) fn note_other_project(old: &Scorecard, new: &Scorecard) {
    if same_project(old, new) {
        return;
    }
    let named = |card: &Scorecard| {
        let url = [&card.repo_url, &card.name]
            .into_iter()
            .find(|t| !t.is_empty());
        let folder = card.subpath.as_ref().map(|path| format!(" ({path})"));
        format!(
            "{}{}",
            url.map_or("", String::as_str),
            folder.unwrap_or_default()
        )
    };
    let (old, new) = (named(old), named(new));
    output::note(&format!(
        "audit: the cards are of different projects: {old} and {new}"
    ));
}

fn of_files(old_file: &Path, new_file: &Path, quiet: bool) -> Result<Comparison, Failure> {
    let method = Method::built_in().map_err(Failure::internal)?;
    let (old, new) = (load(old_file)?, load(new_file)?);
    check_rules(old_file, &old, &method)?;
    check_rules(new_file, &new, &method)?;
    if !quiet {
        note_other_project(&old, &new);
    }
    let renames = Renames::of_cards(&old, &new);
    let (old, new) = (
        ScoredCard::new(&old, &method),
        ScoredCard::new(&new, &method),
    );
    Ok(Comparison::of(&old, &new, &renames))
}

/// Audits both commits. No card is written, so neither has a date.
fn of_commits(repository: &str, commits: &CommitsArguments) -> Result<Comparison, Failure> {
    let at = |revision: &Option<String>| TargetArguments {
        repository: Some(repository.to_owned()),
        commit: revision.clone(),
        worktree: false,
        subpath: commits.subpath.clone(),
        repo_url: commits.repo_url.clone(),
        cache_dir: commits.cache_dir.clone(),
        offline: commits.offline,
        no_cache: commits.no_cache,
        threads: commits.threads,
        max_bytes: None,
        max_files: None,
        rubric: commits.rubric.clone(),
        quiet: commits.quiet,
    };
    let target = Target::open(&at(&commits.from))?;
    let old = card_of(&target, commits.force)?;
    let (target, old_snapshot) = target.reopen(&at(&commits.to))?;
    let new = card_of(&target, commits.force)?;
    let renames = Renames::of_snapshots((&old, &old_snapshot), (&new, &target.snapshot));
    let method = &target.rulebook.method;
    let (old, new) = (ScoredCard::new(&old, method), ScoredCard::new(&new, method));
    let mut comparison = Comparison::of(&old, &new, &renames);
    comparison.old.date = None;
    comparison.new.date = None;
    Ok(comparison)
}

fn card_of(target: &Target, force: bool) -> Result<Scorecard, Failure> {
    let labels = Labels {
        date: UNDATED.to_owned(),
        ..Labels::default()
    };
    let made = audit::make(target, &labels, force)
        .map_err(|failure| failure.at(&target.snapshot.commit))?;
    target.check_interrupt()?;
    Ok(made.audited.card)
}

/// A card needs a date to keep the rules; this one is never shown.
const UNDATED: &str = "1970-01-01";

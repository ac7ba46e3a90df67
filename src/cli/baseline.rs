//! `audit REPO --baseline CARD`: what changed since an older card, in the same run.

use std::path::PathBuf;

use super::args::{GateArguments, TargetArguments};
use super::failure::Failure;
use super::render::load as load_card;
use super::target::Target;
use super::{compare, output};
use crate::compare::{Comparison, Renames, reaudit_log};
use crate::scorecard::{Scorecard, ScoredCard};

/// An older card, and its file for messages.
pub(super) struct Baseline {
    file: PathBuf,
    card: Scorecard,
}

/// Reads the older card, where one is given; `--fail-on` needs one.
pub(super) fn load(gates: &GateArguments) -> Result<Option<Baseline>, Failure> {
    match (&gates.baseline, gates.fail_on) {
        (Some(file), _) => Ok(Some(Baseline {
            card: load_card(file)?,
            file: file.clone(),
        })),
        (None, Some(_)) => Err(Failure::input(
            "--fail-on: name the older card with --baseline",
        )),
        (None, None) => Ok(None),
    }
}

/// Compares `card`, which is of `target`, with the older one, and writes what changed into its Re-audit log.
pub(super) fn compare(
    baseline: &Baseline,
    card: &mut Scorecard,
    target: &Target,
    arguments: &TargetArguments,
) -> Result<Comparison, Failure> {
    let old = &baseline.card;
    let (method, quiet) = (&target.rulebook.method, arguments.quiet);
    compare::check_rules(&baseline.file, old, method)?;
    if !quiet {
        compare::note_other_project(old, card);
    }
    let renames = match target.earlier(arguments, &old.pinned_commit) {
        Some(earlier) => Renames::of_snapshots((old, &earlier), (card, &target.snapshot)),
        None => Renames::of_cards(old, card),
    };
    let comparison = Comparison::of(
        &ScoredCard::new(old, method),
        &ScoredCard::new(card, method),
        &renames,
    );
    let is_same_tree = old.pinned_commit == card.pinned_commit && !arguments.worktree;
    if !quiet && comparison.is_change() && is_same_tree {
        output::note(
            "audit: the baseline is of the same commit, so the rules changed or what was read, not the code",
        );
    }
    // What a reviewer changed stands behind what the code did.
    let reviewed = std::mem::take(&mut card.reaudit_log);
    card.reaudit_log = reaudit_log(&comparison, old, card);
    card.reaudit_log.extend(reviewed);
    Ok(comparison)
}

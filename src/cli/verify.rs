//! `audit verify`: a card against the rules and the repository.

use super::args::VerifyArguments;
use super::failure::Failure;
use super::render::{permalink, read_card};
use super::{exit, output};
use crate::checkout::{self, CheckoutOptions, Source};
use crate::scorecard::{CardFile, Method, Problem, read};
use crate::{render, scorecard, verify};

pub(super) fn run(arguments: &VerifyArguments) -> Result<u8, Failure> {
    let shown = arguments.card.display();
    // What is no card at all is bad input, as it is to every other command.
    let wrong = |problem: Problem| Failure::input(format!("{shown}: {problem}"));
    let text = read_card(&arguments.card)?;
    let method = Method::built_in().map_err(Failure::internal)?;
    let mut problems = Vec::new();
    match read(&text).map_err(wrong)? {
        CardFile::Scorecard(card) => problems.extend(check(&card, &method, arguments)?),
        CardFile::Entry(entry) => {
            let card = entry.to_scorecard().map_err(wrong)?;
            problems.extend(
                entry.differences(&card, &method, &|file, lines| permalink(&card, file, lines)),
            );
            problems.extend(check(&card, &method, arguments)?);
        }
    }
    // Problems quote the card, which may be a stranger's.
    let mut report: String = problems
        .iter()
        .map(|problem| format!("{}\n", render::plain(&problem.to_string())))
        .collect();
    report.push_str(&match problems.len() {
        0 => format!("{shown}: no problems\n"),
        1 => format!("{shown}: 1 problem\n"),
        count => format!("{shown}: {count} problems\n"),
    });
    output::print(&report)?;
    Ok(if problems.is_empty() {
        exit::OK
    } else {
        exit::PROBLEMS
    })
}

fn check(
    card: &scorecard::Scorecard,
    method: &Method,
    arguments: &VerifyArguments,
) -> Result<Vec<Problem>, Failure> {
    let Some(repository) = &arguments.repository else {
        return Ok(scorecard::check(card, method));
    };
    let options = CheckoutOptions {
        revision: (!arguments.worktree).then(|| card.pinned_commit.clone()),
        worktree: arguments.worktree,
        cache_dir: arguments.cache_dir.clone(),
        offline: arguments.offline,
        ..CheckoutOptions::default()
    };
    let snapshot = checkout::open(&Source::parse(repository)?, &options)?;
    Ok(verify::verify(card, method, &snapshot))
}

//! The command line: turns arguments into one call of the pipeline and its outcome into output and an exit code.
//!
//! This is the only module that prints.

mod args;
mod audit;
mod badge;
mod baseline;
mod batch;
mod compare;
mod exit;
mod explain;
mod failure;
mod formats;
mod gate;
mod leaderboard;
mod manual;
mod map;
mod output;
mod private;
mod render;
mod results;
mod review;
mod rubric;
mod settings;
mod target;
mod verify;

use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};

/// Runs the program on the process's arguments.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = match &arguments.command {
        Some(Command::Render(render)) => render::run(render),
        Some(Command::Verify(verify)) => verify::run(verify),
        Some(Command::Compare(compare)) => compare::run(compare),
        Some(Command::Map(map)) => map::run(map),
        Some(Command::Explain(explain)) => explain::run(explain),
        Some(Command::Badge(badge)) => badge::run(badge),
        Some(Command::Batch(batch)) => batch::run(batch),
        Some(Command::BatchMember(member)) => batch::run_member(member),
        Some(Command::Leaderboard(leaderboard)) => leaderboard::run(leaderboard),
        Some(Command::Review(review)) => review::run(review),
        Some(Command::Rubric(rubric)) => rubric::run(rubric),
        Some(Command::Completions { shell }) => manual::completions(*shell),
        Some(Command::Man { command }) => manual::man(command),
        None => audit::run(&arguments.audit),
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            output::note(&format!("audit: {failure}"));
            ExitCode::from(failure.code)
        }
    }
}

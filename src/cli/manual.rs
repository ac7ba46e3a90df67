//! `audit completions` and `audit man`: what packages ship beside the program, made from its own command line.

use clap::{Command, CommandFactory};
use clap_complete::Shell;

use super::args::Arguments;
use super::failure::Failure;
use super::{exit, output};

/// Prints the completion script for `shell`.
pub(super) fn completions(shell: Shell) -> Result<u8, Failure> {
    let mut command = without_hidden(&Arguments::command());
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    print(&script)
}

/// Prints the man page of the program, or of the command at `path`, such as `rubric check`.
pub(super) fn man(path: &[String]) -> Result<u8, Failure> {
    let mut root = Arguments::command().disable_help_subcommand(true);
    root.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(find(root, path)?)
        .render(&mut page)
        .map_err(Failure::internal)?;
    print(&page)
}

/// The program's command line without what only the program itself calls, which scripts would offer.
fn without_hidden(program: &Command) -> Command {
    let shown = program.get_subcommands().filter(|c| !c.is_hide_set());
    Command::new(env!("CARGO_PKG_NAME"))
        .version(env!("CARGO_PKG_VERSION"))
        .args(program.get_arguments().cloned())
        .subcommands(shown.cloned())
}

fn find(root: Command, path: &[String]) -> Result<Command, Failure> {
    let mut command = root;
    for name in path {
        let Some(found) = command.find_subcommand(name) else {
            let known: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
            let known = match known.is_empty() {
                true => "it has none".to_owned(),
                false => format!("one of {}", known.join(", ")),
            };
            return Err(Failure::input(format!(
                "man: `{}` has no command {name:?}; {known}",
                command.get_bin_name().unwrap_or(command.get_name())
            )));
        };
        command = found.clone();
    }
    Ok(command)
}

fn print(text: &[u8]) -> Result<u8, Failure> {
    output::print(&String::from_utf8_lossy(text))?;
    Ok(exit::OK)
}

//! The flags of ripgrep that a recorded search may have, and what each does to a [`Query`].

use super::query::{Boundary, Case, Output, Query, TypeChoice};

/// What a flag does.
#[derive(Clone, Copy)]
pub(super) enum Action {
    /// It stands alone.
    Switch(fn(&mut Query)),
    /// It takes a value.
    Value(fn(&mut Query, String)),
    /// It is refused, for this reason.
    Refuse(&'static str),
}

use Action::{Refuse, Switch, Value};

/// Letter (if it has one), name and effect. Of flags that contradict each other the last one counts, as in ripgrep.
#[rustfmt::skip]
const FLAGS: [(Option<char>, &str, Action); 29] = [
    (Some('n'), "line-number", Switch(|query| query.line_numbers = true)),
    (Some('N'), "no-line-number", Switch(|query| query.line_numbers = false)),
    (Some('H'), "with-filename", Switch(|query| query.with_filename = true)),
    // What ripgrep does anyway when it does not print to a terminal.
    (None, "no-heading", Switch(|_| {})),
    (Some('i'), "ignore-case", Switch(|query| query.case = Case::Insensitive)),
    (Some('s'), "case-sensitive", Switch(|query| query.case = Case::Sensitive)),
    (Some('S'), "smart-case", Switch(|query| query.case = Case::Smart)),
    (Some('w'), "word-regexp", Switch(|query| query.boundary = Some(Boundary::Word))),
    (Some('x'), "line-regexp", Switch(|query| query.boundary = Some(Boundary::Line))),
    (Some('F'), "fixed-strings", Switch(|query| query.fixed_strings = true)),
    (Some('U'), "multiline", Switch(|query| query.multiline = true)),
    (Some('v'), "invert-match", Switch(|query| query.invert_match = true)),
    (Some('o'), "only-matching", Switch(|query| query.only_matching = true)),
    (Some('c'), "count", Switch(|query| query.output = Output::Counts)),
    (Some('l'), "files-with-matches", Switch(|query| query.output = Output::Paths)),
    (Some('.'), "hidden", Switch(|query| query.selection.hidden = true)),
    (None, "no-ignore", Switch(|query| query.selection.no_ignore = true)),
    (Some('e'), "regexp", Value(|query, value| query.patterns.push(value))),
    (Some('g'), "glob", Value(|query, value| query.selection.globs.push(value))),
    (Some('t'), "type", Value(|query, value| query.selection.types.push(TypeChoice::Only(value)))),
    (Some('T'), "type-not", Value(|query, value| query.selection.types.push(TypeChoice::Not(value)))),
    (None, "pre", Refuse("it runs a program on every file")),
    (None, "pre-glob", Refuse("it belongs to --pre, which runs a program on every file")),
    (Some('z'), "search-zip", Refuse("it runs programs that decompress")),
    (Some('f'), "file", Refuse("it reads patterns from another file; write them with -e")),
    (Some('L'), "follow", Refuse("it follows links out of the repository")),
    (Some('P'), "pcre2", Refuse(NO_PCRE2)),
    (None, "engine", Refuse(NO_PCRE2)),
    (None, "ignore-file", Refuse("it reads ignore rules that are not part of the commit")),
];

const NO_PCRE2: &str =
    "not every ripgrep has PCRE2; write the pattern without look-around and back-references";
const UNKNOWN: &str = "a recorded search has only -n -i -s -S -w -x -F -U -v -o -c -l -e -g -t -T --hidden --no-ignore";

/// What `-letter` does.
pub(super) fn by_letter(letter: char) -> Action {
    find(|(short, _, _)| *short == Some(letter))
}

/// What `--name` does.
pub(super) fn by_name(name: &str) -> Action {
    find(|(_, long, _)| *long == name)
}

fn find(is_it: impl Fn(&(Option<char>, &str, Action)) -> bool) -> Action {
    FLAGS
        .iter()
        .find(|row| is_it(row))
        .map_or(Refuse(UNKNOWN), |(_, _, action)| *action)
}

//! The searches that a card records: run once, with a note that says what their hits are.

use std::collections::{BTreeMap, BTreeSet};

use super::{AuditError, Examination, Rulebook};
use crate::inventory::Role;
use crate::rubric::{SearchScope, SearchSpec, inert};
use crate::scorecard::Evidence;
use crate::search::{
    Outcome, Place, SearchEngine, SearchError, quote_command, quote_scope, quote_word,
};

/// Source places that a note names.
const PLACES: usize = 2;

/// Runs the searches with the ids `wanted`.
pub(super) fn run(
    engine: &SearchEngine<'_>,
    rulebook: &Rulebook,
    examination: &Examination,
    wanted: &BTreeSet<&str>,
) -> Result<BTreeMap<String, Evidence>, AuditError> {
    let specs: Vec<&SearchSpec> = wanted
        .iter()
        .filter_map(|id| rulebook.rubric.searches.get(*id))
        .collect();
    let mut scopes: BTreeMap<SearchScope, Vec<String>> = BTreeMap::new();
    let commands: Vec<(String, String)> = specs
        .iter()
        .map(|spec| {
            let paths = scopes.entry(spec.scope);
            let paths = paths.or_insert_with(|| scope(examination, spec.scope));
            (command(spec, paths.len()), quote_scope(paths))
        })
        .collect();
    let outcomes = run_repeatably(engine, commands)?;
    let by_path: BTreeMap<&str, usize> = examination
        .paths
        .iter()
        .enumerate()
        .map(|(i, p)| (p.as_str(), i))
        .collect();
    let mut evidence = BTreeMap::new();
    for (spec, ((search, scope), outcome)) in specs.into_iter().zip(outcomes) {
        let id = spec.id.get_ref().clone();
        let outcome = outcome.map_err(|e| AuditError::Search {
            id: id.clone(),
            message: e.to_string(),
        })?;
        let note = match outcome.hits {
            0 => spec.none.clone(),
            _ => format!(
                "{}{}",
                spec.some,
                whereabouts(examination, &by_path, &outcome)
            ),
        };
        evidence.insert(
            id,
            Evidence::Search {
                search,
                scope,
                hits: outcome.hits as u64,
                note: Some(note),
            },
        );
    }
    Ok(evidence)
}

/// Files that searches leave out as they come upon them; where there are more, the whole tree is gone through for them.
const FEW_LEFT_OUT: usize = 16;
/// There is no card where more files than these cannot be read, and more than one in so many of the snapshot's, or more
/// than can be named in a command.
const ONE_IN: usize = 10;
const MOST_LEFT_OUT: usize = 500;

/// [`SearchEngine::run_all`], with a `-g '!FILE'` for each file that is too large to be searched, or damaged. The card
/// says of every such file that it was not read.
fn run_without_unreadable(
    engine: &SearchEngine<'_>,
    mut commands: Vec<(String, String)>,
) -> Result<Vec<Ran>, AuditError> {
    let mut left_out = BTreeSet::new();
    let mut all_are_known = false;
    loop {
        let outcomes = engine.run_all(&commands);
        let mut new = unreadable(&outcomes);
        if left_out.len() + new.len() > FEW_LEFT_OUT && !all_are_known {
            new.extend(engine.unreadable());
            all_are_known = true;
        }
        new.retain(|path| !left_out.contains(path));
        if new.is_empty() {
            return Ok(commands.into_iter().zip(outcomes).collect());
        }
        leave_out(&mut commands, &outcomes, &new);
        left_out.extend(new);
        check_share(&left_out, engine.files())?;
    }
}

/// The files that `outcomes` failed at.
fn unreadable(outcomes: &[Result<Outcome, SearchError>]) -> BTreeSet<String> {
    let path = |outcome: &Result<Outcome, SearchError>| match outcome {
        Err(SearchError::File { path, .. }) => Some(path.clone()),
        _ => None,
    };
    outcomes.iter().filter_map(path).collect()
}

/// Adds to each of `commands` that failed at a file the globs that leave out `files`.
fn leave_out(
    commands: &mut [(String, String)],
    outcomes: &[Result<Outcome, SearchError>],
    files: &BTreeSet<String>,
) {
    let globs = files.iter().map(|path| format!("-g {} ", quote_glob(path)));
    let with_globs = format!("rg {}", globs.collect::<String>());
    for ((command, _), outcome) in commands.iter_mut().zip(outcomes) {
        if matches!(outcome, Err(SearchError::File { .. })) {
            *command = command.replacen("rg ", &with_globs, 1);
        }
    }
}

/// Refuses a snapshot of so many `files` of which too many had to be left out.
fn check_share(left_out: &BTreeSet<String>, files: usize) -> Result<(), AuditError> {
    let most = (files / ONE_IN).clamp(FEW_LEFT_OUT, MOST_LEFT_OUT);
    match left_out.first() {
        Some(first) if left_out.len() > most => Err(AuditError::Unreadable {
            count: left_out.len(),
            files,
            first: inert(first),
        }),
        _ => Ok(()),
    }
}

/// A glob, as a word of a shell, that leaves out `path` alone.
fn quote_glob(path: &str) -> String {
    let mut glob = String::from("!/");
    for c in path.chars() {
        if "*?[]{}\\!".contains(c) {
            glob.push('\\');
        }
        glob.push(c);
    }
    quote_word(&glob)
}

/// A command with its scope, and what it finds.
type Ran = ((String, String), Result<Outcome, SearchError>);

/// Runs `commands`. Versions of ripgrep disagree on ignore files above the scope; a search on which they do is
/// recorded with `--no-ignore` instead, so that every version gives its count.
fn run_repeatably(
    engine: &SearchEngine<'_>,
    commands: Vec<(String, String)>,
) -> Result<Vec<Ran>, AuditError> {
    let depends = |outcome: &Result<Outcome, SearchError>| {
        outcome.as_ref().is_ok_and(|o| o.hits != o.older_hits)
    };
    let settled =
        run_without_unreadable(engine, commands)?
            .into_iter()
            .map(|((command, scope), outcome)| match depends(&outcome) {
                true => (command.replacen("rg ", "rg --no-ignore ", 1), scope),
                false => (command, scope),
            });
    // What did not change is remembered and not searched again.
    let settled: Vec<(String, String)> = settled.collect();
    let outcomes = engine.run_all(&settled);
    Ok(settled.into_iter().zip(outcomes).collect())
}

/// The command of `spec` for a scope of so many paths. ripgrep 13 loses files when it walks several paths under an
/// ignore file in parallel, so that such a search is recorded without ignore files.
fn command(spec: &SearchSpec, paths: usize) -> String {
    let mut flags = shlex::split(&spec.flags).unwrap_or_default();
    if paths > 1 {
        flags.push("--no-ignore".to_owned());
    }
    quote_command(
        &flags.iter().map(String::as_str).collect::<Vec<_>>(),
        &spec.pattern,
    )
}

fn scope(examination: &Examination, scope: SearchScope) -> Vec<String> {
    let whole = || {
        vec![if examination.project.subpath.is_empty() {
            ".".to_owned()
        } else {
            examination.project.subpath.clone()
        }]
    };
    let folders = match scope {
        SearchScope::Core if examination.core.found() => {
            examination.core.folders(&examination.paths)
        }
        SearchScope::Core | SearchScope::Source => examination.source_folders(),
        SearchScope::All => whole(),
    };
    let paths = if folders.is_empty() { whole() } else { folders };
    // A folder that starts with a hyphen would be read as a flag.
    let named = |path: String| match path.starts_with('-') {
        true => format!("./{path}"),
        false => path,
    };
    paths.into_iter().map(named).collect()
}

/// Where hits lie: by role of their file, and the first places in source.
fn whereabouts(
    examination: &Examination,
    by_path: &BTreeMap<&str, usize>,
    outcome: &Outcome,
) -> String {
    let mut roles: BTreeMap<&str, usize> = BTreeMap::new();
    let mut named = Vec::new();
    for Place { path, line } in &outcome.places {
        let words = by_path.get(path.as_str()).map_or(OUTSIDE, |file| {
            let in_language = examination.inventory.files[*file].is_source_language();
            role_words(examination.roles[*file], in_language)
        });
        *roles.entry(words).or_default() += 1;
        if words == SOURCE && named.len() < PLACES {
            named.push(inert(&format!("{path}:{line}")));
        }
    }
    let counted: Vec<String> = roles
        .iter()
        .map(|(words, count)| format!("{count} in {words}"))
        .collect();
    let among = match outcome.places.len() {
        all if all == outcome.hits => String::new(),
        first => format!("of the first {first}, "),
    };
    let examples = match named.is_empty() {
        true => String::new(),
        false => format!(", such as {}", named.join(" and ")),
    };
    format!(": {among}{}{examples}.", counted.join(", "))
}

/// Words for the program's own code.
const SOURCE: &str = "source";
/// Words for files that are no part of what is scored.
const OUTSIDE: &str = "files outside the scored folder";

/// What a file of `role` is called; one beside the source that is in no programming language is not code.
fn role_words(role: Role, in_language: bool) -> &'static str {
    match role {
        Role::Source if in_language => SOURCE,
        Role::Source => "data and other files",
        Role::Test => "tests",
        Role::Example => "examples",
        Role::Documentation => "documentation",
        Role::Deployment => "deployment files",
        Role::Vendored => "vendored code",
        Role::Generated => "generated code",
        Role::Tooling => "build and release scripts",
    }
}

//! The probes' own cases: texts that must and must not hit.

use super::compile::{ProbeError, ProbeSet};
use super::evidence::Hit;
use super::find::find;
use super::prefilter::Candidate;
use super::scan::{FileScan, Outcome};
use crate::inventory::{Limits, Role};
use crate::rubric::{ProbeKind, ProbeSpec};

/// Runs the cases of all `specs`, which `probes` was compiled from; returns how many held and those that did not.
pub fn run_cases(
    probes: &ProbeSet,
    specs: &[ProbeSpec],
    limits: &Limits,
) -> (usize, Vec<ProbeError>) {
    let mut held = 0;
    let mut failed = Vec::new();
    for (index, spec) in specs.iter().enumerate() {
        let wanted = spec.matches.iter().map(|text| (text, true));
        for (text, must_hit) in wanted.chain(spec.rejects.iter().map(|text| (text, false))) {
            match find_in_case(probes, index, spec, text, limits) {
                Err(error) => failed.push(error),
                Ok(hits) if hits.is_empty() == must_hit => {
                    failed.push(failure(spec, text, must_hit));
                }
                Ok(_) => held += 1,
            }
        }
        if spec.matches.is_empty() || spec.rejects.is_empty() {
            let message = "needs at least one text in `matches` and one in `rejects`".to_owned();
            failed.push(ProbeError {
                id: spec.id.get_ref().clone(),
                message,
            });
        }
    }
    (held, failed)
}

fn failure(spec: &ProbeSpec, text: &str, must_hit: bool) -> ProbeError {
    let fault = if must_hit { "misses" } else { "hits" };
    let shown: String = text.chars().take(120).collect();
    ProbeError {
        id: spec.id.get_ref().clone(),
        message: format!("{fault} its own case {shown:?}"),
    }
}

/// What the probe at `index` of `probes`, compiled from `spec`, finds in its own first positive case, with the path that
/// the case stands for. It shows a reader what a hit looks like.
pub fn example(
    probes: &ProbeSet,
    index: usize,
    spec: &ProbeSpec,
    limits: &Limits,
) -> Option<(Hit, String)> {
    let (path, _) = place(spec);
    let found = find_in_case(probes, index, spec, spec.matches.first()?, limits).ok()?;
    found.into_iter().next().map(|hit| (hit, path))
}

/// The path and the language that a case of `spec` is run as.
fn place(spec: &ProbeSpec) -> (String, &str) {
    let language = spec
        .case_language
        .as_deref()
        .or(spec.languages.first().map(String::as_str))
        .unwrap_or_default();
    let path = match (&spec.case_file, spec.files.first(), spec.kind) {
        (Some(name), _, _) => name.clone(),
        (None, Some(glob), _) => example_of(glob),
        (None, None, ProbeKind::Config) => format!("case.{language}"),
        (None, None, _) => String::from("src/agent"),
    };
    (path, language)
}

fn find_in_case(
    probes: &ProbeSet,
    index: usize,
    spec: &ProbeSpec,
    text: &str,
    limits: &Limits,
) -> Result<Vec<Hit>, ProbeError> {
    let (path, language) = place(spec);
    let role = spec.roles.first().copied().unwrap_or(Role::Source);
    let applies = probes.applicable(&path, language, role);
    let candidates: Vec<Candidate> = probes
        .candidates(&applies, text.as_bytes())
        .into_iter()
        .filter(|candidate| candidate.probe == index)
        .collect();
    let mut scan = FileScan::of(Outcome::Read);
    find(
        probes,
        &candidates,
        &path,
        language,
        text.as_bytes(),
        &mut scan,
        limits,
    )
}

/// A path that `glob` matches: wildcards are left out, the first of alternatives is taken.
fn example_of(glob: &str) -> String {
    let mut path = String::new();
    let mut rest = glob.strip_prefix("**/").unwrap_or(glob);
    while let Some(character) = rest.chars().next() {
        rest = &rest[character.len_utf8()..];
        match character {
            '*' | '?' => {}
            '{' => {
                let (choices, after) = rest.split_once('}').unwrap_or((rest, ""));
                path.push_str(choices.split(',').next().unwrap_or_default());
                rest = after;
            }
            '[' => rest = rest.split_once(']').map_or("", |(_, after)| after),
            character => path.push(character),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_give_example_paths() {
        assert_eq!(example_of("**/README*"), "README");
        assert_eq!(
            example_of("**/{docker-,}compose*.{yml,yaml}"),
            "docker-compose.yml"
        );
    }
}

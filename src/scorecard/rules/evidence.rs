//! The rules of evidence, as far as they need no repository.

use crate::scorecard::evidence::{Evidence, LineRange};
use crate::scorecard::problem::Problem;

/// What a list of evidence needs beyond being there.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// At least one search: an absence cannot be cited.
    pub(super) search: bool,
    /// A literal text in each citation.
    pub(super) contains: bool,
}

/// Adds what is wrong with a list of evidence.
pub(super) fn check(
    evidence: &[Evidence],
    place: &str,
    wanted: Wanted,
    problems: &mut Vec<Problem>,
) {
    if evidence.is_empty() {
        problems.push(Problem::new(
            place,
            "no evidence: a citation or a search is needed, also at L0",
        ));
        return;
    }
    if wanted.search && !evidence.iter().any(Evidence::is_search) {
        problems.push(Problem::new(
            place,
            "an absence needs a search that finds nothing else",
        ));
    }
    for (index, item) in evidence.iter().enumerate() {
        let place = format!("{place}.evidence[{index}]");
        if let Evidence::Citation {
            file,
            lines,
            contains,
            ..
        } = item
        {
            check_citation(file, lines, &place, problems);
            if wanted.contains && contains.as_deref().is_none_or(str::is_empty) {
                problems.push(Problem::new(
                    place,
                    format!("`contains` is needed here: quote a literal text of {file}:{lines}"),
                ));
            }
        }
    }
}

fn check_citation(file: &str, lines: &str, place: &str, problems: &mut Vec<Problem>) {
    let steps_out = file.split('/').any(|part| matches!(part, "" | "." | ".."));
    if steps_out {
        problems.push(Problem::new(
            format!("{place}.file"),
            format!("{file:?} is not a path from the repository's root"),
        ));
    }
    if LineRange::parse(lines).is_none() {
        problems.push(Problem::new(
            format!("{place}.lines"),
            format!("{lines:?} is not a line N or lines N-M, counted from 1"),
        ));
    }
}

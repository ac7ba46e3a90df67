//! `audit compare`: two cards side by side.

use super::args::{CompareArguments, ComparisonFormat, FailOn};
use super::failure::Failure;
use super::render::load;
use super::{exit, output};
use crate::compare::Comparison;
use crate::render;
use crate::scorecard::{Method, ScoredCard, check, to_json};

pub(super) fn run(arguments: &CompareArguments) -> Result<u8, Failure> {
    let (old, new) = (load(&arguments.old)?, load(&arguments.new)?);
    if (&old.repo_url, &old.subpath) != (&new.repo_url, &new.subpath) {
        output::note(&format!(
            "audit: the cards are of different projects: {} and {}",
            named(&old.repo_url, &old.name),
            named(&new.repo_url, &new.name)
        ));
    }
    let method = Method::built_in().map_err(Failure::internal)?;
    for (path, card) in [(&arguments.old, &old), (&arguments.new, &new)] {
        if let Some(problem) = check(card, &method).first() {
            let problem = crate::rubric::inert(&problem.to_string());
            return Err(Failure::input(format!("{}: {problem}", path.display())));
        }
    }
    let comparison = Comparison::of(
        &ScoredCard::new(&old, &method),
        &ScoredCard::new(&new, &method),
    );
    let text = match arguments.format {
        ComparisonFormat::Text => render::comparison_text(&comparison),
        ComparisonFormat::Md => render::comparison_markdown(&comparison),
        ComparisonFormat::Json => to_json(&comparison).map_err(Failure::internal)?,
    };
    output::print(&text)?;
    let failed = match arguments.fail_on {
        Some(FailOn::Regression) => comparison.is_regression(),
        Some(FailOn::Any) => !comparison.changes.is_empty(),
        None => false,
    };
    Ok(if failed { exit::GATE } else { exit::OK })
}

/// What a card is of, for a note on stderr.
fn named(url: &str, name: &str) -> String {
    crate::rubric::inert(if url.is_empty() { name } else { url })
}

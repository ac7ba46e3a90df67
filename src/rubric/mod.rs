//! The rubric: what is looked for and what decides a level, as data.
//!
//! In: the files of `rubric/` (built in, or a folder). Out: a [`Rubric`] that is checked: every name that a file uses
//! exists, every pattern and query compiles, every ladder is whole. docs/rubric.md describes the format.

mod check;
mod expression;
mod files;
mod ladder_check;
mod order;
mod pattern;
mod schema;

use std::collections::BTreeMap;

pub use check::SKIPPED_SORTS;
pub use expression::{Expressions, Scope, inert};
pub use files::{RubricFiles, line_at};
pub use order::Step;
pub use pattern::Pattern;
pub use schema::*;

/// Something wrong in a rubric file.
#[derive(Debug, thiserror::Error)]
#[error("{file}{}: {message}", line.map(|l| format!(":{l}")).unwrap_or_default())]
pub struct RubricError {
    /// Name of the file.
    pub file: String,
    /// Line, from 1.
    pub line: Option<usize>,
    /// What is wrong and what to do.
    pub message: String,
}

/// A rubric, loaded and checked.
pub struct Rubric {
    /// All probes, in the order of their index.
    pub probes: Vec<ProbeSpec>,
    /// For each probe, the file that holds it.
    pub files: Vec<String>,
    /// All facts as written.
    pub facts: Vec<FactSpec>,
    /// The order in which facts, kind and surface can be worked out.
    pub order: Vec<Step>,
    /// All searches by id.
    pub searches: BTreeMap<String, SearchSpec>,
    /// How the core is found.
    pub core: CoreRules,
    /// Sections of the boundary map.
    pub map: Vec<MapSection>,
    /// Step caps of well-known agent libraries.
    pub libraries: Vec<LibraryDefault>,
    /// Kind, category, configuration, headline, Rule of Two, limitations.
    pub kinds: KindsFile,
    /// The agent surface.
    pub surface: Vec<SurfaceEntry>,
    /// The ten criteria, C1 first.
    pub criteria: Vec<CriterionFile>,
}

impl Rubric {
    /// Loads and checks the rubric in `files`.
    ///
    /// # Errors
    /// Everything that is wrong, by file and line.
    pub fn load(files: &RubricFiles) -> Result<Self, Vec<RubricError>> {
        Self::read(files, check::check)
    }

    /// Loads the rubric in `files`, which [`Rubric::load`] has found right before.
    ///
    /// # Errors
    /// What does not parse, by file and line.
    pub fn load_checked(files: &RubricFiles) -> Result<Self, Vec<RubricError>> {
        Self::read(files, |_| Vec::new())
    }

    fn read(
        files: &RubricFiles,
        check: impl FnOnce(&check::Loaded<'_>) -> Vec<RubricError>,
    ) -> Result<Self, Vec<RubricError>> {
        let boundary = files.parse::<BoundaryFile>("boundary.toml");
        let kinds = files.parse::<KindsFile>("kinds.toml");
        let surface = files.parse::<SurfaceFile>("surface.toml");
        let criteria: Vec<Result<CriterionFile, RubricError>> = RubricFiles::criteria()
            .map(|name| files.parse(&name))
            .collect();
        let (Ok(boundary), Ok(kinds), Ok(surface), true) = (
            &boundary,
            &kinds,
            &surface,
            criteria.iter().all(Result::is_ok),
        ) else {
            let failures = [boundary.err(), kinds.err(), surface.err()];
            return Err(failures
                .into_iter()
                .chain(criteria.into_iter().map(Result::err))
                .flatten()
                .collect());
        };
        let criteria: Vec<CriterionFile> = criteria.into_iter().flatten().collect();
        let parts = Parts::collect(boundary, kinds, surface, &criteria);
        let errors = check(&check::Loaded {
            files,
            parts: &parts,
            boundary,
            kinds,
            surface,
            criteria: &criteria,
        });
        if !errors.is_empty() {
            return Err(errors);
        }
        let probes = parts.probes.iter().map(|(_, p)| (*p).clone()).collect();
        let facts: Vec<FactSpec> = parts.facts.iter().map(|(_, f)| (*f).clone()).collect();
        let searches = parts
            .searches
            .iter()
            .map(|(_, s)| (s.id.get_ref().clone(), (*s).clone()))
            .collect();
        let order = order::order(&facts, kinds, &surface.surface).map_err(|e| vec![e])?;
        Ok(Self {
            probes,
            files: parts.probes.iter().map(|(file, _)| file.clone()).collect(),
            facts,
            order,
            searches,
            core: boundary.core.clone(),
            map: boundary.map.clone(),
            libraries: boundary.library.clone(),
            kinds: kinds.clone(),
            surface: surface.surface.clone(),
            criteria,
        })
    }
}

impl Rubric {
    /// An error of the probe `id`, with its file and line in `files`.
    pub fn locate(&self, files: &RubricFiles, id: &str, message: String) -> RubricError {
        let message = format!("probe `{id}`: {message}");
        let Some((file, probe)) = self
            .files
            .iter()
            .zip(&self.probes)
            .find(|(_, probe)| probe.id.get_ref() == id)
        else {
            return RubricError {
                file: "rubric".into(),
                line: None,
                message,
            };
        };
        RubricError {
            file: file.clone(),
            line: Some(files.line(file, probe.id.span().start)),
            message,
        }
    }
}

/// Probes, facts and searches of all files, with the name of the file that holds them.
struct Parts<'a> {
    probes: Vec<(String, &'a ProbeSpec)>,
    facts: Vec<(String, &'a FactSpec)>,
    searches: Vec<(String, &'a SearchSpec)>,
}

impl<'a> Parts<'a> {
    fn collect(
        boundary: &'a BoundaryFile,
        kinds: &'a KindsFile,
        surface: &'a SurfaceFile,
        criteria: &'a [CriterionFile],
    ) -> Self {
        let mut parts = Self {
            probes: Vec::new(),
            facts: Vec::new(),
            searches: Vec::new(),
        };
        parts.add(
            "boundary.toml",
            &boundary.probe,
            &boundary.fact,
            &boundary.search,
        );
        parts.add("kinds.toml", &kinds.probe, &kinds.fact, &kinds.search);
        parts.add(
            "surface.toml",
            &surface.probe,
            &surface.fact,
            &surface.search,
        );
        for (name, criterion) in RubricFiles::criteria().zip(criteria) {
            parts.add(&name, &criterion.probe, &criterion.fact, &criterion.search);
        }
        parts
    }

    fn add(
        &mut self,
        file: &str,
        probes: &'a [ProbeSpec],
        facts: &'a [FactSpec],
        searches: &'a [SearchSpec],
    ) {
        self.probes
            .extend(probes.iter().map(|p| (file.to_owned(), p)));
        self.facts
            .extend(facts.iter().map(|f| (file.to_owned(), f)));
        self.searches
            .extend(searches.iter().map(|s| (file.to_owned(), s)));
    }
}

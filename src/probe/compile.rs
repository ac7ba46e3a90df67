//! Probes made ready to run: patterns and queries compiled, one prefilter over all their literals.

use aho_corasick::{AhoCorasick, MatchKind};
use globset::{Glob, GlobSet, GlobSetBuilder};
use regex::bytes::{Regex, RegexBuilder};

use super::config::KeyGlob;
use super::literals;
use super::syntax::SyntaxProbe;
use crate::inventory::Role;
use crate::rubric::{ProbeKind, ProbeSpec};

/// Upper bound of a compiled pattern, in bytes; a pattern that needs more is refused at load.
const PATTERN_SIZE: usize = 4 << 20;

/// A probe that cannot be used, and why.
#[derive(Debug, thiserror::Error)]
#[error("probe {id}: {message}")]
pub struct ProbeError {
    /// Id of the probe.
    pub id: String,
    /// What is wrong and what to do.
    pub message: String,
}

/// How a probe finds its hits.
pub(super) enum Engine {
    Text(Regex),
    Syntax(SyntaxProbe),
    Config { key: KeyGlob, value: Option<Regex> },
}

/// One probe, ready to run.
pub(super) struct Probe {
    pub(super) id: String,
    pub(super) engine: Engine,
    pub(super) comments: bool,
    listed: bool,
    languages: Vec<String>,
    roles: Vec<Role>,
}

impl Probe {
    fn runs_in(&self, language: &str, role: Role) -> bool {
        self.roles.contains(&role) && self.languages.iter().any(|l| l == language)
    }
}

/// All probes of a rubric, ready to run.
pub struct ProbeSet {
    pub(super) probes: Vec<Probe>,
    prefilter: AhoCorasick,
    /// For each literal of the prefilter, the probes that need it.
    owners: Vec<Vec<usize>>,
    /// Probes that run whenever they apply.
    unfiltered: Vec<bool>,
    globs: GlobSet,
    /// For each glob, its probe.
    glob_owners: Vec<usize>,
}

impl ProbeSet {
    /// Compiles `specs`, in their order: the position is the probe's index in [`super::Hit`].
    ///
    /// # Errors
    /// The first probe that cannot be used: a pattern that does not compile, a query that the grammar refuses, fields
    /// that do not belong to its kind, a pattern without a literal to filter by.
    pub fn compile(specs: &[ProbeSpec]) -> Result<Self, ProbeError> {
        let mut set = Builder::default();
        for spec in specs {
            set.add(spec).map_err(|message| ProbeError {
                id: spec.id.get_ref().clone(),
                message,
            })?;
        }
        set.build()
    }

    /// Id of the probe at `index`.
    pub fn id(&self, index: usize) -> &str {
        &self.probes[index].id
    }

    /// Whether a hit of the probe at `index` counts only under a name that the README lists.
    pub fn is_listed(&self, index: usize) -> bool {
        self.probes[index].listed
    }

    /// Probes that apply to a file of this path, language and role, before its content is known.
    pub(super) fn applicable(&self, path: &str, language: &str, role: Role) -> Vec<bool> {
        let mut applies: Vec<bool> = self
            .probes
            .iter()
            .map(|p| p.runs_in(language, role))
            .collect();
        for glob in self.globs.matches(path) {
            let probe = self.glob_owners[glob];
            applies[probe] |= self.probes[probe].roles.contains(&role);
        }
        applies
    }

    /// Of the probes that apply, those whose literals occur in `text`.
    pub(super) fn candidates(&self, applies: &[bool], text: &[u8]) -> Vec<usize> {
        let mut wanted: Vec<bool> = applies
            .iter()
            .zip(&self.unfiltered)
            .map(|(a, u)| *a && *u)
            .collect();
        for found in self.prefilter.find_overlapping_iter(text) {
            for probe in &self.owners[found.pattern().as_usize()] {
                wanted[*probe] |= applies[*probe];
            }
        }
        (0..wanted.len()).filter(|probe| wanted[*probe]).collect()
    }
}

#[derive(Default)]
struct Builder {
    probes: Vec<Probe>,
    literals: std::collections::BTreeMap<String, Vec<usize>>,
    unfiltered: Vec<bool>,
    globs: Vec<(Glob, usize)>,
}

impl Builder {
    fn add(&mut self, spec: &ProbeSpec) -> Result<(), String> {
        check_fields(spec)?;
        let index = self.probes.len();
        let (engine, derived) = compile_engine(spec)?;
        let needs = if spec.needs.is_empty() {
            derived
        } else {
            Some(spec.needs.iter().map(|n| n.to_ascii_lowercase()).collect())
        };
        if needs.is_none() && spec.kind != ProbeKind::Config {
            return Err("no literal of two letters or more to filter by: give `needs`".into());
        }
        self.unfiltered.push(needs.is_none());
        for literal in needs.into_iter().flatten() {
            self.literals.entry(literal).or_default().push(index);
        }
        for pattern in &spec.files {
            self.globs.push((path_glob(pattern)?, index));
        }
        self.probes.push(Probe {
            id: spec.id.get_ref().clone(),
            engine,
            comments: spec.comments,
            listed: spec.listed,
            languages: spec.languages.clone(),
            roles: spec.roles.clone(),
        });
        Ok(())
    }

    fn build(self) -> Result<ProbeSet, ProbeError> {
        let whole = |message: String| ProbeError {
            id: "(all)".into(),
            message,
        };
        let (literals, owners): (Vec<_>, Vec<_>) = self.literals.into_iter().unzip();
        let prefilter = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .build(&literals)
            .map_err(|e| whole(e.to_string()))?;
        let mut globs = GlobSetBuilder::new();
        let mut glob_owners = Vec::new();
        for (glob, owner) in self.globs {
            globs.add(glob);
            glob_owners.push(owner);
        }
        Ok(ProbeSet {
            probes: self.probes,
            prefilter,
            owners,
            unfiltered: self.unfiltered,
            globs: globs.build().map_err(|e| whole(e.to_string()))?,
            glob_owners,
        })
    }
}

/// A glob over repository paths, in which `*` stays inside one folder.
fn path_glob(pattern: &str) -> Result<Glob, String> {
    globset::GlobBuilder::new(pattern)
        .literal_separator(true)
        .build()
        .map_err(|e| e.to_string())
}

fn check_fields(spec: &ProbeSpec) -> Result<(), String> {
    if spec.languages.is_empty() && spec.files.is_empty() {
        return Err("needs `languages` or `files`".into());
    }
    let wrong = |present: bool, field: &str| match present {
        true => Err(format!("`{field}` does not belong to a probe of this kind")),
        false => Ok(()),
    };
    if spec.kind != ProbeKind::Text {
        wrong(spec.pattern.is_some(), "pattern")?;
    }
    if spec.kind != ProbeKind::Syntax {
        wrong(spec.query.is_some(), "query")?;
        wrong(!spec.only.is_empty(), "where")?;
        wrong(!spec.unless.is_empty(), "unless")?;
    }
    if spec.kind != ProbeKind::Config {
        wrong(spec.key.is_some(), "key")?;
        wrong(spec.value.is_some(), "value")?;
    }
    Ok(())
}

fn compile_engine(spec: &ProbeSpec) -> Result<(Engine, Option<Vec<String>>), String> {
    match spec.kind {
        ProbeKind::Text => {
            let pattern = spec.pattern.as_deref().ok_or("needs a `pattern`")?;
            Ok((
                Engine::Text(text_regex(pattern)?),
                derived_literals(pattern)?,
            ))
        }
        ProbeKind::Syntax => Ok((Engine::Syntax(SyntaxProbe::compile(spec)?), None)),
        ProbeKind::Config => {
            let key = spec.key.as_deref().ok_or("needs a `key`")?;
            let key = KeyGlob::new(key).map_err(|e| e.to_string())?;
            let value = spec.value.as_deref().map(text_regex).transpose()?;
            Ok((Engine::Config { key, value }, None))
        }
    }
}

/// A pattern over bytes: `^` and `$` at lines, ASCII classes, bounded size.
pub(super) fn text_regex(pattern: &str) -> Result<Regex, String> {
    RegexBuilder::new(pattern)
        .multi_line(true)
        .unicode(false)
        .size_limit(PATTERN_SIZE)
        .build()
        .map_err(|e| e.to_string())
}

fn derived_literals(pattern: &str) -> Result<Option<Vec<String>>, String> {
    let mut parser = regex_syntax::ParserBuilder::new()
        .multi_line(true)
        .unicode(false)
        .utf8(false)
        .build();
    let hir = parser.parse(pattern).map_err(|e| e.to_string())?;
    Ok(literals::required(&hir))
}

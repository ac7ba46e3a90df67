//! Probes made ready to run: one prefilter over all their literals; each probe compiled when a file first needs it.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use globset::{Glob, GlobSet, GlobSetBuilder};
use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::Hir;

use super::config::KeyGlob;
use super::literals;
use super::locality::reach;
use super::prefilter::{Candidate, Local, Needs, Prefilter};
use super::syntax::SyntaxProbe;
use crate::inventory::Role;
use crate::rubric::{ProbeKind, ProbeSpec};

/// Upper bound of a compiled pattern, in bytes; a pattern that needs more is refused at load.
const PATTERN_SIZE: usize = 4 << 20;
/// A derived set weaker than this is in nearly every file: as a filter beside others it costs more than it saves.
const WEAKEST_DERIVED: usize = 6;
/// Sets of literals of one probe that filter; more filter no better.
const MOST_SETS: usize = 8;

/// A probe that cannot be used, and why.
#[derive(Clone, Debug, thiserror::Error)]
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
    spec: ProbeSpec,
    engine: OnceLock<Result<Engine, String>>,
}

impl Probe {
    /// How it finds its hits; compiled by the first call.
    ///
    /// # Errors
    /// A pattern or query that does not compile; never after [`ProbeSet::check`] has passed.
    pub(super) fn engine(&self) -> Result<&Engine, ProbeError> {
        let engine = self.engine.get_or_init(|| compile_engine(&self.spec));
        engine.as_ref().map_err(|message| self.error(message))
    }

    /// Whether hits in comments count, too.
    pub(super) fn comments(&self) -> bool {
        self.spec.comments
    }

    /// What is wrong with it.
    pub(super) fn error(&self, message: &str) -> ProbeError {
        ProbeError {
            id: self.spec.id.get_ref().clone(),
            message: message.to_owned(),
        }
    }
}

/// All probes of a rubric, ready to run.
pub struct ProbeSet {
    pub(super) probes: Vec<Probe>,
    prefilter: Prefilter,
    /// For each language, the probes that run in it.
    by_language: BTreeMap<String, Vec<usize>>,
    globs: GlobSet,
    /// For each glob, its probe.
    glob_owners: Vec<usize>,
}

impl ProbeSet {
    /// Takes `specs`, in their order: the position is the probe's index in [`super::Hit`].
    ///
    /// # Errors
    /// The first probe that cannot be used: a pattern that is none, or has no literal to filter by, a query without
    /// `needs`, fields that do not belong to its kind.
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

    /// Compiles all probes.
    ///
    /// # Errors
    /// The first of which a pattern is too large, or that a grammar refuses.
    pub fn check(&self) -> Result<(), ProbeError> {
        for probe in &self.probes {
            if let Engine::Syntax(syntax) = probe.engine()? {
                syntax.check().map_err(|message| probe.error(&message))?;
            }
        }
        Ok(())
    }

    /// Probes that apply to a file of this path, language and role, before its content is known.
    pub(super) fn applicable(&self, path: &str, language: &str, role: Role) -> Vec<bool> {
        let mut applies = vec![false; self.probes.len()];
        let by_language = self.by_language.get(language).into_iter().flatten();
        let by_path = self.globs.matches(path);
        let by_path = by_path.iter().map(|glob| &self.glob_owners[*glob]);
        for probe in by_language.chain(by_path) {
            applies[*probe] = self.probes[*probe].spec.roles.contains(&role);
        }
        applies
    }

    /// Of the probes that apply, those that can hit in `text`.
    pub(super) fn candidates(&self, applies: &[bool], text: &[u8]) -> Vec<Candidate> {
        self.prefilter.candidates(applies, text)
    }
}

#[derive(Default)]
struct Builder {
    probes: Vec<Probe>,
    needs: Vec<Needs>,
    by_language: BTreeMap<String, Vec<usize>>,
    globs: Vec<(Glob, usize)>,
}

impl Builder {
    fn add(&mut self, spec: &ProbeSpec) -> Result<(), String> {
        check_fields(spec)?;
        let index = self.probes.len();
        let needs = needs_of(spec)?;
        if needs.sets.is_empty() && spec.kind != ProbeKind::Config {
            return Err("no literal of two letters or more to filter by: give `needs`".into());
        }
        self.needs.push(needs);
        for language in &spec.languages {
            let probes = self.by_language.entry(language.clone()).or_default();
            probes.push(index);
        }
        for pattern in &spec.files {
            self.globs.push((path_glob(pattern)?, index));
        }
        self.probes.push(Probe {
            spec: spec.clone(),
            engine: OnceLock::new(),
        });
        Ok(())
    }

    fn build(self) -> Result<ProbeSet, ProbeError> {
        let whole = |message: String| ProbeError {
            id: "(all)".into(),
            message,
        };
        let prefilter = Prefilter::new(self.needs);
        let mut globs = GlobSetBuilder::new();
        let mut glob_owners = Vec::new();
        for (glob, owner) in self.globs {
            globs.add(glob);
            glob_owners.push(owner);
        }
        Ok(ProbeSet {
            probes: self.probes,
            prefilter,
            by_language: self.by_language,
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
    if spec.kind == ProbeKind::Config {
        wrong(spec.pattern.is_some(), "pattern")?;
    }
    if spec.kind != ProbeKind::Syntax {
        wrong(spec.query.is_some(), "query")?;
        wrong(!spec.only.is_empty(), "where")?;
        wrong(!spec.unless.is_empty(), "unless")?;
    }
    if spec.kind == ProbeKind::Syntax && spec.needs.is_empty() {
        return Err(
            "a syntax probe needs `needs`, so that files are parsed only where it can hit".into(),
        );
    }
    if spec.kind != ProbeKind::Config {
        wrong(spec.key.is_some(), "key")?;
        wrong(spec.value.is_some(), "value")?;
    }
    Ok(())
}

fn compile_engine(spec: &ProbeSpec) -> Result<Engine, String> {
    match spec.kind {
        ProbeKind::Text => {
            let pattern = spec.pattern.as_deref().ok_or("needs a `pattern`")?;
            Ok(Engine::Text(text_regex(pattern)?))
        }
        ProbeKind::Syntax => Ok(Engine::Syntax(SyntaxProbe::compile(spec)?)),
        ProbeKind::Config => {
            let key = spec.key.as_deref().ok_or("needs a `key`")?;
            let key = KeyGlob::new(key).map_err(|e| e.to_string())?;
            let value = spec.value.as_deref().map(text_regex).transpose()?;
            Ok(Engine::Config { key, value })
        }
    }
}

/// What has to be in a text for `spec` to hit: what it says itself, and what follows from its patterns.
fn needs_of(spec: &ProbeSpec) -> Result<Needs, String> {
    let mut needs = Needs::default();
    let stated = &spec.needs;
    if !stated.is_empty() && !stated.iter().any(String::is_empty) {
        let lower = stated.iter().map(|need| need.to_ascii_lowercase());
        needs.sets.push(literals::shortest_only(lower.collect()));
    }
    let is_rare = |set: &Vec<String>| literals::strength(set) >= WEAKEST_DERIVED;
    if let Some(pattern) = &spec.pattern {
        let hir = parse(pattern)?;
        let mut derived = literals::required(&hir);
        // There has to be one set, and the best one tells best where matches are.
        let spared = usize::from(!derived.is_empty());
        let others = derived.split_off(spared);
        derived.extend(others.into_iter().filter(is_rare));
        needs.local = reach(&hir).map(|reach| Local {
            sets: needs.sets.len()..needs.sets.len() + derived.len(),
            reach,
        });
        needs.sets.extend(derived);
    }
    // What a condition asks of a capture is in the text, too.
    for pattern in spec.only.values() {
        let derived = literals::required(&parse(pattern)?);
        needs.sets.extend(derived.into_iter().filter(is_rare));
    }
    needs.sets.truncate(MOST_SETS);
    Ok(needs)
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

/// The pattern of [`text_regex`], taken apart.
pub(super) fn parse(pattern: &str) -> Result<Hir, String> {
    let mut parser = ParserBuilder::new()
        .multi_line(true)
        .unicode(false)
        .utf8(false)
        .build();
    parser.parse(pattern).map_err(|e| e.to_string())
}

//! Whether the parts of a rubric fit together: names, conditions, whole ladders.

use std::collections::{BTreeMap, BTreeSet};

use toml::Spanned;

use super::expression::Expressions;
use super::ladder_check::check_ladders;
use super::{
    BoundaryFile, CapSpec, CriterionFile, FactSpec, KindsFile, Parts, RubricError, RubricFiles,
    Sentence, SurfaceFile,
};

/// Variables besides the facts, with the attributes they offer.
const BUILT_IN: &[(&str, &[&str])] = &[
    ("kind", &[]),
    ("core", &["found", "folders", "files"]),
    (
        "project",
        &[
            "name",
            "repository",
            "subpath",
            "packages",
            "description",
            "dependencies",
            "root_files",
        ],
    ),
    ("readme", &["path", "lead", "blocks", "imports"]),
    ("library", &[]),
];
/// Attributes of `share` that say how much was read and parsed.
const SHARE_FIGURES: &[&str] = &[
    "read",
    "parsed",
    "languages",
    "unparsed",
    "submodules",
    "worktree",
];
/// Sorts of files that were not read, or only in part; each is an attribute of `share`, too.
pub const SKIPPED_SORTS: [&str; 12] = [
    "missing",
    "too_large",
    "binary",
    "lfs",
    "undecodable",
    "failed",
    "generated",
    "minified",
    "broken",
    "odd",
    "beyond_limit",
    "unparsable",
];
/// Attributes of a fact.
const FACT_ATTRIBUTES: &[&str] = &[
    "count", "files", "name", "names", "value", "values", "number", "min", "max", "quote", "file",
    "line", "place", "folders",
];
/// Keys of the agent surface, in the order of the card (formats.md).
pub const SURFACE_KEYS: [&str; 9] = [
    "code_execution",
    "filesystem_write",
    "network_egress",
    "external_credentials",
    "persistent_memory",
    "untrusted_input",
    "third_party_extensions",
    "sub_agents",
    "external_communication",
];
/// Categories of formats.md.
const CATEGORIES: [&str; 6] = [
    "coding",
    "cybersecurity",
    "infrastructure_ops",
    "ai_assistants",
    "data_analytics",
    "agent_frameworks",
];
/// Caps of method.md with their criterion; G1 and G2 belong to any.
const CAPS: [(&str, &str); 11] = [
    ("G2", ""),
    ("G1", ""),
    ("C1-SELFESC", "C1"),
    ("C1-PASSTHRU", "C1"),
    ("C2-SELFAPPROVE", "C2"),
    ("C2-POWERBYPASS", "C2"),
    ("C4-HOSTROOT", "C4"),
    ("C5-PUBLICTRIGGER", "C5"),
    ("C6-REPOCONFIG", "C6"),
    ("C7-RCELOAD", "C7"),
    ("C8-MODELSECRETS", "C8"),
];

/// All files of a rubric, parsed.
pub(super) struct Loaded<'a> {
    pub(super) files: &'a RubricFiles,
    pub(super) parts: &'a Parts<'a>,
    pub(super) boundary: &'a BoundaryFile,
    pub(super) kinds: &'a KindsFile,
    pub(super) surface: &'a SurfaceFile,
    pub(super) criteria: &'a [CriterionFile],
}

/// Everything that is wrong.
pub(super) fn check(loaded: &Loaded<'_>) -> Vec<RubricError> {
    let mut checker = Checker::new(loaded);
    checker.ids();
    for (file, fact) in &loaded.parts.facts {
        checker.fact(file, fact);
    }
    checker.boundary();
    checker.kinds();
    checker.surface();
    for (file, criterion) in RubricFiles::criteria().zip(loaded.criteria) {
        checker.criterion(&file, criterion);
    }
    checker.errors
}

/// What a text of the rubric may refer to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// While facts are worked out.
    Facts,
    /// When kind and surface are known.
    Ratings,
    /// When levels are known.
    Card,
}

pub(super) struct Checker<'a> {
    loaded: &'a Loaded<'a>,
    expressions: Expressions,
    probes: BTreeSet<&'a str>,
    facts: BTreeMap<&'a str, bool>,
    searches: BTreeSet<&'a str>,
    errors: Vec<RubricError>,
}

impl<'a> Checker<'a> {
    fn new(loaded: &'a Loaded<'a>) -> Self {
        let parts = loaded.parts;
        Self {
            loaded,
            expressions: Expressions::new(),
            probes: parts
                .probes
                .iter()
                .map(|(_, p)| p.id.get_ref().as_str())
                .collect(),
            facts: parts
                .facts
                .iter()
                .map(|(_, f)| (f.id.get_ref().as_str(), f.expr.is_none()))
                .collect(),
            searches: parts
                .searches
                .iter()
                .map(|(_, s)| s.id.get_ref().as_str())
                .collect(),
            errors: Vec::new(),
        }
    }

    pub(super) fn error(&mut self, file: &str, offset: Option<usize>, message: String) {
        let line = offset.map(|offset| self.loaded.files.line(file, offset));
        self.errors.push(RubricError {
            file: file.to_owned(),
            line,
            message,
        });
    }

    fn ids(&mut self) {
        let parts = self.loaded.parts;
        let probes = parts.probes.iter().map(|(file, p)| ("probe", file, &p.id));
        let facts = parts.facts.iter().map(|(file, f)| ("fact", file, &f.id));
        let searches = parts
            .searches
            .iter()
            .map(|(file, s)| ("search", file, &s.id));
        let all: Vec<(&str, &String, &Spanned<String>)> =
            probes.chain(facts).chain(searches).collect();
        let mut seen = BTreeSet::new();
        for (what, file, id) in all {
            let separator = if what == "fact" { '_' } else { '-' };
            let name = id.get_ref();
            let well_formed = name
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == separator);
            if !well_formed || name.is_empty() {
                self.error(
                    file,
                    Some(id.span().start),
                    format!("{what} id `{name}`: lower-case letters, digits and `{separator}`"),
                );
            }
            if !seen.insert((what, name)) {
                self.error(
                    file,
                    Some(id.span().start),
                    format!("{what} `{name}` is defined twice"),
                );
            }
        }
    }

    fn fact(&mut self, file: &str, fact: &FactSpec) {
        let at = Some(fact.id.span().start);
        let id = fact.id.get_ref();
        let has_hits = !fact.probes.is_empty() || !fact.union.is_empty();
        if has_hits == fact.expr.is_some() {
            self.error(
                file,
                at,
                format!("fact `{id}` needs either `probes`/`union` or `expr`"),
            );
        }
        for probe in &fact.probes {
            if !self.probes.contains(probe.as_str()) {
                self.error(
                    file,
                    at,
                    format!("fact `{id}`: no probe is called `{probe}`"),
                );
            }
        }
        let follows = fact.followed_by.iter().chain(&fact.not_followed_by);
        let near = fact.near.iter().chain(&fact.not_near).map(|n| &n.fact);
        let near = near.chain(follows.flat_map(|f| [&f.fact, &f.until]));
        for other in fact
            .union
            .iter()
            .chain(&fact.in_files_with)
            .chain(&fact.not_in_files_with)
            .chain(near)
        {
            self.cited_fact(file, at, other);
        }
        for pattern in fact
            .capture
            .values()
            .chain(fact.not_capture.values())
            .chain(&fact.paths)
            .chain(&fact.not_paths)
        {
            if let Err(error) = regex::Regex::new(pattern) {
                self.error(file, at, format!("fact `{id}`: {error}"));
            }
        }
        for condition in fact.expr.iter().chain(&fact.when) {
            self.condition(file, at, condition, Stage::Facts);
        }
    }

    /// A fact that has to have hits of its own.
    fn cited_fact(&mut self, file: &str, at: Option<usize>, name: &str) {
        match self.facts.get(name) {
            None => self.error(file, at, format!("no fact is called `{name}`")),
            Some(false) => self.error(
                file,
                at,
                format!("fact `{name}` is an expression and has no hits to cite"),
            ),
            Some(true) => {}
        }
    }

    pub(super) fn evidence(
        &mut self,
        file: &str,
        at: Option<usize>,
        cite: &[String],
        search: &[String],
    ) {
        for name in cite {
            self.cited_fact(file, at, name);
        }
        for name in search {
            if !self.searches.contains(name.as_str()) {
                self.error(file, at, format!("no search is called `{name}`"));
            }
        }
    }

    pub(super) fn condition(
        &mut self,
        file: &str,
        at: Option<usize>,
        condition: &str,
        stage: Stage,
    ) {
        if condition.contains(r"\b") {
            let message = r"`\b` is a backspace in an expression; write `(^|\W)` and `(\W|$)`";
            self.error(file, at, format!("condition `{condition}`: {message}"));
        }
        match self.expressions.variables_of_expression(condition) {
            Err(error) => self.error(file, at, format!("condition `{condition}`: {error}")),
            Ok(variables) => self.variables(file, at, &variables, stage),
        }
    }

    pub(super) fn template(&mut self, file: &str, at: Option<usize>, template: &str, stage: Stage) {
        match self.expressions.variables_of_template(template) {
            Err(error) => self.error(file, at, format!("text `{template}`: {error}")),
            Ok(variables) => self.variables(file, at, &variables, stage),
        }
    }

    fn variables(
        &mut self,
        file: &str,
        at: Option<usize>,
        variables: &BTreeSet<String>,
        stage: Stage,
    ) {
        for variable in variables {
            let (root, attribute) = variable.split_once('.').unwrap_or((variable, ""));
            if let Err(message) = self.variable(root, attribute, stage) {
                self.error(file, at, message);
            }
        }
    }

    fn variable(&self, root: &str, attribute: &str, stage: Stage) -> Result<(), String> {
        let known = |attributes: &[&str]| {
            let first = attribute.split('.').next().unwrap_or_default();
            if attribute.is_empty() || attributes.contains(&first) {
                Ok(())
            } else {
                Err(format!("`{root}` has no `{attribute}`"))
            }
        };
        if let Some(has_hits) = self.facts.get(root) {
            return known(if *has_hits { FACT_ATTRIBUTES } else { &[] });
        }
        if let Some((_, attributes)) = BUILT_IN.iter().find(|(name, _)| *name == root) {
            return known(attributes);
        }
        match root {
            "surface" => known(&SURFACE_KEYS),
            "share" => known(SHARE_FIGURES).or_else(|_| known(&SKIPPED_SORTS)),
            "levels" | "caps" | "absent" if stage == Stage::Card => Ok(()),
            _ => Err(format!("no fact or variable is called `{root}`")),
        }
    }

    /// Sentences of which the first that holds is taken, so the last has to hold always.
    fn first_that_holds(&mut self, file: &str, what: &str, conditions: &[Option<&str>]) {
        match conditions.last() {
            None => self.error(file, None, format!("{what}: there is no entry")),
            Some(Some(_)) => self.error(
                file,
                None,
                format!("{what}: the last entry must have no `when`"),
            ),
            Some(None) => {}
        }
        for condition in conditions.iter().flatten() {
            self.condition(file, None, condition, Stage::Ratings);
        }
    }

    fn sentences(&mut self, file: &str, sentences: &[Sentence], stage: Stage) {
        for sentence in sentences {
            if let Some(condition) = &sentence.when {
                self.condition(file, None, condition, stage);
            }
            self.template(file, None, &sentence.text, stage);
            self.evidence(file, None, &sentence.cite, &[]);
        }
    }

    fn boundary(&mut self) {
        let file = "boundary.toml";
        let core = &self.loaded.boundary.core;
        let sorts = [
            &core.registration,
            &core.executor,
            &core.agent_loop,
            &core.model_call,
        ];
        for probe in sorts.iter().flat_map(|rule| rule.points.keys()) {
            if !self.probes.contains(probe.as_str()) {
                self.error(file, None, format!("[core]: no probe is called `{probe}`"));
            }
        }
        let own_paths = sorts.iter().flat_map(|rule| &rule.path);
        for path in own_paths.chain(&core.path) {
            if let Err(error) = regex::Regex::new(&path.pattern) {
                self.error(file, None, format!("[core]: {error}"));
            }
        }
        for section in &self.loaded.boundary.map {
            self.evidence(file, None, &section.facts, &[]);
        }
    }

    fn kinds(&mut self) {
        let file = "kinds.toml";
        let kinds = self.loaded.kinds;
        let conditions: Vec<Option<&str>> = kinds.kind.iter().map(|k| k.when.as_deref()).collect();
        self.first_that_holds(file, "[[kind]]", &conditions);
        for rule in &kinds.kind {
            self.template(file, None, &rule.because, Stage::Facts);
        }
        let conditions: Vec<Option<&str>> =
            kinds.category.iter().map(|k| k.when.as_deref()).collect();
        self.first_that_holds(file, "[[category]]", &conditions);
        for rule in kinds
            .category
            .iter()
            .filter(|rule| !CATEGORIES.contains(&rule.is.as_str()))
        {
            self.error(
                file,
                None,
                format!("[[category]]: `{}` is none of {CATEGORIES:?}", rule.is),
            );
        }
        let two = &kinds.rule_of_two;
        let choices = [
            ("[[configuration]]", &kinds.configuration),
            ("untrusted_input", &two.untrusted_input),
            ("sensitive_data", &two.sensitive_data),
            ("state_change_or_egress", &two.state_change_or_egress),
        ];
        for (what, sentences) in choices {
            let conditions: Vec<Option<&str>> =
                sentences.iter().map(|s| s.when.as_deref()).collect();
            self.first_that_holds(file, what, &conditions);
            self.sentences(file, sentences, Stage::Ratings);
        }
        self.condition(file, None, &two.same_session, Stage::Card);
        self.sentences(file, &kinds.headline, Stage::Card);
        self.sentences(file, &kinds.limitation, Stage::Card);
        if let Some(subject) = &kinds.subject {
            self.condition(file, None, &subject.when, Stage::Facts);
        }
    }

    fn surface(&mut self) {
        let file = "surface.toml";
        let entries = &self.loaded.surface.surface;
        let keys: Vec<&str> = entries.iter().map(|s| s.key.get_ref().as_str()).collect();
        if keys != SURFACE_KEYS {
            self.error(
                file,
                None,
                format!("the entries have to be {SURFACE_KEYS:?}, in this order"),
            );
        }
        for entry in entries {
            let conditions: Vec<Option<&str>> =
                entry.rung.iter().map(|r| r.when.as_deref()).collect();
            self.first_that_holds(file, entry.key.get_ref(), &conditions);
            for rung in &entry.rung {
                self.evidence(file, Some(entry.key.span().start), &rung.cite, &[]);
                if !matches!(rung.value.as_str(), "yes" | "no" | "opt_in") {
                    self.error(
                        file,
                        Some(entry.key.span().start),
                        format!("`{}` is none of yes, no, opt_in", rung.value),
                    );
                }
            }
        }
    }

    fn criterion(&mut self, file: &str, criterion: &CriterionFile) {
        let id = file
            .trim_start_matches("criteria/")
            .trim_end_matches(".toml");
        if criterion.id != id {
            self.error(
                file,
                None,
                format!("id is `{}`, the file is {id}'s", criterion.id),
            );
        }
        check_ladders(self, file, "ladder", &criterion.ladder);
        if let Some(alternative) = &criterion.alternative {
            self.condition(file, None, &alternative.when, Stage::Ratings);
            self.template(file, None, &alternative.label, Stage::Ratings);
            if let Some(reason) = &alternative.reason {
                self.template(file, None, reason, Stage::Ratings);
            }
            check_ladders(self, file, "alternative.ladder", &alternative.ladder);
        }
        if let Some(absence) = &criterion.absence {
            self.condition(file, None, &absence.when, Stage::Ratings);
            self.template(file, None, &absence.summary, Stage::Card);
            self.evidence(file, None, &[], &absence.search);
            if absence.search.is_empty() {
                self.error(
                    file,
                    None,
                    "[absence] needs a `search` that shows it".into(),
                );
            }
        }
        for cap in &criterion.cap {
            self.cap(file, id, cap);
        }
        if let Some(critical) = &criterion.critical {
            self.template(file, None, &critical.text, Stage::Card);
        }
        if criterion.critical.is_none() && matches!(id, "C1" | "C4" | "C5" | "C7") {
            self.error(
                file,
                None,
                "[critical] is missing: B at level 0 is a critical gap here".into(),
            );
        }
        self.sentences(file, &criterion.summary, Stage::Card);
        for fix in &criterion.fix {
            let at = Some(fix.parameter.span().start);
            if !(1..=4).contains(&fix.to) {
                self.error(file, at, "[[fix]]: `to` is 1 to 4".into());
            }
            if let Some(condition) = &fix.when {
                self.condition(file, at, condition, Stage::Card);
            }
            self.template(file, at, &fix.summary, Stage::Card);
            for cap in &fix.lifts {
                if !criterion.cap.iter().any(|c| c.id.get_ref() == cap) {
                    let message = format!("[[fix]]: lifts `{cap}`, which no [[cap]] here gives");
                    self.error(file, at, message);
                }
            }
        }
        for pinpoint in &criterion.pinpoint {
            let at = Some(pinpoint.when.span().start);
            self.condition(file, at, pinpoint.when.get_ref(), Stage::Card);
            self.template(file, at, &pinpoint.title, Stage::Card);
            self.template(file, at, &pinpoint.reach, Stage::Card);
            self.evidence(file, at, &pinpoint.cite, &[]);
            if pinpoint.cite.is_empty() {
                self.error(file, at, "[[pinpoint]] needs `cite`: it names lines".into());
            }
        }
    }

    fn cap(&mut self, file: &str, criterion: &str, cap: &CapSpec) {
        let at = Some(cap.id.span().start);
        let id = cap.id.get_ref().as_str();
        match CAPS.iter().find(|(known, _)| *known == id) {
            None => self.error(
                file,
                at,
                format!("no cap that a rubric can give is called `{id}`"),
            ),
            Some((_, owner)) if !owner.is_empty() && *owner != criterion => {
                self.error(file, at, format!("cap `{id}` belongs to {owner}"));
            }
            Some(_) => {}
        }
        self.condition(file, at, &cap.when, Stage::Card);
        self.template(file, at, &cap.reason, Stage::Card);
        self.evidence(file, at, &cap.cite, &[]);
        if cap.cite.is_empty() {
            self.error(
                file,
                at,
                format!("cap `{id}` needs `cite`: its trigger must be verified in the code"),
            );
        }
    }
}

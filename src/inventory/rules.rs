//! The rules of rubric/inventory.toml, loaded and compiled.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use globset::GlobSet;
use regex::bytes::{RegexSet, RegexSetBuilder};
use serde::Deserialize;
use toml::Spanned;

use super::language::{Language, Languages};
use super::names::{Names, OwnedNames, glob_set};
use super::role::Role;
use super::role_rules::{Place, RoleRule, RoleRules};

/// Bounds on what is read of a file.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a file; a larger one is not read.
    pub max_file_bytes: u64,
    /// Bytes of all files that are read together; what comes after is not read.
    pub max_bytes: u64,
    /// Files that are read.
    pub max_files: u64,
    /// Hits that one probe keeps in one file.
    pub max_hits: usize,
    /// Hits of all probes in all files.
    pub max_all_hits: u64,
    /// Bytes of the manifests and READMEs, whose text is kept.
    pub max_kept_bytes: u64,
    /// Reports of progress that the parser may give for a file.
    pub max_parse_steps: u32,
    /// The same for each kilobyte of it, begun or whole.
    pub max_parse_steps_per_kilobyte: u32,
    /// States that a query of a syntax probe may keep alive at once.
    pub max_query_states: u32,
    /// A minified file has a line of more bytes than this …
    pub minified_line_bytes: usize,
    /// … and more bytes a line on average than this.
    pub minified_average_bytes: usize,
    /// Lines from the top of a file in which a header may say that it is generated.
    pub header_lines: usize,
    /// Values of one configuration file.
    pub max_config_entries: usize,
    /// Keys from the top of a configuration file to a value; at most 200.
    pub max_config_depth: usize,
    /// Bytes of all keys and values of a configuration file.
    pub max_config_bytes: usize,
    pub(super) max_attribute_lines: usize,
    pub(super) generated_headers: RegexSet,
}

impl Limits {
    /// Reports of progress that the parser may give for a text of so many bytes.
    pub fn parse_steps(&self, bytes: usize) -> u32 {
        let kilobytes = u32::try_from(bytes.div_ceil(1024)).unwrap_or(u32::MAX);
        let for_its_size = kilobytes.saturating_mul(self.max_parse_steps_per_kilobyte);
        for_its_size.min(self.max_parse_steps)
    }
}

/// Reading configuration recurses as deep as its values are nested.
const DEEPEST_CONFIG: usize = 200;

/// Everything that inventory.toml says.
#[derive(Debug)]
pub struct InventoryRules {
    /// Bounds on what is read.
    pub limits: Limits,
    /// All languages.
    pub languages: Languages,
    pub(super) roles: RoleRules,
    pub(super) project_files: Names,
    pub(super) outside_files: Names,
}

/// What is wrong with an inventory.toml.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct RulesError {
    /// 1-based line.
    pub line: usize,
    /// What is wrong, and what to do.
    pub message: String,
}

type Texts = Vec<Spanned<String>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRules {
    template_endings: Vec<String>,
    project_files: Texts,
    outside_files: Texts,
    generated_headers: Texts,
    limits: RawLimits,
    language: Vec<Spanned<RawLanguage>>,
    role: Vec<Spanned<RawRole>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLimits {
    max_file_bytes: u64,
    max_bytes: u64,
    max_files: u64,
    max_hits: usize,
    max_all_hits: u64,
    max_kept_bytes: u64,
    max_parse_steps: u32,
    max_parse_steps_per_kilobyte: u32,
    max_query_states: u32,
    minified_line_bytes: usize,
    minified_average_bytes: usize,
    header_lines: usize,
    max_config_entries: usize,
    max_config_depth: Spanned<usize>,
    max_config_bytes: usize,
    max_attribute_lines: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLanguage {
    name: String,
    #[serde(default)]
    extensions: Texts,
    #[serde(default)]
    files: Texts,
    #[serde(default)]
    source: bool,
    #[serde(default)]
    grammar: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRole {
    role: Role,
    #[serde(default)]
    folders: Texts,
    #[serde(default)]
    files: Texts,
    #[serde(default)]
    paths: Texts,
    #[serde(default)]
    at: Place,
    code: Option<bool>,
    languages: Option<Texts>,
    #[serde(default)]
    except: Texts,
    #[serde(default)]
    except_below: Texts,
    #[serde(default)]
    except_sole_package: bool,
}

/// What is wrong, and where.
struct Problem {
    at: usize,
    message: String,
}

impl Problem {
    fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            at: span.start,
            message: message.into(),
        }
    }
}

impl InventoryRules {
    /// Loads the rules from `text`, the content of an inventory.toml.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line: a field that is unknown or missing, a glob or
    /// regular expression that does not compile, a language that is named twice or not at all.
    pub fn parse(text: &str) -> Result<Self, RulesError> {
        let raw: Result<RawRules, Problem> = toml::from_str(text)
            .map_err(|error| Problem::new(error.span().unwrap_or_default(), error.message()));
        raw.and_then(compile).map_err(|Problem { at, message }| {
            let line = text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1;
            RulesError { line, message }
        })
    }
}

fn compile(raw: RawRules) -> Result<InventoryRules, Problem> {
    let languages = compile_languages(raw.language, raw.template_endings)?;
    let roles = compile_roles(&raw.role, &languages)?;
    Ok(InventoryRules {
        limits: compile_limits(&raw.limits, &raw.generated_headers)?,
        languages,
        roles,
        project_files: names(&raw.project_files)?,
        outside_files: names(&raw.outside_files)?,
    })
}

fn compile_limits(raw: &RawLimits, generated_headers: &Texts) -> Result<Limits, Problem> {
    let max_config_depth = *raw.max_config_depth.get_ref();
    if max_config_depth > DEEPEST_CONFIG {
        let message = format!("max_config_depth must be at most {DEEPEST_CONFIG}");
        return Err(Problem::new(raw.max_config_depth.span(), message));
    }
    Ok(Limits {
        max_file_bytes: raw.max_file_bytes,
        max_bytes: raw.max_bytes,
        max_files: raw.max_files,
        max_hits: raw.max_hits,
        max_all_hits: raw.max_all_hits,
        max_kept_bytes: raw.max_kept_bytes,
        max_parse_steps: raw.max_parse_steps,
        max_parse_steps_per_kilobyte: raw.max_parse_steps_per_kilobyte,
        max_query_states: raw.max_query_states,
        minified_line_bytes: raw.minified_line_bytes,
        minified_average_bytes: raw.minified_average_bytes,
        header_lines: raw.header_lines,
        max_config_entries: raw.max_config_entries,
        max_config_depth,
        max_config_bytes: raw.max_config_bytes,
        max_attribute_lines: raw.max_attribute_lines,
        generated_headers: headers(generated_headers)?,
    })
}

fn compile_languages(
    raw: Vec<Spanned<RawLanguage>>,
    template_endings: Vec<String>,
) -> Result<Languages, Problem> {
    let mut languages = Languages {
        template_endings,
        ..Languages::default()
    };
    let names: Vec<&Texts> = raw
        .iter()
        .map(|language| &language.get_ref().files)
        .collect();
    names.iter().try_for_each(|texts| check_globs(texts))?;
    languages.by_name = owned_names(&names)?;
    for spanned in raw {
        let (span, raw) = (spanned.span(), spanned.into_inner());
        let RawLanguage {
            name,
            extensions,
            files: _,
            source,
            grammar,
        } = raw;
        if languages.find(&name).is_some() {
            return Err(Problem::new(
                span,
                format!("language `{name}` stands twice"),
            ));
        }
        let language = Arc::new(Language {
            name,
            source,
            grammar,
        });
        for extension in &extensions {
            let text = extension.get_ref().to_ascii_lowercase();
            if languages
                .by_extension
                .insert(text, Arc::clone(&language))
                .is_some()
            {
                let message = format!("extension `{}` has a language already", extension.get_ref());
                return Err(Problem::new(extension.span(), message));
            }
        }
        languages.all.push(language);
    }
    Ok(languages)
}

fn compile_roles(raw: &[Spanned<RawRole>], languages: &Languages) -> Result<RoleRules, Problem> {
    let rules = raw.iter().map(|rule| compile_role(rule, languages));
    let rules = rules.collect::<Result<_, _>>()?;
    let folders: Vec<&Texts> = raw.iter().map(|rule| &rule.get_ref().folders).collect();
    let files: Vec<&Texts> = raw.iter().map(|rule| &rule.get_ref().files).collect();
    Ok(RoleRules {
        rules,
        folders: owned_names(&folders)?,
        files: owned_names(&files)?,
    })
}

/// The names of several owners, each of which has checked globs.
fn owned_names(owners: &[&Texts]) -> Result<OwnedNames, Problem> {
    let numbered = owners.iter().enumerate();
    let names = numbered.flat_map(|(owner, texts)| {
        let texts = texts.iter().map(|text| text.get_ref().as_str());
        texts.map(move |text| (owner, text))
    });
    OwnedNames::new(names).map_err(|error| Problem::new(0..0, error.to_string()))
}

fn compile_role(spanned: &Spanned<RawRole>, languages: &Languages) -> Result<RoleRule, Problem> {
    let raw = spanned.get_ref();
    if raw.folders.is_empty() && raw.files.is_empty() && raw.paths.is_empty() {
        let message = "a role rule needs `folders`, `files` or `paths`";
        return Err(Problem::new(spanned.span(), message));
    }
    check_globs(&raw.folders)?;
    check_globs(&raw.files)?;
    Ok(RoleRule {
        role: raw.role,
        paths: globs(&raw.paths)?,
        at: raw.at,
        code: raw.code,
        languages: raw
            .languages
            .as_ref()
            .map(|texts| language_names(texts, languages))
            .transpose()?,
        except: globs(&raw.except)?,
        except_below: names(&raw.except_below)?,
        except_sole_package: raw.except_sole_package,
    })
}

fn language_names(texts: &Texts, languages: &Languages) -> Result<BTreeSet<String>, Problem> {
    let known = |text: &Spanned<String>| {
        let name = text.get_ref();
        let unknown = || Problem::new(text.span(), format!("no language is called `{name}`"));
        languages
            .find(name)
            .map(|language| language.name.clone())
            .ok_or_else(unknown)
    };
    texts.iter().map(known).collect()
}

fn names(texts: &Texts) -> Result<Names, Problem> {
    check_globs(texts)?;
    Names::new(texts.iter().map(|text| text.get_ref().as_str()))
        .map_err(|error| whole(texts, error))
}

fn check_globs(texts: &Texts) -> Result<(), Problem> {
    for text in texts {
        let error = |error: globset::Error| Problem::new(text.span(), error.to_string());
        super::names::glob(text.get_ref()).map_err(error)?;
    }
    Ok(())
}

fn globs(texts: &Texts) -> Result<GlobSet, Problem> {
    check_globs(texts)?;
    glob_set(texts.iter().map(|text| text.get_ref().as_str())).map_err(|error| whole(texts, error))
}

/// An error of texts that are right one by one.
fn whole(texts: &Texts, error: impl ToString) -> Problem {
    Problem::new(
        texts.first().map(Spanned::span).unwrap_or_default(),
        error.to_string(),
    )
}

fn headers(texts: &Texts) -> Result<RegexSet, Problem> {
    let build = |patterns: &[&str]| RegexSetBuilder::new(patterns).unicode(false).build();
    for text in texts {
        let error = |error: regex::Error| Problem::new(text.span(), error.to_string());
        build(&[text.get_ref()]).map_err(error)?;
    }
    let patterns: Vec<&str> = texts.iter().map(|text| text.get_ref().as_str()).collect();
    build(&patterns).map_err(|error| whole(texts, error))
}

//! The rules of rubric/inventory.toml, loaded and compiled.

use std::collections::BTreeSet;
use std::ops::Range;

use globset::GlobSet;
use regex::bytes::{RegexSet, RegexSetBuilder};
use serde::Deserialize;
use toml::Spanned;

use super::content::{Content, classify};
use super::language::{Language, LanguageId, Languages};
use super::names::{Names, glob_set};
use super::role::Role;
use super::role_rules::{Place, RoleRule};

/// Bounds on what is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Bytes of a file; a larger one is not read.
    pub max_file_bytes: u64,
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
    /// Lines about roles of all `.gitattributes` files together.
    pub max_attribute_lines: usize,
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
    pub(super) roles: Vec<RoleRule>,
    pub(super) project_files: Names,
    pub(super) outside_files: Names,
    generated_headers: RegexSet,
}

/// What is wrong with an inventory.toml.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct RulesError {
    /// Name of the file, as given.
    pub file: String,
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
    limits: Spanned<Limits>,
    language: Vec<Spanned<RawLanguage>>,
    role: Vec<Spanned<RawRole>>,
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
    /// Loads the rules from `text`, the content of `file` (named in errors).
    ///
    /// # Errors
    /// The first thing that is wrong, with its line: a field that is unknown or missing, a glob or
    /// regular expression that does not compile, a language that is named twice or not at all.
    pub fn parse(file: &str, text: &str) -> Result<Self, RulesError> {
        let raw: Result<RawRules, Problem> = toml::from_str(text)
            .map_err(|error| Problem::new(error.span().unwrap_or_default(), error.message()));
        raw.and_then(compile).map_err(|problem| RulesError {
            file: file.to_owned(),
            line: text
                .bytes()
                .take(problem.at)
                .filter(|byte| *byte == b'\n')
                .count()
                + 1,
            message: problem.message,
        })
    }

    /// What the content of a file is.
    pub fn classify(&self, bytes: &[u8]) -> Content {
        classify(bytes, &self.limits, &self.generated_headers)
    }
}

fn compile(raw: RawRules) -> Result<InventoryRules, Problem> {
    let limits = *raw.limits.get_ref();
    if limits.max_config_depth > DEEPEST_CONFIG {
        let message = format!("max_config_depth must be at most {DEEPEST_CONFIG}");
        return Err(Problem::new(raw.limits.span(), message));
    }
    let languages = compile_languages(raw.language, raw.template_endings)?;
    let roles = raw
        .role
        .iter()
        .map(|rule| compile_role(rule, &languages))
        .collect::<Result<_, _>>()?;
    Ok(InventoryRules {
        limits,
        languages,
        roles,
        project_files: names(&raw.project_files)?,
        outside_files: names(&raw.outside_files)?,
        generated_headers: headers(&raw.generated_headers)?,
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
    for spanned in raw {
        let (span, language) = (spanned.span(), spanned.into_inner());
        let id = LanguageId(languages.all.len());
        if languages.find(&language.name).is_some() {
            return Err(Problem::new(
                span,
                format!("language `{}` stands twice", language.name),
            ));
        }
        for extension in &language.extensions {
            let text = extension.get_ref().to_ascii_lowercase();
            if languages.by_extension.insert(text, id).is_some() {
                let message = format!("extension `{}` has a language already", extension.get_ref());
                return Err(Problem::new(extension.span(), message));
            }
        }
        if !language.files.is_empty() {
            languages.by_name.push((names(&language.files)?, id));
        }
        let RawLanguage {
            name,
            source,
            grammar,
            ..
        } = language;
        languages.all.push(Language {
            name,
            source,
            grammar,
        });
    }
    Ok(languages)
}

fn compile_role(spanned: &Spanned<RawRole>, languages: &Languages) -> Result<RoleRule, Problem> {
    let raw = spanned.get_ref();
    if raw.folders.is_empty() && raw.files.is_empty() && raw.paths.is_empty() {
        let message = "a role rule needs `folders`, `files` or `paths`";
        return Err(Problem::new(spanned.span(), message));
    }
    Ok(RoleRule {
        role: raw.role,
        folders: names(&raw.folders)?,
        files: names(&raw.files)?,
        paths: globs(&raw.paths)?,
        at: raw.at,
        code: raw.code,
        languages: raw
            .languages
            .as_ref()
            .map(|texts| language_ids(texts, languages))
            .transpose()?,
        except: globs(&raw.except)?,
        except_below: names(&raw.except_below)?,
        except_sole_package: raw.except_sole_package,
    })
}

fn language_ids(texts: &Texts, languages: &Languages) -> Result<BTreeSet<LanguageId>, Problem> {
    let find = |text: &Spanned<String>| {
        let unknown = || {
            Problem::new(
                text.span(),
                format!("no language is called `{}`", text.get_ref()),
            )
        };
        languages.find(text.get_ref()).ok_or_else(unknown)
    };
    texts.iter().map(find).collect()
}

fn names(texts: &Texts) -> Result<Names, Problem> {
    globs(texts)?;
    Names::new(texts.iter().map(|text| text.get_ref().as_str()))
        .map_err(|error| whole(texts, error))
}

fn globs(texts: &Texts) -> Result<GlobSet, Problem> {
    for text in texts {
        let error = |error: globset::Error| Problem::new(text.span(), error.to_string());
        super::names::glob(text.get_ref()).map_err(error)?;
    }
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

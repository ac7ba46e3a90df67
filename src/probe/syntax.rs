//! Syntax probes: tree-sitter queries over parsed files.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::OnceLock;

use regex::bytes::Regex;
use tree_sitter::{Language, ParseOptions, Parser, Query, QueryCursor, StreamingIterator, Tree};

use super::compile::text_regex;
use super::evidence::quote;
use super::text::Found;
use crate::inventory::Limits;
use crate::rubric::ProbeSpec;

/// The grammar of a language, by its name in inventory.toml.
pub(super) fn grammar(language: &str) -> Option<Language> {
    Some(match language {
        "go" => tree_sitter_go::LANGUAGE.into(),
        "python" => tree_sitter_python::LANGUAGE.into(),
        "javascript" => tree_sitter_javascript::LANGUAGE.into(),
        "typescript" => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        "tsx" => tree_sitter_typescript::LANGUAGE_TSX.into(),
        "rust" => tree_sitter_rust::LANGUAGE.into(),
        "java" => tree_sitter_java::LANGUAGE.into(),
        _ => return None,
    })
}

/// Whether files of this language can be parsed.
pub fn has_grammar(language: &str) -> bool {
    grammar(language).is_some()
}

/// A query for each of its probe's languages, compiled when a file in that language is there, with conditions on
/// captures.
pub(super) struct SyntaxProbe {
    source: String,
    /// What has to be in a text for the query to match; looked for first, since parsing costs more.
    pattern: Option<Regex>,
    queries: BTreeMap<String, OnceLock<Result<Query, String>>>,
    only: Vec<(String, Regex)>,
    unless: Vec<(String, Regex)>,
}

impl SyntaxProbe {
    pub(super) fn compile(spec: &ProbeSpec) -> Result<Self, String> {
        let source = spec.query.as_deref().ok_or("needs a `query`")?;
        let queries = spec.languages.iter();
        Ok(Self {
            source: source.to_owned(),
            pattern: spec.pattern.as_deref().map(text_regex).transpose()?,
            queries: queries
                .map(|language| (language.clone(), OnceLock::new()))
                .collect(),
            only: conditions(&spec.only)?,
            unless: conditions(&spec.unless)?,
        })
    }

    /// Whether a text is worth parsing of which these are the parts that its pattern may be in.
    pub(super) fn may_match(&self, text: &[u8], parts: &[Range<usize>]) -> bool {
        let is_in = |regex: &Regex| parts.iter().any(|part| regex.is_match(&text[part.clone()]));
        self.pattern.as_ref().is_none_or(is_in)
    }

    /// Compiles the query for all languages.
    pub(super) fn check(&self) -> Result<(), String> {
        for language in self.queries.keys() {
            self.query(language)?;
        }
        Ok(())
    }

    /// The query for `language`; none when the probe does not run in it.
    fn query(&self, language: &str) -> Result<Option<&Query>, String> {
        let Some(query) = self.queries.get(language) else {
            return Ok(None);
        };
        let query = query.get_or_init(|| compile_query(language, &self.source));
        query.as_ref().map(Some).map_err(Clone::clone)
    }

    /// All hits in `tree` for whose start `is_real` holds, in the order of the text, within `limits`.
    ///
    /// # Errors
    /// When the grammar refuses the query.
    pub(super) fn find(
        &self,
        language: &str,
        tree: &Tree,
        text: &[u8],
        mut is_real: impl FnMut(usize) -> bool,
        limits: &Limits,
    ) -> Result<Vec<Found>, String> {
        let Some(query) = self.query(language)? else {
            return Ok(Vec::new());
        };
        let names = query.capture_names();
        let mut cursor = QueryCursor::new();
        cursor.set_match_limit(limits.max_query_states);
        let mut matches = cursor.matches(query, tree.root_node(), text);
        let mut found: Vec<Found> = Vec::new();
        while let Some(one) = matches.next() {
            let mut span = None;
            let mut captures = BTreeMap::new();
            for capture in one.captures() {
                let name = names[capture.index as usize];
                let bytes = capture.node.byte_range();
                match name {
                    "hit" => span = Some(bytes),
                    _ => drop(captures.insert(name.to_owned(), bytes)),
                }
            }
            let is_wanted = |span: &Range<usize>| {
                !span.is_empty() && self.accepts(&captures, text) && is_real(span.start)
            };
            let Some(span) = span.filter(is_wanted) else {
                continue;
            };
            let captures = captures
                .into_iter()
                .map(|(name, bytes)| (name, unquoted(&text[bytes])))
                .collect();
            found.push(Found {
                start: span.start,
                end: span.end,
                captures,
            });
            if found.len() >= limits.max_hits {
                break;
            }
        }
        found.sort_by_key(|f| (f.start, f.end));
        found.dedup_by_key(|f| (f.start, f.end));
        Ok(found)
    }

    fn accepts(&self, captures: &BTreeMap<String, Range<usize>>, text: &[u8]) -> bool {
        let holds = |(name, regex): &(String, Regex)| {
            captures
                .get(name)
                .is_some_and(|bytes| regex.is_match(&text[bytes.clone()]))
        };
        self.only.iter().all(holds) && !self.unless.iter().any(holds)
    }
}

fn compile_query(language: &str, source: &str) -> Result<Query, String> {
    let grammar = grammar(language).ok_or_else(|| format!("there is no grammar for {language}"))?;
    let query = Query::new(&grammar, source).map_err(|e| format!("{language}: {e}"))?;
    match query.capture_index_for_name("hit") {
        Some(_) => Ok(query),
        None => Err("the query has no @hit".into()),
    }
}

fn conditions(raw: &BTreeMap<String, String>) -> Result<Vec<(String, Regex)>, String> {
    raw.iter()
        .map(|(name, pattern)| Ok((name.clone(), text_regex(pattern)?)))
        .collect()
}

/// The text of a capture without the quotation marks of a string literal.
fn unquoted(bytes: &[u8]) -> String {
    let text = quote(bytes);
    for mark in ['"', '\'', '`'] {
        if let Some(inner) = text.strip_prefix(mark).and_then(|t| t.strip_suffix(mark)) {
            return inner.to_owned();
        }
    }
    text
}

/// Parses `text`; `None` when there is no grammar or it takes more than `most_steps`, which are counted and not timed, so
/// that the same commit gives the same card on any machine.
pub(super) fn parse(language: &str, text: &[u8], most_steps: u32) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&grammar(language)?).ok()?;
    let mut steps = 0;
    let mut within_budget = |_: &tree_sitter::ParseState| {
        steps += 1;
        if steps > most_steps {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut within_budget);
    parser.parse_with_options(
        &mut |offset, _| text.get(offset..).unwrap_or_default(),
        None,
        Some(options),
    )
}

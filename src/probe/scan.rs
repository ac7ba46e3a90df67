//! The one pass over all files: read, classify, find, and forget.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::comment::Comments;
use super::compile::{Engine, ProbeError, ProbeSet};
use super::config;
use super::evidence::{Hit, Lines};
use super::imports::imports;
use super::known::Known;
use super::lazy::Probes;
use super::prefilter::Candidate;
use super::syntax;
use super::text::{self, Found};
use crate::checkout::{ReadError, Reader, Snapshot};
use crate::inventory::{Content, File, Inventory, Limits, Role, classify};

/// Most hits that one probe keeps in one file.
const HITS: usize = 40;

/// What became of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// Read and probed.
    Read,
    /// Not looked at: no probe applies to it.
    Passed,
    /// The snapshot lacks its content.
    Missing,
    /// Over the size limit.
    TooLarge,
    /// Holds a NUL byte.
    Binary,
    /// A Git LFS pointer stands in for it.
    LfsPointer,
    /// Not UTF-8.
    Undecodable,
    /// Its header says that it is generated; probed, if it is source, since the header may be wrong.
    Generated,
    /// Minified; probed, if it is source.
    Minified,
    /// Could not be read.
    Failed(String),
}

impl Outcome {
    /// Whether the content was read, and looks as if a program had written it.
    pub fn looks_generated(&self) -> bool {
        matches!(self, Self::Generated | Self::Minified)
    }
}

/// One file after the scan.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FileScan {
    /// What became of it.
    pub outcome: Outcome,
    /// Size in bytes; 0 when unknown.
    pub bytes: u64,
    /// Whether parsing was tried and failed.
    pub unparsed: bool,
    /// Line at which a configuration file could not be read any further.
    pub broken_at: Option<u32>,
    /// Modules it imports, as written.
    pub imports: Vec<String>,
}

/// The result of the pass.
#[derive(Debug, Default)]
pub struct Scan {
    /// All hits, by file, line and probe.
    pub hits: Vec<Hit>,
    /// One entry for each file of the inventory.
    pub files: Vec<FileScan>,
    /// Whole texts of the files that the caller asked to keep, by path.
    pub kept: BTreeMap<String, String>,
    /// Number of files that were known and not probed again.
    pub recalled: usize,
}

/// One file's part of a [`Scan`].
#[derive(Debug)]
struct Scanned {
    scan: FileScan,
    hits: Vec<Hit>,
    text: Option<String>,
    recalled: bool,
}

/// Reads every file of `inventory` once and runs `probes` on it, but for those that are `known`; keeps the text of
/// paths for which `keep` holds.
///
/// # Errors
/// When the probes cannot be compiled; they are not when every file is known.
pub fn scan(
    snapshot: &Snapshot,
    inventory: &Inventory,
    limits: &Limits,
    probes: &Probes,
    keep: &(dyn Fn(&str) -> bool + Sync),
    known: &Known,
) -> Result<Scan, ProbeError> {
    let scanned: Result<Vec<Scanned>, ProbeError> = inventory
        .files
        .par_iter()
        .enumerate()
        .map_init(
            || (snapshot.reader(), Vec::new()),
            |(reader, buffer), (index, file)| {
                let wanted = keep(&file.path);
                let visit = Visit {
                    snapshot,
                    limits,
                    file,
                    index,
                    wanted,
                };
                let earlier = known.recall(snapshot, file, index, probes.len());
                match earlier.and_then(|earlier| visit.recall(earlier, reader, buffer)) {
                    Some(scanned) => Ok(scanned),
                    None => visit.probe(probes.set()?, reader, buffer),
                }
            },
        )
        .collect();
    let mut result = Scan::default();
    for (file, scanned) in inventory.files.iter().zip(scanned?) {
        let text = scanned.text.map(|text| (file.path.clone(), text));
        result.recalled += usize::from(scanned.recalled);
        result.files.push(scanned.scan);
        result.hits.extend(scanned.hits);
        result.kept.extend(text);
    }
    Ok(result)
}

/// What is done with one file.
struct Visit<'a> {
    snapshot: &'a Snapshot,
    limits: &'a Limits,
    file: &'a File,
    index: usize,
    /// Its text is kept.
    wanted: bool,
}

impl Visit<'_> {
    fn read(&self, reader: &Reader, buffer: &mut Vec<u8>) -> Result<(), ReadError> {
        let file = &self.snapshot.files[self.file.snapshot_index];
        reader.read(file, self.limits.max_file_bytes, buffer)
    }

    fn text(&self, scan: &FileScan, bytes: &[u8]) -> Option<String> {
        (self.wanted && scan.outcome == Outcome::Read)
            .then(|| String::from_utf8_lossy(bytes).into_owned())
    }

    /// What was found before; `None` when the text is wanted and cannot be read.
    fn recall(
        &self,
        (scan, hits): (FileScan, Vec<Hit>),
        reader: &Reader,
        buffer: &mut Vec<u8>,
    ) -> Option<Scanned> {
        if self.wanted && scan.outcome == Outcome::Read {
            self.read(reader, buffer).ok()?;
        }
        Some(Scanned {
            text: self.text(&scan, buffer),
            scan,
            hits,
            recalled: true,
        })
    }

    /// Reads the file and runs the probes that apply to it.
    fn probe(
        &self,
        probes: &ProbeSet,
        reader: &Reader,
        buffer: &mut Vec<u8>,
    ) -> Result<Scanned, ProbeError> {
        let file = self.file;
        let without_hits = |scan| Scanned {
            scan,
            hits: Vec::new(),
            text: None,
            recalled: false,
        };
        let applies = probes.applicable(&file.path, file.language_name(), file.role);
        if !self.wanted && !applies.contains(&true) && file.role != Role::Source {
            return Ok(without_hits(FileScan::of(Outcome::Passed)));
        }
        if let Err(error) = self.read(reader, buffer) {
            return Ok(without_hits(FileScan::failed(error)));
        }
        let pass = Pass {
            probes,
            limits: self.limits,
            file,
            index: self.index,
        };
        let (scan, hits) = pass.run(&applies, buffer)?;
        Ok(Scanned {
            text: self.text(&scan, buffer),
            hits,
            ..without_hits(scan)
        })
    }
}

impl FileScan {
    pub(super) fn of(outcome: Outcome) -> Self {
        Self {
            outcome,
            bytes: 0,
            unparsed: false,
            broken_at: None,
            imports: Vec::new(),
        }
    }

    fn failed(error: ReadError) -> Self {
        match error {
            ReadError::Missing => Self::of(Outcome::Missing),
            ReadError::TooLarge(bytes) => Self {
                bytes,
                ..Self::of(Outcome::TooLarge)
            },
            ReadError::Io(message) => Self::of(Outcome::Failed(message)),
        }
    }
}

/// The pass over one file.
struct Pass<'a> {
    probes: &'a ProbeSet,
    limits: &'a Limits,
    file: &'a File,
    index: usize,
}

impl Pass<'_> {
    fn run(&self, applies: &[bool], bytes: &[u8]) -> Result<(FileScan, Vec<Hit>), ProbeError> {
        let outcome = match classify(bytes, self.limits) {
            Content::Text => Outcome::Read,
            Content::Binary => Outcome::Binary,
            Content::LfsPointer => Outcome::LfsPointer,
            Content::Undecodable => Outcome::Undecodable,
            Content::Generated => Outcome::Generated,
            Content::Minified => Outcome::Minified,
        };
        let mut scan = FileScan {
            bytes: bytes.len() as u64,
            ..FileScan::of(outcome)
        };
        let is_probed = scan.outcome == Outcome::Read
            || scan.outcome.looks_generated() && self.file.is_program();
        if !is_probed {
            return Ok((scan, Vec::new()));
        }
        let language = self.file.language_name();
        scan.imports = if self.file.role == Role::Source {
            imports(language, bytes)
        } else {
            Vec::new()
        };
        let hits = find(
            self.probes,
            &self.probes.candidates(applies, bytes),
            &self.file.path,
            language,
            bytes,
            &mut scan,
            self.limits,
        )?;
        let hits = hits
            .into_iter()
            .map(|hit| Hit {
                file: self.index,
                ..hit
            })
            .collect();
        Ok((scan, hits))
    }
}

/// All hits of the probes `candidates` in one text, by line and probe; their `file` is 0.
///
/// # Errors
/// See [`ProbeSet::check`].
pub(super) fn find(
    probes: &ProbeSet,
    candidates: &[Candidate],
    path: &str,
    language: &str,
    bytes: &[u8],
    scan: &mut FileScan,
    limits: &Limits,
) -> Result<Vec<Hit>, ProbeError> {
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let mut lines = None;
    let mut comments = None;
    let mut tree = None;
    let mut entries = None;
    let mut hits = Vec::new();
    for Candidate {
        probe: index,
        parts,
    } in candidates
    {
        let probe = &probes.probes[*index];
        let found = match probe.engine()? {
            Engine::Text(regex) => text::find(regex, bytes, parts, HITS),
            Engine::Syntax(query) if !query.may_match(bytes, parts) => Vec::new(),
            Engine::Syntax(query) => {
                let tree = tree.get_or_insert_with(|| syntax::parse(language, bytes));
                scan.unparsed |= tree.is_none();
                match tree {
                    Some(tree) => query
                        .find(language, tree, bytes, HITS)
                        .map_err(|message| probe.error(&message))?,
                    None => Vec::new(),
                }
            }
            Engine::Config { key, value } => {
                let entries = entries.get_or_insert_with(|| {
                    config::flatten(path, &String::from_utf8_lossy(bytes), &limits.config())
                        .unwrap_or_else(|broken| {
                            scan.broken_at = Some(broken.line);
                            broken.entries
                        })
                });
                let lines = lines.get_or_insert_with(|| Lines::new(bytes));
                hits.extend(config_hits(*index, key, value.as_ref(), entries, lines));
                continue;
            }
        };
        if found.is_empty() {
            continue;
        }
        let lines = lines.get_or_insert_with(|| Lines::new(bytes));
        let comments = comments.get_or_insert_with(|| Comments::new(language, bytes));
        let real = found
            .into_iter()
            .filter(|f| probe.comments() || !comments.cover(lines, f.start));
        hits.extend(real.map(|f| hit_of(*index, f, lines)));
    }
    hits.sort_by_key(|hit| (hit.first, hit.last, hit.probe));
    Ok(hits)
}

fn hit_of(probe: usize, found: Found, lines: &Lines<'_>) -> Hit {
    let (first, last, quote) = lines.locate(found.start, found.end);
    Hit {
        probe,
        file: 0,
        first,
        last,
        quote,
        captures: found.captures,
    }
}

fn config_hits(
    probe: usize,
    key: &config::KeyGlob,
    value: Option<&regex::bytes::Regex>,
    entries: &[config::Entry],
    lines: &Lines<'_>,
) -> Vec<Hit> {
    let matching = entries.iter().filter(|entry| {
        key.matches(&entry.key) && value.is_none_or(|value| value.is_match(entry.value.as_bytes()))
    });
    let hit = |entry: &config::Entry| {
        let first_line = super::evidence::quote(lines.text(entry.lines.0));
        Hit {
            probe,
            file: 0,
            first: entry.lines.0,
            last: entry.lines.1,
            quote: first_line,
            captures: BTreeMap::from([
                (
                    "name".to_owned(),
                    entry.key.last().cloned().unwrap_or_default(),
                ),
                (
                    "value".to_owned(),
                    super::evidence::quote(entry.value.as_bytes()),
                ),
                ("path".to_owned(), entry.key.join(".")),
            ]),
        }
    };
    matching.take(HITS).map(hit).collect()
}

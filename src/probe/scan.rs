//! The one pass over all files: read, classify, find, and forget.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::budget::{Budget, Cost, reading_order};
use super::compile::{ProbeError, ProbeSet};
use super::evidence::Hit;
use super::find::find;
use super::imports::imports;
use super::known::Known;
use super::lazy::Probes;
use crate::checkout::{ReadError, Reader, Snapshot};
use crate::inventory::{Content, File, Inventory, Limits, Role, classify};

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
    /// Not read, since the audit had read as much as it may.
    BeyondLimit,
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
    /// Place in the inventory.
    index: usize,
    scan: FileScan,
    hits: Vec<Hit>,
    text: Option<String>,
    recalled: bool,
}

impl Scanned {
    fn without_hits(index: usize, scan: FileScan) -> Self {
        Self {
            index,
            scan,
            hits: Vec::new(),
            text: None,
            recalled: false,
        }
    }

    /// What it takes of what may be read in all; the same whether it was read or recalled.
    fn cost(&self) -> Cost {
        let bytes = match self.scan.outcome {
            Outcome::Passed | Outcome::Missing | Outcome::TooLarge | Outcome::Failed(_) => None,
            _ => Some(self.scan.bytes),
        };
        Cost {
            bytes,
            hits: self.hits.len(),
            kept: self.text.as_ref().map_or(0, String::len),
        }
    }
}

/// Reads every file of `inventory` once, as far as `limits` allow, and runs `probes` on it, but for those that are
/// `known`; keeps the text of paths for which `keep` holds.
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
    let visit = |index: usize| Visit {
        snapshot,
        limits,
        file: &inventory.files[index],
        index,
        wanted: keep(&inventory.files[index].path),
    };
    let order = reading_order(inventory, keep);
    let mut rest = order.as_slice();
    let mut budget = Budget::new(limits);
    let mut scanned: Vec<Scanned> = Vec::with_capacity(order.len());
    while !rest.is_empty() && !budget.is_spent() {
        let (now, later) = rest.split_at(budget.side_by_side().min(rest.len()));
        let found = side_by_side(now, snapshot, |index, reader, buffer| {
            visit(index).find(probes, known, reader, buffer)
        })?;
        let paid = found.into_iter().take_while(|one| budget.pay(&one.cost()));
        scanned.extend(paid);
        rest = later;
    }
    scanned.extend(side_by_side(
        &order[scanned.len()..],
        snapshot,
        |index, reader, _| Ok(visit(index).pass_over(probes.set()?, reader)),
    )?);
    scanned.sort_unstable_by_key(|one| one.index);
    Ok(summed_up(inventory, scanned))
}

/// What `find` makes of the files at `places`, in their order; each thread has a reader and a buffer.
fn side_by_side(
    places: &[usize],
    snapshot: &Snapshot,
    find: impl Fn(usize, &Reader, &mut Vec<u8>) -> Result<Scanned, ProbeError> + Sync,
) -> Result<Vec<Scanned>, ProbeError> {
    let begin = || (snapshot.reader(), Vec::new());
    places
        .par_iter()
        .map_init(begin, |(reader, buffer), index| {
            find(*index, reader, buffer)
        })
        .collect()
}

/// The parts of all files, in the order of the inventory, as one.
fn summed_up(inventory: &Inventory, scanned: Vec<Scanned>) -> Scan {
    let mut result = Scan::default();
    for (file, scanned) in inventory.files.iter().zip(scanned) {
        let text = scanned.text.map(|text| (file.path.clone(), text));
        result.recalled += usize::from(scanned.recalled);
        result.files.push(scanned.scan);
        result.hits.extend(scanned.hits);
        result.kept.extend(text);
    }
    result
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
    /// What was found before, or else what the probes find.
    fn find(
        &self,
        probes: &Probes,
        known: &Known,
        reader: &Reader,
        buffer: &mut Vec<u8>,
    ) -> Result<Scanned, ProbeError> {
        let earlier = known.recall(self.snapshot, self.file, self.index, probes.len());
        match earlier.and_then(|earlier| self.recall(earlier, reader, buffer)) {
            Some(scanned) => Ok(scanned),
            None => self.probe(probes.set()?, reader, buffer),
        }
    }

    /// Which probes apply to the file; `None` when it need not be looked at.
    fn applicable(&self, probes: &ProbeSet) -> Option<Vec<bool>> {
        let file = self.file;
        let applies = probes.applicable(&file.path, file.language_name(), file.role);
        let is_looked_at = self.wanted || applies.contains(&true) || file.role == Role::Source;
        is_looked_at.then_some(applies)
    }

    /// A file that is not read any more. Its size is looked up, for the share of the source that was read.
    fn pass_over(&self, probes: &ProbeSet, reader: &Reader) -> Scanned {
        if self.applicable(probes).is_none() {
            return Scanned::without_hits(self.index, FileScan::of(Outcome::Passed));
        }
        let file = &self.snapshot.files[self.file.snapshot_index];
        let bytes = match reader.read(file, 0, &mut Vec::new()) {
            Err(ReadError::TooLarge(bytes)) => bytes,
            _ => 0,
        };
        let scan = FileScan {
            bytes,
            ..FileScan::of(Outcome::BeyondLimit)
        };
        Scanned::without_hits(self.index, scan)
    }

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
            index: self.index,
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
        let without_hits = |scan| Scanned::without_hits(self.index, scan);
        let Some(applies) = self.applicable(probes) else {
            return Ok(without_hits(FileScan::of(Outcome::Passed)));
        };
        if let Err(error) = self.read(reader, buffer) {
            return Ok(without_hits(FileScan::failed(error)));
        }
        let pass = Pass {
            probes,
            limits: self.limits,
            file: self.file,
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

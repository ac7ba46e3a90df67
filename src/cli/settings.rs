//! `audit.toml`: settings for `audit REPO`; a flag wins over its setting.
//!
//! The file is the user's. One that lies in the audited repository is somebody else's: it is read only when that
//! repository is the working folder and `--config` names the file.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, Visitor};

use super::args::{AuditArguments, FailOn};
use super::failure::Failure;
use super::gate::{Floor, Percent, criterion};
use super::output;
use crate::checkout::Source;
use crate::rubric::line_at;
use crate::scorecard::CriterionId;

/// What the file is called where no other is named.
const NAME: &str = "audit.toml";
/// Largest file that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// The file: each key is the flag of that name. Paths are relative to the file's folder.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Settings {
    subpath: Option<String>,
    repo_url: Option<String>,
    id: Option<String>,
    name: Option<String>,
    out: Option<PathBuf>,
    rubric: Option<PathBuf>,
    cache_dir: Option<PathBuf>,
    threads: Option<Threads>,
    review: Option<PathBuf>,
    baseline: Option<PathBuf>,
    fail_on: Option<FailOn>,
    #[serde(default)]
    fail_under: Floors,
    fail_on_cap: Option<bool>,
    max_unread: Option<Percent>,
}

/// `arguments`, and what the settings say where they are silent.
pub(super) fn apply(arguments: &AuditArguments) -> Result<AuditArguments, Failure> {
    let mut merged = arguments.clone();
    if let Some(file) = find(arguments)? {
        let folder = file.parent().unwrap_or(Path::new(""));
        read(&file)?.fill(&mut merged, folder);
    }
    Ok(merged)
}

/// The file to read: the one that `--config` names, or the working folder's own.
fn find(arguments: &AuditArguments) -> Result<Option<PathBuf>, Failure> {
    let repository = arguments.target.repository.as_deref().unwrap_or_default();
    let audited = audited_folder(repository);
    let is_audited = |path: &Path| {
        let path = path.canonicalize();
        matches!((path, &audited), (Ok(path), Some(folder)) if path.starts_with(folder))
    };
    match &arguments.config {
        Some(file) if is_audited(file) && !is_audited(Path::new(".")) => {
            Err(Failure::input(format!(
                "--config {}: lies in the audited repository, which is not your working folder; copy what you want of it",
                file.display()
            )))
        }
        Some(file) => Ok(Some(file.clone())),
        None if Path::new(NAME).symlink_metadata().is_err() => Ok(None),
        None if is_audited(Path::new(NAME)) => {
            if !arguments.target.quiet {
                output::note(&format!(
                    "audit: {NAME} belongs to the audited repository and is not read; --config {NAME} reads it"
                ));
            }
            Ok(None)
        }
        None => Ok(Some(PathBuf::from(NAME))),
    }
}

/// The folder of the repository that is audited, if it lies on this machine.
fn audited_folder(repository: &str) -> Option<PathBuf> {
    let path = match Source::parse(repository).ok()? {
        Source::Path(path) => path,
        Source::Url(url) => url.local_path()?,
    };
    let path = path.canonicalize().ok()?;
    match path.ends_with(".git") {
        true => path.parent().map(Path::to_owned),
        false => Some(path),
    }
}

fn read(file: &Path) -> Result<Settings, Failure> {
    let shown = file.display();
    let text = output::read_text(file, LARGEST)?;
    toml::from_str(&text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_at(&text, span.start));
        Failure::input(format!("{shown}:{line}: {}", error.message()))
    })
}

impl Settings {
    fn fill(self, arguments: &mut AuditArguments, folder: &Path) {
        let here = |path: Option<PathBuf>| path.map(|path| folder.join(path));
        let target = &mut arguments.target;
        fill(&mut target.subpath, self.subpath);
        fill(&mut target.repo_url, self.repo_url);
        fill(&mut target.rubric, here(self.rubric));
        fill(&mut target.cache_dir, here(self.cache_dir));
        fill(&mut target.threads, self.threads.map(|threads| threads.0));
        fill(&mut arguments.id, self.id);
        fill(&mut arguments.name, self.name);
        fill(&mut arguments.out, here(self.out));
        fill(&mut arguments.review, here(self.review));
        let gates = &mut arguments.gates;
        fill(&mut gates.baseline, here(self.baseline));
        fill(&mut gates.fail_on, self.fail_on);
        fill(&mut gates.fail_on_cap, self.fail_on_cap);
        fill(&mut gates.max_unread, self.max_unread);
        let floors = self.fail_under.0.into_iter();
        let given = gates.fail_under.clone();
        let silent = |floor: &Floor| given.iter().all(|g| g.criterion != floor.criterion);
        gates.fail_under.extend(floors.filter(silent));
    }
}

/// A flag that is given stays.
fn fill<T>(given: &mut Option<T>, setting: Option<T>) {
    if given.is_none() {
        *given = setting;
    }
}

/// As many threads as `--threads` takes.
#[derive(Debug, Deserialize)]
#[serde(try_from = "u16")]
struct Threads(u16);

impl TryFrom<u16> for Threads {
    type Error = &'static str;

    fn try_from(count: u16) -> Result<Self, Self::Error> {
        match (1..=256).contains(&count) {
            true => Ok(Self(count)),
            false => Err("threads: 1 to 256"),
        }
    }
}

/// `fail-under = 5.0`, or a table with `total` and criteria.
#[derive(Debug, Default)]
struct Floors(Vec<Floor>);

impl<'de> Deserialize<'de> for Floors {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FloorsVisitor)
    }
}

struct FloorsVisitor;

impl<'de> Visitor<'de> for FloorsVisitor {
    type Value = Floors;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a total such as 5.0, or a table such as { total = 5.0, C4 = 0.5 }")
    }

    fn visit_f64<E: de::Error>(self, score: f64) -> Result<Floors, E> {
        let floor = Floor::new(None, score).map_err(E::custom)?;
        Ok(Floors(vec![floor]))
    }

    fn visit_i64<E: de::Error>(self, score: i64) -> Result<Floors, E> {
        self.visit_f64(score as f64)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Floors, A::Error> {
        let mut floors = Vec::new();
        while let Some(Named(criterion)) = map.next_key()? {
            floors.push(map.next_value_seed(Score(criterion))?);
        }
        Ok(Floors(floors))
    }
}

/// A key of the table: `total` or a criterion.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Named(Option<CriterionId>);

impl TryFrom<String> for Named {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        match name.as_str() {
            "total" => Ok(Self(None)),
            id => criterion(id)
                .map(|id| Self(Some(id)))
                .map_err(|error| format!("{error}, beside `total`")),
        }
    }
}

/// A value of the table: the floor of what its key names.
struct Score(Option<CriterionId>);

impl<'de> DeserializeSeed<'de> for Score {
    type Value = Floor;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Floor, D::Error> {
        let score = f64::deserialize(deserializer)?;
        Floor::new(self.0, score).map_err(de::Error::custom)
    }
}

//! Configuration files, flattened to `key = value` with the lines of the value.
//!
//! In: the name and the text of a file. Out: one [`Entry`] for each scalar, so that a `config`
//! probe (docs/rubric.md) is a [`KeyGlob`] over the key and a pattern over the value.
//! The text is hostile: nesting, aliases and size are bounded by [`ConfigLimits`], and a text that
//! breaks off or is over a limit gives what was read until then, and why no more.

mod collector;
mod dockerfile;
mod dotenv;
mod format;
mod json;
mod key_glob;
mod lines;
mod toml;
mod yaml;

#[cfg(test)]
mod tests;

use crate::inventory::Limits;
use collector::{Collector, Stop};

pub use format::Format;
pub use key_glob::{KeyGlob, KeyGlobError};

/// One scalar of a configuration file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Keys from the top to the value; items of a list are `0`, `1`, ….
    pub key: Vec<String>,
    /// The scalar as text, strings without their quotes and escapes; empty for null, for an empty
    /// value and for an empty list or table.
    pub value: String,
    /// First and last line that hold the value, 1-based; the key's line when there is none.
    pub lines: (u32, u32),
}

/// Bounds on what is read of one file; inventory.toml sets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfigLimits {
    /// Entries of a file.
    pub max_entries: usize,
    /// Keys from the top of a file to a value.
    pub max_depth: usize,
    /// Bytes of all keys and values together; aliases count each time.
    pub max_bytes: usize,
}

impl Limits {
    /// Those that are about configuration files.
    pub fn config(&self) -> ConfigLimits {
        ConfigLimits {
            max_entries: self.max_config_entries,
            max_depth: self.max_config_depth,
            max_bytes: self.max_config_bytes,
        }
    }
}

/// Why a file was not read to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// No syntax is known for the file's name.
    #[error("no configuration syntax is known for a file of this name")]
    UnknownFormat,
    /// The text breaks its syntax.
    #[error("{0}")]
    Syntax(String),
    /// [`ConfigLimits::max_entries`]
    #[error("more than {0} values")]
    TooManyEntries(usize),
    /// [`ConfigLimits::max_depth`]
    #[error("nested deeper than {0} keys")]
    TooDeep(usize),
    /// [`ConfigLimits::max_bytes`]
    #[error("more than {0} bytes of keys and values")]
    TooManyBytes(usize),
}

/// A file that was not read to its end, and what was read of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}:{line}: {reason}")]
pub struct ConfigError {
    /// Path of the file, as given.
    pub path: String,
    /// 1-based line of the trouble.
    pub line: u32,
    /// What the trouble is.
    pub reason: Reason,
    /// The entries that were read all the same.
    pub entries: Vec<Entry>,
}

/// Flattens the file at `path`, whose content is `text`; its name chooses the [`Format`].
///
/// Entries stand in the order of the file, those of a YAML alias where the alias stands (with the
/// lines of the anchor's definition).
///
/// # Errors
/// [`ConfigError`] when the text could not be read to its end; its `entries` are still good.
pub fn flatten(path: &str, text: &str, limits: &ConfigLimits) -> Result<Vec<Entry>, ConfigError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut collector = Collector::new(limits);
    let outcome = match Format::of(path) {
        Some(Format::Yaml) => yaml::flatten(text, &mut collector),
        Some(Format::Toml) => toml::flatten(text, &mut collector),
        Some(Format::Json) => json::flatten(text, &mut collector),
        Some(Format::Env) => dotenv::flatten(text, &mut collector),
        Some(Format::Dockerfile) => dockerfile::flatten(text, &mut collector),
        None => Err(Stop {
            line: 1,
            reason: Reason::UnknownFormat,
        }),
    };
    let entries = collector.into_entries();
    match outcome {
        Ok(()) => Ok(entries),
        Err(Stop { line, reason }) => Err(ConfigError {
            path: path.to_owned(),
            line,
            reason,
            entries,
        }),
    }
}

//! What a card was made from: the ground on which a later run keeps it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::digest;
use super::list::Entry;
use crate::checkout::Source;
use crate::input;
use crate::rubric::RubricFiles;

/// Name of the receipt in a card's folder.
pub const RECEIPT: &str = "receipt.json";

/// Largest file of a card's folder, in bytes: more is nothing that an audit wrote.
const LARGEST: u64 = 256 << 20;

/// Name of the file in a card's folder that says why there is no card of the last run.
pub const FAILURE: &str = "failure.json";

/// Everything but the commit that decides a card's bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// Version of the program.
    pub program: String,
    /// Digest of the rubric's files.
    pub rubric: String,
    /// Digest of the entry and the options of its audit.
    pub options: String,
}

impl Recipe {
    /// The recipe of `entry` under `rubric`. `date` is the date that the user asked for, if any: the clock's is no
    /// reason to make a card again.
    pub fn of(entry: &Entry, rubric: &RubricFiles, date: Option<&str>, force: bool) -> Self {
        let address = entry.url.as_deref().map(shown);
        // Where a copy lies does not matter when the list says what it is a copy of.
        let path = entry.listed_path.as_deref();
        let path = path.filter(|_| entry.url.is_none());
        let settings = [
            address.as_deref(),
            path,
            entry.commit.as_deref(),
            entry.subpath.as_deref(),
            Some(&entry.id),
            entry.name.as_deref(),
            date,
            force.then_some("force"),
        ];
        // No setting is empty text, so `None` is told apart.
        let settings = settings.iter().map(|setting| setting.unwrap_or_default());
        Self {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            rubric: digest::of_parts(rubric.all().flat_map(|(name, text)| [name, text])),
            options: digest::of_parts(settings),
        }
    }
}

/// The URL without user and password.
fn shown(url: &str) -> String {
    match Source::parse(url) {
        Ok(Source::Url(url)) => url.shown().to_owned(),
        _ => String::new(),
    }
}

/// `receipt.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// The commit that was read.
    pub commit: String,
    /// How it was read.
    pub recipe: Recipe,
    /// Digest of each file of the folder, by name.
    pub files: BTreeMap<String, String>,
}

impl Receipt {
    /// The receipt for the files that lie in `folder`.
    ///
    /// # Errors
    /// One of them cannot be read.
    pub fn of(folder: &Path, commit: String, recipe: Recipe) -> io::Result<Self> {
        let files = digests(folder)?;
        Ok(Self {
            commit,
            recipe,
            files,
        })
    }

    /// The receipt in `folder`, if every file is there as it was written.
    pub fn read(folder: &Path) -> Option<Self> {
        let text = input::read_text(&folder.join(RECEIPT), LARGEST).ok()?;
        let receipt: Self = serde_json::from_str(&text).ok()?;
        let is_whole =
            receipt.files.contains_key("scorecard.json") && digests(folder).ok()? == receipt.files;
        is_whole.then_some(receipt)
    }
}

fn digests(folder: &Path) -> io::Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != RECEIPT && name != FAILURE {
            let bytes = input::read(&entry.path(), LARGEST).map_err(io::Error::other)?;
            files.insert(name, digest::of(&bytes));
        }
    }
    Ok(files)
}

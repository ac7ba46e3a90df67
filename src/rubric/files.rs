//! The rubric's files: the set built into the program, or a folder of the user's.

use std::collections::BTreeMap;
use std::path::Path;

use super::RubricError;
use crate::input;

/// Greatest size of a rubric file; a larger one is refused before it is parsed.
const LARGEST: u64 = 2 << 20;

macro_rules! embedded {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../rubric/", $name)))),*]
    };
}

/// Name and text of each file that ships.
const EMBEDDED: &[(&str, &str)] = embedded![
    "boundary.toml",
    "criteria/C1.toml",
    "criteria/C2.toml",
    "criteria/C3.toml",
    "criteria/C4.toml",
    "criteria/C5.toml",
    "criteria/C6.toml",
    "criteria/C7.toml",
    "criteria/C8.toml",
    "criteria/C9.toml",
    "criteria/C10.toml",
    "inventory.toml",
    "kinds.toml",
    "method.toml",
    "surface.toml",
];

/// The texts of a rubric by file name.
#[derive(Clone, Debug)]
pub struct RubricFiles {
    texts: BTreeMap<String, String>,
}

impl RubricFiles {
    /// The set that is built in.
    pub fn embedded() -> Self {
        Self {
            texts: EMBEDDED
                .iter()
                .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
                .collect(),
        }
    }

    /// Reads the set from `folder`, which has to hold every file that ships.
    ///
    /// # Errors
    /// The first file that cannot be read or is larger than 2 MiB.
    pub fn read(folder: &Path) -> Result<Self, RubricError> {
        let mut texts = BTreeMap::new();
        for (name, _) in EMBEDDED {
            let path = folder.join(name);
            let text = input::read_text(&path, LARGEST).map_err(|error| RubricError {
                file: path.display().to_string(),
                line: None,
                message: error.to_string(),
            })?;
            texts.insert((*name).to_owned(), text);
        }
        Ok(Self { texts })
    }

    /// The set with `text` as the file `name`.
    #[must_use]
    pub fn with(mut self, name: &str, text: String) -> Self {
        self.texts.insert(name.to_owned(), text);
        self
    }

    /// Text of the file `name`.
    pub fn text(&self, name: &str) -> &str {
        self.texts.get(name).map_or("", String::as_str)
    }

    /// Name and text of every file, by name.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// Names of the criteria's files, C1 to C10.
    pub fn criteria() -> impl Iterator<Item = String> {
        (1..=10).map(|number| format!("criteria/C{number}.toml"))
    }

    /// Parses the file `name`.
    ///
    /// # Errors
    /// What is wrong, with the line.
    pub fn parse<T: serde::de::DeserializeOwned>(&self, name: &str) -> Result<T, RubricError> {
        let text = self.text(name);
        toml::from_str(text).map_err(|error| RubricError {
            file: name.to_owned(),
            line: error.span().map(|span| line_at(text, span.start)),
            message: error.message().to_owned(),
        })
    }

    /// Line of the byte at `offset` of the file `name`.
    pub fn line(&self, name: &str, offset: usize) -> usize {
        line_at(self.text(name), offset)
    }
}

/// Line, from 1, of the byte at `offset` of `text`.
pub fn line_at(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset.min(text.len())]
        .iter()
        .filter(|b| **b == b'\n')
        .count()
        + 1
}

//! Languages by file name.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::names::OwnedNames;

/// What is known of a language.
#[derive(Debug, PartialEq, Eq)]
pub struct Language {
    /// Its name in rubric files.
    pub name: String,
    /// Whether it is a programming language: what is written in it counts as the project's code.
    pub source: bool,
    /// Whether the program parses it.
    pub grammar: bool,
}

/// All languages of the rules.
#[derive(Debug, Default)]
pub struct Languages {
    pub(super) all: Vec<Arc<Language>>,
    pub(super) by_extension: BTreeMap<String, Arc<Language>>,
    /// Whole names, by the language's place in `all`; the first that fits decides.
    pub(super) by_name: OwnedNames,
    pub(super) template_endings: Vec<String>,
}

impl Languages {
    /// The language of a file called `name` (without its folders).
    pub fn of_file(&self, name: &str) -> Option<&Arc<Language>> {
        let stem = self.without_template_endings(name);
        let by_stem = || (stem != name).then(|| self.by_file_name(stem)).flatten();
        self.by_file_name(name).or_else(by_stem).or_else(|| {
            let (_, extension) = stem.rsplit_once('.')?;
            self.by_extension.get(&extension.to_ascii_lowercase())
        })
    }

    /// The language that rubric files call `name`.
    pub fn find(&self, name: &str) -> Option<&Arc<Language>> {
        self.all.iter().find(|language| language.name == name)
    }

    /// All languages in the order of the rules.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Language>> {
        self.all.iter()
    }

    fn by_file_name(&self, name: &str) -> Option<&Arc<Language>> {
        let first = self.by_name.owners(name).into_iter().min()?;
        self.all.get(first)
    }

    fn without_template_endings<'n>(&self, name: &'n str) -> &'n str {
        let mut stem = name;
        while let Some((shorter, ending)) = stem.rsplit_once('.')
            && self.template_endings.iter().any(|known| known == ending)
        {
            stem = shorter;
        }
        stem
    }
}

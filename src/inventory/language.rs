//! Languages by file name.

use std::collections::BTreeMap;

use super::names::Names;

/// A language of the rules; compare and order freely, look up with [`Languages::get`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LanguageId(pub(super) usize);

/// What is known of a language.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    pub(super) all: Vec<Language>,
    pub(super) by_extension: BTreeMap<String, LanguageId>,
    /// In the order of the rules; the first that fits decides.
    pub(super) by_name: Vec<(Names, LanguageId)>,
    pub(super) template_endings: Vec<String>,
}

impl Languages {
    /// The language of a file called `name` (without its folders).
    pub fn of_file(&self, name: &str) -> Option<LanguageId> {
        let stem = self.without_template_endings(name);
        self.by_file_name(name)
            .or_else(|| self.by_file_name(stem))
            .or_else(|| {
                let (_, extension) = stem.rsplit_once('.')?;
                self.by_extension
                    .get(&extension.to_ascii_lowercase())
                    .copied()
            })
    }

    /// The language that rubric files call `name`.
    pub fn find(&self, name: &str) -> Option<LanguageId> {
        self.all
            .iter()
            .position(|language| language.name == name)
            .map(LanguageId)
    }

    /// What is known of `id`, which must come from the same rules.
    pub fn get(&self, id: LanguageId) -> &Language {
        &self.all[id.0]
    }

    /// All languages in the order of the rules.
    pub fn iter(&self) -> impl Iterator<Item = (LanguageId, &Language)> {
        self.all
            .iter()
            .enumerate()
            .map(|(index, language)| (LanguageId(index), language))
    }

    fn by_file_name(&self, name: &str) -> Option<LanguageId> {
        self.by_name
            .iter()
            .find(|(names, _)| names.contains(name))
            .map(|(_, id)| *id)
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

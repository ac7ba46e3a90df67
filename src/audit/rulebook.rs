//! Everything that is data, loaded and compiled once: rubric, probes, inventory rules, method.

use std::path::Path;

use crate::inventory::InventoryRules;
use crate::probe::Probes;
use crate::rubric::{Expressions, Rubric, RubricError, RubricFiles};
use crate::scorecard::Method;

/// All rules of an audit.
pub struct Rulebook {
    /// The rubric.
    pub rubric: Rubric,
    /// Its probes.
    pub probes: Probes,
    /// Languages, roles and limits.
    pub inventory: InventoryRules,
    /// Weights, caps, bands.
    pub method: Method,
    /// Evaluates conditions and sentences.
    pub expressions: Expressions,
    /// Digest of the rubric's texts: what was found under another rubric does not count.
    pub digest: [u8; 32],
}

/// Everything that is wrong with a rubric.
#[derive(Debug, thiserror::Error)]
#[error("the rubric cannot be used:\n{}", .0.iter().map(|e| format!("  {e}")).collect::<Vec<_>>().join("\n"))]
pub struct RulebookError(pub Vec<RubricError>);

impl Rulebook {
    /// Loads the rubric of `folder`, checked, or the one that is built in, which was checked before it shipped.
    ///
    /// # Errors
    /// Everything that is wrong with it, by file and line.
    pub fn load(folder: Option<&Path>) -> Result<Self, RulebookError> {
        Self::read(folder, folder.is_some())
    }

    /// Loads the rubric of `folder`, or the one that is built in, and checks it.
    ///
    /// # Errors
    /// Everything that is wrong with it, by file and line.
    pub fn load_and_check(folder: Option<&Path>) -> Result<Self, RulebookError> {
        Self::read(folder, true)
    }

    fn read(folder: Option<&Path>, check: bool) -> Result<Self, RulebookError> {
        let files = match folder {
            Some(folder) => RubricFiles::read(folder).map_err(|e| RulebookError(vec![e]))?,
            None => RubricFiles::embedded(),
        };
        let rubric = match check {
            true => Rubric::load(&files),
            false => Rubric::load_checked(&files),
        };
        let rubric = rubric.map_err(RulebookError)?;
        let whole = |file: &str, message: String| {
            RulebookError(vec![RubricError {
                file: file.to_owned(),
                line: None,
                message,
            }])
        };
        let probes = Probes::new(&rubric.probes);
        if check {
            probes
                .checked()
                .map_err(|e| RulebookError(vec![rubric.locate(&files, &e.id, e.message)]))?;
        }
        let inventory = InventoryRules::parse(files.text("inventory.toml")).map_err(|e| {
            let file = "inventory.toml".to_owned();
            RulebookError(vec![RubricError {
                file,
                line: Some(e.line),
                message: e.message,
            }])
        })?;
        let method = Method::from_toml(files.text("method.toml"))
            .map_err(|e| whole("method.toml", e.to_string()))?;
        Ok(Self {
            rubric,
            probes,
            inventory,
            method,
            expressions: Expressions::new(),
            digest: digest(&files),
        })
    }
}

fn digest(files: &RubricFiles) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    for text in files.all().flat_map(|(name, text)| [name, text]) {
        hasher
            .update(&(text.len() as u64).to_le_bytes())
            .update(text.as_bytes());
    }
    *hasher.finalize().as_bytes()
}

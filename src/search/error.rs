//! Why a recorded search cannot be run.

use super::command::CommandError;
use super::scope::ScopeError;
use crate::checkout::ReadError;

/// Why a search cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The command is not one that a card may record.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The scope is not one that a card may record.
    #[error(transparent)]
    Scope(#[from] ScopeError),
    /// The pattern is no regular expression, or one that ripgrep refuses.
    #[error("pattern `{patterns}` is refused: {error}")]
    Pattern {
        /// The patterns.
        patterns: String,
        /// What the regular-expression engine says.
        error: String,
    },
    /// A `-g` that is no glob.
    #[error("glob `{glob}` is refused: {error}")]
    Glob {
        /// The glob.
        glob: String,
        /// What the glob engine says.
        error: String,
    },
    /// A `-t` or `-T` that ripgrep does not know.
    #[error("file type is refused: {0}")]
    Type(String),
    /// A file could not be read or searched, so the count would be wrong.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: String,
        /// Why not.
        error: String,
    },
}

impl SearchError {
    pub(super) fn read(path: &str, error: &ReadError) -> Self {
        Self::File {
            path: path.to_owned(),
            error: error.to_string(),
        }
    }
}

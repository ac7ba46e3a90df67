//! Reads the scope of a recorded search: the paths that are appended to its command.

/// Why a scope is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScopeError {
    /// A quote is not closed, or the scope ends in a backslash.
    #[error("a quote in the scope is not closed: {0}")]
    Quotes(String),
    /// No path at all: ripgrep would read its standard input or the working directory.
    #[error("the scope is empty; write `.` for the whole repository")]
    Empty,
    /// An absolute path, or one with `..`, or a link that leads out.
    #[error("`{0}` leads out of the repository")]
    Outside(String),
    /// A path that ripgrep would take for a flag or for its standard input.
    #[error("`{0}` would be read as a flag; write `./{0}`")]
    Flag(String),
    /// The commit has no such file or folder.
    #[error("`{0}` is not in the commit")]
    Missing(String),
    /// A submodule, whose files are not part of the commit.
    #[error("`{0}` is a submodule; its files are not part of the commit")]
    Submodule(String),
    /// Links that lead in a circle.
    #[error("`{0}` is a link that leads to itself")]
    LinkLoop(String),
}

/// Splits `scope` into paths from the root, each in the form of [`normalize`].
///
/// # Errors
/// When a quote is open, there is no path, or a path leaves the tree or looks like a flag.
pub(super) fn split(scope: &str) -> Result<Vec<String>, ScopeError> {
    let words = shlex::split(scope).ok_or_else(|| ScopeError::Quotes(scope.to_owned()))?;
    if words.is_empty() {
        return Err(ScopeError::Empty);
    }
    words.iter().map(|word| normalize(word)).collect()
}

/// `path` from the root without `.` parts and doubled slashes; the root itself is empty. A slash at the end stays: what
/// it ends has to be a folder.
pub(super) fn normalize(path: &str) -> Result<String, ScopeError> {
    if path.starts_with('-') {
        return Err(ScopeError::Flag(path.to_owned()));
    }
    if path.is_empty() {
        return Err(ScopeError::Missing(path.to_owned()));
    }
    if path.starts_with('/') || path.split('/').any(|part| part == "..") {
        return Err(ScopeError::Outside(path.to_owned()));
    }
    let parts: Vec<&str> = path
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    let slash = if path.ends_with('/') && !parts.is_empty() {
        "/"
    } else {
        ""
    };
    Ok(parts.join("/") + slash)
}

#[cfg(test)]
#[allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a broken test set-up has to stop the test"
)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_unquoted_and_brought_to_one_form() {
        assert_eq!(
            split("src/ ./lib 'a b'//c .").expect("scope"),
            ["src/", "lib", "a b/c", ""]
        );
    }

    #[test]
    fn what_leaves_the_tree_or_reads_as_a_flag_is_refused() {
        assert_eq!(split("/etc"), Err(ScopeError::Outside("/etc".into())));
        assert_eq!(split("src ../x"), Err(ScopeError::Outside("../x".into())));
        assert_eq!(
            split("src/../../x"),
            Err(ScopeError::Outside("src/../../x".into()))
        );
        assert_eq!(split("-f"), Err(ScopeError::Flag("-f".into())));
        assert_eq!(split("-"), Err(ScopeError::Flag("-".into())));
        assert_eq!(split("  "), Err(ScopeError::Empty));
        assert_eq!(split("''"), Err(ScopeError::Missing(String::new())));
        assert_eq!(split("'a"), Err(ScopeError::Quotes("'a".into())));
    }
}

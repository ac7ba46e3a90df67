//! What can go wrong before there is a snapshot, each kind with its own exit code.

use std::path::Path;

/// Longest piece of foreign text (a server's message, a library's error) that a message repeats.
const FOREIGN_TEXT_LIMIT: usize = 300;

/// Why a repository could not be pinned. Every message names the repository or the path and says what to do.
///
/// | exit code | meaning |
/// |---|---|
/// | 2 | the source or an option makes no sense |
/// | 10 | no such host or repository |
/// | 11 | authentication needed, or refused |
/// | 12 | unknown commit, tag or branch |
/// | 13 | an abbreviated commit fits several |
/// | 14 | not a repository |
/// | 15 | empty repository |
/// | 16 | the cache cannot be written, or the disk is full |
/// | 17 | offline, and not in the cache |
/// | 18 | network failure |
/// | 19 | the repository cannot be read |
/// | 130 | interrupted |
#[derive(Debug, thiserror::Error)]
pub enum CheckoutError {
    /// The source or an option makes no sense.
    #[error("{0}")]
    Input(String),
    /// There is no such host, or the host has no such repository.
    #[error("{place}: {reason}")]
    NoSuchRepository {
        /// URL or path.
        place: String,
        /// What was found instead.
        reason: String,
    },
    /// The host asks who is calling, or refuses the caller.
    #[error("{place}: {reason}")]
    Authentication {
        /// URL of the repository.
        place: String,
        /// What was tried, and what to do.
        reason: String,
    },
    /// The repository has no such commit, tag or branch.
    #[error("{place}: {reason}")]
    UnknownRevision {
        /// URL or path.
        place: String,
        /// Names the revision.
        reason: String,
    },
    /// An abbreviated commit fits several.
    #[error("{place}: `{prefix}` is ambiguous: {}; give more digits", candidates.join(", "))]
    Ambiguous {
        /// URL or path.
        place: String,
        /// The abbreviation as given.
        prefix: String,
        /// Ids that it fits, in order.
        candidates: Vec<String>,
    },
    /// The folder is there, and is no repository.
    #[error("{place}: {reason}")]
    NotARepository {
        /// The path.
        place: String,
        /// What was found instead.
        reason: String,
    },
    /// The repository has no commit.
    #[error("{place}: the repository is empty: there is no commit to rate")]
    Empty {
        /// URL or path.
        place: String,
    },
    /// The cache cannot be read or written, or the disk is full.
    #[error("cache {place}: {reason}; free some space, or choose another folder with --cache-dir")]
    Storage {
        /// The cache folder.
        place: String,
        /// What failed.
        reason: String,
    },
    /// `--offline` was given, and the cache does not have it.
    #[error("{place}: {reason}")]
    Offline {
        /// URL of the repository.
        place: String,
        /// What the cache has, and what to do.
        reason: String,
    },
    /// A time-out, a connection cut off, an error of the server.
    #[error("{place}: {reason}")]
    Network {
        /// URL of the repository.
        place: String,
        /// What failed.
        reason: String,
    },
    /// The repository is damaged, of a kind that cannot be read, or larger than any real one.
    #[error("{place}: {reason}")]
    Unreadable {
        /// URL or path.
        place: String,
        /// What failed.
        reason: String,
    },
    /// The user pressed ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

impl CheckoutError {
    /// The exit code of the process. 130 is what a shell gives a process that ctrl-C ended.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Input(_) => 2,
            Self::NoSuchRepository { .. } => 10,
            Self::Authentication { .. } => 11,
            Self::UnknownRevision { .. } => 12,
            Self::Ambiguous { .. } => 13,
            Self::NotARepository { .. } => 14,
            Self::Empty { .. } => 15,
            Self::Storage { .. } => 16,
            Self::Offline { .. } => 17,
            Self::Network { .. } => 18,
            Self::Unreadable { .. } => 19,
            Self::Interrupted => 130,
        }
    }

    pub(super) fn storage(place: &Path, error: &std::io::Error) -> Self {
        Self::Storage {
            place: place.display().to_string(),
            reason: crate::input::words(error),
        }
    }

    pub(super) fn unreadable(place: &str, error: &gix::Error) -> Self {
        Self::Unreadable {
            place: place.to_owned(),
            reason: foreign_text(&causes(error)),
        }
    }
}

/// The messages of `error` and of everything that caused it, outermost first.
pub(super) fn causes(error: &gix::Error) -> String {
    let mut messages: Vec<String> = Vec::new();
    for cause in error.iter_errors() {
        let message = cause.to_string();
        // A wrapper often repeats the text of what it wraps.
        if !message.is_empty() && !messages.iter().any(|earlier| earlier.contains(&message)) {
            messages.push(message);
        }
    }
    messages.join(": ")
}

/// Text of a server or a library, fit for the screen: one line, bounded, without control characters (which
/// could drive the terminal) and without the user and password of any URL in it.
pub(super) fn foreign_text(text: &str) -> String {
    let line: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let words: Vec<String> = line.split_whitespace().map(without_credentials).collect();
    words.join(" ").chars().take(FOREIGN_TEXT_LIMIT).collect()
}

/// `word` without what stands between `://` and `@`.
fn without_credentials(word: &str) -> String {
    let Some((scheme, rest)) = word.split_once("://") else {
        return word.to_owned();
    };
    let authority_end = rest.find('/').unwrap_or(rest.len());
    match rest[..authority_end].rfind('@') {
        Some(at) => format!("{scheme}://{}", &rest[at + 1..]),
        None => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_and_control_characters_do_not_pass() {
        let text = "could not reach \"https://me:hunter2@example.com/a/b\"\u{1b}[31m\nthen https://tok@h/x";
        let clean = foreign_text(text);
        assert_eq!(
            clean,
            "could not reach \"https://example.com/a/b\" [31m then https://h/x"
        );
    }

    #[test]
    fn an_at_sign_in_the_path_is_no_credential() {
        assert_eq!(foreign_text("https://h/a@b"), "https://h/a@b");
    }

    #[test]
    fn foreign_text_is_bounded() {
        assert_eq!(
            foreign_text(&"ä".repeat(1000)).chars().count(),
            FOREIGN_TEXT_LIMIT
        );
    }
}

//! What a failed fetch means to the user. gix reports failures as chains of messages; few of them carry a type that
//! tells them apart, so the texts of git's protocol, of HTTP and of ssh decide.

use std::io;
use std::path::Path;

use gix::ObjectId;

use super::credentials::TOKEN_VARIABLE;
use super::error::{CheckoutError, causes, foreign_text};
use super::source::RemoteUrl;

/// What was being done.
#[derive(Clone, Copy)]
pub(super) enum Stage {
    /// Writing the cache, without the network.
    Store,
    /// Connecting, authenticating and listing references.
    Connect,
    /// Asking for a commit, and writing what comes.
    Receive(ObjectId),
}

/// Translates the failure `error` of a fetch from `url` into the cache at `cache`.
pub(super) fn explain(
    error: &gix::Error,
    stage: Stage,
    url: &RemoteUrl,
    cache: &Path,
) -> CheckoutError {
    let text = causes(error);
    let place = url.shown().to_owned();
    match stage {
        Stage::Store => storage(cache, &innermost(error)),
        Stage::Connect => connecting(error, &text, url),
        Stage::Receive(_) if is_storage(error) => storage(cache, &innermost(error)),
        Stage::Receive(commit) if names_unknown_commit(&text) => CheckoutError::UnknownRevision {
            place,
            reason: format!("no commit {commit}"),
        },
        Stage::Receive(_) => connecting(error, &text, url),
    }
}

fn network(error: &gix::Error, place: String) -> CheckoutError {
    CheckoutError::Network {
        place,
        reason: format!("the fetch failed: {}; try again later", innermost(error)),
    }
}

/// The message at the bottom of `error`: the layers above it tell of gix's own steps.
fn innermost(error: &gix::Error) -> String {
    foreign_text(&error.probable_cause().to_string())
}

fn storage(cache: &Path, text: &str) -> CheckoutError {
    CheckoutError::Storage {
        place: cache.display().to_string(),
        reason: text.to_owned(),
    }
}

/// A failure to write: a full disk, a read-only one, or one of another user.
fn is_storage(error: &gix::Error) -> bool {
    use io::ErrorKind as Kind;
    error
        .iter_errors()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| {
            matches!(
                cause.kind(),
                Kind::StorageFull
                    | Kind::QuotaExceeded
                    | Kind::FileTooLarge
                    | Kind::ReadOnlyFilesystem
                    | Kind::PermissionDenied
            )
        })
}

/// What servers answer when asked for an object that they do not have, or do not give.
fn names_unknown_commit(text: &str) -> bool {
    // The last is how gix reports a line beginning with `E`, the `ERR` of a server of git's first protocol.
    let phrases = [
        "not our ref",
        "unadvertised object",
        "input was malformed: 69",
    ];
    phrases.iter().any(|phrase| text.contains(phrase))
}

fn connecting(error: &gix::Error, text: &str, url: &RemoteUrl) -> CheckoutError {
    let place = url.shown().to_owned();
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| text.contains(phrase));
    // curl's code 6, and ssh's words for it.
    if says(&["[6] ", "resolve hostname"]) {
        return CheckoutError::NoSuchRepository {
            place,
            reason: "no such host; check the URL".to_owned(),
        };
    }
    if url.is_ssh() {
        return connecting_by_ssh(error, text, place);
    }
    if error.is_unauthenticated() || says(&["HTTP status 401", "HTTP status 403", "in clear text"])
    {
        return CheckoutError::Authentication {
            place,
            reason: authentication_advice(text),
        };
    }
    if says(&["'smart' protocol"]) {
        let reason = "a web page, not a git repository; check the URL".to_owned();
        return CheckoutError::NoSuchRepository { place, reason };
    }
    if says(&["HTTP status 404", "HTTP status 410"]) {
        let reason =
            "no such repository, or a private one that your credentials may not read".to_owned();
        return CheckoutError::NoSuchRepository { place, reason };
    }
    network(error, place)
}

/// ssh prints on its own what the host had to say; gix takes a few of its lines for what they are.
fn connecting_by_ssh(error: &gix::Error, text: &str, place: String) -> CheckoutError {
    if error.is_unauthenticated() || text.to_ascii_lowercase().contains("permission denied") {
        let reason =
            "the host refused your ssh key; try `ssh -T` to it, or use the https URL".to_owned();
        return CheckoutError::Authentication { place, reason };
    }
    let io_errors = error
        .iter_errors()
        .filter_map(|cause| cause.downcast_ref::<io::Error>());
    if io_errors
        .map(io::Error::kind)
        .any(|kind| kind == io::ErrorKind::UnexpectedEof)
    {
        let reason =
            "the host closed the connection: no such repository, or your key may not read it"
                .to_owned();
        return CheckoutError::NoSuchRepository { place, reason };
    }
    network(error, place)
}

fn authentication_advice(text: &str) -> String {
    if text.contains("in clear text") {
        return "the host asks for credentials, which are not sent over http; use the https URL"
            .to_owned();
    }
    let problem = if text.contains("were not accepted") {
        "the host refused the credentials"
    } else {
        "the host asks for credentials: the repository is private or does not exist"
    };
    format!(
        "{problem}; set {TOKEN_VARIABLE} to an access token, or store a login with your git credential helper"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkout::source::Source;

    fn explained(source: &str, stage: Stage, error: io::Error) -> (u8, String) {
        let Ok(Source::Url(url)) = Source::parse(source) else {
            panic!("{source} is a URL")
        };
        let error = gix::Error::from_error(error);
        let explained = explain(&error, stage, &url, Path::new("cache"));
        (explained.exit_code(), explained.to_string())
    }

    fn receiving() -> Stage {
        Stage::Receive(ObjectId::null(gix::hash::Kind::Sha1))
    }

    #[test]
    fn ssh_failures_are_told_apart() {
        let ssh = |kind, text: &str| {
            explained(
                "git@example.com:o/n",
                Stage::Connect,
                io::Error::new(kind, text),
            )
        };
        let denied = "git@example.com: Permission denied (publickey).";
        assert_eq!(ssh(io::ErrorKind::PermissionDenied, denied).0, 11);
        let unknown = "ssh: Could not resolve hostname example.com: Name or service not known";
        assert_eq!(ssh(io::ErrorKind::ConnectionRefused, unknown).0, 10);
        assert_eq!(ssh(io::ErrorKind::UnexpectedEof, "closed").0, 10);
        let (code, message) = ssh(
            io::ErrorKind::NotFound,
            "ssh: connect to host example.com port 22: timed out",
        );
        assert_eq!(code, 18);
        assert!(message.contains("timed out"), "{message}");
    }

    #[test]
    fn a_full_disk_is_no_matter_of_the_network() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        let (code, message) = explained("https://example.com/o/n", receiving(), full());
        assert_eq!(code, 16);
        assert!(message.starts_with("cache cache:"), "{message}");
        assert_eq!(
            explained("https://example.com/o/n", Stage::Store, full()).0,
            16
        );
    }

    #[test]
    fn a_commit_that_the_server_does_not_have_is_unknown() {
        for text in [
            "upload-pack: not our ref 0000",
            "a non-side channel line or input was malformed: 69",
        ] {
            let (code, _) = explained(
                "https://example.com/o/n",
                receiving(),
                io::Error::other(text),
            );
            assert_eq!(code, 12, "{text}");
        }
    }

    #[test]
    fn secrets_in_a_rewritten_url_are_not_shown() {
        // `url.<base>.insteadOf` may add a login that the command line did not have.
        let text = "could not use \"https://tok@example.com/o/n\"";
        let (_, message) = explained(
            "https://example.com/o/n",
            Stage::Connect,
            io::Error::other(text),
        );
        assert!(
            !message.contains("tok@") && message.contains("https://example.com/o/n"),
            "{message}"
        );
    }
}

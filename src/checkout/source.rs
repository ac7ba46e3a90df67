//! What the user names: a URL or a path.

use std::fmt;
use std::path::{Path, PathBuf};

use gix::url::Scheme;

use super::error::CheckoutError;
use super::remote;

/// Where the repository is.
#[derive(Debug)]
pub enum Source {
    /// To be fetched.
    Url(Box<RemoteUrl>),
    /// Lies on this machine, and is read where it is.
    Path(PathBuf),
}

/// The URL of a repository, its user and password kept apart from what is shown and stored.
#[derive(Clone, Debug)]
pub struct RemoteUrl {
    connect: gix::Url,
    login: Option<Login>,
    shown: String,
}

/// The user, and the password if any, that stood in a URL. Never printed, not even by `{:?}`.
#[derive(Clone)]
pub(super) struct Login {
    pub(super) user: String,
    pub(super) password: Option<String>,
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Login(hidden)")
    }
}

impl RemoteUrl {
    /// The URL without user or password: what messages show and what the cache stores.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// The URL to connect to: with the user for ssh, which has no other way to name one, and without for all else.
    pub(super) fn connect(&self) -> &gix::Url {
        &self.connect
    }

    pub(super) fn login(&self) -> Option<&Login> {
        self.login.as_ref()
    }

    pub(super) fn is_ssh(&self) -> bool {
        self.connect.scheme == Scheme::Ssh
    }

    /// The folder that a `file://` URL names.
    pub fn local_path(&self) -> Option<PathBuf> {
        (self.connect.scheme == Scheme::File).then(|| PathBuf::from(self.connect.path.to_string()))
    }
}

impl Source {
    /// Takes what stands on the command line: `https://`, `http://`, `ssh://` and `file://` URLs, the short
    /// `git@host:owner/name` form, or a path. A path with a colon is given as `./path`.
    ///
    /// # Errors
    /// [`CheckoutError::Input`] for any other scheme (remote helpers such as `ext::` would run a command), for
    /// input with white space or control characters in a URL, and for the web page of a repository.
    pub fn parse(input: &str) -> Result<Self, CheckoutError> {
        if input.is_empty() {
            return Err(input_error(input, "give a URL or a path"));
        }
        if input.chars().any(char::is_control) {
            return Err(input_error(input, "control characters are not allowed"));
        }
        if input.starts_with('-') {
            return Err(input_error(
                input,
                "looks like an option; give a folder of that name as ./NAME",
            ));
        }
        // The scheme of a URL may be written in any case; gix takes small letters.
        let spelled = match input.split_once("://") {
            Some((scheme, rest)) => format!("{}://{rest}", scheme.to_ascii_lowercase()),
            None => input.to_owned(),
        };
        let url = match gix::url::parse(spelled.as_str()) {
            Ok(url) => url,
            Err(error) => return Err(input_error(input, &super::error::causes(&error))),
        };
        match url.scheme {
            Scheme::File if !input.contains("://") => Ok(Self::Path(PathBuf::from(input))),
            Scheme::Http | Scheme::Https | Scheme::Ssh | Scheme::File => {
                remote_url(input, url).map(|url| Self::Url(Box::new(url)))
            }
            _ => Err(input_error(
                input,
                "only https, http, ssh and file URLs are supported",
            )),
        }
    }
}

fn remote_url(input: &str, mut url: gix::Url) -> Result<RemoteUrl, CheckoutError> {
    if input.contains(char::is_whitespace) {
        return Err(input_error(input, "a URL has no spaces"));
    }
    let is_file = url.scheme == Scheme::File;
    let is_http = matches!(url.scheme, Scheme::Http | Scheme::Https);
    if is_file == url.host.as_deref().is_some_and(|host| !host.is_empty()) {
        let reason = if is_file {
            "a file URL has no host: write file:///PATH"
        } else {
            "names no host"
        };
        return Err(input_error(input, reason));
    }
    if is_http && input.contains(['?', '#']) {
        return Err(input_error(
            input,
            "the URL of a repository has no `?` or `#`",
        ));
    }
    if url.path.iter().all(|byte| *byte == b'/') {
        return Err(input_error(input, "names a host and no repository"));
    }
    let user = url.user.take();
    let password = url.password.take();
    let shown = url.to_bstring().to_string();
    if let Some(repository) = remote::repository_of_page(&shown) {
        let reason = format!("is a web page; give {repository} and a revision");
        return Err(input_error(input, &reason));
    }
    let login = user
        .clone()
        .filter(|_| is_http)
        .map(|user| Login { user, password });
    if url.scheme == Scheme::Ssh {
        url.user = user;
    }
    Ok(RemoteUrl {
        connect: url,
        login,
        shown,
    })
}

fn input_error(input: &str, reason: &str) -> CheckoutError {
    let shown = super::error::foreign_text(input);
    CheckoutError::Input(format!("`{shown}`: {}", super::error::foreign_text(reason)))
}

/// Name of the folder at `path`, without the `.git` of a bare repository; `repository` for the root, which has none.
pub(super) fn folder_name(path: &Path) -> String {
    let absolute = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    // The repository of a `.git` folder is called after the folder around it.
    let named = if absolute.ends_with(".git") {
        absolute.parent().unwrap_or(&absolute)
    } else {
        &absolute
    };
    let name = named
        .file_name()
        .unwrap_or("repository".as_ref())
        .to_string_lossy();
    name.strip_suffix(".git").unwrap_or(&name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(input: &str) -> String {
        match Source::parse(input) {
            Ok(Source::Url(url)) => url.shown().to_owned(),
            Ok(Source::Path(path)) => format!("path {}", path.display()),
            Err(error) => format!("error {error}"),
        }
    }

    #[test]
    fn every_form_is_known() {
        assert_eq!(
            shown("https://example.com/o/n.git"),
            "https://example.com/o/n.git"
        );
        assert_eq!(shown("HTTPS://Example.com/o/n"), "https://example.com/o/n");
        assert_eq!(shown("http://localhost:8080/n"), "http://localhost:8080/n");
        assert_eq!(
            shown("ssh://git@example.com:2222/o/n"),
            "ssh://example.com:2222/o/n"
        );
        assert_eq!(shown("git@example.com:o/n.git"), "example.com:o/n.git");
        assert_eq!(shown("file:///srv/n.git"), "file:///srv/n.git");
        assert_eq!(shown("some/folder"), "path some/folder");
        assert_eq!(shown("./a:b"), "path ./a:b");
        assert_eq!(shown("."), "path .");
    }

    #[test]
    fn odd_input_is_refused() {
        for input in [
            "",
            "-upload-pack=x",
            "ext::sh -c true",
            "ftp://example.com/o/n",
            "git://example.com/o/n",
            "https:///o/n",
            "https://example.com",
            "https://example.com/o/n?x=1",
            "https://example.com/o n",
            "file://host/srv/n",
            "https://github.com/o/n/tree/main",
            "a\nb",
        ] {
            let result = Source::parse(input);
            assert!(
                matches!(result, Err(CheckoutError::Input(_))),
                "{input:?} gave {result:?}"
            );
        }
    }

    #[test]
    fn credentials_are_kept_and_never_shown() {
        let Ok(Source::Url(url)) = Source::parse("https://me:hunter2@example.com/o/n") else {
            panic!("a URL with a login is a URL");
        };
        assert_eq!(url.shown(), "https://example.com/o/n");
        assert!(!format!("{url:?}").contains("hunter2"));
        assert_eq!(
            url.login().and_then(|login| login.password.as_deref()),
            Some("hunter2")
        );
        let error = Source::parse("https://me:hunter2@github.com/o/n/tree/main").unwrap_err();
        assert!(!error.to_string().contains("hunter2"), "{error}");
    }

    #[test]
    fn the_user_of_an_ssh_url_is_for_connecting_only() {
        let Ok(Source::Url(url)) = Source::parse("ssh://git:pw@example.com/o/n") else {
            panic!("an ssh URL")
        };
        assert_eq!(url.connect().user(), Some("git"));
        assert_eq!(url.connect().password(), None);
        assert!(url.login().is_none());
    }
}

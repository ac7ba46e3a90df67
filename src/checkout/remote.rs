//! What a remote's URL says about a repository: its pages on the web.

use gix::url::Scheme;

use super::naming;

/// Hosts whose pages have a known form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Forge {
    GitHub,
    GitLab,
    Bitbucket,
}

/// Other names of the forges' hosts, as they stand in remotes (ssh over port 443, and `www.`).
const HOST_ALIASES: [(&str, &str); 6] = [
    ("ssh.github.com", "github.com"),
    ("www.github.com", "github.com"),
    ("altssh.gitlab.com", "gitlab.com"),
    ("www.gitlab.com", "gitlab.com"),
    ("altssh.bitbucket.org", "bitbucket.org"),
    ("www.bitbucket.org", "bitbucket.org"),
];

impl Forge {
    fn of(host: &str) -> Option<Self> {
        match host {
            "github.com" => Some(Self::GitHub),
            "gitlab.com" => Some(Self::GitLab),
            "bitbucket.org" => Some(Self::Bitbucket),
            _ => None,
        }
    }

    /// Number of path segments that name a repository; any more belong to one of its pages.
    fn repository_segments(self, segments: &[&str]) -> usize {
        match self {
            Self::GitHub | Self::Bitbucket => 2,
            // Groups nest; a page starts after `-`.
            Self::GitLab => segments
                .iter()
                .position(|segment| *segment == "-")
                .unwrap_or(segments.len()),
        }
    }
}

/// `https://host/owner/name` of a remote in any of its forms: the `repo_url` of a scorecard (formats.md).
///
/// `None` when the remote has no web address that can be told from it: local paths, plain http outside the
/// known forges, and ssh aliases without a dot.
pub fn https_url(remote: &str) -> Option<String> {
    let url = gix::url::parse(remote).ok()?;
    let host = canonical_host(url.host()?);
    let authority = match (&url.scheme, Forge::of(host)) {
        (_, Some(_)) if is_network(&url.scheme) => host.to_owned(),
        (Scheme::Https, _) => url
            .port
            .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")),
        // The port of ssh says nothing about the web's.
        (Scheme::Ssh, _) if host.contains('.') => host.to_owned(),
        _ => return None,
    };
    let path = url.path.to_string();
    let path = naming::without_git(path.trim_start_matches('/'));
    let segments: Vec<&str> = path.split('/').collect();
    let odd = |segment: &&str| segment.is_empty() || segment.starts_with('~') || *segment == "..";
    if segments.iter().any(odd) {
        return None;
    }
    if Forge::of(host).is_some_and(|forge| {
        segments.len() < 2 || forge.repository_segments(&segments) < segments.len()
    }) {
        return None;
    }
    Some(format!("https://{authority}/{}", encode_path(path)))
}

/// Whether the host of a web address takes owners and names for the same in any case.
pub fn ignores_case(url: &str) -> bool {
    let host = url
        .strip_prefix("https://")
        .and_then(|rest| rest.split('/').next());
    host.is_some_and(|host| Forge::of(canonical_host(host)).is_some())
}

/// When `url` is the web page of a file, a commit or a branch: the URL of its repository.
pub(super) fn repository_of_page(url: &str) -> Option<String> {
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))?;
    let (host, path) = rest.split_once('/')?;
    let segments: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    let count = Forge::of(canonical_host(host))?.repository_segments(&segments);
    (count < segments.len()).then(|| format!("https://{host}/{}", segments[..count].join("/")))
}

/// The page that shows `lines` (first and last, counted from 1) of `file` at `commit`.
///
/// GitHub's form is fixed by formats.md; GitLab and Bitbucket have their own. `None` for other hosts.
pub fn permalink(repo_url: &str, commit: &str, file: &str, lines: (u32, u32)) -> Option<String> {
    let host = repo_url.strip_prefix("https://")?.split('/').next()?;
    let file = encode_path(file);
    let (first, last) = lines;
    Some(match (Forge::of(host)?, first == last) {
        (Forge::GitHub, true) => format!("{repo_url}/blob/{commit}/{file}#L{first}"),
        (Forge::GitHub, false) => format!("{repo_url}/blob/{commit}/{file}#L{first}-L{last}"),
        (Forge::GitLab, true) => format!("{repo_url}/-/blob/{commit}/{file}#L{first}"),
        (Forge::GitLab, false) => format!("{repo_url}/-/blob/{commit}/{file}#L{first}-{last}"),
        (Forge::Bitbucket, true) => format!("{repo_url}/src/{commit}/{file}#lines-{first}"),
        (Forge::Bitbucket, false) => format!("{repo_url}/src/{commit}/{file}#lines-{first}:{last}"),
    })
}

/// The remote as configured, without user and password; `None` when it cannot be read as a URL, since what is
/// a secret in it cannot be told then.
pub(super) fn without_login(remote: &str) -> Option<String> {
    let mut url = gix::url::parse(remote).ok()?;
    if matches!(
        url.scheme,
        Scheme::Ext | Scheme::Helper(_) | Scheme::HelperUrl(_)
    ) {
        return None;
    }
    url.user = None;
    url.password = None;
    Some(url.to_bstring().to_string())
}

fn is_network(scheme: &Scheme) -> bool {
    matches!(
        scheme,
        Scheme::Https | Scheme::Http | Scheme::Ssh | Scheme::Git
    )
}

fn canonical_host(host: &str) -> &str {
    HOST_ALIASES
        .iter()
        .find(|(alias, _)| *alias == host)
        .map_or(host, |(_, name)| name)
}

/// Percent-encodes what a path may not hold in a URL, or what would end a link in Markdown.
fn encode_path(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~!$&'+,;=:@".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remotes_become_web_addresses() {
        for (remote, expected) in [
            ("git@github.com:o/n.git", Some("https://github.com/o/n")),
            ("ssh://git@github.com/o/n", Some("https://github.com/o/n")),
            (
                "ssh://git@ssh.github.com:443/o/n.git",
                Some("https://github.com/o/n"),
            ),
            (
                "https://user:pw@github.com/o/n.git/",
                Some("https://github.com/o/n"),
            ),
            ("http://github.com/o/n", Some("https://github.com/o/n")),
            ("git://github.com/o/n.git", Some("https://github.com/o/n")),
            (
                "https://gitlab.com/group/sub/n.git",
                Some("https://gitlab.com/group/sub/n"),
            ),
            (
                "https://git.example.org:8443/n",
                Some("https://git.example.org:8443/n"),
            ),
            (
                "ssh://git@git.example.org:2222/o/n.git",
                Some("https://git.example.org/o/n"),
            ),
            ("http://git.example.org/o/n", None),
            ("git@work:o/n.git", None),
            ("ssh://git@git.example.org/~me/n", None),
            ("https://github.com/o", None),
            ("https://github.com/o/n/tree/main", None),
            ("file:///srv/n.git", None),
            ("../n", None),
            ("", None),
        ] {
            assert_eq!(https_url(remote).as_deref(), expected, "{remote}");
        }
    }

    #[test]
    fn permalinks_follow_each_forge() {
        let link = |url: &str, lines| permalink(url, "c0ffee", "a dir/f#1(x).py", lines);
        let encoded = "a%20dir/f%231%28x%29.py";
        assert_eq!(
            link("https://github.com/o/n", (3, 3)),
            Some(format!("https://github.com/o/n/blob/c0ffee/{encoded}#L3"))
        );
        assert_eq!(
            link("https://github.com/o/n", (3, 9)),
            Some(format!(
                "https://github.com/o/n/blob/c0ffee/{encoded}#L3-L9"
            ))
        );
        assert_eq!(
            link("https://gitlab.com/g/s/n", (3, 9)),
            Some(format!(
                "https://gitlab.com/g/s/n/-/blob/c0ffee/{encoded}#L3-9"
            ))
        );
        assert_eq!(
            link("https://bitbucket.org/o/n", (3, 9)),
            Some(format!(
                "https://bitbucket.org/o/n/src/c0ffee/{encoded}#lines-3:9"
            ))
        );
        assert_eq!(link("https://git.example.org/o/n", (3, 9)), None);
        assert_eq!(link("https://github.com.evil.example/o/n", (3, 9)), None);
    }

    #[test]
    fn pages_lead_to_their_repository() {
        assert_eq!(
            repository_of_page("https://github.com/o/n/blob/main/a.py").as_deref(),
            Some("https://github.com/o/n")
        );
        assert_eq!(
            repository_of_page("https://gitlab.com/g/s/n/-/tree/main").as_deref(),
            Some("https://gitlab.com/g/s/n")
        );
        assert_eq!(repository_of_page("https://gitlab.com/g/s/n"), None);
        assert_eq!(repository_of_page("https://example.com/a/b/c/d"), None);
    }

    #[test]
    fn logins_do_not_survive() {
        assert_eq!(
            without_login("https://u:secret@h.example/o/n").as_deref(),
            Some("https://h.example/o/n")
        );
        assert_eq!(
            without_login("git@h.example:o/n").as_deref(),
            Some("h.example:o/n")
        );
        assert_eq!(without_login("ext::sh -c secret"), None);
    }
}

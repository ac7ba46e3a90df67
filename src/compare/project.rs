//! Whether two cards are of one project.

use crate::checkout::remote;
use crate::scorecard::Scorecard;

/// Whether `old` and `new` are of the same repository and the same folder of it. How a URL is spelled does not count:
/// case of the host, `.git`, a slash at the end, a default port; nor the case of the path on a forge that ignores it.
pub fn same_project(old: &Scorecard, new: &Scorecard) -> bool {
    let folder = |card: &Scorecard| {
        let path = card.subpath.as_deref().unwrap_or_default();
        path.trim_matches('/').to_owned()
    };
    address(&old.repo_url) == address(&new.repo_url) && folder(old) == folder(new)
}

/// One spelling of a repository's URL.
fn address(url: &str) -> String {
    let url = url.trim();
    let url = remote::https_url(url).unwrap_or_else(|| url.trim_end_matches('/').to_owned());
    let url = url.replacen(":443/", "/", 1);
    match remote::ignores_case(&url) {
        true => url.to_ascii_lowercase(),
        false => url,
    }
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn spellings_of_one_address() {
        let same = |a: &str, b: &str| address(a) == address(b);
        for other in [
            "https://GitHub.com/Owner/Name",
            "https://github.com/owner/name.git",
            "https://github.com/Owner/Name/",
            "https://www.github.com/Owner/Name.git/",
            "https://github.com:443/Owner/Name",
        ] {
            assert!(same("https://github.com/Owner/Name", other), "{other}");
        }
        assert!(same(
            "https://Git.example.org/o/n.git",
            "https://git.example.org:443/o/n"
        ));
        assert!(!same(
            "https://git.example.org/O/n",
            "https://git.example.org/o/n"
        ));
        assert!(!same("https://github.com/o/n", "https://github.com/o/m"));
        assert!(!same("https://github.com/o/n", ""));
        assert!(same("", ""));
    }
}

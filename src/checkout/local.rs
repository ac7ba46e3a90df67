//! Opening a repository that lies on this machine, without trusting it.

use std::path::Path;

use gix::open::Options;

use super::error::CheckoutError;

/// What holds for every repository that objects are read from.
///
/// Replacement references would show other content under the pinned commit's id; the allocation limit bounds
/// what a forged object can ask for, and does so whoever owns the folder.
const READ_SETTINGS: [&str; 2] = [
    "core.useReplaceRefs=false",
    "gitoxide.objects.allocLimit=1073741824",
];

/// Opens the repository at `path`, bare or not. Only its own configuration is read, and nothing that it names
/// is run: no filter, hook or helper, no lazy fetch; `GIT_*` variables are ignored, so that a call from a git
/// hook does not read another repository.
///
/// # Errors
/// [`CheckoutError::NoSuchRepository`] for a path that is not there, [`CheckoutError::NotARepository`] for
/// one that is no repository.
pub(super) fn open(path: &Path) -> Result<gix::Repository, CheckoutError> {
    let place = path.display().to_string();
    if !path.exists() {
        return Err(CheckoutError::NoSuchRepository {
            reason: missing_hint(path),
            place,
        });
    }
    let options = Options::isolated().config_overrides(READ_SETTINGS);
    let repository = match gix::open_opts(path, options) {
        Ok(repository) => repository,
        Err(error) if is_repository(path) => return Err(CheckoutError::unreadable(&place, &error)),
        Err(_) => {
            return Err(CheckoutError::NotARepository {
                reason: not_a_repository_hint(path),
                place,
            });
        }
    };
    if repository
        .config_snapshot()
        .string("extensions.refStorage")
        .is_some_and(|kind| kind != "files")
    {
        let reason = "its references are stored in a form that cannot be read (extensions.refStorage); give its URL";
        return Err(CheckoutError::Unreadable {
            place,
            reason: reason.to_owned(),
        });
    }
    Ok(repository)
}

fn is_repository(path: &Path) -> bool {
    gix::discover::is_git(path).is_ok() || gix::discover::is_git(&path.join(".git")).is_ok()
}

fn missing_hint(path: &Path) -> String {
    let text = path.to_string_lossy();
    let looks_like_host = text
        .split('/')
        .next()
        .is_some_and(|first| first.trim_matches('.').contains('.'));
    if looks_like_host && text.contains('/') {
        format!("no such folder; a URL starts with its scheme: https://{text}")
    } else {
        "no such folder".to_owned()
    }
}

fn not_a_repository_hint(path: &Path) -> String {
    let absolute = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    match absolute
        .ancestors()
        .skip(1)
        .find(|parent| is_repository(parent))
    {
        Some(parent) => format!(
            "not a git repository; it lies inside of one: give {}",
            parent.display()
        ),
        None => "not a git repository; --worktree rates a folder as it lies there".to_owned(),
    }
}

//! Which results of earlier audits an audit may use.

use super::args::TargetArguments;
use crate::audit::Rulebook;
use crate::cache::Cache;
use crate::checkout::{self, Snapshot, Source};

/// Folder of the results in the cache folder; fetched commits lie beside it.
const FOLDER: &str = "results";

/// The results of earlier audits of what `arguments` name. There are none with `--no-cache`, for a folder as it lies
/// there (it may change while it is read), and for a repository that lacks some content (it may be there next time).
pub(super) fn cache(
    arguments: &TargetArguments,
    rulebook: &Rulebook,
    snapshot: &Snapshot,
) -> Cache {
    let repository = arguments.repository.as_deref().unwrap_or_default();
    let place = match Source::parse(repository) {
        Ok(Source::Path(path)) => path.canonicalize().ok(),
        Ok(Source::Url(url)) => Some(url.shown().into()),
        Err(_) => None,
    };
    let root = checkout::cache_folder(arguments.cache_dir.as_deref());
    match (place, root) {
        (Some(place), Some(root)) if !arguments.no_cache && snapshot.is_whole() => {
            let subpath = arguments.subpath.as_deref().unwrap_or_default();
            let subject = [&*place.to_string_lossy(), subpath];
            Cache::open(root.join(FOLDER), &rulebook.digest, &subject)
        }
        _ => Cache::off(),
    }
}

//! The cache of fetched commits: one bare repository for each remote and commit.
//!
//! An entry is written in a temporary folder beside its place and renamed when it is whole, and never changed after.
//! So audits that run side by side never see half an entry, and whoever comes second finds the first one's.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use etcetera::BaseStrategy;
use gix::ObjectId;
use gix::hash::Prefix;

use super::error::CheckoutError;
use super::naming;
use super::source::RemoteUrl;

/// Starts the name of a folder that is being fetched into.
const STAGING_PREFIX: &str = ".fetch-";

/// A staging folder of this age belongs to a process that was killed.
const STALE_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// Digits of the URL's hash in a folder's name.
const URL_HASH_DIGITS: usize = 12;

/// The commits of one remote that are in the cache.
#[derive(Clone, Debug)]
pub(super) struct RemoteCache {
    folder: PathBuf,
}

/// A folder that is fetched into; removed when dropped before [`RemoteCache::install`].
pub(super) struct Staging {
    folder: tempfile::TempDir,
}

impl Staging {
    /// Where the repository is to be written.
    pub(super) fn repository(&self) -> PathBuf {
        self.folder.path().join("repository")
    }
}

impl RemoteCache {
    /// The part of the cache at `cache_dir` (the platform's cache folder when `None`) that belongs to `url`.
    pub(super) fn of(cache_dir: Option<&Path>, url: &RemoteUrl) -> Result<Self, CheckoutError> {
        let root = match cache_dir {
            Some(folder) => folder.to_owned(),
            None => platform_cache()?,
        };
        Ok(Self {
            folder: root.join(folder_name(url.shown())?),
        })
    }

    /// The repository that holds `commit`, if it was fetched before.
    pub(super) fn entry(&self, commit: ObjectId) -> Option<PathBuf> {
        let path = self.place_of(commit);
        path.is_dir().then_some(path)
    }

    /// All commits in the cache, in order.
    pub(super) fn commits(&self) -> Vec<ObjectId> {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return Vec::new();
        };
        let mut commits: Vec<ObjectId> = entries
            .filter_map(Result::ok)
            .filter_map(|entry| {
                let name = entry.file_name();
                let hex = name.to_str()?.strip_suffix(".git")?;
                ObjectId::from_hex(hex.as_bytes()).ok()
            })
            .collect();
        commits.sort();
        commits
    }

    /// The commits in the cache that `prefix` fits, in order.
    pub(super) fn abbreviated(&self, prefix: Prefix) -> Vec<ObjectId> {
        self.commits()
            .into_iter()
            .filter(|commit| prefix.cmp_oid(commit).is_eq())
            .collect()
    }

    /// A new folder to fetch into, in the same file system as the entries.
    pub(super) fn stage(&self) -> Result<Staging, CheckoutError> {
        let storage = |error: std::io::Error| CheckoutError::storage(&self.folder, &error);
        fs::create_dir_all(&self.folder).map_err(storage)?;
        self.remove_stale();
        let folder = tempfile::Builder::new()
            .prefix(STAGING_PREFIX)
            .tempdir_in(&self.folder)
            .map_err(storage)?;
        Ok(Staging { folder })
    }

    /// Makes what was fetched into `staging` the entry of `commit`, unless another process was faster.
    pub(super) fn install(
        &self,
        staging: &Staging,
        commit: ObjectId,
    ) -> Result<PathBuf, CheckoutError> {
        let place = self.place_of(commit);
        match fs::rename(staging.repository(), &place) {
            Err(error) if !place.is_dir() => Err(CheckoutError::storage(&self.folder, &error)),
            _ => Ok(place),
        }
    }

    /// The folder, for messages.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    fn place_of(&self, commit: ObjectId) -> PathBuf {
        self.folder.join(format!("{commit}.git"))
    }

    /// Removes what killed processes left. Failure is no matter: the next run tries again.
    fn remove_stale(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return;
        };
        for entry in entries.filter_map(Result::ok) {
            let is_staging = entry
                .file_name()
                .to_string_lossy()
                .starts_with(STAGING_PREFIX);
            let age = entry
                .metadata()
                .and_then(|data| data.modified())
                .ok()
                .and_then(|time| time.elapsed().ok());
            if is_staging && age.is_some_and(|age| age > STALE_AFTER) {
                fs::remove_dir_all(entry.path()).ok();
            }
        }
    }
}

/// The folder for everything that is kept: `cache_dir`, or the platform's; `None` when there is no home folder.
pub fn cache_folder(cache_dir: Option<&Path>) -> Option<PathBuf> {
    match cache_dir {
        Some(folder) => Some(folder.to_owned()),
        None => platform_cache().ok(),
    }
}

fn platform_cache() -> Result<PathBuf, CheckoutError> {
    let strategy = etcetera::base_strategy::choose_native_strategy().map_err(|_| {
        CheckoutError::Input(
            "no home folder to keep the cache in; name a folder with --cache-dir".to_owned(),
        )
    })?;
    Ok(strategy.cache_dir().join("audit"))
}

/// Name of a remote's folder: readable, and its own by the hash of the URL.
fn folder_name(url: &str) -> Result<String, CheckoutError> {
    let key = naming::without_git(url);
    let mut hasher = gix::hash::hasher(gix::hash::Kind::Sha1);
    hasher.update(key.as_bytes());
    let hash = hasher
        .try_finalize()
        .map_err(|error| CheckoutError::unreadable(url, &error))?;
    let name = naming::slug(naming::last_segment(key));
    Ok(format!("{name}-{}", hash.to_hex_with_len(URL_HASH_DIGITS)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkout::source::Source;

    fn cache(root: &Path, url: &str) -> RemoteCache {
        let Ok(Source::Url(url)) = Source::parse(url) else {
            panic!("{url} is a URL")
        };
        RemoteCache::of(Some(root), &url).unwrap()
    }

    fn id(digit: char) -> ObjectId {
        ObjectId::from_hex(digit.to_string().repeat(40).as_bytes()).unwrap()
    }

    #[test]
    fn one_folder_for_each_remote_whatever_its_spelling() {
        let root = tempfile::tempdir().unwrap();
        let plain = cache(root.path(), "https://example.com/o/some_agent");
        assert_eq!(
            plain.folder,
            cache(root.path(), "https://u:p@example.com/o/some_agent.git/").folder
        );
        assert_ne!(
            plain.folder,
            cache(root.path(), "https://example.com/p/some_agent").folder
        );
        assert!(
            plain
                .folder
                .file_name()
                .unwrap()
                .to_str()
                .unwrap()
                .starts_with("some-agent-")
        );
    }

    #[test]
    fn an_entry_is_there_when_installed_and_not_before() {
        let root = tempfile::tempdir().unwrap();
        let cache = cache(root.path(), "https://example.com/o/n");
        let staging = cache.stage().unwrap();
        fs::create_dir(staging.repository()).unwrap();
        assert_eq!(cache.entry(id('a')), None);
        assert!(cache.commits().is_empty());
        let place = cache.install(&staging, id('a')).unwrap();
        assert_eq!(cache.entry(id('a')), Some(place));
        assert_eq!(
            cache.abbreviated(Prefix::from_hex("aaaa").unwrap()),
            [id('a')]
        );
        assert!(
            cache
                .abbreviated(Prefix::from_hex("bbbb").unwrap())
                .is_empty()
        );
    }

    #[test]
    fn the_second_of_two_audits_keeps_the_first_ones_entry() {
        let root = tempfile::tempdir().unwrap();
        let cache = cache(root.path(), "https://example.com/o/n");
        let (first, second) = (cache.stage().unwrap(), cache.stage().unwrap());
        for (staging, content) in [(&first, "first"), (&second, "second")] {
            fs::create_dir(staging.repository()).unwrap();
            fs::write(staging.repository().join("HEAD"), content).unwrap();
            cache.install(staging, id('a')).unwrap();
        }
        assert_eq!(
            fs::read_to_string(cache.place_of(id('a')).join("HEAD")).unwrap(),
            "first"
        );
        drop((first, second));
        assert_eq!(
            fs::read_dir(cache.folder()).unwrap().count(),
            1,
            "staging folders are gone"
        );
    }
}

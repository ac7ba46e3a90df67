//! Results of earlier audits, so that the next one of the same repository reads only what is new.
//!
//! An entry is one file: what was found in a snapshot's files, or by its searches. Its name and its seal are made of
//! everything that decides the result beside the content: the program (a digest of the executable, not its version
//! number), the rubric, the repository and the scored folder. Whatever is wrong with an entry - it is not there, cut
//! off, changed, of another program - it is as if there were none; whatever keeps one from being written, the audit
//! goes on without. Two audits may share the folder: an entry is read whole and replaced whole.
//!
//! What is trusted: an entry that belongs to this user, in a folder that belongs to this user, neither of them
//! writable for others. The seal finds damage; it is no signature, and whoever can write as this user can make an
//! entry that passes. Citations are checked against the repository in every run, cached or not; that nothing was
//! left out, and how often searches hit, rests on the entry. `audit verify` never reads the cache.

mod owner;
mod program;

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Largest entry, in bytes; a larger one is neither written nor read. 100,000 files take about 20 MB.
const LARGEST_ENTRY: u64 = 64 << 20;
/// All entries together, in bytes; the ones not used for longest go first.
const LARGEST_TOTAL: u64 = 512 << 20;
/// Begins every entry; its number changes with the layout below.
const MAGIC: &[u8; 8] = b"audit\0c1";
/// Bytes of the seal.
const SEAL: usize = blake3::OUT_LEN;

/// What an entry holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What the probes found, by file.
    Files,
    /// What the searches found, of one tree.
    Searches,
    /// What the searches found, by file.
    SearchedFiles,
}

/// The entries of one repository under one program and rubric; or none, when it is off.
pub struct Cache {
    place: Option<(PathBuf, blake3::Hash)>,
}

impl Cache {
    /// A cache that holds nothing and keeps nothing.
    pub fn off() -> Self {
        Self { place: None }
    }

    /// The entries in `folder` of the repository and folder that `subject` names, under the rubric with that digest.
    /// It is off when this program cannot be told from another.
    pub fn open(folder: PathBuf, rubric: &[u8; 32], subject: &[&str]) -> Self {
        let key = program::digest().map(|program| {
            let mut hasher = blake3::Hasher::new();
            hasher.update(program.as_bytes()).update(rubric);
            for part in subject {
                hasher
                    .update(&(part.len() as u64).to_le_bytes())
                    .update(part.as_bytes());
            }
            hasher.finalize()
        });
        Self {
            place: key.map(|key| (folder, key)),
        }
    }

    /// Whether there is anything to ask.
    pub fn is_on(&self) -> bool {
        self.place.is_some()
    }

    /// The entry of that kind, if there is one that can be trusted.
    pub fn load<T: DeserializeOwned>(&self, kind: Kind) -> Option<T> {
        let (folder, key) = self.place.as_ref()?;
        let path = path_of(folder, key, kind);
        if !owner::is_ours(&fs::symlink_metadata(folder).ok()?) {
            return None;
        }
        let mut file = File::open(&path).ok()?;
        let data = file.metadata().ok()?;
        if !data.is_file() || !owner::is_ours(&data) || data.len() > LARGEST_ENTRY {
            return None;
        }
        let mut bytes = Vec::new();
        (&mut file)
            .take(LARGEST_ENTRY)
            .read_to_end(&mut bytes)
            .ok()?;
        let rest = bytes.strip_prefix(MAGIC)?;
        let (sealed, content) = rest.split_at_checked(SEAL)?;
        if seal(key, kind, content).as_bytes() != sealed {
            return None;
        }
        let entry = postcard::from_bytes(content).ok()?;
        // Used now, so that others go first; a folder that cannot be written loses nothing by it.
        file.set_modified(SystemTime::now()).ok();
        Some(entry)
    }

    /// Keeps `entry` for the next audit, if that is possible.
    pub fn store<T: Serialize>(&self, kind: Kind, entry: &T) {
        if let Some((folder, key)) = &self.place {
            // Whatever is in the way, the audit is done and right without it.
            write(folder, key, kind, entry).ok();
        }
    }
}

fn path_of(folder: &Path, key: &blake3::Hash, kind: Kind) -> PathBuf {
    let extension = match kind {
        Kind::Files => "files",
        Kind::Searches => "searches",
        Kind::SearchedFiles => "searched-files",
    };
    folder.join(format!("{}.{extension}", key.to_hex()))
}

/// Digest of a content and of what it belongs to.
fn seal(key: &blake3::Hash, kind: Kind, content: &[u8]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new_keyed(key.as_bytes());
    hasher.update(&[kind as u8]).update(content);
    hasher.finalize()
}

fn write<T: Serialize>(
    folder: &Path,
    key: &blake3::Hash,
    kind: Kind,
    entry: &T,
) -> std::io::Result<()> {
    let content = postcard::to_stdvec(entry).map_err(std::io::Error::other)?;
    if content.len() + MAGIC.len() + SEAL > LARGEST_ENTRY as usize {
        return Ok(());
    }
    owner::create(folder)?;
    if !owner::is_ours(&fs::symlink_metadata(folder)?) {
        return Ok(());
    }
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(MAGIC)?;
    file.write_all(seal(key, kind, &content).as_bytes())?;
    file.write_all(&content)?;
    file.persist(path_of(folder, key, kind))?;
    shrink(folder, LARGEST_TOTAL)
}

/// Removes the files that were not used for longest until those in `folder` are no more than `most` bytes.
fn shrink(folder: &Path, most: u64) -> std::io::Result<()> {
    let mut files: Vec<(SystemTime, u64, PathBuf)> = fs::read_dir(folder)?
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let data = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            Some((data.modified().ok()?, data.len(), entry.path()))
        })
        .collect();
    files.sort();
    let mut total: u64 = files.iter().map(|(_, size, _)| size).sum();
    for (_, size, path) in files {
        if total <= most {
            break;
        }
        // Another audit may have been faster.
        fs::remove_file(path).ok();
        total -= size;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(folder: &Path, rubric: u8, subject: &[&str]) -> Cache {
        Cache::open(folder.join("results"), &[rubric; 32], subject)
    }

    fn only_file(folder: &Path) -> PathBuf {
        let mut files = fs::read_dir(folder.join("results")).unwrap();
        let path = files.next().unwrap().unwrap().path();
        assert!(files.next().is_none());
        path
    }

    #[test]
    fn an_entry_is_found_again_under_the_same_rubric_and_repository_only() {
        let folder = tempfile::tempdir().unwrap();
        let one = cache(folder.path(), 1, &["repository", ""]);
        assert_eq!(one.load::<String>(Kind::Files), None);
        one.store(Kind::Files, &"found");
        assert_eq!(one.load::<String>(Kind::Files).as_deref(), Some("found"));
        assert_eq!(one.load::<String>(Kind::Searches), None);
        for other in [
            cache(folder.path(), 2, &["repository", ""]),
            cache(folder.path(), 1, &["repository", "sub"]),
            cache(folder.path(), 1, &["reposit", "ory"]),
            Cache::off(),
        ] {
            assert_eq!(other.load::<String>(Kind::Files), None);
        }
    }

    #[test]
    fn a_changed_or_cut_entry_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path(), 1, &["repository"]);
        cache.store(Kind::Files, &vec!["found", "here"]);
        let path = only_file(folder.path());
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            fs::write(&path, &changed).unwrap();
            assert_eq!(cache.load::<Vec<String>>(Kind::Files), None, "byte {at}");
            fs::write(&path, &whole[..at]).unwrap();
            assert_eq!(cache.load::<Vec<String>>(Kind::Files), None, "cut at {at}");
        }
        fs::write(&path, &whole).unwrap();
        assert!(cache.load::<Vec<String>>(Kind::Files).is_some());
    }

    #[test]
    fn an_entry_of_another_kind_does_not_pass() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path(), 1, &["repository"]);
        cache.store(Kind::Files, &"found");
        let path = only_file(folder.path());
        fs::rename(&path, path.with_extension("searches")).unwrap();
        assert_eq!(cache.load::<String>(Kind::Searches), None);
    }

    #[cfg(unix)]
    #[test]
    fn what_others_may_write_is_not_read_and_not_written() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path(), 1, &["repository"]);
        cache.store(Kind::Files, &"found");
        let path = only_file(folder.path());
        let allow = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        allow(&path, 0o620);
        assert_eq!(cache.load::<String>(Kind::Files), None);
        allow(&path, 0o600);
        assert!(cache.load::<String>(Kind::Files).is_some());
        let results = folder.path().join("results");
        allow(&results, 0o777);
        assert_eq!(cache.load::<String>(Kind::Files), None);
        cache.store(Kind::Searches, &"found");
        assert_eq!(only_file(folder.path()), path);
    }

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, age: u64| {
            let path = folder.path().join(name);
            fs::write(&path, [0; 10]).unwrap();
            let then = SystemTime::now() - std::time::Duration::from_secs(age);
            File::options()
                .write(true)
                .open(&path)
                .unwrap()
                .set_modified(then)
                .unwrap();
            path
        };
        let (old, oldest, new) = (write("a", 20), write("b", 30), write("c", 10));
        shrink(folder.path(), 25).unwrap();
        assert_eq!(
            [&old, &oldest, &new].map(|path| path.exists()),
            [true, false, true]
        );
    }
}

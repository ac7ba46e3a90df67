//! The folder of a batch: whole cards, or none.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::super::failure::Failure;
use super::super::output;
use crate::batch::{EntryFailure, FAILURE, RECEIPT, Receipt, Recipe, Shard};
use crate::input;
use crate::scorecard::to_json;

/// Holds locks and work under way.
const WORK: &str = ".audit-batch";

/// Largest file that holds a date, in bytes.
const LARGEST_DATE: u64 = 100;

/// A file by one of these names marks a folder that a card may replace.
const OWN: [&str; 3] = ["scorecard.json", RECEIPT, FAILURE];

/// The folder of a batch, locked against a second run of the same shard.
pub(super) struct BatchFolder {
    root: PathBuf,
    work: PathBuf,
    /// Released by the system however the process ends.
    _lock: File,
}

impl BatchFolder {
    /// Opens or makes the folder `root`, and clears what a killed run left half done.
    pub(super) fn open(root: &Path, shard: Option<Shard>) -> Result<Self, Failure> {
        let part = shard.map_or_else(|| "all".to_owned(), Shard::file_part);
        let work = root.join(WORK).join(part);
        let lock = work.join("lock");
        // A link here, such as in a folder that was unpacked, would have files made and removed somewhere else.
        for place in [&root.join(WORK), &work, &lock, &work.join("date")] {
            refuse_link(place)?;
        }
        fs::create_dir_all(&work).map_err(|e| Failure::io(&work, e))?;
        let file = File::create(&lock).map_err(|e| Failure::io(&lock, e))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::input(format!(
                    "{}: another batch is writing there; wait for it, or choose another --out",
                    root.display()
                )));
            }
            // A file system without locks: the user has to see to it that there is one run.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        let folder = Self {
            root: root.to_owned(),
            work,
            _lock: file,
        };
        folder.clear()?;
        Ok(folder)
    }

    /// The date that this run's cards carry: that of a run that did not come to its end, or else `today`, kept for a
    /// run that goes on after midnight.
    pub(super) fn date(&self, today: String) -> Result<String, Failure> {
        let place = self.date_file();
        let is_date = |text: &String| text.parse::<jiff::civil::Date>().is_ok();
        if let Some(begun) = input::read_text(&place, LARGEST_DATE).ok().filter(is_date) {
            return Ok(begun);
        }
        output::write_all(&self.work, &[("date", today.clone())])?;
        Ok(today)
    }

    /// Removes the summary `name` of an earlier run.
    pub(super) fn remove_summary(&self, name: &str) -> Result<(), Failure> {
        remove(&self.root.join(name))
    }

    fn date_file(&self) -> PathBuf {
        self.work.join("date")
    }

    /// Where the card of `id` lies.
    pub(super) fn place(&self, id: &str) -> PathBuf {
        self.root.join(id)
    }

    /// An empty folder for an audit of `id` to write into.
    pub(super) fn staging(&self, id: &str) -> Result<PathBuf, Failure> {
        let place = self.work.join("staging").join(id);
        remove(&place)?;
        fs::create_dir_all(&place).map_err(|e| Failure::io(&place, e))?;
        Ok(place)
    }

    /// The receipt of a whole card that was made by `recipe`.
    pub(super) fn finished(&self, id: &str, recipe: &Recipe) -> Option<Receipt> {
        let place = self.place(id);
        if place.is_symlink() {
            return None;
        }
        Receipt::read(&place).filter(|receipt| receipt.recipe == *recipe)
    }

    /// Keeps the card of `id` as this run's: an older failure is no longer true.
    pub(super) fn keep(&self, id: &str) -> Result<(), Failure> {
        remove(&self.place(id).join(FAILURE))
    }

    /// Moves the card that lies in the staging folder of `id` to its place, with its receipt.
    pub(super) fn install(&self, id: &str, commit: &str, recipe: &Recipe) -> Result<(), Failure> {
        let (staged, place) = (self.work.join("staging").join(id), self.place(id));
        let receipt = Receipt::of(&staged, commit.to_owned(), recipe.clone())
            .map_err(|e| Failure::io(&staged, e))?;
        write_json(&staged, RECEIPT, &receipt)?;
        if !is_free(&place)? {
            return Err(foreign(&place));
        }
        let replaced = self.work.join("replaced");
        remove(&replaced)?;
        // A folder cannot be renamed onto another; killed in between, the card is made again.
        match fs::rename(&place, &replaced) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Failure::io(&place, error));
            }
            _ => {}
        }
        fs::rename(&staged, &place).map_err(|e| Failure::io(&place, e))?;
        remove(&replaced)
    }

    /// Records why `id` has no card of this run. A card of an earlier run stays, and is told apart by this record.
    pub(super) fn fail(&self, failure: &EntryFailure) -> Result<(), Failure> {
        let place = self.place(&failure.id);
        if !is_free(&place)? {
            return Err(foreign(&place));
        }
        fs::create_dir_all(&place).map_err(|e| Failure::io(&place, e))?;
        write_json(&place, FAILURE, failure)
    }

    /// Forgets the run's date: it has come to its end.
    pub(super) fn close(self) -> Result<(), Failure> {
        remove(&self.date_file())?;
        self.clear()
    }

    fn clear(&self) -> Result<(), Failure> {
        remove(&self.work.join("staging"))?;
        remove(&self.work.join("replaced"))
    }
}

fn refuse_link(place: &Path) -> Result<(), Failure> {
    match place.is_symlink() {
        true => Err(Failure::input(format!(
            "{}: is a link, which may lead out of --out; remove it",
            place.display()
        ))),
        false => Ok(()),
    }
}

/// Whether a card may be put at `place`: nothing is there, or a folder with nothing but an earlier card or failure.
fn is_free(place: &Path) -> Result<bool, Failure> {
    if place.is_symlink() {
        return Ok(false);
    }
    let entries = match fs::read_dir(place) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(_) => return Ok(false),
        Ok(entries) => entries,
    };
    let (mut is_own, mut is_empty) = (false, true);
    for entry in entries {
        let entry = entry.map_err(|e| Failure::io(place, e))?;
        if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            return Ok(false);
        }
        is_empty = false;
        is_own |= OWN.iter().any(|name| entry.file_name() == *name);
    }
    Ok(is_own || is_empty)
}

/// Removes the file or folder at `place`, if there is one.
fn remove(place: &Path) -> Result<(), Failure> {
    let removed = match fs::symlink_metadata(place) {
        Ok(there) if there.is_dir() => fs::remove_dir_all(place),
        Ok(_) => fs::remove_file(place),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Failure::io(place, error)),
        _ => Ok(()),
    }
}

fn write_json<T: serde::Serialize>(folder: &Path, name: &str, value: &T) -> Result<(), Failure> {
    output::write_all(
        folder,
        &[(name, to_json(value).map_err(Failure::internal)?)],
    )
}

fn foreign(place: &Path) -> Failure {
    Failure::input(format!(
        "{}: is there and is no card's folder; move it away, or choose another --out or id",
        place.display()
    ))
}

//! Reading what is named on the command line, or lies where somebody else may have put it: regular files, up to a size.
//!
//! A pipe would be waited for without end, and a device never ends; both are refused before they are opened.

use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;

/// Why a file was not read, and what to do. The file's name goes before it.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// There is no such file, or it may not be read.
    #[error("{}", reason(.0))]
    Io(#[from] io::Error),
    /// It is a folder, a pipe, a socket or a device.
    #[error("is {0}, not a regular file; name a regular file")]
    NotRegular(&'static str),
    /// It has more bytes than are read.
    #[error("has more than {0} bytes, which is the most that is read; is it the right file?")]
    TooLarge(u64),
    /// Its text is in no encoding that is read.
    #[error("is not UTF-8 text; is it the right file?")]
    NotText,
}

/// The bytes of the regular file at `path`, of which there are at most `largest`. Links are followed.
///
/// # Errors
/// Each of [`InputError`] but [`InputError::NotText`].
pub fn read(path: &Path, largest: u64) -> Result<Vec<u8>, InputError> {
    let kind = fs::metadata(path)?.file_type();
    if !kind.is_file() {
        return Err(InputError::NotRegular(name(kind)));
    }
    let mut bytes = Vec::new();
    File::open(path)?
        .take(largest.saturating_add(1))
        .read_to_end(&mut bytes)?;
    match bytes.len() as u64 > largest {
        true => Err(InputError::TooLarge(largest)),
        false => Ok(bytes),
    }
}

/// The text of the regular file at `path`, which has at most `largest` bytes.
///
/// # Errors
/// Each of [`InputError`].
pub fn read_text(path: &Path, largest: u64) -> Result<String, InputError> {
    String::from_utf8(read(path, largest)?).map_err(|_| InputError::NotText)
}

#[cfg(unix)]
fn name(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        kind if kind.is_dir() => "a folder",
        kind if kind.is_fifo() => "a pipe",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn name(kind: FileType) -> &'static str {
    match kind.is_dir() {
        true => "a folder",
        false => "a device",
    }
}

/// What `error` means to whoever named the file, and what to do.
pub fn reason(error: &io::Error) -> String {
    match known(error.kind()) {
        Some((words, advice)) => format!("{words}; {advice}"),
        None => words(error),
    }
}

/// What `error` means, without the system's number for it.
pub fn words(error: &io::Error) -> String {
    match known(error.kind()) {
        Some((words, _)) => words.to_owned(),
        None => {
            let text = error.to_string();
            let words = text.split_once(" (os error ").map(|(words, _)| words);
            words.map_or(text.clone(), str::to_owned)
        }
    }
}

/// What happened and what to do, for the errors that a name or a place can give.
fn known(kind: io::ErrorKind) -> Option<(&'static str, &'static str)> {
    use io::ErrorKind as Kind;
    Some(match kind {
        Kind::NotFound => ("there is no such file or folder", "check the name"),
        Kind::NotADirectory => (
            "a part of the path is a file and no folder",
            "check the name",
        ),
        Kind::AlreadyExists => (
            "is there and is no folder",
            "move it away, or choose another name",
        ),
        Kind::IsADirectory => ("is a folder", "choose another name"),
        Kind::PermissionDenied => (
            "permission denied",
            "change its permissions, or choose another place",
        ),
        Kind::ReadOnlyFilesystem => ("the file system is read-only", "choose another place"),
        Kind::StorageFull | Kind::QuotaExceeded => {
            ("no space is left", "free some, or choose another place")
        }
        Kind::FileTooLarge => (
            "the file would become larger than is allowed here",
            "raise the limit (ulimit -f)",
        ),
        Kind::InvalidFilename => (
            "the name is too long for the file system",
            "choose a shorter one",
        ),
        _ => return None,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_a_bounded_size_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("card");
        fs::write(&file, "1234").unwrap();
        assert_eq!(read_text(&file, 4).unwrap(), "1234");
        let told = |path: &Path, largest| read_text(path, largest).unwrap_err().to_string();
        assert!(told(&file, 3).starts_with("has more than 3 bytes"));
        assert!(told(folder.path(), 4).starts_with("is a folder"));
        assert!(told(&folder.path().join("none"), 4).starts_with("there is no such file"));
        assert!(told(&file.join("x"), 4).starts_with("a part of the path is a file"));
        fs::write(&file, [0xff]).unwrap();
        assert!(told(&file, 4).starts_with("is not UTF-8"));
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_refused_unopened() {
        let error = read(Path::new("/dev/zero"), 4).unwrap_err();
        assert!(error.to_string().starts_with("is a device"), "{error}");
    }

    #[test]
    fn numbers_of_the_system_are_left_out() {
        let error = io::Error::from_raw_os_error(40);
        assert!(!reason(&error).contains("os error"), "{}", reason(&error));
    }
}

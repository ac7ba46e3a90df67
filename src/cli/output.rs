//! Reading and writing: to the terminal, and whole files or none.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;

use super::failure::Failure;
use crate::{input, render};

/// Prints `text` on stdout; a reader that went away (`| head`) is no error.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::stdout(&error)),
        _ => Ok(()),
    }
}

/// Prints a message on stderr. Messages name files and quote cards, so that nothing in them may steer the terminal.
pub(super) fn note(message: &str) {
    let lines: Vec<String> = message.lines().map(render::plain).collect();
    // Nothing can be told to anyone when stderr itself fails.
    let _ = writeln!(io::stderr().lock(), "{}", lines.join("\n"));
}

/// The text of a regular file that has at most `largest` bytes.
pub(super) fn read_text(path: &Path, largest: u64) -> Result<String, Failure> {
    input::read_text(path, largest)
        .map_err(|error| Failure::input(format!("{}: {error}", path.display())))
}

/// Held while files are written.
static WRITING: Mutex<()> = Mutex::new(());

/// Ends the program, between two writes.
pub(super) fn end(code: u8) -> ! {
    let _writing = WRITING.lock();
    std::process::exit(i32::from(code))
}

/// Writes all of `files` (name and text) into `folder`, or none of them.
pub(super) fn write_all(folder: &Path, files: &[(&str, String)]) -> Result<(), Failure> {
    let _writing = WRITING.lock();
    let wrong = Failure::io;
    std::fs::create_dir_all(folder).map_err(|e| wrong(folder, e))?;
    let mut written = Vec::new();
    for (name, text) in files {
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|e| wrong(folder, e))?;
        file.write_all(text.as_bytes())
            .and_then(|()| file.flush())
            .map_err(|e| wrong(&folder.join(name), e))?;
        make_readable(&file).map_err(|e| wrong(&folder.join(name), e))?;
        written.push((folder.join(name), file));
    }
    for (path, file) in written {
        file.persist(&path).map_err(|e| wrong(&path, e.error))?;
    }
    Ok(())
}

/// Writes `text` whole to `path`, which is not there yet.
pub(super) fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    // An error about a temporary file names that file, of which the user knows nothing.
    let wrong = |error: io::Error| Failure::io(path, error.kind().into());
    let mut file = tempfile::NamedTempFile::new_in(folder_of(path)).map_err(wrong)?;
    file.write_all(text.as_bytes())
        .and_then(|()| file.flush())
        .map_err(wrong)?;
    make_readable(&file).map_err(wrong)?;
    match file.persist_noclobber(path) {
        Err(e) if e.error.kind() == io::ErrorKind::AlreadyExists => Err(Failure::input(format!(
            "{}: exists and is not written over; choose another name",
            path.display()
        ))),
        Err(e) => Err(wrong(e.error)),
        Ok(_) => Ok(()),
    }
}

/// How a private file begins; only a file that begins so is written over.
pub(super) const PRIVATE_HEAD: &str = "# Private notes on ";

/// Whether `path` can take the private file: a new file in a folder that exists, or an earlier private file.
pub(super) fn check_private(path: &Path) -> Result<(), Failure> {
    let refused = |why: &str| {
        Err(Failure::input(format!(
            "--private {}: {why}",
            path.display()
        )))
    };
    if !folder_of(path).is_dir() {
        return refused("no such folder");
    }
    match std::fs::symlink_metadata(path) {
        Err(_) => Ok(()),
        Ok(there) if !there.is_file() => refused("exists and is not a regular file"),
        Ok(_) => match std::fs::read(path) {
            Ok(text) if text.starts_with(PRIVATE_HEAD.as_bytes()) => Ok(()),
            _ => refused("exists and is not a private file of this program; choose another name"),
        },
    }
}

/// Writes `text` whole to `path`, for its owner alone.
pub(super) fn write_private(path: &Path, text: &str) -> Result<(), Failure> {
    check_private(path)?;
    let wrong = |error: io::Error| Failure::io(path, error.kind().into()).of_flag("--private");
    let mut file = tempfile::NamedTempFile::new_in(folder_of(path)).map_err(wrong)?;
    file.write_all(text.as_bytes())
        .and_then(|()| file.flush())
        .map_err(wrong)?;
    file.persist(path).map_err(|e| wrong(e.error))?;
    Ok(())
}

/// The folder that `path` lies in, `.` for a bare name.
fn folder_of(path: &Path) -> &Path {
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// Removes the file `name` of an earlier run when it is not among `files`, so that a folder holds one card.
pub(super) fn remove_stale(
    folder: &Path,
    files: &[(&str, String)],
    name: &str,
) -> Result<(), Failure> {
    let path = folder.join(name);
    if files.iter().any(|(written, _)| *written == name) || !path.exists() {
        return Ok(());
    }
    std::fs::remove_file(&path).map_err(|e| Failure::io(&path, e))
}

/// A temporary file is made for its owner alone; a card is for everyone.
#[cfg(unix)]
fn make_readable(file: &tempfile::NamedTempFile) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.as_file()
        .set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &tempfile::NamedTempFile) -> io::Result<()> {
    Ok(())
}

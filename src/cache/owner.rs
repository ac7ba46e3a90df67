//! Whose a file or folder is: results that somebody else could have written are not read.

use std::fs::Metadata;
use std::io;
use std::path::Path;

/// Whether what `data` describes belongs to the user that runs this program, and nobody else may write it.
#[cfg(unix)]
pub(super) fn is_ours(data: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    let writable_by_others = 0o022;
    !data.is_symlink()
        && data.uid() == rustix::process::geteuid().as_raw()
        && data.mode() & writable_by_others == 0
}

/// Elsewhere the cache lies in the user's own profile, which the system guards.
#[cfg(not(unix))]
pub(super) fn is_ours(data: &Metadata) -> bool {
    !data.is_symlink()
}

/// Creates `folder` for this user alone, and the folders above it, where they are missing.
pub(super) fn create(folder: &Path) -> io::Result<()> {
    if let Some(above) = folder.parent() {
        std::fs::create_dir_all(above)?;
    }
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

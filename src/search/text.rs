//! The text of one file, as citations count its lines.

use super::engine::{MAX_FILE_BYTES, SearchEngine};

impl SearchEngine<'_> {
    /// The text of the file that `path` leads to, with every line ending turned into `\n`, the way
    /// the reference checker reads it; what is not UTF-8 is replaced.
    ///
    /// # Errors
    /// Why it cannot be cited: it is not in the commit, it is a folder, or it cannot be read.
    pub fn text(&self, path: &str) -> Result<String, String> {
        if path.starts_with('/') || path.starts_with("./") {
            return Err("the path has to be relative to the repository's root".to_owned());
        }
        let number = self
            .file(&named(path))
            .map_err(|error| error.to_string())?
            .ok_or("it is a folder")?;
        let snapshot = self.snapshot();
        let mut bytes = Vec::new();
        snapshot
            .reader()
            .read(&snapshot.files[number], MAX_FILE_BYTES, &mut bytes)
            .map_err(|error| error.to_string())?;
        Ok(String::from_utf8_lossy(&bytes)
            .replace("\r\n", "\n")
            .replace('\r', "\n"))
    }
}

/// A path that starts with a hyphen is a path here, not a flag.
fn named(path: &str) -> String {
    if path.starts_with('-') {
        format!("./{path}")
    } else {
        path.to_owned()
    }
}

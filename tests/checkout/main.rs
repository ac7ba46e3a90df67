//! Stage 1 against real repositories, made with git in a temporary folder.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod folder;
mod hostile;
mod local;
mod support;
mod url;

use std::path::Path;

use audit::checkout::{CheckoutError, CheckoutOptions, ReadError, Snapshot, Source, open};

fn options() -> CheckoutOptions {
    CheckoutOptions {
        quiet: true,
        ..CheckoutOptions::default()
    }
}

fn at(revision: &str) -> CheckoutOptions {
    CheckoutOptions {
        revision: Some(revision.to_owned()),
        ..options()
    }
}

fn cached_in(cache: &Path) -> CheckoutOptions {
    CheckoutOptions {
        cache_dir: Some(cache.to_owned()),
        ..options()
    }
}

fn checkout(source: &str, options: &CheckoutOptions) -> Result<Snapshot, CheckoutError> {
    open(&Source::parse(source)?, options)
}

/// The error and its exit code, as the user meets them.
fn failure(source: &str, options: &CheckoutOptions) -> (u8, String) {
    let error = checkout(source, options).err().expect("the checkout fails");
    (error.exit_code(), error.to_string())
}

fn paths(snapshot: &Snapshot) -> Vec<&str> {
    snapshot
        .files
        .iter()
        .map(|file| file.path.as_str())
        .collect()
}

fn content(snapshot: &Snapshot, path: &str) -> Result<String, ReadError> {
    let file = snapshot
        .files
        .iter()
        .find(|file| file.path == path)
        .expect("the file is listed");
    let mut buffer = b"left over".to_vec();
    snapshot.reader().read(file, 1000, &mut buffer)?;
    Ok(String::from_utf8(buffer).expect("text"))
}

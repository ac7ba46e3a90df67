//! Digests of files and of settings.

/// Hexadecimal digest of `bytes`: the id that git gives a blob of them, so that `git hash-object FILE` checks it.
pub(super) fn of(bytes: &[u8]) -> String {
    let id = gix::objs::compute_hash(gix::hash::Kind::Sha1, gix::object::Kind::Blob, bytes);
    // Hashing refuses only bytes that were made to collide; they match nothing that was recorded.
    id.map_or_else(|_| "collision".to_owned(), |id| id.to_string())
}

/// Digest of several texts, told apart whatever is in them.
pub(super) fn of_parts<'a>(parts: impl Iterator<Item = &'a str>) -> String {
    let mut joined = Vec::new();
    for part in parts {
        joined.extend_from_slice(part.len().to_string().as_bytes());
        joined.push(b':');
        joined.extend_from_slice(part.as_bytes());
    }
    of(&joined)
}

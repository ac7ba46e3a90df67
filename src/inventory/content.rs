//! What a file's content is, before anything looks for evidence in it.

use memchr::{memchr, memchr_iter};

use super::rules::Limits;

/// What a file's content is. Only [`Content::Text`] is looked at for evidence; the others are
/// counted under Limitations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Content {
    /// Text in UTF-8.
    Text,
    /// Bytes that are no text.
    Binary,
    /// A stand-in for a file that Git LFS keeps elsewhere.
    LfsPointer,
    /// Text in another encoding than UTF-8.
    Undecodable,
    /// Text whose header says that a program wrote it.
    Generated,
    /// Text that a minifier or bundler wrote, by its long lines.
    Minified,
}

/// First line of a [pointer](https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md).
const LFS_HEADER: &[u8] = b"version https://git-lfs.github.com/spec/v1\n";

/// The specification allows a pointer to be no longer.
const LFS_MAX_BYTES: usize = 1024;

/// Decides what `bytes` are.
pub fn classify(bytes: &[u8], limits: &Limits) -> Content {
    if bytes.len() <= LFS_MAX_BYTES && bytes.starts_with(LFS_HEADER) {
        Content::LfsPointer
    } else if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        // UTF-16, whose zero bytes would look binary.
        Content::Undecodable
    } else if memchr(0, bytes).is_some() {
        Content::Binary
    } else if std::str::from_utf8(bytes).is_err() {
        Content::Undecodable
    } else if limits
        .generated_headers
        .is_match(header(bytes, limits.header_lines))
    {
        Content::Generated
    } else if is_minified(bytes, limits) {
        Content::Minified
    } else {
        Content::Text
    }
}

/// The first `lines` lines.
fn header(bytes: &[u8], lines: usize) -> &[u8] {
    let mut newlines = memchr_iter(b'\n', bytes);
    let last = lines.checked_sub(1).and_then(|before| newlines.nth(before));
    last.map_or(bytes, |end| &bytes[..end])
}

/// Long lines alone are no sign (a prompt, a test vector); lines that are long on average are.
fn is_minified(bytes: &[u8], limits: &Limits) -> bool {
    let lines = memchr_iter(b'\n', bytes).count() + 1;
    bytes.len() > limits.minified_average_bytes.saturating_mul(lines)
        && bytes
            .split(|byte| *byte == b'\n')
            .any(|line| line.len() > limits.minified_line_bytes)
}

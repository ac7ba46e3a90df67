//! ripgrep-compatible searches over a snapshot.

//! Stage 3: evidence in files.

pub mod config;

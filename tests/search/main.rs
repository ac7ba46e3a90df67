//! Searches over small repositories, and cards checked against them. Every expected count is what ripgrep printed in a
//! checkout of the same files: 13.0.0 and 15.2.0, which agree except where a test says so.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a broken test set-up has to stop the test"
)]

mod files;
mod lines;
mod repository;
mod results;
mod verify;

//! The page: what it says, that text from a card stays text, and how it behaves in a browser.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod browser;
mod inert;
mod page;
#[path = "../shared/spoil.rs"]
mod spoil;
mod support;
mod webdriver;

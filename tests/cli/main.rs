//! The program as its user drives it: the example platform, real exit codes, real files.

#![allow(clippy::unwrap_used)]

mod card;
mod compare;
mod gates;
mod rubric;
mod settings;
mod support;
mod target;

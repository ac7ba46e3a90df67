//! The program as its user drives it: the example platform, real exit codes, real files.

#![allow(clippy::unwrap_used)]

mod badge;
mod card;
mod compare;
mod formats;
mod gates;
mod manual;
mod rubric;
mod settings;
mod support;
mod target;

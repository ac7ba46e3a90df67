//! The program as its user drives it: the example platform, real exit codes, real files.

#![allow(clippy::unwrap_used)]

mod badge;
mod batch;
mod cache;
mod card;
mod compare;
mod disowned;
mod formats;
mod gates;
mod leaderboard;
mod manual;
mod map;
mod review;
mod rubric;
mod settings;
mod support;
mod target;

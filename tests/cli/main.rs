//! The program as its user drives it: the example platform, real exit codes, real files.

#![allow(clippy::unwrap_used)]

mod batch;
mod card;
mod compare;
mod leaderboard;
mod rubric;
mod support;
mod target;

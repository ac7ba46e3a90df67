//! The program as its user drives it: the example platform, real exit codes, real files.

mod card;
mod rubric;
mod support;
mod target;

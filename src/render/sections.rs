//! Sections that the Markdown card and the page both show, each in its own kind of text.

use serde::Serialize;

use crate::scorecard::{Fix, LevelChange, Method, RuleOfTwo};

/// The Rule of Two.
#[derive(Serialize)]
pub(super) struct RuleOfTwoView<T> {
    untrusted_input: T,
    sensitive_data: T,
    state_change_or_egress: T,
    same_session: bool,
}

impl<T> RuleOfTwoView<T> {
    /// `text` makes a sentence inert.
    pub(super) fn new(rule: &RuleOfTwo, text: fn(&str) -> T) -> Self {
        Self {
            untrusted_input: text(&rule.untrusted_input),
            sensitive_data: text(&rule.sensitive_data),
            state_change_or_egress: text(&rule.state_change_or_egress),
            same_session: rule.same_session,
        }
    }
}

/// A fix, with what it gains.
#[derive(Serialize)]
pub(super) struct FixView<T> {
    criterion: String,
    parameter: String,
    from: String,
    to: String,
    gain: String,
    summary: T,
    playbook: Option<String>,
}

impl<T> FixView<T> {
    /// `text` makes its sentence inert, `name` its playbook.
    pub(super) fn new(
        fix: &Fix,
        method: &Method,
        text: fn(&str) -> T,
        name: fn(&str) -> String,
    ) -> Self {
        Self {
            criterion: fix.criterion.to_string(),
            parameter: fix.parameter.to_string(),
            from: fix.from_level.to_string(),
            to: fix.to_level.to_string(),
            gain: method.gain(fix).three_decimals(),
            summary: text(&fix.summary),
            playbook: fix.playbook.as_deref().map(name),
        }
    }
}

/// An entry of the Re-audit log.
#[derive(Serialize)]
pub(super) struct ChangeView<T> {
    criterion: String,
    parameter: String,
    from: String,
    to: String,
    reason: T,
}

impl<T> ChangeView<T> {
    /// `text` makes its reason inert.
    pub(super) fn new(change: &LevelChange, text: fn(&str) -> T) -> Self {
        Self {
            criterion: change.criterion.to_string(),
            parameter: change.parameter.to_string(),
            from: change.from_level.to_string(),
            to: change.to_level.to_string(),
            reason: text(&change.reason),
        }
    }
}

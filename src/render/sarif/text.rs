//! Text of a card inside SARIF's messages.
//!
//! A message is plain text with two exceptions: `{0}` is a placeholder and `[text](1)` a link to a location of the
//! result (SARIF 2.1.0, 3.11.5 and 3.11.6). What a card quotes may hold neither.

use crate::render::escape::plain;

/// Longest description that GitHub takes, in characters.
const DESCRIPTION: usize = 1024;

/// Text of a card as part of a message: visible, no placeholder, no link.
pub(super) fn inert(text: &str) -> String {
    braces(&plain(text).replace("](", "]\u{20}("))
}

/// [`inert`], ending in a full stop so that another sentence can follow.
pub(super) fn sentence(text: &str) -> String {
    let text = inert(text.trim());
    if text.ends_with(['.', '!', '?']) {
        text
    } else {
        text + "."
    }
}

/// A link to the location `id` of the result.
pub(super) fn link(text: &str, id: usize) -> String {
    let mut label = String::with_capacity(text.len());
    for c in plain(text).chars() {
        if matches!(c, '[' | ']' | '\\') {
            label.push('\\');
        }
        label.push(c);
    }
    format!("[{}]({id})", braces(&label))
}

/// A description of a rule, no longer than GitHub takes.
pub(super) fn description(text: &str) -> String {
    plain(text).chars().take(DESCRIPTION).collect()
}

/// Literal braces stand doubled.
fn braces(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_card_is_neither_link_nor_placeholder() {
        assert_eq!(inert("run `{0}` [x](1)\u{202e}"), "run `{{0}}` [x] (1)");
        assert_eq!(sentence(" No gate "), "No gate.");
        assert_eq!(sentence("Is there a gate?"), "Is there a gate?");
        assert_eq!(link("a/[id]/{x}.ts:3", 2), r"[a/\[id\]/{{x}}.ts:3](2)");
    }
}

//! The README as text: its lead and its code blocks.

use std::sync::LazyLock;

use regex::Regex;

/// Length of the README's lead, in characters.
const LEAD: usize = 2_500;
/// Number of code blocks kept.
const BLOCKS: usize = 8;

static NOISE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?s)<!--.*?-->|<[^>]{0,400}>|!\[[^\]]*\]\([^)]*\)|\[\s*\]\([^)]*\)|```.*?```").ok()
});
static LINK: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\[([^\]]*)\]\([^)]*\)").ok());

/// The first part of the text without badges, images, HTML and code blocks; link texts without their targets.
pub(super) fn without_markup(text: &str) -> String {
    let head: String = text.chars().take(LEAD * 8).collect();
    let without_noise = NOISE.as_ref().map_or(head.clone(), |noise| {
        noise.replace_all(&head, " ").into_owned()
    });
    LINK.as_ref().map_or(without_noise.clone(), |link| {
        link.replace_all(&without_noise, "$1").into_owned()
    })
}

/// The README's words: no badges, images, HTML or code blocks; link texts without their targets.
pub(super) fn plain_lead(text: &str) -> String {
    let clean = without_markup(text);
    let words = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(LEAD).collect()
}

/// The first code blocks.
pub(super) fn code_blocks(text: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<String> = None;
    for line in text.lines() {
        match (&mut open, line.trim_start().starts_with("```")) {
            (None, true) => open = Some(String::new()),
            (Some(_), true) => blocks.extend(open.take()),
            (Some(block), false) => {
                block.push_str(line);
                block.push('\n');
            }
            (None, false) => {}
        }
        if blocks.len() == BLOCKS {
            break;
        }
    }
    blocks
}

//! Makes text from a card inert where it is printed.
//!
//! A card quotes repositories, and a repository may try to steer whoever reads the card. Ordinary
//! text passes unchanged: the published cards stay what they are, byte for byte.

use crate::invisible::is_invisible;

/// Text for a terminal or a plain file: no control characters, nothing invisible, no change of
/// writing direction. White space other than the plain space becomes one.
pub fn plain(text: &str) -> String {
    text.chars().filter_map(visible).collect()
}

fn visible(c: char) -> Option<char> {
    match c {
        '\t' | '\n' | '\x0B' | '\x0C' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(' '),
        c if c.is_control() || is_invisible(c) => None,
        c => Some(c),
    }
}

/// A line of source code for a page: what cannot be seen, or would turn the writing direction, is
/// named instead, because it may be what the line is cited for. Tabs stay.
pub(super) fn revealed(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for c in line.chars() {
        match visible(c) {
            Some(shown) if shown == c => out.push(c),
            _ if c == '\t' => out.push(c),
            _ => out.push_str(&format!("⟨U+{:04X}⟩", u32::from(c))),
        }
    }
    out
}

/// Running text in Markdown: [`plain`], and no HTML tag, no link, no code span that runs on into
/// what the card prints behind it.
pub(super) fn inline(text: &str) -> String {
    inline_with(text, &|text, out| out.push_str(text))
}

/// [`inline`] for text that is posted where people are notified: no `@name`, `#1`, `GH-1` or address becomes a
/// link. A word that could stands in a code span, which every forge leaves alone.
pub(super) fn unlinked(text: &str) -> String {
    inline_with(text, &|text, out| {
        for word in text.split_inclusive(' ') {
            let (word, blank) = match word.strip_suffix(' ') {
                Some(word) => (word, " "),
                None => (word, ""),
            };
            match links(word) {
                true => push_apart(&code(word), out),
                false => out.push_str(word),
            }
            out.push_str(blank);
        }
    })
}

/// Whether a forge turns something in `word` into a link: a person, an issue, an address.
fn links(word: &str) -> bool {
    let follows = |mark: &str, begins: fn(char) -> bool| {
        word.match_indices(mark)
            .any(|(at, _)| word[at + mark.len()..].starts_with(begins))
    };
    let lower = word.to_ascii_lowercase();
    // GitLab has more marks than GitHub; `&` begins an epic there, and everywhere an entity that may spell any mark.
    word.contains('@')
        || ["#", "!", "$", "%", "~"]
            .iter()
            .any(|mark| follows(mark, char::is_alphanumeric))
        || follows("&", |c| c == '#' || c.is_alphanumeric())
        || lower.contains("gh-")
        || lower.contains("://")
        || lower.contains("www.")
}

/// Appends a code span that no backtick before it joins and no backslash escapes.
fn push_apart(span: &str, out: &mut String) {
    if out.ends_with(['`', '\\']) {
        out.push(' ');
    }
    out.push_str(span);
}

/// `text` with everything that begins Markdown made inert; what is between goes through `push`.
fn inline_with(text: &str, push: &dyn Fn(&str, &mut String)) -> String {
    let text = plain(text);
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['`', '<', ']', '\\']) {
        let (before, special) = rest.split_at(at);
        push(before, &mut out);
        // A code span that `push` ended with stays apart from one that follows.
        if out.ends_with('`') && !before.is_empty() && special.starts_with('`') {
            out.push(' ');
        }
        rest = push_special(special, &mut out);
    }
    push(rest, &mut out);
    out
}

/// Writes what `text` starts with, a character that can begin Markdown, and gives what is left.
fn push_special<'a>(text: &'a str, out: &mut String) -> &'a str {
    if text.starts_with('`') {
        return push_code_span(text, out);
    }
    let length = match text.as_bytes() {
        [b'\\', b'`' | b'\\', ..] => 2,
        _ => 1,
    };
    let (special, rest) = text.split_at(length);
    match special {
        "<" if starts_tag(rest) => out.push_str("&lt;"),
        "]" if rest.starts_with('(') => out.push_str("]\\"),
        other => out.push_str(other),
    }
    rest
}

/// Copies a code span; escapes backticks that open none.
fn push_code_span<'a>(text: &'a str, out: &mut String) -> &'a str {
    let fence = backticks(text);
    let (open, rest) = text.split_at(fence);
    match closing_fence(rest, fence) {
        Some(at) => {
            let (code, rest) = rest.split_at(at);
            out.push_str(open);
            push_without_tags(code, out);
            out.push_str(open);
            rest.split_at(fence).1
        }
        None => {
            out.push_str(&"\\`".repeat(fence));
            rest
        }
    }
}

/// Where the next run of exactly so many backticks begins.
fn closing_fence(text: &str, fence: usize) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find('`') {
        let at = from + at;
        let run = backticks(&text[at..]);
        if run == fence {
            return Some(at);
        }
        from = at + run;
    }
    None
}

fn backticks(text: &str) -> usize {
    text.bytes().take_while(|b| *b == b'`').count()
}

fn push_without_tags(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        out.push_str(if starts_tag(after) { "&lt;" } else { "<" });
        rest = after;
    }
    out.push_str(rest);
}

fn starts_tag(after: &str) -> bool {
    after.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'))
}

/// Text that begins a paragraph or a list item: [`inline`], and it begins no heading, list,
/// quotation, fence, rule or link definition.
pub(super) fn paragraph(text: &str) -> String {
    let text = inline(plain(text).trim());
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let escape_at = if begins_block(&text) {
        0
    } else if (1..=9).contains(&digits) && text[digits..].starts_with(['.', ')']) {
        digits
    } else {
        return text;
    };
    let (before, after) = text.split_at(escape_at);
    format!("{before}\\{after}")
}

fn begins_block(text: &str) -> bool {
    let is_rule =
        text.starts_with(['-', '*', '_']) && text.trim_matches(['-', '*', '_', ' ']).is_empty();
    is_rule
        || text.starts_with(['#', '>', '~', '='])
        || ["- ", "+ ", "* "]
            .iter()
            .any(|marker| text.starts_with(marker))
        || text == "+"
        || (text.starts_with('[') && text.contains("]:"))
}

/// A double-quoted scalar of YAML: the same text, on one line, and nothing in it that a terminal obeys.
pub(super) fn yaml(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if visible(c) != Some(c) => out.push_str(&format!("\\U{:08x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Text in a cell of a Markdown table.
pub(super) fn cell(text: &str) -> String {
    inline(text).replace('|', "\\|")
}

/// A code span around any text; the fence is longer than every run of backticks inside.
pub(super) fn code(text: &str) -> String {
    let text = plain(text);
    let longest = text
        .split(|c| c != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let edge = |c: char| c == '`' || c == ' ';
    let padding = if text.is_empty() || text.starts_with(edge) || text.ends_with(edge) {
        " "
    } else {
        ""
    };
    format!("{fence}{padding}{text}{padding}{fence}")
}

/// The text of a link, for a file name: balanced brackets, as in `app/[id]/page.tsx`, do not end
/// it and stay; whatever else could is escaped.
pub(super) fn link_text(text: &str) -> String {
    let text = plain(text);
    let keeps_brackets = brackets_balance(&text) && !text.contains("](");
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match c {
            '<' if starts_tag(&text[at + 1..]) => out.push_str("&lt;"),
            '\\' | '`' => out.extend(['\\', c]),
            '[' | ']' if !keeps_brackets => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

fn brackets_balance(text: &str) -> bool {
    let mut depth = 0usize;
    for c in text.chars() {
        match c {
            '[' => depth += 1,
            ']' if depth == 0 => return false,
            ']' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

/// The target of a link: only https, and every character that could end the link or that a URL
/// does not hold is percent-encoded. None if it must not be linked.
pub(super) fn link_target(url: &str) -> Option<String> {
    let rest = url.strip_prefix("https://")?;
    let mut target = String::from("https://");
    for byte in rest.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/:?#@!$&'*+,;=%".contains(&byte) {
            target.push(char::from(byte));
        } else {
            target.push_str(&format!("%{byte:02X}"));
        }
    }
    Some(target)
}

#[cfg(test)]
mod tests;

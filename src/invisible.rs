//! Characters that nobody sees, or that turn the writing direction: what a stranger's text hides with.

/// Whether nothing of `text` can be seen.
pub fn is_blank(text: &str) -> bool {
    let is_unseen = |c: char| c.is_whitespace() || c.is_control() || is_invisible(c);
    text.chars().all(is_unseen)
}

/// Soft hyphen, zero-width and direction marks, embeddings, overrides and isolates, invisible operators,
/// byte-order mark, interlinear annotation, and the tag and variation planes, in which whole sentences can hide. Control characters are not among them: `char::is_control` tells those.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{61C}' | '\u{180E}'
        | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}'
        | '\u{FFF9}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E0FFF}')
}

use proptest::prelude::*;

use super::*;

#[test]
fn ordinary_text_passes_unchanged() {
    for text in [
        "Plugins call `exec` (a_b, *c*, 1 < 2, x <- y) and 5 > 3 & more.",
        "Docker stack via `make web` (docker/docker-compose.yml): [A] and a[0](b",
    ] {
        let expected = text.replace("](", "]\\(");
        assert_eq!(inline(text), expected);
        assert_eq!(paragraph(text), expected);
    }
    assert_eq!(code("rg -n 'a|b'"), "`rg -n 'a|b'`");
    assert_eq!(
        link_text("src/app/[id]/page.tsx:5"),
        "src/app/[id]/page.tsx:5"
    );
}

#[test]
fn white_space_becomes_a_space_and_the_invisible_goes() {
    assert_eq!(plain("a\nb\tc\u{2028}d"), "a b c d");
    assert_eq!(plain("\u{1b}[31mred\u{7}"), "[31mred");
    assert_eq!(
        plain("a\u{202E}b\u{2066}c\u{200B}d\u{E0041}e\u{FEFF}"),
        "abcde"
    );
}

#[test]
fn tags_and_links_are_inert() {
    assert_eq!(
        inline("<script>x</script><!-- a"),
        "&lt;script>x&lt;/script>&lt;!-- a"
    );
    assert_eq!(inline("[a](javascript:b)"), "[a]\\(javascript:b)");
    assert_eq!(inline("![a](https://b)"), "![a]\\(https://b)");
    assert_eq!(inline("`a](b)` <\u{200B}b>"), "`a](b)` &lt;b>");
}

#[test]
fn a_code_span_cannot_run_on() {
    assert_eq!(inline("a ` b"), "a \\` b");
    assert_eq!(inline("``a` b"), "\\`\\`a\\` b");
    assert_eq!(inline("``a`b`` c"), "``a`b`` c");
    assert_eq!(inline("\\`a` b"), "\\`a\\` b");
    assert_eq!(inline("\\\\`a` b"), "\\\\`a` b");
}

#[test]
fn a_paragraph_begins_no_block() {
    for (text, expected) in [
        ("# Score", "\\# Score"),
        ("- item", "\\- item"),
        ("---", "\\---"),
        ("* * *", "\\* * *"),
        ("~~~", "\\~~~"),
        ("> quote", "\\> quote"),
        ("10) item", "10\\) item"),
        ("```sh", "\\`\\`\\`sh"),
        ("[a]: javascript:b", "\\[a]: javascript:b"),
        ("    code", "code"),
        ("\u{1b}    code", "code"),
        ("--flag is off", "--flag is off"),
        ("*bold* text", "*bold* text"),
        ("2 tools", "2 tools"),
    ] {
        assert_eq!(paragraph(text), expected);
    }
}

#[test]
fn code_spans_hold_backticks() {
    assert_eq!(code("a`b"), "``a`b``");
    assert_eq!(code("`a"), "`` `a ``");
    assert_eq!(code(" a "), "`  a  `");
    assert_eq!(code(""), "`  `");
    assert_eq!(code("a\n\u{1b}b"), "`a b`");
}

#[test]
fn link_texts_keep_only_balanced_brackets() {
    assert_eq!(link_text("a](b:1"), "a\\](b:1");
    assert_eq!(link_text("[a](b):1"), "\\[a\\](b):1");
    assert_eq!(link_text("a`b\\:1"), "a\\`b\\\\:1");
    assert_eq!(link_text("a[b:1"), "a\\[b:1");
}

#[test]
fn only_https_is_linked() {
    for url in [
        "javascript:alert(1)",
        "http://a",
        "data:x",
        "//a",
        "HTTPS://a",
        "",
    ] {
        assert_eq!(link_target(url), None, "{url}");
    }
    assert_eq!(
        link_target("https://a/b c(d)é<e>#L1-L2").as_deref(),
        Some("https://a/b%20c%28d%29%C3%A9%3Ce%3E#L1-L2")
    );
    assert_eq!(
        link_target("https://a/%5Bid%5D").as_deref(),
        Some("https://a/%5Bid%5D")
    );
}

/// Text in which everything that matters is frequent.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("<"),
        Just("b"),
        Just("/"),
        Just("!"),
        Just("`"),
        Just("``"),
        Just("\\"),
        Just("]"),
        Just("["),
        Just("("),
        Just(")"),
        Just(" "),
        Just("#"),
        Just("1."),
        Just("- "),
        Just("|"),
        Just("\n"),
        Just("\u{1b}"),
        Just("\u{202E}"),
        Just("\u{200B}"),
        Just("é"),
        Just("&lt;"),
    ];
    prop_oneof![
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat()),
        any::<String>(),
    ]
}

fn is_clean(text: &str) -> bool {
    text.chars().all(|c| !c.is_control() && !is_invisible(c))
}

fn has_tag(text: &str) -> bool {
    text.match_indices('<')
        .any(|(at, _)| starts_tag(&text[at + 1..]))
}

/// Markdown text with a dot for each code span and each escaped character.
fn outside_code(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let fence = backticks(rest);
        let closing = closing_fence(&rest[fence..], fence);
        let (length, shown) = match (c, closing) {
            ('\\', _) => (rest.chars().take(2).map(char::len_utf8).sum(), '.'),
            ('`', Some(at)) => (fence + at + fence, '.'),
            _ => (c.len_utf8(), c),
        };
        out.push(shown);
        rest = &rest[length..];
    }
    out
}

proptest! {
    #[test]
    fn nothing_invisible_is_printed(text in hostile()) {
        for escape in [plain, inline, paragraph, cell, code, link_text] {
            prop_assert!(is_clean(&escape(&text)), "{:?}", escape(&text));
        }
    }

    #[test]
    fn no_tag_no_link_and_no_open_code_span_is_left(text in hostile()) {
        for escape in [inline, paragraph, link_text] {
            let escaped = escape(&text);
            prop_assert!(!has_tag(&escaped), "{escaped:?}");
            let outside = outside_code(&escaped);
            prop_assert!(!outside.contains("](") && !outside.contains('`'), "{escaped:?}");
        }
    }

    #[test]
    fn escaping_twice_changes_nothing_more(text in hostile()) {
        for escape in [plain, inline, paragraph] {
            let once = escape(&text);
            prop_assert_eq!(escape(&once), once);
        }
    }

    #[test]
    fn a_code_span_is_closed_by_its_own_fence_only(text in hostile()) {
        let span = code(&text);
        let fence = backticks(&span);
        let closes = closing_fence(&span[fence..], fence).map(|at| at + 2 * fence);
        prop_assert_eq!(closes, Some(span.len()));
    }

    #[test]
    fn a_link_target_cannot_end_early(text in hostile()) {
        let target = link_target(&format!("https://{text}")).unwrap();
        prop_assert!(target.is_ascii());
        prop_assert!(!target.contains(['(', ')', '<', '>', ' ', '`', '\\', '[', ']', '"']));
        prop_assert_eq!(link_target(&target), Some(target));
    }

    #[test]
    fn a_link_text_has_balanced_brackets(text in hostile()) {
        prop_assert!(brackets_balance(&outside_code(&link_text(&text))));
    }
}

#[test]
fn posted_text_notifies_nobody_and_links_nowhere() {
    for (text, expected) in [
        ("plain text, no marks", "plain text, no marks"),
        ("ask @alice, now", "ask `@alice,` now"),
        ("fixes #12 and o/n#3", "fixes `#12` and `o/n#3`"),
        ("`@in` code", "`@in` code"),
        ("`x`@y", "`x` `@y`"),
        ("@y`x`", "`@y` `x`"),
        ("\\@y", "\\ `@y`"),
        ("a ` b @x", "a \\` b `@x`"),
        ("see https://x.example/a", "see `https://x.example/a`"),
        (
            "GH-1 &#64;bob &commat;bob",
            "`GH-1` `&#64;bob` `&commat;bob`",
        ),
        ("C# and R & D, 5 # 3", "C# and R & D, 5 # 3"),
    ] {
        assert_eq!(unlinked(text), expected, "{text}");
    }
}

proptest! {
    /// Whatever the text, a reader of Markdown finds no mark outside of a code span.
    #[test]
    fn no_mark_is_left_outside_of_code(text in "[a@#1`\\\\<\\](& ;/:w.]{0,24}") {
        let posted = unlinked(&text);
        let mut outside = String::new();
        let mut rest = posted.as_str();
        while let Some(at) = rest.find(['`', '\\']) {
            outside.push_str(&rest[..at]);
            rest = &rest[at..];
            if let Some(escaped) = rest.strip_prefix('\\') {
                outside.push('\\');
                let skipped = escaped.chars().next().filter(char::is_ascii_punctuation);
                outside.extend(skipped);
                rest = &escaped[skipped.map_or(0, char::len_utf8)..];
                continue;
            }
            let fence = backticks(rest);
            match closing_fence(&rest[fence..], fence) {
                Some(end) => {
                    outside.push('\0');
                    rest = &rest[fence + end + fence..];
                }
                None => prop_assert!(false, "a code span is open: {posted:?} of {text:?}"),
            }
        }
        outside.push_str(rest);
        for mark in ["@a", "#1", "://", "www."] {
            prop_assert!(!outside.contains(mark), "{mark}: {posted:?} of {text:?}");
        }
    }
}

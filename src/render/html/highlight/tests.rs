use proptest::prelude::*;

use super::*;

/// The lines with each coloured stretch in brackets behind its kind's first letter.
fn marked(file: &str, text: &str) -> String {
    let mark = |token: &Token| match token.kind {
        Kind::Plain => token.text.clone(),
        Kind::Comment => format!("c[{}]", token.text),
        Kind::String => format!("s[{}]", token.text),
        Kind::Number => format!("n[{}]", token.text),
        Kind::Keyword => format!("k[{}]", token.text),
    };
    let lines = highlight(file, text.lines());
    let lines = lines.iter().map(|line| line.iter().map(mark).collect());
    lines.collect::<Vec<String>>().join("\n")
}

#[test]
fn each_family_has_its_own_comments_and_strings() {
    for (file, text, expected) in [
        (
            "a/b.go",
            "return f(\"a\\\"b\", 24) // c",
            "k[return] f(s[\"a\\\"b\"], n[24]) c[// c]",
        ),
        ("b.py", "x = 'a' # b", "x = s['a'] c[# b]"),
        ("c.rs", "fn f<'a>(x: &'a str)", "k[fn] f<'a>(x: &'a str)"),
        (
            "d.yml",
            "restart: \"no\" # for now",
            "restart: s[\"no\"] c[# for now]",
        ),
        ("e/Dockerfile", "USER 1000", "USER n[1000]"),
        ("f.md", "for # 12 'x'", "for # 12 'x'"),
        ("g.ts", "a // 1", "a c[// 1]"),
        ("h.py", "it's fine", "it's fine"),
    ] {
        assert_eq!(marked(file, text), expected, "{file}");
    }
}

#[test]
fn comments_and_strings_go_on_over_line_ends() {
    assert_eq!(marked("a.go", "x /* a\nb */ 1"), "x c[/* a]\nc[b */] n[1]");
    assert_eq!(marked("a.py", "'''a\nb''' 1"), "s['''a]\ns[b'''] n[1]");
}

proptest! {
    #[test]
    fn nothing_is_lost_or_added(name in "[a-z]{1,3}\\.(go|rs|py|yml|json|md)", lines in prop::collection::vec("\\PC{0,40}", 0..6)) {
        let coloured = highlight(&name, lines.iter().map(String::as_str));
        let text: Vec<String> = coloured
            .iter()
            .map(|line| line.iter().map(|token| token.text.as_str()).collect())
            .collect();
        prop_assert_eq!(text, lines);
    }
}

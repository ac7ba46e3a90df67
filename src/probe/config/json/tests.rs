use crate::probe::config::tests::{failure, read};

#[test]
fn objects_arrays_and_their_lines() {
    let text = "{\n  \"a\": {\"b\": [1, true,\n    null, -2.5e3]},\n  \"c\":\n    \"d\",\n \"e\": {}, \"f\": [\n ],\n \"g\": [[\"h\"], {\"i\": \"\"}]\n}\n";
    assert_eq!(
        read("a.json", text),
        [
            "2 a.b.0 = 1",
            "2 a.b.1 = true",
            "3 a.b.2 = ",
            "3 a.b.3 = -2.5e3",
            "5 c = d",
            "6 e = ",
            "6 f = ",
            "8 g.0.0 = h",
            "8 g.1.i = ",
        ]
    );
}

#[test]
fn strings_lose_quotes_and_escapes() {
    let text = r#"{"a\"b": "x\\y\u00e9\n", "c": "\q", "d": "// no comment", "e": "/* nor */", "f": " g "}"#;
    assert_eq!(
        read("a.json", text),
        [
            "1 a\"b = x\\yé\n",
            "1 c = \\q",
            "1 d = // no comment",
            "1 e = /* nor */",
            "1 f =  g "
        ]
    );
}

#[test]
fn comments_and_trailing_commas() {
    let text = "// \"z\": 0\n{\n  /* \"y\": {\n  */ \"a\": 1, // one\n  \"b\": [2, /* two */ 3,],\n  \"u\": \"http://x//y\", // \"z\"\n}\n/***/\n";
    assert_eq!(
        read("settings.json", text),
        ["4 a = 1", "5 b.0 = 2", "5 b.1 = 3", "6 u = http://x//y"]
    );
}

#[test]
fn windows_line_ends() {
    assert_eq!(
        read("a.json", "{\r\n\"a\": 1,\r\n\"b\":\r\n\"é\"}\r\n"),
        ["2 a = 1", "4 b = é"]
    );
}

#[test]
fn a_repeated_key_is_kept_twice() {
    assert_eq!(
        read("a.json", "{\"a\": 1, \"a\": 2}"),
        ["1 a = 1", "1 a = 2"]
    );
}

#[test]
fn a_text_that_breaks_off_keeps_its_keys() {
    let (entries, line) = failure(
        "a.json",
        "{\"a\": {\n \"b\": 1,\n \"c\": [2, 3,\n {\"d\": 4, \"e\":",
    );
    assert_eq!(
        entries,
        ["2 a.b = 1", "3 a.c.0 = 2", "3 a.c.1 = 3", "4 a.c.2.d = 4"]
    );
    assert!((1..=4).contains(&line));
}

#[test]
fn an_error_leaves_what_is_around_it() {
    let (entries, line) = failure("a.json", "{\"a\": 1,\n \"b\": {{ x }},\n \"c\": 3}\n");
    assert_eq!(entries.first().map(String::as_str), Some("1 a = 1"));
    assert_eq!(line, 2);
}

#[test]
fn a_lone_scalar_has_no_key() {
    assert!(read("a.json", "\"x\"").is_empty());
}

#[test]
fn the_spare_key_of_json5() {
    assert_eq!(
        read("a.json5", "{a: 'it\\'s', \"b\": +.5,}"),
        ["1 a = it's", "1 b = +.5"]
    );
}

#[test]
fn every_token_out_of_place_is_reported() {
    let broken = [
        "{\n\"a\" 1}",
        "{\n\"a\", 1}",
        "{\n:1}",
        "{\n\"a\"}",
        "{\"a\":\n}",
        "[1\n2]",
        "[1,\n,2]",
        "[\n:]",
        "[\n}]",
        "[\n1",
        "{\"a\":\n\"b",
        "{\"a\":\n1e}",
        "{\"a\":\n{{}}}",
        "{\"a\"\n::1}",
        ",\n",
    ];
    for text in broken {
        let line = if text.starts_with(',') { 1 } else { 2 };
        assert_eq!(failure("a.json", text).1, line, "{text:?}");
    }
}

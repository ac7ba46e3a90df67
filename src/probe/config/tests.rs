//! Tests of what all formats share, and the helpers of their own tests.

use super::{ConfigLimits, Entry, Reason, flatten};

/// Limits that no honest test reaches.
pub const LIMITS: ConfigLimits = ConfigLimits {
    max_entries: 1000,
    max_depth: 64,
    max_bytes: 1 << 20,
};

/// Entries as `LINES KEY = VALUE`; the file must be read to its end.
pub fn read(path: &str, text: &str) -> Vec<String> {
    let entries = flatten(path, text, &LIMITS).unwrap();
    entries.iter().map(show).collect()
}

/// Entries, and the line of the trouble, of a file that cannot be read to its end.
pub fn failure(path: &str, text: &str) -> (Vec<String>, u32) {
    let error = flatten(path, text, &LIMITS).unwrap_err();
    (error.entries.iter().map(show).collect(), error.line)
}

fn show(entry: &Entry) -> String {
    let lines = match entry.lines {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}-{last}"),
    };
    format!("{lines} {} = {}", entry.key.join("."), entry.value)
}

#[test]
fn an_unknown_name_is_refused() {
    let error = flatten("src/main.py", "a = 1", &LIMITS).unwrap_err();
    assert_eq!(error.reason, Reason::UnknownFormat);
    assert!(error.entries.is_empty());
}

#[test]
fn an_error_names_file_line_and_trouble() {
    let error = flatten("conf/a.toml", "a = 1\nb = \n", &LIMITS).unwrap_err();
    assert!(error.to_string().starts_with("conf/a.toml:2: "), "{error}");
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_key() {
    for path in ["a.yaml", "a.toml", ".env"] {
        let (separator, value) = if path == "a.yaml" {
            (": ", "1")
        } else {
            ("=", "1")
        };
        let text = format!("\u{feff}A{separator}{value}\n");
        assert_eq!(read(path, &text), ["1 A = 1"], "{path}");
    }
    assert_eq!(read("a.json", "\u{feff}{\"A\": 1}"), ["1 A = 1"]);
    assert_eq!(read("Dockerfile", "\u{feff}USER a"), ["1 USER = a"]);
}

/// One file of many values for each format.
fn many_values(count: usize) -> [(&'static str, String); 5] {
    [
        ("a.yaml", "- v\n".repeat(count)),
        (
            "a.toml",
            (0..count).map(|n| format!("k{n} = 'v'\n")).collect(),
        ),
        ("a.json", format!("[{}0]", "0,".repeat(count - 1))),
        (".env", "A=v\n".repeat(count)),
        ("Dockerfile", "USER a\n".repeat(count)),
    ]
}

#[test]
fn entries_are_limited() {
    let limits = ConfigLimits {
        max_entries: 10,
        ..LIMITS
    };
    for (path, text) in many_values(10) {
        assert_eq!(flatten(path, &text, &limits).unwrap().len(), 10, "{path}");
    }
    for (path, text) in many_values(11) {
        let error = flatten(path, &text, &limits).unwrap_err();
        assert_eq!(error.reason, Reason::TooManyEntries(10), "{path}");
        assert_eq!(error.entries.len(), 10, "{path}");
        assert_eq!(error.line, if path == "a.json" { 1 } else { 11 }, "{path}");
    }
}

#[test]
fn bytes_are_limited() {
    let limits = ConfigLimits {
        max_bytes: 100,
        ..LIMITS
    };
    for (path, text) in many_values(200) {
        let error = flatten(path, &text, &limits).unwrap_err();
        assert_eq!(error.reason, Reason::TooManyBytes(100), "{path}");
        assert!((10..=100).contains(&error.entries.len()), "{path}");
    }
}

#[test]
fn nesting_is_limited_and_cheap() {
    let depth = 10_000;
    let texts = [
        ("flow.yaml", "a: 1\nb: ".to_owned() + &"[".repeat(depth)),
        (
            "compact.yaml",
            "a: 1\nb:\n ".to_owned() + &"- ".repeat(depth) + "x",
        ),
        (
            "a.toml",
            "a = 1\nb = ".to_owned() + &"[".repeat(depth) + &"]".repeat(depth),
        ),
        (
            "dotted.toml",
            "a = 1\nb = ".to_owned() + &"{k.k.k.k.k.k = ".repeat(depth),
        ),
        (
            "a.json",
            "{\"a\": 1,\n \"b\": ".to_owned() + &"[".repeat(depth) + &"]".repeat(depth) + "}",
        ),
        (
            "open.json",
            "{\"a\": 1,\n \"b\": ".to_owned() + &"{\"k\":".repeat(depth),
        ),
    ];
    for (path, text) in texts {
        let error = flatten(path, &text, &LIMITS).unwrap_err();
        assert_eq!(
            error.entries.first().map(show).as_deref(),
            Some("1 a = 1"),
            "{path}"
        );
        assert!((2..=3).contains(&error.line), "{path}: {error}");
    }
}

/// Pieces of all the syntaxes; texts put together from them reach most corners of the readers.
const PIECES: [&str; 60] = [
    "a",
    "b: ",
    "key",
    "= ",
    "=",
    ":",
    ": ",
    "- ",
    "-",
    "\n",
    "\n  ",
    "\n    ",
    "\r\n",
    "\r",
    " ",
    "\t",
    "[",
    "]",
    "{",
    "}",
    ",",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "`",
    "\\",
    "\\\n",
    "#",
    " # x",
    "//",
    "/*",
    "*/",
    "|",
    ">-",
    "&a ",
    "*a",
    "<<: *a",
    "!!str ",
    "? ",
    "---\n",
    "...",
    "%",
    "null",
    "~",
    "1",
    "0x",
    "1979-05-27",
    "{{ x }}",
    "RUN <<EOF",
    "EOF",
    "ENV ",
    "FROM ",
    "export ",
    "[[",
    "]]",
    ".",
    "é",
    "\u{2028}",
    "\0",
];

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(2000))]

    #[test]
    fn no_text_panics_and_lines_exist(pieces in proptest::collection::vec(0..PIECES.len(), 0..40)) {
        let text: String = pieces.into_iter().map(|piece| PIECES[piece]).collect();
        let last = u32::try_from(text.split('\n').count()).unwrap();
        for path in ["a.yaml", "a.toml", "a.json", ".env", "Dockerfile"] {
            let entries = match flatten(path, &text, &LIMITS) {
                Ok(entries) => entries,
                Err(error) => {
                    assert!((1..=last).contains(&error.line), "{path} {text:?} {error}");
                    error.entries
                }
            };
            for Entry { key, lines: (first, to), .. } in entries {
                assert!(1 <= first && first <= to && to <= last, "{path} {text:?} {key:?} {first}-{to}");
            }
        }
    }
}

//! What matches in a file, and how it is counted.

use super::repository::{Repository, check, refusal};

const TEXT: &[u8] =
    b"needle one\nnothing\nNeedle two\nneedles need less\n\n  \nshared(\n    a.b)\n";

#[test]
fn matching_follows_the_flags() {
    let repository = Repository::new(&[
        ("a.txt", TEXT),
        ("u.txt", "straße café İ\nſecret \u{212a}elvin\n".as_bytes()),
    ]);
    check(
        &repository,
        &[
            ("rg -n needle", ".", 2),
            ("rg -n -i needle", ".", 3),
            ("rg -n -S needle", ".", 3),
            ("rg -n -S Needle", ".", 1),
            ("rg -n -i -S Needle", ".", 1),
            ("rg -n -w needle", ".", 1),
            ("rg -n -x nothing", ".", 1),
            ("rg -n -x -i 'needle.*'", ".", 3),
            ("rg -n -F a.b", ".", 1),
            ("rg -n -F '(?i)needle'", ".", 0),
            ("rg -n 'a.b|(?i)NEEDLE'", ".", 4),
            ("rg -n -e nothing -e shared", ".", 2),
            ("rg -n -v needle", "a.txt", 6),
            ("rg -n -i secret", ".", 1),
            ("rg -n -i kelvin", ".", 1),
            ("rg -n -i CAFÉ", ".", 1),
            (r"rg -n '\w+ße'", ".", 1),
            (r"rg -n -U 'shared\(\n\s+a'", ".", 2),
            (r"rg -n -U -o 'shared\(\n\s+a'", ".", 2),
            (r"rg -n '^\s*$'", ".", 2),
            ("rg -n -e -x", ".", 0),
            ("rg -n -- needle", ".", 2),
        ],
    );
    assert!(refusal(&repository, "rg -n 'a('", ".").starts_with("pattern `a(` is refused"));
    assert!(refusal(&repository, r"rg -n 'a\nb'", ".").contains(r#""\n" is not allowed"#));
}

#[test]
fn hits_are_the_lines_that_are_printed_and_not_blank() {
    let repository = Repository::new(&[
        ("a.txt", TEXT),
        ("b.txt", b"needle\n"),
        ("c.txt", b"none\n"),
    ]);
    check(
        &repository,
        &[
            ("rg -n ''", "a.txt", 8),
            ("rg ''", "a.txt", 6),
            ("rg '' -N -H", "a.txt", 8),
            ("rg ''", "a.txt b.txt", 9),
            ("rg ''", ".", 10),
            ("rg -n -o 'need|less?'", "a.txt", 5),
            (r"rg -o '\s+'", "a.txt", 0),
            (r"rg -n -o '\s+'", "a.txt", 6),
            ("rg -c needle", ".", 2),
            ("rg -l needle", ".", 2),
            ("rg -c -v needle", ".", 2),
            ("rg -l -v needle", ".", 2),
            ("rg -c needle", "a.txt", 1),
            ("rg -c needle", "c.txt", 0),
        ],
    );
}

#[test]
fn binary_files_are_given_up_when_found_and_searched_when_named() {
    let late = [
        b"needle line\n".repeat(20_000),
        b"\0\n".to_vec(),
        b"needle\n".repeat(5),
    ]
    .concat();
    let repository = Repository::new(&[
        ("early/f", b"needle\n\0binary\nneedle\n"),
        ("late/f", &late),
    ]);
    check(
        &repository,
        &[
            ("rg -n needle", "early", 0),
            ("rg -n needle", "early/f", 1),
            ("rg -n needle", "late", 16_384),
            ("rg -c needle", "late", 0),
            ("rg -l needle", "late", 1),
            ("rg -n needle", "late/f", 20_005),
            ("rg -n needle", "early/f early", 1),
        ],
    );
}

#[test]
fn encodings_and_line_endings() {
    let utf16: Vec<u8> = "\u{feff}needle here\nand needle\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let repository = Repository::new(&[
        ("utf16/f", &utf16),
        ("bom/f", b"\xef\xbb\xbfneedle\nneedle\n"),
        ("invalid/f", b"needle \xff\xfe x\n\xc3\x28 needle\n"),
        ("crlf/f", b"needle\r\nother\r\nneedle end\r\n"),
        ("open/f", b"needle\nneedle"),
        ("cr/f", b"needle\rneedle\rx\n"),
    ]);
    check(
        &repository,
        &[
            ("rg -n needle", "utf16", 2),
            ("rg -n '^needle'", "utf16/f", 1),
            ("rg -n '^needle'", "bom", 2),
            ("rg -n needle", "invalid", 2),
            ("rg -n 'needle .+ x'", "invalid", 0),
            ("rg -n 'needle$'", "crlf", 0),
            (r"rg -n 'needle\r?$'", "crlf", 1),
            ("rg -n needle", "open", 2),
            ("rg -n needle", "cr", 1),
        ],
    );
}

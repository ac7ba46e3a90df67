//! Writes commands and scopes that a shell, Python's `shlex` and [`Query`](super::Query) all read back as they were.

/// A command from its flags and its pattern, such as `rg -n -i 'a|b'`.
///
/// A flag's value is a word of its own: `["-n", "-g", "!*_test.go"]`. The pattern is always quoted; one that begins
/// with a dash is given with `-e`.
pub fn quote_command(flags: &[&str], pattern: &str) -> String {
    let mut words = vec!["rg".to_owned()];
    words.extend(flags.iter().map(|flag| quote_word(flag)));
    if pattern.starts_with('-') {
        words.push("-e".to_owned());
    }
    words.push(quoted(pattern));
    words.join(" ")
}

/// A scope from its paths. The empty path is the repository's root; a path that begins with a dash gets `./` before it,
/// because ripgrep would take it for a flag.
pub fn quote_scope<P: AsRef<str>>(paths: &[P]) -> String {
    let word = |path: &P| match path.as_ref() {
        "" => ".".to_owned(),
        path if path.starts_with('-') => quote_word(&format!("./{path}")),
        path => quote_word(path),
    };
    paths.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// A word of a command, in quotes where it needs them.
pub fn quote_word(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./,:@%+=".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        word.to_owned()
    } else {
        quoted(word)
    }
}

/// Single quotes only: inside double quotes shells and Python disagree about what a backslash does.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
#[allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a broken test set-up has to stop the test"
)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Query, scope};
    use super::*;

    #[test]
    fn a_card_reads_like_one_written_by_hand() {
        assert_eq!(quote_command(&["-n", "-i"], "a|b"), "rg -n -i 'a|b'");
        assert_eq!(
            quote_command(&["-n", "-g", "!*_test.go"], "timeout"),
            "rg -n -g '!*_test.go' 'timeout'"
        );
        assert_eq!(quote_command(&["-n"], "it's"), r"rg -n 'it'\''s'");
        assert_eq!(quote_command(&["-n"], "--pre"), "rg -n -e '--pre'");
        assert_eq!(
            quote_scope(&["src/a b", "", "-x", "lib"]),
            "'src/a b' . ./-x lib"
        );
    }

    proptest! {
        #[test]
        fn every_pattern_and_glob_is_read_back(pattern in "[^\0]*", glob in "[^\0]*") {
            let query = Query::parse(&quote_command(&["-n", "-g", &glob], &pattern)).expect("own command");
            prop_assert_eq!(query.patterns, [pattern]);
            prop_assert_eq!(query.selection.globs, [glob]);
        }

        #[test]
        fn every_path_is_read_back(paths in proptest::collection::vec("[^/\0.][^/\0]*(/[^/\0.]{1,3})*", 1..4)) {
            prop_assert_eq!(scope::split(&quote_scope(&paths)).expect("own scope"), paths);
        }
    }
}

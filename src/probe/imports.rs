//! Import statements, as written: what a file draws in from its own project is worked out later.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::compile::text_regex;

/// More imports of one file than this are not followed.
const MOST: usize = 200;

/// Compiled once; a pattern that did not compile would yield no imports, and the tests below would fail.
static PYTHON: LazyLock<Option<Regex>> = LazyLock::new(|| {
    text_regex(r"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]{0,2000}\)|[\w., \t]+)|import[ \t]+([\w.]+))").ok()
});
static SCRIPT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    text_regex(r#"(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*["']([^"'\n]+)["']"#).ok()
});
static GO: LazyLock<Option<Regex>> =
    LazyLock::new(|| text_regex(r#"^(?:import\s+|\t)(?:[\w.]+\s+)?"([\w./~-]+)"\s*$"#).ok());
static RUST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    text_regex(
        r"^\s*(?:pub(?:\([\w ]+\))?\s+)?(?:use\s+((?:crate|super|self)::[\w:]+)|mod\s+(\w+);)",
    )
    .ok()
});
static JAVA: LazyLock<Option<Regex>> =
    LazyLock::new(|| text_regex(r"^import\s+(?:static\s+)?([\w.]+)").ok());

/// Module names that `text` imports, in the notation of its language; for Python also each imported name as a
/// possible submodule.
pub(super) fn imports(language: &str, text: &[u8]) -> Vec<String> {
    let pattern = match language {
        "python" => &PYTHON,
        "javascript" | "typescript" | "tsx" => &SCRIPT,
        "go" => &GO,
        "rust" => &RUST,
        "java" => &JAVA,
        _ => return Vec::new(),
    };
    let Some(pattern) = pattern.as_ref() else {
        return Vec::new();
    };
    let mut names = Vec::new();
    for captures in pattern.captures_iter(text) {
        let group = |index: usize| {
            captures
                .get(index)
                .map(|m| String::from_utf8_lossy(m.as_bytes()).into_owned())
        };
        match (group(1), group(2), group(3)) {
            (Some(module), Some(members), _) => {
                names.push(module.clone());
                let join = if module.ends_with('.') { "" } else { "." };
                let words = members
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .filter(|w| !w.is_empty());
                names.extend(words.map(|word| format!("{module}{join}{word}")));
            }
            (Some(name), None, _) | (None, Some(name), _) | (None, None, Some(name)) => {
                names.push(name)
            }
            (None, None, None) => {}
        }
        if names.len() >= MOST {
            names.truncate(MOST);
            break;
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn python_members_may_be_modules() {
        let text = b"from .tools import (shell,\n  files)\nimport app.loop\n";
        assert_eq!(
            imports("python", text),
            [".tools", ".tools.shell", ".tools.files", "app.loop"]
        );
        assert_eq!(imports("python", b"from . import x\n"), [".", ".x"]);
    }

    #[test]
    fn scripts_go_rust_and_java() {
        assert_eq!(
            imports(
                "typescript",
                b"import { a } from './a.js';\nconst b = require(\"../b\");"
            ),
            ["./a.js", "../b"]
        );
        assert_eq!(
            imports(
                "go",
                b"import (\n\t\"fmt\"\n\tx \"example.com/m/internal/x\"\n)\n"
            ),
            ["fmt", "example.com/m/internal/x"]
        );
        assert_eq!(
            imports("rust", b"use crate::tools::shell;\nmod agent;\n"),
            ["crate::tools::shell", "agent"]
        );
        assert_eq!(
            imports("java", b"import com.example.Tool;\n"),
            ["com.example.Tool"]
        );
    }
}

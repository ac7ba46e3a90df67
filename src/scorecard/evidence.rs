//! Evidence: a place in the repository, or a search and its count (formats.md).

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a sentence of a card rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "EvidenceFile", into = "EvidenceFile")]
pub enum Evidence {
    /// Lines of a file at the pinned commit.
    Citation {
        /// Path from the repository's root, the subpath included.
        file: String,
        /// `N` or `N-M`, counted from 1. As authored: [`LineRange::parse`] reads it.
        lines: String,
        /// A literal text that stands on those lines.
        contains: Option<String>,
        /// Printed in parentheses behind the citation.
        note: Option<String>,
    },
    /// A ripgrep search that anyone can run again.
    Search {
        /// The command without its paths, such as `rg -n 'a|b'`.
        search: String,
        /// The paths it is given, separated by spaces.
        scope: String,
        /// How many non-empty lines it prints.
        hits: u64,
        /// Printed in parentheses behind the count.
        note: Option<String>,
    },
}

impl Evidence {
    /// Whether this is a search.
    pub fn is_search(&self) -> bool {
        matches!(self, Self::Search { .. })
    }
}

/// Lines of a file, both ends included, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineRange {
    /// The first line, at least 1.
    pub first: u32,
    /// The last line, at least `first`.
    pub last: u32,
}

impl LineRange {
    /// Reads `N` or `N-M`; none if the text is anything else, starts at 0 or runs backwards.
    pub fn parse(text: &str) -> Option<Self> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let range = Self {
            first: line_number(first)?,
            last: line_number(last)?,
        };
        (range.first >= 1 && range.first <= range.last).then_some(range)
    }
}

/// Digits only: `u32::from_str` alone would let a sign through.
fn line_number(text: &str) -> Option<u32> {
    text.bytes().all(|b| b.is_ascii_digit()).then_some(())?;
    text.parse().ok()
}

impl fmt::Display for LineRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last {
            write!(f, "{}", self.first)
        } else {
            write!(f, "{}-{}", self.first, self.last)
        }
    }
}

/// Evidence as it stands in a file: one object whose fields tell which of the two it is. An
/// untagged enum would do the same, but its errors name no field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EvidenceFile {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lines: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    contains: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    search: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scope: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hits: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// Only in `entry.json`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) url: Option<String>,
}

impl TryFrom<EvidenceFile> for Evidence {
    type Error = &'static str;

    fn try_from(read: EvidenceFile) -> Result<Self, Self::Error> {
        match read {
            EvidenceFile { url: Some(_), .. } => {
                Err("unknown field `url`: only a citation of entry.json has one")
            }
            EvidenceFile {
                file: Some(file),
                lines: Some(lines),
                contains,
                search: None,
                scope: None,
                hits: None,
                note,
                ..
            } => Ok(Self::Citation {
                file,
                lines,
                contains,
                note,
            }),
            EvidenceFile {
                file: None,
                lines: None,
                contains: None,
                search: Some(search),
                scope: Some(scope),
                hits: Some(hits),
                note,
                ..
            } => Ok(Self::Search {
                search,
                scope,
                hits,
                note,
            }),
            _ => Err(
                "evidence is either a citation (`file`, `lines`, optional `contains`) or a search (`search`, `scope`, `hits`)",
            ),
        }
    }
}

impl From<Evidence> for EvidenceFile {
    fn from(evidence: Evidence) -> Self {
        match evidence {
            Evidence::Citation {
                file,
                lines,
                contains,
                note,
            } => Self {
                file: Some(file),
                lines: Some(lines),
                contains,
                note,
                ..Self::default()
            },
            Evidence::Search {
                search,
                scope,
                hits,
                note,
            } => Self {
                search: Some(search),
                scope: Some(scope),
                hits: Some(hits),
                note,
                ..Self::default()
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ranges_are_one_line_or_a_span_forwards() {
        let range = |text| LineRange::parse(text).map(|r| (r.first, r.last));
        assert_eq!(range("7"), Some((7, 7)));
        assert_eq!(range("7-12"), Some((7, 12)));
        for wrong in [
            "",
            "0",
            "0-3",
            "9-7",
            "+7",
            "7-",
            "-7",
            "7-8-9",
            "7 - 8",
            "99999999999",
        ] {
            assert_eq!(range(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn evidence_is_one_of_two_kinds() {
        let read = |json: &str| serde_json::from_str::<Evidence>(json);
        assert!(read(r#"{"file": "a", "lines": "1"}"#).is_ok());
        assert!(read(r#"{"search": "rg a", "scope": ".", "hits": 0}"#).is_ok());
        for wrong in [
            r#"{}"#,
            r#"{"file": "a"}"#,
            r#"{"search": "rg a", "scope": "."}"#,
            r#"{"file": "a", "lines": "1", "hits": 0}"#,
            r#"{"file": "a", "lines": "1", "url": "https://x"}"#,
            r#"{"file": "a", "lines": "1", "extra": 1}"#,
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}

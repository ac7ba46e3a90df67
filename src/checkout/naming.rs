//! What a repository is called: its id and its name in a scorecard.

use crate::invisible::is_invisible;

/// Words that are written in capitals in a name.
const ACRONYMS: [&str; 9] = ["ai", "api", "cli", "db", "llm", "mcp", "sdk", "sql", "ui"];

/// The last part of a remote or a path: what the repository is called.
pub fn last_segment(remote: &str) -> &str {
    let trimmed = without_git(remote);
    trimmed.rsplit(['/', ':']).next().unwrap_or(trimmed)
}

/// A remote or a path without the `.git` of a bare repository or of a folder's own repository at its end.
pub(super) fn without_git(remote: &str) -> &str {
    let trimmed = remote.trim_end_matches('/');
    let trimmed = trimmed.strip_suffix(".git").unwrap_or(trimmed);
    trimmed.trim_end_matches('/')
}

/// Names that say nothing without their owner's.
const GENERIC: [&str; 8] = [
    "agent",
    "agents",
    "app",
    "mcp",
    "mcp-server",
    "server",
    "servers",
    "sdk",
];

/// The display name of a remote: its last part, with the owner's name before it where that part alone says nothing.
pub fn project_name(remote: &str) -> String {
    let name = last_segment(remote);
    let owner = without_git(remote)
        .strip_suffix(name)
        .map(last_segment)
        .unwrap_or_default();
    match GENERIC.contains(&slug(name).as_str()) && !owner.is_empty() {
        true => format!("{} {}", display_name(owner), display_name(name)),
        false => display_name(name),
    }
}

/// `text` as an id: `[a-z0-9][a-z0-9-]*` (formats.md). A text without any such character gives `repository`.
pub fn slug(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let parts: Vec<&str> = lower
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|part| !part.is_empty())
        .collect();
    if parts.is_empty() {
        "repository".to_owned()
    } else {
        parts.join("-")
    }
}

/// `text` (a repository's or folder's name) as people write it: words apart and capitalised, acronyms in
/// capitals, and a word with capitals of its own left alone. A text without any word gives `Repository`.
pub fn display_name(text: &str) -> String {
    let seen: String = text.chars().filter(|c| !is_invisible(*c)).collect();
    let words: Vec<String> = seen
        .split(|c: char| matches!(c, '-' | '_') || c.is_whitespace())
        .filter(|word| !word.is_empty())
        .map(display_word)
        .collect();
    match words.is_empty() {
        true => "Repository".to_owned(),
        false => words.join(" "),
    }
}

fn display_word(word: &str) -> String {
    if word.chars().any(char::is_uppercase) {
        return word.to_owned();
    }
    if ACRONYMS.contains(&word) {
        return word.to_ascii_uppercase();
    }
    let mut letters = word.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_names() {
        assert_eq!(slug("Some_Agent.js"), "some-agent-js");
        assert_eq!(slug("--x--"), "x");
        assert_eq!(slug("日本"), "repository");
        assert_eq!(display_name("some-agent"), "Some Agent");
        assert_eq!(display_name("--"), "Repository");
        assert_eq!(display_name(" \u{202e}\u{3000}"), "Repository");
        assert_eq!(
            project_name("https://example.com/o/some-agent/.git"),
            "Some Agent"
        );
        assert_eq!(project_name("/srv/some-agent.git/"), "Some Agent");
        assert_eq!(display_name("mcp_server"), "MCP Server");
        assert_eq!(display_name("SomeAgent"), "SomeAgent");
        assert_eq!(
            project_name("https://example.com/some-org/mcp"),
            "Some Org MCP"
        );
        assert_eq!(
            project_name("git@example.com:some-org/mcp.git"),
            "Some Org MCP"
        );
        assert_eq!(
            project_name("https://example.com/o/some-agent"),
            "Some Agent"
        );
        assert_eq!(project_name("mcp"), "MCP");
        assert_eq!(last_segment("git@example.com:n.git"), "n");
        assert_eq!(last_segment("https://example.com/o/n/"), "n");
    }
}

//! `audit leaderboard`: cards of a folder, ranked.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{AGENT, Repo, audit_in, told};

/// A folder with cards that are made from one real card.
struct Cards {
    folder: tempfile::TempDir,
    card: Value,
}

impl Cards {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let repo = Repo::of(AGENT);
        let out = folder.path().join("made");
        let arguments = [".", "--quiet", "--out", out.to_str().unwrap()];
        assert_eq!(told(&audit_in(repo.path(), &arguments)).2, 0);
        let text = fs::read_to_string(out.join("scorecard.json")).unwrap();
        fs::remove_dir_all(out).unwrap();
        let mut card: Value = serde_json::from_str(&text).unwrap();
        card["pinned_commit"] = json!("0123456789012345678901234567890123456789");
        Self { folder, card }
    }

    /// Writes the card as `run/id`, with `level` for each parameter of C10 and other `fields`.
    fn put(&self, run: &str, id: &str, level: u8, fields: &[(&str, Value)]) -> PathBuf {
        let mut card = self.card.clone();
        card["id"] = json!(id);
        card["name"] = json!(format!("Agent {id}"));
        card["repo_url"] = json!(format!("https://example.com/o/{id}"));
        for (field, value) in fields {
            card[*field] = value.clone();
        }
        for parameter in ["S", "C", "D", "B"] {
            assert_eq!(card["criteria"][9]["id"], "C10");
            let rating = &mut card["criteria"][9]["parameters"][parameter];
            rating["level"] = json!(level);
            rating["status"] = json!("verified");
        }
        card["criteria"][9]["caps"] = json!([]);
        card["fixes"] = json!([]);
        let place = self.folder.path().join(run).join(id);
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join("scorecard.json"), card.to_string()).unwrap();
        place
    }

    fn board(&self, arguments: &[&str]) -> (String, String, i32) {
        let arguments = [&["leaderboard"], arguments].concat();
        told(&audit_in(self.folder.path(), &arguments))
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }
}

#[test]
fn ranks_ties_categories_changes_and_what_has_no_card() {
    let cards = Cards::new();
    cards.put("old", "alpha", 3, &[]);
    cards.put("old", "beta", 2, &[]);
    cards.put("old", "gone", 1, &[]);
    cards.put(
        "new",
        "alpha",
        2,
        &[("pinned_commit", json!("f".repeat(40)))],
    );
    cards.put("new", "beta", 2, &[]);
    cards.put("new", "delta", 3, &[("category", json!("cybersecurity"))]);
    cards.put("new", "gamma", 1, &[]);
    let failed = cards.put("new", "late", 3, &[]);
    fs::write(
        failed.join("failure.json"),
        r#"{"id": "late", "code": 18, "reason": "the network failed"}"#,
    )
    .unwrap();
    let (markdown, stderr, code) = cards.board(&["new", "--previous", "old"]);
    assert_eq!((stderr.as_str(), code), ("", 0));
    insta::assert_snapshot!(markdown);
    let (json, _, _) = cards.board(&["new", "--previous", "old", "--format", "json"]);
    let board: Value = serde_json::from_str(&json).unwrap();
    let ranks: Vec<(&str, u64)> = board["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["id"].as_str().unwrap(), row["rank"].as_u64().unwrap()))
        .collect();
    assert_eq!(
        ranks,
        [("delta", 1), ("alpha", 2), ("beta", 2), ("gamma", 4)]
    );
    assert_eq!(board["rows"][1]["change"]["rank"], 1);
    assert_eq!(board["departed"][0]["id"], "gone");
    let (html, _, _) = cards.board(&["new", "--format", "html"]);
    insta::assert_snapshot!(html);
}

#[test]
fn hostile_names_stay_inert() {
    let cards = Cards::new();
    let name =
        "x](https://evil.example)|<img src=x onerror=alert(1)>`\u{202e}\u{1b}[31m\"'{{7*7}}\n# y";
    cards.put(
        "run",
        "a",
        2,
        &[("name", json!(name)), ("subpath", json!("a|b`<c>\"/../"))],
    );
    let reason = format!("<script>alert(1)</script> [a](javascript:b) {name}");
    let failed = cards.path().join("run/b");
    fs::create_dir_all(&failed).unwrap();
    fs::write(
        failed.join("failure.json"),
        json!({"id": "b", "code": 1, "reason": reason}).to_string(),
    )
    .unwrap();
    let (markdown, stderr, _) = cards.board(&["run"]);
    let (html, _, _) = cards.board(&["run", "--format", "html"]);
    for text in [&markdown, &html, &stderr] {
        assert!(!text.contains(['\u{202e}', '\u{1b}']), "{text}");
        assert!(
            !text.contains("<img") && !text.contains("<script"),
            "{text}"
        );
    }
    assert!(
        !markdown.contains("](javascript") && !markdown.contains("](https://evil"),
        "{markdown}"
    );
    assert_eq!(
        markdown
            .lines()
            .filter(|line| line.starts_with('#'))
            .count(),
        3,
        "{markdown}"
    );
    assert!(
        html.contains("{{7*7}}") && !html.contains("onerror=alert(1)>"),
        "{html}"
    );
}

#[test]
fn a_broken_card_is_told_and_does_not_hide_the_others() {
    let cards = Cards::new();
    cards.put("run", "a", 2, &[]);
    let broken = cards.put("run", "b", 2, &[]);
    fs::write(broken.join("scorecard.json"), "{\"id\":").unwrap();
    let twin = cards.put("run", "c", 2, &[("id", json!("a"))]);
    let (markdown, stderr, code) = cards.board(&["run"]);
    assert_eq!(code, 1, "{stderr}");
    assert_eq!(stderr.lines().count(), 2, "{stderr}");
    assert!(markdown.contains("Agent a"), "{markdown}");
    assert!(
        markdown.contains("- `c` (exit code 2): "),
        "{markdown} {}",
        twin.display()
    );
    let (_, stderr, code) = cards.board(&["nowhere"]);
    assert_eq!(code, 2, "{stderr}");
    fs::create_dir(cards.path().join("empty")).unwrap();
    let (_, stderr, code) = cards.board(&["empty"]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("no card in its folders"), "{stderr}");
}

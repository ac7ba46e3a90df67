//! Any text in every free field of a card: the Markdown card keeps its lines, headings and links, and shows nothing
//! that a terminal obeys.
#![no_main]

use std::sync::LazyLock;

use audit::render::{markdown, plain, summary, table};
use audit::scorecard::{CardFile, Method, ScoredCard, Scorecard, read};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

static METHOD: LazyLock<Method> = LazyLock::new(|| Method::built_in().expect("the method that ships"));
static SEED: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../tests/data/coze-studio.scorecard.json")).expect("the seed")
});
static PLAIN: LazyLock<String> = LazyLock::new(|| rendered(&card("x")));
/// Fields that are no free text.
const KEPT: [&str; 9] =
    ["id", "criterion", "parameter", "level", "status", "category", "capability_profile", "repo_url", "pinned_commit"];

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    // Text of which nothing is seen is no text, and its line is left out.
    if plain(text).trim().is_empty() {
        return;
    }
    let card = card(text);
    let shown = rendered(&card);
    for text in [&shown, &table(&ScoredCard::new(&card, &METHOD)), &summary(&card)] {
        assert!(text.chars().all(|c| c == '\n' || !c.is_control() && !('\u{202A}'..='\u{202E}').contains(&c)));
    }
    assert_eq!(shown.lines().count(), PLAIN.lines().count());
    for head in ["# ", "## ", "### "] {
        let count = |text: &str| text.lines().filter(|line| line.starts_with(head)).count();
        assert_eq!(count(&shown), count(&PLAIN));
    }
    // A fence with a backtick behind it on its line is a code span.
    let opens = |line: &str| line.starts_with("```") && !line.trim_start_matches('`').contains('`');
    assert!(!shown.lines().any(opens));
});

fn rendered(card: &Scorecard) -> String {
    markdown(&ScoredCard::new(card, &METHOD), &|_, _| None).expect("a template that ships")
}

fn card(text: &str) -> Scorecard {
    let mut json = SEED.clone();
    spoil(&mut json, text);
    match read(&json.to_string()).expect("any text is text") {
        CardFile::Scorecard(card) => *card,
        CardFile::Entry(_) => unreachable!("the seed is no entry"),
    }
}

fn spoil(value: &mut Value, hostile: &str) {
    match value {
        Value::String(text) => *text = hostile.to_owned(),
        Value::Array(items) => items.iter_mut().for_each(|item| spoil(item, hostile)),
        Value::Object(fields) => {
            let free = fields.iter_mut().filter(|(key, _)| !KEPT.contains(&key.as_str()));
            free.for_each(|(_, field)| spoil(field, hostile));
        }
        _ => {}
    }
}

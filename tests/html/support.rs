//! Cards to show, and their pages.

use std::path::Path;

use audit::audit::CitedFiles;
use audit::checkout::{CheckoutOptions, Source, open};
use audit::render;
use audit::scorecard::{CardFile, Method, Scorecard, ScoredCard, read};
use serde_json::Value;

/// The example's card as it once was, so that a page does not change with the rubric.
pub fn example() -> Value {
    serde_json::from_str(include_str!("../data/deskhand.scorecard.json")).unwrap()
}

/// A published card, which has caps.
pub fn published() -> Value {
    serde_json::from_str(include_str!("../data/coze-studio.scorecard.json")).unwrap()
}

/// The page of a card, with the lines that it cites in the example platform.
pub fn page(json: &Value) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/deskhand");
    let options = CheckoutOptions {
        worktree: true,
        quiet: true,
        ..CheckoutOptions::default()
    };
    let snapshot = open(&Source::parse(root.to_str().unwrap()).unwrap(), &options).unwrap();
    let card = card(json);
    let cited = CitedFiles::read(&snapshot, &card).unwrap();
    rendered(&card, &|file| cited.text(file))
}

/// The page of a card whose repository is not at hand.
pub fn page_of_quotes(json: &Value) -> String {
    rendered(&card(json), &|_| None)
}

fn rendered<'a>(card: &Scorecard, text: &'a render::SourceText<'a>) -> String {
    let method = Method::built_in().unwrap();
    let link = |file: &str, lines: &str| {
        let url = &card.repo_url;
        (!url.is_empty()).then(|| format!("{url}/blob/{}/{file}#L{lines}", card.pinned_commit))
    };
    render::html(&ScoredCard::new(card, &method), &link, &|file| text(file)).unwrap()
}

fn card(json: &Value) -> Scorecard {
    match read(&json.to_string()).unwrap() {
        CardFile::Scorecard(card) => *card,
        CardFile::Entry(_) => panic!("an entry"),
    }
}

/// Puts `text` into every field that is free text; `repo_url` too.
pub fn spoil(value: &mut Value, text: &str) {
    crate::spoil::spoil(value, text, &["from_level", "to_level", "lines"]);
}

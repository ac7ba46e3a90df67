//! `audit badge`.

use std::fs;

use serde_json::{Value, json};

use crate::support::{audit_in, told};

const SEED: &str = include_str!("../data/coze-studio.scorecard.json");

fn badge(card: &Value, format: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("card.json"), card.to_string()).unwrap();
    let arguments = ["badge", "card.json", "--format", format];
    let (stdout, stderr, code) = told(&audit_in(folder.path(), &arguments));
    assert_eq!((stderr.as_str(), code), ("", 0));
    stdout
}

fn seed() -> Value {
    serde_json::from_str(SEED).unwrap()
}

#[test]
fn the_badge_shows_the_total_and_the_band_in_its_colour() {
    insta::assert_snapshot!("badge_json", badge(&seed(), "json"));
    insta::assert_snapshot!("badge_svg", badge(&seed(), "svg"));
}

#[test]
fn a_better_card_has_another_colour() {
    let colour = |card: &Value| {
        let badge: Value = serde_json::from_str(&badge(card, "json")).unwrap();
        badge["color"].as_str().unwrap().to_owned()
    };
    let mut card = seed();
    let mut colours = vec![colour(&card)];
    for level in [2, 3, 4] {
        for criterion in card["criteria"].as_array_mut().unwrap() {
            criterion["caps"] = json!([]);
            for parameter in ["S", "C", "D", "B"] {
                criterion["parameters"][parameter]["level"] = json!(level);
            }
        }
        colours.push(colour(&card));
    }
    assert_eq!(colours, ["#c62828", "#a15c00", "#2e7d32", "#2e7d32"]);
}

#[test]
fn a_hostile_name_stays_text() {
    let mut card = seed();
    card["name"] = json!("</title><script>alert(1)</script>&\"'\u{202e}\u{1b}\u{fffe}");
    let svg = badge(&card, "svg");
    assert!(!svg.contains("<script") && !svg.contains(['\u{202e}', '\u{1b}', '\u{fffe}']));
    assert_eq!(svg.matches("</title>").count(), 1);
    assert!(
        svg.contains("&lt;script&gt;") && svg.contains("&amp;&quot;"),
        "{svg}"
    );
}

#[test]
fn what_is_no_card_is_refused() {
    for (name, text) in [
        ("empty.json", ""),
        ("list.json", "[]"),
        ("missing.json", ""),
    ] {
        let folder = tempfile::tempdir().unwrap();
        if name != "missing.json" {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let (stdout, stderr, code) = told(&audit_in(folder.path(), &["badge", name]));
        assert_eq!((stdout.as_str(), code), ("", 2));
        assert!(stderr.contains(name), "{stderr}");
    }
}

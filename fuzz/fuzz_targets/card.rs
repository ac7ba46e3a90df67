//! A card from a stranger: read, checked, scored, rendered in every format, compared with itself. Whatever loads is
//! rendered, whether it keeps the rules or not.
#![no_main]

use std::sync::LazyLock;

use audit::compare::{Comparison, Renames};
use audit::render;
use audit::rubric::{CriterionFile, RubricFiles};
use audit::scorecard::{CardFile, Entry, Method, ScoredCard, Scorecard, check, read, to_json};
use libfuzzer_sys::fuzz_target;

static METHOD: LazyLock<Method> = LazyLock::new(|| Method::built_in().expect("the method that ships"));
static CRITERIA: LazyLock<Vec<CriterionFile>> = LazyLock::new(|| {
    let files = RubricFiles::embedded();
    RubricFiles::criteria().map(|name| files.parse(&name).expect("the rubric that ships")).collect()
});

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match read(text) {
        Ok(CardFile::Scorecard(card)) => every_output(&card),
        Ok(CardFile::Entry(entry)) => {
            if let Ok(card) = entry.to_scorecard() {
                entry.differences(&card, &METHOD, &|_, _| None);
                every_output(&card);
            }
        }
        Err(_) => {}
    }
});

fn every_output(card: &Scorecard) {
    let problems = check(card, &METHOD);
    let scored = ScoredCard::new(card, &METHOD);
    let link = |file: &str, _: &str| Some(format!("https://example.com/{file}"));
    for text in [
        render::markdown(&scored, &link).expect("a template that ships"),
        render::table(&scored),
        render::summary(card),
        render::badge_svg(&scored),
    ] {
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
    }
    let page = render::html(&scored, &link, &|_| None).expect("a template that ships");
    assert!(!page.contains("href=\"javascript"));
    to_json(&render::sarif(&scored, &CRITERIA)).expect("JSON");
    let again = to_json(card).expect("JSON");
    assert!(matches!(read(&again), Ok(CardFile::Scorecard(read)) if *read == *card));
    let entry = Entry::new(&scored, &link);
    // A card that breaks the rules, with a criterion twice, say, is not compared.
    if problems.is_empty() {
        to_json(&entry).expect("JSON");
        let comparison = Comparison::of(&scored, &scored, &Renames::of_cards(card, card));
        assert!(!comparison.is_change());
    }
}

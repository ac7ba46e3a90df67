//! What holds for any two cards.

use audit::compare::{Comparison, Renames};
use audit::scorecard::{CardFile, Method, Scorecard, ScoredCard, check, read};
use proptest::prelude::*;
use serde_json::{Value, json};

const SEED: &str = include_str!("../data/coze-studio.scorecard.json");
const PARAMETERS: [&str; 4] = ["S", "C", "D", "B"];

fn read_card(json: &Value) -> Scorecard {
    match read(&json.to_string()).unwrap() {
        CardFile::Scorecard(card) => *card,
        CardFile::Entry(_) => panic!("an entry"),
    }
}

/// The seed with these levels, caps, and without some of its critical gaps.
fn card(levels: &[u8], caps: &[bool], gaps: usize) -> Scorecard {
    let mut json: Value = serde_json::from_str(SEED).unwrap();
    for (criterion, levels) in levels.chunks(4).enumerate() {
        let rated = &mut json["criteria"][criterion];
        for (parameter, level) in PARAMETERS.iter().zip(levels) {
            rated["parameters"][parameter]["level"] = json!(level);
        }
        rated["caps"] = match caps[criterion] {
            true => json!([{"id": "G2", "reason": "It can be passed by."}]),
            false => json!([]),
        };
    }
    json["critical_findings"]
        .as_array_mut()
        .unwrap()
        .truncate(gaps);
    read_card(&json)
}

fn any_card() -> impl Strategy<Value = Scorecard> {
    let levels = prop::collection::vec(0..=4u8, 40);
    let caps = prop::collection::vec(any::<bool>(), 10);
    (levels, caps, 0..6usize).prop_map(|(levels, caps, gaps)| card(&levels, &caps, gaps))
}

/// What a comparison says of each criterion, told from the older card's side when `turned`.
fn told(comparison: &Comparison, turned: bool) -> Vec<String> {
    fn pair<T>(turned: bool, old: T, new: T) -> (T, T) {
        match turned {
            true => (new, old),
            false => (old, new),
        }
    }
    let mut lines: Vec<String> = comparison
        .changes
        .iter()
        .map(|change| {
            let mut parameters: Vec<String> = change
                .parameters
                .iter()
                .map(|p| {
                    format!(
                        "{:?}.{:?} {:?} {:?}",
                        p.mechanism,
                        p.parameter,
                        pair(turned, p.old, p.new),
                        pair(turned, p.old_status, p.new_status)
                    )
                })
                .collect();
            parameters.sort();
            let mut gaps: Vec<_> = change
                .gaps
                .iter()
                .map(|gap| pair(turned, gap.old.clone(), gap.new.clone()))
                .collect();
            gaps.sort();
            let scores = pair(turned, change.old_score, change.new_score);
            let caps = pair(turned, &change.caps_lost, &change.caps_gained);
            format!(
                "{:?} {scores:?} {caps:?} {gaps:?} {parameters:?}",
                change.id
            )
        })
        .collect();
    lines.sort();
    lines
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_card_compared_with_itself_shows_nothing(card in any_card()) {
        let method = Method::built_in().unwrap();
        let scored = ScoredCard::new(&card, &method);
        let comparison = Comparison::of(&scored, &scored, &Renames::of_cards(&card, &card));
        prop_assert!(!comparison.is_change() && !comparison.is_regression());
        prop_assert_eq!(comparison.old.total, comparison.new.total);
    }

    #[test]
    fn what_one_side_gains_the_other_loses(one in any_card(), other in any_card()) {
        let method = Method::built_in().unwrap();
        let (a, b) = (ScoredCard::new(&one, &method), ScoredCard::new(&other, &method));
        let there = Comparison::of(&a, &b, &Renames::of_cards(&one, &other));
        let back = Comparison::of(&b, &a, &Renames::of_cards(&other, &one));
        prop_assert_eq!(told(&there, false), told(&back, true));
        prop_assert_eq!(there.is_change(), back.is_change());
        prop_assert_eq!(there.old.total, back.new.total);
        // Of two cards that differ in a level, one is worse than the other.
        let differs = there.changes.iter().any(|c| c.parameters.iter().any(|p| p.old != p.new));
        prop_assert!(!differs || there.is_regression() || back.is_regression());
    }

    #[test]
    fn coverage_and_default_stay_within_one_level_of_strength(card in any_card()) {
        let method = Method::built_in().unwrap();
        let problems = check(&card, &method);
        for criterion in serde_json::to_value(&card).unwrap()["criteria"].as_array().unwrap() {
            let level = |parameter: &str| criterion["parameters"][parameter]["level"].as_u64().unwrap_or(0);
            for parameter in ["C", "D"] {
                let place = format!("{}.{parameter}", criterion["id"].as_str().unwrap());
                let told = problems.iter().any(|p| p.place == place && p.message.contains("+ 1"));
                prop_assert_eq!(told, level(parameter) > level("S") + 1, "{}", place);
            }
        }
    }

    #[test]
    fn the_total_is_the_sum_of_its_criteria(card in any_card()) {
        let method = Method::built_in().unwrap();
        let scored = ScoredCard::new(&card, &method);
        let sum: u32 = scored.criteria.iter().map(|c| c.score().thousandths()).sum();
        prop_assert!(scored.total.thousandths().abs_diff(sum) <= 50, "rounded to tenths");
        prop_assert!(scored.criteria.iter().all(|c| c.score() <= c.raw()), "no cap raises");
    }
}

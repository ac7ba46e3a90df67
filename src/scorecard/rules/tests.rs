use serde_json::{Value, json};

use super::*;
use crate::scorecard::{CardFile, read};

const SEED: &str = include_str!("../../../tests/data/coze-studio.scorecard.json");

/// The seed with `contains` on every citation: a card without problems.
fn quoted() -> Value {
    let mut card = serde_json::from_str(SEED).unwrap();
    quote(&mut card);
    card
}

fn quote(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if fields.contains_key("lines") {
                fields.insert("contains".to_owned(), json!("text"));
            }
            fields.values_mut().for_each(quote);
        }
        Value::Array(items) => items.iter_mut().for_each(quote),
        _ => {}
    }
}

fn problems(card: &Value) -> Vec<Problem> {
    match read(&card.to_string()).unwrap() {
        CardFile::Scorecard(card) => check(&card, &Method::built_in().unwrap()),
        CardFile::Entry(_) => panic!("an entry"),
    }
}

/// The places of the problems of a card in which one value is another.
fn places(pointer: &str, value: Value) -> Vec<String> {
    let mut card = quoted();
    *card.pointer_mut(pointer).unwrap() = value;
    problems(&card).into_iter().map(|p| p.place).collect()
}

#[test]
fn a_card_that_keeps_the_rules_has_no_problems() {
    assert_eq!(problems(&quoted()), []);
}

#[test]
fn text_of_which_nothing_is_seen_is_none() {
    for field in ["/name", "/headline", "/criteria/0/summary"] {
        let found = places(field, json!("\u{200b}\u{202e} \u{4}\u{e0041}"));
        assert_eq!(found.len(), 1, "{field}: {found:?}");
    }
}

#[test]
fn the_seed_lacks_only_quotes() {
    let found = problems(&serde_json::from_str(SEED).unwrap());
    assert!(
        found.iter().all(|p| p.message.contains("`contains`")),
        "{found:?}"
    );
    assert!(
        found
            .iter()
            .any(|p| p.place.starts_with("C3.D.evidence[0]")),
        "at L3"
    );
    assert!(
        found
            .iter()
            .any(|p| p.place.starts_with("C5.C.evidence[0]")),
        "under a cap"
    );
    assert!(
        found
            .iter()
            .any(|p| p.place.starts_with("critical_findings[0]"))
    );
    assert!(
        !found.iter().any(|p| p.place.starts_with("C1.S")),
        "L1, no cap"
    );
}

#[test]
fn each_rule_names_its_place() {
    let s = "/criteria/0/parameters/S";
    let no_evidence = json!([]);
    let absent = json!({"level": "SA", "status": "verified", "finding": "None.",
        "evidence": [{"file": "a", "lines": "1", "contains": "x"}]});
    for (pointer, value, expected) in [
        ("/id", json!("Coze"), vec!["id"]),
        ("/repo_url", json!("http://a/b"), vec!["repo_url"]),
        ("/pinned_commit", json!("fefb05ff"), vec!["pinned_commit"]),
        ("/scored_date", json!("2026-13-01"), vec!["scored_date"]),
        ("/scored_date", json!("20261005"), vec!["scored_date"]),
        ("/headline", json!(" "), vec!["headline"]),
        ("/limitations", json!([]), vec!["limitations"]),
        ("/criteria/0/summary", json!(""), vec!["C1.summary"]),
        (
            "/criteria/0/parameters/S/level",
            json!(5),
            vec!["C1.S.level"],
        ),
        (
            "/criteria/0/parameters/S/finding",
            json!(""),
            vec!["C1.S.finding"],
        ),
        ("/criteria/0/parameters/S/gap", json!(""), vec!["C1.S.gap"]),
        (
            "/criteria/0/parameters/S/evidence",
            no_evidence,
            vec!["C1.S"],
        ),
        (
            "/criteria/3/parameters/S/status",
            json!("inferred"),
            vec!["C4.S.status"],
        ),
        ("/criteria/0/parameters/C/level", json!(3), vec!["C1.C"]),
        ("/criteria/0/parameters/D/level", json!(3), vec!["C1.D"]),
        ("/criteria/0/parameters/B/level", json!(4), vec![]),
        (s, absent, vec!["C1.S"]),
        ("/criteria/4/caps/0/reason", json!(""), vec!["C5.caps[0]"]),
        (
            "/criteria/4/caps/0/id",
            json!("C5-OTHER"),
            vec!["C5.caps[0]"],
        ),
        (
            "/criteria/4/caps/0/id",
            json!("C4-HOSTROOT"),
            vec!["C5.caps[0]"],
        ),
        ("/critical_findings/0/criterion", json!("C2"), vec!["C5"]),
        (
            "/critical_findings/0/evidence",
            json!([]),
            vec!["critical_findings[0] (C5)"],
        ),
        ("/fixes/0/to_level", json!(5), vec!["fixes[0]"]),
        ("/fixes/0/to_level", json!(0), vec!["fixes[0]"]),
        (
            "/reaudit_log/0/from_level",
            json!(7),
            vec!["reaudit_log[0]"],
        ),
        ("/reaudit_log/0/reason", json!(""), vec!["reaudit_log[0]"]),
    ] {
        assert_eq!(
            places(pointer, value.clone()),
            expected,
            "{pointer} = {value}"
        );
    }
}

#[test]
fn citations_are_paths_and_lines_of_the_repository() {
    let file = "/criteria/0/parameters/S/evidence/0/file";
    for wrong in ["/etc/passwd", "./a", "../a", "a//b", ""] {
        assert_eq!(
            places(file, json!(wrong)),
            ["C1.S.evidence[0].file"],
            "{wrong:?}"
        );
    }
    let lines = "/criteria/0/parameters/S/evidence/0/lines";
    assert_eq!(places(lines, json!("9-7")), ["C1.S.evidence[0].lines"]);
}

#[test]
fn all_problems_of_a_card_are_listed() {
    let mut card = quoted();
    card["criteria"][0]["parameters"]["S"]["gap"] = json!("");
    card["criteria"][9]["parameters"]["B"]["finding"] = json!("");
    card["limitations"] = json!([]);
    assert_eq!(problems(&card).len(), 3);
}

#[test]
fn criteria_stand_once_and_in_order() {
    let mut card = quoted();
    card["criteria"].as_array_mut().unwrap().swap(1, 2);
    assert!(problems(&card)[0].message.contains("C1 C3 C2"));
}

#[test]
fn a_sixth_fix_is_refused() {
    let mut card = quoted();
    let fixes = card["fixes"].as_array_mut().unwrap();
    fixes.push(fixes[0].clone());
    assert_eq!(problems(&card)[0].place, "fixes");
}

#[test]
fn under_g1_only_the_default_needs_quotes() {
    let mut card = quoted();
    card["criteria"][8]["caps"] = json!([{"id": "G1", "reason": "Off."}]);
    assert_eq!(problems(&card), []);
    for parameter in ["S", "D"] {
        let evidence = &mut card["criteria"][8]["parameters"][parameter]["evidence"][0];
        evidence.as_object_mut().unwrap().remove("contains");
    }
    let found = problems(&card);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].place, "C9.D.evidence[0]");
}

#[test]
fn what_is_capped_belongs_in_the_critical_gaps() {
    let mut card = quoted();
    card["criteria"][5]["caps"] = json!([{"id": "C6-REPOCONFIG", "reason": "It does."}]);
    assert_eq!(problems(&card)[0].place, "C6");
    card["critical_findings"][0]["criterion"] = json!("C6");
    let found: Vec<_> = problems(&card).into_iter().map(|p| p.place).collect();
    assert_eq!(found, ["C5"]);
}

#[test]
fn a_criterion_cap_is_not_critical_when_the_alternative_counts_but_g2_is() {
    let mut card = quoted();
    let high = json!({"level": 4, "status": "verified", "finding": "F.", "evidence":
        [{"file": "a", "lines": "1", "contains": "x"}]});
    card["criteria"][1]["alt"] = json!({"label": "strict", "caps": [],
        "parameters": {"S": high, "C": high, "D": high, "B": high}});
    card["criteria"][1]["caps"] = json!([{"id": "C2-POWERBYPASS", "reason": "It does."}]);
    assert_eq!(problems(&card), []);
    card["criteria"][1]["caps"] = json!([{"id": "G2", "reason": "It does."}]);
    assert_eq!(problems(&card)[0].place, "C2");
}

#[test]
fn an_absence_needs_a_search() {
    let mut card = quoted();
    let evidence = json!([{"file": "a", "lines": "1"}]);
    card["criteria"][6] = json!({"id": "C7", "summary": "None.", "structural_absence": true,
        "absence_evidence": evidence});
    assert_eq!(problems(&card)[0].place, "C7.absence");
    card["criteria"][6]["absence_evidence"] =
        json!([{"search": "rg -n 'plugin'", "scope": ".", "hits": 0}]);
    assert_eq!(problems(&card), []);
}

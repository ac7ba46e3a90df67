//! Cards as SARIF: of the official form, within what GitHub takes, the same alert while lines move, inert.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;

use audit::render::sarif;
use audit::rubric::{CriterionFile, RubricFiles};
use audit::scorecard::{CardFile, Method, ScoredCard, read};
use serde_json::{Value, json};

const SEED: &str = include_str!("data/coze-studio.scorecard.json");
const SCHEMA: &str = include_str!("data/sarif/sarif-schema-2.1.0.json");

fn seed() -> Value {
    serde_json::from_str(SEED).unwrap()
}

fn criteria() -> Vec<CriterionFile> {
    let files = RubricFiles::embedded();
    RubricFiles::criteria()
        .map(|name| files.parse(&name).unwrap())
        .collect()
}

/// The official schema, with what errata 01 changed for this program (tests/data/sarif/README.md).
fn schema() -> Value {
    let mut schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let definitions = &mut schema["definitions"];
    for owner in ["run", "toolComponent"] {
        definitions[owner]["properties"]["language"]["pattern"] =
            json!("^[a-zA-Z]{2}(-[a-zA-Z]{2})?$");
    }
    let starts = ["startLine", "charOffset", "byteOffset"];
    definitions["region"]["anyOf"] = starts.map(|key| json!({"required": [key]})).into();
    schema
}

/// The SARIF of a card, of the official form.
fn rendered(card: &Value) -> Value {
    let CardFile::Scorecard(card) = read(&card.to_string()).unwrap() else {
        panic!("an entry")
    };
    let method = Method::built_in().unwrap();
    let scored = ScoredCard::new(&card, &method);
    let log = serde_json::to_value(sarif(&scored, &criteria())).unwrap();
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema())
        .unwrap();
    let wrong: Vec<String> = validator
        .iter_errors(&log)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    log
}

fn run(log: &Value) -> &Value {
    &log["runs"][0]
}

fn results(log: &Value) -> &[Value] {
    run(log)["results"].as_array().unwrap()
}

fn result<'l>(log: &'l Value, rule: &str) -> &'l Value {
    let of_rule = |result: &&Value| result["ruleId"] == rule;
    results(log).iter().find(of_rule).unwrap()
}

fn rules(log: &Value) -> &[Value] {
    run(log)["tool"]["driver"]["rules"].as_array().unwrap()
}

/// What tells the results of a log apart on GitHub.
fn identities(log: &Value) -> Vec<String> {
    let hash = |r: &Value| r["partialFingerprints"]["primaryLocationLineHash"].clone();
    results(log)
        .iter()
        .map(|r| format!("{} {}", r["ruleId"], hash(r)))
        .collect()
}

#[test]
fn the_seed_gives_a_gap_and_a_rating_as_results() {
    let log = rendered(&seed());
    insta::assert_json_snapshot!("gap", result(&log, "C4.gap"));
    insta::assert_json_snapshot!("rating", result(&log, "C4.S"));
    let mut head = run(&log).clone();
    head.as_object_mut().unwrap().remove("results");
    head["tool"]["driver"]["rules"] = json!([]);
    insta::assert_json_snapshot!("head", head);
}

/// The rubric's wording changes; that there is some does not.
#[test]
fn the_help_of_a_rule_tells_what_each_next_level_asks_for() {
    let log = rendered(&seed());
    for rule in rules(&log) {
        let id = rule["id"].as_str().unwrap();
        let help = rule["help"]["text"].as_str().unwrap();
        let question = help.lines().next().unwrap();
        assert!(question.ends_with('?'), "{id}: {question}");
        if id.ends_with(".gap") {
            continue;
        }
        assert!(help.contains(" to the next level:\n\n- "), "{id}: {help}");
    }
}

#[test]
fn every_critical_gap_and_every_parameter_below_the_highest_level_is_a_result() {
    let mut card = seed();
    card["criteria"][3]["parameters"]["S"]["level"] = json!(4);
    card["criteria"][3]["parameters"]["B"]["level"] = json!("SA");
    card["criteria"][6] = json!({"id": "C7", "summary": "None.", "structural_absence": true,
        "absence_evidence": [{"search": "rg -n a", "scope": ".", "hits": 0}]});
    let log = rendered(&card);
    let ids: Vec<&str> = results(&log)
        .iter()
        .map(|r| r["ruleId"].as_str().unwrap())
        .collect();
    let gaps = card["critical_findings"].as_array().unwrap();
    assert!(ids[..gaps.len()].iter().all(|id| id.ends_with(".gap")));
    let expected: Vec<String> = card["criteria"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|criterion| {
            ["S", "C", "D", "B"].into_iter().filter_map(move |p| {
                let level = criterion["parameters"][p]["level"].as_u64()?;
                (level < 4).then(|| format!("{}.{p}", criterion["id"].as_str().unwrap()))
            })
        })
        .collect();
    assert_eq!(ids[gaps.len()..], expected);
    assert!(!expected.contains(&"C4.S".to_owned()) && !expected.contains(&"C4.B".to_owned()));
}

/// GitHub's own rules for what is uploaded to code scanning.
#[test]
fn a_card_keeps_within_what_github_takes() {
    let log = rendered(&seed());
    assert!(log.to_string().len() < 1 << 20);
    assert!(results(&log).len() <= 5_000 && rules(&log).len() <= 25_000);
    let mut ids = BTreeSet::new();
    for rule in rules(&log) {
        let length = |pointer: &str| {
            let text = rule.pointer(pointer).and_then(Value::as_str).unwrap();
            assert!(!text.is_empty(), "{pointer} of {}", rule["id"]);
            text.chars().count()
        };
        assert!(length("/id") <= 255 && length("/name") <= 255);
        assert!(
            length("/shortDescription/text") <= 1024 && length("/fullDescription/text") <= 1024
        );
        assert!(length("/help/text") <= 8_000 && length("/help/markdown") <= 8_000);
        let severity: f64 = rule["properties"]["security-severity"]
            .as_str()
            .unwrap()
            .parse()
            .unwrap();
        assert!(severity > 0.0 && severity <= 10.0);
        let tags = rule["properties"]["tags"].as_array().unwrap();
        assert!(tags.len() <= 20 && tags[0] == "security");
        assert!(!rule["help"]["text"].as_str().unwrap().contains(['{', '}']));
        assert!(ids.insert(rule["id"].to_string()), "{} twice", rule["id"]);
    }
    for result in results(&log) {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules(&log)[index]["id"], result["ruleId"]);
        assert_eq!(
            rules(&log)[index]["defaultConfiguration"]["level"],
            result["level"]
        );
        assert_eq!(result["locations"].as_array().unwrap().len(), 1);
        assert!(
            result["relatedLocations"]
                .as_array()
                .is_none_or(|l| l.len() <= 100)
        );
    }
    let unique: BTreeSet<String> = identities(&log).into_iter().collect();
    assert_eq!(unique.len(), results(&log).len());
}

#[test]
fn a_gap_stays_the_same_alert_while_its_lines_move_and_its_level_changes() {
    let before = rendered(&seed());
    let mut card = seed();
    let mut moved = 0;
    let mut lists: Vec<&mut Value> = Vec::new();
    let card_map = card.as_object_mut().unwrap();
    for (key, value) in card_map.iter_mut() {
        if key == "criteria" || key == "critical_findings" {
            lists.push(value);
        }
    }
    lists.into_iter().for_each(|list| shift(list, &mut moved));
    assert!(moved > 50, "{moved}");
    card["criteria"][3]["parameters"]["S"]["level"] = json!(2);
    let after = rendered(&card);
    assert_eq!(identities(&before), identities(&after));
    let text = identities(&before).concat();
    assert!(!text.contains(".go") && !text.contains(':'), "{text}");
}

/// Moves every citation by seven lines.
fn shift(value: &mut Value, moved: &mut usize) {
    match value {
        Value::Object(map) => {
            if let Some(Value::String(lines)) = map.get_mut("lines") {
                let later = |n: &str| (n.parse::<u32>().unwrap() + 7).to_string();
                *lines = lines.split('-').map(later).collect::<Vec<_>>().join("-");
                *moved += 1;
            }
            map.values_mut().for_each(|v| shift(v, moved));
        }
        Value::Array(items) => items.iter_mut().for_each(|v| shift(v, moved)),
        _ => {}
    }
}

#[test]
fn two_gaps_of_one_criterion_and_two_folders_of_one_repository_are_told_apart() {
    let mut card = seed();
    let first = card["critical_findings"][0].clone();
    card["critical_findings"]
        .as_array_mut()
        .unwrap()
        .push(first);
    let log = rendered(&card);
    let unique: BTreeSet<String> = identities(&log).into_iter().collect();
    assert_eq!(unique.len(), results(&log).len());
    card["subpath"] = json!("packages/server");
    let other = rendered(&card);
    assert!(identities(&other).iter().all(|id| !unique.contains(id)));
    assert_eq!(
        run(&other)["automationDetails"]["id"],
        "audit/coze-studio/packages/server/"
    );
}

#[test]
fn a_cap_and_a_low_level_weigh() {
    let security = |card: &Value, id: &str| -> f64 {
        let log = rendered(card);
        let rule = rules(&log).iter().find(|rule| rule["id"] == id).unwrap();
        let severity = rule["properties"]["security-severity"].as_str().unwrap();
        severity.parse().unwrap()
    };
    let mut card = seed();
    let rate = |card: &mut Value, level: u8, caps: Value| {
        card["criteria"][2]["parameters"]["S"]["level"] = json!(level);
        card["criteria"][2]["caps"] = caps;
    };
    rate(&mut card, 3, json!([]));
    let mild = security(&card, "C3.S");
    rate(&mut card, 0, json!([]));
    let low = security(&card, "C3.S");
    rate(
        &mut card,
        0,
        json!([{"id": "G2", "reason": "The model can."}]),
    );
    let capped = security(&card, "C3.S");
    assert!(mild < low && low < capped, "{mild} {low} {capped}");
}

#[test]
fn an_absent_address_and_a_search_alone_are_no_obstacle() {
    let mut card = seed();
    card["repo_url"] = json!("");
    for parameter in ["S", "C", "D", "B"] {
        card["criteria"][1]["parameters"][parameter]["evidence"] =
            json!([{"search": "rg -n gate", "scope": "./back end/src other", "hits": 0}]);
        card["criteria"][2]["parameters"][parameter]["evidence"] =
            json!([{"search": "rg -n gate", "scope": "'back end' other", "hits": 0}]);
        card["criteria"][4]["parameters"][parameter]["evidence"] =
            json!([{"search": "rg -n gate", "scope": ".", "hits": 0}]);
    }
    let log = rendered(&card);
    assert_eq!(run(&log)["versionControlProvenance"], Value::Null);
    for (rule, uri) in [("C2.S", "back"), ("C3.S", "back%20end"), ("C5.S", ".")] {
        let place = &result(&log, rule)["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], uri);
        assert_eq!(place["region"], Value::Null);
    }
}

#[test]
fn hostile_text_is_neither_link_nor_placeholder_nor_path() {
    let evil = "\u{202e}[x](https://evil.example) {0} <img src=x> \u{1b}[31m";
    let mut card = seed();
    for key in [
        "name",
        "headline",
        "description",
        "version",
        "scored_date",
        "pinned_commit",
    ] {
        card[key] = json!(evil);
    }
    card["repo_url"] = json!("https://example.org/a b\"><script>");
    card["limitations"] = json!([evil]);
    card["critical_findings"][0]["summary"] = json!(evil);
    card["criteria"][0]["caps"] = json!([{"id": evil, "reason": evil}]);
    let parameter = &mut card["criteria"][0]["parameters"]["S"];
    parameter["finding"] = json!(evil);
    parameter["gap"] = json!(evil);
    parameter["evidence"] = json!([
        {"file": "../../etc/passwd", "lines": "1"},
        {"file": "/etc/passwd", "lines": "1"},
        {"file": "a.py", "lines": "0"},
        {"file": "javascript:alert(1)/[id]/{0}\u{202e}.py", "lines": "3-4", "contains": evil, "note": evil},
        {"search": evil, "scope": "../..", "hits": 0, "note": evil},
    ]);
    let log = rendered(&card);
    let whole = log.to_string();
    assert!(!whole.contains('\u{202e}') && !whole.contains("\\u001b"));
    let mut messages = Vec::new();
    for place in ["results", "invocations"] {
        collect_messages(&run(&log)[place], &mut messages);
    }
    assert!(messages.len() > results(&log).len());
    for message in messages {
        assert!(!message.contains("](http"), "{message}");
        let placeholder = message.replace("{{", "").contains("{0");
        assert!(!placeholder, "{message}");
    }
    let uri = &result(&log, "C1.S")["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(
        uri,
        "javascript%3Aalert%281%29/%5Bid%5D/%7B0%7D%E2%80%AE.py"
    );
}

/// Every `text` below `value`: what a viewer shows.
fn collect_messages<'v>(value: &'v Value, messages: &mut Vec<&'v str>) {
    match value {
        Value::Array(items) => items.iter().for_each(|v| collect_messages(v, messages)),
        Value::Object(map) => {
            messages.extend(map.get("text").and_then(Value::as_str));
            map.values().for_each(|v| collect_messages(v, messages));
        }
        _ => {}
    }
}

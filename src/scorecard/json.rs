//! Reading and writing the two JSON forms of a card, with errors that name the place.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::{Path, Segment};

use super::entry::Entry;
use super::model::Scorecard;
use super::problem::Problem;
use crate::invisible::is_invisible;

/// A card as a file holds it.
#[derive(Clone, Debug, PartialEq)]
pub enum CardFile {
    /// `scorecard.json`: authored, no figures.
    Scorecard(Box<Scorecard>),
    /// `entry.json`: with computed figures.
    Entry(Box<Entry>),
}

/// Reads a card in either form; an entry is known by the `mechanisms` of its criteria.
///
/// # Errors
/// The first place where the text is not JSON or not of the form of formats.md: an unknown or
/// missing field, a wrong type. What loads may still break rules: see [`check`](super::check).
pub fn read(text: &str) -> Result<CardFile, Problem> {
    let tree: Value = parse(text, &Value::Null)?;
    let has_mechanisms = |criterion: &Value| criterion.get("mechanisms").is_some();
    let is_entry = criteria(&tree).iter().any(has_mechanisms);
    if is_entry {
        Ok(CardFile::Entry(Box::new(parse(text, &tree)?)))
    } else {
        Ok(CardFile::Scorecard(Box::new(parse(text, &tree)?)))
    }
}

/// Writes JSON as the published files have it: two spaces, one newline at the end. Characters that are not seen, or that
/// steer a terminal or the writing direction, stand as `\uXXXX`: the values are the same.
///
/// # Errors
/// None for the types of this module, whose keys are all strings.
pub fn to_json<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    Ok(escape_unseen(text))
}

/// Outside of strings JSON has no such characters but its line ends.
fn escape_unseen(text: String) -> String {
    let is_unseen = |c: char| {
        c != '\n' && (c.is_control() || is_invisible(c) || matches!(c, '\u{2028}' | '\u{2029}'))
    };
    if !text.contains(is_unseen) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match is_unseen(c) {
            true => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    escaped.push_str(&format!("\\u{unit:04x}"));
                }
            }
            false => escaped.push(c),
        }
    }
    escaped
}

/// Reads straight from the text, so that messages have line and column.
fn parse<T: DeserializeOwned>(text: &str, tree: &Value) -> Result<T, Problem> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|error| Problem::new(place(error.path(), tree), error.inner().to_string()))?;
    deserializer
        .end()
        .map_err(|error| Problem::new("card", error.to_string()))?;
    Ok(value)
}

/// The place as a card's reader would call it: `C4.S.level` for `criteria[3].parameters.S.level`.
fn place(path: &Path, tree: &Value) -> String {
    let mut place = String::new();
    let mut segments = path.iter().peekable();
    while let Some(segment) = segments.next() {
        match segment {
            Segment::Map { key } if key == "criteria" && place.is_empty() => {
                match segments.next_if(|next| matches!(next, Segment::Seq { .. })) {
                    Some(Segment::Seq { index }) => place.push_str(&criterion_name(tree, *index)),
                    _ => place.push_str(key),
                }
            }
            Segment::Map { key } if key == "parameters" && !place.is_empty() => {}
            Segment::Map { key } => {
                if !place.is_empty() {
                    place.push('.');
                }
                place.push_str(key);
            }
            Segment::Seq { index } => place.push_str(&format!("[{index}]")),
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    if place.is_empty() {
        place.push_str("card");
    }
    place
}

fn criterion_name(tree: &Value, index: usize) -> String {
    let id = criteria(tree).get(index).and_then(|c| c.get("id"));
    match id.and_then(Value::as_str) {
        Some(id) => id.to_owned(),
        None => format!("criteria[{index}]"),
    }
}

fn criteria(tree: &Value) -> &[Value] {
    tree.get("criteria")
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const SEED: &str = include_str!("../../tests/data/coze-studio.scorecard.json");

    fn refused(pointer: &str, value: Value) -> Problem {
        let mut card: Value = serde_json::from_str(SEED).unwrap();
        *card.pointer_mut(pointer).unwrap() = value;
        read(&card.to_string()).unwrap_err()
    }

    #[test]
    fn a_wrong_form_is_refused_with_its_place() {
        for (pointer, value, place, message) in [
            (
                "/criteria/3/parameters/S/level",
                json!("L3"),
                "C4.S.level",
                "expected a level",
            ),
            (
                "/criteria/3/parameters/S/level",
                json!(-1),
                "C4.S.level",
                "expected a level",
            ),
            (
                "/criteria/3/parameters/D/status",
                json!("sure"),
                "C4.D.status",
                "unknown variant `sure`",
            ),
            (
                "/criteria/9/parameters/S",
                json!({"level": 1}),
                "C10.S",
                "missing field `status`",
            ),
            (
                "/criteria/1/parameters/S/evidence/1/hits",
                json!("0"),
                "C2.S.evidence[1].hits",
                "expected u64",
            ),
            (
                "/criteria/1/parameters/S/evidence/1",
                json!({"note": ""}),
                "C2.S.evidence[1]",
                "either a citation",
            ),
            ("/criteria/0/id", json!("C11"), "C11.id", "unknown variant"),
            (
                "/criteria/0",
                json!({"id": "C1", "summary": ""}),
                "C1",
                "needs either",
            ),
            (
                "/category",
                json!("games"),
                "category",
                "unknown variant `games`",
            ),
            (
                "/capability_profile/sub_agents",
                json!(true),
                "capability_profile.sub_agents",
                "expected value",
            ),
            (
                "/fixes/0/parameter",
                json!("X"),
                "fixes[0].parameter",
                "unknown variant `X`",
            ),
        ] {
            let problem = refused(pointer, value);
            assert_eq!(problem.place, place);
            assert!(problem.message.contains(message), "{problem}");
            assert!(problem.message.contains("line"), "{problem}");
        }
    }

    #[test]
    fn unknown_and_missing_fields_are_named() {
        for (pointer, place) in [("", "total"), ("/rule_of_two", "rule_of_two.total")] {
            let mut card: Value = serde_json::from_str(SEED).unwrap();
            card.pointer_mut(pointer).unwrap()["total"] = json!(1);
            let problem = read(&card.to_string()).unwrap_err();
            assert_eq!(problem.place, place);
            assert!(
                problem.message.contains("unknown field `total`"),
                "{problem}"
            );
        }
        for field in ["version", "subpath", "headline"] {
            let mut card: Value = serde_json::from_str(SEED).unwrap();
            card.as_object_mut().unwrap().remove(field);
            let problem = read(&card.to_string()).unwrap_err();
            assert!(
                problem
                    .message
                    .contains(&format!("missing field `{field}`")),
                "{problem}"
            );
        }
    }

    #[test]
    fn what_is_no_json_is_refused_with_its_line() {
        for text in [
            "",
            "{",
            "[]",
            "{}",
            "nonsense",
            &format!("{SEED}x"),
            &"[".repeat(100_000),
        ] {
            assert!(
                read(text).unwrap_err().message.contains("line"),
                "{:.20}",
                text
            );
        }
    }

    #[test]
    fn reading_and_writing_the_seed_gives_the_seed() {
        match read(SEED).unwrap() {
            CardFile::Scorecard(card) => assert_eq!(to_json(&*card).unwrap(), SEED),
            CardFile::Entry(_) => panic!("an entry"),
        }
    }

    #[test]
    fn what_is_not_seen_is_escaped_and_the_values_stay() {
        let values =
            json!({"a\u{202e}": ["\u{1b}[31m\u{9b}", "\u{7f}\u{2028}", "\u{e0041}", "ä\n"]});
        let safe = to_json(&values).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&safe).unwrap(), values);
        let is_seen = |c: char| c == '\n' || !c.is_control() && !is_invisible(c);
        assert!(safe.chars().all(is_seen), "{safe:?}");
        assert!(
            safe.contains("\\udb40\\udc41") && safe.contains('ä'),
            "{safe}"
        );
    }

    #[test]
    fn an_absence_can_be_written_in_two_ways() {
        let level = |parameter: Value| {
            let mut card: Value = serde_json::from_str(SEED).unwrap();
            card["criteria"][0]["parameters"]["S"] = parameter;
            match read(&card.to_string()).unwrap() {
                CardFile::Scorecard(card) => serde_json::to_value(&card.criteria[0]).unwrap(),
                CardFile::Entry(_) => panic!("an entry"),
            }
        };
        let short = json!({"level": "SA", "status": "verified", "finding": "", "evidence": []});
        let long = json!({"level": 4, "status": "verified", "finding": "", "evidence": [],
            "structural_absence": true});
        assert_eq!(level(short.clone()), level(long));
        assert_eq!(level(short.clone())["parameters"]["S"], short);
    }
}

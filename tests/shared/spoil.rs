//! Puts a stranger's text wherever a card takes any.

use serde_json::Value;

/// Fields that take no free text in any card.
const KEPT: [&str; 8] = [
    "id",
    "criterion",
    "parameter",
    "level",
    "status",
    "category",
    "capability_profile",
    "pinned_commit",
];

/// Puts `text` into every field that is free text, but for those called as in `also_kept`.
pub fn spoil(value: &mut Value, text: &str, also_kept: &[&str]) {
    match value {
        Value::String(field) => *field = text.to_owned(),
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| spoil(item, text, also_kept)),
        Value::Object(fields) => {
            for (key, field) in fields {
                if !KEPT.contains(&key.as_str()) && !also_kept.contains(&key.as_str()) {
                    spoil(field, text, also_kept);
                }
            }
        }
        _ => {}
    }
}

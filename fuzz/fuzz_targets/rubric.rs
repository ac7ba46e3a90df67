//! A rubric from a stranger: the one that ships with a line replaced or added. It loads or is refused.
//!
//! Input: file, line (two bytes), what is done, and the text that is put there.
#![no_main]

use std::sync::LazyLock;

use audit::inventory::InventoryRules;
use audit::rubric::{Rubric, RubricFiles};
use audit::scorecard::Method;
use libfuzzer_sys::fuzz_target;

static FILES: LazyLock<Vec<(String, Vec<String>)>> = LazyLock::new(|| {
    let files = RubricFiles::embedded();
    let lines = |text: &str| text.lines().map(str::to_owned).collect();
    files.all().map(|(name, text)| (name.to_owned(), lines(text))).collect()
});

fuzz_target!(|data: &[u8]| {
    let [file, high, low, what, text @ ..] = data else { return };
    let (name, lines) = &FILES[usize::from(*file) % FILES.len()];
    let at = usize::from(u16::from_be_bytes([*high, *low])) % lines.len();
    let text = String::from_utf8_lossy(text);
    let mut changed: Vec<&str> = lines.iter().map(String::as_str).collect();
    match what % 3 {
        0 => changed[at] = &text,
        1 => changed.insert(at, &text),
        _ => {
            // Inside a value: behind the first quotation mark or sign of the line.
            changed[at] = "";
        }
    }
    let mut joined = changed.join("\n");
    if what % 3 == 2 {
        let line = &lines[at];
        let split = line.find(['"', '\'', '=']).map_or(0, |mark| mark + 1);
        joined = lines[..at].join("\n") + "\n" + &line[..split] + &text + &line[split..] + "\n" + &lines[at + 1..].join("\n");
    }
    match name.as_str() {
        "inventory.toml" => drop(InventoryRules::parse(&joined)),
        "method.toml" => drop(Method::from_toml(&joined)),
        _ => drop(Rubric::load(&RubricFiles::embedded().with(name, joined))),
    }
});

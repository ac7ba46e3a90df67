//! Configuration files of every syntax: no text panics, and every line that is named exists.
#![no_main]

use audit::probe::config::{ConfigLimits, Entry, flatten};
use libfuzzer_sys::fuzz_target;

const LIMITS: ConfigLimits = ConfigLimits { max_entries: 1000, max_depth: 64, max_bytes: 1 << 20 };
const NAMES: [&str; 6] = ["a.yaml", "docker-compose.yml", "a.toml", "a.json", ".env", "Dockerfile"];

fuzz_target!(|data: &[u8]| {
    let Some((choice, text)) = data.split_first() else { return };
    let path = NAMES[usize::from(*choice) % NAMES.len()];
    let text = String::from_utf8_lossy(text);
    let last = text.split('\n').count() as u32;
    let entries = match flatten(path, &text, &LIMITS) {
        Ok(entries) => entries,
        Err(error) => {
            assert!((1..=last).contains(&error.line), "{error}");
            error.entries
        }
    };
    assert!(entries.len() <= LIMITS.max_entries);
    for Entry { lines: (first, to), .. } in entries {
        assert!(1 <= first && first <= to && to <= last);
    }
});

//! Every probe of the rubric that ships, over any text of its language: parsers, queries, patterns and the cutting of
//! quotes. Input: the probe (two bytes) and the text.
#![no_main]

use std::sync::LazyLock;

use audit::audit::Rulebook;
use audit::probe::example;
use libfuzzer_sys::fuzz_target;

static RULEBOOK: LazyLock<Rulebook> = LazyLock::new(|| Rulebook::load(None).expect("the rubric that ships"));

fuzz_target!(|data: &[u8]| {
    let [high, low, text @ ..] = data else { return };
    let probes = RULEBOOK.probes.set().expect("probes that ship");
    let index = usize::from(u16::from_be_bytes([*high, *low])) % RULEBOOK.rubric.probes.len();
    let mut spec = RULEBOOK.rubric.probes[index].clone();
    spec.matches = vec![String::from_utf8_lossy(text).into_owned()];
    if let Some((hit, _)) = example(probes, index, &spec, &RULEBOOK.inventory.limits) {
        // A lone carriage return ends a line, too.
        let last = text.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() as u32 + 1;
        assert!(1 <= hit.first && hit.first <= hit.last && hit.last <= last);
    }
});

//! Tells cheaply which searches cannot match in a file.
//!
//! Nearly every search asks for something that most files do not hold. For each search a set of literals is derived
//! of which every match contains at least one; one pass of one automaton over a file then finds out for all searches
//! together. Literals are compared without regard to ASCII case, so the answer "may match" is sometimes wrong and
//! the answer "cannot match" never.

use std::collections::{BTreeMap, BTreeSet};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex_syntax::hir::{Class, Hir, HirKind};

use super::query::Query;

/// Shorter literals are in every file.
const MIN_LENGTH: usize = 3;
/// More alternatives than this for one search cost more than they save.
const MAX_LITERALS: usize = 200;
/// Up to this many bytes of literals, the fastest kind of automaton stays small.
const MAX_DFA_BYTES: usize = 20_000;
/// The two characters that are not ASCII and equal to ASCII letters (`ſ` and s, `K` and k) without regard to case.
const FOLDED: [&str; 2] = ["\u{17f}", "\u{212a}"];

/// The literals of all searches in one automaton.
pub(super) struct Prefilter {
    automaton: Option<AhoCorasick>,
    /// For every literal, the searches that need it; empty for [`FOLDED`], which concern all.
    searches: Vec<Vec<usize>>,
    /// Searches that may match in any file.
    always: Vec<bool>,
}

impl Prefilter {
    /// Derives the literals of `queries`.
    pub fn new<'q>(queries: impl Iterator<Item = &'q Query>) -> Self {
        let mut users: BTreeMap<String, Vec<usize>> =
            FOLDED.map(|folded| (folded.to_owned(), Vec::new())).into();
        let mut always = Vec::new();
        for (number, query) in queries.enumerate() {
            let needed = needed(query);
            always.push(needed.is_none());
            needed
                .into_iter()
                .flatten()
                .for_each(|literal| users.entry(literal).or_default().push(number));
        }
        let (literals, searches): (Vec<String>, Vec<Vec<usize>>) = users.into_iter().unzip();
        let size: usize = literals.iter().map(String::len).sum();
        let kind = (size <= MAX_DFA_BYTES).then_some(AhoCorasickKind::DFA);
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(kind)
            .build(&literals)
            .ok();
        Self {
            automaton,
            searches,
            always,
        }
    }

    /// Sets `may_match` to one entry a search: whether it can have a match in `bytes`.
    pub fn check(&self, bytes: &[u8], may_match: &mut Vec<bool>) {
        may_match.clear();
        may_match.extend_from_slice(&self.always);
        let utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
        let Some(automaton) = self.automaton.as_ref().filter(|_| !utf16) else {
            may_match.fill(true);
            return;
        };
        for found in automaton.find_overlapping_iter(bytes) {
            match self.searches[found.pattern().as_usize()].as_slice() {
                [] => return may_match.fill(true),
                searches => searches.iter().for_each(|search| may_match[*search] = true),
            }
        }
    }
}

/// The literals, in lower case, of which every match of `query` contains one; `None` when it can match without any.
fn needed(query: &Query) -> Option<BTreeSet<String>> {
    if query.invert_match {
        return None;
    }
    let mut all = BTreeSet::new();
    for pattern in &query.patterns {
        let tree = if query.fixed_strings {
            Hir::literal(pattern.as_bytes())
        } else {
            parse(pattern)?
        };
        all.extend(needed_by(&tree)?);
    }
    (all.len() <= MAX_LITERALS).then_some(all)
}

fn parse(pattern: &str) -> Option<Hir> {
    regex_syntax::ParserBuilder::new()
        .utf8(false)
        .multi_line(true)
        .build()
        .parse(pattern)
        .ok()
}

fn needed_by(tree: &Hir) -> Option<BTreeSet<String>> {
    let mut literals = Literals::default();
    literals.add(tree);
    literals.end_run();
    literals.best
}

/// Walks over what a match consists of from left to right.
#[derive(Default)]
struct Literals {
    /// The literal text up to here.
    run: String,
    /// The best set so far.
    best: Option<BTreeSet<String>>,
}

impl Literals {
    fn add(&mut self, tree: &Hir) {
        match tree.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => literal.0.iter().for_each(|byte| self.add_byte(*byte)),
            HirKind::Class(class) => match one_letter(class) {
                Some(letter) => self.add_byte(letter),
                None => self.end_run(),
            },
            HirKind::Capture(capture) => self.add(&capture.sub),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.add(part)),
            HirKind::Repetition(repetition) => {
                self.end_run();
                if repetition.min > 0 {
                    self.offer(needed_by(&repetition.sub));
                }
            }
            HirKind::Alternation(branches) => {
                self.end_run();
                let sets: Option<Vec<_>> = branches.iter().map(needed_by).collect();
                self.offer(sets.map(|sets| sets.into_iter().flatten().collect()));
            }
        }
    }

    /// Bytes that case folding, encodings or ripgrep's treatment of binary files may change end the run.
    fn add_byte(&mut self, byte: u8) {
        if byte.is_ascii() && !matches!(byte, b'\0' | b'\n' | b'\r') {
            self.run.push(char::from(byte.to_ascii_lowercase()));
        } else {
            self.end_run();
        }
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        self.offer((run.len() >= MIN_LENGTH).then(|| BTreeSet::from([run])));
    }

    /// Keeps the set whose shortest literal is the longest.
    fn offer(&mut self, set: Option<BTreeSet<String>>) {
        let shortest = |set: &BTreeSet<String>| set.iter().map(String::len).min();
        if let Some(set) = set.filter(|set| {
            self.best
                .as_ref()
                .is_none_or(|best| shortest(set) > shortest(best))
        }) {
            self.best = Some(set);
        }
    }
}

/// The letter that a class like `[Aa]` stands for, as case-insensitive parts of a pattern are parsed.
fn one_letter(class: &Class) -> Option<u8> {
    let fold = |character: char| match character {
        '\u{17f}' => Some(b's'),
        '\u{212a}' => Some(b'k'),
        character => u8::try_from(character)
            .ok()
            .filter(u8::is_ascii_alphabetic)
            .map(|letter| letter.to_ascii_lowercase()),
    };
    let members: Vec<(char, char)> = match class {
        Class::Unicode(class) => class
            .ranges()
            .iter()
            .take(4)
            .map(|range| (range.start(), range.end()))
            .collect(),
        Class::Bytes(class) => class
            .ranges()
            .iter()
            .take(4)
            .map(|range| (range.start().into(), range.end().into()))
            .collect(),
    };
    if members.iter().any(|(start, end)| start != end) {
        return None;
    }
    let letters: BTreeSet<Option<u8>> = members
        .into_iter()
        .map(|(member, _)| fold(member))
        .collect();
    if letters.len() == 1 {
        letters.into_iter().next().flatten()
    } else {
        None
    }
}

#[cfg(test)]
#[allow(
    clippy::expect_used,
    reason = "a broken test set-up has to stop the test"
)]
mod tests {
    use grep_matcher::Matcher;
    use proptest::prelude::*;

    use super::super::pattern;
    use super::super::quote::quote_command;
    use super::*;

    fn literals(command: &str) -> Option<Vec<String>> {
        needed(&Query::parse(command).expect(command)).map(|set| set.into_iter().collect())
    }

    #[test]
    fn every_match_contains_one_of_the_literals() {
        let of = |literals: &[&str]| {
            Some(
                literals
                    .iter()
                    .map(|literal| (*literal).to_owned())
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(
            literals(r"rg 'exec\.Command|os/exec'"),
            of(&["exec.command", "os/exec"])
        );
        assert_eq!(literals(r#"rg 'open\(.*["w]'"#), of(&["open("]));
        assert_eq!(literals("rg '(?i)mask(ed|ing)?ssrf'"), of(&["mask"]));
        assert_eq!(literals("rg -F -e 'a.b(' -e 'c|d'"), of(&["a.b(", "c|d"]));
        assert_eq!(
            literals("rg '(timeout)+x|[a-cs]ttl'"),
            of(&["timeout", "ttl"])
        );
    }

    #[test]
    fn some_searches_may_match_anywhere() {
        for command in [
            "rg ''",
            "rg ab",
            "rg -v timeout",
            "rg 'timeout|a.b'",
            "rg '(time)?out?'",
            r"rg -e timeout -e '\w+'",
        ] {
            assert_eq!(literals(command), None, "{command}");
        }
    }

    fn pieces(choices: &'static [&'static str]) -> impl Strategy<Value = String> {
        proptest::collection::vec(proptest::sample::select(choices), 1..6)
            .prop_map(|pieces| pieces.concat())
    }

    const PATTERN: &[&str] = &[
        "sky", "Key", "k", "(?i)", "(ask|SK)", "[sS]k", "a?", "(sky)*", "(ks){2}", ".", r"\w+",
        "|", "é", "[k-s]",
    ];
    const TEXT: &[&str] = &[
        "sky",
        "SKY",
        "\u{17f}\u{212a}",
        "Key",
        "k",
        "ask",
        "sk",
        "a",
        "é",
        "É",
        " ",
        "ks",
        "\n",
    ];

    proptest! {
        #[test]
        fn what_matches_is_never_filtered_out(pattern in pieces(PATTERN), text in pieces(TEXT), insensitive: bool) {
            let flags: &[&str] = if insensitive { &["-i"] } else { &["-S"] };
            let query = Query::parse(&quote_command(flags, &pattern)).expect("own command");
            let matcher = pattern::compile(&query).expect("own pattern");
            let mut may_match = Vec::new();
            Prefilter::new([query].iter()).check(text.as_bytes(), &mut may_match);
            prop_assert!(may_match[0] || !matcher.is_match(text.as_bytes()).expect("match"));
        }
    }
}

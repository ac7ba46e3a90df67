//! Finds many literals in one pass over a text.
//!
//! Of every literal the rarest three bytes in a row stand for it (all of a shorter one). At each byte of a text the bytes
//! just before it are looked up in a few kilobytes of bits; only where a bit is set, literals are compared. An
//! Aho-Corasick automaton for thousands of literals does the same, but has to fetch a state from a few megabytes for
//! every byte.

/// Longest gram, in bytes.
const LONGEST: usize = 3;
/// Bits of a hash.
const HASH: u32 = 16;
/// Bits of a hash by which grams are ordered.
const ORDER: u32 = 10;
/// Words of the bits of all hashes.
const WORDS: usize = 1 << (HASH - 6);
/// Bytes that are common in programs, the most common one first.
const COMMON: &[u8] = b" etrinaosldcpumf\".g(_)h,='y:b/-v;wk{}x[]";

/// Literals, ready to be found without regard to ASCII case.
pub(super) struct Literals {
    texts: Vec<String>,
    tables: Vec<Table>,
}

/// The grams of one length.
struct Table {
    /// Takes the gram out of the bytes that were read last.
    mask: u32,
    /// The hashes that grams have.
    bits: Box<[u64; WORDS]>,
    /// Grams, ordered by the first bits of their hashes.
    grams: Vec<Gram>,
    /// For the first bits of a hash, where its grams begin; and where the last ones end.
    starts: Vec<u32>,
}

/// A part of a literal that stands for it.
struct Gram {
    bytes: u32,
    literal: usize,
    /// Where it ends in the literal.
    end: usize,
}

impl Literals {
    /// Takes `texts`, which are in lower case and not empty.
    pub(super) fn new(texts: Vec<String>) -> Self {
        let mut by_length: [Vec<Gram>; LONGEST] = Default::default();
        for (literal, text) in texts.iter().enumerate() {
            let (end, gram) = rarest(text.as_bytes());
            if let Some(grams) = by_length.get_mut(gram.len().wrapping_sub(1)) {
                let bytes = gram.iter().fold(0, |bytes, byte| push(bytes, *byte));
                grams.push(Gram {
                    bytes,
                    literal,
                    end,
                });
            }
        }
        let tables = (1..).zip(by_length);
        let tables = tables.filter(|(_, grams)| !grams.is_empty());
        Self {
            tables: tables
                .map(|(length, grams)| Table::new(length, grams))
                .collect(),
            texts,
        }
    }

    /// Calls `found` with the number and the start of every occurrence of every literal in `text`.
    pub(super) fn find(&self, text: &[u8], mut found: impl FnMut(usize, usize)) {
        for table in &self.tables {
            let mut last = 0;
            for (at, byte) in text.iter().enumerate() {
                last = push(last, *byte);
                let gram = last & table.mask;
                if table.may_hold(gram) {
                    self.compare(table, gram, at + 1, text, &mut found);
                }
            }
        }
    }

    /// Calls `found` with the literals of `table` that `gram` stands for, which ends at `read`, and that are there.
    fn compare(
        &self,
        table: &Table,
        gram: u32,
        read: usize,
        text: &[u8],
        found: &mut impl FnMut(usize, usize),
    ) {
        for Gram { literal, end, .. } in table.grams_of(gram) {
            let Some(start) = read.checked_sub(*end) else {
                continue;
            };
            let literal_text = self.texts[*literal].as_bytes();
            let there = text.get(start..start + literal_text.len());
            if there.is_some_and(|there| there.eq_ignore_ascii_case(literal_text)) {
                found(*literal, start);
            }
        }
    }
}

impl Table {
    fn new(length: u32, mut grams: Vec<Gram>) -> Self {
        grams.sort_by_key(|gram| (order(gram.bytes), gram.bytes, gram.literal));
        let mut bits = Box::new([0; WORDS]);
        for gram in &grams {
            let hash = hash(gram.bytes);
            bits[hash / 64] |= 1 << (hash % 64);
        }
        Self {
            mask: u32::MAX >> (32 - 8 * length),
            bits,
            starts: starts(&grams),
            grams,
        }
    }

    /// Whether a gram with the hash of `gram` is there.
    fn may_hold(&self, gram: u32) -> bool {
        let hash = hash(gram);
        self.bits[hash / 64 % WORDS] >> (hash % 64) & 1 == 1
    }

    /// The grams that are `gram`.
    fn grams_of(&self, gram: u32) -> impl Iterator<Item = &Gram> {
        let order = order(gram);
        let near = self.starts[order] as usize..self.starts[order + 1] as usize;
        self.grams[near]
            .iter()
            .filter(move |other| other.bytes == gram)
    }
}

/// For the first bits of a hash, how many of `grams`, which are ordered by them, have smaller ones.
fn starts(grams: &[Gram]) -> Vec<u32> {
    let mut starts = vec![0; (1 << ORDER) + 1];
    for gram in grams {
        starts[order(gram.bytes) + 1] += 1;
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    starts
}

/// The bytes `last` with one more; letters are taken for lower-case ones, and a few other bytes for others.
fn push(last: u32, byte: u8) -> u32 {
    last << 8 | u32::from(byte | 0x20)
}

fn hash(gram: u32) -> usize {
    (gram.wrapping_mul(0x9e37_79b1) >> (32 - HASH)) as usize
}

fn order(gram: u32) -> usize {
    hash(gram) >> (HASH - ORDER)
}

/// The gram of `literal` that programs hold least often, and where it ends.
fn rarest(literal: &[u8]) -> (usize, &[u8]) {
    let length = literal.len().min(LONGEST);
    let windows = literal.windows(length.max(1)).enumerate();
    let rarest =
        windows.max_by_key(|(_, gram)| gram.iter().map(|byte| rarity(*byte)).sum::<usize>());
    rarest.map_or((0, literal), |(start, gram)| (start + length, gram))
}

fn rarity(byte: u8) -> usize {
    let place = COMMON.iter().position(|common| *common == byte);
    place.unwrap_or(COMMON.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(literals: &[String], text: &str) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        Literals::new(literals.to_vec())
            .find(text.as_bytes(), |literal, at| all.push((literal, at)));
        all.sort_unstable();
        all
    }

    #[test]
    fn finds_literals_of_any_length_whatever_their_case() {
        let literals = ["a", "tool", "ool_", "toolbox", "é!"].map(str::to_owned);
        assert_eq!(
            found(&literals, "aTOOL_é!\u{7f}Toolboxx"),
            [(0, 0), (1, 1), (1, 10), (2, 2), (3, 10), (4, 6)]
        );
        assert_eq!(found(&literals, ""), []);
    }

    proptest! {
        #[test]
        fn finds_what_a_plain_search_finds(
            literals in proptest::collection::btree_set("[ab_@`]{1,6}", 1..8),
            text in "[abAB_@`\u{7f}]{0,60}",
        ) {
            let literals: Vec<String> = literals.into_iter().collect();
            let at = |literal: &String| {
                let (literal, text) = (literal.as_bytes(), text.as_bytes());
                (0..text.len())
                    .filter(|at| text[*at..].get(..literal.len()).is_some_and(|t| t.eq_ignore_ascii_case(literal)))
                    .collect::<Vec<_>>()
            };
            let plain: Vec<(usize, usize)> = literals
                .iter()
                .enumerate()
                .flat_map(|(number, literal)| at(literal).into_iter().map(move |at| (number, at)))
                .collect();
            prop_assert_eq!(found(&literals, &text), plain);
        }
    }
}

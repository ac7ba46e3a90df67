//! Which files of the older card have another name on the newer one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::checkout::{Reader, Snapshot, SnapshotFile};
use crate::scorecard::{Evidence, Rating, Scorecard};

/// Quotes that two files of different names have to share to be taken for one.
const SHARED: usize = 2;
/// Files that may have been renamed, on either side; every pair is looked at, so that more would take long.
const MOST: usize = 1000;
/// Largest file whose lines are compared, in bytes.
const LARGEST: u64 = 1 << 20;

/// Files that were renamed between two cards, and so the folders around them.
#[derive(Clone, Debug, Default)]
pub struct Renames {
    files: BTreeMap<String, String>,
    folders: BTreeMap<String, String>,
    cited: BTreeSet<String>,
}

impl Renames {
    /// What two cards tell alone. A file that only the older card cites became one that only the newer card cites when
    /// they share a quote and their name within their folders, or at least two quotes that are half of the older one's.
    pub fn of_cards(old: &Scorecard, new: &Scorecard) -> Self {
        let (before, now) = (quotes(old), quotes(new));
        let alike = |from: &str, to: &str| {
            let (old, new) = (before.get(from)?, now.get(to)?);
            let shared = old.intersection(new).count();
            let named_alike = base(from) == base(to) && shared > 0;
            let quoted_alike = shared >= SHARED && shared * 2 >= old.len();
            (named_alike || quoted_alike).then_some((named_alike, shared))
        };
        Self::pair(&before, &now, BTreeMap::new(), &alike)
    }

    /// What the snapshots of two cards tell: a file that is on one side only became one that is on the other side only
    /// when its content is the same, or, where both are cited, when at least half of its lines are.
    pub fn of_snapshots(
        (old, old_snapshot): (&Scorecard, &Snapshot),
        (new, new_snapshot): (&Scorecard, &Snapshot),
    ) -> Self {
        let before = by_path(old_snapshot);
        let now = by_path(new_snapshot);
        let mut appeared = BTreeMap::new();
        for (path, file) in now.iter().filter(|(path, _)| !before.contains_key(*path)) {
            appeared.entry(file.id).or_insert(*path);
        }
        let mut known = BTreeMap::new();
        for (path, file) in before.iter().filter(|(path, _)| !now.contains_key(*path)) {
            // Each new file takes the place of one old file only.
            if let Some(renamed) = appeared.remove(&file.id) {
                known.insert((*path).to_owned(), renamed.to_owned());
            }
        }
        let (old_quotes, new_quotes) = (quotes(old), quotes(new));
        let went = cited_lines(&old_quotes, old_snapshot, &before, &now);
        let came = cited_lines(&new_quotes, new_snapshot, &now, &before);
        let alike = |from: &str, to: &str| {
            let (from, to) = (went.get(from)?, came.get(to)?);
            let shared = from
                .iter()
                .filter(|line| to.binary_search(line).is_ok())
                .count();
            let all = from.len().max(to.len());
            (shared * 2 >= all && all > 0).then(|| shared * 1000 / all)
        };
        Self::pair(&old_quotes, &new_quotes, known, &alike)
    }

    /// Pairs files that are cited on one side only, those that are most `alike` first.
    fn pair<L: Ord>(
        before: &Quotes<'_>,
        now: &Quotes<'_>,
        mut files: BTreeMap<String, String>,
        alike: &dyn Fn(&str, &str) -> Option<L>,
    ) -> Self {
        let mut taken: BTreeSet<String> = files.values().cloned().collect();
        let gone = before
            .keys()
            .filter(|file| !now.contains_key(*file) && !files.contains_key(**file));
        let appeared: Vec<&str> = now
            .keys()
            .filter(|file| !before.contains_key(*file) && !taken.contains(**file))
            .take(MOST)
            .copied()
            .collect();
        let mut candidates = Vec::new();
        for from in gone.take(MOST) {
            for to in &appeared {
                let likeness = alike(from, to);
                candidates.extend(likeness.map(|likeness| (Reverse(likeness), *from, *to)));
            }
        }
        candidates.sort();
        for (_, from, to) in candidates {
            if !files.contains_key(from) && taken.insert(to.to_owned()) {
                files.insert(from.to_owned(), to.to_owned());
            }
        }
        let cited = before.keys().chain(now.keys());
        Self {
            folders: folders(&files),
            cited: cited.map(|file| (*file).to_owned()).collect(),
            files,
        }
    }

    /// The newer name of `file`.
    pub(super) fn file<'a>(&'a self, file: &'a str) -> &'a str {
        self.files.get(file).map_or(file, String::as_str)
    }

    /// Whether an older search and a newer one went over the same paths.
    pub(super) fn is_same_scope(&self, old: &str, new: &str) -> bool {
        let renamed = |path| {
            self.folders
                .get(path)
                .map_or(self.file(path), String::as_str)
        };
        let mut before: Vec<&str> = old.split(' ').map(renamed).collect();
        let mut now: Vec<&str> = new.split(' ').collect();
        // A scope lists its folders in order, so a new name may have moved one.
        before.sort_unstable();
        now.sort_unstable();
        old == new || before == now
    }

    /// Whether two sentences differ in nothing but line numbers, names of renamed files and white space.
    pub fn says_the_same(&self, old: &str, new: &str) -> bool {
        if old == new {
            return true;
        }
        self.without_places(old) == self.without_places(new)
    }

    /// `text` without the line numbers behind paths, and with the newer names of files.
    fn without_places(&self, text: &str) -> String {
        let text = one_line(text);
        let parts = text.split_inclusive(|c: char| c.is_whitespace() || "()[],;`'\"".contains(c));
        parts.map(|part| self.without_lines(part)).collect()
    }

    /// `part` with the newer name of its file, and without the lines behind it; as it is when it is no place.
    fn without_lines(&self, part: &str) -> String {
        let end = part.trim_end_matches(|c: char| !c.is_alphanumeric()).len();
        let (place, rest) = part.split_at(end);
        let (path, lines) = place.split_once(':').unwrap_or((place, ""));
        let is_range = lines.bytes().all(|b| b.is_ascii_digit() || b == b'-');
        match is_range && (path.contains('/') || self.cited.contains(path)) {
            true => format!("{}{rest}", self.file(path)),
            false => part.to_owned(),
        }
    }
}

/// `text` with every run of white space as one blank.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Name of the file without its folder.
fn base(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// For every cited file, what is quoted from it.
type Quotes<'c> = BTreeMap<&'c str, BTreeSet<String>>;

fn quotes(card: &Scorecard) -> Quotes<'_> {
    let mut quotes = Quotes::new();
    let gaps = card.critical_findings.iter().flat_map(|gap| &gap.evidence);
    let rated = card.criteria.iter().flat_map(|c| rated(&c.rating));
    for evidence in rated.chain(gaps) {
        if let Evidence::Citation { file, contains, .. } = evidence {
            let of_file = quotes.entry(file).or_default();
            of_file.extend(contains.as_deref().map(one_line));
        }
    }
    quotes
}

fn by_path(snapshot: &Snapshot) -> BTreeMap<&str, &SnapshotFile> {
    let files = snapshot.files.iter();
    files.map(|file| (file.path.as_str(), file)).collect()
}

/// The lines of the files of `cited` that are `here` and not `there`.
fn cited_lines<'c>(
    cited: &Quotes<'c>,
    snapshot: &Snapshot,
    here: &BTreeMap<&str, &SnapshotFile>,
    there: &BTreeMap<&str, &SnapshotFile>,
) -> BTreeMap<&'c str, Vec<String>> {
    let reader = snapshot.reader();
    let only = cited.keys().filter(|path| !there.contains_key(*path));
    let read = only.take(MOST).filter_map(|path| {
        let lines = lines(&reader, here.get(path)?)?;
        Some((*path, lines))
    });
    read.collect()
}

/// The lines of `file` that are not blank, sorted; none if it cannot be read.
fn lines(reader: &Reader, file: &SnapshotFile) -> Option<Vec<String>> {
    let mut content = Vec::new();
    reader.read(file, LARGEST, &mut content).ok()?;
    let text = String::from_utf8_lossy(&content);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut lines: Vec<String> = lines.map(str::to_owned).collect();
    lines.sort_unstable();
    Some(lines)
}

/// All evidence of a rating.
fn rated(rating: &Rating) -> Vec<&Evidence> {
    match rating {
        Rating::Absent { evidence } => evidence.iter().collect(),
        Rating::Scored(rated) => {
            let alternative = rated.alt.iter().flat_map(|alt| alt.parameters.iter());
            let parameters = rated.default.parameters.iter().chain(alternative);
            parameters.flat_map(|(_, p)| &p.evidence).collect()
        }
    }
}

/// The folders that were renamed with their files: what differs before the part that both paths end with.
fn folders(files: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut folders = BTreeMap::new();
    for (old, new) in files {
        let (mut old, mut new) = (old.as_str(), new.as_str());
        while let (Some((before, name)), Some((now, other))) =
            (old.rsplit_once('/'), new.rsplit_once('/'))
        {
            if name != other || before == now {
                break;
            }
            folders
                .entry(before.to_owned())
                .or_insert_with(|| now.to_owned());
            (old, new) = (before, now);
        }
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Renames {
        /// For tests: these files and no others.
        pub(in crate::compare) fn known<const N: usize>(pairs: [(&str, &str); N]) -> Self {
            let pairs = pairs.map(|(old, new)| (old.to_owned(), new.to_owned()));
            let files = BTreeMap::from(pairs);
            Self {
                folders: folders(&files),
                cited: files.keys().chain(files.values()).cloned().collect(),
                files,
            }
        }
    }

    fn seed() -> serde_json::Value {
        serde_json::from_str(include_str!("../../tests/data/coze-studio.scorecard.json")).unwrap()
    }

    /// The seed, all of whose evidence is `places`: file and quote.
    fn card(places: &[(&str, &str)]) -> Scorecard {
        let mut json = seed();
        let evidence: Vec<_> = places
            .iter()
            .map(|(file, quote)| serde_json::json!({"file": file, "lines": "1", "contains": quote}))
            .collect();
        for criterion in json["criteria"].as_array_mut().unwrap() {
            for parameter in ["S", "C", "D", "B"] {
                criterion["parameters"][parameter]["evidence"] = evidence.clone().into();
            }
        }
        json["critical_findings"] = serde_json::json!([]);
        match crate::scorecard::read(&json.to_string()).unwrap() {
            crate::scorecard::CardFile::Scorecard(card) => *card,
            crate::scorecard::CardFile::Entry(_) => panic!("an entry"),
        }
    }

    fn guessed(old: &[(&str, &str)], new: &[(&str, &str)]) -> Vec<(String, String)> {
        let renames = Renames::of_cards(&card(old), &card(new));
        renames.files.into_iter().collect()
    }

    #[test]
    fn a_file_is_renamed_when_its_name_or_its_quotes_stay() {
        let pair = |a: &str, b: &str| vec![(a.to_owned(), b.to_owned())];
        let moved = guessed(&[("a/run.py", "exec(")], &[("b/run.py", "exec(")]);
        assert_eq!(moved, pair("a/run.py", "b/run.py"));
        let renamed = guessed(
            &[("a/run.py", "exec("), ("a/run.py", "shell=True")],
            &[("a/go.py", "exec("), ("a/go.py", "shell=True")],
        );
        assert_eq!(renamed, pair("a/run.py", "a/go.py"));
    }

    #[test]
    fn one_word_in_common_or_a_file_on_both_sides_is_no_rename() {
        assert_eq!(guessed(&[("a.py", "exec(")], &[("b.py", "exec(")]), []);
        let both = [("a/run.py", "exec("), ("b/run.py", "exec(")];
        assert_eq!(guessed(&[("a/run.py", "exec(")], &both), []);
    }

    #[test]
    fn a_new_file_takes_the_place_of_one_old_file() {
        let old = [("a/run.py", "exec("), ("b/run.py", "exec(")];
        let renames = guessed(&old, &[("c/run.py", "exec(")]);
        assert_eq!(renames, [("a/run.py".to_owned(), "c/run.py".to_owned())]);
    }

    #[test]
    fn sentences_are_compared_without_line_numbers() {
        let renames = Renames::known([("a/run.py", "b/run.py")]);
        let same = |old, new| renames.says_the_same(old, new);
        assert!(same(
            "It runs (a/run.py:3, a/run.py:9-12).",
            "It runs (b/run.py:4, b/run.py:1)."
        ));
        assert!(same("See b/run.py:7.", "See b/run.py:8."));
        assert!(!same("It runs (a/run.py:3).", "It runs (c/run.py:3)."));
        assert!(!same(
            "Port 127.0.0.1:80 is open.",
            "Port 127.0.0.1:81 is open."
        ));
        assert!(!same("30 steps", "40 steps"));
    }
}

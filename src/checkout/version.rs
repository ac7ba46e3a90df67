//! The version of a commit: the tag that stands exactly at it.

use std::cmp::Ordering;

use gix::ObjectId;

/// The tag at exactly `commit`, the highest by version when there are several; `None` without one.
///
/// Tags whose objects are missing (shallow and partial clones) are passed over.
pub(super) fn version_at(repository: &gix::Repository, commit: ObjectId) -> Option<String> {
    let references = repository.references().ok()?;
    let tags = references.tags().ok()?;
    tags.filter_map(Result::ok)
        .filter_map(|mut tag| {
            let leads_here = tag.peel_to_id().is_ok_and(|id| id == commit);
            leads_here
                .then(|| {
                    std::str::from_utf8(tag.name().shorten())
                        .ok()
                        .map(str::to_owned)
                })
                .flatten()
        })
        .max_by(|a, b| compare(a, b))
}

/// Orders tags by version: runs of digits by their value, a pre-release (`1.0-rc1`) below its release.
fn compare(a: &str, b: &str) -> Ordering {
    let (release_a, suffix_a) = split_pre_release(a);
    let (release_b, suffix_b) = split_pre_release(b);
    compare_runs(release_a, release_b)
        .then_with(|| match (suffix_a, suffix_b) {
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (a, b) => compare_runs(a.unwrap_or_default(), b.unwrap_or_default()),
        })
        .then_with(|| a.cmp(b))
}

/// Splits `v1.2-rc1` after the numbers; names such as `pkg-1.2` are not split before them.
fn split_pre_release(tag: &str) -> (&str, Option<&str>) {
    let first_digit = tag.find(|c: char| c.is_ascii_digit()).unwrap_or(tag.len());
    match tag[first_digit..].find('-') {
        Some(dash) => (
            &tag[..first_digit + dash],
            Some(&tag[first_digit + dash + 1..]),
        ),
        None => (tag, None),
    }
}

fn compare_runs(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    while !a.is_empty() && !b.is_empty() {
        let (run_a, rest_a) = split_run(a);
        let (run_b, rest_b) = split_run(b);
        let order = match (is_number(run_a), is_number(run_b)) {
            (true, true) => compare_numbers(run_a, run_b),
            _ => run_a.cmp(run_b),
        };
        if order != Ordering::Equal {
            return order;
        }
        (a, b) = (rest_a, rest_b);
    }
    a.len().cmp(&b.len())
}

/// The leading run of digits or of anything else, and what follows.
fn split_run(text: &str) -> (&str, &str) {
    let digits = is_number(text);
    let end = text
        .find(|c: char| c.is_ascii_digit() != digits)
        .unwrap_or(text.len());
    text.split_at(end)
}

fn is_number(run: &str) -> bool {
    run.starts_with(|c: char| c.is_ascii_digit())
}

/// By value, whatever the length: tags may hold dates and more digits than an integer.
fn compare_numbers(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_order_by_version() {
        let mut tags = vec![
            "v1.10.0",
            "v1.9.9",
            "v1.10.0-rc2",
            "v1.10.0-rc10",
            "v1.10",
            "v2",
            "pkg-3.1",
            "latest",
        ];
        tags.sort_by(|a, b| compare(a, b));
        assert_eq!(
            tags,
            [
                "latest",
                "pkg-3.1",
                "v1.9.9",
                "v1.10",
                "v1.10.0-rc2",
                "v1.10.0-rc10",
                "v1.10.0",
                "v2"
            ]
        );
    }

    #[test]
    fn numbers_of_any_length_compare() {
        assert_eq!(
            compare("20261231235959999999999999", "20261231235959999999999998"),
            Ordering::Greater
        );
        assert_eq!(
            compare("v01", "v1"),
            Ordering::Less,
            "equal by value, so by text"
        );
    }
}

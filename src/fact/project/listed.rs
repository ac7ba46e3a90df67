//! Names that the README lists: how a project enumerates its tools for a reader, whatever its code calls them.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

/// A name that opens a list item, a table row or a heading. Nested items are left out: they describe parameters.
static OPENING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?mx)^[\ ]{0,1}(?: [-*+]\ + | \d+[.)]\ +  | \#{2,6}\ +(?:\d+[.)]?\ +)? | \|\ * )
        (?: \[[\ x]\]\ + )?
        (?P<mark> [*_`\[]* ) (?P<name> [A-Za-z][A-Za-z0-9]* (?: [_-][A-Za-z0-9]+ )* ) (?P<close> [*_`\]]* )
        (?: \( [^)\n]* \) )? (?: [\s:|,–—-] | $ )",
    )
    .ok()
});

/// Every name that `readme` lists. A name of one plain word counts only where it is marked as code or bold.
pub(super) fn listed_names(readme: &str) -> BTreeSet<String> {
    let opening = OPENING.iter().flat_map(|r| r.captures_iter(readme));
    opening
        .filter(|c| {
            let (name, marked) = (&c["name"], !c["mark"].is_empty() && !c["close"].is_empty());
            let shouted = !name.contains(|l: char| l.is_ascii_lowercase());
            let compound =
                name.contains(['_', '-']) || name.chars().skip(1).any(|l| l.is_ascii_uppercase());
            !shouted && (marked || compound)
        })
        .map(|c| c["name"].to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_rows_and_headings_are_listed() {
        let readme = "## Tools\n- **pods_list** - List pods\n1. `act`: acts\n### 2. conversations_history:\n\
            | `read-page` | reads |\n- [ ] createIssue (owner, repo)\n";
        let names: Vec<String> = listed_names(readme).into_iter().collect();
        let wanted = [
            "act",
            "conversations_history",
            "createIssue",
            "pods_list",
            "read-page",
        ];
        assert_eq!(names, wanted);
    }

    #[test]
    fn prose_parameters_flags_and_variables_are_not() {
        let readme = "- Fast and small\n  - `channel_id` (string)\n- `--read-only`: no writes\n- `API_TOKEN` the key\n\
            Use list_pods to list.\n";
        assert!(listed_names(readme).is_empty());
    }
}

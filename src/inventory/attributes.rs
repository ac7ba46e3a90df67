//! What a repository says of its own files in `.gitattributes`, for GitHub's linguist.

use std::collections::BTreeMap;

use globset::{GlobSet, GlobSetBuilder};

use super::names::glob;
use super::role::Role;

/// The attributes that are about roles, in the order in which they count.
const ATTRIBUTES: [(&str, Role); 3] = [
    ("linguist-vendored", Role::Vendored),
    ("linguist-generated", Role::Generated),
    ("linguist-documentation", Role::Documentation),
];

/// What the attributes say of one file: a role that it has (true), or has not (false).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claims(BTreeMap<Role, bool>);

impl Claims {
    /// The role that is claimed.
    pub fn role(&self) -> Option<Role> {
        ATTRIBUTES
            .iter()
            .map(|(_, role)| *role)
            .find(|role| self.0.get(role) == Some(&true))
    }

    /// Whether `role` is denied.
    pub fn denies(&self, role: Role) -> bool {
        self.0.get(&role) == Some(&false)
    }
}

/// What a line says of the files that it is about: set, unset, or as if nothing had been said.
type Effect = (Role, Option<bool>);

/// All lines about roles, from all `.gitattributes` files of a snapshot.
#[derive(Debug, Default)]
pub struct Attributes {
    patterns: GlobSet,
    /// What each pattern says.
    effects: Vec<Vec<Effect>>,
}

impl Attributes {
    /// Reads the files, each as its folder (the root is ``) and its text, and obeys at most
    /// `max_lines` lines that are about roles. Lines that git would not understand are passed over.
    pub fn new(files: &[(String, String)], max_lines: usize) -> Self {
        // A file counts more than those of the folders above it, a line more than those before it.
        let mut files: Vec<_> = files.iter().collect();
        files.sort_by_key(|(folder, _)| (folder.split_terminator('/').count(), folder));
        let lines = files.iter().flat_map(|(folder, text)| {
            text.lines()
                .filter_map(move |line| parse_line(folder, line))
        });
        let mut set = GlobSetBuilder::new();
        let mut effects = Vec::new();
        for (pattern, line_effects) in lines.take(max_lines) {
            if let Ok(glob) = glob(&pattern) {
                set.add(glob);
                effects.push(line_effects);
            }
        }
        // All of them compiled one by one; together they can only be too large.
        set.build()
            .map_or_else(|_| Self::default(), |patterns| Self { patterns, effects })
    }

    /// What is said of the file at `path`.
    pub fn claims(&self, path: &str) -> Claims {
        let mut claims = BTreeMap::new();
        if self.effects.is_empty() {
            return Claims(claims);
        }
        for index in self.patterns.matches(path) {
            for &(role, state) in &self.effects[index] {
                match state {
                    Some(state) => claims.insert(role, state),
                    None => claims.remove(&role),
                };
            }
        }
        Claims(claims)
    }
}

/// The glob over whole paths and the effects of a line, if it is about roles.
fn parse_line(folder: &str, line: &str) -> Option<(String, Vec<Effect>)> {
    let line = line.trim();
    let (pattern, attributes) = match line.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"')?,
        None => line.split_once([' ', '\t'])?,
    };
    let effects: Vec<Effect> = attributes.split_whitespace().filter_map(effect).collect();
    let is_pattern = !pattern.starts_with(['#', '!', '[']) && !pattern.ends_with('/');
    (is_pattern && !effects.is_empty()).then(|| (path_glob(folder, pattern), effects))
}

fn effect(attribute: &str) -> Option<Effect> {
    let (name, state) = if let Some(name) = attribute.strip_prefix('-') {
        (name, Some(false))
    } else if let Some(name) = attribute.strip_prefix('!') {
        (name, None)
    } else if let Some((name, value)) = attribute.split_once('=') {
        (name, Some(value != "false"))
    } else {
        (attribute, Some(true))
    };
    let known = ATTRIBUTES.iter().find(|(known, _)| *known == name);
    known.map(|(_, role)| (*role, state))
}

/// A pattern without a slash is about names anywhere below its file's folder, any other about
/// paths from there.
fn path_glob(folder: &str, pattern: &str) -> String {
    let anchored = pattern.strip_prefix('/').unwrap_or(pattern);
    let depth = if pattern.contains('/') { "" } else { "**/" };
    let prefix = if folder.is_empty() {
        String::new()
    } else {
        globset::escape(folder) + "/"
    };
    format!("{prefix}{depth}{anchored}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attributes(files: &[(&str, &str)]) -> Attributes {
        let owned = |(folder, text): &(&str, &str)| ((*folder).to_owned(), (*text).to_owned());
        Attributes::new(&files.iter().map(owned).collect::<Vec<_>>(), 100)
    }

    fn roles(attributes: &Attributes, paths: &[&str]) -> Vec<Option<Role>> {
        paths
            .iter()
            .map(|path| attributes.claims(path).role())
            .collect()
    }

    #[test]
    fn patterns_are_names_or_paths() {
        let found = attributes(&[(
            "",
            "*.golden linguist-generated -text\n/lib/** linguist-vendored\napi/*.json linguist-generated=true\nsub/ linguist-vendored\n\"a b.c\" linguist-generated\n",
        )]);
        let (generated, vendored) = (Some(Role::Generated), Some(Role::Vendored));
        assert_eq!(
            roles(
                &found,
                &[
                    "x/y.golden",
                    "lib/a/b.go",
                    "x/lib/a.go",
                    "api/a.json",
                    "api/b/a.json"
                ]
            ),
            [generated, vendored, None, generated, None]
        );
        assert_eq!(roles(&found, &["sub/a", "x/a b.c"]), [None, generated]);
    }

    #[test]
    fn later_and_deeper_lines_win() {
        let found = attributes(&[
            ("a/b", "*.py linguist-generated\n"),
            (
                "",
                "*.py -linguist-generated\n*.go linguist-vendored\nx.go !linguist-vendored\n",
            ),
            ("a", "b/own.py linguist-generated=false\n"),
        ]);
        let claims = |path: &str| found.claims(path);
        assert!(claims("a/c.py").denies(Role::Generated));
        assert_eq!(claims("a/b/own.py").role(), Some(Role::Generated));
        assert_eq!(claims("y.go").role(), Some(Role::Vendored));
        assert_eq!(claims("x.go"), Claims::default());
        assert_eq!(claims("b/x.rs"), Claims::default());
    }

    #[test]
    fn other_lines_are_passed_over() {
        let found = attributes(&[(
            "",
            "# *.a linguist-vendored\n[attr]v linguist-vendored\n*.b text=auto\n*.c linguist-language=Go\n!*.d linguist-vendored\n[e linguist-vendored\n*.f\n*.g linguist-documentation\n",
        )]);
        assert_eq!(
            roles(
                &found,
                &["x.a", "v", "x.b", "x.c", "x.d", "[e", "x.f", "x.g"]
            ),
            [
                None,
                None,
                None,
                None,
                None,
                None,
                None,
                Some(Role::Documentation)
            ]
        );
    }

    #[test]
    fn the_number_of_lines_is_limited() {
        let text = (0..200)
            .map(|n| format!("f{n} linguist-vendored\n"))
            .collect::<String>();
        let found = attributes(&[("", &text)]);
        assert_eq!(
            roles(&found, &["f99", "f100"]),
            [Some(Role::Vendored), None]
        );
    }

    #[test]
    fn a_folder_is_no_pattern() {
        let found = attributes(&[("[a]*", "*.py linguist-vendored\n")]);
        assert_eq!(
            roles(&found, &["[a]*/b.py", "ax/b.py"]),
            [Some(Role::Vendored), None]
        );
    }
}

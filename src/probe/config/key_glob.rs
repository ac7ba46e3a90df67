//! Globs over the path of keys of a configuration value.

/// A dotted glob over the path of keys, as rubric files write it: `services.*.privileged`.
///
/// Each part stands for one key and may hold `*` for any text within it (`*_KEY`); `*` alone is
/// any one key or list index, `**` any number of them. Keys compare with their case. A key that
/// holds a dot itself is one part all the same: `labels.*` finds it, `labels.com*role` too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyGlob {
    parts: Vec<Part>,
}

/// Why a text is no [`KeyGlob`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyGlobError {
    /// The glob, or one of its parts, is empty.
    #[error("key glob `{0}` has an empty part: write keys between single dots")]
    EmptyPart(String),
    /// `**` stands beside other text.
    #[error("key glob `{0}`: `**` must stand alone between dots")]
    PartialAnyDepth(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    AnyDepth,
    Key(Vec<char>),
}

impl KeyGlob {
    /// Compiles `glob`.
    ///
    /// # Errors
    /// When a part is empty or `**` does not stand alone.
    pub fn new(glob: &str) -> Result<Self, KeyGlobError> {
        let part = |text: &str| match text {
            "" => Err(KeyGlobError::EmptyPart(glob.to_owned())),
            "**" => Ok(Part::AnyDepth),
            _ if text.contains("**") => Err(KeyGlobError::PartialAnyDepth(glob.to_owned())),
            _ => Ok(Part::Key(text.chars().collect())),
        };
        let parts = glob.split('.').map(part).collect::<Result<_, _>>()?;
        Ok(Self { parts })
    }

    /// Whether the path of keys `key` fits.
    pub fn matches<K: AsRef<str>>(&self, key: &[K]) -> bool {
        wildcard(
            &self.parts,
            key,
            |part| *part == Part::AnyDepth,
            |part, key| match part {
                Part::AnyDepth => true,
                Part::Key(pattern) => key_matches(pattern, key.as_ref()),
            },
        )
    }
}

fn key_matches(pattern: &[char], key: &str) -> bool {
    let key: Vec<char> = key.chars().collect();
    wildcard(pattern, &key, |c| *c == '*', |p, c| p == c)
}

/// Whether `items` fit `pattern`, where a pattern element that `is_star` stands for any number of
/// items. Going back to the latest star only keeps the time at the product of the two lengths.
fn wildcard<P, T>(
    pattern: &[P],
    items: &[T],
    is_star: impl Fn(&P) -> bool,
    fits: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut p, mut i) = (0, 0);
    let mut latest_star = None;
    while i < items.len() {
        match pattern.get(p) {
            Some(element) if is_star(element) => {
                latest_star = Some((p, i));
                p += 1;
            }
            Some(element) if fits(element, &items[i]) => {
                p += 1;
                i += 1;
            }
            _ => match latest_star {
                Some((star, from)) => {
                    latest_star = Some((star, from + 1));
                    p = star + 1;
                    i = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(is_star)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(glob: &str, key: &str) -> bool {
        let key: Vec<&str> = key.split('/').collect();
        KeyGlob::new(glob).unwrap().matches(&key)
    }

    #[test]
    fn a_star_is_exactly_one_key() {
        assert!(matches("services.*.privileged", "services/web/privileged"));
        assert!(!matches("services.*.privileged", "services/privileged"));
        assert!(!matches(
            "services.*.privileged",
            "services/web/deploy/privileged"
        ));
        assert!(!matches("services.*", "services"));
        assert!(!matches("services", "services/web"));
    }

    #[test]
    fn two_stars_are_any_number_of_keys() {
        assert!(matches("**.image", "image"));
        assert!(matches("**.image", "spec/containers/0/image"));
        assert!(!matches("**.image", "spec/image/tag"));
        assert!(matches(
            "spec.**.env.**.name",
            "spec/containers/0/env/3/name"
        ));
        assert!(matches("spec.**", "spec"));
        assert!(matches("**", "a/b/c"));
        assert!(matches("a.**.b.*.c", "a/b/x/b/y/c"));
    }

    #[test]
    fn a_star_within_a_part_is_any_text() {
        assert!(matches("environment.*_KEY", "environment/MODEL_API_KEY"));
        assert!(!matches("environment.*_KEY", "environment/KEY_FILE"));
        assert!(matches("*a*b*", "xxaxxbxx"));
        assert!(!matches("*_KEY", "a_key"));
        assert!(matches("ä*", "äöü"));
    }

    #[test]
    fn a_dot_in_a_key_is_no_separator() {
        assert!(matches("labels.*", "labels/com.acme.role"));
        assert!(matches("labels.com*role", "labels/com.acme.role"));
        assert!(!matches("labels.*.*.*", "labels/com.acme.role"));
    }

    #[test]
    fn bad_globs_are_refused() {
        assert_eq!(
            KeyGlob::new(""),
            Err(KeyGlobError::EmptyPart(String::new()))
        );
        assert!(matches!(
            KeyGlob::new("a..b"),
            Err(KeyGlobError::EmptyPart(_))
        ));
        assert!(matches!(
            KeyGlob::new("a.b**"),
            Err(KeyGlobError::PartialAnyDepth(_))
        ));
    }

    #[test]
    fn many_stars_take_no_exponential_time() {
        let key = vec!["a"; 300];
        let glob = KeyGlob::new(&format!("{}.b", vec!["**.a"; 100].join("."))).unwrap();
        assert!(!glob.matches(&key));
        let text = "a".repeat(2000);
        assert!(
            !KeyGlob::new(&format!("{}b", "*a".repeat(400)))
                .unwrap()
                .matches(&[text])
        );
    }
}

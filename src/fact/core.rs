//! The core: the files in which a finding counts, because they run tools.
//!
//! Roots are the files that register tools, that run a tool by name, and that hold the agent's loop; each sort is
//! found by points that boundary.toml gives for probes and paths. From the roots imports are followed.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::Importer;
use crate::inventory::is_within;
use crate::rubric::{CoreRules, PathPoints, Pattern, RootRule, Zone};

/// Steps of imports that the core follows from its roots.
const STEPS: usize = 2;
/// Most folders that a search over the core names.
const FOLDERS: usize = 8;

/// What the core is worked out from.
pub struct CoreInput<'a> {
    /// Path of each file.
    pub paths: &'a [String],
    /// Language of each file; empty for none.
    pub languages: &'a [String],
    /// Whether the file is source of the scored project.
    pub source: &'a [bool],
    /// Imports of each file, as written.
    pub imports: &'a [Vec<String>],
    /// Folders of the lead packages; empty for none. When they hold a root, no other package has one of its sort.
    pub lead: &'a [String],
    /// Folders and files that the manifest ships; empty where it does not tell. When they hold a root with at least half
    /// of the most points of its sort, what is not shipped has none of that sort. With less the manifest may be that of
    /// a part, such as a client beside the program.
    pub shipped: &'a [String],
    /// For each probe id, hits in each file.
    pub hits: &'a dyn Fn(&str) -> BTreeMap<usize, usize>,
}

/// The core of one project.
#[derive(Debug, Default)]
pub struct Core {
    /// Files that register tools, most points first.
    pub registrations: Vec<usize>,
    /// Files that run a tool by name.
    pub executors: Vec<usize>,
    /// Files with the agent's loop.
    pub loops: Vec<usize>,
    tools: BTreeSet<usize>,
    running: BTreeSet<usize>,
    all: BTreeSet<usize>,
}

impl Core {
    /// Works out the core by `rules`.
    ///
    /// # Errors
    /// A message when a path pattern of the rules does not compile.
    pub fn find(rules: &CoreRules, input: &CoreInput<'_>) -> Result<Self, String> {
        let registrations = roots(&rules.registration, &rules.path, input)?;
        let executors = roots(&rules.executor, &rules.path, input)?;
        let mut loops = roots(&rules.agent_loop, &rules.path, input)?;
        if registrations.is_empty() && executors.is_empty() && loops.is_empty() {
            loops = roots(&rules.model_call, &rules.path, input)?;
        }
        let importer = Importer::new(input.paths);
        let imports_of = |file: usize| -> Vec<usize> {
            let names = input.imports[file].iter();
            let files = names.flat_map(|name| importer.resolve(file, &input.languages[file], name));
            files.filter(|f| *f != file && input.source[*f]).collect()
        };
        let tools = importer.reach(&registrations.iter().copied().collect(), 1, &imports_of);
        let running: BTreeSet<usize> = executors.iter().chain(&loops).copied().collect();
        let roots: BTreeSet<usize> = registrations.iter().chain(&running).copied().collect();
        let reached: BTreeSet<usize> = importer
            .reach(&roots, STEPS, &imports_of)
            .union(&tools)
            .copied()
            .collect();
        let all = with_siblings(&roots, &reached, input);
        Ok(Self {
            registrations,
            executors,
            loops,
            tools,
            running,
            all,
        })
    }

    /// Whether any root was found.
    pub fn found(&self) -> bool {
        !self.all.is_empty()
    }

    /// Whether `file` is one of the core's.
    pub fn contains(&self, file: usize) -> bool {
        self.all.contains(&file)
    }

    /// Number of files in the core.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether the core has no files.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether `file` lies in `zone`. Without any root the core is all source.
    pub fn holds(&self, zone: Zone, file: usize, is_source: bool) -> bool {
        match zone {
            Zone::Any => true,
            _ if !self.found() => is_source,
            Zone::Tools => self.tools.contains(&file),
            Zone::Loop => self.running.contains(&file),
            Zone::Core => self.all.contains(&file),
        }
    }

    /// How near to the tools `file` lies: 0 tools, 1 loop, 2 core, 3 elsewhere.
    pub fn distance(&self, file: usize) -> u8 {
        if self.tools.contains(&file) {
            0
        } else if self.running.contains(&file) {
            1
        } else if self.all.contains(&file) {
            2
        } else {
            3
        }
    }

    /// The folders of the core, for the scope of a search: at most eight, none inside another.
    pub fn folders(&self, paths: &[String]) -> Vec<String> {
        let folder = |file: &usize| {
            paths[*file]
                .rsplit_once('/')
                .map_or(String::new(), |(folder, _)| folder.to_owned())
        };
        lift(self.all.iter().map(folder).collect(), FOLDERS)
    }
}

/// Joins neighbouring folders into their parents, the deepest first, until at most `most` are left; the root is `.`.
pub fn lift(folders: BTreeSet<String>, most: usize) -> Vec<String> {
    let mut folders = outermost(&folders);
    let depth = |folder: &str| folder.matches('/').count();
    let mut by_depth: BTreeSet<(usize, String)> =
        folders.iter().map(|f| (depth(f), f.clone())).collect();
    while folders.len() > most {
        let Some((_, deepest)) = by_depth.pop_last() else {
            break;
        };
        let parent = above(&deepest).to_owned();
        folders.remove(&deepest);
        // None is inside another, so that what the parent holds beside the deepest is as deep: its siblings.
        for sibling in inside(&folders, &parent) {
            folders.remove(&sibling);
            by_depth.remove(&(depth(&sibling), sibling));
        }
        by_depth.insert((depth(&parent), parent.clone()));
        folders.insert(parent);
    }
    let named = |folder: String| match folder.is_empty() {
        true => ".".to_owned(),
        false => folder,
    };
    folders.into_iter().map(named).collect()
}

/// The folder that holds `folder`; the root is empty.
fn above(folder: &str) -> &str {
    folder.rsplit_once('/').map_or("", |(above, _)| above)
}

/// Those of `folders` that are inside `parent`.
fn inside(folders: &BTreeSet<String>, parent: &str) -> Vec<String> {
    if parent.is_empty() {
        return folders.iter().cloned().collect();
    }
    let start = format!("{parent}/");
    let following = folders.range(start.clone()..);
    let inside = following.take_while(|folder| folder.starts_with(&start));
    inside.cloned().collect()
}

fn outermost(folders: &BTreeSet<String>) -> BTreeSet<String> {
    let inside_another = |folder: &str| {
        let mut ancestor = folder;
        while !ancestor.is_empty() {
            ancestor = above(ancestor);
            if folders.contains(ancestor) {
                return true;
            }
        }
        false
    };
    let outermost = folders.iter().filter(|folder| !inside_another(folder));
    outermost.cloned().collect()
}

/// The roots by `rule` and the `paths` of all sorts; when the lead packages hold one of its sort, no other package does,
/// and when what is shipped holds a strong one, nothing else does.
fn roots(
    rule: &RootRule,
    paths: &[PathPoints],
    input: &CoreInput<'_>,
) -> Result<Vec<usize>, String> {
    let leads = |(_, file): &(i32, usize)| is_below(&input.paths[*file], input.lead);
    let ships = |(_, file): &(i32, usize)| is_below(&input.paths[*file], input.shipped);
    let mut files = candidates(rule, paths, input)?;
    let most = files.first().map_or(0, |(points, _)| *points);
    let of_shipped = files.iter().find(|file| ships(file));
    if files.iter().any(leads) {
        files.retain(leads);
    } else if of_shipped.is_some_and(|(points, _)| points * 2 >= most) {
        files.retain(ships);
    }
    files.truncate(rule.take);
    Ok(files.into_iter().map(|(_, file)| file).collect())
}

/// Whether `path` is one of `places` or lies in one.
fn is_below(path: &str, places: &[String]) -> bool {
    places.iter().any(|place| is_within(path, place))
}

/// The files by `rule` and the `paths` of all sorts with their points, most points first, with at least its minimum, at
/// least one of them from a probe.
fn candidates(
    rule: &RootRule,
    paths: &[PathPoints],
    input: &CoreInput<'_>,
) -> Result<Vec<(i32, usize)>, String> {
    let mut points: BTreeMap<usize, (i32, usize)> = BTreeMap::new();
    for (probe, gain) in &rule.points {
        for (file, count) in (input.hits)(probe) {
            let entry = points.entry(file).or_default();
            entry.0 += gain;
            entry.1 += count;
        }
    }
    let mut path_rules = Vec::new();
    for path in rule.path.iter().chain(paths) {
        path_rules.push((
            Pattern::new(&path.pattern).map_err(|e| format!("[core] path: {e}"))?,
            path.points,
        ));
    }
    let mut ranked: Vec<(i32, usize, usize)> = Vec::new();
    for (file, (score, hits)) in points {
        let mut by_path = 0;
        for (pattern, points) in &path_rules {
            if pattern.is_match(&input.paths[file])? {
                by_path += points;
            }
        }
        if input.source[file] && score > 0 && score + by_path >= rule.minimum {
            ranked.push((score + by_path, hits, file));
        }
    }
    ranked.sort_by(|a, b| {
        (b.0, b.1)
            .cmp(&(a.0, a.1))
            .then_with(|| input.paths[a.2].cmp(&input.paths[b.2]))
    });
    let with_points = ranked.into_iter().map(|(points, _, file)| (points, file));
    Ok(with_points.collect())
}

/// Adds the files beside the roots, and those of folders of which more than half was reached.
fn with_siblings(
    roots: &BTreeSet<usize>,
    reached: &BTreeSet<usize>,
    input: &CoreInput<'_>,
) -> BTreeSet<usize> {
    let folder = |file: usize| {
        input.paths[file]
            .rsplit_once('/')
            .map_or("", |(folder, _)| folder)
    };
    let mut members: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for file in (0..input.paths.len()).filter(|f| input.source[*f]) {
        members.entry(folder(file)).or_default().push(file);
    }
    let mut all = reached.clone();
    let root_folders: BTreeSet<&str> = roots.iter().map(|f| folder(*f)).collect();
    for (name, files) in members {
        let taken = files.iter().filter(|f| reached.contains(f)).count();
        if root_folders.contains(name) || taken * 2 > files.len() {
            all.extend(files);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What [`lift`] does, step by step.
    fn lift_slowly(mut folders: BTreeSet<String>, most: usize) -> Vec<String> {
        loop {
            folders = outermost(&folders);
            if folders.len() <= most {
                break;
            }
            let depth = |f: &String| (f.matches('/').count(), f.clone());
            let deepest = folders.iter().max_by_key(|f| depth(f)).unwrap().clone();
            folders.remove(&deepest);
            folders.insert(above(&deepest).to_owned());
        }
        let named = |f: String| if f.is_empty() { ".".to_owned() } else { f };
        folders.into_iter().map(named).collect()
    }

    proptest::proptest! {
        #[test]
        fn lifting_takes_the_deepest_first(
            folders in proptest::collection::btree_set("([abA-]{1,2}/){0,4}[ab.0]{1,2}|", 1..20),
            most in 1usize..6,
        ) {
            proptest::prop_assert_eq!(lift(folders.clone(), most), lift_slowly(folders, most));
        }
    }

    #[test]
    fn folders_are_lifted_until_few_are_left() {
        let folders: BTreeSet<String> = ["a/b/c", "a/b/d", "a/b", "e"]
            .iter()
            .map(|s| (*s).to_owned())
            .collect();
        assert_eq!(lift(folders.clone(), 8), ["a/b", "e"]);
        let many: BTreeSet<String> = (0..20).map(|i| format!("src/pkg{i}")).collect();
        assert_eq!(lift(many, 8), ["src"]);
        assert_eq!(lift(["".to_owned(), "a".to_owned()].into(), 8), ["."]);
    }
}

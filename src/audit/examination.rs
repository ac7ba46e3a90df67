//! What was found in one snapshot, before anything is rated.

use std::collections::BTreeMap;

use minijinja::value::Value;

use super::linked::linked_readme;
use super::{AuditError, Rulebook, Share, memory, roles};
use crate::cache::Cache;
use crate::checkout::Snapshot;
use crate::fact::{Core, CoreInput, Facts, Ground, Project, is_kept};
use crate::inventory::{File, Inventory, Role};
use crate::probe::{Hit, Scan, scan};
use crate::rating::Basis;
use crate::rubric::{LibraryDefault, RubricError, Scope};

/// Files, hits, core and facts of one snapshot.
pub struct Examination {
    /// The inventory.
    pub inventory: Inventory,
    /// Path of each file.
    pub paths: Vec<String>,
    /// Role of each file, generated ones found by their header included.
    pub roles: Vec<Role>,
    /// All hits.
    pub hits: Vec<Hit>,
    /// The core.
    pub core: Core,
    /// The facts.
    pub facts: Facts,
    /// Manifests and README.
    pub project: Project,
    /// What was read and parsed.
    pub share: Share,
}

impl Examination {
    /// Takes the inventory of `snapshot` (or its folder `subpath`), probes it and works out the facts. `name` is the
    /// display name, `repository` is `owner/name`; what `cache` knows of a file is not looked for again.
    ///
    /// # Errors
    /// A condition of the rubric that cannot be evaluated.
    pub fn of(
        snapshot: &Snapshot,
        rulebook: &Rulebook,
        subpath: Option<&str>,
        name: &str,
        repository: &str,
        cache: &Cache,
    ) -> Result<Self, RubricError> {
        let inventory = Inventory::take(snapshot, &rulebook.inventory, subpath);
        let mut found = probe(snapshot, rulebook, &inventory, cache)?;
        let paths: Vec<String> = inventory
            .files
            .iter()
            .map(|file| file.path.clone())
            .collect();
        let mut roles = roles::by_content(&inventory, &found);
        let root = subpath.unwrap_or_default();
        let readme = linked_readme(snapshot, &inventory, root);
        let project = Project::read(
            name,
            repository,
            root,
            &found.kept,
            &paths,
            readme.as_deref(),
        );
        found.hits.retain(|hit| {
            let named = hit.captures.get("name").map(String::as_str);
            !rulebook.probes.is_listed(hit.probe)
                || named.is_some_and(|name| project.listed.contains(name))
        });
        let core = find_core(rulebook, &inventory, &paths, &found, &roles, &project)?;
        roles::settle(&mut roles, &inventory, &found, &core);
        found
            .hits
            .retain(|hit| !roles::is_left_out(&inventory.files[hit.file], roles[hit.file]));
        let share = Share {
            core_found: core.found(),
            ..Share::of(&inventory, &found, &roles, snapshot)
        };
        let scope = Scope::default();
        scope.set("project", project.value());
        scope.set("readme", project.readme_value());
        scope.set("share", share.value());
        scope.set("core", core_value(&core, &paths));
        scope.set("library", library_value(&rulebook.rubric.libraries));
        let ground = Ground {
            hits: &found.hits,
            paths: &paths,
            roles: &roles,
            core: &core,
        };
        let facts = Facts::resolve(&rulebook.rubric, &ground, scope, &rulebook.expressions)
            .map_err(wrong)?;
        Ok(Self {
            inventory,
            hits: found.hits,
            core,
            facts,
            project,
            share,
            paths,
            roles,
        })
    }

    /// The hits with the paths and roles of their files.
    pub fn ground(&self) -> Ground<'_> {
        Ground {
            hits: &self.hits,
            paths: &self.paths,
            roles: &self.roles,
            core: &self.core,
        }
    }

    /// What ratings are made from.
    pub fn basis<'a>(&'a self, rulebook: &'a Rulebook, ground: &'a Ground<'a>) -> Basis<'a> {
        Basis {
            rubric: &rulebook.rubric,
            method: &rulebook.method,
            facts: &self.facts,
            ground,
            expressions: &rulebook.expressions,
            complete: self.share.is_enough() && self.core.found(),
            limited: self.share.is_limited(),
        }
    }

    /// Folders that hold the project's source.
    pub fn source_folders(&self) -> Vec<String> {
        let source = self
            .inventory
            .files
            .iter()
            .zip(&self.roles)
            .filter(|(f, role)| **role == Role::Source && f.is_source_language() && f.in_subpath);
        let folder = |path: &str| {
            path.rsplit_once('/')
                .map_or(String::new(), |(folder, _)| folder.to_owned())
        };
        crate::fact::lift(source.map(|(file, _)| folder(&file.path)).collect(), 12)
    }

    /// Refuses a repository without an agent, an agent framework or a tool server in it.
    pub(super) fn check_subject(&self, rulebook: &Rulebook) -> Result<(), AuditError> {
        let Some(subject) = &rulebook.rubric.kinds.subject else {
            return Ok(());
        };
        let wrong = |message: String| RubricError {
            file: "kinds.toml [subject]".into(),
            line: None,
            message,
        };
        match rulebook
            .expressions
            .holds(Some(&subject.when), &self.facts.scope)
            .map_err(wrong)?
        {
            true => Ok(()),
            false => Err(AuditError::NoSubject(subject.looked_for.clone())),
        }
    }
}

/// An error of the rubric that no line of it can be blamed for.
fn wrong(message: String) -> RubricError {
    RubricError {
        file: "rubric".into(),
        line: None,
        message,
    }
}

/// The pass over all files; what `cache` knows is not looked for again, and what is new goes into it.
fn probe(
    snapshot: &Snapshot,
    rulebook: &Rulebook,
    inventory: &Inventory,
    cache: &Cache,
) -> Result<Scan, RubricError> {
    let known = memory::recall_files(cache);
    let limits = &rulebook.inventory.limits;
    let found = scan(
        snapshot,
        inventory,
        limits,
        &rulebook.probes,
        &is_kept,
        &known,
    )
    .map_err(|error| wrong(error.to_string()))?;
    memory::keep_files(cache, &known, snapshot, inventory, &found);
    Ok(found)
}

fn find_core(
    rulebook: &Rulebook,
    inventory: &Inventory,
    paths: &[String],
    found: &Scan,
    roles: &[Role],
    project: &Project,
) -> Result<Core, RubricError> {
    let files = &inventory.files;
    let languages: Vec<String> = files.iter().map(|f| f.language_name().to_owned()).collect();
    let is_source = |(file, role): (&File, &Role)| *role == Role::Source && file.in_subpath;
    let source: Vec<bool> = files.iter().zip(roles).map(is_source).collect();
    let imports: Vec<Vec<String>> = found.files.iter().map(|f| f.imports.clone()).collect();
    let mut by_probe: BTreeMap<&str, BTreeMap<usize, usize>> = BTreeMap::new();
    for hit in &found.hits {
        let by_file = by_probe.entry(rulebook.probes.id(hit.probe)).or_default();
        *by_file.entry(hit.file).or_default() += 1;
    }
    let hits = |probe: &str| by_probe.get(probe).cloned().unwrap_or_default();
    let input = CoreInput {
        paths,
        languages: &languages,
        source: &source,
        imports: &imports,
        lead: &project.lead_folders,
        shipped: &project.shipped,
        hits: &hits,
    };
    Core::find(&rulebook.rubric.core, &input).map_err(wrong)
}

/// The variable `library` of expressions: by construct, what its library does when nothing is said.
pub(super) fn library_value(libraries: &[LibraryDefault]) -> Value {
    let entry = |library: &LibraryDefault| {
        Value::from_pairs([
            ("name", Value::from(&library.name)),
            ("setting", Value::from(&library.setting)),
            ("steps", Value::from(library.steps)),
        ])
    };
    let constructs = libraries.iter().flat_map(|library| {
        let value = entry(library);
        library
            .constructs
            .iter()
            .map(move |c| (c.clone(), value.clone()))
    });
    Value::from_pairs(constructs.collect::<BTreeMap<String, Value>>())
}

fn core_value(core: &Core, paths: &[String]) -> Value {
    Value::from_pairs([
        ("found", Value::from(core.found())),
        ("folders", Value::from(core.folders(paths))),
        ("files", Value::from(core.len())),
    ])
}

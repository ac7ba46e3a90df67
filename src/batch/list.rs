//! The list of repositories, `LIST.toml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use crate::checkout::{Source, naming, remote};
use crate::rubric::line_at;

/// What is wrong with a list, and where.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ListError {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong and what to do.
    pub message: String,
}

/// A repository to audit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Slug of the card, and name of its folder. No two entries of a list share one.
    pub id: String,
    /// Where it is read from when there is no `path`, and what the card links to.
    pub url: Option<String>,
    /// Where it is read from; relative paths of the list are relative to the list's folder.
    pub path: Option<PathBuf>,
    /// The path as the list has it.
    pub listed_path: Option<String>,
    /// Commit (full or abbreviated), tag or branch; the default branch when `None`.
    pub commit: Option<String>,
    /// Folder of a monorepo.
    pub subpath: Option<String>,
    /// Name on the card.
    pub name: Option<String>,
}

impl Entry {
    /// The full commit that the entry is pinned to, if it is.
    pub fn pinned_commit(&self) -> Option<&str> {
        let is_full = |c: &&str| c.len() == 40 && c.bytes().all(|b| b.is_ascii_hexdigit());
        self.commit.as_deref().filter(is_full)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListFile {
    #[serde(default)]
    repository: Vec<Spanned<EntryFile>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryFile {
    id: Option<String>,
    url: Option<String>,
    path: Option<String>,
    commit: Option<String>,
    subpath: Option<String>,
    name: Option<String>,
}

/// Reads the list `text`; `folder` is where it lies. Entries keep the list's order.
///
/// # Errors
/// The first place that is no TOML, has an unknown key, names no repository, or takes an id that another entry has.
pub fn parse(text: &str, folder: &Path) -> Result<Vec<Entry>, ListError> {
    let file: ListFile = toml::from_str(text).map_err(|error| ListError {
        line: line_at(text, error.span().map_or(0, |span| span.start)),
        message: error.message().to_owned(),
    })?;
    if file.repository.is_empty() {
        let message = "names no repository; write a [[repository]] table for each".to_owned();
        return Err(ListError { line: 1, message });
    }
    let mut lines = BTreeMap::new();
    let mut entries = Vec::with_capacity(file.repository.len());
    for spanned in file.repository {
        let line = line_at(text, spanned.span().start);
        let at = |message: String| ListError { line, message };
        let entry = entry(spanned.into_inner(), folder).map_err(at)?;
        if let Some(first) = lines.insert(entry.id.clone(), line) {
            let message = format!(
                "id `{}` is that of line {first}, too; give one of them another id",
                entry.id
            );
            return Err(at(message));
        }
        entries.push(entry);
    }
    Ok(entries)
}

fn entry(file: EntryFile, folder: &Path) -> Result<Entry, String> {
    if file.url.is_none() && file.path.is_none() {
        return Err("has neither `url` nor `path`".to_owned());
    }
    let given = [
        &file.id,
        &file.url,
        &file.path,
        &file.commit,
        &file.subpath,
        &file.name,
    ];
    if given.into_iter().flatten().any(String::is_empty) {
        return Err("has an empty value; leave the key out".to_owned());
    }
    if let Some(url) = &file.url {
        check_url(url, file.path.is_some())?;
    }
    let id = id(&file)?;
    let path = file.path.as_deref().map(|path| place(path, folder));
    Ok(Entry {
        id,
        path,
        url: file.url,
        listed_path: file.path,
        commit: file.commit,
        subpath: file.subpath,
        name: file.name,
    })
}

/// A URL is one that can be fetched, or beside a path one that the card can link to.
fn check_url(url: &str, has_path: bool) -> Result<(), String> {
    match Source::parse(url).map_err(|e| e.to_string())? {
        Source::Path(_) => Err(format!(
            "url = {url:?} is no URL; a folder goes into `path`"
        )),
        Source::Url(address) if has_path && remote::https_url(address.shown()).is_none() => {
            Err(format!(
                "{}: beside `path`, `url` is the https address of the repository",
                address.shown()
            ))
        }
        Source::Url(_) => Ok(()),
    }
}

fn id(file: &EntryFile) -> Result<String, String> {
    if let Some(id) = &file.id {
        let slug = naming::slug(id);
        return match slug == *id {
            true => Ok(slug),
            false => Err(format!(
                "id = {id:?}: lower-case letters, digits and hyphens, such as `{slug}`"
            )),
        };
    }
    let address = file.url.as_ref().or(file.path.as_ref());
    let named = address.map_or("", |address| naming::last_segment(address));
    match named.contains(|c: char| c.is_ascii_alphanumeric()) {
        true => Ok(naming::slug(named)),
        false => Err("no id can be made of its name; give it an `id`".to_owned()),
    }
}

/// A path from the list's folder, in a form that is never taken for a URL or an option.
fn place(path: &str, folder: &Path) -> PathBuf {
    let joined = folder.join(path);
    match joined.is_absolute() || joined.starts_with(".") || joined.starts_with("..") {
        true => joined,
        false => Path::new(".").join(joined),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> String {
        parse(text, Path::new("lists")).unwrap_err().to_string()
    }

    #[test]
    fn entries_have_ids_and_places() {
        let text = "[[repository]]\nurl = \"https://github.com/o/Some_Agent\"\ncommit = \"v1\"\n\
                    [[repository]]\npath = \"mirror/thing.git\"\nsubpath = \"a\"\n\
                    [[repository]]\nid = \"x\"\npath = \"/m/x\"\nurl = \"https://github.com/o/x\"\nname = \"X\"\n";
        let entries = parse(text, Path::new("lists")).unwrap();
        let ids: Vec<&str> = entries.iter().map(|e| e.id.as_str()).collect();
        assert_eq!(ids, ["some-agent", "thing", "x"]);
        assert_eq!(
            entries[1].path.as_deref(),
            Some(Path::new("./lists/mirror/thing.git"))
        );
        assert_eq!(entries[2].path.as_deref(), Some(Path::new("/m/x")));
        assert_eq!(entries[0].pinned_commit(), None);
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let list: Vec<String> = [
            "",
            "[[repository]]\nid = \"a\"\n",
            "\n[[repository]]\nurl = \"https://github.com/o/a\"\n[[repository]]\npath = \"a\"\n",
            "[[repository]]\nurl = \"../a\"\n",
            "[[repository]]\nurl = \"ext::sh -c id\"\n",
            "[[repository]]\nurl = \"file:///m/a\"\npath = \"a\"\n",
            "[[repository]]\nid = \"../etc\"\npath = \"a\"\n",
            "[[repository]]\npath = \".\"\n",
            "[[repository]]\npath = \"a\"\nname = \"\"\n",
            "[[repository]]\npath = \"a\"\nref = \"main\"\n",
            "[[repository]\n",
        ]
        .into_iter()
        .map(wrong)
        .collect();
        insta::assert_snapshot!(list.join("\n"), @r#"
        line 1: names no repository; write a [[repository]] table for each
        line 1: has neither `url` nor `path`
        line 4: id `a` is that of line 2, too; give one of them another id
        line 1: url = "../a" is no URL; a folder goes into `path`
        line 1: `ext::sh -c id`: only https, http, ssh and file URLs are supported
        line 1: file:///m/a: beside `path`, `url` is the https address of the repository
        line 1: id = "../etc": lower-case letters, digits and hyphens, such as `etc`
        line 1: no id can be made of its name; give it an `id`
        line 1: has an empty value; leave the key out
        line 3: unknown field `ref`, expected one of `id`, `url`, `path`, `commit`, `subpath`, `name`
        line 1: unclosed array table, expected `]`
        "#);
    }
}

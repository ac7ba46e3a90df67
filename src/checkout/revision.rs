//! What the user calls a commit, and which commit of a local repository that is.

use std::collections::HashSet;

use gix::ObjectId;
use gix::hash::Prefix;
use gix::objs::Kind;

use super::error::CheckoutError;

/// Fewest hexadecimal digits of an abbreviated commit, as git has it.
const SHORTEST_ABBREVIATION: usize = 4;

/// Tags of tags that are followed to a commit.
const MOST_TAGS: usize = 16;

/// Longest part of a name between slashes: what a file system takes.
const LONGEST_PART: usize = 255;

/// A commit as the user named it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Revision {
    /// The default branch.
    Head,
    /// A full commit id.
    Commit(ObjectId),
    /// A tag, a branch or a full reference name; or an abbreviated commit where it reads as one.
    Name(String),
}

impl Revision {
    /// Reads `--revision`. Expressions (`HEAD~1`, `a..b`, `@{upstream}`) are refused: they do not pin anything.
    pub(super) fn parse(text: Option<&str>) -> Result<Self, CheckoutError> {
        let Some(text) = text else {
            return Ok(Self::Head);
        };
        if text == "HEAD" || text == "@" {
            return Ok(Self::Head);
        }
        let lower = text.to_ascii_lowercase();
        if let Ok(id) = ObjectId::from_hex(lower.as_bytes()) {
            return Ok(Self::Commit(id));
        }
        let too_long = text.split('/').any(|part| part.len() > LONGEST_PART);
        if text.starts_with('-') || too_long || gix::refs::PartialName::try_from(text).is_err() {
            let shown = super::error::foreign_text(text);
            return Err(CheckoutError::Input(format!(
                "revision `{shown}`: give a commit id (full or abbreviated), a tag or a branch; \
                 `git rev-parse` prints the id of anything else"
            )));
        }
        Ok(Self::Name(text.to_owned()))
    }
}

/// `name` as an abbreviated commit: 4 to 39 hexadecimal digits.
pub(super) fn abbreviation(name: &str) -> Option<Prefix> {
    (name.len() >= SHORTEST_ABBREVIATION)
        .then(|| Prefix::from_hex(&name.to_ascii_lowercase()).ok())
        .flatten()
}

/// Finds the commit that `revision` names in the local repository `repository`, called `place` in messages.
///
/// A reference wins over an abbreviation of the same spelling, as in git; objects other than commits do not
/// make an abbreviation ambiguous.
pub(super) fn resolve(
    repository: &gix::Repository,
    revision: &Revision,
    place: &str,
) -> Result<ObjectId, CheckoutError> {
    let found = match revision {
        Revision::Head => head(repository, place)?,
        Revision::Commit(id) => commit_of(repository, *id),
        Revision::Name(name) => match by_reference(repository, name, place)? {
            Some(id) => Some(id),
            None => by_abbreviation(repository, name, place)?,
        },
    };
    match found {
        Some(id) => Ok(id),
        None if is_empty(repository) => Err(CheckoutError::Empty {
            place: place.to_owned(),
        }),
        None => Err(unknown(repository, revision, place)),
    }
}

fn head(repository: &gix::Repository, place: &str) -> Result<Option<ObjectId>, CheckoutError> {
    let head = repository
        .head()
        .map_err(|error| CheckoutError::unreadable(place, &error))?;
    Ok(head.id().and_then(|id| commit_of(repository, id.detach())))
}

fn by_reference(
    repository: &gix::Repository,
    name: &str,
    place: &str,
) -> Result<Option<ObjectId>, CheckoutError> {
    let reference = repository
        .try_find_reference(name)
        .map_err(|error| CheckoutError::unreadable(place, &error))?;
    Ok(reference.and_then(|mut reference| {
        let id = reference.follow_to_object().ok()?.detach();
        commit_of(repository, id)
    }))
}

fn by_abbreviation(
    repository: &gix::Repository,
    name: &str,
    place: &str,
) -> Result<Option<ObjectId>, CheckoutError> {
    let Some(prefix) = abbreviation(name) else {
        return Ok(None);
    };
    let mut matches = HashSet::new();
    repository
        .objects
        .lookup_prefix(prefix, Some(&mut matches))
        .map_err(|error| CheckoutError::unreadable(place, &error))?;
    let mut commits: Vec<ObjectId> = matches
        .into_iter()
        .filter_map(|id| commit_of(repository, id))
        .collect();
    commits.sort();
    commits.dedup();
    only(&commits, name, place)
}

/// The one of `commits` that `prefix` fits; an error when there are several.
pub(super) fn only(
    commits: &[ObjectId],
    prefix: &str,
    place: &str,
) -> Result<Option<ObjectId>, CheckoutError> {
    if commits.len() > 1 {
        return Err(CheckoutError::Ambiguous {
            place: place.to_owned(),
            prefix: prefix.to_owned(),
            candidates: commits.iter().map(ToString::to_string).collect(),
        });
    }
    Ok(commits.first().copied())
}

/// The commit at `id`, through annotated tags; `None` when there is none or the objects are missing.
pub(super) fn commit_of(repository: &gix::Repository, id: ObjectId) -> Option<ObjectId> {
    let mut id = id;
    // Step by step: gix's own way through tags panics on one that is damaged.
    for _ in 0..MOST_TAGS {
        let object = repository.try_find_object(id).ok()??;
        match object.kind {
            Kind::Commit => return Some(id),
            Kind::Tag => id = object.to_tag_ref_iter().target_id().ok()?,
            Kind::Tree | Kind::Blob => return None,
        }
    }
    None
}

/// No reference leads anywhere: freshly initialised.
fn is_empty(repository: &gix::Repository) -> bool {
    let detached = repository.head().is_ok_and(|head| head.is_detached());
    let first_reference = repository
        .references()
        .ok()
        .and_then(|references| references.all().ok()?.find_map(Result::ok).map(|_| ()));
    !detached && first_reference.is_none()
}

fn unknown(repository: &gix::Repository, revision: &Revision, place: &str) -> CheckoutError {
    let incomplete = if repository.is_shallow().unwrap_or(false) {
        "; the clone is shallow, so fetch it first"
    } else {
        ""
    };
    let reason = match revision {
        Revision::Head => {
            "HEAD leads to no commit that is there; name a branch, a tag or a commit".to_owned()
        }
        Revision::Commit(id) => format!("no commit {id}{incomplete}"),
        Revision::Name(name) => format!("no commit, tag or branch `{name}`{incomplete}"),
    };
    CheckoutError::UnknownRevision {
        place: place.to_owned(),
        reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn revisions_are_told_apart() {
        let id = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(Revision::parse(None).unwrap(), Revision::Head);
        assert_eq!(Revision::parse(Some("HEAD")).unwrap(), Revision::Head);
        let commit = Revision::Commit(ObjectId::from_hex(id.as_bytes()).unwrap());
        assert_eq!(Revision::parse(Some(&id.to_uppercase())).unwrap(), commit);
        assert_eq!(
            Revision::parse(Some("v1.0")).unwrap(),
            Revision::Name("v1.0".to_owned())
        );
    }

    #[test]
    fn expressions_are_refused() {
        for text in [
            "",
            "HEAD~1",
            "a..b",
            "@{upstream}",
            "main^",
            "a:b",
            "-x",
            "a b",
            ":/text",
        ] {
            assert!(
                matches!(Revision::parse(Some(text)), Err(CheckoutError::Input(_))),
                "{text:?}"
            );
        }
    }

    #[test]
    fn abbreviations_have_four_digits_or_more() {
        assert!(abbreviation("abc").is_none());
        assert!(abbreviation("ABCD").is_some());
        assert!(abbreviation("abcg").is_none());
    }
}

//! The branches and tags that a remote advertises, and which of them a revision names.

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::protocol::handshake::Ref;
use gix::refspec::{RefSpec, parse::Operation};

use super::error::CheckoutError;
use super::revision::{Revision, abbreviation};

/// Under this name a cached repository keeps that its commit was the head of the default branch.
pub(super) const DEFAULT_BRANCH: &str = "refs/remotes/origin/HEAD";

/// A commit to fetch, and the references that led to it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) commit: ObjectId,
    pub(super) names: Vec<String>,
}

/// What to ask the remote for. Branches and tags are always asked for, to tell an empty repository from a missing
/// name; pull requests and the like, of which there may be many more, only by their full name.
pub(super) fn refspecs(revision: &Revision) -> gix::Result<Vec<RefSpec>> {
    let mut specs = vec![
        "HEAD",
        "refs/heads/*:refs/heads/*",
        "refs/tags/*:refs/tags/*",
    ];
    if let Revision::Name(name) = revision
        && name.starts_with("refs/")
    {
        specs.push(name);
    }
    let parse = |spec: &str| -> gix::Result<RefSpec> {
        Ok(gix::refspec::parse(spec.as_bytes().as_bstr(), Operation::Fetch)?.to_owned())
    };
    specs.into_iter().map(parse).collect()
}

/// Finds what `revision` names among `references`: a full name, else a tag, else a branch, as git does.
///
/// # Errors
/// [`CheckoutError::Empty`] when nothing is advertised, else [`CheckoutError::UnknownRevision`].
pub(super) fn resolve(
    references: &[Ref],
    revision: &Revision,
    place: &str,
) -> Result<Wanted, CheckoutError> {
    let find = |name: &str| {
        references
            .iter()
            .find_map(|reference| commit_at(reference, name))
    };
    let found = match revision {
        Revision::Head => find("HEAD").map(|commit| Wanted {
            commit,
            names: vec![DEFAULT_BRANCH.to_owned()],
        }),
        Revision::Commit(commit) => Some(Wanted {
            commit: *commit,
            names: Vec::new(),
        }),
        Revision::Name(name) => candidates(name).into_iter().find_map(|full| {
            find(&full).map(|commit| Wanted {
                commit,
                names: vec![full],
            })
        }),
    };
    found.ok_or_else(|| not_found(references, revision, place))
}

/// The full names that `name` may stand for, most telling first.
fn candidates(name: &str) -> Vec<String> {
    if name.starts_with("refs/") {
        return vec![name.to_owned()];
    }
    vec![
        format!("refs/tags/{name}"),
        format!("refs/heads/{name}"),
        format!("refs/{name}"),
    ]
}

/// The object at `reference` when it is called `name`, through annotated tags.
fn commit_at(reference: &Ref, name: &str) -> Option<ObjectId> {
    let (full_name, target, peeled) = reference.unpack();
    (full_name == name)
        .then(|| peeled.or(target))
        .flatten()
        .map(ToOwned::to_owned)
}

fn not_found(references: &[Ref], revision: &Revision, place: &str) -> CheckoutError {
    let place = place.to_owned();
    if references
        .iter()
        .all(|reference| reference.unpack().1.is_none())
    {
        return CheckoutError::Empty { place };
    }
    let reason = match revision {
        Revision::Name(name) if abbreviation(name).is_some() => {
            format!(
                "`{name}` is no tag or branch, and an abbreviated commit cannot be fetched: give the full id"
            )
        }
        Revision::Name(name) => format!("no tag or branch `{name}`"),
        _ => "the default branch does not exist; name a branch, a tag or a commit".to_owned(),
    };
    CheckoutError::UnknownRevision { place, reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(digit: char) -> ObjectId {
        ObjectId::from_hex(digit.to_string().repeat(40).as_bytes()).unwrap()
    }

    fn references() -> Vec<Ref> {
        vec![
            Ref::Symbolic {
                full_ref_name: "HEAD".into(),
                target: "refs/heads/main".into(),
                tag: None,
                object: id('a'),
            },
            Ref::Direct {
                full_ref_name: "refs/heads/main".into(),
                object: id('a'),
            },
            Ref::Direct {
                full_ref_name: "refs/heads/both".into(),
                object: id('b'),
            },
            Ref::Peeled {
                full_ref_name: "refs/tags/both".into(),
                tag: id('c'),
                object: id('d'),
            },
        ]
    }

    fn resolved(name: Option<&str>) -> Result<Wanted, CheckoutError> {
        resolve(&references(), &Revision::parse(name).unwrap(), "place")
    }

    #[test]
    fn names_resolve_as_in_git() {
        let wanted = |commit, name: &str| Wanted {
            commit,
            names: vec![name.to_owned()],
        };
        assert_eq!(resolved(None).unwrap(), wanted(id('a'), DEFAULT_BRANCH));
        assert_eq!(
            resolved(Some("main")).unwrap(),
            wanted(id('a'), "refs/heads/main")
        );
        assert_eq!(
            resolved(Some("both")).unwrap(),
            wanted(id('d'), "refs/tags/both"),
            "the tag's commit"
        );
        assert_eq!(
            resolved(Some("refs/heads/both")).unwrap(),
            wanted(id('b'), "refs/heads/both")
        );
        assert_eq!(
            resolved(Some("heads/both")).unwrap(),
            wanted(id('b'), "refs/heads/both")
        );
    }

    #[test]
    fn what_is_missing_is_named() {
        let message = resolved(Some("nope")).unwrap_err();
        assert_eq!(
            (message.exit_code(), message.to_string().as_str()),
            (12, "place: no tag or branch `nope`")
        );
        assert!(
            resolved(Some("abcdef1"))
                .unwrap_err()
                .to_string()
                .contains("give the full id")
        );
    }

    #[test]
    fn a_repository_without_references_is_empty() {
        let unborn = [Ref::Unborn {
            full_ref_name: "HEAD".into(),
            target: "refs/heads/main".into(),
        }];
        for references in [&unborn[..], &[]] {
            assert_eq!(
                resolve(references, &Revision::Head, "place")
                    .unwrap_err()
                    .exit_code(),
                15
            );
        }
    }
}

//! The README of a repository whose root only links to it: monorepos keep it with the package it describes.

use crate::checkout::{Mode, Snapshot};
use crate::fact::{is_at_root, is_readme};
use crate::inventory::Inventory;

/// Path of the file that a README in the folder `root` leads to; none unless it is a link to a file of the inventory.
pub(super) fn linked_readme(
    snapshot: &Snapshot,
    inventory: &Inventory,
    root: &str,
) -> Option<String> {
    let link = inventory
        .symlinks
        .iter()
        .find(|path| is_at_root(path, root) && is_readme(path))?;
    let target = joined(root, &target_of(snapshot, link)?)?;
    let held = inventory.files.iter().any(|file| file.path == target);
    held.then_some(target)
}

fn target_of(snapshot: &Snapshot, link: &str) -> Option<String> {
    let mut files = snapshot.files.iter();
    let file = files.find(|file| file.mode == Mode::Symlink && file.path == link)?;
    snapshot.link_target(file)
}

/// The path that `target` names from `root`; none when it leads out of the repository.
fn joined(root: &str, target: &str) -> Option<String> {
    if target.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = root.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn a_target_is_followed_inside_of_the_repository_only() {
        assert_eq!(
            joined("", "./packages/kit/README.md").as_deref(),
            Some("packages/kit/README.md")
        );
        assert_eq!(
            joined("apps/a", "../b//README.md").as_deref(),
            Some("apps/b/README.md")
        );
        assert_eq!(joined("apps", "../../README.md"), None);
        assert_eq!(joined("", "/etc/README.md"), None);
    }
}

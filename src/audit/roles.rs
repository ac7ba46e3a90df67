//! What a file is there for, in the light of its content and of the core.
//!
//! Whoever writes a file can make it say that a program wrote it, and whoever writes `.gitattributes` can make them say
//! that it is somebody else's. Both are believed of files that the core does without, and of no others.

use std::collections::BTreeSet;

use crate::fact::Core;
use crate::inventory::{File, Inventory, Role};
use crate::probe::{FileScan, Scan};

/// Role of each file by its path and content, before the core is known.
pub(super) fn by_content(inventory: &Inventory, scan: &Scan) -> Vec<Role> {
    let role = |(file, scanned): (&File, &FileScan)| match scanned.outcome.looks_generated() {
        true if !file.is_program() => Role::Generated,
        _ => file.role,
    };
    inventory.files.iter().zip(&scan.files).map(role).collect()
}

/// Makes [`Role::Generated`] of the source that is said not to be the project's own, but for what lies in `core` and
/// is written in a language of its: a bundle for the browser beside a Python agent is not part of it.
pub(super) fn settle(roles: &mut [Role], inventory: &Inventory, scan: &Scan, core: &Core) {
    let files = || inventory.files.iter().zip(&scan.files).enumerate();
    let claims =
        |file: &File, scanned: &FileScan| file.disowned || scanned.outcome.looks_generated();
    let languages: BTreeSet<&str> = files()
        .filter(|(index, (file, scanned))| core.contains(*index) && !claims(file, scanned))
        .map(|(_, (file, _))| file.language_name())
        .collect();
    for (index, (file, scanned)) in files() {
        let is_own = core.contains(index)
            && (languages.is_empty() || languages.contains(file.language_name()));
        if file.is_program() && claims(file, scanned) && !is_own {
            roles[index] = Role::Generated;
        }
    }
}

/// Whether what was found in `file` does not count, since its role is `settled` to be no source.
pub(super) fn is_left_out(file: &File, settled: Role) -> bool {
    settled == Role::Generated && file.role != Role::Generated
}

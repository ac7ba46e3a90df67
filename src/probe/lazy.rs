//! Probes that are made ready when the first file needs them.

use std::sync::OnceLock;

use super::compile::{ProbeError, ProbeSet};
use crate::rubric::ProbeSpec;

/// The probes of a rubric. When every file is known from an earlier audit, they are never made ready.
pub struct Probes {
    specs: Vec<ProbeSpec>,
    set: OnceLock<Result<ProbeSet, ProbeError>>,
}

impl Probes {
    /// Probes by `specs`, which keep their order: the position is the probe's index in [`super::Hit`].
    pub fn new(specs: &[ProbeSpec]) -> Self {
        Self {
            specs: specs.to_vec(),
            set: OnceLock::new(),
        }
    }

    /// The probes, ready to run.
    ///
    /// # Errors
    /// See [`ProbeSet::compile`].
    pub fn set(&self) -> Result<&ProbeSet, ProbeError> {
        let set = self.set.get_or_init(|| ProbeSet::compile(&self.specs));
        set.as_ref().map_err(Clone::clone)
    }

    /// The probes, all of them compiled.
    ///
    /// # Errors
    /// See [`ProbeSet::compile`] and [`ProbeSet::check`].
    pub fn checked(&self) -> Result<&ProbeSet, ProbeError> {
        let set = self.set()?;
        set.check()?;
        Ok(set)
    }

    /// Id of the probe at `index`.
    pub fn id(&self, index: usize) -> &str {
        self.specs[index].id.get_ref()
    }

    /// Whether a hit of the probe at `index` counts only under a name that the README lists.
    pub fn is_listed(&self, index: usize) -> bool {
        self.specs[index].listed
    }

    /// Number of probes.
    pub fn len(&self) -> usize {
        self.specs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.specs.is_empty()
    }
}

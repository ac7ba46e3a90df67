//! The figures of the method, read from `rubric/method.toml` and checked once.

mod file;
#[cfg(test)]
mod tests;

use serde::Deserialize;
use thiserror::Error;

use super::model::Fix;
use super::points::Points;
use super::vocabulary::{CriterionId, Level, ParameterId, PerParameter};

const BUILT_IN: &str = include_str!("../../../rubric/method.toml");

/// Why a `method.toml` is refused.
#[derive(Debug, Error)]
pub enum MethodError {
    /// Not TOML, or not of the expected form; the message has line and column.
    #[error("method.toml: {0}")]
    Form(#[from] toml::de::Error),
    /// A figure that contradicts the others.
    #[error("method.toml: {0}")]
    Figure(String),
}

/// The figures that every card shares: weights, caps, bands, limits and the criteria's names.
#[derive(Clone, Debug)]
pub struct Method {
    /// Version of the file formats.
    pub schema_version: String,
    /// Version of the method.
    pub scorecard_version: String,
    /// What a card may not exceed.
    pub limits: Limits,
    /// What level 4 of each parameter earns; they sum to [`Points::ONE`].
    pub weights: PerParameter<Points>,
    /// From the highest down, without the lowest.
    bands: Vec<Band>,
    lowest_band: Band,
    caps: Vec<CapFacts>,
    criteria: [CriterionFacts; 10],
}

/// What a card may not exceed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// The highest level of an inferred parameter.
    pub inferred: u8,
    /// How far C and D may be above S.
    pub above_strength: u8,
    /// How many fixes a card may propose.
    pub fixes: usize,
}

/// A range of totals with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    /// The lowest total that belongs to it.
    pub from: Points,
    /// For programs.
    pub id: String,
    /// For people.
    pub label: String,
    /// For badges.
    pub color: String,
}

/// What the method says of a cap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapFacts {
    /// Such as `C4-HOSTROOT`.
    pub id: String,
    /// The criterion it belongs to; none for any.
    pub criterion: Option<CriterionId>,
    /// The most that a capped criterion scores.
    pub max: Points,
    /// The reason printed when the program applies it and the card states none.
    pub automatic: Option<String>,
}

/// What the method says of a criterion.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CriterionFacts {
    /// C1 to C10.
    pub id: CriterionId,
    /// Its heading.
    pub name: String,
    /// OWASP labels.
    pub owasp: Vec<String>,
    /// What it asks, in one sentence.
    pub question: String,
    /// Whether B at L0 is a critical gap.
    pub worst_blast_is_critical: bool,
}

impl Method {
    /// The method that the program ships with.
    ///
    /// # Errors
    /// Only if `rubric/method.toml` of this build is wrong, which the tests rule out.
    pub fn built_in() -> Result<Self, MethodError> {
        Self::from_toml(BUILT_IN)
    }

    /// Reads a `method.toml` and checks that its figures fit together.
    ///
    /// # Errors
    /// [`MethodError::Form`] with line and column, or [`MethodError::Figure`] naming the key.
    pub fn from_toml(text: &str) -> Result<Self, MethodError> {
        file::read(text)
    }

    /// What the method says of a criterion.
    pub fn criterion(&self, id: CriterionId) -> &CriterionFacts {
        &self.criteria[id as usize]
    }

    /// What the method says of a cap; none if it does not know it.
    pub fn cap(&self, id: &str) -> Option<&CapFacts> {
        self.caps.iter().find(|cap| cap.id == id)
    }

    /// The most that a criterion with this cap scores. A cap that the method does not know counts
    /// as the strictest one, so that a misspelt cap cannot raise a score.
    pub fn cap_max(&self, id: &str) -> Points {
        let strictest = || self.caps.iter().map(|cap| cap.max).min();
        self.cap(id)
            .map(|cap| cap.max)
            .or_else(strictest)
            .unwrap_or(Points::ZERO)
    }

    /// The band of a total that is already rounded to tenths.
    pub fn band(&self, total: Points) -> &Band {
        self.bands
            .iter()
            .find(|band| total >= band.from)
            .unwrap_or(&self.lowest_band)
    }

    /// What a parameter at a level earns: a quarter of its weight for each rung.
    pub fn earned(&self, parameter: ParameterId, level: Level) -> Points {
        let weight = self.weights.get(parameter).thousandths();
        Points::from_thousandths(weight * u32::from(level.number()) / u32::from(Level::MAX))
    }

    /// What a fix gains before caps; nothing if it does not raise the level.
    pub fn gain(&self, fix: &Fix) -> Points {
        self.earned(fix.parameter, fix.to_level)
            .less(self.earned(fix.parameter, fix.from_level))
    }

    /// The highest level that C and D may have beside a strength (method.md, "S + 1"). An absent
    /// surface bounds nothing.
    pub fn highest_beside(&self, strength: Level) -> u8 {
        match strength {
            Level::Absent => Level::MAX,
            Level::Rung(_) => (strength.number() + self.limits.above_strength).min(Level::MAX),
        }
    }
}

//! The four parameters, and one value for each.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One of the four parameters of a criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ParameterId {
    /// Strength: how well the mechanism works when it is on.
    S,
    /// Coverage: which paths go through it.
    C,
    /// Default and tamper-resistance: how it ships, and who can switch it off.
    D,
    /// Blast radius: what can go wrong when it has failed.
    B,
}

impl ParameterId {
    /// All four, in the order of the card.
    pub const ALL: [Self; 4] = [Self::S, Self::C, Self::D, Self::B];

    /// The word for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::S => "strength",
            Self::C => "coverage",
            Self::D => "default",
            Self::B => "blast radius",
        }
    }
}

impl fmt::Display for ParameterId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::S => "S",
            Self::C => "C",
            Self::D => "D",
            Self::B => "B",
        })
    }
}

/// One value for each of the four parameters; in JSON an object with the keys S, C, D, B.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct PerParameter<T> {
    #[serde(rename = "S")]
    pub s: T,
    #[serde(rename = "C")]
    pub c: T,
    #[serde(rename = "D")]
    pub d: T,
    #[serde(rename = "B")]
    pub b: T,
}

impl<T> PerParameter<T> {
    /// The value of one parameter.
    pub fn get(&self, id: ParameterId) -> &T {
        match id {
            ParameterId::S => &self.s,
            ParameterId::C => &self.c,
            ParameterId::D => &self.d,
            ParameterId::B => &self.b,
        }
    }

    /// The value of one parameter, to be changed.
    pub fn get_mut(&mut self, id: ParameterId) -> &mut T {
        match id {
            ParameterId::S => &mut self.s,
            ParameterId::C => &mut self.c,
            ParameterId::D => &mut self.d,
            ParameterId::B => &mut self.b,
        }
    }

    /// The four values with their names, in the order of the card.
    pub fn iter(&self) -> impl Iterator<Item = (ParameterId, &T)> {
        ParameterId::ALL.into_iter().map(|id| (id, self.get(id)))
    }

    /// The same four parameters with each value turned into another.
    pub fn map<'a, U>(&'a self, mut turn: impl FnMut(ParameterId, &'a T) -> U) -> PerParameter<U> {
        PerParameter {
            s: turn(ParameterId::S, &self.s),
            c: turn(ParameterId::C, &self.c),
            d: turn(ParameterId::D, &self.d),
            b: turn(ParameterId::B, &self.b),
        }
    }
}

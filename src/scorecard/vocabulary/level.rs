//! The level of a parameter.

use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The level of a parameter: a rung of its ladder, or the absence of the risk surface.
///
/// A file may hold a number above 4. It loads, so that [`check`](crate::scorecard::check) can report it beside
/// everything else that is wrong; [`Level::number`] never exceeds 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// L0 to L4.
    Rung(u8),
    /// SA: there is nothing to control; earns what L4 earns (method.md, "Two mechanisms, and absence").
    Absent,
}

impl Level {
    /// The highest rung.
    pub const MAX: u8 = 4;

    /// The rung as a number from 0 to 4; 4 for an absence.
    pub fn number(self) -> u8 {
        match self {
            Self::Rung(rung) => rung.min(Self::MAX),
            Self::Absent => Self::MAX,
        }
    }

    /// Whether the risk surface is absent.
    pub fn is_absent(self) -> bool {
        self == Self::Absent
    }

    /// Whether the level is one that exists.
    pub fn is_in_range(self) -> bool {
        !matches!(self, Self::Rung(rung) if rung > Self::MAX)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rung(rung) => write!(f, "L{rung}"),
            Self::Absent => f.write_str("SA"),
        }
    }
}

impl Serialize for Level {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Rung(rung) => serializer.serialize_u8(*rung),
            Self::Absent => serializer.serialize_str("SA"),
        }
    }
}

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LevelVisitor)
    }
}

struct LevelVisitor;

impl Visitor<'_> for LevelVisitor {
    type Value = Level;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a level: 0, 1, 2, 3, 4 or \"SA\"")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Level, E> {
        u8::try_from(number)
            .map(Level::Rung)
            .map_err(|_| E::invalid_value(de::Unexpected::Unsigned(number), &self))
    }

    /// TOML has no unsigned numbers.
    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Level, E> {
        u8::try_from(number)
            .map(Level::Rung)
            .map_err(|_| E::invalid_value(de::Unexpected::Signed(number), &self))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Level, E> {
        match text {
            "SA" => Ok(Level::Absent),
            other => Err(E::invalid_value(de::Unexpected::Str(other), &self)),
        }
    }
}

//! Places of a card as an overlay names them: `headline`, `C4`, `C4.alt`, `C4.S`, `C4.alt.S`, `C4.summary`,
//! `C4.S.finding`.

use std::fmt;

use serde::Deserialize;

use crate::scorecard::{CriterionId, MechanismKind, ParameterId};

/// The default mechanism of a criterion (`C4`) or its opt-in one (`C4.alt`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct MechanismPlace {
    /// The criterion.
    pub criterion: CriterionId,
    /// Which of its mechanisms.
    pub kind: MechanismKind,
}

/// A parameter of a mechanism: `C4.S`, `C4.alt.S`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct ParameterPlace {
    /// The mechanism.
    pub mechanism: MechanismPlace,
    /// The parameter.
    pub parameter: ParameterId,
}

/// A sentence that a reviewer can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum SentencePlace {
    /// `headline`.
    Headline,
    /// `C4.summary`.
    Summary(CriterionId),
    /// `C4.S.finding`.
    Finding(ParameterPlace),
    /// `C4.S.gap`.
    Gap(ParameterPlace),
}

/// A finding that can be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum FindingPlace {
    /// A critical gap of a criterion: `C5`.
    CriticalGap(CriterionId),
    /// The finding of a parameter: `C5.B`.
    Parameter(ParameterPlace),
}

impl ParameterPlace {
    /// The criterion.
    pub fn criterion(self) -> CriterionId {
        self.mechanism.criterion
    }
}

fn mechanism(parts: &[&str]) -> Option<MechanismPlace> {
    let (id, kind) = match parts {
        [id] => (id, MechanismKind::Default),
        [id, "alt"] => (id, MechanismKind::Alt),
        _ => return None,
    };
    let criterion = CriterionId::ALL
        .into_iter()
        .find(|c| c.to_string() == **id)?;
    Some(MechanismPlace { criterion, kind })
}

fn parameter(parts: &[&str]) -> Option<ParameterPlace> {
    let (last, before) = parts.split_last()?;
    let parameter = ParameterId::ALL
        .into_iter()
        .find(|p| p.to_string() == **last)?;
    Some(ParameterPlace {
        mechanism: mechanism(before)?,
        parameter,
    })
}

fn sentence(parts: &[&str]) -> Option<SentencePlace> {
    match parts {
        ["headline"] => Some(SentencePlace::Headline),
        [id, "summary"] => mechanism(&[id]).map(|m| SentencePlace::Summary(m.criterion)),
        [place @ .., "finding"] => parameter(place).map(SentencePlace::Finding),
        [place @ .., "gap"] => parameter(place).map(SentencePlace::Gap),
        _ => None,
    }
}

fn finding(parts: &[&str]) -> Option<FindingPlace> {
    match parts {
        [id] => mechanism(&[id]).map(|m| FindingPlace::CriticalGap(m.criterion)),
        place => parameter(place).map(FindingPlace::Parameter),
    }
}

/// Reads `text` with one of the readers above.
fn read<T>(text: &str, reader: fn(&[&str]) -> Option<T>, wanted: &str) -> Result<T, String> {
    let parts: Vec<&str> = text.split('.').collect();
    reader(&parts).ok_or_else(|| format!("at: {text:?} is not {wanted}"))
}

impl TryFrom<String> for MechanismPlace {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        read(&text, mechanism, "a criterion, such as C4 or C4.alt")
    }
}

impl TryFrom<String> for ParameterPlace {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        read(&text, parameter, "a parameter, such as C4.S or C4.alt.S")
    }
}

impl TryFrom<String> for SentencePlace {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let wanted = "a sentence: headline, C4.summary, C4.S.finding or C4.S.gap";
        read(&text, sentence, wanted)
    }
}

impl TryFrom<String> for FindingPlace {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let wanted = "a finding: C5 for its critical gap, C5.B for a parameter's finding";
        read(&text, finding, wanted)
    }
}

impl fmt::Display for MechanismPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            MechanismKind::Default => write!(f, "{}", self.criterion),
            MechanismKind::Alt => write!(f, "{}.alt", self.criterion),
        }
    }
}

impl fmt::Display for ParameterPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.mechanism, self.parameter)
    }
}

impl fmt::Display for SentencePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Headline => f.write_str("headline"),
            Self::Summary(id) => write!(f, "{id}.summary"),
            Self::Finding(place) => write!(f, "{place}.finding"),
            Self::Gap(place) => write!(f, "{place}.gap"),
        }
    }
}

impl fmt::Display for FindingPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CriticalGap(id) => write!(f, "{id}"),
            Self::Parameter(place) => write!(f, "{place}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_prints_as_it_is_written() {
        let told = |text: &str| SentencePlace::try_from(text.to_owned()).map(|p| p.to_string());
        for text in ["headline", "C10.summary", "C4.S.finding", "C4.alt.B.gap"] {
            assert_eq!(told(text).as_deref(), Ok(text));
        }
        for wrong in [
            "",
            "C4",
            "C4.S",
            "C11.summary",
            "c4.summary",
            "C4.E.gap",
            "C4.alt.summary",
            "C4.S.gap.",
        ] {
            assert!(told(wrong).is_err(), "{wrong}");
        }
        let finding = |text: &str| FindingPlace::try_from(text.to_owned()).map(|p| p.to_string());
        assert_eq!(finding("C5").as_deref(), Ok("C5"));
        assert_eq!(finding("C5.alt.B").as_deref(), Ok("C5.alt.B"));
        assert!(finding("C5.alt").is_err());
    }
}

//! `method.toml` as it stands, and whether its figures fit together.

use serde::Deserialize;

use super::{Band, CapFacts, CriterionFacts, Limits, Method, MethodError};
use crate::scorecard::points::Points;
use crate::scorecard::vocabulary::{CriterionId, Level, ParameterId, PerParameter};

/// Reads and checks the text of a `method.toml`.
pub(super) fn read(text: &str) -> Result<Method, MethodError> {
    let file: MethodFile = toml::from_str(text)?;
    let (bands, lowest_band) = bands(file.band)?;
    let caps = file
        .cap
        .into_iter()
        .map(cap_facts)
        .collect::<Result<Vec<_>, _>>()?;
    check_caps(&caps)?;
    check_criteria(&file.criterion)?;
    Ok(Method {
        schema_version: file.schema_version,
        scorecard_version: file.scorecard_version,
        limits: file.limits,
        weights: weights(&file.weights)?,
        bands,
        lowest_band,
        caps,
        criteria: file.criterion,
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MethodFile {
    schema_version: String,
    scorecard_version: String,
    limits: Limits,
    weights: PerParameter<f64>,
    band: Vec<BandFile>,
    cap: Vec<CapFile>,
    criterion: [CriterionFacts; 10],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BandFile {
    from: f64,
    id: String,
    label: String,
    color: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CapFile {
    id: String,
    criterion: Option<CriterionId>,
    max: f64,
    automatic: Option<String>,
}

fn points(key: &str, decimal: f64) -> Result<Points, MethodError> {
    Points::from_decimal(decimal).ok_or_else(|| {
        MethodError::Figure(format!(
            "{key} = {decimal} is not a number of points with at most three decimals"
        ))
    })
}

fn weights(file: &PerParameter<f64>) -> Result<PerParameter<Points>, MethodError> {
    let weights = PerParameter {
        s: weight(ParameterId::S, file.s)?,
        c: weight(ParameterId::C, file.c)?,
        d: weight(ParameterId::D, file.d)?,
        b: weight(ParameterId::B, file.b)?,
    };
    let sum: Points = weights.iter().map(|(_, weight)| *weight).sum();
    if sum != Points::ONE {
        return Err(MethodError::Figure(format!(
            "the weights sum to {}, not to 1",
            sum.three_decimals()
        )));
    }
    Ok(weights)
}

fn weight(parameter: ParameterId, decimal: f64) -> Result<Points, MethodError> {
    let weight = points(&format!("weights.{parameter}"), decimal)?;
    if !weight.thousandths().is_multiple_of(u32::from(Level::MAX)) {
        return Err(MethodError::Figure(format!(
            "weights.{parameter} = {decimal}: a quarter of it has more than three decimals"
        )));
    }
    Ok(weight)
}

fn bands(files: Vec<BandFile>) -> Result<(Vec<Band>, Band), MethodError> {
    let mut bands = Vec::with_capacity(files.len());
    for file in files {
        bands.push(Band {
            from: points(&format!("band {}: from", file.id), file.from)?,
            id: file.id,
            label: file.label,
            color: file.color,
        });
    }
    if !bands.is_sorted_by(|higher, lower| higher.from > lower.from) {
        return Err(MethodError::Figure(
            "the bands must stand from the highest to the lowest".to_owned(),
        ));
    }
    match bands.pop() {
        Some(lowest) if lowest.from == Points::ZERO => Ok((bands, lowest)),
        _ => Err(MethodError::Figure(
            "the last band must start at 0.0".to_owned(),
        )),
    }
}

fn cap_facts(file: CapFile) -> Result<CapFacts, MethodError> {
    Ok(CapFacts {
        max: points(&format!("cap {}: max", file.id), file.max)?,
        id: file.id,
        criterion: file.criterion,
        automatic: file.automatic,
    })
}

fn check_caps(caps: &[CapFacts]) -> Result<(), MethodError> {
    for (index, cap) in caps.iter().enumerate() {
        if cap.max > Points::ONE {
            return Err(MethodError::Figure(format!(
                "cap {}: a maximum above 1 caps nothing",
                cap.id
            )));
        }
        if caps.iter().skip(index + 1).any(|other| other.id == cap.id) {
            return Err(MethodError::Figure(format!("cap {} stands twice", cap.id)));
        }
    }
    Ok(())
}

fn check_criteria(criteria: &[CriterionFacts; 10]) -> Result<(), MethodError> {
    for (expected, facts) in CriterionId::ALL.into_iter().zip(criteria) {
        if facts.id != expected {
            return Err(MethodError::Figure(format!(
                "criterion {} stands where {expected} belongs",
                facts.id
            )));
        }
        if facts.name.is_empty() || facts.question.is_empty() || facts.owasp.is_empty() {
            return Err(MethodError::Figure(format!(
                "criterion {expected} needs a name, a question and OWASP labels"
            )));
        }
    }
    Ok(())
}

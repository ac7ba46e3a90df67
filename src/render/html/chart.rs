//! The geometry of the page's two drawings: the radar of the ten scores, and the bar of a criterion.

use std::f64::consts::TAU;

use serde::Serialize;

use crate::scorecard::{Level, Method, ParameterId, Points, ScoredCard, ScoredCriterion};

/// Half the radar's width and height, in units of its drawing.
const CENTRE: f64 = 150.0;
/// Where a whole point lies.
const RADIUS: f64 = 116.0;
/// Where the labels stand.
const LABELS: f64 = 134.0;
/// Half the height of a label's letters, so that its middle is on its axis.
const HALF_LETTER: f64 = 4.0;

/// Ten axes, one for each criterion, clockwise from the top.
#[derive(Serialize)]
pub(super) struct Radar {
    /// Corners of the lines at a quarter, a half, three quarters and a whole point.
    rings: [String; 4],
    axes: Vec<Axis>,
    /// Corners of the scores' outline.
    outline: String,
}

#[derive(Serialize)]
struct Axis {
    id: String,
    name: String,
    score: String,
    absent: bool,
    /// Its far end.
    end: Position,
    label: Position,
    /// Where the score lies.
    mark: Position,
}

/// Printed with one decimal, so that no platform's sine shows.
#[derive(Serialize)]
struct Position {
    x: String,
    y: String,
}

impl Position {
    fn new(x: f64, y: f64) -> Self {
        let text = |value: f64| format!("{value:.1}");
        Self {
            x: text(x),
            y: text(y),
        }
    }
}

impl Radar {
    pub(super) fn new(scored: &ScoredCard<'_>) -> Self {
        let count = scored.criteria.len();
        let ring = |share: f64| corners((0..count).map(|axis| at(axis, count, RADIUS * share)));
        let scores = scored.criteria.iter().enumerate();
        Self {
            rings: [0.25, 0.5, 0.75, 1.0].map(ring),
            outline: corners(
                scores
                    .clone()
                    .map(|(axis, c)| at(axis, count, reach(c.score()))),
            ),
            axes: scores
                .map(|(axis, criterion)| Axis::new(axis, count, criterion))
                .collect(),
        }
    }
}

impl Axis {
    fn new(axis: usize, count: usize, scored: &ScoredCriterion<'_>) -> Self {
        let mut label = at(axis, count, LABELS);
        label.1 += HALF_LETTER;
        let position = |(x, y)| Position::new(x, y);
        Self {
            id: scored.criterion.id.to_string(),
            name: scored.facts.name.clone(),
            score: scored.score().two_decimals(),
            absent: scored.is_absent(),
            end: position(at(axis, count, RADIUS)),
            label: position(label),
            mark: position(at(axis, count, reach(scored.score()))),
        }
    }
}

fn reach(score: Points) -> f64 {
    RADIUS * score.as_f64()
}

fn at(axis: usize, count: usize, radius: f64) -> (f64, f64) {
    let angle = TAU * axis as f64 / count as f64;
    (CENTRE + radius * angle.sin(), CENTRE - radius * angle.cos())
}

fn corners(positions: impl Iterator<Item = (f64, f64)>) -> String {
    let corners: Vec<_> = positions.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    corners.join(" ")
}

/// Width of a bar without its gaps, in units of its drawing.
const BAR: f64 = 240.0;
const GAP: f64 = 6.0;

/// Four segments, as wide as the parameters weigh and filled as far as their levels reach: the
/// filled length is the criterion's raw score.
#[derive(Serialize)]
pub(super) struct Bar {
    segments: Vec<Segment>,
}

#[derive(Serialize)]
struct Segment {
    parameter: String,
    level: String,
    /// 0 to 4, for its colour.
    rung: u8,
    absent: bool,
    x: String,
    width: String,
    filled: String,
}

impl Bar {
    pub(super) fn new(scored: &ScoredCriterion<'_>, method: &Method) -> Self {
        let mut x = 0.0;
        let segment = |id: ParameterId| {
            let level = level(scored, id);
            let width = BAR * method.weights.get(id).as_f64();
            let filled = BAR * method.earned(id, level).as_f64();
            let segment = Segment {
                parameter: id.to_string(),
                level: level.to_string(),
                rung: level.number(),
                absent: level.is_absent(),
                x: format!("{x:.1}"),
                width: format!("{width:.1}"),
                filled: format!("{filled:.1}"),
            };
            x += width + GAP;
            segment
        };
        Self {
            segments: ParameterId::ALL.map(segment).into(),
        }
    }
}

/// The level of the counted mechanism.
fn level(scored: &ScoredCriterion<'_>, id: ParameterId) -> Level {
    let counted = scored.counted();
    counted.map_or(Level::Absent, |m| m.parameters.get(id).level)
}

//! How bad a result is, for a reader who sorts: SARIF's level, and the figure that GitHub sorts by.

use crate::scorecard::Level;

/// A level of SARIF, and GitHub's `security-severity`: above 9.0 is critical, from 7.0 high, from 4.0 medium, below
/// that low.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Severity {
    pub(super) level: &'static str,
    pub(super) security: &'static str,
}

/// From the worst down. A cap weighs as much as one level: it takes at least half of the criterion's point.
const RATINGS: [Severity; 5] = [
    Severity::new("error", "8.0"),
    Severity::new("warning", "6.0"),
    Severity::new("warning", "4.5"),
    Severity::new("note", "2.5"),
    Severity::new("note", "1.0"),
];

impl Severity {
    /// What a rule has whose result is not on the card.
    pub(super) const LEAST: Self = RATINGS[RATINGS.len() - 1];

    const fn new(level: &'static str, security: &'static str) -> Self {
        Self { level, security }
    }

    /// Of a parameter at a level below the highest, in a criterion with a cap or without.
    pub(super) fn of_rating(level: Level, capped: bool) -> Self {
        let steps = usize::from(level.number()) + usize::from(!capped);
        RATINGS.get(steps).copied().unwrap_or(Self::LEAST)
    }

    /// Of a critical gap, in a criterion with a cap or without.
    pub(super) fn of_gap(capped: bool) -> Self {
        Self::new("error", if capped { "9.5" } else { "8.5" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(severity: Severity) -> f64 {
        severity.security.parse().unwrap()
    }

    #[test]
    fn a_lower_level_and_a_cap_are_never_milder() {
        for rung in 0..4 {
            let (low, high) = (Level::Rung(rung), Level::Rung(rung + 1));
            for capped in [false, true] {
                let of = |level| figure(Severity::of_rating(level, capped));
                assert!(of(low) >= of(high));
            }
            let of = |capped| figure(Severity::of_rating(low, capped));
            assert!(of(true) > of(false));
        }
        let worst = Severity::of_rating(Level::Rung(0), true);
        assert!(figure(Severity::of_gap(false)) > figure(worst));
        assert!(figure(Severity::of_gap(true)) > 9.0);
    }
}

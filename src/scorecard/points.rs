//! Exact points: integer thousandths, so that no sum depends on floating point (method.md, "Numbers").

use std::iter::Sum;
use std::ops::Add;

/// A number of thousandths of a point. A criterion is worth 1000 of them, a card 10 000.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Points(u32);

impl Points {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// What one criterion is worth.
    pub const ONE: Self = Self(1000);

    /// From an exact number of thousandths.
    pub const fn from_thousandths(thousandths: u32) -> Self {
        Self(thousandths)
    }

    /// The exact number of thousandths.
    pub const fn thousandths(self) -> u32 {
        self.0
    }

    /// From a decimal such as 0.25 in a rubric file; none if it is negative, above 1000 or has more
    /// than three decimals.
    pub fn from_decimal(decimal: f64) -> Option<Self> {
        let scaled = decimal * 1000.0;
        let whole = scaled.round();
        let exact = (scaled - whole).abs() < 1e-6 && (0.0..=1e6).contains(&whole);
        exact.then_some(Self(whole as u32))
    }

    /// The nearest double, which JSON prints with at most three decimals.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 1000.0
    }

    /// Rounded half up to tenths: how a card's total is rounded.
    pub const fn rounded_to_tenths(self) -> Self {
        Self(self.0.saturating_add(50) / 100 * 100)
    }

    /// What is left after taking away `other`; never below nothing.
    pub const fn less(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// With one decimal.
    pub fn one_decimal(self) -> String {
        format!("{:.1}", self.as_f64())
    }

    /// With two decimals, as C's printf prints the nearest double: 0.175 as 0.17, 0.375 as 0.38.
    pub fn two_decimals(self) -> String {
        format!("{:.2}", self.as_f64())
    }

    /// The number that [`Points::two_decimals`] prints.
    pub fn rounded_to_hundredths(self) -> f64 {
        self.two_decimals()
            .parse()
            .unwrap_or_else(|_| self.as_f64())
    }

    /// With three decimals, which is exact.
    pub fn three_decimals(self) -> String {
        format!("{:.3}", self.as_f64())
    }
}

impl Add for Points {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Self>>(points: I) -> Self {
        points.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_decimals_are_those_of_printf() {
        for (thousandths, printed) in [
            (125, "0.12"),
            (175, "0.17"),
            (325, "0.33"),
            (375, "0.38"),
            (575, "0.57"),
            (625, "0.62"),
            (200, "0.20"),
            (1000, "1.00"),
        ] {
            assert_eq!(
                Points::from_thousandths(thousandths).two_decimals(),
                printed
            );
        }
    }

    #[test]
    fn totals_round_half_up() {
        for (thousandths, printed) in [
            (2949, "2.9"),
            (2950, "3.0"),
            (8450, "8.5"),
            (10_000, "10.0"),
        ] {
            let total = Points::from_thousandths(thousandths).rounded_to_tenths();
            assert_eq!(total.one_decimal(), printed);
        }
    }

    #[test]
    fn decimals_are_read_exactly_or_not_at_all() {
        assert_eq!(Points::from_decimal(0.3), Some(Points(300)));
        assert_eq!(Points::from_decimal(0.075), Some(Points(75)));
        for wrong in [-0.1, 0.0005, f64::NAN, f64::INFINITY] {
            assert_eq!(Points::from_decimal(wrong), None);
        }
    }
}

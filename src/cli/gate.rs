//! Gates: what a card has to hold for `audit REPO` to end well.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

use super::args::GateArguments;
use super::{compare, exit};
use crate::audit::Share;
use crate::compare::Comparison;
use crate::scorecard::{CriterionId, Points, ScoredCard};

/// The lowest score that holds: of the card, or of one criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Floor {
    /// None for the total.
    pub(super) criterion: Option<CriterionId>,
    /// The score.
    pub(super) score: Points,
}

impl Floor {
    /// A floor of `score` points.
    ///
    /// # Errors
    /// A score that is no number of points, or more than there is to earn.
    pub(super) fn new(criterion: Option<CriterionId>, score: f64) -> Result<Self, String> {
        let most = match criterion {
            Some(_) => Points::ONE,
            None => Points::from_thousandths(10_000),
        };
        match Points::from_decimal(score).filter(|points| *points <= most) {
            Some(score) => Ok(Self { criterion, score }),
            None => Err(format!(
                "{score} is not a score from 0 to {} with at most three decimals",
                most.one_decimal()
            )),
        }
    }
}

impl FromStr for Floor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (criterion, score) = match text.split_once('=') {
            Some((id, score)) => (Some(criterion(id)?), score),
            None => (None, text),
        };
        let number = score.parse();
        let number = number.map_err(|_| "give a total (5.0) or a criterion's score (C4=0.5)")?;
        Self::new(criterion, number)
    }
}

/// The criterion called `id`, such as C4, in any case.
pub(super) fn criterion(id: &str) -> Result<CriterionId, String> {
    let named = |known: &CriterionId| known.to_string().eq_ignore_ascii_case(id);
    let found = CriterionId::ALL.into_iter().find(named);
    found.ok_or_else(|| format!("`{id}`: criteria are C1 to C10"))
}

/// A share of something, written with a percent sign.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, PartialOrd)]
#[serde(try_from = "String")]
pub(super) struct Percent(f64);

impl FromStr for Percent {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.trim().strip_suffix('%').map(str::parse::<f64>);
        match number {
            Some(Ok(percent)) if (0.0..=100.0).contains(&percent) => Ok(Self(percent)),
            _ => Err("give a share from 0% to 100%, with the percent sign, such as 5%".to_owned()),
        }
    }
}

impl TryFrom<String> for Percent {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.0)
    }
}

/// What the gates say of a card.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Verdict {
    /// Which gates did not hold, and why.
    pub(super) failed: Vec<String>,
    /// Why the run is partial, if it is.
    pub(super) partial: Option<String>,
}

impl Verdict {
    /// Holds `scored`, what was read for it, and what changed since the baseline, against the gates that are set.
    pub(super) fn of(
        gates: &GateArguments,
        scored: &ScoredCard<'_>,
        share: &Share,
        comparison: Option<&Comparison>,
    ) -> Self {
        let mut failed = Vec::new();
        if let (Some(what), Some(comparison)) = (gates.fail_on, comparison) {
            failed.extend(
                compare::failed(comparison, what)
                    .map(|why| format!("{why} since {:.12} (--fail-on)", comparison.old.commit)),
            );
        }
        failed.extend(
            gates
                .fail_under
                .iter()
                .filter_map(|floor| under(scored, floor)),
        );
        if gates.fail_on_cap == Some(true) {
            failed.extend(capped(scored));
        }
        let partial = gates.max_unread.and_then(|most| unread(share, most));
        Self { failed, partial }
    }

    /// The exit code. A partial run tells nothing for certain, so it comes before a gate.
    pub(super) fn code(&self) -> u8 {
        match (&self.partial, self.failed.is_empty()) {
            (Some(_), _) => exit::PARTIAL,
            (None, false) => exit::GATE,
            (None, true) => exit::OK,
        }
    }
}

/// Why a run that may leave out at most the share `most` of the source is partial. A run that recognised nothing that
/// acts has read nothing that counts, however much it read.
fn unread(share: &Share, most: Percent) -> Option<String> {
    let unread = share.unread() * 100.0;
    if unread > most.0 {
        return Some(format!(
            "{unread:.1}% of the source was not read, more than {most} (--max-unread); see the card's Limitations"
        ));
    }
    (!share.core_found).then(|| {
        "no file was recognised that registers tools, runs them or asks a model, so that the levels rest on nothing \
         (--max-unread); is it the right folder (--subpath)?"
            .to_owned()
    })
}

fn under(scored: &ScoredCard<'_>, floor: &Floor) -> Option<String> {
    let (what, score) = match floor.criterion {
        None => ("the total".to_owned(), scored.total),
        Some(id) => {
            let criterion = scored.criteria.iter().find(|c| c.criterion.id == id)?;
            (id.to_string(), criterion.score())
        }
    };
    (score < floor.score).then(|| {
        format!(
            "{what} is {}, under {} (--fail-under)",
            decimals(score),
            decimals(floor.score)
        )
    })
}

/// A score with one decimal, or as many as it has.
fn decimals(points: Points) -> String {
    let text = points.three_decimals();
    let short = text.trim_end_matches('0');
    match short.strip_suffix('.') {
        Some(whole) => format!("{whole}.0"),
        None => short.to_owned(),
    }
}

fn capped(scored: &ScoredCard<'_>) -> Option<String> {
    let caps = scored.criteria.iter().filter_map(|criterion| {
        let cap = criterion.cap()?;
        Some(format!("{} {}", criterion.criterion.id, cap.id))
    });
    let caps: Vec<String> = caps.collect();
    (!caps.is_empty()).then(|| format!("caps apply: {} (--fail-on-cap)", caps.join(", ")))
}

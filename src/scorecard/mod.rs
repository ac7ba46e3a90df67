//! Stage 6: the one model of a card, how it is scored and which rules it has to keep.
//!
//! In: the ratings of a run, or a `scorecard.json` / `entry.json` of somebody else. Out: a
//! [`Scorecard`] (authored facts only, no figures), a [`ScoredCard`] (the figures, computed from it),
//! an [`Entry`] (both, as `entry.json`), and a list of [`Problem`]s.
//!
//! Figures are never stored in a scorecard, so a card and its score cannot disagree.

mod entry;
mod evidence;
mod json;
mod method;
mod model;
mod points;
mod problem;
mod rules;
mod score;
mod vocabulary;

pub use entry::{
    Applicable, Entry, EntryBand, EntryCap, EntryCriterion, EntryEvidence, EntryFinding, EntryFix,
    EntryMechanism, EntryParameter, EntryStatus, Permalink,
};
pub use evidence::{Evidence, LineRange};
pub use json::{CardFile, read, to_json};
pub use method::{Band, CapFacts, CriterionFacts, Limits, Method, MethodError};
pub use model::{
    Alternative, Cap, CapabilityProfile, Criterion, CriticalFinding, Fix, LevelChange, Mechanism,
    Mechanisms, Parameter, Parameters, Rating, RuleOfTwo, Scorecard,
};
pub use points::Points;
pub use problem::Problem;
pub use rules::{check, is_critical};
pub use score::{AppliedCap, ScoredCard, ScoredCriterion, ScoredMechanism};
pub use vocabulary::{
    Category, Confidence, CriterionId, Level, MechanismKind, ParameterId, PerParameter, Presence,
    Status,
};

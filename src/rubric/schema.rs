//! The shape of the rubric's files, as they are written (docs/rubric.md).
//!
//! These are plain data: what they mean is decided where they are used, whether they make sense in `check`.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::inventory::Role;
use crate::scorecard::{Level, ParameterId};

/// The four kinds of project (method.md, "What kind of project").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Coding CLI, assistant, autonomous agent.
    Agent,
    /// Platform or service.
    Platform,
    /// Framework or library.
    Framework,
    /// MCP server and the like.
    ToolServer,
}

impl Kind {
    /// All kinds, in the order of method.md.
    pub const ALL: [Kind; 4] = [
        Kind::Agent,
        Kind::Platform,
        Kind::Framework,
        Kind::ToolServer,
    ];

    /// The word used in rubric files and expressions.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Agent => "agent",
            Kind::Platform => "platform",
            Kind::Framework => "framework",
            Kind::ToolServer => "tool_server",
        }
    }

    /// The words used in sentences.
    pub fn phrase(self) -> &'static str {
        match self {
            Kind::ToolServer => "tool server",
            other => other.word(),
        }
    }
}

/// Which technique a probe uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProbeKind {
    /// A regular expression over the bytes.
    Text,
    /// A tree-sitter query.
    Syntax,
    /// A look-up in a configuration file.
    Config,
}

/// `[[probe]]`: what to look for in a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProbeSpec {
    /// Unique kebab-case id.
    pub id: Spanned<String>,
    /// Technique.
    pub kind: ProbeKind,
    /// Languages it runs on, by the names of inventory.toml.
    #[serde(default)]
    pub languages: Vec<String>,
    /// Path globs it runs on.
    #[serde(default)]
    pub files: Vec<String>,
    /// Roles of the files it runs on.
    #[serde(default = "source_only")]
    pub roles: Vec<Role>,
    /// Text probes: the regular expression. Syntax probes: one without which the query matches nothing.
    pub pattern: Option<String>,
    /// Syntax probes: the tree-sitter query.
    pub query: Option<String>,
    /// Syntax probes: captures whose text must match.
    #[serde(default, rename = "where")]
    pub only: BTreeMap<String, String>,
    /// Syntax probes: captures whose text must not match.
    #[serde(default)]
    pub unless: BTreeMap<String, String>,
    /// Config probes: dotted glob over the key path.
    pub key: Option<String>,
    /// Config probes: regular expression over the scalar.
    pub value: Option<String>,
    /// Literals of which one must be in the file.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Whether hits in comments and docstrings count.
    #[serde(default)]
    pub comments: bool,
    /// Whether a hit counts only when its capture `name` is a name that the README lists.
    #[serde(default)]
    pub listed: bool,
    /// Texts that must hit.
    #[serde(default)]
    pub matches: Vec<String>,
    /// Texts that must not hit.
    #[serde(default)]
    pub rejects: Vec<String>,
    /// File name that the cases of a config probe pretend to have.
    pub case_file: Option<String>,
    /// Language that the cases of a syntax probe are written in.
    pub case_language: Option<String>,
}

fn source_only() -> Vec<Role> {
    vec![Role::Source]
}

/// Where a fact's hits have to lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Zone {
    /// Wherever the probe ran.
    #[default]
    Any,
    /// The core: tools, loop, what they import, their folders.
    Core,
    /// Files that register tools and what they import.
    Tools,
    /// The agent loop and executor files.
    Loop,
}

/// `followed_by = { fact, until }` of a fact.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FollowSpec {
    /// The other fact.
    pub fact: String,
    /// Fact whose next hit in the file ends the construct.
    pub until: String,
}

/// `near = { fact, lines }` of a fact.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NearSpec {
    /// The other fact.
    pub fact: String,
    /// Greatest distance in lines.
    pub lines: u32,
}

/// `[[fact]]`: what the hits add up to.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FactSpec {
    /// Unique snake_case id.
    pub id: Spanned<String>,
    /// Probes whose hits it takes.
    #[serde(default)]
    pub probes: Vec<String>,
    /// Facts whose hits it takes.
    #[serde(default)]
    pub union: Vec<String>,
    /// Value of a fact without hits.
    pub expr: Option<String>,
    /// Where the hits have to lie.
    #[serde(default)]
    pub zone: Zone,
    /// Roles of the files that count (default: all that the probe ran on).
    #[serde(default)]
    pub roles: Vec<Role>,
    /// Captures that must match.
    #[serde(default)]
    pub capture: BTreeMap<String, String>,
    /// Captures that must not match; a hit without the capture stays.
    #[serde(default)]
    pub not_capture: BTreeMap<String, String>,
    /// Only in files that hold a hit of one of these facts.
    #[serde(default)]
    pub in_files_with: Vec<String>,
    /// Not in files that hold a hit of one of these facts.
    #[serde(default)]
    pub not_in_files_with: Vec<String>,
    /// Only near a hit of another fact.
    pub near: Option<NearSpec>,
    /// Not near a hit of another fact.
    pub not_near: Option<NearSpec>,
    /// Only where a hit of another fact follows before the next construct.
    pub followed_by: Option<FollowSpec>,
    /// Only where no such hit follows.
    pub not_followed_by: Option<FollowSpec>,
    /// Only in paths that match one of these.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Not in paths that match one of these.
    #[serde(default)]
    pub not_paths: Vec<String>,
    /// Fewer hits count as none.
    #[serde(default = "one")]
    pub at_least: usize,
    /// Condition without which the fact is empty.
    pub when: Option<String>,
    /// Half a sentence for people.
    pub says: Option<String>,
}

fn one() -> usize {
    1
}

/// Where a recorded search looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchScope {
    /// The core's folders.
    Core,
    /// The folders that hold source.
    Source,
    /// The whole snapshot (or subpath).
    All,
}

/// `[[search]]`: a ripgrep search that a card records.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchSpec {
    /// Unique kebab-case id.
    pub id: Spanned<String>,
    /// Flags, as on the command line.
    #[serde(default = "line_numbers")]
    pub flags: String,
    /// The pattern.
    pub pattern: String,
    /// Where to look.
    pub scope: SearchScope,
    /// Note when nothing was found.
    pub none: String,
    /// Lead of the note when something was found.
    pub some: String,
}

fn line_numbers() -> String {
    "-n".to_owned()
}

/// One rung of a ladder.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rung {
    /// Level it gives.
    pub level: Spanned<Level>,
    /// Condition; none for the last.
    pub when: Option<String>,
    /// Reasoned, not read.
    #[serde(default)]
    pub inferred: bool,
    /// Sentence for the card.
    pub finding: String,
    /// What the next level needs.
    pub gap: Option<String>,
    /// Facts to cite.
    #[serde(default)]
    pub cite: Vec<String>,
    /// Searches to record.
    #[serde(default)]
    pub search: Vec<String>,
}

/// `[[ladder]]`: the rungs of one parameter for some kinds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ladder {
    /// Which parameter.
    pub parameter: Spanned<ParameterId>,
    /// For which kinds.
    #[serde(default = "all_kinds")]
    pub kinds: Vec<Kind>,
    /// From the highest to the lowest.
    #[serde(default)]
    pub rung: Vec<Rung>,
}

fn all_kinds() -> Vec<Kind> {
    Kind::ALL.to_vec()
}

/// `[alternative]`: a stronger mechanism that is opt-in.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alternative {
    /// Condition.
    pub when: String,
    /// Template of its label.
    pub label: String,
    /// Its ladders.
    #[serde(default)]
    pub ladder: Vec<Ladder>,
    /// Template of the reason of its G1 cap.
    pub reason: Option<String>,
}

/// `[absence]`: the risk surface does not exist.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Absence {
    /// Condition.
    pub when: String,
    /// Searches that show it.
    pub search: Vec<String>,
    /// Template of the criterion's summary.
    pub summary: String,
}

/// `[[cap]]` of a criterion.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CapSpec {
    /// Id from method.md.
    pub id: Spanned<String>,
    /// Condition.
    pub when: String,
    /// Template of the sentence.
    pub reason: String,
    /// Facts that show it.
    pub cite: Vec<String>,
}

/// A sentence with its condition.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sentence {
    /// Condition; none always holds.
    pub when: Option<String>,
    /// Template.
    pub text: String,
    /// Facts to cite.
    #[serde(default)]
    pub cite: Vec<String>,
}

/// `[[fix]]` of a criterion.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FixSpec {
    /// Parameter that it raises.
    pub parameter: Spanned<ParameterId>,
    /// Level that it reaches.
    pub to: u8,
    /// Further condition.
    pub when: Option<String>,
    /// Template of the sentence.
    pub summary: String,
    /// Playbook and step.
    pub playbook: String,
    /// Caps of the criterion that no longer apply once it is done.
    #[serde(default)]
    pub lifts: Vec<String>,
}

/// `[[pinpoint]]` of a criterion: a concrete weakness of a shipped control, for the private file only (method.md,
/// "Posture, not exploits").
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinpointSpec {
    /// Condition.
    pub when: Spanned<String>,
    /// Template of the sentence that names the weakness.
    pub title: String,
    /// Template of the sentence that says who can reach it.
    pub reach: String,
    /// How sure the rule is.
    pub confidence: PinpointConfidence,
    /// Facts whose hits are the lines.
    pub cite: Vec<String>,
}

/// How sure a pinpoint is.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum PinpointConfidence {
    /// Read from the cited lines alone.
    High,
    /// Depends on code that the rule does not follow.
    Medium,
    /// A reader has to look.
    Low,
}

/// `[critical]`: wording of a blast radius at level 0 as a critical gap.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Critical {
    /// Template.
    pub text: String,
}

/// The parts that every rubric file may hold.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shared {
    /// Probes.
    #[serde(default)]
    pub probe: Vec<ProbeSpec>,
    /// Facts.
    #[serde(default)]
    pub fact: Vec<FactSpec>,
    /// Searches.
    #[serde(default)]
    pub search: Vec<SearchSpec>,
}

/// A criterion's file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CriterionFile {
    /// C1 to C10.
    pub id: String,
    /// Probes.
    #[serde(default)]
    pub probe: Vec<ProbeSpec>,
    /// Facts.
    #[serde(default)]
    pub fact: Vec<FactSpec>,
    /// Searches.
    #[serde(default)]
    pub search: Vec<SearchSpec>,
    /// Ladders of the default mechanism.
    #[serde(default)]
    pub ladder: Vec<Ladder>,
    /// A stronger opt-in mechanism.
    pub alternative: Option<Alternative>,
    /// Structural absence.
    pub absence: Option<Absence>,
    /// Caps.
    #[serde(default)]
    pub cap: Vec<CapSpec>,
    /// Critical gap at B L0.
    pub critical: Option<Critical>,
    /// Paragraph.
    #[serde(default)]
    pub summary: Vec<Sentence>,
    /// Fixes.
    #[serde(default)]
    pub fix: Vec<FixSpec>,
    /// Pinpoints for the private file.
    #[serde(default)]
    pub pinpoint: Vec<PinpointSpec>,
}

/// Points for a path.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathPoints {
    /// Regular expression over the path.
    pub pattern: String,
    /// Points, also negative.
    pub points: i32,
}

/// How one sort of core root is found.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RootRule {
    /// Points a probe gives to a file that it hits.
    pub points: BTreeMap<String, i32>,
    /// Points by path.
    #[serde(default)]
    pub path: Vec<PathPoints>,
    /// Fewer points make no root.
    pub minimum: i32,
    /// At most so many files.
    pub take: usize,
}

/// `[core]` of boundary.toml.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoreRules {
    /// Points by path for every sort of root, beside its own.
    #[serde(default)]
    pub path: Vec<PathPoints>,
    /// Files that register tools.
    pub registration: RootRule,
    /// Files that run a tool by name.
    pub executor: RootRule,
    /// Files with the agent's loop.
    #[serde(rename = "loop")]
    pub agent_loop: RootRule,
    /// Files that send requests to a model: the loop of a project in which nothing else is a root.
    pub model_call: RootRule,
}

/// `[[map]]`: a section of the boundary map.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapSection {
    /// Heading.
    pub title: String,
    /// Facts it lists.
    pub facts: Vec<String>,
}

/// boundary.toml.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoundaryFile {
    /// Probes.
    #[serde(default)]
    pub probe: Vec<ProbeSpec>,
    /// Facts.
    #[serde(default)]
    pub fact: Vec<FactSpec>,
    /// Searches.
    #[serde(default)]
    pub search: Vec<SearchSpec>,
    /// How the core is found.
    pub core: CoreRules,
    /// Sections of the map.
    #[serde(default)]
    pub map: Vec<MapSection>,
    /// Step caps of well-known agent libraries.
    #[serde(default)]
    pub library: Vec<LibraryDefault>,
}

/// `[[library]]`: what an agent library does when its caller says nothing.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LibraryDefault {
    /// Names by which code starts its loop: what the probe `loop-library` captures.
    pub constructs: Vec<String>,
    /// What people call the library.
    pub name: String,
    /// The setting that caps the loop.
    pub setting: String,
    /// Its value when nothing is given.
    pub steps: u32,
    /// Where that is written.
    pub source: String,
}

/// `[[kind]]`: one entry of the decision list.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindRule {
    /// The kind.
    pub is: Kind,
    /// Condition; none for the last.
    pub when: Option<String>,
    /// Half a sentence that names the signals.
    pub because: String,
}

/// `[[category]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CategoryRule {
    /// The category's key in scorecard.json.
    pub is: String,
    /// Condition; none for the last.
    pub when: Option<String>,
}

/// `[rule_of_two]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleOfTwoRules {
    /// `[A]`.
    pub untrusted_input: Vec<Sentence>,
    /// `[B]`.
    pub sensitive_data: Vec<Sentence>,
    /// `[C]`.
    pub state_change_or_egress: Vec<Sentence>,
    /// Whether all three meet in one default session.
    pub same_session: String,
}

/// kinds.toml.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindsFile {
    /// Probes.
    #[serde(default)]
    pub probe: Vec<ProbeSpec>,
    /// Facts.
    #[serde(default)]
    pub fact: Vec<FactSpec>,
    /// Searches.
    #[serde(default)]
    pub search: Vec<SearchSpec>,
    /// Whether there is an agent, a framework or a tool server to score at all.
    pub subject: Option<SubjectRule>,
    /// Decision list.
    pub kind: Vec<KindRule>,
    /// Categories.
    pub category: Vec<CategoryRule>,
    /// Scored configuration.
    pub configuration: Vec<Sentence>,
    /// Headline.
    pub headline: Vec<Sentence>,
    /// Rule of Two.
    pub rule_of_two: RuleOfTwoRules,
    /// Limitations.
    pub limitation: Vec<Sentence>,
}

/// `[subject]`: when a repository can be scored.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubjectRule {
    /// Condition.
    pub when: String,
    /// What was looked for, for the message of the refusal.
    pub looked_for: String,
}

/// A rung of the agent surface.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurfaceRung {
    /// yes, no or opt_in.
    pub value: String,
    /// Condition; none for the last.
    pub when: Option<String>,
    /// Facts to cite.
    #[serde(default)]
    pub cite: Vec<String>,
}

/// `[[surface]]`: one of the nine entries.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurfaceEntry {
    /// Key in scorecard.json.
    pub key: Spanned<String>,
    /// First that holds.
    pub rung: Vec<SurfaceRung>,
}

/// surface.toml.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurfaceFile {
    /// Probes.
    #[serde(default)]
    pub probe: Vec<ProbeSpec>,
    /// Facts.
    #[serde(default)]
    pub fact: Vec<FactSpec>,
    /// Searches.
    #[serde(default)]
    pub search: Vec<SearchSpec>,
    /// The entries.
    pub surface: Vec<SurfaceEntry>,
}

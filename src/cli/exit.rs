//! Exit codes.

/// Everything is well.
pub(super) const OK: u8 = 0;
/// A check found problems (`verify`, `rubric check`), or a card of a leaderboard cannot be used.
pub(super) const PROBLEMS: u8 = 1;
/// The input is wrong: a flag, a file, a rubric.
pub(super) const INPUT: u8 = 2;
/// There is no agent, framework or tool server in the repository.
pub(super) const NO_SUBJECT: u8 = 3;
/// A gate that the user set did not hold.
pub(super) const GATE: u8 = 4;
/// More of the source was left unread than `--max-unread` allows; the card is written and says so.
pub(super) const PARTIAL: u8 = 5;
/// There is no space left to write to; the cache has the same code for it.
pub(super) const NO_SPACE: u8 = 16;
/// Some repositories of a batch have no card.
pub(super) const INCOMPLETE: u8 = 20;
/// In a batch's summary: the audit took longer than it may.
pub(super) const TIMEOUT: u8 = 21;
/// The repository is damaged, or of a form that cannot be read.
pub(super) const UNREADABLE: u8 = 19;
/// In a batch's summary: the audit crashed, or needed more memory than it may.
pub(super) const CRASHED: u8 = 22;
/// The program contradicts itself: a card it made does not verify.
pub(super) const INTERNAL: u8 = 70;

/// The user pressed ctrl-C.
pub(super) const INTERRUPTED: u8 = 130;

/// Printed below the options.
pub(super) const HELP: &str = "\
Exit codes:
   0  the card was written
   1  verify, rubric check or leaderboard found problems
   2  bad input: a flag, a file, a rubric
   3  no agent, agent framework or tool server found (--force scores it all the same)
   4  a gate did not hold (--fail-on, --fail-under, --fail-on-cap); the card was written
   5  a partial run: more of the source was not read than --max-unread allows; the card was written
  10  no such host or repository     11  authentication needed
  12  unknown commit, tag or branch  13  ambiguous abbreviation
  14  not a repository               15  empty repository
  16  no space (for a file, the cache or stdout), or the cache cannot be written
  17  --offline, and the commit is not in the cache
  18  the network failed             19  the repository cannot be read
  20  batch: some repositories have no card (the summary has the code of each; 21: --timeout, 22: crashed or --memory)
  70  internal error                130  interrupted

Examples:
  audit https://github.com/coze-dev/coze-studio --commit fefb05ff27be1da939612fbf9faf5db62583b8ae
  audit path/to/repository --subpath packages/server
  audit render audit-out/coze-studio/scorecard.json --format summary
  audit verify audit-out/coze-studio/scorecard.json --repo https://github.com/coze-dev/coze-studio";

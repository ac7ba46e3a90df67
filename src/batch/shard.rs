//! A part of a list, for one machine of a fleet.

use std::fmt;
use std::str::FromStr;

use super::digest;

/// Shard K of N. An entry belongs to it by its id alone, so no entry changes shards when others come or go.
///
/// K counts modulo N: 0 to N-1 (`JOB_COMPLETION_INDEX`, `strategy.job-index`) cover a list, and 1 to N do, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u32,
    count: u32,
}

impl Shard {
    /// Whether the entry `id` is this shard's.
    pub fn has(self, id: &str) -> bool {
        let hex = digest::of(id.as_bytes());
        let leading = u32::from_str_radix(hex.get(..8).unwrap_or_default(), 16);
        leading.unwrap_or_default() % self.count == self.index
    }

    /// As part of a file's name: `3-of-8`.
    pub fn file_part(self) -> String {
        format!("{}-of-{}", self.index, self.count)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text}: write K/N, such as 3/8");
        let (index, count) = text.split_once('/').ok_or_else(wrong)?;
        let index: u32 = index.parse().map_err(|_| wrong())?;
        let count: u32 = count.parse().map_err(|_| wrong())?;
        if count == 0 || index > count {
            return Err(format!("{text}: K is at most N, and N at least 1"));
        }
        let index = index % count;
        Ok(Self { index, count })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_is_in_exactly_one_shard_counted_from_0_or_from_1() {
        let ids: Vec<String> = (0..200).map(|n| format!("agent-{n}")).collect();
        for count in [1_u32, 2, 3, 8] {
            for first in [0, 1] {
                let shards: Vec<Shard> = (first..first + count)
                    .map(|k| format!("{k}/{count}").parse().unwrap())
                    .collect();
                for id in &ids {
                    assert_eq!(shards.iter().filter(|s| s.has(id)).count(), 1, "{id}");
                }
                assert!(shards.iter().all(|s| ids.iter().any(|id| s.has(id))));
            }
        }
    }

    #[test]
    fn an_entry_stays_in_its_shard() {
        // Figures that must not change: cards of earlier runs lie in folders by them.
        let shard: Shard = "1/4".parse().unwrap();
        let mine: Vec<&str> = ["aider", "cline", "crewai", "goose", "letta", "serena"]
            .into_iter()
            .filter(|id| shard.has(id))
            .collect();
        assert_eq!(mine, ["letta", "serena"]);
    }

    #[test]
    fn what_is_no_shard_is_refused() {
        for text in ["", "3", "a/b", "1/0", "5/4", "-1/4", "1/4/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}

//! Collects the entries of one file, within its limits.

use super::{ConfigLimits, Entry, Reason};

/// Why reading a file ended before its end.
#[derive(Debug, PartialEq, Eq)]
pub struct Stop {
    /// 1-based line of the trouble.
    pub line: u32,
    /// What the trouble is.
    pub reason: Reason,
}

impl Stop {
    /// A syntax error at `line`.
    pub fn syntax(line: u32, message: impl Into<String>) -> Self {
        Self {
            line,
            reason: Reason::Syntax(message.into()),
        }
    }
}

/// The entries of one file so far.
pub struct Collector<'l> {
    /// The limits it keeps to.
    pub limits: &'l ConfigLimits,
    entries: Vec<Entry>,
    bytes: usize,
}

impl<'l> Collector<'l> {
    /// An empty collector.
    pub fn new(limits: &'l ConfigLimits) -> Self {
        Self {
            limits,
            entries: Vec::new(),
            bytes: 0,
        }
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// A [`Stop`] at the entry that is over a limit; it is not added.
    pub fn add<K: AsRef<str>>(
        &mut self,
        key: &[K],
        value: &str,
        lines: (u32, u32),
    ) -> Result<(), Stop> {
        let stop = |reason| {
            Err(Stop {
                line: lines.0,
                reason,
            })
        };
        let ConfigLimits {
            max_entries,
            max_depth,
            max_bytes,
        } = *self.limits;
        if key.len() > max_depth {
            return stop(Reason::TooDeep(max_depth));
        }
        if self.entries.len() >= max_entries {
            return stop(Reason::TooManyEntries(max_entries));
        }
        self.bytes += value.len() + key.iter().map(|part| part.as_ref().len()).sum::<usize>();
        if self.bytes > max_bytes {
            return stop(Reason::TooManyBytes(max_bytes));
        }
        let key = key.iter().map(|part| part.as_ref().to_owned()).collect();
        self.entries.push(Entry {
            key,
            value: value.to_owned(),
            lines,
        });
        Ok(())
    }

    /// The entries, in the order in which they were added.
    pub fn into_entries(self) -> Vec<Entry> {
        self.entries
    }
}

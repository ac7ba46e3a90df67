//! Audits side by side, and what is told of them on the way.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use super::super::output;
use super::entry::{Audits, Ended};
use crate::batch::{Budget, Entry, Outcome, Request};
use crate::render;

/// Audits `entries` side by side, and those that crashed once more, alone and with all the memory, so that no outcome
/// depends on how many ran beside it. An interrupt leaves out what was not done by then.
pub(super) fn audit_all(audits: &Audits<'_>, entries: &[Entry]) -> Vec<Outcome> {
    let budget = Budget::of(Request {
        jobs: audits.arguments.jobs,
        memory: audits.arguments.memory,
        threads: audits.arguments.threads,
    });
    let pool = Pool {
        audits,
        waiting: Mutex::new(entries.iter().collect()),
        crashed: Mutex::default(),
        outcomes: Mutex::default(),
        count: entries.len(),
    };
    thread::scope(|scope| {
        for _ in 1..budget.jobs.min(entries.len()) {
            // Where no thread can be had, the others do its work.
            let _ = thread::Builder::new().spawn_scoped(scope, || pool.work(&budget));
        }
        pool.work(&budget);
    });
    pool.work_again(&budget.alone());
    pool.outcomes
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
}

struct Pool<'a> {
    audits: &'a Audits<'a>,
    waiting: Mutex<VecDeque<&'a Entry>>,
    crashed: Mutex<VecDeque<&'a Entry>>,
    outcomes: Mutex<Vec<Outcome>>,
    count: usize,
}

impl<'a> Pool<'a> {
    /// Audits what waits until nothing does.
    fn work(&self, budget: &Budget) {
        while let Some(entry) = self.next() {
            match self.audits.audit(entry, budget) {
                Ended::Settled(outcome) => self.settle(outcome),
                Ended::Crashed(failure) if budget.jobs == 1 => {
                    self.settle(Outcome::Failed(failure));
                }
                Ended::Crashed(_) => locked(&self.crashed).push_back(entry),
                Ended::Interrupted => return,
            }
        }
    }

    /// Audits what crashed.
    fn work_again(&self, alone: &Budget) {
        locked(&self.waiting).append(&mut locked(&self.crashed));
        self.work(alone);
    }

    fn next(&self) -> Option<&'a Entry> {
        match self.audits.interrupt.load(Ordering::Relaxed) {
            true => None,
            false => locked(&self.waiting).pop_front(),
        }
    }

    /// Records how an entry ended, and tells of it.
    fn settle(&self, outcome: Outcome) {
        if let Outcome::Failed(failure) = &outcome
            && let Err(error) = self.audits.folder.fail(failure)
        {
            output::note(&format!("audit: {error}"));
        }
        let mut outcomes = locked(&self.outcomes);
        outcomes.push(outcome);
        if !self.audits.arguments.quiet
            && let Some(outcome) = outcomes.last()
        {
            let line = render::batch_outcome(outcome);
            output::note(&format!("[{}/{}] {line}", outcomes.len(), self.count));
        }
    }
}

/// No holder of a lock leaves half a change behind, so one that panicked is no reason to stop.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! The progress bar of a fetch, on stderr and only when that is a terminal.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use gix::progress::{Id, MessageLevel, Step, StepShared, UNKNOWN, Unit};
use gix::{Count, NestedProgress, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shows what the fetch is at. [`Display::draw`] is called now and then by whoever waits for it.
pub(super) struct Display {
    bar: ProgressBar,
    url: String,
    current: Arc<Mutex<Option<Current>>>,
}

/// The task that was begun last.
struct Current {
    name: String,
    step: StepShared,
    max: Option<Step>,
}

/// Takes progress from gix, for one task.
pub(super) struct Task {
    current: Arc<Mutex<Option<Current>>>,
    name: String,
    id: Id,
    step: StepShared,
    max: Option<Step>,
}

impl Display {
    /// A bar for fetching `url` (without login), hidden when `quiet` or when stderr is no terminal.
    pub(super) fn new(url: &str, quiet: bool) -> Self {
        let target = if quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        Self {
            bar,
            url: url.to_owned(),
            current: Arc::default(),
        }
    }

    /// What gix reports to.
    pub(super) fn task(&self) -> Task {
        Task::new(Arc::clone(&self.current), String::new(), UNKNOWN)
    }

    /// Draws the present state.
    pub(super) fn draw(&self) {
        if self.bar.is_hidden() {
            return;
        }
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        // During the handshake, ssh or a credential helper may be asking for a passphrase on the same line.
        let Some(current) = current
            .as_ref()
            .filter(|current| !current.name.starts_with("handshake"))
        else {
            return;
        };
        let step = current.step.load(Ordering::Relaxed);
        let stage = super::error::foreign_text(&current.name);
        let (template, count) = match current.max {
            Some(_) => ("{spinner} {msg} {wide_bar} {pos}/{len}", String::new()),
            None if step > 0 => ("{spinner} {msg}", format!(" {step}")),
            None => ("{spinner} {msg}", String::new()),
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar
            .set_message(format!("fetching {}: {stage}{count}", self.url));
        self.bar.set_length(current.max.unwrap_or_default() as u64);
        self.bar.set_position(step as u64);
        self.bar.tick();
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Task {
    fn new(current: Arc<Mutex<Option<Current>>>, name: String, id: Id) -> Self {
        Self {
            current,
            name,
            id,
            step: Arc::new(AtomicUsize::new(0)),
            max: None,
        }
    }

    fn show(&self) {
        let current = Current {
            name: self.name.clone(),
            step: Arc::clone(&self.step),
            max: self.max,
        };
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(current);
    }
}

impl Count for Task {
    fn set(&self, step: Step) {
        self.step.store(step, Ordering::Relaxed);
    }

    fn step(&self) -> Step {
        self.step.load(Ordering::Relaxed)
    }

    fn inc_by(&self, step: Step) {
        self.step.fetch_add(step, Ordering::Relaxed);
    }

    fn counter(&self) -> StepShared {
        Arc::clone(&self.step)
    }
}

impl Progress for Task {
    fn init(&mut self, max: Option<Step>, _unit: Option<Unit>) {
        self.max = max;
        self.show();
    }

    fn max(&self) -> Option<Step> {
        self.max
    }

    fn set_max(&mut self, max: Option<Step>) -> Option<Step> {
        let before = std::mem::replace(&mut self.max, max);
        self.show();
        before
    }

    fn set_name(&mut self, name: String) {
        self.name = name;
        self.show();
    }

    fn name(&self) -> Option<String> {
        Some(self.name.clone())
    }

    fn id(&self) -> Id {
        self.id
    }

    fn message(&self, _level: MessageLevel, _message: String) {}
}

impl NestedProgress for Task {
    type SubProgress = Self;

    fn add_child(&mut self, name: impl Into<String>) -> Self {
        self.add_child_with_id(name, UNKNOWN)
    }

    fn add_child_with_id(&mut self, name: impl Into<String>, id: Id) -> Self {
        Self::new(Arc::clone(&self.current), name.into(), id)
    }
}

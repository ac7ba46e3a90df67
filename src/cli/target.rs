//! From the arguments to an examined snapshot.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::args::TargetArguments;
use super::exit;
use super::failure::Failure;
use super::{output, results};
use crate::audit::{Examination, Rulebook};
use crate::cache::Cache;
use crate::checkout::{self, CheckoutOptions, Snapshot, Source, naming, remote};

/// A repository pinned, with the rules to examine it by.
pub(super) struct Target {
    pub(super) snapshot: Snapshot,
    pub(super) rulebook: Rulebook,
    pub(super) subpath: Option<String>,
    /// https URL of the repository, given or derived.
    pub(super) repo_url: Option<String>,
    /// What earlier audits found.
    pub(super) cache: Cache,
    interrupt: Arc<AtomicBool>,
}

impl Target {
    /// Loads the rules and pins the repository.
    pub(super) fn open(arguments: &TargetArguments) -> Result<Self, Failure> {
        if let Some(threads) = arguments.threads {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(usize::from(threads))
                .build_global();
            pool.map_err(|e| Failure::input(format!("--threads {threads}: {e}")))?;
        }
        let mut rulebook = Rulebook::load(arguments.rubric.as_deref())?;
        let limits = &mut rulebook.inventory.limits;
        limits.max_bytes = arguments.max_bytes.unwrap_or(limits.max_bytes);
        limits.max_files = arguments.max_files.unwrap_or(limits.max_files);
        Self::pin(arguments, rulebook, interrupt()?)
    }

    /// The same repository at another commit, by the same rules; and the snapshot that was open before.
    pub(super) fn reopen(self, arguments: &TargetArguments) -> Result<(Self, Snapshot), Failure> {
        let target = Self::pin(arguments, self.rulebook, self.interrupt)?;
        Ok((target, self.snapshot))
    }

    fn pin(
        arguments: &TargetArguments,
        rulebook: Rulebook,
        interrupt: Arc<AtomicBool>,
    ) -> Result<Self, Failure> {
        let repository = arguments.repository.as_deref().unwrap_or_default();
        let options = CheckoutOptions {
            revision: arguments.commit.clone(),
            cache_dir: arguments.cache_dir.clone(),
            offline: arguments.offline,
            worktree: arguments.worktree,
            quiet: arguments.quiet,
            interrupt: Arc::clone(&interrupt),
        };
        let snapshot = checkout::open(&Source::parse(repository)?, &options)?;
        let subpath = arguments
            .subpath
            .as_deref()
            .map(|path| clean_subpath(path, &snapshot))
            .transpose()?
            .flatten();
        let repo_url = match &arguments.repo_url {
            Some(url) => Some(remote::https_url(url).ok_or_else(|| {
                Failure::input(format!(
                    "--repo-url {url}: not an https URL of a repository"
                ))
            })?),
            None => snapshot.repo_url.clone(),
        };
        let cache = results::cache(arguments, &rulebook, &snapshot);
        Ok(Self {
            snapshot,
            rulebook,
            cache,
            subpath,
            repo_url,
            interrupt,
        })
    }

    /// An older commit of the same repository, if it is on this machine: nothing is fetched for it.
    pub(super) fn earlier(&self, arguments: &TargetArguments, commit: &str) -> Option<Snapshot> {
        let source = Source::parse(arguments.repository.as_deref()?).ok()?;
        let options = CheckoutOptions {
            revision: Some(commit.to_owned()),
            cache_dir: arguments.cache_dir.clone(),
            offline: true,
            quiet: true,
            interrupt: Arc::clone(&self.interrupt),
            ..CheckoutOptions::default()
        };
        checkout::open(&source, &options).ok()
    }

    /// Ends the command when ctrl-C was pressed in the meantime; asked before anything is written.
    pub(super) fn check_interrupt(&self) -> Result<(), Failure> {
        match self.interrupt.load(Ordering::Relaxed) {
            true => Err(Failure::interrupted()),
            false => Ok(()),
        }
    }

    /// The project's display name.
    pub(super) fn name(&self) -> String {
        let url = self.repo_url.as_deref();
        url.map_or_else(|| self.snapshot.name.clone(), naming::project_name)
    }

    /// Examines the snapshot under the name and `owner/name` of the card.
    pub(super) fn examine(&self, name: &str) -> Result<Examination, Failure> {
        let url = self.repo_url.as_deref().unwrap_or(&self.snapshot.folder);
        let mut parts: Vec<&str> = url.trim_end_matches('/').rsplit('/').take(2).collect();
        parts.reverse();
        Examination::of(
            &self.snapshot,
            &self.rulebook,
            self.subpath.as_deref(),
            name,
            &parts.join("/"),
            &self.cache,
        )
        .map_err(Failure::input)
    }
}

/// A folder of the snapshot, without `./` and slashes at the ends; nothing for the whole, which is `.`.
fn clean_subpath(path: &str, snapshot: &Snapshot) -> Result<Option<String>, Failure> {
    if path.trim_end_matches('/') == "." {
        return Ok(None);
    }
    let clean = path.trim_start_matches("./").trim_matches('/');
    let inside = format!("{clean}/");
    if clean.is_empty()
        || !snapshot
            .files
            .iter()
            .any(|file| file.path.starts_with(&inside))
    {
        return Err(Failure::input(format!(
            "--subpath {path}: no such folder at commit {}",
            snapshot.commit
        )));
    }
    Ok(Some(clean.to_owned()))
}

/// How long an interrupted command may go on, to leave nothing half done, before it is ended all the same.
const GRACE: Duration = Duration::from_secs(5);

/// A flag that the first ctrl-C raises, so that a fetch can leave the cache whole; the second ends the program, and so
/// does time: an examination does not look at the flag. Files are written whole or not at all even then.
pub(super) fn interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    let handler = move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(exit::INTERRUPTED));
        }
        let end_late = || {
            thread::sleep(GRACE);
            output::end(exit::INTERRUPTED);
        };
        // Without a thread there is still the second ctrl-C.
        let _ = thread::Builder::new().spawn(end_late);
    };
    ctrlc::set_handler(handler).map_err(Failure::internal)?;
    Ok(flag)
}

//! Fetching one commit of a remote into the cache, shallow.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use gix::ObjectId;
use gix::refs::transaction::PreviousValue;
use gix::remote::{Direction, fetch, ref_map};

use super::advertised::{self, Wanted};
use super::cache::RemoteCache;
use super::credentials;
use super::error::CheckoutError;
use super::failure::{Stage, explain};
use super::progress::{Display, Task};
use super::revision::{self, Revision};
use super::source::RemoteUrl;

/// What holds for a fetch whatever the user's configuration says. The rest of it (proxies, certificates, ssh command,
/// URL rewriting) is honoured, as in git.
const FETCH_SETTINGS: [&str; 6] = [
    "clone.rejectShallow=false",
    "core.logAllRefUpdates=false",
    "gitoxide.objects.allocLimit=1073741824",
    // A host that does not answer for 20 s, or sends less than a byte a second for a minute, is given up.
    "gitoxide.http.connectTimeout=20000",
    "http.lowSpeedLimit=1",
    "http.lowSpeedTime=60",
];

/// How often the bar is drawn and the interrupt flag is looked at.
const TICK: Duration = Duration::from_millis(100);

/// How long an interrupted fetch may take to stop by itself before it is abandoned.
const STOP_WITHIN: Duration = Duration::from_secs(2);

/// Everything a fetch needs; it runs on a thread of its own, since a read from the network cannot be interrupted.
struct Job {
    url: RemoteUrl,
    revision: Revision,
    cache: RemoteCache,
    repository: PathBuf,
    interrupt: Arc<AtomicBool>,
}

/// Finds the commit that `revision` names at `url`, and fetches it unless the cache has it. Returns the commit and its
/// place in the cache.
///
/// # Errors
/// All kinds but [`CheckoutError::Input`] and [`CheckoutError::Offline`]. Nothing is left in the cache then.
pub(super) fn fetch(
    url: &RemoteUrl,
    revision: &Revision,
    cache: &RemoteCache,
    quiet: bool,
    interrupt: &Arc<AtomicBool>,
) -> Result<(ObjectId, PathBuf), CheckoutError> {
    if let Some(path) = url.local_path() {
        // git itself says little about a path that is no repository.
        super::local::open(&path)?;
    }
    let staging = cache.stage()?;
    let job = Job {
        url: url.clone(),
        revision: revision.clone(),
        cache: cache.clone(),
        repository: staging.repository(),
        interrupt: Arc::clone(interrupt),
    };
    let display = Display::new(url.shown(), quiet);
    let commit = supervise(job, &display)?;
    let place = match cache.entry(commit) {
        Some(place) => place,
        None => cache.install(&staging, commit)?,
    };
    Ok((commit, place))
}

/// Runs `job` while drawing `display`, and stops waiting soon after the interrupt flag is raised.
fn supervise(job: Job, display: &Display) -> Result<ObjectId, CheckoutError> {
    let (interrupt, place) = (Arc::clone(&job.interrupt), job.url.shown().to_owned());
    let task = display.task();
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        // Nobody listens any more when the fetch was abandoned.
        sender.send(job.run(task)).ok();
    });
    let mut interrupted_at = None;
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(Err(_)) if interrupt.load(Ordering::Relaxed) => {
                return Err(CheckoutError::Interrupted);
            }
            Ok(result) => return result,
            Err(RecvTimeoutError::Disconnected) => {
                let reason = "the fetch ended unexpectedly; try again".to_owned();
                return Err(CheckoutError::Network { place, reason });
            }
            Err(RecvTimeoutError::Timeout) => display.draw(),
        }
        if interrupt.load(Ordering::Relaxed) {
            let since: Instant = *interrupted_at.get_or_insert_with(Instant::now);
            if since.elapsed() > STOP_WITHIN {
                return Err(CheckoutError::Interrupted);
            }
        }
    }
}

impl Job {
    /// Returns the commit, which is then either in the cache or in the staged repository.
    fn run(&self, mut task: Task) -> Result<ObjectId, CheckoutError> {
        let repository = self.initialise()?;
        let wanted = match &self.revision {
            Revision::Commit(id) => Wanted {
                commit: *id,
                names: Vec::new(),
            },
            _ => self.look_up(&repository, &mut task)?,
        };
        if self.cache.entry(wanted.commit).is_some() {
            return Ok(wanted.commit);
        }
        self.receive(&repository, wanted.commit, &mut task)?;
        if revision::commit_of(&repository, wanted.commit) != Some(wanted.commit) {
            return Err(CheckoutError::UnknownRevision {
                place: self.url.shown().to_owned(),
                reason: format!("{} is not a commit", wanted.commit),
            });
        }
        self.record(&repository, &wanted)?;
        Ok(wanted.commit)
    }

    fn initialise(&self) -> Result<gix::Repository, CheckoutError> {
        let mut options = gix::open::Options::default().config_overrides(FETCH_SETTINGS);
        // Credential helpers may be configured with the installation of git.
        options.permissions.config.git_binary = true;
        let created = gix::ThreadSafeRepository::init_opts(
            &self.repository,
            gix::create::Kind::Bare,
            gix::create::Options::default(),
            options,
        );
        Ok(created
            .map_err(|error| self.failure(&error, Stage::Store))?
            .to_thread_local())
    }

    /// Asks the remote where its branches and tags are.
    fn look_up(
        &self,
        repository: &gix::Repository,
        task: &mut Task,
    ) -> Result<Wanted, CheckoutError> {
        let list = || -> gix::Result<fetch::RefMap> {
            let remote = repository
                .remote_at(self.url.connect().clone())?
                .with_fetch_tags(fetch::Tags::None);
            let mut connection = remote.connect(Direction::Fetch)?;
            connection.set_credentials(credentials::answer(&self.url, repository));
            let extra_refspecs = advertised::refspecs(&self.revision)?;
            let options = ref_map::Options {
                extra_refspecs,
                ..ref_map::Options::default()
            };
            Ok(connection.ref_map(task, options)?.0)
        };
        let map = list().map_err(|error| self.failure(&error, Stage::Connect))?;
        advertised::resolve(&map.remote_refs, &self.revision, self.url.shown())
    }

    /// Fetches `commit` alone, with its trees, blobs and the tags that stand at it.
    fn receive(
        &self,
        repository: &gix::Repository,
        commit: ObjectId,
        task: &mut Task,
    ) -> Result<(), CheckoutError> {
        let connect_failed = |error: gix::Error| self.failure(&error, Stage::Connect);
        let remote = repository
            .remote_at(self.url.connect().clone())
            .and_then(|remote| {
                remote.with_refspecs([commit.to_string().as_str()], Direction::Fetch)
            })
            .map_err(connect_failed)?
            .with_fetch_tags(fetch::Tags::Included);
        let mut connection = remote.connect(Direction::Fetch).map_err(connect_failed)?;
        connection.set_credentials(credentials::answer(&self.url, repository));
        let prepared = connection
            .prepare_fetch(&mut *task, ref_map::Options::default())
            .map_err(connect_failed)?;
        prepared
            .with_shallow(fetch::Shallow::DepthAtRemote(std::num::NonZeroU32::MIN))
            .with_write_packed_refs_only(true)
            .receive(task, &self.interrupt)
            .map_err(|error| self.failure(&error, Stage::Receive(commit)))?;
        Ok(())
    }

    /// Writes HEAD, and the names that led to the commit, by which `--offline` finds it again.
    fn record(&self, repository: &gix::Repository, wanted: &Wanted) -> Result<(), CheckoutError> {
        for name in wanted.names.iter().map(String::as_str).chain(["HEAD"]) {
            repository
                .reference(name, wanted.commit, PreviousValue::Any, "fetched")
                .map_err(|error| self.failure(&error, Stage::Store))?;
        }
        Ok(())
    }

    fn failure(&self, error: &gix::Error, stage: Stage) -> CheckoutError {
        explain(error, stage, &self.url, self.cache.folder())
    }
}

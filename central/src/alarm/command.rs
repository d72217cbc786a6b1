//! The command of the house: run off every hot path, at most so many at once, for so long at
//! most. What an alarm says goes to it as arguments and environment; no shell reads any of it.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, TrySendError, sync_channel};
use std::time::Duration;

use keno_record::clock::Clock;
use keno_record::sequencer::Fatal;
use keno_service::Fault;
use keno_words::Say;
use parking_lot::Mutex;

use super::{Alarm, AlarmName, Change};

/// Changes that may wait for the command; more are dropped, and the log of the process says so.
const WAITING_MAX: usize = 64;
/// How often running commands are looked at.
const LOOK: Duration = Duration::from_millis(50);
/// Variables that the command inherits. Nothing else: central's own may hold secrets.
const INHERITED: [&str; 4] = ["PATH", "HOME", "LANG", "LC_ALL"];

/// How the command is run.
#[derive(Debug, Clone)]
pub struct CommandLimits {
    /// Commands that run at once.
    pub at_once: usize,
    /// After so many milliseconds a command and its children are ended.
    pub timeout_ms: i64,
}

impl Default for CommandLimits {
    fn default() -> Self {
        Self {
            at_once: 4,
            timeout_ms: 30_000,
        }
    }
}

/// How a run of the command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It ended by itself with this status; `None` when a signal ended it.
    Ended(Option<i32>),
    /// It took too long and was ended.
    TimedOut,
    /// It could not be started.
    NotStarted,
}

/// A run that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandEnd {
    /// What it was run for.
    pub change: Change,
    /// The alarm.
    pub alarm: Alarm,
    /// How it ended.
    pub outcome: Outcome,
}

struct Running {
    child: Child,
    until_ms: i64,
    change: Change,
    alarm: Alarm,
}

struct Parts {
    program: PathBuf,
    house: String,
    clock: Arc<dyn Clock>,
    limits: CommandLimits,
    ended: Option<Sender<CommandEnd>>,
    stopping: Arc<AtomicBool>,
}

/// A handle on the thread that runs the command.
#[derive(Debug)]
pub struct AlarmCommand {
    sender: Mutex<Option<SyncSender<(Change, Alarm)>>>,
    stopping: Arc<AtomicBool>,
    thread: Mutex<Option<std::thread::JoinHandle<()>>>,
}

/// The program that `house.toml` names: a path with a slash is relative to the data folder, a
/// bare name is looked for in `PATH`. The whole text is the program: it has no arguments.
pub fn program_of(text: &str, folder: &Path) -> PathBuf {
    if text.contains('/') {
        folder.join(text)
    } else {
        PathBuf::from(text)
    }
}

/// The command for one change. Arguments: `raised` or `cleared`, name, subject, the French and
/// the English sentence; the same in `BOULIER_ALARM_*`.
fn command_for(program: &Path, house: &str, change: Change, alarm: &Alarm) -> Command {
    let (fr, en) = (alarm.fr(), alarm.en());
    let mut command = Command::new(program);
    command
        .args([change.name(), alarm.name.name(), &alarm.subject, &fr, &en])
        .env_clear()
        .envs(
            INHERITED
                .iter()
                .filter_map(|name| std::env::var_os(name).map(|value: OsString| (*name, value))),
        )
        .env("BOULIER_HOUSE", house)
        .env("BOULIER_ALARM_CHANGE", change.name())
        .env("BOULIER_ALARM_NAME", alarm.name.name())
        .env("BOULIER_ALARM_SUBJECT", &alarm.subject)
        .env("BOULIER_ALARM_FR", fr)
        .env("BOULIER_ALARM_EN", en)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // A group of its own, so that what it starts can be ended with it.
        .process_group(0);
    command
}

impl AlarmCommand {
    /// Starts the thread; `ended` is told of each run that is over.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn start(
        program: PathBuf,
        house: &str,
        clock: Arc<dyn Clock>,
        limits: CommandLimits,
        ended: Option<Sender<CommandEnd>>,
    ) -> std::io::Result<Self> {
        let (sender, receiver) = sync_channel(WAITING_MAX);
        let stopping = Arc::new(AtomicBool::new(false));
        let parts = Parts {
            stopping: Arc::clone(&stopping),
            program,
            house: house.to_owned(),
            clock,
            limits,
            ended,
        };
        let thread = std::thread::Builder::new()
            .name("alarm-command".to_owned())
            .spawn(move || run(&parts, &receiver))?;
        Ok(Self {
            sender: Mutex::new(Some(sender)),
            stopping,
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Has the command run for a change. Never waits.
    pub fn run(&self, change: Change, alarm: &Alarm) {
        let sender = self.sender.lock();
        let Some(sender) = sender.as_ref() else {
            return;
        };
        if let Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) =
            sender.try_send((change, alarm.clone()))
        {
            tracing::error!(
                alarm = alarm.name.name(),
                "the alarm command is behind: not run"
            );
        }
    }
}

impl Drop for AlarmCommand {
    /// Starts what waits, as far as there is room, and waits for none of it: what runs goes on.
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::SeqCst);
        drop(self.sender.lock().take());
        let thread = self.thread.lock().take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("the thread of the alarm command ended in a panic");
        }
    }
}

fn tell(parts: &Parts, change: Change, alarm: Alarm, outcome: Outcome) {
    if outcome != Outcome::Ended(Some(0)) {
        tracing::warn!(
            alarm = alarm.name.name(),
            ?outcome,
            "the alarm command failed"
        );
    }
    if let Some(ended) = &parts.ended {
        // Whoever no longer listens need not be told.
        let _ = ended.send(CommandEnd {
            change,
            alarm,
            outcome,
        });
    }
}

fn start(parts: &Parts, running: &mut Vec<Running>, change: Change, alarm: Alarm) {
    // From before it starts: what it does may not lengthen its time.
    let until_ms = parts
        .clock
        .monotonic_ms()
        .saturating_add(parts.limits.timeout_ms);
    match command_for(&parts.program, &parts.house, change, &alarm).spawn() {
        Ok(child) => running.push(Running {
            child,
            until_ms,
            change,
            alarm,
        }),
        Err(fault) => {
            tracing::error!(%fault, program = %parts.program.display(), "no alarm command");
            tell(parts, change, alarm, Outcome::NotStarted);
        }
    }
}

/// Takes runs that are over out of the list, and ends those that take too long.
fn look(parts: &Parts, running: &mut Vec<Running>) {
    let now_ms = parts.clock.monotonic_ms();
    let mut still = Vec::new();
    for mut run in running.drain(..) {
        let outcome = match run.child.try_wait() {
            Ok(Some(status)) => Some(Outcome::Ended(status.code())),
            Ok(None) if now_ms < run.until_ms => None,
            Ok(None) | Err(_) => {
                end_group(&mut run.child);
                Some(Outcome::TimedOut)
            }
        };
        match outcome {
            None => still.push(run),
            Some(outcome) => tell(parts, run.change, run.alarm, outcome),
        }
    }
    *running = still;
}

fn end_group(child: &mut Child) {
    let group = i32::try_from(child.id())
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group
        && let Err(fault) =
            rustix::process::kill_process_group(group, rustix::process::Signal::KILL)
    {
        tracing::warn!(%fault, "an alarm command could not be ended");
    }
    // It was killed: this returns at once.
    if let Err(fault) = child.wait() {
        tracing::warn!(%fault, "an alarm command could not be waited for");
    }
}

fn run(parts: &Parts, changes: &Receiver<(Change, Alarm)>) {
    let mut running: Vec<Running> = Vec::new();
    loop {
        look(parts, &mut running);
        if running.len() >= parts.limits.at_once.max(1) {
            if parts.stopping.load(Ordering::SeqCst) {
                return;
            }
            std::thread::park_timeout(LOOK);
            continue;
        }
        let next = if running.is_empty() {
            changes.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            changes.recv_timeout(LOOK)
        };
        match next {
            Ok((change, alarm)) => start(parts, &mut running, change, alarm),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// What the writer calls when it may not go on: the command is started for `commit_unknown` (it
/// outlives the process), and the process ends, to recover at its next start.
pub fn fatal(program: Option<PathBuf>, house: &str) -> Fatal {
    let house = house.to_owned();
    Box::new(move |fault: &Fault| {
        tracing::error!(%fault, "central stops here and recovers at its next start");
        let alarm = Alarm::plain(AlarmName::CommitUnknown);
        if let (Some(program), Fault::UnknownCommit) = (&program, fault)
            && let Err(fault) = command_for(program, &house, Change::Raised, &alarm).spawn()
        {
            tracing::error!(%fault, "no alarm command");
        }
        std::process::abort();
    })
}

//! Central: everything together, opened on a data folder.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use keno_draw_machine::adapter::DrawMachine;
use keno_draw_machine::health::OsEntropy;
use keno_draw_machine::holder::{FileHolder, SecretHolder};
use keno_draw_machine::rng_machine::RngMachine;
use keno_log::event::{HouseOpened, LeaseTaken, RuleBookPublished};
use keno_log::tree::Edge;
use keno_schema::migrate::migrate;
use keno_schema::{Database, OpenFault, ReadPool};
use thiserror::Error;

use crate::calendar::{Calendar, ZoneFault};
use crate::chance::Chance;
use crate::clock::Clock;
use crate::conductor::Schedule;
use crate::fault::{Fault, Stop};
use crate::house::{HouseFile, people_needed};
use crate::keys::{KeysFault, KeysPlace, ServerKeys, signing_key};
use crate::pins::PinDoor;
use crate::publish::{Publisher, SignedCheckpoint};
use crate::recover::{DoubtfulPast, recover_settled};
use crate::refusal::Refusal;
use crate::reserve::{RESERVE_BYTES, Reserve};
use crate::sell::QuickPicks;
use crate::sequencer::{BATCH_MAX, CommitHook, Fatal, Lane, NoHook, Sequencer, WriterParts};
use crate::store::people;
use crate::view::{View, ViewCell};
use crate::wall::Stops;
use keno_book::rules_file;
use keno_game::rules::RuleBook;

/// Central cannot be opened.
#[derive(Debug, Error)]
pub enum OpenCentralFault {
    /// Another central runs on this data folder.
    #[error("another central runs on {0}: stop it first")]
    Locked(String),
    /// The data folder cannot be used.
    #[error("the data folder {path} cannot be used")]
    Folder {
        /// The folder.
        path: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenFault),
    /// The schema cannot be brought up to date.
    #[error(transparent)]
    Migrate(#[from] keno_schema::migrate::MigrateFault),
    /// The past is doubtful.
    #[error(transparent)]
    Past(#[from] DoubtfulPast),
    /// The keys cannot be used.
    #[error(transparent)]
    Keys(#[from] KeysFault),
    /// The zone does not exist.
    #[error(transparent)]
    Zone(#[from] ZoneFault),
    /// The record is of another house.
    #[error("the record is of house {found}, and house.toml says {wanted}")]
    OtherHouse {
        /// House in the record.
        found: String,
        /// House in the file.
        wanted: String,
    },
    /// The keys are not those of the record.
    #[error("the keys file is not the one that this record was begun with: its log key differs")]
    OtherKeys,
    /// A holder or the machine cannot be opened.
    #[error("the draw machine cannot be opened: {0}")]
    Machine(String),
    /// Something else failed.
    #[error("central cannot be opened")]
    Fault(#[from] Fault),
    /// The first facts were refused.
    #[error("central cannot be opened")]
    Stop(#[from] Stop),
}

/// How central is opened.
pub struct Options {
    /// The data folder.
    pub folder: PathBuf,
    /// What is not a rule.
    pub house: HouseFile,
    /// Where the keys are; `keys.toml` of the data folder when absent.
    pub keys: Option<KeysPlace>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Quick picks of a known seed: for tests.
    pub quick_picks: Option<QuickPicks>,
    /// The draw machine and the holders: the house's own when absent.
    pub machine: Option<MachineParts>,
    /// Called when the writer may not go on; ends the process when absent.
    pub fatal: Option<Fatal>,
    /// Planted faults.
    pub hook: Option<Box<dyn CommitHook>>,
    /// Commands in one transaction; the usual number when absent.
    pub batch_max: Option<usize>,
    /// Space kept back on the disk of the record.
    pub reserve_bytes: u64,
    /// Where random keys and tokens come from.
    pub chance: Chance,
    /// Name of this central in the lease; house and process when absent.
    pub instance: Option<String>,
    /// Nothing runs by itself: no thread writes or publishes, [`Sequencer::step`] and
    /// [`Central::publish_waiting`] do. For simulation, which must replay exactly.
    pub stepped: bool,
    /// Opened to go on in a new epoch ([`Central::open_epoch`]) and for nothing else: no lease is
    /// taken, so that the leaf which says so is the first to be added, and nothing is published
    /// under the origin of the epoch before.
    pub opens_epoch: bool,
}

impl Options {
    /// The usual way.
    pub fn new(folder: PathBuf, house: HouseFile, clock: Arc<dyn Clock>) -> Self {
        Self {
            folder,
            house,
            keys: None,
            clock,
            quick_picks: None,
            machine: None,
            fatal: None,
            hook: None,
            batch_max: None,
            reserve_bytes: RESERVE_BYTES,
            chance: Chance::System,
            instance: None,
            stepped: false,
            opens_epoch: false,
        }
    }
}

/// A draw machine with the holders of its secrets.
pub struct MachineParts {
    /// The machine.
    pub machine: Box<dyn DrawMachine>,
    /// Holders in the order of the derivation.
    pub holders: Vec<Box<dyn SecretHolder>>,
}

/// Called with news for readers: a new picture of the state was set.
type Watchers = Mutex<Vec<Box<dyn Fn() + Send>>>;

/// The central computer.
pub struct Central {
    /// The door for every write.
    pub sequencer: Sequencer,
    /// Reading connections.
    pub readers: ReadPool,
    /// The newest picture of the state.
    pub view: Arc<ViewCell>,
    /// The server's keys.
    pub keys: Arc<ServerKeys>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// The house's calendar.
    pub calendar: Calendar,
    /// When draws take place.
    pub schedule: Schedule,
    /// Short name of the house.
    pub house_code: String,
    /// Name of the house.
    pub house_name: String,
    /// What is not a rule.
    pub house: HouseFile,
    /// Origin of the checkpoints.
    pub origin: String,
    publisher: Publisher,
    /// The data folder.
    pub folder: PathBuf,
    /// Space kept back for the open draw.
    pub reserve: Arc<Reserve>,
    pub(crate) holders: Mutex<Vec<Box<dyn SecretHolder>>>,
    pub(crate) machine: Mutex<Box<dyn DrawMachine>>,
    pub(crate) quick_picks: Mutex<QuickPicks>,
    pub(crate) pins: PinDoor,
    /// Terminals that do not sell for now.
    pub stops: Stops,
    /// Draws whose last step failed, and when they are tried again.
    pub(crate) troubled_draws: Mutex<std::collections::HashMap<u64, i64>>,
    watchers: Arc<Watchers>,
    last_at_start_ms: i64,
    pub(crate) chance: Chance,
    _lock: Option<File>,
}

impl std::fmt::Debug for Central {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Central")
            .field("house", &self.house_code)
            .finish_non_exhaustive()
    }
}

/// The keys file in a data folder.
pub fn keys_path(folder: &Path) -> PathBuf {
    folder.join("keys.toml")
}

/// The origin of a house's first checkpoints, which is the name of its log key too.
pub fn origin_of(house: &str) -> String {
    format!("boulier/{house}")
}

/// The origin of the checkpoints of an epoch (`FORMAT.md`, "Epochs").
pub fn origin_of_epoch(house: &str, epoch: u32) -> String {
    match epoch {
        0 | 1 => origin_of(house),
        later => format!("{}/{later}", origin_of(house)),
    }
}

/// Name of the file that a central at work holds the lock of.
pub const LOCK_FILE: &str = "central.lock";

/// Takes the lock that central holds on its data folder while it runs; let go with the file.
///
/// # Errors
/// When another central runs on the folder, or it cannot be used.
pub fn lock_folder(folder: &Path) -> Result<File, OpenCentralFault> {
    let at = |source| OpenCentralFault::Folder {
        path: folder.display().to_string(),
        source,
    };
    std::fs::create_dir_all(folder).map_err(at)?;
    let file = std::fs::OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(folder.join(LOCK_FILE))
        .map_err(at)?;
    match keno_daemon::sole::hold(&file) {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(OpenCentralFault::Locked(folder.display().to_string()))
        }
        Err(TryLockError::Error(source)) => Err(at(source)),
    }
}

fn open_machine(folder: &Path, house: &HouseFile) -> Result<MachineParts, OpenCentralFault> {
    let fault = |what: String| OpenCentralFault::Machine(what);
    let mut holders: Vec<Box<dyn SecretHolder>> = Vec::new();
    for holder in &house.holders {
        let at = folder.join(&holder.folder);
        holders.push(Box::new(
            FileHolder::open(&at, &house.code, &holder.name, OsEntropy)
                .map_err(|f| fault(f.to_string()))?,
        ));
    }
    let machine = RngMachine::open(&folder.join("draw-machine"), &house.code)
        .map_err(|f| fault(f.to_string()))?;
    Ok(MachineParts {
        machine: Box::new(machine),
        holders,
    })
}

impl Central {
    /// Opens central on a data folder: founds the house when the record is empty, recovers it
    /// otherwise.
    ///
    /// # Errors
    /// An [`OpenCentralFault`], in words that say what to do.
    pub fn open(options: Options) -> Result<Arc<Self>, OpenCentralFault> {
        let Options {
            folder,
            house,
            keys,
            clock,
            quick_picks,
            machine,
            fatal,
            hook,
            batch_max,
            reserve_bytes,
            chance,
            instance,
            stepped,
            opens_epoch,
        } = options;
        let lock = lock_folder(&folder)?;
        let calendar = Calendar::new(&house.zone)?;
        let database = match Database::parse(&house.database_url) {
            Database::Sqlite(path) => Database::Sqlite(folder.join(path)),
            other => other,
        };
        let mut connection = database.open_writer()?;
        for name in migrate(&mut connection)? {
            tracing::info!(migration = %name, "the tables are brought up to date");
        }
        let mut anchors = vec![folder.join(&house.anchors_file)];
        anchors.extend(house.anchors_extra.iter().map(|path| folder.join(path)));
        let mut state = recover_settled(&mut connection, &anchors, clock.now_ms())?;

        let keys_place = keys.unwrap_or_else(|| KeysPlace::File(keys_path(&folder)));
        let is_new = state.house.is_none();
        let keys = if is_new && !keys_place.path().exists() {
            let keys = ServerKeys::generate(&chance)?;
            keys.save_new(keys_place.path())?;
            keys
        } else {
            ServerKeys::load_from(&keys_place)?
        };
        let keys = Arc::new(keys);
        let origin = origin_of_epoch(&house.code, state.epoch.number);
        let signing =
            signing_key(&keys, &origin_of(&house.code)).ok_or(Fault::Crypto("the log key"))?;
        let log_key = signing.verifying_key().to_string();
        if let Some(known) = &state.house {
            if known.code != house.code {
                return Err(OpenCentralFault::OtherHouse {
                    found: known.code.clone(),
                    wanted: house.code.clone(),
                });
            }
            if known.log_key != log_key {
                return Err(OpenCentralFault::OtherKeys);
            }
        }
        let last_at_start_ms = if is_new { 0 } else { state.last_at_ms };
        if is_new {
            state.last_at_ms = clock.now_ms();
        }
        let parts = match machine {
            Some(parts) => parts,
            None => open_machine(&folder, &house)?,
        };
        let publisher = Publisher::start(
            signing,
            origin.clone(),
            &anchors,
            Box::new(|_: &SignedCheckpoint| {}),
            stepped || opens_epoch,
        )?;
        let view = Arc::new(ViewCell::default());
        view.set(View::of(&state, 0));
        let watchers: Arc<Watchers> = Arc::default();
        let committed = {
            let (view, watchers, publish) =
                (Arc::clone(&view), Arc::clone(&watchers), publisher.sender());
            let seq = AtomicU64::new(0);
            let mut seen = state.changes;
            Box::new(move |state: &crate::state::State| {
                publish(&state.edge);
                if state.changes != seen {
                    seen = state.changes;
                    view.set(View::of(state, seq.fetch_add(1, Ordering::Relaxed) + 1));
                    for watcher in watchers
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .iter()
                    {
                        watcher();
                    }
                }
            })
        };
        if !is_new {
            publisher.sender()(&state.edge);
        }
        let credentials = people::credentials(&mut connection).map_err(Stop::from)?;
        let reserve = Arc::new(Reserve::open(&folder, reserve_bytes));
        let on_full = Arc::clone(&reserve);
        let fence = state.fence + 1;
        let start = if stepped {
            Sequencer::stepped
        } else {
            Sequencer::start
        };
        let sequencer = start(WriterParts {
            database: database.clone(),
            connection,
            state,
            keys: Arc::clone(&keys),
            clock: Arc::clone(&clock),
            calendar,
            committed,
            fatal: fatal.unwrap_or_else(|| {
                Box::new(|fault: &Fault| {
                    tracing::error!(%fault, "central stops here and recovers at its next start");
                    std::process::abort();
                })
            }),
            faulted: Box::new(move |fault: &Fault| on_full.on_fault(fault)),
            hook: hook.unwrap_or_else(|| Box::new(NoHook)),
            sale_queue_max: house.sale_queue,
            batch_max: batch_max.unwrap_or(BATCH_MAX),
        })
        .map_err(|source| OpenCentralFault::Folder {
            path: folder.display().to_string(),
            source,
        })?;
        let central = Arc::new(Self {
            sequencer,
            readers: database.read_pool(8)?,
            view,
            keys,
            clock,
            calendar,
            schedule: Schedule {
                every_minutes: house.every_minutes,
                first: house.first,
                last: house.last,
                close_before_ms: i64::from(house.close_before_seconds) * 1000,
                ball_interval_ms: i64::from(house.ball_interval_ms),
                saleable_draws: u64::from(house.saleable_draws),
                start_lead_ms: i64::from(house.start_lead_ms),
            },
            house_code: house.code.clone(),
            house_name: house.name.clone(),
            origin,
            publisher,
            folder,
            reserve,
            holders: Mutex::new(parts.holders),
            machine: Mutex::new(parts.machine),
            quick_picks: Mutex::new(match quick_picks {
                Some(picks) => picks,
                None => QuickPicks::new(&chance)?,
            }),
            pins: PinDoor::of(credentials),
            stops: Stops::default(),
            troubled_draws: Mutex::default(),
            watchers,
            last_at_start_ms,
            chance,
            house,
            _lock: Some(lock),
        });
        if is_new {
            central.found(&log_key)?;
        }
        if opens_epoch {
            return Ok(central);
        }
        let instance =
            instance.unwrap_or_else(|| format!("{}-{}", central.house_code, std::process::id()));
        central
            .sequencer
            .submit_blocking(Lane::Draw, move |judge| {
                judge.record(LeaseTaken {
                    instance: instance.clone(),
                    fence,
                })?;
                Ok(())
            })?;
        Ok(central)
    }

    fn found(&self, log_key: &str) -> Result<(), Stop> {
        let event = HouseOpened {
            house: self.house_code.clone(),
            name: self.house_name.clone(),
            zone: self.house.zone.clone(),
            log_key: log_key.to_owned(),
            first_draw: 1,
        };
        self.sequencer.submit_blocking(Lane::Draw, move |judge| {
            judge.record(event.clone())?;
            Ok(())
        })
    }

    /// Time of the last leaf when this central was opened; 0 for a new house.
    pub fn last_at_start_ms(&self) -> i64 {
        self.last_at_start_ms
    }

    /// What the writer of the access log calls after each commit, with the epoch in which that log
    /// was begun: its head is signed and stands in the anchor files.
    pub fn access_anchors(&self) -> impl Fn(u32, &Edge) + Send + Sync + 'static {
        self.publisher.access_sender()
    }

    /// Signs and anchors the newest head, when nothing runs by itself. Returns whether one waited.
    pub fn publish_waiting(&self) -> bool {
        self.publisher.publish_waiting()
    }

    /// The newest signed checkpoint.
    pub fn checkpoint(&self) -> Option<Arc<SignedCheckpoint>> {
        self.publisher.newest()
    }

    /// Has `watcher` called whenever a new picture of the state was set. It runs on the writer's
    /// thread and must only wake someone.
    pub fn watch(&self, watcher: impl Fn() + Send + 'static) {
        self.watchers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(Box::new(watcher));
    }

    pub(crate) fn clone_keys(&self) -> Arc<ServerKeys> {
        Arc::clone(&self.keys)
    }

    /// Publishes a version of the rules, by two people.
    ///
    /// # Errors
    /// [`Refusal::StaffTooFew`], [`Refusal::RuleBookFaulty`], [`Refusal::RuleBookVersion`],
    /// [`Refusal::RuleBookTooEarly`], [`Refusal::SamePersonTwice`].
    pub fn publish_rules(
        &self,
        text: &str,
        effective_from: u64,
        by: &str,
        second: &str,
    ) -> Result<u64, Stop> {
        let fewest = self.house.staff.fewest;
        self.record_rules(text, effective_from, (by, second), |rules| {
            let needed = people_needed(rules);
            match fewest.filter(|stated| *stated < needed) {
                Some(stated) => Err(Refusal::StaffTooFew { needed, stated }),
                None => Ok(()),
            }
        })
    }

    /// Records a version of the rules, by two people: a new one, or the one in force with limits of
    /// the house changed, which needs no other people. `judge` is asked about the rules once they are
    /// read: reading takes up to seconds, since the returns are computed.
    ///
    /// # Errors
    /// [`Refusal::SamePersonTwice`], [`Refusal::RuleBookFaulty`], what `judge` says,
    /// [`Refusal::RuleBookVersion`], [`Refusal::RuleBookTooEarly`].
    pub(crate) fn record_rules(
        &self,
        text: &str,
        effective_from: u64,
        (by, second): (&str, &str),
        judge: impl FnOnce(&RuleBook) -> Result<(), Refusal>,
    ) -> Result<u64, Stop> {
        self.must_differ(by, second)?;
        let file = rules_file::read(text).map_err(|faults| Refusal::RuleBookFaulty { faults })?;
        judge(&file.rules)?;
        let event = RuleBookPublished {
            version: file.rules.version,
            effective_from,
            hash: file.hash,
            text: text.to_owned(),
            by: by.to_owned(),
            second: second.to_owned(),
        };
        self.sequencer.submit_blocking(Lane::Draw, move |judge| {
            let expected = judge
                .state
                .rule_books
                .keys()
                .next_back()
                .map_or(1, |last| last + 1);
            if event.version != expected {
                return Err(Refusal::RuleBookVersion { expected }.into());
            }
            // Cap, threshold and pool belong to the draw: a book that changes them starts after
            // the last draw that is announced; any other, after the last that is closed.
            let keeps_the_draws = judge.state.draws.values().all(|draw| {
                draw.number < effective_from
                    || (draw.cap_cents == file.rules.cap.get()
                        && draw.full_below_cents == file.rules.cap_threshold.get()
                        && draw.pool_size == file.rules.pool.size()
                        && draw.drawn == file.rules.pool.drawn())
            });
            let last = judge.state.draws.keys().next_back().copied().unwrap_or(0);
            let earliest = if keeps_the_draws {
                judge.state.next_open().unwrap_or(last + 1)
            } else {
                last + 1
            };
            if effective_from < earliest {
                return Err(Refusal::RuleBookTooEarly { earliest }.into());
            }
            Ok(judge.record(event.clone())?)
        })
    }
}

//! The record, opened: recovered from its leaves, with its writer, its readers and its publisher.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use keno_log::Hash;
use keno_log::checkpoint::{self, Checkpoint, SigningKey};
use keno_log::event::{HouseOpened, LeaseTaken};
use keno_log::proof::{inclusion_proof, verify_inclusion};
use keno_log::tree::Edge;
use keno_schema::migrate::{is_pending, migrate};
use keno_schema::{Connection, Database, OpenFault, ReadPool};
use parking_lot::Mutex;
use thiserror::Error;

use crate::Stop;
use crate::calendar::Calendar;
use crate::chance::Chance;
use crate::clock::Clock;
use crate::fault::{Fault, QueueFull};
use crate::keys::{KeysFault, KeysPlace, ServerKeys, signing_key};
use crate::log_tree::{TileRoots, TreeReader};
use crate::publish::{Publisher, SignedCheckpoint};
use crate::recover::{DoubtfulPast, recover_settled};
use crate::reserve::Reserve;
use crate::sequencer::{BATCH_MAX, CommitHook, Fatal, Judge, Lane, NoHook, Sequencer, WriterParts};
use crate::snapshot::{Due, SnapshotPlace};
use crate::state::State;
use crate::store::log;
use crate::view::{View, ViewCell};

/// The record cannot be opened.
#[derive(Debug, Error)]
pub enum OpenRecordFault {
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
    /// Something else failed.
    #[error("central cannot be opened")]
    Fault(#[from] Fault),
}

/// Which house a record is of, and how it is opened.
pub struct RecordOptions {
    /// The data folder.
    pub folder: PathBuf,
    /// Short name of the house: part of every derivation, never changed.
    pub house_code: String,
    /// Name of the house, as people read it.
    pub house_name: String,
    /// The house's zone.
    pub calendar: Calendar,
    /// Where the rows are.
    pub database: Database,
    /// The files in which heads are anchored, the first of them first.
    pub anchors: Vec<PathBuf>,
    /// Sales that may wait for the writer.
    pub sale_queue_max: usize,
    /// Where the keys are.
    pub keys: KeysPlace,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Called when the writer may not go on; ends the process when absent.
    pub fatal: Option<Fatal>,
    /// Planted faults.
    pub hook: Option<Box<dyn CommitHook>>,
    /// Commands in one transaction; the usual number when absent.
    pub batch_max: Option<usize>,
    /// Space kept back on the disk of the record.
    pub reserve_bytes: u64,
    /// Leaves between two snapshots of the memory.
    pub snapshot_leaves: u64,
    /// Where random keys and tokens come from.
    pub chance: Chance,
    /// Nothing runs by itself: no thread writes or publishes, [`Sequencer::step`] and
    /// [`Record::publish_waiting`] do. For simulation, which must replay exactly.
    pub stepped: bool,
    /// Opened to go on in a new epoch and for nothing else: nothing is published under the origin
    /// of the epoch before.
    pub opens_epoch: bool,
}

/// Called with news for readers: a new picture of the state was set.
type Watchers = Mutex<Vec<Box<dyn Fn() + Send>>>;

/// The record of a house.
pub struct Record {
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
    /// Short name of the house.
    pub house_code: String,
    /// Name of the house.
    pub house_name: String,
    /// Origin of the checkpoints.
    pub origin: String,
    /// The data folder.
    pub folder: PathBuf,
    /// Space kept back for the open draw.
    pub reserve: Arc<Reserve>,
    /// Where random keys and tokens come from.
    pub chance: Chance,
    /// Roots of full tiles.
    pub tile_roots: TileRoots,
    publisher: Publisher,
    watchers: Arc<Watchers>,
    last_at_start_ms: i64,
    /// Verifier key of the log.
    log_key: String,
    /// The fencing number that the next lease of this record has.
    fence: u64,
    is_new: bool,
    _lock: File,
}

impl std::fmt::Debug for Record {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Record")
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
pub fn lock_folder(folder: &Path) -> Result<File, OpenRecordFault> {
    let at = |source| OpenRecordFault::Folder {
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
        Err(TryLockError::WouldBlock) => Err(OpenRecordFault::Locked(folder.display().to_string())),
        Err(TryLockError::Error(source)) => Err(at(source)),
    }
}

/// The keys of a record: made and kept with a new one, read with any other.
fn keys_of(place: &KeysPlace, is_new: bool, chance: &Chance) -> Result<ServerKeys, KeysFault> {
    if is_new && !place.path().exists() {
        let keys = ServerKeys::generate(chance)?;
        keys.save_new(place.path())?;
        return Ok(keys);
    }
    ServerKeys::load_from(place)
}

/// What the writer calls after each commit: a new picture is set and told of when what it shows has
/// changed, and the head is published, with a snapshot when one is due. In this order: what a picture
/// shows of the leaves under a checkpoint is there when that is.
fn after_commit(
    publisher: &Publisher,
    view: &Arc<ViewCell>,
    watchers: &Arc<Watchers>,
    mut due: Due,
    mut seen: u64,
) -> crate::sequencer::Committed {
    let (view, watchers, publish) = (Arc::clone(view), Arc::clone(watchers), publisher.sender());
    let seq = AtomicU64::new(0);
    Box::new(move |state| {
        let has_changed = state.changes != seen;
        if has_changed {
            seen = state.changes;
            view.set(View::of(state, seq.fetch_add(1, Ordering::Relaxed) + 1));
        }
        publish(&state.edge, due.of(state));
        if has_changed {
            for watcher in watchers.lock().iter() {
                watcher();
            }
        }
    })
}

/// Where the log stood when a leaf was its last, for somebody who has nothing of it but its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastLeaf {
    /// The checkpoint of that moment, signed.
    pub checkpoint: String,
    /// The leaf.
    pub leaf: Vec<u8>,
    /// Its inclusion proof.
    pub path: Vec<Hash>,
}

/// What a start begins with.
struct Recovered {
    state: State,
    keys: Arc<ServerKeys>,
    signing: SigningKey,
    snapshots: SnapshotPlace,
    is_new: bool,
}

/// The memory, and the keys that it was signed with.
fn recovered(
    connection: &mut Connection,
    options: &RecordOptions,
) -> Result<Recovered, OpenRecordFault> {
    let (anchors, now_ms) = (&options.anchors, options.clock.now_ms());
    let is_new = log::count(connection).map_err(Fault::from)? == 0;
    if is_new {
        // No keys are made for a record that has lost its leaves.
        recover_settled(connection, anchors, None, now_ms)?;
    }
    let keys = Arc::new(keys_of(&options.keys, is_new, &options.chance)?);
    let signing =
        signing_key(&keys, &origin_of(&options.house_code)).ok_or(Fault::Crypto("the log key"))?;
    let snapshots = SnapshotPlace::new(&options.folder, signing.verifying_key().clone());
    let known = (!options.opens_epoch).then_some(&snapshots);
    let state = recover_settled(connection, anchors, known, now_ms)?;
    if let Some(what) = keno_schema::altered::told(connection)? {
        return Err(DoubtfulPast::Altered { what }.into());
    }
    Ok(Recovered {
        state,
        keys,
        signing,
        snapshots,
        is_new,
    })
}

/// Runs the migrations that are pending, unless the record is one of an earlier version.
fn bring_up_to_date(connection: &mut Connection) -> Result<(), OpenRecordFault> {
    if is_pending(connection)? {
        log::must_know_every_kind(connection)?;
    }
    for name in migrate(connection)? {
        tracing::info!(migration = %name, "the tables are brought up to date");
    }
    Ok(())
}

impl Record {
    /// Opens the record in a data folder, and recovers what it holds. Nothing is recorded before
    /// `begin`.
    ///
    /// # Errors
    /// An [`OpenRecordFault`], in words that say what to do.
    pub fn open(options: RecordOptions) -> Result<Self, OpenRecordFault> {
        let lock = lock_folder(&options.folder)?;
        let mut connection = options.database.open_writer()?;
        bring_up_to_date(&mut connection)?;
        let Recovered {
            mut state,
            keys,
            signing,
            snapshots,
            is_new,
        } = recovered(&mut connection, &options)?;
        let origin = origin_of_epoch(&options.house_code, state.epoch.number);
        let log_key = signing.verifying_key().to_string();
        if let Some(known) = &state.house {
            if known.code != options.house_code {
                return Err(OpenRecordFault::OtherHouse {
                    found: known.code.clone(),
                    wanted: options.house_code,
                });
            }
            if known.log_key != log_key {
                return Err(OpenRecordFault::OtherKeys);
            }
        }
        let last_at_start_ms = if is_new { 0 } else { state.last_at_ms };
        if is_new {
            state.last_at_ms = options.clock.now_ms();
        }
        let publisher = Publisher::start(
            signing,
            origin.clone(),
            &options.anchors,
            snapshots.path().to_owned(),
            Box::new(|_: &SignedCheckpoint| {}),
            options.stepped || options.opens_epoch,
        )?;
        let view = Arc::new(ViewCell::default());
        view.set(View::of(&state, 0));
        let watchers: Arc<Watchers> = Arc::default();
        let mut due = Due::new(options.snapshot_leaves);
        if !is_new {
            publisher.sender()(&state.edge, due.of(&state));
        }
        let committed = after_commit(&publisher, &view, &watchers, due, state.changes);
        let reserve = Arc::new(Reserve::open(&options.folder, options.reserve_bytes));
        let on_full = Arc::clone(&reserve);
        let fence = state.fence + 1;
        let start = if options.stepped {
            Sequencer::stepped
        } else {
            Sequencer::start
        };
        let sequencer = start(WriterParts {
            database: options.database.clone(),
            connection,
            state,
            keys: Arc::clone(&keys),
            clock: Arc::clone(&options.clock),
            calendar: options.calendar,
            committed,
            fatal: options.fatal.unwrap_or_else(|| {
                Box::new(|fault: &Fault| {
                    tracing::error!(%fault, "central stops here and recovers at its next start");
                    std::process::abort();
                })
            }),
            faulted: Box::new(move |fault: &Fault| on_full.on_fault(fault)),
            hook: options.hook.unwrap_or_else(|| Box::new(NoHook)),
            sale_queue_max: options.sale_queue_max,
            batch_max: options.batch_max.unwrap_or(BATCH_MAX),
        })
        .map_err(|source| OpenRecordFault::Folder {
            path: options.folder.display().to_string(),
            source,
        })?;
        Ok(Self {
            sequencer,
            readers: options.database.read_pool(8)?,
            view,
            keys,
            clock: options.clock,
            calendar: options.calendar,
            house_code: options.house_code,
            house_name: options.house_name,
            origin,
            folder: options.folder,
            reserve,
            chance: options.chance,
            tile_roots: TileRoots::default(),
            publisher,
            watchers,
            last_at_start_ms,
            log_key,
            fence,
            is_new,
            _lock: lock,
        })
    }

    /// Founds the house when the record is empty.
    ///
    /// # Errors
    /// A fault.
    pub fn found(&self) -> Result<(), Fault> {
        if !self.is_new {
            return Ok(());
        }
        let event = HouseOpened {
            house: self.house_code.clone(),
            name: self.house_name.clone(),
            zone: self.calendar.zone_name().to_owned(),
            log_key: self.log_key.clone(),
            first_draw: 1,
        };
        self.first(move |judge| judge.record(event.clone()).map(drop))
    }

    /// Takes the lease by which this central is the one that drives the draws.
    ///
    /// # Errors
    /// A fault.
    pub fn take_lease(&self, instance: String) -> Result<(), Fault> {
        let event = LeaseTaken {
            instance,
            fence: self.fence,
        };
        self.first(move |judge| judge.record(event.clone()).map(drop))
    }

    /// Records what is recorded before anybody can ask for anything.
    fn first(
        &self,
        mut record: impl FnMut(&mut Judge<'_>) -> Result<(), Fault> + Send + 'static,
    ) -> Result<(), Fault> {
        let outcome = self
            .sequencer
            .submit_blocking(Lane::Draw, move |judge| Ok(record(judge)?));
        outcome.map_err(|stop: Stop<QueueFull>| match stop {
            Stop::Broke(fault) | Stop::Undone(fault) => fault,
            Stop::Refused(QueueFull) => Fault::Stopped,
        })
    }

    /// Time of the last leaf when this record was opened; 0 for a new house.
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

    /// The proof of the last of the first `size` leaves, whose root is `root`. Nothing is signed but
    /// what the record's own leaves lead to.
    ///
    /// # Errors
    /// [`Fault::Record`] when they lead elsewhere, or the database's.
    pub fn last_leaf(&self, size: u64, root: Hash) -> Result<LastLeaf, Fault> {
        let fault = |what: &str| Fault::Record(format!("the log at {size} leaves: {what}"));
        let index = size.checked_sub(1).ok_or_else(|| fault("no leaf"))?;
        let mut reader = self.readers.get()?;
        let row = log::entry(&mut reader, index)?.ok_or_else(|| fault("its last is missing"))?;
        let (entry, hash) = log::checked_entry(&row)?;
        let mut tree = TreeReader::new(&mut reader, &self.tile_roots, size);
        let path = inclusion_proof(index, size, &mut |level, index| tree.node(level, index))
            .map_err(|broken| fault(&broken.to_string()))?;
        verify_inclusion(&hash, index, size, &path, &root)
            .map_err(|broken| fault(&broken.to_string()))?;
        let key = signing_key(&self.keys, &origin_of(&self.house_code))
            .ok_or(Fault::Crypto("the log key"))?;
        let checkpoint = checkpoint::sign(&Checkpoint::new(&self.origin, size, root), &key)
            .map_err(|broken| fault(&broken.to_string()))?;
        Ok(LastLeaf {
            checkpoint,
            leaf: entry.leaf.to_bytes(),
            path,
        })
    }

    /// Has `watcher` called whenever a new picture of the state was set. It runs on the writer's
    /// thread and must only wake someone.
    pub fn watch(&self, watcher: impl Fn() + Send + 'static) {
        self.watchers.lock().push(Box::new(watcher));
    }
}

//! Central: a record with its house around it.

pub(crate) mod ball_line;
pub(crate) mod cosignatures;
pub(crate) mod decisions;
pub(crate) mod follower_line;
pub mod house_file;
pub(crate) mod integrity;
mod machine_parts;
pub(crate) mod pin_door;
pub(crate) mod quick_picks;
pub(crate) mod room_steps;
pub(crate) mod schedule;
pub(crate) mod stopped;
use std::collections::HashMap;
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;

use keno_draw::adapter::DrawMachine;
use keno_draw::holder::SecretHolder;
use keno_draw::transcript::HolderRecord;
use keno_record::calendar::{Calendar, ZoneFault};
use keno_record::chance::Chance;
use keno_record::clock::Clock;
use keno_record::fault::Fault;
use keno_record::keys::KeysPlace;
use keno_record::record::{OpenRecordFault, Record, RecordOptions, keys_path};
use keno_record::reserve::RESERVE_BYTES;
use keno_record::sequencer::{CommitHook, Fatal};
use keno_record::snapshot::SNAPSHOT_LEAVES;
use keno_record::state::State;
use keno_record::store::people;
use keno_schema::Database;
use parking_lot::Mutex;
use thiserror::Error;

use crate::central::house_file::HouseFile;
use crate::central::pin_door::PinDoor;

use ball_line::BallLine;
use cosignatures::Cosignatures;
use decisions::{AskNumbers, Decisions};
use follower_line::FollowerLine;
use integrity::Integrity;
pub use quick_picks::QuickPicks;
use room_steps::RoomSteps;
use schedule::Schedule;
use stopped::Stops;

/// Central cannot be opened.
#[derive(Debug, Error)]
pub enum OpenCentralFault {
    /// The record cannot be opened.
    #[error(transparent)]
    Record(#[from] OpenRecordFault),
    /// The zone does not exist.
    #[error(transparent)]
    Zone(#[from] ZoneFault),
    /// A holder or the machine cannot be opened.
    #[error("the draw machine cannot be opened: {0}")]
    Machine(String),
    /// Something else failed.
    #[error("central cannot be opened")]
    Fault(#[from] Fault),
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
    /// Leaves between two snapshots of the memory.
    pub snapshot_leaves: u64,
    /// Where random keys and tokens come from.
    pub chance: Chance,
    /// The file of this program, which is not to change while it runs; the running one when absent.
    pub program: Option<PathBuf>,
    /// Name of this central in the lease; house and process when absent.
    pub instance: Option<String>,
    /// Nothing runs by itself: no thread writes or publishes, `Sequencer::step` and
    /// [`Record::publish_waiting`] do. For simulation, which must replay exactly.
    pub stepped: bool,
    /// Opened to go on in a new epoch and for nothing else: no lease is taken, so that the leaf
    /// which says so is the first to be added, and nothing is published under the origin of the
    /// epoch before.
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
            snapshot_leaves: SNAPSHOT_LEAVES,
            chance: Chance::System,
            program: None,
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

/// The central computer: the record, and what a house decides and keeps beside it. What needs
/// nothing but the record takes [`Record`], which this gives out.
pub struct Central {
    record: Record,
    /// When draws take place.
    pub schedule: Schedule,
    /// What is not a rule.
    pub house: HouseFile,
    pub(crate) holders: Mutex<Vec<Box<dyn SecretHolder>>>,
    pub(crate) machine: Mutex<Box<dyn DrawMachine>>,
    /// What the holders gave for draws that are drawn and not explained yet: a holder that is lost
    /// meanwhile is not missed.
    pub(crate) given: Mutex<HashMap<u64, Vec<HolderRecord>>>,
    pub(crate) quick_picks: Mutex<QuickPicks>,
    pub(crate) pins: PinDoor,
    /// Terminals that do not sell for now.
    pub stops: Stops,
    /// What waits for a second person at the desk.
    pub(crate) ask_numbers: AskNumbers,
    pub(crate) decisions: Decisions,
    pub(crate) room_steps: RoomSteps,
    /// The line to the follower of the log, where the house has one.
    pub follower: Option<Arc<FollowerLine>>,
    /// The line to a machine that reads its own balls, where the house has one.
    pub ball_line: Option<Arc<BallLine>>,
    /// Cosignatures of checkpoints.
    pub cosignatures: Cosignatures,
    pub(crate) integrity: Integrity,
    /// Draws whose last step failed, and when they are tried again.
    pub(crate) troubled_draws: Mutex<HashMap<u64, i64>>,
}

impl std::ops::Deref for Central {
    type Target = Record;

    fn deref(&self) -> &Record {
        &self.record
    }
}

impl std::fmt::Debug for Central {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Central")
            .field("house", &self.house_code)
            .finish_non_exhaustive()
    }
}

impl Central {
    /// What of program and tables was changed since the start, as it was found before a draw.
    pub fn changed_since_start(&self) -> Option<String> {
        self.integrity.wrong()
    }

    /// Looks at the writer's memory between two batches; it must be short.
    ///
    /// # Errors
    /// [`Fault::Stopped`].
    pub(crate) fn look<T: Send + 'static>(
        &self,
        look: impl FnOnce(&State) -> T + Send + 'static,
    ) -> Result<T, Fault> {
        let seen = self
            .sequencer
            .look_blocking(|state| Ok::<_, keno_record::Stop<Infallible>>(look(state)));
        seen.map_err(|stop| match stop {
            keno_record::Stop::Refused(never) => match never {},
            keno_record::Stop::Broke(fault) | keno_record::Stop::Undone(fault) => fault,
        })
    }

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
            snapshot_leaves,
            chance,
            program,
            instance,
            stepped,
            opens_epoch,
        } = options;
        let mut anchors = vec![folder.join(&house.anchors_file)];
        anchors.extend(house.anchors_extra.iter().map(|path| folder.join(path)));
        let record = Record::open(RecordOptions {
            house_code: house.code.clone(),
            house_name: house.name.clone(),
            calendar: Calendar::new(&house.zone)?,
            database: Database::parse_in(&folder, &house.database_url),
            anchors,
            sale_queue_max: house.sale_queue,
            keys: keys.unwrap_or_else(|| KeysPlace::File(keys_path(&folder))),
            clock,
            fatal,
            hook,
            batch_max,
            reserve_bytes,
            snapshot_leaves,
            chance,
            stepped,
            opens_epoch,
            folder,
        })?;
        let parts = match machine {
            Some(parts) => parts,
            None => machine_parts::parts(&record, &house)
                .map_err(|fault| OpenCentralFault::Machine(fault.to_string()))?,
        };
        let follower = machine_parts::follower(&record, &house)?.map(Arc::new);
        let follows = house.follower.iter().map(|place| place.key.clone());
        let cosigners = follows.chain(house.witnesses.iter().cloned()).collect();
        let cosignatures = Cosignatures::open(&record, cosigners)?;
        let quick_picks = match quick_picks {
            Some(picks) => picks,
            None => QuickPicks::new(&record.chance)?,
        };
        let (credentials, integrity) = {
            let mut reader = record.readers.get().map_err(Fault::from)?;
            let program = program.or_else(|| std::env::current_exe().ok());
            (
                people::credentials(&mut reader).map_err(Fault::from)?,
                Integrity::of(program, &mut reader)?,
            )
        };
        record.found()?;
        if !opens_epoch {
            let named = format!("{}-{}", record.house_code, std::process::id());
            record.take_lease(instance.unwrap_or(named))?;
        }
        Ok(Arc::new(Self {
            schedule: Schedule::of(&house),
            holders: Mutex::new(parts.holders),
            machine: Mutex::new(parts.machine),
            given: Mutex::default(),
            quick_picks: Mutex::new(quick_picks),
            pins: PinDoor::of(credentials),
            stops: Stops::default(),
            ask_numbers: AskNumbers::default(),
            decisions: Decisions::default(),
            room_steps: RoomSteps::default(),
            ball_line: house.ball_machine.clone().map(BallLine::new).map(Arc::new),
            follower,
            cosignatures,
            integrity,
            troubled_draws: Mutex::default(),
            house,
            record,
        }))
    }
}

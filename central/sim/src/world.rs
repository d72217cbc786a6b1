//! The house that is simulated: the real central on a folder in memory, without a thread of its
//! own, and everything that can be made to fail around it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use anyhow::{Context, Result, anyhow};
use keno_draw::adapter::{DrawEvent, DrawMachine, DrawOrder, MachineFault, MachineKind};
use keno_draw::health::{EntropyFault, EntropySource};
use keno_draw::holder::{FileHolder, HolderFault, Revealed, Seal, SealProof, SecretHolder};
use keno_draw::rng_machine::RngMachine;
use keno_record::chance::Chance;
use keno_record::clock::{Clock, ManualClock};
use keno_record::fault::Fault;
use keno_record::sequencer::CommitHook;
use keno_schema::{Connection, Database};
use keno_service::Central;
use keno_service::central::{MachineParts, QuickPicks};
use keno_service::draw::Rounds;
use keno_testing::TestFolder;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::dice::Dice;

/// What is to go wrong next. Each is taken once, but for the crash, which stays until the house
/// is opened again.
#[derive(Debug, Default)]
pub struct Faults {
    /// The next transaction is undone just before its commit.
    pub undo: AtomicBool,
    /// The next transaction is committed, and nobody learns it.
    pub unknown: AtomicBool,
    /// A holder answers nothing.
    pub holder: AtomicBool,
    /// The power goes after a holder has done what was asked, before it answers.
    pub holder_crash: AtomicBool,
    /// The machine refuses the draw.
    pub machine: AtomicBool,
    /// The power is out: nothing is committed any more.
    pub crashed: AtomicBool,
    /// How often a transaction was made to fail.
    pub failed: AtomicU64,
}

impl Faults {
    fn take(of: &AtomicBool) -> bool {
        of.swap(false, Ordering::SeqCst)
    }

    /// The power goes.
    pub fn crash(&self) {
        self.crashed.store(true, Ordering::SeqCst);
    }

    /// Whether the power is out.
    pub fn is_crashed(&self) -> bool {
        self.crashed.load(Ordering::SeqCst)
    }

    /// Nothing more is to go wrong.
    pub fn clear(&self) {
        for fault in [
            &self.undo,
            &self.unknown,
            &self.holder,
            &self.holder_crash,
            &self.machine,
            &self.crashed,
        ] {
            fault.store(false, Ordering::SeqCst);
        }
    }
}

struct Hook(Arc<Faults>);

impl CommitHook for Hook {
    fn before_commit(&mut self) -> Result<(), Fault> {
        if self.0.is_crashed() || Faults::take(&self.0.undo) {
            self.0.failed.fetch_add(1, Ordering::SeqCst);
            return Err(Fault::File("the simulated disk".to_owned()));
        }
        Ok(())
    }

    fn outcome_lost(&mut self) -> bool {
        let lost = Faults::take(&self.0.unknown);
        if lost {
            self.0.failed.fetch_add(1, Ordering::SeqCst);
        }
        lost
    }
}

/// Entropy of a known seed. Each opening has another, as each real one has.
struct SeededEntropy(ChaCha20Rng);

impl EntropySource for SeededEntropy {
    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), EntropyFault> {
        self.0.fill_bytes(buffer);
        Ok(())
    }
}

struct FaultyHolder {
    holder: FileHolder<SeededEntropy>,
    faults: Arc<Faults>,
}

impl FaultyHolder {
    fn ask<T>(
        &mut self,
        what: impl FnOnce(&mut FileHolder<SeededEntropy>) -> Result<T, HolderFault>,
    ) -> Result<T, HolderFault> {
        let silent = || HolderFault::Entropy(EntropyFault::Unavailable);
        if self.faults.is_crashed() || Faults::take(&self.faults.holder) {
            return Err(silent());
        }
        let answer = what(&mut self.holder)?;
        if Faults::take(&self.faults.holder_crash) {
            self.faults.crash();
            return Err(silent());
        }
        Ok(answer)
    }
}

impl SecretHolder for FaultyHolder {
    fn name(&self) -> &str {
        self.holder.name()
    }

    fn commit(&mut self, draw: u64) -> Result<[u8; 32], HolderFault> {
        self.ask(|holder| holder.commit(draw))
    }

    fn reveal(
        &mut self,
        draw: u64,
        seal: &Seal,
        proof: &SealProof,
    ) -> Result<Revealed, HolderFault> {
        self.ask(|holder| SecretHolder::reveal(holder, draw, seal, proof))
    }

    fn publish_void(&mut self, draw: u64) -> Result<[u8; 32], HolderFault> {
        self.ask(|holder| holder.publish_void(draw))
    }
}

struct FaultyMachine {
    machine: RngMachine,
    faults: Arc<Faults>,
}

impl DrawMachine for FaultyMachine {
    fn kind(&self) -> MachineKind {
        self.machine.kind()
    }

    fn begin(&mut self, order: &DrawOrder) -> Result<(), MachineFault> {
        self.machine.begin(order)
    }

    fn next(&mut self) -> Result<DrawEvent, MachineFault> {
        if Faults::take(&self.faults.machine) {
            return Err(MachineFault::NotBegun);
        }
        self.machine.next()
    }
}

/// The house, open or between two openings.
pub struct World {
    folder: TestFolder,
    seed: u64,
    openings: u64,
    /// The clock that central sees.
    pub clock: Arc<ManualClock>,
    /// What is to go wrong.
    pub faults: Arc<Faults>,
    /// The conductor, without its thread.
    pub rounds: Rounds,
    central: Option<Arc<Central>>,
}

impl std::fmt::Debug for World {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("World")
            .field("seed", &self.seed)
            .field("openings", &self.openings)
            .finish_non_exhaustive()
    }
}

impl World {
    /// An empty folder and a clock.
    ///
    /// # Errors
    /// When no folder can be made.
    pub fn new(seed: u64, now_ms: i64) -> Result<Self> {
        Ok(Self {
            folder: TestFolder::in_memory().context("no folder for the simulated house")?,
            seed,
            openings: 0,
            clock: Arc::new(ManualClock::at(now_ms)),
            faults: Arc::default(),
            rounds: Rounds::default(),
            central: None,
        })
    }

    /// Opens central on the folder.
    ///
    /// # Errors
    /// When central says that it cannot be opened.
    pub fn open(&mut self, every_minutes: u16) -> Result<()> {
        self.faults.clear();
        self.openings += 1;
        let mut dice = Dice::of(self.seed, 1_000 + self.openings);
        let mut file = keno_house_builder::house_file(None)?;
        file.every_minutes = every_minutes;
        file.first = chrono::NaiveTime::MIN;
        file.last = chrono::NaiveTime::from_hms_opt(23, 59, 0).unwrap_or(file.last);
        file.saleable_draws = 10;
        let mut options =
            keno_house_builder::options(self.folder.path(), &self.clock, file.clone());
        let mut holders: Vec<Box<dyn SecretHolder>> = Vec::new();
        for holder in &file.holders {
            let folder = self
                .folder
                .path()
                .join(holder.folder().unwrap_or(Path::new("holder")));
            let entropy = SeededEntropy(ChaCha20Rng::from_seed(dice.bytes()));
            holders.push(Box::new(FaultyHolder {
                holder: FileHolder::open(&folder, &file.code, holder.name(), entropy)?,
                faults: Arc::clone(&self.faults),
            }));
        }
        let machine = RngMachine::open(&self.folder.path().join("draw-machine"), &file.code)?;
        options.machine = Some(MachineParts {
            machine: Box::new(FaultyMachine {
                machine,
                faults: Arc::clone(&self.faults),
            }),
            holders,
        });
        options.quick_picks = Some(QuickPicks::seeded(dice.bytes()));
        options.chance = Chance::seeded(dice.bytes());
        options.instance = Some(format!("simulated-{}", self.openings));
        options.stepped = true;
        // Often, so that most starts go on from one.
        options.snapshot_leaves = 100;
        options.hook = Some(Box::new(Hook(Arc::clone(&self.faults))));
        let of_fatal = Arc::clone(&self.faults);
        // The real one ends the process: here the power goes.
        options.fatal = Some(Box::new(move |_| of_fatal.crash()));
        self.rounds = Rounds::default();
        self.central = Some(Central::open(options)?);
        Ok(())
    }

    /// Lets go of central as a crash would: what waits is not answered.
    ///
    /// # Errors
    /// When somebody still holds it.
    pub fn drop_central(&mut self) -> Result<()> {
        match self.central.take().map(Arc::try_unwrap) {
            Some(Err(_)) => Err(anyhow!("central is still held")),
            _ => Ok(()),
        }
    }

    /// Central.
    ///
    /// # Errors
    /// Between two openings.
    pub fn central(&self) -> Result<&Arc<Central>> {
        self.central.as_ref().context("the house is closed")
    }

    /// What the clock shows.
    pub fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    /// How often it was opened.
    pub fn openings(&self) -> u64 {
        self.openings
    }

    /// The anchor files.
    pub fn anchors(&self) -> Vec<PathBuf> {
        vec![self.folder.path().join("anchors.log")]
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A connection that only reads, apart from central's.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn reader(&self) -> Result<Connection> {
        let database = Database::Sqlite(self.folder.path().join("keno.sqlite"));
        Ok(database.open_reader()?)
    }
}

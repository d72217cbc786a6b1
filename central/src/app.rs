//! What every request shares, and how blocking work is done.

mod audit_sessions;
mod prize_cache;

use std::path::Path;
use std::sync::Arc;

use actix_web::web;
use keno_record::fault::Fault;
use keno_service::{Central, Stop};
use thiserror::Error;
use tokio::sync::Semaphore;

use crate::alarm::Alarms;
use crate::console::Console;
use crate::idle::Idle;
use crate::live::Hub;
use crate::metrics::Metrics;
use crate::papers::Papers;
use crate::trust::Trust;
use crate::trust::authority::TrustFault;
use crate::wall::Wall;
use keno_service::access::{AccessFault, AccessLog};
use keno_service::counter::LookUpLimits;

pub use audit_sessions::{AuditSession, AuditSessions};
pub use prize_cache::PrizeCache;

/// Requests of strangers that are worked on at once. Half of the reading connections are beyond
/// their reach, and so are the threads that devices need.
pub const STRANGERS_AT_WORK: usize = 4;

/// What every request shares.
#[derive(Debug)]
pub struct App {
    /// The use cases.
    pub central: Arc<Central>,
    /// The key of the command line on this machine.
    pub console: Console,
    /// Live events.
    pub live: Arc<Hub>,
    /// Counters.
    pub metrics: Metrics,
    /// Who looked.
    pub access: Arc<AccessLog>,
    /// Whether anybody is in front of the devices.
    pub idle: Idle,
    /// Against guessing.
    pub limits: LookUpLimits,
    /// What papers know of the log.
    pub papers: Papers,
    /// Prize tables of the pages.
    pub prize_cache: PrizeCache,
    /// Auditors signed in at the pages.
    pub audits: AuditSessions,
    /// What stands.
    pub alarms: Alarms,
    /// Trust between devices and central.
    pub trust: Trust,
    /// What the supervisor's wall keeps.
    pub wall: Wall,
    /// Turns of those who are no devices.
    pub strangers: Semaphore,
}

/// What stands around an opened central cannot be opened.
#[derive(Debug, Error)]
pub enum AppFault {
    /// The access log.
    #[error(transparent)]
    Access(#[from] AccessFault),
    /// The key of the console.
    #[error("the key of the console cannot be written")]
    Console(#[source] std::io::Error),
    /// What holds papers against the log.
    #[error("no thread can be made")]
    Papers(#[source] std::io::Error),
    /// The authority of the house.
    #[error(transparent)]
    Trust(#[from] TrustFault),
}

impl App {
    /// Everything around an opened central; the access log and the authority are files in its
    /// data folder.
    ///
    /// # Errors
    /// An [`AppFault`].
    pub fn new(central: Arc<Central>, folder: &Path) -> Result<Self, AppFault> {
        let alarms = Alarms::of(&central, folder);
        let idle_ms = i64::from(central.house.sessions.idle_minutes) * 60_000;
        let access = Arc::new(AccessLog::open_for(&central, folder)?);
        access.keep_pins_of(&central);
        for device in access.stops.all().into_keys() {
            central.stops.set(device, true);
        }
        Ok(Self {
            console: Console::open(folder).map_err(AppFault::Console)?,
            live: Hub::new(&central),
            metrics: Metrics::with(&alarms),
            alarms,
            access,
            idle: Idle::after(idle_ms),
            trust: Trust::open(&central, folder)?,
            limits: LookUpLimits::new(central.house.unknown_numbers_per_minute),
            papers: Papers::start(&central).map_err(AppFault::Papers)?,
            prize_cache: PrizeCache::default(),
            audits: AuditSessions::default(),
            wall: Wall::default(),
            strangers: Semaphore::new(STRANGERS_AT_WORK),
            central,
        })
    }
}

/// Runs blocking work (every statement of diesel, every PIN) off the async threads.
///
/// # Errors
/// What the work says; a fault when its thread is gone.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Stop> + Send + 'static,
) -> Result<T, Stop> {
    web::block(work)
        .await
        .unwrap_or(Err(Stop::Broke(Fault::Stopped)))
}

/// As [`blocking`], for a command that reads before it is handed to the writer, or after.
///
/// # Errors
/// What the command says.
pub async fn blocking_command<T: Send + 'static>(
    work: impl AsyncFnOnce() -> Result<T, Stop> + Send + 'static,
) -> Result<T, Stop> {
    let runtime = tokio::runtime::Handle::current();
    blocking(move || runtime.block_on(work())).await
}

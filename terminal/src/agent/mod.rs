//! The commands of a counter: each that carries a key is journaled before it is sent, and what an
//! earlier one left open is resolved before a new one.

mod begin_anew;
mod check;
mod damaged;
mod decisions;
mod done;
mod doubt;
mod hand_over;
mod log;
mod lost;
mod money_out;
mod no_paper;
mod paper;
mod patron;
mod presentation;
mod recorded;
mod sale;
mod second;
mod session;
mod till;
mod two_people;

use std::path::PathBuf;
use std::time::Duration;

use keno_slip::Width;
use keno_wire::request::Slip;
use keno_words::agent as words;

use crate::central::{CallFault, Central};
use crate::clock::wait;
use crate::config::{Config, ConfigFault};
use crate::exit::{Exit, Stop};
use crate::journal::{Item, Journal};
use crate::printer::settings::Equipment;
use crate::printer::{Driver, Timing};
use crate::told::Told;
use crate::trust::connection::words_of;

pub use done::{Done, Fact, SoFar};
pub use lost::{LostTicket, cash};
pub use sale::SaleOptions;
pub use session::kept_session;

/// What a clerk signs on with.
#[derive(Clone, Default)]
pub struct Credentials {
    /// Badge.
    pub badge: Option<String>,
    /// PIN.
    pub pin: Option<String>,
}

/// Waits between two questions about a command in doubt; false when asking is to stop.
pub type Pause<'a> = Box<dyn Fn(&Item, Duration) -> bool + 'a>;

/// A terminal at work.
pub struct Agent<'a> {
    /// The way to central.
    pub central: Central,
    /// Its own journal, locked.
    pub journal: Journal,
    /// What the person is told, and who that is.
    pub told: Told<'a>,
    /// What the command at work has come to.
    pub so_far: SoFar,
    /// Number of this device.
    pub device: u64,
    /// Where the printer is.
    pub driver: Driver,
    /// How long to wait for the printer.
    pub timing: Timing,
    /// What hangs on the printer, and what is known of its roll.
    pub equipment: Equipment,
    /// Width of the paper.
    pub width: Width,
    /// Folder of the journal, for the session.
    pub folder: PathBuf,
    /// What the clerk signs on with.
    pub credentials: Credentials,
    /// Waits between two questions about this command in doubt; false when asking is to stop.
    pub pause: Pause<'a>,
    /// The slip that was being made where this terminal took over, until it is priced.
    pub draft: Option<Slip>,
    /// The clerk says by a key of its own that money was given back; else telling is enough.
    pub acknowledges_by_hand: bool,
}

impl<'a> Agent<'a> {
    /// The agent of some settings, for a person who gives a command and waits for it.
    ///
    /// # Errors
    /// [`ConfigFault`] of the printer or its paper.
    pub fn of(
        config: &Config,
        central: Central,
        device: u64,
        journal: Journal,
        told: Told<'a>,
    ) -> Result<Self, ConfigFault> {
        Ok(Self {
            central,
            journal,
            told,
            so_far: SoFar::default(),
            device,
            driver: config.driver()?,
            timing: config.printing.timing(),
            equipment: config.printing.equipment(),
            width: config.width()?,
            folder: config.journal.clone(),
            credentials: Credentials {
                badge: config.badge.clone(),
                pin: config.pin.clone(),
            },
            pause: Box::new(|_, pause| {
                wait(pause);
                true
            }),
            draft: None,
            acknowledges_by_hand: false,
        })
    }
}

impl Agent<'_> {
    /// Tells the person why a call gave no reply, where nothing can have been recorded by it.
    fn stop_for(&mut self, fault: CallFault) -> Stop {
        match fault {
            CallFault::Refused(problem) => {
                self.told.note_problem(&problem);
                Stop::End(Exit::Refused)
            }
            CallFault::Unreachable(error) => {
                tracing::debug!(%error, "unreachable");
                if let Some(words) = words_of(&error) {
                    self.told.note(words);
                }
                self.stop_unreachable()
            }
            CallFault::Lost(error) => {
                tracing::debug!(%error, "lost");
                self.stop_unreachable()
            }
        }
    }

    fn stop_unreachable(&mut self) -> Stop {
        self.told.note(&words::NothingRecordedNoAnswer);
        Stop::End(Exit::CentralUnreachable)
    }
}

//! How a device comes to be known to central, and stays so: enrolled once by a code that a person
//! types at central, then given a new certificate or a new key without a stop.
//!
//! - [`enrol`]: a device that nobody knows yet, and the code on its screen.
//! - [`renewal`]: new certificates and new keys.

pub mod enrol;
mod key;
mod large;
pub mod renewal;

use keno_words::enrolment as words;

use std::time::Duration;

use crate::central::{CallFault, Central, Patience};
use crate::exit::{Exit, Stop};
use crate::told::Told;
use crate::trust::connection::{of_identity, words_of};
use crate::trust::{Identity, Time, TrustFolder, instance};

/// The folder of trust, with what the person before it is told.
pub struct TrustDesk<'d, 's> {
    /// What is kept.
    pub folder: TrustFolder,
    /// Where central is.
    pub central: String,
    /// The time of this machine.
    pub time: Time,
    /// How long to wait for central.
    pub patience: Patience,
    /// The person.
    pub told: &'d mut Told<'s>,
    /// Waits between two questions.
    pub pause: fn(Duration),
}

impl TrustDesk<'_, '_> {
    /// Tells the person why a call gave no reply.
    fn told(&mut self, fault: &CallFault) -> Exit {
        match fault {
            CallFault::Refused(problem) => {
                self.told.note_problem(problem);
                Exit::Refused
            }
            CallFault::Unreachable(error) => {
                tracing::debug!(%error, "unreachable");
                let words = words_of(error).unwrap_or(&words::NoAnswer);
                self.told.note(words);
                Exit::CentralUnreachable
            }
            CallFault::Lost(error) => {
                tracing::debug!(%error, "lost");
                self.told.note(&words::NoAnswer);
                Exit::CentralUnreachable
            }
        }
    }

    /// The way to central of a device that is enrolled.
    fn way(&self, identity: &Identity) -> Result<Central, Stop> {
        let instance = instance::of_folder(self.folder.path())?;
        let tls = of_identity(identity, self.time)?;
        Ok(Central::over_tls(
            &self.central,
            tls,
            Some(instance),
            self.patience,
        ))
    }
}

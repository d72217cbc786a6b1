//! Before a command: does central's log go on from what this device saw?

use keno_wire::reply::Bilingual;
use keno_words::agent as words;

use super::Agent;
use crate::central::CallFault;
use crate::exit::{Exit, Stop};
use crate::witness::{Witness, WitnessFault};

impl Agent<'_> {
    /// Looks at central's log. It ends in [`Exit::Refused`] when the log is refused, in
    /// [`Exit::CentralUnreachable`] when central does not answer, or does not prove it.
    pub fn look_at_log(&mut self, witness: &mut Witness) -> Result<(), Stop> {
        match witness.look(&mut &self.central) {
            Ok(_) => Ok(()),
            Err(WitnessFault::Mistrusted(mistrust)) => {
                self.told.note(&mistrust);
                self.told.note(&Bilingual {
                    fr: format!("(central_log_refused: {})", mistrust.name()),
                    en: "hint: \"keno-terminal begin-anew\", once the evidence has been seen"
                        .to_owned(),
                });
                Err(Stop::End(Exit::Refused))
            }
            Err(WitnessFault::NoAnswer(
                fault @ (CallFault::Refused(_) | CallFault::Unreachable(_)),
            )) => Err(self.stop_for(fault)),
            Err(WitnessFault::NoAnswer(fault)) => {
                tracing::warn!(%fault, "central's log");
                self.told.note(&words::RecordNotProved);
                Err(Stop::End(Exit::CentralUnreachable))
            }
            Err(fault @ WitnessFault::Disk(_)) => Err(fault.into()),
        }
    }
}

//! A device whose central was refused begins anew with the central that is there, once people have
//! looked at the evidence.

use keno_wire::people::{BeginAnewRequest, Signer};
use keno_words::agent as words;

use super::Agent;
use super::second::shown;
use crate::central::CallFault;
use crate::exit::{Exit, Stop};
use crate::told::{Choice, Entry};
use crate::witness::Witness;

impl Agent<'_> {
    /// Asks whether the evidence was seen, then badge and PIN of a technician or supervisor, which
    /// the central that is there tries and notes. Without it nothing changes: it is what this device
    /// would begin anew with.
    pub fn begin_anew(
        &mut self,
        witness: &mut Witness,
        badge: Option<String>,
    ) -> Result<Exit, Stop> {
        let Some(against) = witness.against() else {
            self.told.note(&words::NothingStandsAgainstCentral);
            return Ok(Exit::Refused);
        };
        let mistrust = against.mistrust;
        self.told.tell(&mistrust);
        if self.told.decide(Choice::BeginAnew) != Some(true) {
            return Ok(self.nothing_has_changed());
        }
        let badge = badge.or_else(|| self.told.enter(Entry::BeginAnewBadge));
        // Whatever PIN the settings have is another's: this one is always asked.
        let pin = self.told.enter(Entry::Pin);
        let (Some(badge), Some(pin)) = (badge, pin) else {
            return Ok(self.nothing_has_changed());
        };
        // Nobody is signed on here: whoever has a card has it scanned.
        let (badge, card) = shown(badge);
        let request = BeginAnewRequest {
            by: Signer {
                badge: badge.clone(),
                pin,
                card,
            },
            refused: mistrust.name().to_owned(),
        };
        let answer: Result<serde_json::Value, CallFault> =
            self.central.post("/devices/begin-anew", &request);
        match answer {
            Ok(_) => {}
            Err(CallFault::Refused(problem)) => {
                self.told.note_problem(&problem);
                return Ok(self.nothing_has_changed());
            }
            Err(CallFault::Unreachable(_) | CallFault::Lost(_)) => {
                self.told.note(&words::BeginAnewNeedsCentral);
                return Ok(Exit::CentralUnreachable);
            }
        }
        if let Some(past) = witness.begin_anew(&badge)? {
            let past = past.display();
            self.told.tell(&words::EvidenceStaysIn {
                past: &past.to_string(),
            });
        }
        Ok(Exit::Done)
    }

    fn nothing_has_changed(&mut self) -> Exit {
        self.told.note(&words::NothingHasChanged);
        Exit::Refused
    }
}

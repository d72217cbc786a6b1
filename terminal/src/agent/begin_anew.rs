//! A device whose central was refused begins anew with the central that is there, once people have
//! looked at the evidence.

use keno_wire::people::{BeginAnewRequest, Signer};

use super::Agent;
use super::second::shown;
use crate::central::CallFault;
use crate::exit::{Exit, Stop};
use crate::witness::Witness;

impl Agent<'_> {
    /// Asks whether the evidence was seen, then badge and PIN of a technician or supervisor, which
    /// the central that is there tries and notes. Without it nothing changes: it is what this device
    /// would begin anew with.
    ///
    /// # Errors
    /// [`Stop`] with the exit that says how it ended; then the evidence stands as before.
    pub fn begin_anew(
        &mut self,
        witness: &mut Witness,
        badge: Option<String>,
    ) -> Result<Exit, Stop> {
        let Some(against) = witness.against() else {
            self.desk.note(
                "Rien n’est retenu contre le central.",
                "Nothing stands against central.",
            );
            return Ok(Exit::Refused);
        };
        let mistrust = against.mistrust;
        self.desk.tell_bilingual(&mistrust.sentence());
        let is_sure = self.desk.ask_yes(
            "La direction a-t-elle vu la preuve, et faut-il recommencer avec ce central ?",
            "Has the management seen the evidence, and is this device to begin anew with this central?",
        );
        if is_sure != Some(true) {
            return Ok(self.nothing_has_changed());
        }
        let badge = badge.or_else(|| {
            self.desk.ask(
                "Insigne du technicien ou du superviseur (sa carte balayée, s’il en a une) :",
                "Badge of the technician or supervisor (the card scanned, if there is one):",
            )
        });
        // Whatever PIN the settings have is another's: this one is always asked.
        let pin = self.desk.ask_secret("NIP :", "PIN:");
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
                self.desk.note_problem(&problem);
                return Ok(self.nothing_has_changed());
            }
            Err(CallFault::Unreachable(_) | CallFault::Lost(_)) => {
                self.desk.note(
                    "Le central ne répond pas : c’est avec lui que cet appareil recommencerait. Rien \
                     n’a changé et rien ne se vend ici ; refaites la commande quand il répond.",
                    "Central does not answer: it is what this device would begin anew with. Nothing \
                     has changed and nothing is sold here; give the command again when it answers.",
                );
                return Ok(Exit::CentralUnreachable);
            }
        }
        if let Some(past) = witness.begin_anew(&badge)? {
            let past = past.display();
            self.desk.tell(
                &format!("La preuve reste dans {past}."),
                &format!("The evidence stays in {past}."),
            );
        }
        Ok(Exit::Done)
    }

    fn nothing_has_changed(&mut self) -> Exit {
        self.desk.note("Rien n’a changé.", "Nothing has changed.");
        Exit::Refused
    }
}

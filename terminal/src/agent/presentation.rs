//! Tickets presented as claims without being paid: on the last day of a claim period there is no
//! time to pay everybody, and a presentation is what stops it (s. 86).

use keno_slip::{Issue, draws_text, presentation_receipt};
use keno_wire::reply::PresentationReply;
use keno_wire::request::PresentRequest;

use super::two_people::ASK_AGAIN;
use super::{Agent, Stop};
use crate::desk::PageFact;
use crate::exit::Exit;

impl Agent<'_> {
    /// Presents a ticket as a claim, for its draws that have numbers. Nothing is paid; presenting it
    /// again changes nothing for them, their first time counts.
    ///
    /// # Errors
    /// [`Stop`] with the exit that says how it ended.
    pub fn present(&mut self, code: &str) -> Result<PresentationReply, Stop> {
        let request = PresentRequest {
            code: code.to_owned(),
        };
        let reply: PresentationReply =
            self.command_without_key("/presentations", &request, ASK_AGAIN)?;
        let (end, at) = (&reply.number_end, &reply.presented_at_local);
        let draws = draws_text(&reply.draws);
        self.desk.tell(
            &format!("Billet …{end} présenté le {at}, dans le délai, pour les tirages {draws}."),
            &format!("Ticket …{end} presented on {at}, in time, for draws {draws}."),
        );
        self.desk.kept.fact = Some(PageFact::Presented(reply.clone()));
        Ok(reply)
    }

    /// Prints the receipt of presented tickets. It says what the record says, so nobody is asked
    /// whether it is whole.
    ///
    /// # Errors
    /// [`Stop`] with the exit that says how it ended.
    pub fn print_presentations(
        &mut self,
        presented: &[PresentationReply],
        issue: Issue,
    ) -> Result<Exit, Stop> {
        let paper = presentation_receipt(presented, issue, self.width);
        if self.print_report(&paper)? {
            return Ok(Exit::Done);
        }
        self.desk.note(
            "Les présentations sont inscrites ; le reçu peut être imprimé de nouveau.",
            "The presentations are recorded; the receipt can be printed again.",
        );
        Ok(Exit::PrinterTrouble)
    }

    /// Presents several tickets, each once, then prints their receipt. One that is refused is told,
    /// and the next is presented all the same: the day ends for each of them. Of several that could
    /// not be presented, one that is to be tried again says how it ended.
    ///
    /// # Errors
    /// [`Stop`] with the exit that says how it ended.
    pub fn present_all(&mut self, codes: &[String]) -> Result<Exit, Stop> {
        self.ensure_session()?;
        let mut presented: Vec<PresentationReply> = Vec::new();
        let mut worst = Exit::Done;
        for (at, code) in codes.iter().enumerate() {
            if codes[..at].contains(code) {
                continue;
            }
            match self.present(code) {
                Ok(reply) => presented.push(reply),
                Err(Stop::End(Exit::Refused)) if worst != Exit::Done => {}
                Err(Stop::End(exit)) => worst = exit,
                Err(fault) => return Err(fault),
            }
        }
        if presented.is_empty() {
            return Ok(worst);
        }
        match self.print_presentations(&presented, Issue::First)? {
            Exit::Done => Ok(worst),
            trouble => Ok(trouble),
        }
    }
}

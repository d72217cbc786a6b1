//! Tickets presented as claims without being paid: on the last day of a claim period there is no
//! time to pay everybody, and a presentation is what stops it (s. 86).

use keno_slip::{Issue, draws_text, presentation_receipt};
use keno_wire::damaged::AfterwardsRequest;
use keno_wire::reply::PresentationReply;
use keno_wire::request::{PresentRequest, SecondPerson};
use keno_words::agent as words;

use super::Agent;
use super::done::Fact;
use super::money_out::masked;
use super::session::ASK_AGAIN;
use crate::exit::{Exit, Stop};

impl Agent<'_> {
    /// Presents a ticket as a claim, for its draws that have numbers. Nothing is paid; presenting it
    /// again changes nothing for them, their first time counts.
    pub fn present(&mut self, code: &str) -> Result<PresentationReply, Stop> {
        let request = PresentRequest {
            code: code.to_owned(),
        };
        let reply = self.command_without_key("/presentations", &request, ASK_AGAIN)?;
        Ok(self.tell_presented(reply))
    }

    fn tell_presented(&mut self, reply: PresentationReply) -> PresentationReply {
        let (end, at) = (&reply.number_end, &reply.presented_at_local);
        let draws = draws_text(&reply.draws);
        self.told.tell(&words::TicketPresented {
            at: &at,
            draws: &draws,
            end: &end,
        });
        self.so_far.fact = Some(Fact::Presented(reply.clone()));
        reply
    }

    /// Enters a ticket that was presented while central was away, at an hour that a paper says.
    fn present_at(
        &mut self,
        code: &str,
        at: &str,
        second: &SecondPerson,
    ) -> Result<PresentationReply, Stop> {
        let request = AfterwardsRequest {
            code: code.to_owned(),
            presented_at_ms: None,
            presented_at: Some(at.to_owned()),
            second: second.clone(),
        };
        let reply = self.command_without_key("/presentations/afterwards", &request, ASK_AGAIN)?;
        Ok(self.tell_presented(reply))
    }

    /// Prints the receipt of presented tickets. It says what the record says, so nobody is asked
    /// whether it is whole.
    pub fn print_presentations(
        &mut self,
        presented: &[PresentationReply],
        issue: Issue,
    ) -> Result<Exit, Stop> {
        let paper = presentation_receipt(presented, issue, self.width);
        if self.print_report(&paper)? {
            return Ok(Exit::Done);
        }
        self.told.note(&words::PresentationsRecorded);
        Ok(Exit::PrinterTrouble)
    }

    /// Presents several tickets, each once, then prints their receipt. One that is refused is told,
    /// and the next is presented all the same: the day ends for each of them. Of several that could
    /// not be presented, one that is to be tried again says how it ended.
    pub fn present_all(&mut self, codes: &[String]) -> Result<Exit, Stop> {
        let mut presented = Vec::new();
        let worst = self.present_each(codes, |agent, code| {
            presented.push(agent.present(code)?);
            Ok(())
        })?;
        self.print_what_was(&presented, worst)
    }

    /// As [`Agent::present_all`], of tickets that were presented while central was away: two people
    /// enter them with the hour at which they were, `HHMM` or `DDHHMM` by the house's clock.
    pub fn present_all_at(
        &mut self,
        codes: &[String],
        at: &str,
        second: SecondPerson,
    ) -> Result<Exit, Stop> {
        let mut presented = Vec::new();
        let worst = self.present_afterwards(codes, at, second, |reply| presented.push(reply))?;
        self.print_what_was(&presented, worst)
    }

    /// Enters tickets that were presented while central was away, each once, and hands each over as it
    /// is recorded. The second person is asked once for all of them.
    pub fn present_afterwards(
        &mut self,
        codes: &[String],
        at: &str,
        second: SecondPerson,
        mut recorded: impl FnMut(PresentationReply),
    ) -> Result<Exit, Stop> {
        let second = self.second_person(second)?;
        self.present_each(codes, |agent, code| {
            match agent.present_at(code, at, &second) {
                Ok(reply) => recorded(reply),
                Err(stop) => {
                    // Among several, which one was refused.
                    let end = masked(code);
                    agent.told.note(&words::TicketNotEntered { end: &end });
                    return Err(stop);
                }
            }
            Ok(())
        })
    }

    /// Each code once; what became of the worst.
    fn present_each(
        &mut self,
        codes: &[String],
        mut present: impl FnMut(&mut Self, &str) -> Result<(), Stop>,
    ) -> Result<Exit, Stop> {
        self.ensure_session()?;
        let mut worst = Exit::Done;
        for (at, code) in codes.iter().enumerate() {
            if codes[..at].contains(code) {
                continue;
            }
            match present(self, code) {
                Ok(()) => {}
                Err(Stop::End(Exit::Refused)) if worst != Exit::Done => {}
                Err(Stop::End(exit)) => worst = exit,
                Err(fault) => return Err(fault),
            }
        }
        Ok(worst)
    }

    /// The receipt of what was presented, when anything was.
    fn print_what_was(
        &mut self,
        presented: &[PresentationReply],
        worst: Exit,
    ) -> Result<Exit, Stop> {
        if presented.is_empty() {
            return Ok(worst);
        }
        match self.print_presentations(presented, Issue::First)? {
            Exit::Done => Ok(worst),
            trouble => Ok(trouble),
        }
    }
}

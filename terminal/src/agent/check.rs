//! Inquiries: nothing moves.

use keno_slip::money::draw_number;
use keno_wire::coded::{Name, Payment, TicketDrawState};
use keno_wire::reply::CheckReply;
use keno_wire::request::CheckRequest;
use keno_words::{Money, Say, agent as words, both};

use super::Agent;
use super::done::Fact;
use super::sale::slip_again;
use crate::exit::{Exit, Stop};
use crate::printer::{Standing, condition};
use crate::witness::Mistrust;

impl Agent<'_> {
    /// Tells the verdict of a ticket and the state of its draws.
    pub fn check(&mut self, code: &str) -> Result<Exit, Stop> {
        let reply = self.checked(code)?;
        self.tell_check(&reply);
        Ok(Exit::Done)
    }

    /// Tells the verdict of a ticket as a patron sees it, in words, with nobody signed on.
    pub fn check_for_patron(&mut self, code: &str) -> Result<Exit, Stop> {
        let request = CheckRequest {
            code: code.to_owned(),
        };
        let reply: Result<CheckReply, _> = self.central.post("/checks", &request);
        let reply = reply.map_err(|fault| self.stop_for(fault))?;
        self.tell_verdict(&reply);
        Ok(Exit::Done)
    }

    /// The verdict, and its name for whoever reads programs.
    pub(super) fn tell_check(&mut self, reply: &CheckReply) {
        self.tell_verdict(reply);
        if reply.code_needed {
            self.note_code_needed();
        }
        self.told.tell_line(&format!("({})", reply.verdict.code));
    }

    fn tell_verdict(&mut self, reply: &CheckReply) {
        let ticket = reply.ticket.as_ref();
        let new_pick = ticket
            .filter(|ticket| ticket.selections.iter().any(|one| one.quick_pick))
            .map(|ticket| slip_again(ticket, 1, true));
        self.so_far.fact = Some(Fact::Check {
            check: Box::new(reply.clone()),
            again: ticket.map(|ticket| slip_again(ticket, 1, false)),
            new_pick,
        });
        self.told.tell(&reply.verdict.sentence);
        if let Some(cents) = reply.payable_cents {
            let amount = &Money(cents);
            let words: &dyn Say = if reply.for_the_cage {
                &words::AtMainCage { amount }
            } else {
                &words::ToPayNow { amount }
            };
            self.told.tell(words);
        }
        if reply.patron_refused.is_some() {
            self.told.tell(&words::RefusedToHolderBefore);
        }
        for draw in &reply.draws {
            let balls: Vec<String> = draw.balls.iter().map(|ball| format!("{ball:02}")).collect();
            let state = match &draw.state {
                Name::Known(TicketDrawState::ToCome) => both(&words::DrawToCome),
                Name::Known(TicketDrawState::BeingVerified) => both(&words::DrawBeingVerified),
                Name::Known(TicketDrawState::Settled) => both(&words::DrawOfficial),
                Name::Known(TicketDrawState::Void) => both(&words::DrawVoid),
                Name::Other(name) => name.clone(),
            };
            let payment = match draw.payment.known() {
                Some(Payment::Unpaid) => both(&words::DrawUnpaid),
                Some(Payment::Waits) => both(&words::DrawWaits),
                Some(Payment::Paid) => both(&words::DrawPaid),
                Some(Payment::Expired) => both(&words::DrawExpired),
                Some(Payment::Nothing) | None => String::new(),
            };
            let line = format!(
                "{}  {}  {state}  {}  {}  {payment}",
                draw_number(draw.draw.draw),
                draw.draw.local,
                Money(draw.payable_cents).fr(),
                balls.join(" "),
            );
            self.told.tell_line(line.trim_end());
        }
    }

    /// A number alone was typed: what to do.
    fn note_code_needed(&mut self) {
        self.told.note(&words::NoAmountWithoutCode);
    }

    /// Tells how central, the printer and the journal are, after resolving what is open; a central
    /// whose log is refused is asked nothing.
    pub fn status(&mut self, mistrust: Option<Mistrust>) -> Result<Exit, Stop> {
        let is_alive = self.central.is_alive().unwrap_or(false);
        if let (true, Some(mistrust)) = (is_alive, mistrust) {
            self.told.tell(&words::CentralLogRefused);
            self.told.tell(&mistrust);
        } else if is_alive {
            self.told.tell(&words::CentralOnline);
        } else {
            self.told.tell(&words::CentralOutOfReach);
        }
        let condition = condition(&self.driver, self.timing);
        let trouble = condition.trouble();
        let standing: &dyn Say = match (condition.standing, &trouble) {
            (Standing::Ready, _) => &words::PrinterReady,
            (Standing::Silent, _) => &words::PrinterSaysNothing,
            (Standing::Trouble(_), fault) => fault,
        };
        self.told.tell(&words::Printer { standing });
        if let Some(words) = condition.near_end(self.equipment.near_end_tickets) {
            self.told.note(&words);
        }
        let open = self.journal.open_items().len();
        self.told.tell(&words::JournalCommandsOpen {
            journal: &self.journal.len(),
            open: &open,
        });
        if is_alive && mistrust.is_some() {
            return Ok(Exit::Refused);
        }
        if is_alive && trouble.is_none() {
            self.resolve_all()?;
        }
        Ok(
            match (is_alive, trouble.is_none(), self.journal.open_items().len()) {
                (false, ..) => Exit::CentralUnreachable,
                (_, false, _) => Exit::PrinterTrouble,
                (_, _, 0) => Exit::Done,
                _ => Exit::InDoubt,
            },
        )
    }
}

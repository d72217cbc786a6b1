//! Papers of commands: printed once, and never a second time without a word about it.

use keno_game::{PrintMeans, Tender};
use keno_slip::{
    Issue, Paper, SlipFault, cancellation_receipt, lost_refund_receipt, payment_receipt, ticket,
    till_movement_receipt,
};
use keno_wire::coded::Name;
use keno_wire::reply::SellReply;
use keno_wire::request::{CommandKey, PrintConfirmation};
use keno_words::agent as words;

use super::Agent;
use super::no_paper::reference_of;
use super::recorded::Recorded;
use crate::central::CallFault;
use crate::exit::{Exit, Stop};
use crate::journal::{CommandKind, Item, Outcome, PaperState, Record, Stage};
use crate::printer::{
    Confirmation, PrintFailure, PrinterFault, condition, open_drawer, print_paper,
};
use crate::told::Choice;

/// Refusals of a cancellation after which no other try will do better.
const NO_LONGER: [&str; 5] = [
    "ticket_cancelled",
    "ticket_void_unpaid",
    "copy_replaced",
    "already_paid",
    "number_unknown",
];

/// Refusals of a cancellation after which two people decide.
const TOO_LATE: [&str; 2] = ["draw_closed", "cancel_after_close"];

/// The refusal of a cancellation that one person does not make: two people do.
const BY_TWO: &str = "second_person_needed";

/// The original; a later copy index is printed on its own paper by a supervisor.
const ORIGINAL: u8 = 1;

impl Agent<'_> {
    fn paper_of(&self, fact: &Recorded, issue: Issue) -> Result<Paper, SlipFault> {
        match fact {
            Recorded::Sale(reply) => ticket(&reply.ticket, issue, self.width),
            Recorded::Cancellation(reply) => cancellation_receipt(reply, issue, self.width),
            Recorded::Payment(reply) => payment_receipt(reply, issue, self.width),
            Recorded::TillMovement(reply) => Ok(till_movement_receipt(reply, issue, self.width)),
            Recorded::LostRefund(reply) => Ok(lost_refund_receipt(reply, issue, self.width)),
        }
    }

    /// Sends a paper to the printer, whatever it is.
    pub(super) fn print_paper(
        &self,
        paper: &Paper,
    ) -> Result<Result<Confirmation, PrintFailure>, Stop> {
        Ok(print_paper(&self.driver, paper, self.timing)?)
    }

    /// Opens the cash drawer, when there is one and cash moves. Whatever comes of it, the command
    /// goes on: a drawer has a key.
    pub(super) fn open_drawer_for(&mut self, tender: &Name<Tender>) {
        let is_cash = tender.known() == Some(Tender::Cash);
        let Some(drawer) = self.equipment.drawer.filter(|_| is_cash) else {
            return;
        };
        if let Err(fault) = open_drawer(&self.driver, drawer, self.timing) {
            tracing::debug!(%fault, "the drawer was not opened");
            self.told.note(&words::OpenDrawerWithKey);
        }
    }

    /// Tells a printer's trouble.
    pub(super) fn note_printer(&mut self, fault: PrinterFault) {
        self.told.note(&fault);
    }

    fn write_paper(&mut self, key: CommandKey, state: PaperState) -> Result<(), Stop> {
        Ok(self.journal.write(&Record::Paper { key, state })?)
    }

    /// Is the paper of an earlier try whole? None when nobody answers.
    pub(super) fn ask_is_whole(&mut self) -> Option<bool> {
        self.told.decide(Choice::PaperIsWhole)
    }

    /// Prints what is still to be printed of a recorded command, and tells central when the
    /// paper of a ticket is whole.
    ///
    /// # Errors
    /// [`Exit::PrinterTrouble`] when the paper is not known to be whole; the command stays open.
    pub(super) fn finish_paper(&mut self, key: CommandKey, fact: &Recorded) -> Result<(), Stop> {
        let before = self.journal.item(key).and_then(|item| item.paper.clone());
        if let (Recorded::Sale(reply), true) = (fact, self.is_to_withdraw(key)) {
            return self.withdraw(key, reply);
        }
        let issue = match before {
            None | Some(PaperState::Failed { sent: 0, .. }) => Issue::First,
            Some(PaperState::Given | PaperState::Printed { .. } | PaperState::Missing { .. }) => {
                return Ok(());
            }
            Some(PaperState::Failed { .. }) => match fact {
                // Not every byte had left: it is torn, and nobody needs to look.
                Recorded::Sale(reply) => return self.withdraw(key, reply),
                _ => Issue::Reprint,
            },
            Some(PaperState::Started | PaperState::Unknown) => {
                let trouble = condition(&self.driver, self.timing).trouble();
                if let Some(fault) = trouble.filter(|fault| fault.may_go_on()) {
                    return Err(self.ask_later(fault));
                }
                match (self.ask_is_whole(), fact) {
                    (Some(true), _) => return self.paper_is_whole(key, PrintMeans::Clerk),
                    (Some(false), Recorded::Sale(reply)) => return self.withdraw(key, reply),
                    (Some(false), _) => Issue::Reprint,
                    (None, _) => return Err(Stop::End(Exit::PrinterTrouble)),
                }
            }
        };
        self.print_fact(key, fact, issue)
    }

    /// True of a sale whose ticket nobody gets: its money was given back when it was put aside.
    fn is_to_withdraw(&self, key: CommandKey) -> bool {
        let item = self.journal.item(key);
        item.is_some_and(|item| item.stage() == Stage::ToWithdraw)
    }

    /// A ticket whose paper is not whole is cancelled, to be sold again under another number:
    /// nobody can say what the torn paper would still be good for, so there is never a second
    /// one of the same ticket. Once its first draw has closed, two people make a duplicate. So is a
    /// ticket whose money was given back when its sale was put aside: it has no paper, and once its
    /// first draw has closed two people say that it was not paid.
    fn withdraw(&mut self, key: CommandKey, reply: &SellReply) -> Result<(), Stop> {
        let is_back = self.is_to_withdraw(key);
        // A cancellation that is in doubt may be this ticket's: it is known first.
        for item in self.journal.open_items() {
            if item.kind == CommandKind::Cancellation && item.outcome.is_none() {
                self.take_up(&item)?;
            }
        }
        if let Some(code) = &reply.ticket.claim_code {
            let reason = if is_back {
                "not_paid"
            } else {
                self.told.note(&words::KeepAllPieces);
                "printed_badly"
            };
            let before = self.journal.len();
            let ended = self.cancel_now(code, reason, Some(key), None);
            // Recorded, even if its receipt did not come out.
            let outcome = self
                .journal
                .newest()
                .filter(|_| self.journal.len() > before)
                .and_then(|item| item.outcome.clone());
            match outcome {
                Some(Outcome::Recorded { .. }) => {
                    self.forget_earlier_tries(key)?;
                    self.write_paper(key, PaperState::Given)?;
                    return ended.map(|_| ());
                }
                Some(Outcome::Refused { name }) if TOO_LATE.contains(&name.as_str()) => {
                    self.forget_earlier_tries(key)?;
                    if !is_back {
                        self.told.note(&words::TooLateToCancel);
                    }
                    return self.refer(key, &reference_of(reply));
                }
                Some(Outcome::Refused { name }) if name == BY_TWO => {
                    self.forget_earlier_tries(key)?;
                    if !is_back {
                        self.told.note(&words::CancelByTwo);
                    }
                    return self.refer(key, &reference_of(reply));
                }
                Some(Outcome::Refused { name }) if NO_LONGER.contains(&name.as_str()) => {}
                // Refused for another reason, or not known: it is still to be cancelled.
                _ => {
                    ended?;
                    return Err(Stop::End(Exit::Refused));
                }
            }
        }
        self.forget_earlier_tries(key)?;
        self.refer_or_leave(key, reply.without_paper.as_ref())
    }

    /// Earlier cancellations of a torn paper that came to nothing: told now, they would say that
    /// its ticket still holds. Written before the paper is done with: after a power cut between the
    /// two the ticket is looked at again, and nobody would come back to these.
    fn forget_earlier_tries(&mut self, sale: CommandKey) -> Result<(), Stop> {
        for item in self.journal.open_items() {
            if item.stage() == Stage::ToTell && item.torn == Some(sale) {
                self.journal.write(&Record::Told { key: item.key })?;
            }
        }
        Ok(())
    }

    /// Prints the paper of a recorded command.
    ///
    /// # Errors
    /// As [`Agent::finish_paper`].
    pub(super) fn print_fact(
        &mut self,
        key: CommandKey,
        fact: &Recorded,
        issue: Issue,
    ) -> Result<(), Stop> {
        if let Recorded::Sale(reply) = fact
            && (reply.ticket.claim_code.is_none() || reply.ticket.copy != ORIGINAL)
        {
            // Central no longer gives the secret: a paper from here could not be paid.
            return self.refer_or_leave(key, reply.without_paper.as_ref());
        }
        let paper = self.paper_of(fact, issue)?;
        self.write_paper(key, PaperState::Started)?;
        let (fault, died) = match self.print_paper(&paper)? {
            Ok(Confirmation::Printer) => return self.paper_is_whole(key, PrintMeans::Printer),
            Ok(Confirmation::Unknown) => (PrinterFault::DiedMidTicket, None),
            // Every line had left: the paper may hang in the printer, whole.
            Err(failure) if failure.may_be_whole() => (failure.fault, Some(failure.fault)),
            Err(failure) => {
                // Of a reprint an earlier paper is about, whatever became of this one: the next
                // is a reprint too.
                let least = u64::from(issue == Issue::Reprint);
                let sent = u64::try_from(failure.sent).unwrap_or(u64::MAX).max(least);
                return self.paper_failed(key, failure.fault, sent);
            }
        };
        // Known only to whoever looks, from here on and after a power cut.
        self.write_paper(key, PaperState::Unknown)?;
        if fault.may_go_on() {
            return Err(self.ask_later(fault));
        }
        if let Some(fault) = died {
            self.note_printer(fault);
        }
        match self.ask_is_whole() {
            Some(true) => self.paper_is_whole(key, PrintMeans::Clerk),
            Some(false) => match fact {
                Recorded::Sale(reply) => self.withdraw(key, reply),
                _ => self.paper_failed(key, fault, u64::MAX),
            },
            None => {
                self.told.note(&words::RecordedQuestionAgain);
                Err(Stop::End(Exit::PrinterTrouble))
            }
        }
    }

    /// A printer that is mended may go on with a paper: what came of it is asked after that.
    fn ask_later(&mut self, fault: PrinterFault) -> Stop {
        self.note_printer(fault);
        if self.acknowledges_by_hand {
            // There the question stands until it is answered.
            self.told.note(&words::PrinterMayFinish);
        } else {
            self.told.note(&words::RecordedPrinterMayFinish);
        }
        Stop::End(Exit::PrinterTrouble)
    }

    fn paper_failed(
        &mut self,
        key: CommandKey,
        fault: PrinterFault,
        sent: u64,
    ) -> Result<(), Stop> {
        self.write_paper(
            key,
            PaperState::Failed {
                fault: fault.name().to_owned(),
                sent,
            },
        )?;
        self.note_printer(fault);
        if self.acknowledges_by_hand {
            self.told.note(&words::RecordedMendPrinter);
        } else {
            self.told.note(&words::RecordedPaperLater);
        }
        Err(Stop::End(Exit::PrinterTrouble))
    }

    fn paper_is_whole(&mut self, key: CommandKey, how: PrintMeans) -> Result<(), Stop> {
        self.write_paper(key, PaperState::Printed { how: how.into() })?;
        match self.journal.item(key).cloned() {
            Some(item) if item.is_open() => self.report_printed(&item),
            _ => Ok(()),
        }
    }

    /// Tells central that the paper of a ticket came out. When central does not answer, the
    /// command stays open and it is told again at the next one.
    pub(super) fn report_printed(&mut self, item: &Item) -> Result<(), Stop> {
        let (Some(Outcome::Recorded { leaf }), Some(PaperState::Printed { how })) =
            (&item.outcome, &item.paper)
        else {
            return Ok(());
        };
        let confirmation = PrintConfirmation {
            ticket: *leaf,
            copy: ORIGINAL,
            how: how.clone(),
        };
        let answer: Result<serde_json::Value, _> = self.central.post("/prints", &confirmation);
        match answer {
            Ok(_) => {}
            Err(CallFault::Refused(problem)) if problem.retry => return Ok(()),
            Err(CallFault::Refused(problem)) => self.told.note_problem(&problem),
            Err(CallFault::Unreachable(_) | CallFault::Lost(_)) => {
                self.told.note(&words::PaperNotConfirmedYet);
                return Ok(());
            }
        }
        Ok(self.journal.write(&Record::Reported { key: item.key })?)
    }
}

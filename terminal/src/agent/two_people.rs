//! What one must not do alone at a counter: duplicates, releases, unpaid wagers, reversals. (Fills,
//! drops and counts of the till are in `till`.)
//!
//! None of them carries a key: each is judged by the state of its ticket or payment, so that a
//! second try after a lost answer does nothing twice, or, for a duplicate, makes the copy of the
//! first try worthless.

use keno_game::PrintMeans;
use keno_slip::{Issue, ticket};
use keno_wire::claim_code::reference;
use keno_wire::reply::{RecordedReply, TicketView};
use keno_wire::request::{
    DiscrepancyRequest, DuplicateRequest, PrintConfirmation, ReleaseRequest, ReverseRequest,
    UnpaidRequest,
};
use keno_words::{Say, agent as words};
use serde::Serialize;

use super::Agent;
use super::done::{Fact, without_claim_code};
use super::no_paper::Decision;
use super::session::ASK_AGAIN;
use crate::central::CallFault;
use crate::exit::{Exit, Stop};
use crate::printer::Confirmation;
use crate::told::Choice;

impl Agent<'_> {
    /// Issues a duplicate and prints it; the paper before it is dead.
    pub fn duplicate(&mut self, mut request: DuplicateRequest) -> Result<Exit, Stop> {
        self.must_follow_money(reference(&request.code), Decision::Duplicate)?;
        self.resolve_all()?;
        self.ensure_session()?;
        // A printer that names a trouble stops it before the old paper is dead.
        self.check_printer(&words::NothingWasDone)?;
        request.second = self.second_person(request.second)?;
        let view: TicketView = self.command_without_key("/duplicates", &request, ASK_AGAIN)?;
        self.so_far.fact = Some(Fact::Duplicate {
            ticket: without_claim_code(&view),
        });
        self.told
            .tell(&words::EarlierPapersWorthless { copy: &view.copy });
        self.print_duplicate(&view)
    }

    /// Prints a duplicate until it is whole or nobody wants to try again.
    fn print_duplicate(&mut self, view: &TicketView) -> Result<Exit, Stop> {
        let mut issue = Issue::First;
        loop {
            let paper = ticket(view, issue, self.width)?;
            let how = match self.print_paper(&paper)? {
                Ok(Confirmation::Printer) => Some(PrintMeans::Printer),
                Ok(Confirmation::Unknown) => {
                    issue = Issue::Reprint;
                    (self.ask_is_whole() == Some(true)).then_some(PrintMeans::Clerk)
                }
                Err(failure) => {
                    if failure.sent > 0 {
                        issue = Issue::Reprint;
                    }
                    self.note_printer(failure.fault);
                    let may_be_whole = failure.may_be_whole();
                    (may_be_whole && self.ask_is_whole() == Some(true)).then_some(PrintMeans::Clerk)
                }
            };
            if let Some(how) = how {
                return self.confirm_duplicate(view, how);
            }
            if self.told.decide(Choice::PrintAgain) != Some(true) {
                self.told.note(&words::DuplicatePaperMissing);
                return Ok(Exit::PrinterTrouble);
            }
        }
    }

    fn confirm_duplicate(&mut self, view: &TicketView, how: PrintMeans) -> Result<Exit, Stop> {
        let confirmation = PrintConfirmation {
            ticket: view.ticket,
            copy: view.copy,
            how: how.into(),
        };
        match self
            .central
            .post::<_, RecordedReply>("/prints", &confirmation)
        {
            Ok(_) => {
                self.tell_envelope(view.ticket, false);
                self.decided(view.ticket)?;
                Ok(Exit::Done)
            }
            Err(CallFault::Refused(problem)) if !problem.retry => {
                self.told.note_problem(&problem);
                Ok(Exit::Refused)
            }
            Err(fault) => {
                tracing::warn!(?fault, "the print of a duplicate is not confirmed");
                // The paper is whole and valid: whatever failed here, it is not made again.
                self.told.note(&words::DuplicateNotConfirmed);
                Ok(Exit::Done)
            }
        }
    }

    /// Releases a held ticket on evidence. Like what follows, it waits for nothing that this
    /// terminal left open: a printer without paper must not keep two people from it.
    pub fn release(&mut self, mut request: ReleaseRequest) -> Result<Exit, Stop> {
        let reference = reference(&request.code);
        self.must_follow_money(reference, Decision::Release)?;
        request.second = self.second_person(request.second)?;
        self.record("/releases", &request, &words::TicketReleased)?;
        if let Some(ticket) = reference {
            self.decided(ticket)?;
        }
        Ok(Exit::Done)
    }

    /// Declares a wager unpaid before the first ball (s. 83): the ticket is void.
    pub fn unpaid(&mut self, mut request: UnpaidRequest) -> Result<Exit, Stop> {
        let reference = reference(&request.code);
        self.must_follow_money(reference, Decision::Unpaid)?;
        request.second = self.second_person(request.second)?;
        let sent = self.command_without_key("/unpaid", &request, ASK_AGAIN);
        let problem = self.told.refusal();
        let is_too_late = problem.is_some_and(|it| it.name() == "unpaid_after_first_ball");
        if let (Err(_), true, Some(ticket)) = (&sent, is_too_late, reference) {
            self.too_late_for_unpaid(ticket)?;
        }
        let reply: RecordedReply = sent?;
        // What is named by reference has no paper.
        let words: &dyn Say = if reference.is_some() {
            &words::TicketVoidUnpaid
        } else {
            &words::TicketVoidUnpaidKeepPaper
        };
        self.tell_recorded(words, reply.leaf);
        if let Some(ticket) = reference {
            self.tell_envelope(ticket, true);
            self.decided(ticket)?;
        }
        Ok(Exit::Done)
    }

    /// Undoes a payment that was not handed over; its number is on the receipt.
    pub fn reverse(&mut self, mut request: ReverseRequest) -> Result<Exit, Stop> {
        request.second = self.second_person(request.second)?;
        self.record("/reversals", &request, &words::PaymentReversed)?;
        Ok(Exit::Done)
    }

    /// Paper and record differ: the record prevails (s. 84), and the audit office hears of it.
    pub fn note_discrepancy(&mut self, request: DiscrepancyRequest) -> Result<Exit, Stop> {
        self.record("/discrepancies", &request, &words::DiscrepancyNoted)?;
        Ok(Exit::Done)
    }

    /// Has something recorded that moves no money, and tells what it is and its leaf.
    pub(super) fn record<Q: Serialize>(
        &mut self,
        path: &str,
        request: &Q,
        what: &dyn Say,
    ) -> Result<(), Stop> {
        let reply: RecordedReply = self.command_without_key(path, request, ASK_AGAIN)?;
        self.tell_recorded(what, reply.leaf);
        Ok(())
    }

    fn tell_recorded(&mut self, what: &dyn Say, leaf: u64) {
        self.told.tell(&words::RecordedAs { what, leaf: &leaf });
    }
}

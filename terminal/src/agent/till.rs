//! The till: filled, dropped and counted by two people, counted blind and closed; and the sheet of
//! its shift, which is printed after the count and never before.

use keno_game::Tender;
use keno_slip::{Issue, Paper, shift_sheet, till_count_receipt};
use keno_wire::reply::{CloseShiftReply, ShiftSheetReply, TillCountReply};
use keno_wire::request::{
    CloseShiftRequest, TillCountRequest, TillMovementKind, TillMovementRequest,
};
use keno_words::{Money, Say, agent as words};

use super::done::Fact;
use super::recorded::Recorded;
use super::second::noted;
use super::{Agent, Second};
use crate::central::CallFault;
use crate::exit::{Exit, Stop};
use crate::journal::CommandKind;

impl Agent<'_> {
    /// Fills or drops the till and prints the paper that both people sign.
    pub fn move_till(
        &mut self,
        kind: TillMovementKind,
        amount_cents: i64,
        second: Second,
    ) -> Result<Exit, Stop> {
        self.resolve_all()?;
        self.ensure_session()?;
        let second = self.second_person(second)?;
        let noted = serde_json::json!({ "kind": kind, "second": noted(&second) });
        let key = self.journal_sent(CommandKind::TillMovement, noted, amount_cents, 0)?;
        let request = TillMovementRequest {
            key,
            kind,
            amount_cents,
            second,
        };
        let path = "/shifts/movements";
        let (fact, issue) = self.command(key, path, &request, Recorded::TillMovement)?;
        if let Recorded::TillMovement(reply) = &fact {
            self.so_far.fact = Some(Fact::TillMovement(reply.clone()));
        }
        let amount = &Money(amount_cents);
        let words: &dyn Say = match kind {
            TillMovementKind::Fill => &words::PutIntoTill { amount },
            TillMovementKind::Drop => &words::TakeOutTill { amount },
        };
        self.told.tell(words);
        self.open_drawer_for(&Tender::Cash.into());
        self.print_fact(key, &fact, issue)?;
        Ok(Exit::Done)
    }

    /// Two people count the till blind in the middle of a shift: only the answer says what was
    /// expected, and the till stays open. Both sign the paper.
    pub fn count_till(
        &mut self,
        counted_cents: i64,
        reason: &str,
        second: Second,
    ) -> Result<Exit, Stop> {
        // What is in doubt would be missing in the figure that is expected.
        self.resolve_all()?;
        let request = TillCountRequest {
            counted_cents,
            reason: reason.to_owned(),
            second: self.second_person(second)?,
        };
        let reply: TillCountReply =
            self.command_without_key("/shifts/counts", &request, &words::NoAnswerCountAgain)?;
        self.so_far.fact = Some(Fact::TillCounted(reply.clone()));
        let shift = reply.shift;
        self.told.tell(&words::TillCounted { shift: &shift });
        self.tell_count(
            reply.counted_cents,
            reply.expected_cents,
            reply.difference_cents,
        );
        let paper = till_count_receipt(&reply, self.width);
        if self.print_report(&paper)? {
            return Ok(Exit::Done);
        }
        self.told.note(&words::CountRecorded);
        Ok(Exit::PrinterTrouble)
    }

    /// Closes the till after a blind count: only the answer says what was expected. Then its
    /// sheet is printed. Another person's till is closed by two.
    pub fn close_till(&mut self, counted_cents: i64, second: Option<Second>) -> Result<Exit, Stop> {
        self.resolve_all()?;
        let second = second
            .map(|second| self.second_person(second))
            .transpose()?;
        let request = CloseShiftRequest {
            counted_cents,
            second,
        };
        let reply: CloseShiftReply =
            self.command_without_key("/shifts/close", &request, &words::NoAnswerTillMayBeClosed)?;
        self.so_far.fact = Some(Fact::TillClosed {
            closed: reply.clone(),
            sheet: None,
        });
        let shift = reply.shift;
        self.told.tell(&words::TillClosed { shift: &shift });
        self.tell_count(
            reply.counted_cents,
            reply.expected_cents,
            reply.difference_cents,
        );
        // The till is closed whatever becomes of its paper.
        match self.print_sheet(shift, Issue::First) {
            Err(Stop::End(_)) => {
                self.note_sheet_later(shift);
                Ok(Exit::Done)
            }
            ended => ended,
        }
    }

    /// Prints the sheet of a shift again, marked so. Central gives it once the till was counted.
    pub fn shift_sheet(&mut self, shift: u64) -> Result<Exit, Stop> {
        self.print_sheet(shift, Issue::Reprint)
    }

    fn print_sheet(&mut self, shift: u64, issue: Issue) -> Result<Exit, Stop> {
        let path = format!("/shifts/{shift}/sheet");
        let answer: Result<ShiftSheetReply, _> = self.in_session(|central| central.read(&path))?;
        let reply = match answer {
            Ok(reply) => reply,
            Err(CallFault::Refused(problem)) => {
                self.told.note_problem(&problem);
                return Err(Stop::End(Exit::Refused));
            }
            Err(fault) => {
                tracing::warn!(?fault, "the sheet of a shift was not read");
                self.told.note(&words::CentralSilent);
                return Err(Stop::End(Exit::CentralUnreachable));
            }
        };
        let paper = shift_sheet(&reply, issue, self.width);
        let shown = Some(Box::new(reply));
        match &mut self.so_far.fact {
            Some(Fact::TillClosed { sheet, .. }) => *sheet = shown,
            other => *other = shown.map(|sheet| Fact::ShiftSheet { sheet }),
        }
        if self.print_report(&paper)? {
            return Ok(Exit::Done);
        }
        self.note_sheet_later(shift);
        Ok(Exit::PrinterTrouble)
    }

    fn note_sheet_later(&mut self, shift: u64) {
        self.told
            .note(&words::SheetPrintableLater { shift: &shift });
    }

    fn tell_count(&mut self, counted_cents: i64, expected_cents: i64, difference_cents: i64) {
        self.told.tell(&words::Counted {
            amount: &Money(counted_cents),
        });
        self.told.tell(&words::Expected {
            amount: &Money(expected_cents),
        });
        let amount = &Money(difference_cents.saturating_abs());
        let words: &dyn Say = match difference_cents {
            0 => &words::EvenBy { amount },
            over if over > 0 => &words::OverBy { amount },
            _ => &words::ShortBy { amount },
        };
        self.told.tell(words);
    }

    /// Prints what says only what the record says: nobody is asked whether it is whole, it can be
    /// printed again. False when the printer says that it did not come out.
    pub(super) fn print_report(&mut self, paper: &Paper) -> Result<bool, Stop> {
        match self.print_paper(paper)? {
            Ok(_) => Ok(true),
            Err(failure) => {
                self.note_printer(failure.fault);
                Ok(false)
            }
        }
    }
}

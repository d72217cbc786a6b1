//! What a command came to.

use keno_wire::Problem;
use keno_wire::damaged::FileView;
use keno_wire::reply::{
    CancelReply, CheckReply, CloseShiftReply, LostRefundReply, PayReply, PresentationReply,
    ShiftSheetReply, TicketView, TillCountReply, TillMovementReply,
};
use keno_wire::request::{CommandKey, Slip};
use serde::Serialize;

use super::Agent;
use crate::exit::{Exit, Stop};
use crate::told::{Line, refusal_in};

/// What was recorded, found out or made by a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Fact {
    /// A ticket was registered. Its claim code is never here: whoever reads the page could claim.
    Sale {
        /// The ticket.
        ticket: Box<TicketView>,
    },
    /// A ticket was looked up.
    Check {
        /// What central says.
        check: Box<CheckReply>,
        /// Its slip, to be sold again with the same numbers.
        again: Option<Slip>,
        /// The same with a new computer pick, where the computer had picked.
        new_pick: Option<Slip>,
    },
    /// A ticket was cancelled.
    Cancellation(CancelReply),
    /// Prizes were paid.
    Payment(PayReply),
    /// A ticket was presented as a claim.
    Presented(PresentationReply),
    /// The till was moved.
    TillMovement(TillMovementReply),
    /// The price of a lost ticket was given back.
    LostRefund(LostRefundReply),
    /// What was read from a damaged paper agrees with the record.
    PaperRead {
        /// What stands for the code of its ticket at this till.
        code: String,
    },
    /// A file of a damaged paper.
    File(Box<FileView>),
    /// The till was counted by two people and stays open.
    TillCounted(TillCountReply),
    /// The till was counted and closed.
    TillClosed {
        /// The count.
        closed: CloseShiftReply,
        /// The sheet of the shift, when central gave it.
        sheet: Option<Box<ShiftSheetReply>>,
    },
    /// The sheet of a shift.
    ShiftSheet {
        /// Its figures.
        sheet: Box<ShiftSheetReply>,
    },
    /// The holder of a ticket was not paid.
    PatronRefused {
        /// Stable name of the reason.
        reason: String,
    },
    /// A duplicate of a ticket was made.
    Duplicate {
        /// The ticket, without its claim code.
        ticket: Box<TicketView>,
    },
    /// What is open here was written down for a neighbour.
    HandedOut {
        /// The code that says it.
        code: String,
    },
}

/// A ticket as a page may have it: whoever reads the claim code can claim.
pub(super) fn without_claim_code(ticket: &TicketView) -> Box<TicketView> {
    Box::new(TicketView {
        claim_code: None,
        ..ticket.clone()
    })
}

/// How a command ended, what it came to, and what was said of it: one value, which the command line
/// and the pages show each in its way.
#[derive(Debug)]
pub struct Done {
    /// How it ended.
    pub exit: Exit,
    /// What it came to; there even where its paper failed.
    pub fact: Option<Fact>,
    /// The key that was journaled for a sale; none when nothing of it can have reached central.
    pub sent: Option<CommandKey>,
    /// What was said, in its order.
    pub said: Vec<Line>,
    /// What of this machine failed; nobody was told of it yet.
    pub fault: Option<anyhow::Error>,
}

impl Done {
    /// The refusal of central that ended it.
    pub fn problem(&self) -> Option<&Problem> {
        refusal_in(&self.said)
    }
}

/// What the command at work has come to so far.
#[derive(Debug, Default)]
pub struct SoFar {
    /// What it came to.
    pub(super) fact: Option<Fact>,
    /// The key that was journaled for it.
    pub(super) sent: Option<CommandKey>,
}

impl Agent<'_> {
    /// Does a command, or several behind each other, from nothing said to what it came to.
    pub fn carry_out(&mut self, work: impl FnOnce(&mut Self) -> Result<Exit, Stop>) -> Done {
        self.so_far = SoFar::default();
        drop(self.told.take());
        let (exit, fault) = match work(self) {
            Ok(exit) | Err(Stop::End(exit)) => (exit, None),
            Err(Stop::Fault(error)) => (Exit::Failed, Some(error)),
        };
        let SoFar { fact, sent } = std::mem::take(&mut self.so_far);
        Done {
            exit,
            fact,
            sent,
            said: self.told.take(),
            fault,
        }
    }
}

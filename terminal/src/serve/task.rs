//! What the hands may be busy with, as the pages name it.

use serde::Serialize;

/// One command of a page, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// A ticket is sold.
    Sale,
    /// A ticket is looked up.
    Check,
    /// A ticket is cancelled.
    Cancellation,
    /// Prizes are paid.
    Payment,
    /// The price of a lost ticket is given back.
    LostRefund,
    /// A command in doubt is put aside.
    Park,
    /// The clerk has read what became of a command.
    Acknowledge,
    /// The clerk has looked at a paper.
    Paper,
    /// What is open is taken up.
    Resolve,
    /// The holder of a ticket is not paid.
    PatronRefusal,
    /// The till is filled or dropped.
    TillMovement,
    /// The till is counted and closed.
    TillClose,
    /// The till is counted and stays open.
    TillCount,
    /// The sheet of a shift is printed.
    ShiftSheet,
    /// A duplicate is made.
    Duplicate,
    /// A wager was not paid.
    Unpaid,
    /// A held ticket is released.
    Release,
    /// A payment is undone.
    Reversal,
    /// Paper and record differ.
    Discrepancy,
    /// Tickets are presented as claims.
    Presentation,
    /// Their receipt is printed.
    PresentationReceipt,
    /// A damaged paper is read by two.
    Reading,
    /// A file of a damaged paper is opened.
    File,
    /// It is decided.
    Judgement,
    /// Its paper is printed again.
    FilePaper,
    /// What is open is written down for a neighbour.
    HandOut,
    /// This terminal goes on after all.
    TakeBack,
    /// A neighbour is taken over.
    TakeOver,
    /// Somebody signs on.
    SignOn,
    /// Somebody chooses another PIN.
    ChoosePin,
    /// Somebody signs off.
    SignOff,
    /// The person of a locked screen comes back.
    Unlock,
    /// Two people end the session of somebody who does not.
    Relief,
    /// The printer is asked how it is.
    PrinterState,
    /// The test page is printed.
    PrinterTest,
    /// The drawer is tried.
    Drawer,
    /// Central is asked about a command in doubt.
    Asking,
}

/// What must hold before a command is given to the hands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Needs {
    /// Nothing of central: it is about this device.
    Nothing,
    /// A central that is trusted.
    Central,
    /// The same, with a clock near this machine's.
    Sale,
}

impl Task {
    /// What must hold before it is given to the hands.
    pub(super) const fn needs(self) -> Needs {
        match self {
            Self::Sale => Needs::Sale,
            Self::Acknowledge | Self::TakeBack | Self::FilePaper | Self::PresentationReceipt => {
                Needs::Nothing
            }
            _ => Needs::Central,
        }
    }

    /// True of what opens a locked screen, or is done in front of one.
    pub(super) const fn is_before_the_lock(self) -> bool {
        matches!(
            self,
            Self::Unlock | Self::SignOn | Self::ChoosePin | Self::Relief
        )
    }

    /// True where another till is open at this counter afterwards, or none.
    pub(super) const fn changes_till(self) -> bool {
        matches!(self, Self::SignOn | Self::TillClose | Self::TakeOver)
    }
}

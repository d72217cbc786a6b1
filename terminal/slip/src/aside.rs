//! The paper of a cancellation, a payment or a till movement in doubt: no cash moves before
//! central has answered.

use keno_words::{Money, Say, both, paper};

use crate::layout::Draft;
use crate::paper::{Paper, Size, Width};

/// Which command is in doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A cancellation: the refund waits.
    Cancellation,
    /// A payment: the prize waits.
    Payment,
    /// A fill or a drop: the cash stays where it was.
    TillMovement,
    /// The refund of a ticket that a restore lost: it waits.
    LostRefund,
}

/// What is known at the counter of a command in doubt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aside<'a> {
    /// Number of the device.
    pub device: u64,
    /// Session of the key.
    pub session: u64,
    /// Counter of the key.
    pub counter: u64,
    /// Badge of the clerk.
    pub badge: &'a str,
    /// Which command.
    pub what: What,
    /// Prize or movement in cents; 0 where the counter was not told.
    pub amount_cents: i64,
}

impl What {
    /// What it is, and what to do.
    fn words(self) -> (&'static dyn Say, &'static dyn Say) {
        match self {
            Self::Cancellation => (&paper::AsideCancellation, &paper::RefundNothing),
            Self::Payment => (&paper::AsidePayment, &paper::HandOverNothing),
            Self::TillMovement => (&paper::AsideTillMovement, &paper::KeepCashApart),
            Self::LostRefund => (&paper::AsideLostRefund, &paper::RefundNothing),
        }
    }
}

/// The paper that stays with the ticket or the cash.
pub fn aside(command: &Aside<'_>, width: Width) -> Paper {
    let (title, advice) = command.what.words();
    let mut draft = Draft::new(width);
    draft.centre(paper::InDoubt::FR, Size::Double, true);
    draft.centre(&title.fr(), Size::Tall, true);
    let in_doubt = format!("{}: {}", paper::InDoubt::EN, title.en());
    draft.centre(&in_doubt, Size::Normal, false);
    draft.rule();
    draft.pair_bold(
        0,
        &both(&paper::Key),
        &format!("{}-{}-{}", command.device, command.session, command.counter),
    );
    draft.pair(0, &both(&paper::Clerk), command.badge);
    if command.amount_cents > 0 {
        draft.pair_each_bold(&paper::Amount, &Money(command.amount_cents));
    }
    draft.rule();
    draft.sentence(advice);
    draft.finish()
}

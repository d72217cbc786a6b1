//! The paper of a cancellation, a payment or a till movement in doubt: no cash moves before
//! central has answered.

use crate::layout::Draft;
use crate::money::{english, french};
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
    const fn title(self) -> (&'static str, &'static str) {
        match self {
            Self::Cancellation => ("ANNULATION", "Cancellation"),
            Self::Payment => ("PAIEMENT DE LOT", "Prize payment"),
            Self::TillMovement => ("MOUVEMENT DE CAISSE", "Till movement"),
            Self::LostRefund => ("REMBOURSEMENT", "Refund of a lost ticket"),
        }
    }

    const fn advice(self) -> (&'static str, &'static str) {
        match self {
            Self::Cancellation | Self::LostRefund => (
                "L’ordinateur central n’a pas répondu. Ne remboursez rien ; gardez le billet avec ce papier.",
                "The central computer did not answer. Refund nothing; keep the ticket with this paper.",
            ),
            Self::Payment => (
                "L’ordinateur central n’a pas répondu. Ne remettez rien ; gardez le billet avec ce papier.",
                "The central computer did not answer. Hand over nothing; keep the ticket with this paper.",
            ),
            Self::TillMovement => (
                "L’ordinateur central n’a pas répondu. Gardez l’argent à part, avec ce papier.",
                "The central computer did not answer. Keep the cash apart, with this paper.",
            ),
        }
    }
}

/// The paper that stays with the ticket or the cash.
pub fn aside(command: &Aside<'_>, width: Width) -> Paper {
    let (title, title_en) = command.what.title();
    let (advice, advice_en) = command.what.advice();
    let mut draft = Draft::new(width);
    draft.centre("EN SUSPENS", Size::Double, true);
    draft.centre(title, Size::Tall, true);
    draft.centre(&format!("In doubt: {title_en}"), Size::Normal, false);
    draft.rule();
    draft.pair_bold(
        0,
        "Clé / Key",
        &format!("{}-{}-{}", command.device, command.session, command.counter),
    );
    draft.pair(0, "Préposé / Clerk", command.badge);
    if command.amount_cents > 0 {
        draft.pair_bold(0, "MONTANT", &french(command.amount_cents));
        draft.pair(0, "Amount", &english(command.amount_cents));
    }
    draft.rule();
    draft.left_styled(0, advice, Size::Normal, true);
    draft.left(0, advice_en);
    draft.finish()
}

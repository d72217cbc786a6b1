//! The paper of a sale in doubt: central has not answered, and this is not a ticket.

use keno_words::{Money, Say, both, paper};

use crate::layout::Draft;
use crate::paper::{Paper, Size, Width};

/// What becomes of the money of a sale in doubt, said when it is put aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DoubtMoney {
    /// It lies in the envelope.
    Kept,
    /// The player has it back.
    GivenBack,
}

/// What is known at the counter of a sale in doubt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InDoubt<'a> {
    /// Number of the device.
    pub device: u64,
    /// Session of the key.
    pub session: u64,
    /// Counter of the key.
    pub counter: u64,
    /// Badge of the clerk.
    pub badge: &'a str,
    /// Price of the slip in cents.
    pub total_cents: i64,
    /// What the patron handed over, in cents.
    pub received_cents: i64,
    /// Draws of the slip, where it is known.
    pub draws: Option<u64>,
    /// What becomes of the money.
    pub money: DoubtMoney,
    /// When, by the clock of the terminal.
    pub at: &'a str,
}

/// The paper that goes with the money into the envelope, and below it the waiting slip of the
/// patron, torn off: against that the ticket is handed over, or the money given back.
pub fn in_doubt(sale: &InDoubt<'_>, width: Width) -> Paper {
    let mut draft = Draft::new(width);
    let key = format!("{}-{}-{}", sale.device, sale.session, sale.counter);
    let (title, house, player) = words(sale.money);
    draft.centre(paper::InDoubt::FR, Size::Double, true);
    draft.title(&paper::NoTicket, Size::Tall);
    draft.rule();
    draft.pair_bold(0, &both(&paper::SaleKey), &key);
    draft.pair(0, &both(&paper::Clerk), sale.badge);
    draft.pair_each_bold(&paper::WagerInDoubt, &Money(sale.total_cents));
    draft.pair_each_bold(&paper::ReceivedFromPlayer, &Money(sale.received_cents));
    draft.rule();
    draft.title(title, Size::Normal);
    draft.sentence(house);
    draft.rule();
    draft.title(&paper::WaitingSlip, Size::Normal);
    draft.centre(&both(&paper::NoValue), Size::Normal, false);
    draft.pair_bold(0, &both(&paper::SaleKey), &key);
    let received = Money(sale.received_cents).fr();
    draft.pair(0, &both(&paper::Received), &received);
    draft.pair(0, &both(&paper::Wager), &Money(sale.total_cents).fr());
    if let Some(draws) = sale.draws {
        draft.pair(0, &both(&paper::Draws), &draws.to_string());
    }
    draft.pair(0, &both(&paper::Time), sale.at);
    draft.title(title, Size::Normal);
    draft.sentence(player);
    draft.finish()
}

/// What the paper says of the money: above both parts, to the house, to the player.
fn words(money: DoubtMoney) -> (&'static dyn Say, &'static dyn Say, &'static dyn Say) {
    match money {
        DoubtMoney::Kept => (
            &paper::MoneyKept,
            &paper::MoneyKeptHouse,
            &paper::MoneyKeptPlayer,
        ),
        DoubtMoney::GivenBack => (
            &paper::MoneyGivenBack,
            &paper::MoneyGivenBackHouse,
            &paper::MoneyGivenBackPlayer,
        ),
    }
}

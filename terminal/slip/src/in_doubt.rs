//! The paper of a sale in doubt: central has not answered, and this is not a ticket.

use crate::layout::Draft;
use crate::money::{english, french};
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
    draft.centre("EN SUSPENS", Size::Double, true);
    draft.centre("NON VALIDE COMME BILLET", Size::Tall, true);
    draft.centre("In doubt, not valid as a ticket", Size::Normal, false);
    draft.rule();
    draft.pair_bold(
        0,
        "Clé de vente / Sale key",
        &format!("{}-{}-{}", sale.device, sale.session, sale.counter),
    );
    draft.pair(0, "Préposé / Clerk", sale.badge);
    draft.pair_bold(0, "MISE", &french(sale.total_cents));
    draft.pair(0, "Wager", &english(sale.total_cents));
    draft.pair_bold(0, "REÇU DU JOUEUR", &french(sale.received_cents));
    draft.pair(0, "Received from the player", &english(sale.received_cents));
    draft.rule();
    let words = words(sale.money);
    draft.centre(words.title.0, Size::Normal, true);
    draft.centre(words.title.1, Size::Normal, false);
    draft.left_styled(0, words.house.0, Size::Normal, true);
    draft.left(0, words.house.1);
    draft.rule();
    draft.centre("REÇU D’ATTENTE, POUR LE JOUEUR", Size::Normal, true);
    draft.centre("Waiting slip, for the player", Size::Normal, false);
    draft.centre("Sans valeur / No value in itself", Size::Normal, false);
    draft.pair_bold(
        0,
        "Clé de vente / Sale key",
        &format!("{}-{}-{}", sale.device, sale.session, sale.counter),
    );
    draft.pair(0, "Reçu / Received", &french(sale.received_cents));
    draft.pair(0, "Mise / Wager", &french(sale.total_cents));
    if let Some(draws) = sale.draws {
        draft.pair(0, "Tirages / Draws", &draws.to_string());
    }
    draft.pair(0, "Heure / Time", sale.at);
    draft.centre(words.title.0, Size::Normal, true);
    draft.centre(words.title.1, Size::Normal, false);
    draft.left_styled(0, words.player.0, Size::Normal, true);
    draft.left(0, words.player.1);
    draft.finish()
}

/// What the paper says of the money, French and English.
struct Words {
    title: (&'static str, &'static str),
    house: (&'static str, &'static str),
    player: (&'static str, &'static str),
}

const fn words(money: DoubtMoney) -> Words {
    match money {
        DoubtMoney::Kept => Words {
            title: (
                "ARGENT GARDÉ DANS L’ENVELOPPE",
                "Money kept in the envelope",
            ),
            house: (
                "L’ordinateur central n’a pas répondu. Gardez l’argent à part : \
                 le billet sera émis, ou l’argent rendu, contre le reçu ci-dessous.",
                "The central computer did not answer. Keep the money apart: a ticket will be \
                 issued, or the money given back, against the slip below.",
            ),
            player: (
                "Contre ce reçu : votre billet, ou votre argent.",
                "Against this slip: your ticket, or your money.",
            ),
        },
        DoubtMoney::GivenBack => Words {
            title: ("ARGENT RENDU AU JOUEUR", "Money given back to the player"),
            house: (
                "L’ordinateur central n’a pas répondu, et l’argent a été rendu : aucun billet ne \
                 sera remis. Si la vente est enregistrée, elle est annulée ou déclarée non payée.",
                "The central computer did not answer, and the money was given back: no ticket will \
                 be handed over. If the sale is recorded, it is cancelled or declared unpaid.",
            ),
            player: (
                "Votre argent vous a été rendu. Contre ce reçu, ni billet ni lot.",
                "You have your money back. Against this slip: no ticket and no prize.",
            ),
        },
    }
}

//! The paper of a sale in doubt: central has not answered, and this is not a ticket.

use crate::layout::Draft;
use crate::money::{english, french};
use crate::paper::{Paper, Size, Width};

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
    draft.left_styled(
        0,
        "L’ordinateur central n’a pas répondu. Gardez l’argent à part : \
         le billet sera émis, ou l’argent rendu.",
        Size::Normal,
        true,
    );
    draft.left(
        0,
        "The central computer did not answer. Keep the money apart: \
         a ticket will be issued, or the money given back.",
    );
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
    draft.left(
        0,
        "Contre ce reçu : votre billet, ou votre argent. / Against this slip: your ticket, or your \
         money.",
    );
    draft.finish()
}

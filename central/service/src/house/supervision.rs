//! What the supervisor's wall reads of the record beside the picture of the state: what each
//! terminal sold last, since when sessions are open, what became of keys in doubt, which tickets
//! are held. It reads and decides nothing. Beside it, which terminals a supervisor has stopped.

use std::collections::BTreeMap;

use keno_log::{CommandKey, Event};
use keno_record::fault::Fault;
use keno_record::state::KeyKind;
use keno_record::store::{hand_overs, leaves, payments, wall};
use keno_record::ticket::Ticket;

use crate::central::Central;
use crate::counter::check::{decided_by_ms, win_held_at_ms};
use crate::counter::key::answer_of;
use crate::counter::paper::Paper;
use crate::counter::ticket::HELD_AFTER_MS;
use crate::staff::devices::DeviceNumber;

/// Held tickets that are shown at most.
const HELD_MOST: usize = 50;
/// Tickets whose paper nobody confirmed are looked for among the draws of so many hours.
const HELD_HOURS: u64 = 12;

/// What the record says of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyEvidence {
    /// Nothing.
    Unknown,
    /// It was closed without an outcome.
    Closed,
    /// A sale: its ticket, price in cents, and whether its newest paper was confirmed.
    Sale {
        /// Leaf of the ticket.
        ticket: u64,
        /// Price.
        total_cents: i64,
        /// Whether its newest paper was confirmed.
        print_confirmed: bool,
    },
    /// Something else that was recorded, at this leaf; or a sale whose leaves do not hold.
    Recorded {
        /// The leaf.
        leaf: u64,
    },
}

/// A held ticket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// Leaf of the ticket.
    pub ticket: u64,
    /// Control number, masked.
    pub number: String,
    /// Device that sold it.
    pub device: u32,
    /// First draw.
    pub first_draw: u64,
    /// Last draw.
    pub last_draw: u64,
    /// Price in cents; none where its leaves do not hold.
    pub total_cents: Option<i64>,
    /// Why: one of [`Held::REASONS`].
    pub why: &'static str,
    /// Until when people decide about a win that the guard holds.
    pub decided_by_ms: Option<i64>,
}

impl Held {
    /// Why a ticket is held: nobody confirmed its paper, its win is improbable, a paper was shown that
    /// a duplicate has replaced, its leaves do not hold.
    pub const REASONS: [&'static str; 4] = [UNCONFIRMED, IMPROBABLE, REPLACED, DOUBTFUL];

    /// Whether people were to decide about it by now.
    pub fn is_late(&self, now_ms: i64) -> bool {
        self.decided_by_ms.is_some_and(|until_ms| now_ms > until_ms)
    }
}

const UNCONFIRMED: &str = "unconfirmed";
const IMPROBABLE: &str = "improbable";
const REPLACED: &str = "replaced";
const DOUBTFUL: &str = "doubtful";

fn why_held(ticket: &Ticket) -> &'static str {
    let mut facts = ticket.facts.iter().rev();
    let reason = facts.find_map(|fact| match &fact.event {
        Event::PaymentHeld(body) => Some(body.reason),
        _ => None,
    });
    match reason {
        None => UNCONFIRMED,
        Some(Paper::REPLACED_SHOWN) => REPLACED,
        Some(_) => IMPROBABLE,
    }
}

impl DeviceNumber {
    /// What each device sold last: the moment, UTC milliseconds, and the price in cents. Nothing of
    /// one that never sold.
    ///
    /// # Errors
    /// A fault.
    pub fn last_sales(central: &Central) -> Result<BTreeMap<u32, (i64, i64)>, Fault> {
        central.look(|state| state.last_sales.clone())
    }
}

/// When a session was opened, UTC milliseconds.
///
/// # Errors
/// A fault.
pub fn session_opened_ms(central: &Central, session: u64) -> Result<Option<i64>, Fault> {
    let mut reader = central.readers.get()?;
    let row = hand_overs::session(&mut reader, session)?;
    row.map(|(_, leaf)| Ok(leaves::event_at(&mut reader, leaf)?.1))
        .transpose()
}

impl KeyEvidence {
    /// What the record says of a key, whoever's it is.
    ///
    /// # Errors
    /// A fault.
    pub fn of(central: &Central, key: &CommandKey) -> Result<KeyEvidence, Fault> {
        let Some((kind, leaf)) = answer_of(central, *key)? else {
            return Ok(KeyEvidence::Unknown);
        };
        match kind {
            KeyKind::Closed => Ok(KeyEvidence::Closed),
            KeyKind::Sale => {
                let mut reader = central.readers.get()?;
                let Some(ticket) = Ticket::if_it_holds(&mut reader, leaf)? else {
                    return Ok(KeyEvidence::Recorded { leaf });
                };
                Ok(KeyEvidence::Sale {
                    ticket: leaf,
                    total_cents: ticket.sale.total_cents,
                    print_confirmed: ticket.confirmed_copy >= ticket.copy,
                })
            }
            _ => Ok(KeyEvidence::Recorded { leaf }),
        }
    }
}

/// Ticket and amount in cents of a payment; none when there is no such payment.
///
/// # Errors
/// A fault.
pub(crate) fn payment_facts(
    central: &Central,
    payment: u64,
) -> Result<Option<(Ticket, i64)>, Fault> {
    let mut reader = central.readers.get()?;
    let Some(row) = payments::find(&mut reader, payment)? else {
        return Ok(None);
    };
    let ticket = Ticket::must_read(&mut reader, row.ticket)?;
    Ok(Some((ticket, row.total_cents)))
}

impl Held {
    /// Tickets of the draws of the last hours that are held at a moment, the newest first: as
    /// `is_held` judges each of them.
    ///
    /// # Errors
    /// A fault.
    pub fn all(central: &Central, now_ms: i64) -> Result<Vec<Held>, Fault> {
        let view = central.view.get();
        let last = || view.draws.keys().next_back().copied();
        let Some(newest) = view.next_open().map(|draw| draw.number()).or_else(last) else {
            return Ok(Vec::new());
        };
        let draws = HELD_HOURS * 60 / u64::from(central.house.every_minutes.max(1));
        let mut reader = central.readers.get()?;
        let (from, closed_by_ms) = (newest.saturating_sub(draws), now_ms - HELD_AFTER_MS);
        let held = wall::held(&mut reader, from, closed_by_ms, HELD_MOST)?;
        held.into_iter()
            .map(|row| {
                let ticket = Ticket::if_it_holds(&mut reader, row.number)?;
                let said = ticket.as_deref().unwrap_or(&row);
                Ok(Held {
                    why: ticket.as_ref().map_or(DOUBTFUL, why_held),
                    ticket: row.number,
                    number: Paper::control_number(central, row.number).masked(),
                    device: said.device,
                    first_draw: said.first_draw,
                    last_draw: said.last_draw,
                    decided_by_ms: ticket
                        .as_ref()
                        .and_then(win_held_at_ms)
                        .map(|at_ms| decided_by_ms(central, at_ms)),
                    total_cents: ticket.as_ref().map(|ticket| ticket.sale.total_cents),
                })
            })
            .collect()
    }
}

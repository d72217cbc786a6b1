//! A million wagers, sold through the service, the same in every draw.

use std::sync::Arc;

use anyhow::{Context, ensure};
use futures_util::future::join_all;
use keno_game::{BallSet, Cents, Pick, SelectionType, Slip, SlipSelection};
use keno_record::roles::{DeviceRole, Role};
use keno_service::Central;
use keno_service::authority::identity::{Caller, DeviceCaller};
use keno_service::counter::{SellOrder, SlipOrder};
use keno_service::draw::Draw;
use keno_service::staff::Recognised;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::house::{CLERK, FLOAT_CENTS, stopped};
use crate::till::pick;

/// Selections of a ticket: the most that the demonstration rules allow.
pub const A_TICKET: usize = 4;
/// Wager of a selection, in cents.
pub const WAGER_CENTS: i64 = 50;
/// Sales in flight at once while wagers are sold.
const IN_FLIGHT: usize = 1_000;
/// When draws of a measurement close and are drawn, after noon; a draw is a minute.
const FIRST_CLOSE_MS: i64 = 3_600_000;

/// A wager: which ticket, counted from 0, and its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wager {
    /// Place of its ticket among those of the draw.
    pub ticket: u32,
    /// Its numbers: 1 to 10 of them, each as often.
    pub numbers: BallSet,
}

/// The wagers of a draw, from a seed.
///
/// # Errors
/// Never in practice: the numbers are of the pool.
pub fn wagers(count: usize, seed: u64) -> anyhow::Result<Vec<Wager>> {
    let mut chance = ChaCha20Rng::seed_from_u64(seed);
    (0..count)
        .map(|at| {
            Ok(Wager {
                ticket: u32::try_from(at / A_TICKET)?,
                numbers: BallSet::from_numbers(&pick(&mut chance, at % 10 + 1))?,
            })
        })
        .collect()
}

/// Signs the clerk on at a device, by the service alone.
///
/// # Errors
/// When it is refused.
pub async fn sign_on(central: &Central, device: u32) -> anyhow::Result<Caller> {
    let at = DeviceCaller {
        device,
        role: DeviceRole::Counter,
        name: format!("T{device:02}"),
    };
    let person = Recognised {
        badge: CLERK.to_owned(),
        roles: vec![Role::Clerk.number()],
        credential: None,
    };
    let opened = person.sign_on(central, &at).await.map_err(stopped)?;
    let caller = Caller {
        device: at,
        session: opened.session,
        badge: person.badge,
        roles: person.roles,
    };
    caller
        .open_shift(central, FLOAT_CENTS)
        .await
        .map_err(stopped)?;
    Ok(caller)
}

/// Announces and opens a draw that nobody's clock reaches by itself.
///
/// # Errors
/// When it is refused.
pub fn open_draw(central: &Central, draw: u64, now_ms: i64) -> anyhow::Result<()> {
    let closes_at_ms = now_ms + FIRST_CLOSE_MS + i64::try_from(draw)? * 60_000;
    Draw(draw)
        .schedule(central, closes_at_ms, closes_at_ms + 10_000)
        .map_err(stopped)
}

fn order(caller: &Caller, draw: u64, counter: u64, wagers: &[Wager]) -> anyhow::Result<SellOrder> {
    let total_cents = WAGER_CENTS * i64::try_from(wagers.len())?;
    Ok(SellOrder {
        counter,
        session: caller.session,
        order: SlipOrder {
            slip: Slip {
                selections: wagers
                    .iter()
                    .map(|wager| SlipSelection {
                        game: "keno".to_owned(),
                        kind: SelectionType::Straight,
                        pick: Pick::Numbers {
                            groups: vec![wager.numbers.iter().collect()],
                            kings: Vec::new(),
                        },
                        conditioning: Vec::new(),
                        wager: Some(Cents::new(WAGER_CENTS)),
                    })
                    .collect(),
                draws: 1,
            },
            first_draw: Some(draw),
        },
        tender: "cash".to_owned(),
        received_cents: total_cents,
        total_cents,
        intake: "slip".to_owned(),
        replay_of: None,
    })
}

/// Sells the wagers for a draw, a ticket for each of their tickets. Returns the leaf of the
/// first: the others follow it one by one, in order.
///
/// # Errors
/// When a sale is refused, or another fact came between them.
pub async fn sell(
    central: &Arc<Central>,
    caller: &Caller,
    draw: u64,
    wagers: &[Wager],
) -> anyhow::Result<u64> {
    let tickets: Vec<&[Wager]> = wagers.chunks(A_TICKET).collect();
    // A key is a session's: its counter goes on from draw to draw.
    sell_tickets(central, caller, draw, draw << 32, &tickets).await
}

/// Sells tickets of these wagers for a draw, under the counters from the first on. Returns the
/// leaf of the first: the others follow it one by one, in order.
///
/// # Errors
/// When a sale is refused, or another fact came between them.
pub async fn sell_tickets(
    central: &Arc<Central>,
    caller: &Caller,
    draw: u64,
    first_counter: u64,
    tickets: &[&[Wager]],
) -> anyhow::Result<u64> {
    let mut first = None;
    let mut sold = 0_u64;
    for some in tickets.chunks(IN_FLIGHT) {
        let orders = some
            .iter()
            .zip(first_counter + sold..)
            .map(|(ticket, counter)| order(caller, draw, counter, ticket))
            .collect::<anyhow::Result<Vec<_>>>()?;
        let outcomes = join_all(orders.iter().map(|order| order.sell(central, caller))).await;
        for outcome in outcomes {
            let ticket = outcome.map_err(stopped)?.ticket;
            let base = *first.get_or_insert(ticket);
            ensure!(
                ticket == base + sold,
                "another fact came between the sales of draw {draw}"
            );
            sold += 1;
        }
    }
    first.context("no wagers")
}

/// Tickets whose prize is asked for once a draw is settled.
pub const QUESTIONS: usize = 1_000;

/// The places in a draw of so many wagers of the tickets that are asked about.
pub fn questions(wagers: usize) -> impl Iterator<Item = u64> {
    let tickets = wagers.div_ceil(A_TICKET);
    let step = (tickets / QUESTIONS).max(1);
    (0..tickets as u64).step_by(step)
}

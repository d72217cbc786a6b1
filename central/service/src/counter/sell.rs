//! Sale: a slip, paid for, becomes a ticket (ss. 80-84).
//!
//! Everything that can be done before the writer is: the slip is validated and priced, numbers
//! are picked, the leaf's body is encoded and hashed. The writer asks only what can have changed:
//! is the session open, was the key answered, are the draws open.

use std::sync::Arc;

use keno_game::slip::price;
use keno_game::{Cents, Intake, Priced, Selection, Slip, Tender, TicketState};
use keno_log::event::{ConditioningRecord, SelectionRecord, TicketSold};
use keno_log::{CommandKey, Hash};
use keno_record::calendar::Calendar;
use keno_record::fault::Fault;
use keno_record::sequencer::{Judge, Lane, PreparedEvent};
use keno_record::state::{KeyKind, PublishedRules, exposure};
use keno_record::store::tickets;
use keno_record::ticket::Ticket;
use keno_record::view::View;

use crate::Stop;
use crate::authority::Operation;
use crate::authority::identity::Caller;
use crate::bounds::RECEIVED_CENTS_MOST;
use crate::central::Central;
use crate::counter::key::{ContentHash, judge_key};
use crate::refusal::Refusal;

/// A request to price or sell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlipOrder {
    /// The slip.
    pub slip: Slip,
    /// First draw; the next one open when absent.
    pub first_draw: Option<u64>,
}

/// A request to sell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SellOrder {
    /// Counter of the device's key.
    pub counter: u64,
    /// Session of the device's key.
    pub session: u64,
    /// The slip and its first draw.
    pub order: SlipOrder,
    /// Name of the tender.
    pub tender: String,
    /// What the patron handed over.
    pub received_cents: i64,
    /// The total that was told.
    pub total_cents: i64,
    /// Name of the intake.
    pub intake: String,
    /// Ticket that is repeated.
    pub replay_of: Option<u64>,
}

/// A priced slip with its draws.
#[derive(Debug, Clone)]
pub struct Quote {
    /// Selections and price.
    pub priced: Priced,
    /// First draw.
    pub first_draw: u64,
    /// Last draw.
    pub last_draw: u64,
    /// Rules that govern it.
    pub rules: Arc<PublishedRules>,
}

/// A ticket just registered, or the one that the key was answered with before.
#[derive(Debug, Clone)]
pub struct Sold {
    /// Leaf of the ticket.
    pub ticket: u64,
    /// What was registered.
    pub sold: Arc<TicketSold>,
    /// When.
    pub sold_at_ms: i64,
    /// True when the key had been answered before.
    pub repeated: bool,
    /// True while the claim code may be said: the paper was never confirmed and the first draw
    /// has not closed.
    pub secret_may_be_said: bool,
    /// True when no paper of it is known to be whole and none can be printed any more without two
    /// people: they make a duplicate, release it, or say that it was not paid.
    pub is_without_paper: bool,
}

/// A selection as the log records it.
fn selection_record(selection: &Selection) -> SelectionRecord {
    SelectionRecord {
        game: selection.game.clone(),
        kind: selection.kind.number(),
        quick_pick: selection.quick_pick,
        groups: selection
            .groups
            .iter()
            .map(|group| group.iter().collect())
            .collect(),
        kings: selection.kings.iter().collect(),
        conditioning: selection
            .conditioning
            .iter()
            .map(|line| ConditioningRecord {
                ways: line.ways,
                spots: line.spots,
                wager_cents: line.wager.get(),
            })
            .collect(),
    }
}

impl Quote {
    /// Its selections as the log would record them.
    pub fn selections(&self) -> impl Iterator<Item = SelectionRecord> {
        self.priced.selections.iter().map(selection_record)
    }
}

fn content_hash(order: &SellOrder) -> Hash {
    use keno_game::Pick;
    let mut content = ContentHash::of("sell")
        .number(i64::from(order.order.slip.draws))
        .optional(order.order.first_draw)
        .text(&order.tender)
        .number(order.received_cents)
        .number(order.total_cents)
        .text(&order.intake)
        .optional(order.replay_of);
    for selection in &order.order.slip.selections {
        content = content.text(&selection.game).text(selection.kind.code());
        content = match &selection.pick {
            Pick::Quick { spots } => content.text("quick").bytes(&[*spots]),
            Pick::Numbers { groups, kings } => {
                let mut content = content.text("numbers").bytes(kings);
                for group in groups {
                    content = content.bytes(group);
                }
                content
            }
        };
        content = match selection.wager {
            None => content.text("no wager"),
            Some(wager) => content.number(wager.get()),
        };
        for line in &selection.conditioning {
            content = content
                .optional(line.ways.map(u64::from))
                .bytes(&[line.spots])
                .number(line.wager.get());
        }
    }
    content.finish()
}

/// Resolves the draws of an order against a picture of the state.
fn draws_of(view: &View, order: &SlipOrder) -> Result<(u64, u64), Refusal> {
    let next = view.next_open().map(|draw| draw.number());
    let first = match order.first_draw.or(next) {
        Some(first) => first,
        None => return Err(Refusal::DrawUnknown { draw: 0 }),
    };
    let last = first.saturating_add(u64::from(order.slip.draws.max(1)) - 1);
    Ok((first, last))
}

/// The first refusal about the draws of a ticket, in the order of the list.
fn check_draws(
    state: impl Fn(u64) -> Option<keno_game::DrawState>,
    next: Option<u64>,
    first: u64,
    last: u64,
    draws_ahead_max: u16,
) -> Result<(), Refusal> {
    use keno_game::DrawState;
    // Where a ticket of so many draws could begin: not before a draw that would be refused too.
    let from = || {
        let draws = last.saturating_sub(first);
        let mut from = next?;
        let is_open = |draw: &u64| state(*draw) == Some(DrawState::Open);
        while let Some(refused) = (from..=from.saturating_add(draws)).find(|it| !is_open(it)) {
            // Beyond what is announced there is nothing to sell from.
            state(refused)?;
            from = refused.saturating_add(1);
        }
        Some(from)
    };
    for draw in first..=last {
        match state(draw) {
            Some(DrawState::Open) => {}
            Some(DrawState::Scheduled) => return Err(Refusal::DrawNotOpen { draw }),
            Some(_) => return Err(Refusal::DrawClosed { draw, next: from() }),
            None if next.is_some_and(|next| draw < next) => {
                return Err(Refusal::DrawClosed { draw, next: from() });
            }
            None => return Err(Refusal::DrawUnknown { draw }),
        }
    }
    if let Some(next) = next {
        let furthest = next.saturating_add(u64::from(draws_ahead_max));
        if first > furthest {
            return Err(Refusal::DrawTooFarAhead {
                draw: first,
                furthest,
            });
        }
    }
    Ok(())
}

impl SlipOrder {
    /// What a slip would cost. Nothing is recorded; a quick pick has numbers only as a sample.
    ///
    /// # Errors
    /// The refusals of a sale about slip and draws.
    pub fn quote(&self, central: &Central) -> Result<Quote, Refusal> {
        quote_in(central, &central.view.get(), self)
    }
}

fn quote_in(central: &Central, view: &View, order: &SlipOrder) -> Result<Quote, Refusal> {
    if central.reserve.is_released() {
        return Err(Refusal::RecordUnavailable);
    }
    if view.sales_suspended.is_some() {
        return Err(Refusal::SalesSuspended);
    }
    let (first_draw, last_draw) = draws_of(view, order)?;
    let rules = view.rules_for(first_draw).ok_or(Refusal::NoRules)?;
    let priced = {
        let mut picks = central.quick_picks.lock();
        price(&order.slip, &rules.rules, &mut |spots, pool| {
            picks.pick(spots, pool)
        })?
    };
    check_draws(
        |draw| view.draws.get(&draw).map(|draw| draw.state()),
        view.next_open().map(|draw| draw.number()),
        first_draw,
        last_draw,
        rules.rules.limits.draws_ahead_max,
    )?;
    Ok(Quote {
        priced,
        first_draw,
        last_draw,
        rules: Arc::clone(rules),
    })
}

impl SellOrder {
    /// Sells: registers a slip that is paid for.
    ///
    /// # Errors
    /// A refusal in the order of [`Refusal`], or a fault; nothing was recorded unless it is
    /// [`Stop::Broke`].
    pub async fn sell(&self, central: &Central, caller: &Caller) -> Result<Sold, Stop> {
        caller.may(Operation::Sell)?;
        let key = CommandKey {
            device: caller.device.device,
            session: self.session,
            counter: self.counter,
        };
        let content = content_hash(self);
        // A repetition is answered as before even if the slip could not be sold any more.
        let (prepared, refusal) = match prepare_sale(central, caller, self, key, content) {
            Ok(sold) => {
                let exposure = exposure_of(central, &sold)?;
                let event = PreparedEvent::new(sold.clone().into(), &central.keys);
                (Some((event, Arc::new(sold), exposure)), None)
            }
            Err(refusal) => (None, Some(refusal)),
        };
        let outcome = central
            .sequencer
            .submit(Lane::Sale, move |judge| {
                if let Some(leaf) = judge_key(judge, &key, KeyKind::Sale, &content)? {
                    return Ok((leaf, true, judge.now_ms, None));
                }
                let Some((event, sold, exposure)) = &prepared else {
                    return Err(Stop::Refused(
                        refusal.clone().unwrap_or(Refusal::RecordUnavailable),
                    ));
                };
                let (leaf, sold) = match judge_sale(judge, sold, exposure)? {
                    None => (judge.record_prepared(event)?, Arc::clone(sold)),
                    Some(other) => (judge.record(other.clone())?, Arc::new(other)),
                };
                Ok((leaf, false, judge.now_ms, Some(sold)))
            })
            .await?;
        let (ticket, repeated, now_ms, sold) = outcome;
        match sold {
            Some(sold) => Ok(Sold {
                ticket,
                sold,
                sold_at_ms: now_ms,
                repeated,
                secret_may_be_said: true,
                is_without_paper: false,
            }),
            None => Ok(Sold::read(central, ticket)?),
        }
    }
}

impl Sold {
    /// A sale that was registered before, read from the record.
    ///
    /// # Errors
    /// A fault.
    pub fn read(central: &Central, ticket: u64) -> Result<Self, Fault> {
        let mut reader = central.readers.get()?;
        let sold = Ticket::must_read(&mut reader, ticket)?;
        let first_is_open = central
            .view
            .get()
            .draws
            .get(&sold.first_draw)
            .is_some_and(|draw| draw.state() == keno_game::DrawState::Open);
        let is_sold = sold.state == TicketState::Sold;
        let secret_may_be_said = first_is_open && sold.confirmed_copy == 0 && is_sold;
        let waits = sold.confirmed_copy < sold.copy && is_sold && sold.released_leaf.is_none();
        Ok(Self {
            ticket,
            sold_at_ms: sold.sold_at_ms,
            repeated: true,
            secret_may_be_said,
            is_without_paper: waits && !secret_may_be_said,
            sold: Arc::new(sold.sale),
        })
    }
}

/// What a sale adds to the possible prizes; nothing where its rules do not limit them.
fn exposure_of(central: &Central, sold: &TicketSold) -> Result<Vec<(u128, i64)>, Fault> {
    let view = central.view.get();
    let rules = view.rule_books.get(&sold.rule_book);
    let limited = rules.filter(|it| it.rules.liability_max.is_some());
    limited.map_or_else(
        || Ok(Vec::new()),
        |it| exposure(&it.rules, &sold.selections),
    )
}

fn prepare_sale(
    central: &Central,
    caller: &Caller,
    order: &SellOrder,
    key: CommandKey,
    content: Hash,
) -> Result<TicketSold, Refusal> {
    let view = central.view.get();
    let (shift, _) = view
        .shift_at(caller.device.device)
        .ok_or(Refusal::NoOpenTill)?;
    if central.stops.is_stopped(caller.device.device) {
        return Err(Refusal::TerminalStopped);
    }
    let quote = quote_in(central, &view, &order.order)?;
    let tender = Tender::from_code(&order.tender).ok_or(Refusal::TenderUnknown)?;
    if !quote.rules.rules.tenders.contains(&tender) {
        return Err(Refusal::TenderNotAccepted);
    }
    let intake = Intake::from_name(&order.intake).ok_or(Refusal::IntakeUnknown)?;
    let total = quote.priced.total.get();
    if order.total_cents != total {
        return Err(Refusal::TotalChanged {
            told: order.total_cents,
            price: total,
        });
    }
    if order.received_cents < total {
        return Err(Refusal::ReceivedTooLittle {
            received: order.received_cents,
            price: total,
        });
    }
    if order.received_cents > RECEIVED_CENTS_MOST {
        let most = RECEIVED_CENTS_MOST;
        return Err(Refusal::ReceivedTooMuch { most });
    }
    let change = tender.change_cents(order.received_cents, total);
    let chip_change_cents = if tender == Tender::Chip { change } else { 0 };
    let most = quote.rules.rules.chip_change.get();
    if chip_change_cents > most {
        return Err(Refusal::ChangeTooMuch { most });
    }
    let last = view
        .draws
        .get(&quote.last_draw)
        .ok_or(Refusal::DrawUnknown {
            draw: quote.last_draw,
        })?;
    let first = view
        .draws
        .get(&quote.first_draw)
        .ok_or(Refusal::DrawUnknown {
            draw: quote.first_draw,
        })?;
    // Cap and pool belong to the draw: a ticket carries one cap and one pool.
    if let Some(other) = (quote.first_draw..=quote.last_draw)
        .filter_map(|draw| view.draws.get(&draw))
        .find(|draw| draw.cap_cents() != first.cap_cents() || draw.pool() != first.pool())
    {
        return Err(Refusal::DrawNotOpen {
            draw: other.number(),
        });
    }
    let claim_by = claim_day(
        central.calendar,
        last.draws_at_ms(),
        central.clock.now_ms(),
        quote.rules.rules.claim.days,
    );
    Ok(TicketSold {
        key,
        content_hash: content,
        secret_key: central.keys.claim_key_id(central.view.get().epoch.number),
        rule_book: quote.rules.rules.version,
        first_draw: quote.first_draw,
        last_draw: quote.last_draw,
        selections: quote.selections().collect(),
        per_draw_cents: quote.priced.per_draw.get(),
        total_cents: total,
        cap_cents: first.cap_cents(),
        claim_by,
        tender: tender.number(),
        received_cents: order.received_cents,
        badge: caller.badge.clone(),
        shift,
        intake: intake.number(),
        replay_of: order.replay_of,
        chip_change_cents,
    })
}

/// What the writer asks of a new sale: only what can have changed since it was prepared. Returns
/// the sale as it is now where its last day to claim is another.
fn judge_sale(
    judge: &mut Judge<'_>,
    sold: &TicketSold,
    exposure: &[(u128, i64)],
) -> Result<Option<TicketSold>, Stop> {
    // A ticket without a control number is none (s. 82(4)).
    if !judge
        .state
        .epochs
        .place(judge.state.edge.size())
        .has_number()
    {
        return Err(Refusal::RecordUnavailable.into());
    }
    if !judge.state.shifts.contains_key(&sold.shift) {
        return Err(Refusal::NoOpenTill.into());
    }
    if judge.state.sales_suspended.is_some() {
        return Err(Refusal::SalesSuspended.into());
    }
    let rules = judge
        .state
        .rules_for(sold.first_draw)
        .cloned()
        .ok_or(Refusal::NoRules)?;
    check_draws(
        |draw| judge.state.draws.get(&draw).map(|draw| draw.state),
        judge.state.next_open(),
        sold.first_draw,
        sold.last_draw,
        rules.rules.limits.draws_ahead_max,
    )?;
    if rules.rules.version != sold.rule_book {
        // A version took effect in between: the slip must be priced again.
        return Err(Refusal::NoRules.into());
    }
    if let Some(earlier) = sold.replay_of {
        judge.settle_rows()?;
        if tickets::find(judge.connection, earlier)?.is_none() {
            return Err(Refusal::ReplayUnknown.into());
        }
    }
    if let Some(limit) = rules.rules.liability_max {
        check_liability(judge, sold, exposure, limit)?;
    }
    // The moment of the batch decides, so that anyone can count the day again from the record.
    let draws_at_ms = judge.state.draws.get(&sold.last_draw);
    let draws_at_ms = draws_at_ms.map_or(judge.now_ms, |draw| draw.draws_at_ms);
    let days = rules.rules.claim.days;
    let claim_by = claim_day(judge.calendar, draws_at_ms, judge.now_ms, days);
    Ok((claim_by != sold.claim_by).then(|| TicketSold {
        claim_by,
        ..sold.clone()
    }))
}

/// The last day to claim a ticket (s. 86): so many days after its last draw, or after its sale when
/// that draw is late, so that nobody buys a ticket whose claim period is over before its draw.
fn claim_day(calendar: Calendar, draws_at_ms: i64, sold_at_ms: i64, days: u16) -> u32 {
    calendar.day_after(draws_at_ms.max(sold_at_ms), days)
}

/// The largest sum of top prizes on the same numbers must stay within the limit, in every draw of
/// the ticket. What the ticket adds was worked out before the writer.
fn check_liability(
    judge: &Judge<'_>,
    sold: &TicketSold,
    exposure: &[(u128, i64)],
    limit: Cents,
) -> Result<(), Refusal> {
    let is_over = |carried: i64, top: i64| carried.saturating_add(top) > limit.get();
    if exposure.iter().any(|(_, top)| is_over(0, *top)) {
        return Err(Refusal::LiabilityOverLimit);
    }
    for (_, sums) in judge
        .state
        .liability
        .range(sold.first_draw..=sold.last_draw)
    {
        let carried = |numbers| sums.get(numbers).copied().unwrap_or(0);
        let mut added = exposure.iter();
        if added.any(|(numbers, top)| is_over(carried(numbers), *top)) {
            return Err(Refusal::LiabilityOverLimit);
        }
    }
    Ok(())
}

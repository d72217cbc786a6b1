//! A ticket, its selections and its draws, as replies say them.

use keno_game::{BallSet, ControlNumber, DrawSource, Intake, SelectionType, Tender, TicketState};
use keno_log::event::{SelectionRecord, TicketCancelled, TicketSold};
use keno_record::calendar::day_text;
use keno_record::fault::Fault;
use keno_record::past_draws::draw_range;
use keno_record::state::PublishedRules;
use keno_record::ticket::Ticket;
use keno_record::view::{DrawInfo, View};
use keno_schema::Connection;
use keno_service::central::Central;
use keno_service::counter::{Paper, Quote, Recorded, Sold};
use keno_service::staff::Badge;
use keno_wire::ClaimCode;
use keno_wire::coded::Name;
use keno_wire::reply::{
    Bilingual, CancelReply, CommitmentView, ConditioningView, DrawTime, DrawView, LeafRef,
    PriceReply, SealView, SelectionView, SellReply, SettlementView, TicketReference, TicketView,
};
use keno_wire::request::CommandKey;
use keno_words::counter as words;
use std::sync::Arc;

pub(super) fn key(key: &keno_log::CommandKey) -> CommandKey {
    CommandKey {
        session: key.session,
        counter: key.counter,
    }
}

/// The name of a recorded tender.
pub fn tender_name(number: u8) -> Name<Tender> {
    Tender::from_number(number).into()
}

/// The state of a ticket in the record.
pub(crate) fn ticket_state(ticket: &Ticket) -> TicketState {
    TicketState::from_code(ticket.state).unwrap_or(TicketState::VoidUnpaid)
}

/// A draw and its planned moment in the house's zone.
pub fn draw_time(central: &Central, draw: u64, draws_at_ms: i64) -> DrawTime {
    DrawTime {
        draw,
        draws_at_ms,
        local: central.calendar.minute_text(draws_at_ms),
        zone_mark: central.calendar.zone_mark(draws_at_ms).to_owned(),
    }
}

/// When a draw is planned: from memory, else from the record.
///
/// # Errors
/// The database's, or [`Fault::Record`] for a draw that is not there.
pub fn time_of(central: &Central, view: &View, draw: u64) -> Result<DrawTime, Fault> {
    if let Some(known) = view.draws.get(&draw) {
        return Ok(draw_time(central, draw, known.draws_at_ms()));
    }
    draw_range(central, draw, draw)?
        .first()
        .map(|found| draw_time(central, draw, found.draws_at_ms()))
        .ok_or_else(|| Fault::Record(format!("draw {draw} is missing")))
}

fn selection_view(record: &SelectionRecord, rules: Option<&PublishedRules>) -> SelectionView {
    let game = rules.and_then(|rules| rules.rules.game(&record.game));
    SelectionView {
        game: record.game.clone(),
        game_name: Bilingual::new(
            game.map_or(&record.game, |game| &game.name_fr),
            game.map_or(&record.game, |game| &game.name_en),
        ),
        kind: SelectionType::from_number(record.kind).into(),
        quick_pick: record.quick_pick,
        groups: record.groups.clone(),
        kings: record.kings.clone(),
        conditioning: record
            .conditioning
            .iter()
            .map(|line| ConditioningView {
                ways: line.ways,
                spots: line.spots,
                wager_cents: line.wager_cents,
            })
            .collect(),
        per_draw_cents: record.conditioning.iter().fold(0, |sum: i64, line| {
            sum.saturating_add(line.wager_cents.saturating_mul(i64::from(line.ways)))
        }),
    }
}

/// Numbers of a recorded selection.
pub(crate) fn numbers_of(record: &SelectionRecord) -> BallSet {
    record
        .groups
        .iter()
        .chain([&record.kings])
        .filter_map(|numbers| BallSet::from_numbers(numbers).ok())
        .fold(BallSet::EMPTY, BallSet::union)
}

/// What a slip costs.
///
/// # Errors
/// A fault when a draw cannot be read.
pub fn price_reply(central: &Central, quote: &Quote) -> Result<PriceReply, Fault> {
    let view = central.view.get();
    let selections = quote
        .selections()
        .map(|selection| {
            let mut shown = selection_view(&selection, Some(&quote.rules));
            if shown.quick_pick {
                // The numbers of a quick pick are chosen at the sale, not before.
                shown.groups.clear();
            }
            shown
        })
        .collect();
    Ok(PriceReply {
        selections,
        first: time_of(central, &view, quote.first_draw)?,
        last: time_of(central, &view, quote.last_draw)?,
        draws: draws_between(quote.first_draw, quote.last_draw),
        per_draw_cents: quote.priced.per_draw.get(),
        total_cents: quote.priced.total.get(),
    })
}

fn draws_between(first: u64, last: u64) -> u32 {
    u32::try_from((last + 1).saturating_sub(first)).unwrap_or(u32::MAX)
}

/// A ticket as a reply says it.
#[derive(Debug, Clone, Copy)]
pub struct Said<'a> {
    /// Leaf of the ticket.
    pub ticket: u64,
    /// What was registered.
    pub sold: &'a TicketSold,
    /// When.
    pub sold_at_ms: i64,
    /// Copy index of the paper.
    pub copy: u8,
    /// Whether the claim code may be said: only to who prints this copy.
    pub secret: Secret,
}

impl<'a> Said<'a> {
    /// A ticket on its newest paper.
    pub fn of(ticket: &'a Ticket, secret: Secret) -> Self {
        Self {
            ticket: ticket.number,
            sold: &ticket.sale,
            sold_at_ms: ticket.sold_at_ms,
            copy: ticket.copy,
            secret,
        }
    }
}

/// Whether a reply carries the claim code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secret {
    /// The reply goes to who prints the paper.
    Said,
    /// The reply goes to who has shown the paper.
    Withheld,
    /// Anything else: not even the number is said.
    Masked,
}

/// The claim code of a copy, with the newest checkpoint. Two replies to the same key may name
/// different checkpoints: both are true.
fn claim_code(central: &Central, said: &Said<'_>, number: ControlNumber) -> Result<String, Fault> {
    let copy = said.copy;
    let code = Paper::whole_code(central, said.sold.secret_key, &number, copy)
        .ok_or(Fault::Crypto("the claim key of a ticket is missing"))?;
    Ok(ClaimCode {
        control_number: number,
        copy,
        secret: code.secret,
        log_size: code.log_size,
        log_root: code.log_root,
        mark: code.mark,
    }
    .text())
}

/// Everything that a ticket says. Reads the record when its draws are not in memory.
///
/// # Errors
/// A fault.
pub fn ticket_view(central: &Central, said: Said<'_>) -> Result<TicketView, Fault> {
    let view = central.view.get();
    let sold = said.sold;
    let number = Paper::control_number(central, said.ticket);
    let rules: &Arc<PublishedRules> = view
        .rule_books
        .get(&sold.rule_book)
        .ok_or_else(|| Fault::Record(format!("ticket {} has no rule book", said.ticket)))?;
    let first = time_of(central, &view, sold.first_draw)?;
    let last = match sold.last_draw == sold.first_draw {
        true => first.clone(),
        false => time_of(central, &view, sold.last_draw)?,
    };
    Ok(TicketView {
        ticket: said.ticket,
        house_name: central.house_name.clone(),
        control_number: match said.secret {
            Secret::Said | Secret::Withheld => number.digits(),
            Secret::Masked => number.masked(),
        },
        claim_code: match said.secret {
            Secret::Said => Some(claim_code(central, &said, number)?),
            Secret::Withheld | Secret::Masked => None,
        },
        copy: said.copy,
        selections: sold
            .selections
            .iter()
            .map(|record| selection_view(record, Some(rules)))
            .collect(),
        first,
        last,
        draws: draws_between(sold.first_draw, sold.last_draw),
        per_draw_cents: sold.per_draw_cents,
        total_cents: sold.total_cents,
        tender: tender_name(sold.tender),
        received_cents: sold.received_cents,
        change_cents: Tender::from_number(sold.tender).map_or(0, |tender| {
            tender.change_cents(sold.received_cents, sold.total_cents)
        }),
        sold_at_ms: said.sold_at_ms,
        sold_at_local: central.calendar.second_text(said.sold_at_ms),
        cap_cents: sold.cap_cents,
        claim_by: day_text(sold.claim_by),
        claim_place: Bilingual::new(&rules.rules.claim.place_fr, &rules.rules.claim.place_en),
        cage_from_cents: rules.rules.payout.cage.get(),
        cage_place: Bilingual::new(&rules.rules.claim.cage_fr, &rules.rules.claim.cage_en),
        rules_place: Bilingual::new(&rules.texts.rules_place_fr, &rules.texts.rules_place_en),
        notice: Bilingual::new(&rules.texts.notice_fr, &rules.texts.notice_en),
        rule_book: sold.rule_book,
        terminal: terminal_name(&view, sold.key.device),
        badge: sold.badge.clone(),
        intake: Intake::from_number(sold.intake).into(),
    })
}

pub(crate) fn terminal_name(view: &View, device: u32) -> String {
    view.devices
        .get(&device)
        .map_or_else(|| device.to_string(), |device| device.name.clone())
}

/// The reply to a sale.
///
/// # Errors
/// A fault.
pub fn sell_reply(central: &Central, sold: &Sold) -> Result<SellReply, Fault> {
    Ok(SellReply {
        key: key(&sold.sold.key),
        ticket: ticket_view(
            central,
            Said {
                ticket: sold.ticket,
                sold: &sold.sold,
                sold_at_ms: sold.sold_at_ms,
                copy: 1,
                secret: if sold.secret_may_be_said {
                    Secret::Said
                } else {
                    Secret::Masked
                },
            },
        )?,
        repeated: sold.repeated,
        without_paper: without_paper(central, sold),
        notice: certifies_no_more(&central.view.get(), &sold.sold),
    })
}

/// What a seller with a draw role is told: the draws of the ticket are certified by others.
fn certifies_no_more(view: &View, sold: &TicketSold) -> Option<Bilingual> {
    if !Badge(&sold.badge).certifies(view) {
        return None;
    }
    let (first, last) = (&sold.first_draw, &sold.last_draw);
    Some(match first == last {
        true => Bilingual::of(&words::CertifiesDrawNoMore { first }),
        false => Bilingual::of(&words::CertifiesDrawsNoMore { first, last }),
    })
}

/// A sale by reference, when no paper of it is known to be whole and none can be printed alone.
pub fn without_paper(central: &Central, sold: &Sold) -> Option<TicketReference> {
    sold.is_without_paper.then(|| TicketReference {
        ticket: sold.ticket,
        number: Paper::control_number(central, sold.ticket).masked(),
        terminal: terminal_name(&central.view.get(), sold.sold.key.device),
        sold_at_local: central.calendar.second_text(sold.sold_at_ms),
    })
}

/// The reply to a cancellation.
///
/// # Errors
/// A fault.
pub fn cancel_reply(
    central: &Central,
    cancelled: &Recorded<TicketCancelled>,
) -> Result<CancelReply, Fault> {
    let event = &cancelled.event;
    let sold = Ticket::must_read(&mut *central.readers.get()?, event.ticket)?.sale;
    // The change of a chip that no record of before says stays where it is.
    let above_cents = match Tender::from_number(event.tender) {
        Some(Tender::Coupon) => sold.received_cents - sold.total_cents,
        _ => sold.chip_change_cents,
    };
    Ok(CancelReply {
        key: key(&event.key),
        leaf: cancelled.leaf,
        control_number: Paper::control_number(central, event.ticket).digits(),
        refund_cents: event.refund_cents,
        above_cents,
        change_cents: sold.chip_change_cents,
        tender: tender_name(event.tender),
        at_local: central.calendar.second_text(cancelled.at_ms),
        terminal: terminal_name(&central.view.get(), event.key.device),
        badge: event.badge.clone(),
        house_name: central.house_name.clone(),
        repeated: cancelled.repeated,
    })
}

/// A draw as anyone may see it at `now_ms`.
pub fn draw_view(central: &Central, draw: &DrawInfo, now_ms: i64) -> DrawView {
    let (pool, drawn) = draw.pool();
    DrawView {
        draw: draw_time(central, draw.number(), draw.draws_at_ms()),
        state: draw.state().into(),
        closes_at_ms: draw.closes_at_ms(),
        source: DrawSource::from_number(draw.source()).into(),
        ball_set: draw.ball_set().map(str::to_owned),
        balls: draw
            .shown(now_ms, central.schedule.ball_interval_ms)
            .to_vec(),
        drawn,
        pool,
        cap_cents: draw.cap_cents(),
        commitments: draw
            .holders()
            .iter()
            .map(|holder| CommitmentView {
                holder: holder.name.clone(),
                commitment: holder.commitment.map(hex::encode).unwrap_or_default(),
                secret: holder.secret.map(hex::encode),
            })
            .collect(),
        seal: draw.seal().map(|(seal, tickets)| SealView {
            size: seal.size,
            root: hex::encode(seal.root),
            tickets,
        }),
        settlement: draw.settlement().map(|settlement| SettlementView {
            winners: settlement.winners,
            computed_cents: settlement
                .small_cents
                .saturating_add(settlement.large_cents),
            payable_cents: settlement.payable_cents,
            large_factor: format!(
                "{}/{}",
                settlement.large_numerator, settlement.large_denominator
            ),
            small_factor: format!(
                "{}/{}",
                settlement.small_numerator, settlement.small_denominator
            ),
            breakage_cents: settlement.breakage_cents,
            prize_root: hex::encode(settlement.prize_root),
        }),
        leaves: draw
            .leaves()
            .iter()
            .map(|(kind, leaf, at_ms)| LeafRef {
                kind: kind.name().to_owned(),
                leaf: *leaf,
                at_ms: *at_ms,
            })
            .collect(),
    }
}

/// A ticket by reference. Of one whose leaves do not hold, nothing is said but where it stands.
///
/// # Errors
/// The database's.
pub fn ticket_reference(
    central: &Central,
    reader: &mut Connection,
    ticket: u64,
) -> Result<TicketReference, Fault> {
    let said = Ticket::if_it_holds(reader, ticket)?.map(|ticket| {
        let terminal = terminal_name(&central.view.get(), ticket.device);
        (terminal, central.calendar.second_text(ticket.sold_at_ms))
    });
    let (terminal, sold_at_local) = said.unwrap_or_else(|| ("?".to_owned(), "?".to_owned()));
    Ok(TicketReference {
        ticket,
        number: Paper::control_number(central, ticket).masked(),
        terminal,
        sold_at_local,
    })
}

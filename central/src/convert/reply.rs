//! What the service knows, as replies say it.

use std::sync::Arc;

use keno_game::{
    BallSet, ControlNumber, DrawSource, DrawState, Intake, PaidKind, SelectionType, Tender,
    TicketState,
};
use keno_log::event::{
    LostTicketRefunded, PrizePaid, SelectionRecord, TicketCancelled, TicketSold, TillCounted,
    TillMoved,
};
use keno_record::calendar::day_text;
use keno_record::fault::Fault;
use keno_record::past_draws::draw_range;
use keno_record::project::sale_of;
use keno_record::state::PublishedRules;
use keno_record::ticket::Ticket;
use keno_record::view::{DrawInfo, View};
use keno_schema::Connection;
use keno_service::authority::identity::Caller;
use keno_service::central::Central;
use keno_service::counter;
use keno_service::counter::{
    Answered, DueKind, DueState, Named, Paper, Presented, Quote, Recorded, Sold, TicketDraw,
    Verdict,
};
use keno_service::staff::Badge;
use keno_wire::ClaimCode;
use keno_wire::coded::{Due, Name, Payment, TicketDrawState};
use keno_wire::reply::{
    Bilingual, CancelReply, CheckReply, CommitmentView, ConditioningView, DrawTime, DrawView,
    LeafRef, LostRefundReply, PaidItemView, PayReply, PresentationReply, PriceReply, SealView,
    SelectionView, SellReply, SettlementView, TicketDrawView, TicketReference, TicketView,
    TillCountReply, TillMovementReply, VerdictView,
};
use keno_wire::request::{CommandKey, PayItem, TillMovementKind};
use keno_words::counter as words;

fn key(key: &keno_log::CommandKey) -> CommandKey {
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
        change_cents: sold.received_cents - sold.total_cents,
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
pub fn cancel_reply(central: &Central, cancelled: &Recorded<TicketCancelled>) -> CancelReply {
    let event = &cancelled.event;
    CancelReply {
        key: key(&event.key),
        leaf: cancelled.leaf,
        control_number: Paper::control_number(central, event.ticket).digits(),
        refund_cents: event.refund_cents,
        tender: tender_name(event.tender),
        at_local: central.calendar.second_text(cancelled.at_ms),
        terminal: terminal_name(&central.view.get(), event.key.device),
        badge: event.badge.clone(),
        house_name: central.house_name.clone(),
        repeated: cancelled.repeated,
    }
}

/// The reply to the refund of a lost ticket.
pub fn lost_refund_reply(
    central: &Central,
    refunded: &Recorded<LostTicketRefunded>,
) -> LostRefundReply {
    let event = &refunded.event;
    LostRefundReply {
        key: key(&event.key),
        leaf: refunded.leaf,
        shift: event.shift,
        amount_cents: event.amount_cents,
        tender: tender_name(event.tender),
        reason: event.reason.clone(),
        at_local: central.calendar.second_text(refunded.at_ms),
        terminal: terminal_name(&central.view.get(), event.key.device),
        badge: event.badge.clone(),
        second: event.second.clone(),
        house_name: central.house_name.clone(),
        repeated: refunded.repeated,
    }
}

/// The reply to a payment. Reads the record.
///
/// # Errors
/// A fault.
pub fn pay_reply(central: &Central, paid: &Recorded<PrizePaid>) -> Result<PayReply, Fault> {
    let event = &paid.event;
    let sold = sale_of(&mut *central.readers.get()?, event.ticket)?;
    let draws = draw_range(central, sold.first_draw, sold.last_draw)?;
    let draws_left = draws
        .iter()
        .filter(|draw| !matches!(draw.state(), DrawState::Settled | DrawState::Void))
        .count();
    Ok(PayReply {
        key: key(&event.key),
        payment: paid.leaf,
        control_number: Paper::control_number(central, event.ticket).digits(),
        items: event
            .items
            .iter()
            .map(|item| PaidItemView {
                draw: item.draw,
                kind: PaidKind::from_number(item.kind).into(),
                amount_cents: item.amount_cents,
            })
            .collect(),
        total_cents: event.total_cents,
        cash_cents: if event.tender == Tender::Cash {
            event.total_cents + event.rounding_cents
        } else {
            0
        },
        tender: tender_name(event.tender),
        draws_left: u32::try_from(draws_left).unwrap_or(u32::MAX),
        at_local: central.calendar.second_text(paid.at_ms),
        terminal: terminal_name(&central.view.get(), event.key.device),
        badge: event.badge.clone(),
        second: event.second.clone(),
        house_name: central.house_name.clone(),
        report_cents: paid.report_cents(central)?,
        repeated: paid.repeated,
    })
}

/// Which way cash goes, as a request says it.
pub const fn till_movement_kind(kind: TillMovementKind) -> counter::TillMovementKind {
    match kind {
        TillMovementKind::Fill => counter::TillMovementKind::Fill,
        TillMovementKind::Drop => counter::TillMovementKind::Drop,
    }
}

/// The reply to a count in the middle of a shift.
pub fn till_count_reply(central: &Central, counted: &Recorded<TillCounted>) -> TillCountReply {
    let event = &counted.event;
    TillCountReply {
        leaf: counted.leaf,
        shift: event.shift,
        counted_cents: event.counted_cents,
        expected_cents: event.expected_cents,
        difference_cents: event.counted_cents.saturating_sub(event.expected_cents),
        reason: event.reason.clone(),
        at_local: central.calendar.second_text(counted.at_ms),
        terminal: terminal_name(&central.view.get(), event.device),
        badge: event.by.clone(),
        second: event.second.clone(),
        house_name: central.house_name.clone(),
    }
}

/// The reply to a presentation.
pub fn presentation_reply(
    central: &Central,
    caller: &Caller,
    presented: &Presented,
) -> PresentationReply {
    let ticket = presented.ticket.number;
    let digits = Paper::control_number(central, ticket).digits();
    let (_, end) = digits.split_at(digits.len().saturating_sub(4));
    PresentationReply {
        leaf: presented.leaf,
        ticket,
        number_end: end.to_owned(),
        presented_at_local: central.calendar.second_text(presented.at_ms),
        claim_by: day_text(presented.claim_until),
        draws: presented.draws.clone(),
        repeated: !presented.is_first,
        terminal: terminal_name(&central.view.get(), caller.device.device),
        badge: caller.badge.clone(),
        house_name: central.house_name.clone(),
    }
}

/// The reply to a fill or a drop.
///
/// # Errors
/// A fault, when the record holds no such movement.
pub fn till_movement_reply(
    central: &Central,
    moved: &Recorded<TillMoved>,
) -> Result<TillMovementReply, Fault> {
    let event = &moved.event;
    let kind = match counter::TillMovementKind::from_number(event.kind) {
        Some(counter::TillMovementKind::Fill) => TillMovementKind::Fill,
        Some(counter::TillMovementKind::Drop) => TillMovementKind::Drop,
        None => {
            let kind = event.kind;
            return Err(Fault::Record(format!(
                "leaf {}: movement {kind}",
                moved.leaf
            )));
        }
    };
    Ok(TillMovementReply {
        key: key(&event.key),
        movement: moved.leaf,
        shift: event.shift,
        kind,
        amount_cents: event.amount_cents,
        at_local: central.calendar.second_text(moved.at_ms),
        terminal: terminal_name(&central.view.get(), event.key.device),
        badge: event.by.clone(),
        second: event.second.clone(),
        house_name: central.house_name.clone(),
        repeated: moved.repeated,
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

/// One draw of a ticket. Numbers and catches show once the last number has been shown.
pub fn ticket_draw_view(
    central: &Central,
    ticket_draw: &TicketDraw,
    selections: &[SelectionRecord],
    now_ms: i64,
) -> TicketDrawView {
    let draw = &ticket_draw.draw;
    let state = match draw.state() {
        DrawState::Scheduled | DrawState::Open => TicketDrawState::ToCome,
        DrawState::Settled => TicketDrawState::Settled,
        DrawState::Void => TicketDrawState::Void,
        DrawState::Closed
        | DrawState::Drawing
        | DrawState::Drawn
        | DrawState::Official
        | DrawState::Suspended => TicketDrawState::BeingVerified,
    };
    let (_, drawn) = draw.pool();
    let balls = match draw.state() {
        DrawState::Official | DrawState::Settled => {
            draw.shown(now_ms, central.schedule.ball_interval_ms)
        }
        _ => &[],
    };
    let winning = BallSet::from_numbers(balls)
        .ok()
        .filter(|_| balls.len() == usize::from(drawn));
    TicketDrawView {
        draw: draw_time(central, draw.number(), draw.draws_at_ms()),
        state: state.into(),
        balls: balls.to_vec(),
        caught: winning.map_or_else(Vec::new, |winning| {
            selections
                .iter()
                .map(|record| numbers_of(record).intersection(winning).len())
                .collect()
        }),
        computed_cents: ticket_draw.computed_cents,
        payable_cents: ticket_draw.payable_cents,
        kind: match ticket_draw.kind {
            DueKind::None => Due::Nothing,
            DueKind::Prize => Due::Prize,
            DueKind::Refund => Due::Refund,
        }
        .into(),
        payment: match ticket_draw.due {
            DueState::None => Payment::Nothing,
            DueState::Unpaid => Payment::Unpaid,
            DueState::Paid { .. } => Payment::Paid,
            DueState::Expired => Payment::Expired,
        }
        .into(),
    }
}

/// A verdict in words, with or without amounts.
pub(crate) fn verdict_view(verdict: &Verdict, amounts: bool) -> VerdictView {
    VerdictView {
        code: verdict.name().into(),
        sentence: Bilingual::of(verdict.words(amounts)),
    }
}

/// The reply to an inquiry about a ticket that exists.
///
/// Without its paper's code the reply says the verdict alone, and not even that the prize is one
/// for the cage. `knows_refusals` is for who is signed on, never for a patron: a holder who was not
/// paid is told of.
///
/// # Errors
/// A fault.
pub fn check_reply(
    central: &Central,
    answered: &Answered,
    knows_refusals: bool,
) -> Result<CheckReply, Fault> {
    let (picture, verdict) = (&answered.picture, &answered.verdict);
    let ticket = &picture.ticket;
    let refused = ticket.refused_reason().filter(|_| knows_refusals);
    let patron_refused = refused.and_then(Named::refusal_reason).map(str::to_owned);
    let state = ticket_state(ticket);
    if !answered.is_whole {
        let verdict = match verdict {
            Verdict::WinnerAtCage => &Verdict::Winner { cents: 0 },
            // Whoever has only seen its number need not learn what it is worth.
            Verdict::WinHeld { .. } => &Verdict::InDoubt,
            other => other,
        };
        return Ok(CheckReply {
            code_needed: true,
            patron_refused,
            ..bare_check_reply(verdict, Some(state))
        });
    }
    let selections = &ticket.sale.selections;
    let ticket = ticket_view(central, Said::of(ticket, Secret::Withheld))?;
    let now_ms = central.clock.now_ms();
    let payable: Vec<PayItem> = answered
        .payable()
        .into_iter()
        .map(|(draw, amount_cents)| PayItem { draw, amount_cents })
        .collect();
    let total: i64 = payable
        .iter()
        .fold(0, |sum: i64, item| sum.saturating_add(item.amount_cents));
    let claim_by = answered
        .claim_until()
        .map_or_else(|| ticket.claim_by.clone(), day_text);
    Ok(CheckReply {
        payable_cents: Some(total),
        payable,
        ticket: Some(TicketView { claim_by, ..ticket }),
        draws: picture
            .draws
            .iter()
            .map(|draw| ticket_draw_view(central, draw, selections, now_ms))
            .collect(),
        second_person: total > 0 && answered.takes_two(central, knows_refusals),
        patron_refused,
        verdict: verdict_view(verdict, true),
        ..bare_check_reply(verdict, Some(state))
    })
}

/// What a counter is told of a ticket that wins and whose number alone was typed: the public
/// sentence would send its patron there.
pub fn at_a_counter(reply: CheckReply, verdict: &Verdict) -> CheckReply {
    let wins = matches!(
        verdict,
        Verdict::Winner { .. } | Verdict::WinnerAtCage | Verdict::DrawCancelled { .. }
    );
    if !reply.code_needed || !wins {
        return reply;
    }
    let sentence = Bilingual::of(&words::WinnerNeedsCode);
    let verdict = VerdictView {
        sentence,
        ..reply.verdict
    };
    CheckReply { verdict, ..reply }
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

/// The reply about a paper that leads to no ticket, or to none that counts.
pub fn bare_check_reply(verdict: &Verdict, state: Option<TicketState>) -> CheckReply {
    CheckReply {
        verdict: verdict_view(verdict, false),
        payable_cents: None,
        payable: Vec::new(),
        ticket: None,
        draws: Vec::new(),
        state: state.map(Name::Known),
        second_person: false,
        code_needed: false,
        till_short: false,
        for_the_cage: false,
        patron_refused: None,
    }
}

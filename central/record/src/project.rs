//! From events to rows. The tables are projections of the leaves: the same function writes them
//! while the house runs and when `rebuild` makes them again.

use std::fmt::Write;

use keno_game::{DrawState, TicketState};
use keno_log::event::{
    ActingMade, ActingNamed, LostTicketRefunded, PrizePaid, SelectionRecord, TicketSold,
};
use keno_log::{CommandKey, Event, LeafHeader};
use keno_schema::Connection;
use keno_schema::rows::{
    CommandKeyRow, DamagedFileRow, DeviceRow, DrawHolderRow, DrawResultRow, DrawRow,
    DrawSettlementRow, EpochRow, HandOverRow, HouseRow, LogEntryRow, LostRefundRow, PaymentItemRow,
    PaymentRow, PersonRow, RuleBookRow, SessionRow, ShiftRow, SilenceRow, TicketFactRow, TicketRow,
    TillCountRow, TillMovementRow,
};

use crate::fault::Fault;
use crate::state::{KeyKind, State};
use crate::store::{big, damaged, draws, house, log, lost, payments, people, tickets, unbig};

/// Rows of frequent facts, held back to be written many at a time.
#[derive(Debug, Default)]
pub struct PendingRows {
    /// Entries of the record.
    pub entries: Vec<LogEntryRow>,
    tickets: Vec<TicketRow>,
    keys: Vec<CommandKeyRow>,
    facts: Vec<TicketFactRow>,
}

impl PendingRows {
    /// Writes what is held back, in the order of the references.
    ///
    /// # Errors
    /// The database's.
    pub fn flush(&mut self, connection: &mut Connection) -> Result<(), Fault> {
        if !self.entries.is_empty() {
            log::insert_entries(connection, &self.entries)?;
            self.entries.clear();
        }
        if !self.tickets.is_empty() {
            tickets::insert(connection, &self.tickets)?;
            self.tickets.clear();
        }
        if !self.keys.is_empty() {
            tickets::insert_keys(connection, &self.keys)?;
            self.keys.clear();
        }
        if !self.facts.is_empty() {
            tickets::insert_facts(connection, &self.facts)?;
            self.facts.clear();
        }
        Ok(())
    }

    /// Forgets what is held back: its transaction is undone.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.tickets.clear();
        self.keys.clear();
        self.facts.clear();
    }

    fn key(&mut self, key: &CommandKey, kind: KeyKind, content_hash: &[u8], leaf: u64) {
        self.keys.push(CommandKeyRow {
            device: i64::from(key.device),
            session: big(key.session),
            counter: big(key.counter),
            kind: kind as i16,
            content_hash: content_hash.to_vec(),
            leaf: big(leaf),
        });
    }

    fn fact(&mut self, ticket: u64, header: &LeafHeader) {
        self.facts.push(TicketFactRow {
            leaf: big(header.index),
            ticket: big(ticket),
            kind: i16::from(header.kind.number()),
        });
    }

    /// True when the ticket's own row is still held back.
    fn holds(&self, ticket: u64) -> bool {
        self.tickets
            .first()
            .is_some_and(|first| first.number <= big(ticket))
    }
}

/// A selection as text in the ticket's row: for people who read the table.
pub fn selection_text(selection: &SelectionRecord) -> String {
    let mut text = String::with_capacity(64);
    write_selection(&mut text, selection);
    text
}

/// Two digits at least, as on paper.
fn write_number(text: &mut String, number: u8) {
    if number < 10 {
        text.push('0');
    }
    // Writing to a text cannot fail.
    let _ = write!(text, "{number}");
}

fn write_selection(text: &mut String, selection: &SelectionRecord) {
    let is_straight = selection.kind == 1;
    text.push_str(&selection.game);
    if selection.quick_pick {
        text.push_str(" QP");
    }
    for king in &selection.kings {
        text.push_str(" K");
        write_number(text, *king);
    }
    for group in &selection.groups {
        text.push_str(if is_straight { " " } else { " (" });
        for (at, number) in group.iter().enumerate() {
            if at > 0 {
                text.push(' ');
            }
            write_number(text, *number);
        }
        if !is_straight {
            text.push(')');
        }
    }
    for line in &selection.conditioning {
        if !is_straight {
            let _ = write!(text, " {}/{}", line.ways, line.spots);
        }
        let cents = line.wager_cents;
        let _ = write!(text, " @ {}.{:02}", cents / 100, cents % 100);
    }
}

fn ticket_row(header: &LeafHeader, sold: &TicketSold) -> TicketRow {
    let mut selections = String::with_capacity(64 * sold.selections.len());
    for (at, selection) in sold.selections.iter().enumerate() {
        if at > 0 {
            selections.push_str("; ");
        }
        write_selection(&mut selections, selection);
    }
    TicketRow {
        number: big(header.index),
        control_hash: sold.control_hash.to_vec(),
        device: i64::from(sold.key.device),
        session: big(sold.key.session),
        counter: big(sold.key.counter),
        control_attempt: i16::from(sold.control_attempt),
        // Key ids are counted from 1 and never reach 32,768.
        secret_key: i16::try_from(sold.secret_key).unwrap_or(i16::MAX),
        rule_book: i64::from(sold.rule_book),
        first_draw: big(sold.first_draw),
        last_draw: big(sold.last_draw),
        selections,
        per_draw_cents: sold.per_draw_cents,
        total_cents: sold.total_cents,
        cap_cents: sold.cap_cents,
        claim_by: i64::from(sold.claim_by),
        tender: i16::from(sold.tender),
        received_cents: sold.received_cents,
        badge: sold.badge.clone(),
        shift: big(sold.shift),
        intake: i16::from(sold.intake),
        replay_of: sold.replay_of.map(big),
        sold_at_ms: header.at_ms,
        state: i16::from(TicketState::Sold.code()),
        copy: 1,
        confirmed_copy: 0,
        presented_at_ms: None,
        held_leaf: None,
        released_leaf: None,
        refused_reason: None,
    }
}

fn lost_refund_row(header: &LeafHeader, body: &LostTicketRefunded) -> LostRefundRow {
    LostRefundRow {
        leaf: big(header.index),
        control_hash: body.control_hash.to_vec(),
        sold_epoch: i64::from(body.sold_epoch),
        paper_size: big(body.paper_size),
        amount_cents: body.amount_cents,
        tender: i16::from(body.tender),
        reason: body.reason.clone(),
        badge: body.badge.clone(),
        second: body.second.clone(),
        shift: big(body.shift),
        refunded_at_ms: header.at_ms,
    }
}

fn pay(connection: &mut Connection, header: &LeafHeader, body: &PrizePaid) -> Result<(), Fault> {
    payments::insert_payment(
        connection,
        &PaymentRow {
            number: big(header.index),
            ticket: big(body.ticket),
            total_cents: body.total_cents,
            tender: i16::from(body.tender),
            rounding_cents: body.rounding_cents,
            path: i16::from(body.path),
            badge: body.badge.clone(),
            second: body.second.clone(),
            shift: big(body.shift),
            paid_at_ms: header.at_ms,
            reversed_leaf: None,
        },
    )?;
    let items: Vec<PaymentItemRow> = body
        .items
        .iter()
        .map(|item| PaymentItemRow {
            payment: big(header.index),
            draw: big(item.draw),
            ticket: big(body.ticket),
            kind: i16::from(item.kind),
            amount_cents: item.amount_cents,
            reversed: 0,
        })
        .collect();
    payments::insert_items(connection, &items)?;
    Ok(())
}

/// Projects one event. `state` is the memory *after* the event was applied to it.
///
/// Prizes are not written here: they are computed from the wagers, in slices while the house
/// runs and at the settling leaf during a rebuild.
///
/// # Errors
/// The database's, or [`Fault::Record`].
pub fn project(
    connection: &mut Connection,
    pending: &mut PendingRows,
    state: &State,
    header: &LeafHeader,
    event: &Event,
) -> Result<(), Fault> {
    let leaf = big(header.index);
    match event {
        Event::TicketSold(body) => {
            pending.tickets.push(ticket_row(header, body));
            pending.key(&body.key, KeyKind::Sale, &body.content_hash, header.index);
            return Ok(());
        }
        Event::KeyClosed(body) => {
            pending.key(&body.key, KeyKind::Closed, &[0; 32], header.index);
            return Ok(());
        }
        Event::PrintConfirmed(body) => {
            if pending.holds(body.ticket) {
                pending.flush(connection)?;
            }
            pending.fact(body.ticket, header);
            tickets::set_confirmed(connection, big(body.ticket), i16::from(body.copy))?;
            return Ok(());
        }
        _ => {}
    }
    // Everything else is rare, and may rest on rows that are held back.
    pending.flush(connection)?;
    if let Some(silence) = state
        .silences
        .last()
        .filter(|silence| silence.leaf == header.index)
    {
        house::insert_silence(
            connection,
            &SilenceRow {
                leaf,
                served_leaf: big(silence.served_leaf),
            },
        )?;
    }
    match event {
        Event::TicketSold(_) | Event::KeyClosed(_) | Event::PrintConfirmed(_) => {}
        Event::HouseOpened(body) => {
            house::insert_house(
                connection,
                &HouseRow {
                    id: 1,
                    code: body.house.clone(),
                    name: body.name.clone(),
                    zone: body.zone.clone(),
                    log_key: body.log_key.clone(),
                    first_draw: big(body.first_draw),
                    sales_suspended_leaf: None,
                    schedule_halted_leaf: None,
                    fence: 0,
                    instance: String::new(),
                },
            )?;
        }
        Event::RuleBookPublished(body) => {
            house::insert_rules(
                connection,
                &RuleBookRow {
                    version: i64::from(body.version),
                    effective_from: big(body.effective_from),
                    hash: body.hash.to_vec(),
                    text: body.text.clone(),
                    published_by: body.by.clone(),
                    second: body.second.clone(),
                    leaf,
                },
            )?;
        }
        Event::PersonRecorded(body) => {
            let (named, acting) = acting_leaves(state, &body.badge);
            people::upsert_person(
                connection,
                &PersonRow {
                    badge: body.badge.clone(),
                    staff: body.staff.clone(),
                    name: body.name.clone(),
                    roles: body.roles.clone(),
                    credential: body.credential.to_vec(),
                    must_change: body.must_change,
                    active: body.active,
                    leaf,
                    named_leaf: named,
                    acting_leaf: acting,
                },
            )?;
        }
        Event::ActingNamed(ActingNamed { badge, .. })
        | Event::ActingMade(ActingMade { badge, .. }) => {
            let (named, acting) = acting_leaves(state, badge);
            people::set_acting(connection, badge, named, acting)?;
        }
        Event::DeviceRecorded(body) => {
            people::upsert_device(
                connection,
                &DeviceRow {
                    number: i64::from(body.device),
                    name: body.name.clone(),
                    role: i16::from(body.role),
                    key_hash: body.key_hash.to_vec(),
                    active: body.active,
                    leaf,
                },
            )?;
            if body.active {
                house::return_device(connection, i64::from(body.device), leaf)?;
            }
        }
        Event::SessionOpened(body) => {
            people::insert_session(
                connection,
                &SessionRow {
                    number: big(body.session),
                    device: i64::from(body.device),
                    badge: body.badge.clone(),
                    token_hash: body.token_hash.to_vec(),
                    opened_leaf: leaf,
                    ended_leaf: None,
                },
            )?;
        }
        Event::SessionEnded(body) => {
            people::end_session(connection, big(body.session), leaf)?;
        }
        Event::ShiftOpened(body) => {
            house::insert_shift(
                connection,
                &ShiftRow {
                    number: big(body.shift),
                    device: i64::from(body.device),
                    badge: body.badge.clone(),
                    float_cents: body.float_cents,
                    opened_leaf: leaf,
                    closed_leaf: None,
                    counted_cents: None,
                    expected_cents: None,
                },
            )?;
        }
        Event::ShiftClosed(body) => {
            house::close_shift(
                connection,
                big(body.shift),
                leaf,
                body.counted_cents,
                body.expected_cents,
            )?;
        }
        Event::TillMoved(body) => {
            pending.key(
                &body.key,
                KeyKind::TillMovement,
                &body.content_hash,
                header.index,
            );
            house::insert_movement(
                connection,
                &TillMovementRow {
                    leaf,
                    shift: big(body.shift),
                    kind: i16::from(body.kind),
                    amount_cents: body.amount_cents,
                    moved_by: body.by.clone(),
                    second: body.second.clone(),
                },
            )?;
        }
        Event::TillCounted(body) => {
            house::insert_count(
                connection,
                &TillCountRow {
                    leaf,
                    shift: big(body.shift),
                    device: i64::from(body.device),
                    counted_cents: body.counted_cents,
                    expected_cents: body.expected_cents,
                    reason: body.reason.clone(),
                    counted_by: body.by.clone(),
                    second: body.second.clone(),
                },
            )?;
        }
        Event::EpochOpened(body) => {
            house::insert_epoch(
                connection,
                &EpochRow {
                    number: i64::from(body.epoch),
                    leaf,
                    continues_size: big(body.continues_size),
                    continues_root: body.continues_root.to_vec(),
                    lost_size: big(body.lost_size),
                    lost_root: body.lost_root.to_vec(),
                    next_draw: big(body.next_draw),
                    next_session: big(body.next_session),
                    next_shift: big(body.next_shift),
                    reason: body.reason.clone(),
                    opened_by: body.by.clone(),
                    second: body.second.clone(),
                },
            )?;
            people::end_every_session(connection, leaf)?;
            house::set_marks(
                connection,
                state.sales_suspended.map(big),
                state.schedule_halted.map(big),
            )?;
        }
        Event::DeviceHandedOver(body) => {
            house::insert_hand_over(
                connection,
                &HandOverRow {
                    leaf,
                    device: i64::from(body.device),
                    to_device: i64::from(body.to),
                    shift: body.shift.map(big),
                    reason: body.reason.clone(),
                    handed_by: body.by.clone(),
                    second: body.second.clone(),
                    returned_leaf: None,
                },
            )?;
        }
        Event::LeaseTaken(body) => {
            house::set_lease(connection, big(body.fence), &body.instance)?;
        }
        Event::ScheduleHalted(_)
        | Event::ScheduleConfirmed(_)
        | Event::SalesSuspended(_)
        | Event::SalesResumed(_) => {
            house::set_marks(
                connection,
                state.sales_suspended.map(big),
                state.schedule_halted.map(big),
            )?;
        }
        Event::TicketCancelled(body) => {
            tickets::set_state(
                connection,
                big(body.ticket),
                i16::from(TicketState::Cancelled.code()),
            )?;
            pending.fact(body.ticket, header);
            pending.key(
                &body.key,
                KeyKind::Cancellation,
                &body.content_hash,
                header.index,
            );
        }
        Event::TicketUnpaid(body) => {
            tickets::set_state(
                connection,
                big(body.ticket),
                i16::from(TicketState::VoidUnpaid.code()),
            )?;
            pending.fact(body.ticket, header);
        }
        Event::TicketReleased(body) => {
            tickets::set_released(connection, big(body.ticket), leaf)?;
            pending.fact(body.ticket, header);
        }
        Event::TicketDuplicated(body) => {
            tickets::set_copy(connection, big(body.ticket), i16::from(body.copy))?;
            pending.fact(body.ticket, header);
        }
        Event::ClaimPresented(body) => {
            let at_ms = body.presented_at_ms.unwrap_or(header.at_ms);
            tickets::set_presented(connection, big(body.ticket), at_ms)?;
            pending.fact(body.ticket, header);
        }
        Event::PrizePaid(body) => {
            pay(connection, header, body)?;
            pending.fact(body.ticket, header);
            pending.key(
                &body.key,
                KeyKind::Payment,
                &body.content_hash,
                header.index,
            );
        }
        Event::PaymentReversed(body) => {
            payments::reverse(connection, big(body.payment), leaf)?;
            pending.fact(body.ticket, header);
        }
        Event::DiscrepancyNoted(body) => pending.fact(body.ticket, header),
        Event::PatronRefused(body) => {
            tickets::set_refused(connection, big(body.ticket), i16::from(body.reason))?;
            pending.fact(body.ticket, header);
        }
        Event::DamagedTicketRead(body) => pending.fact(body.ticket, header),
        Event::FileOpened(body) => {
            damaged::insert(
                connection,
                &DamagedFileRow {
                    leaf,
                    ticket: body.ticket.map(big),
                    device: i64::from(body.device),
                    badge: body.badge.clone(),
                    opened_at_ms: header.at_ms,
                    judged_leaf: None,
                    is_paid: 0,
                    by_three: 0,
                },
            )?;
            if let Some(ticket) = body.ticket {
                pending.fact(ticket, header);
            }
        }
        Event::FileJudged(body) => {
            let by_three = body.third.is_some();
            damaged::judge(connection, big(body.file), leaf, body.is_paid, by_three)?;
            let file = damaged::find(connection, big(body.file))?;
            if let Some(ticket) = file.and_then(|file| file.ticket) {
                pending.fact(unbig(ticket), header);
            }
        }
        Event::LostTicketRefunded(body) => {
            lost::insert(connection, &lost_refund_row(header, body))?;
            pending.key(
                &body.key,
                KeyKind::LostRefund,
                &body.content_hash,
                header.index,
            );
        }
        Event::PaymentHeld(body) => {
            tickets::set_held(connection, big(body.ticket), leaf)?;
            pending.fact(body.ticket, header);
        }
        Event::PrizesExpired(body) => {
            for item in &body.items {
                let (draw, ticket) = (big(item.draw), big(item.ticket));
                payments::expire(connection, draw, ticket, item.amount_cents, leaf)?;
            }
        }
        Event::DrawScheduled(_)
        | Event::CommitmentRecorded(_)
        | Event::DrawOpened(_)
        | Event::DrawClosed(_)
        | Event::DrawStarted(_)
        | Event::BallsRecorded(_)
        | Event::DrawCertified(_)
        | Event::SecretsRevealed(_)
        | Event::DrawSettled(_)
        | Event::DrawSuspended(_)
        | Event::DrawResumed(_)
        | Event::DrawVoided(_) => project_draw(connection, state, header, event)?,
    }
    Ok(())
}

/// The facts of a draw.
fn project_draw(
    connection: &mut Connection,
    state: &State,
    header: &LeafHeader,
    event: &Event,
) -> Result<(), Fault> {
    let leaf = big(header.index);
    let number = big(event.draw());
    // A voided or settled draw may have left memory with this very event.
    let code = |fallback: DrawState| {
        i16::from(
            state
                .draws
                .get(&event.draw())
                .map_or(fallback, |draw| draw.state)
                .code(),
        )
    };
    match event {
        Event::DrawScheduled(body) => {
            draws::insert_draw(
                connection,
                &DrawRow {
                    number,
                    state: code(DrawState::Scheduled),
                    closes_at_ms: body.closes_at_ms,
                    draws_at_ms: body.draws_at_ms,
                    source: i16::from(body.source),
                    pool_size: i16::from(body.pool_size),
                    drawn: i16::from(body.drawn),
                    cap_cents: body.cap_cents,
                    full_below_cents: body.full_below_cents,
                    scheduled_leaf: leaf,
                    opened_leaf: None,
                    closed_leaf: None,
                    seal_root: None,
                    tickets: 0,
                    selections: 0,
                    wagered_cents: 0,
                    started_leaf: None,
                    voided_leaf: None,
                    void_reason: None,
                },
            )?;
            let rows: Vec<DrawHolderRow> = body
                .holders
                .iter()
                .zip(0_i16..)
                .map(|(holder, position)| DrawHolderRow {
                    draw: number,
                    position,
                    holder: holder.clone(),
                    commitment: None,
                    commitment_leaf: None,
                    secret: None,
                })
                .collect();
            if !rows.is_empty() {
                draws::insert_holders(connection, &rows)?;
            }
        }
        Event::CommitmentRecorded(body) => {
            draws::set_commitment(
                connection,
                number,
                i16::from(body.position),
                &body.commitment,
                leaf,
            )?;
        }
        Event::DrawOpened(_) => {
            draws::open(connection, number, code(DrawState::Open), leaf)?;
        }
        Event::DrawClosed(body) => {
            let root = state
                .draws
                .get(&body.draw)
                .and_then(|draw| draw.seal)
                .ok_or_else(|| Fault::Record(format!("draw {} closed without a seal", body.draw)))?
                .root;
            draws::close(
                connection,
                number,
                &draws::Closing {
                    state: code(DrawState::Closed),
                    leaf,
                    seal_root: &root,
                    tickets: big(body.tickets),
                    selections: big(body.selections),
                    wagered_cents: body.wagered_cents,
                },
            )?;
        }
        Event::DrawStarted(_) => {
            draws::start(connection, number, code(DrawState::Drawing), leaf)?;
        }
        Event::BallsRecorded(body) => {
            draws::set_state(connection, number, code(DrawState::Drawn))?;
            draws::insert_result(
                connection,
                &DrawResultRow {
                    draw: number,
                    machine: i16::from(body.machine),
                    balls: body.balls.clone(),
                    words_used: big(body.words_used),
                    words_rejected: big(body.words_rejected),
                    secrets_hash: body.secrets_hash.to_vec(),
                    recorded_leaf: leaf,
                    recorded_at_ms: header.at_ms,
                    certified_leaf: None,
                    certifiers: None,
                    revealed_leaf: None,
                },
            )?;
        }
        Event::DrawCertified(body) => {
            draws::set_state(connection, number, code(DrawState::Official))?;
            draws::certify(connection, number, leaf, &body.certifiers.join(" "))?;
        }
        Event::SecretsRevealed(body) => {
            for (secret, position) in body.secrets.iter().zip(0_i16..) {
                draws::set_secret(connection, number, position, secret)?;
            }
            draws::set_revealed(connection, number, leaf)?;
        }
        Event::DrawSettled(body) => {
            draws::set_state(connection, number, i16::from(DrawState::Settled.code()))?;
            draws::insert_settlement(
                connection,
                &DrawSettlementRow {
                    draw: number,
                    leaf,
                    winners: big(body.winners),
                    small_cents: body.small_cents,
                    large_cents: body.large_cents,
                    payable_cents: body.payable_cents,
                    small_numerator: big(body.small_numerator),
                    small_denominator: big(body.small_denominator),
                    large_numerator: big(body.large_numerator),
                    large_denominator: big(body.large_denominator),
                    breakage_cents: body.breakage_cents,
                    prize_root: body.prize_root.to_vec(),
                },
            )?;
        }
        Event::DrawSuspended(_) => {
            draws::set_state(connection, number, code(DrawState::Suspended))?;
        }
        Event::DrawResumed(_) => {
            draws::set_state(connection, number, code(DrawState::Closed))?;
        }
        Event::DrawVoided(body) => {
            draws::void(
                connection,
                number,
                i16::from(DrawState::Void.code()),
                leaf,
                &body.reason,
            )?;
        }
        _ => {}
    }
    Ok(())
}

/// The sale of a ticket, read back from the record and checked against its leaf.
///
/// # Errors
/// [`Fault::Record`] when the leaf is not a sale or was edited.
pub fn sale_of(connection: &mut Connection, ticket: u64) -> Result<TicketSold, Fault> {
    let row = log::entry(connection, ticket)?
        .ok_or_else(|| Fault::Record(format!("leaf {ticket} is missing")))?;
    let (entry, _) = log::checked_entry(&row)?;
    match entry.event() {
        Ok(Event::TicketSold(sold)) => Ok(sold),
        Ok(_) => Err(Fault::Record(format!("leaf {ticket} is not a sale"))),
        Err(fault) => Err(Fault::Record(format!("leaf {ticket}: {fault}"))),
    }
}

/// The leaves that say that a badge may act, and that it was made to.
fn acting_leaves(state: &State, badge: &str) -> (Option<i64>, Option<i64>) {
    let acting = state.acting.get(badge);
    let made = acting.and_then(|acting| acting.made);
    (
        acting.map(|acting| big(acting.named)),
        made.map(|(_, leaf)| big(leaf)),
    )
}

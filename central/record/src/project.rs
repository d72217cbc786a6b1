//! From events to rows. The tables are projections of the leaves: the same function writes them
//! while the house runs and when `rebuild` makes them again.

mod draws;
mod house;
mod payments;
mod people;
mod tickets;

use keno_game::DrawState;
use keno_log::event::{ActingMade, ActingNamed, Names, TicketSold};
use keno_log::{Event, EventKind, LeafHeader};
use keno_schema::Connection;
use keno_schema::rows::{CommandRow, LogEntryRow, TicketFactRow, TicketRow};

use crate::fault::Fault;
use crate::state::State;
use crate::store::{self, leaves, log};

pub(crate) use payments::rows_of;
pub(crate) use tickets::{follow, row_of};

/// Rows of frequent facts, held back to be written many at a time.
#[derive(Debug, Default)]
pub struct PendingRows {
    /// Entries of the record.
    pub entries: Vec<LogEntryRow>,
    tickets: Vec<TicketRow>,
    commands: Vec<CommandRow>,
    facts: Vec<TicketFactRow>,
}

impl PendingRows {
    /// Writes what is held back, in the order of the references.
    ///
    /// # Errors
    /// The database's.
    pub fn flush(&mut self, connection: &mut Connection) -> Result<(), Fault> {
        log::insert_entries(connection, &self.entries)?;
        store::tickets::insert(connection, &self.tickets)?;
        store::keys::insert_commands(connection, &self.commands)?;
        store::tickets::insert_facts(connection, &self.facts)?;
        self.clear();
        Ok(())
    }

    /// Forgets what is held back: it is written, or its transaction is undone.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.tickets.clear();
        self.commands.clear();
        self.facts.clear();
    }

    /// True when the ticket's own row is still held back.
    fn holds(&self, ticket: u64) -> bool {
        self.tickets
            .first()
            .is_some_and(|first| first.number <= ticket)
    }
}

/// One event on its way to its rows.
struct Projection<'a> {
    connection: &'a mut Connection,
    pending: &'a mut PendingRows,
    state: &'a State,
    header: &'a LeafHeader,
    leaf: u64,
}

impl Projection<'_> {
    /// The ticket whose life a fact belongs to, and the device whose command it answers.
    fn named(&mut self, names: &Names<'_>) {
        if let Some(ticket) = names.ticket {
            self.pending.facts.push(TicketFactRow {
                leaf: self.leaf,
                ticket,
                kind: self.header.kind.number(),
            });
        }
        // A sale is found by its ticket.
        if let Some(key) = names
            .key
            .filter(|_| self.header.kind != EventKind::TicketSold)
        {
            self.pending.commands.push(CommandRow {
                leaf: self.leaf,
                device: key.device,
            });
        }
    }
}

/// Projects one event. `state` is the memory *after* the event was applied to it.
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
    let leaf = header.index;
    let mut to = Projection {
        connection,
        pending,
        state,
        header,
        leaf,
    };
    if !matches!(
        event,
        Event::TicketSold(_) | Event::KeyClosed(_) | Event::PrintConfirmed(_)
    ) {
        // Everything else is rare, and may rest on rows that are held back.
        to.pending.flush(to.connection)?;
        to.silence_ended()?;
    }
    match event {
        Event::TicketSold(body) => to.sold(body),
        Event::HouseOpened(body) => to.house_opened(body)?,
        Event::RuleBookPublished(body) => to.rules_published(body)?,
        Event::PersonRecorded(body) => to.person_recorded(body)?,
        Event::ActingNamed(ActingNamed { badge, .. })
        | Event::ActingMade(ActingMade { badge, .. }) => to.acting_changed(badge)?,
        Event::DeviceRecorded(body) => to.device_recorded(body)?,
        Event::SessionOpened(body) => to.session_opened(body)?,
        Event::SessionEnded(body) => {
            store::people::end_session(to.connection, body.session, leaf)?;
            store::keys::insert_ended(to.connection, &state.ended_keys)?;
        }
        Event::ShiftOpened(body) => to.shift_opened(body)?,
        Event::ShiftClosed(body) => to.shift_closed(body)?,
        Event::TillMoved(body) => to.till_moved(body)?,
        Event::TillCounted(body) => to.till_counted(body)?,
        Event::EpochOpened(body) => to.epoch_opened(body)?,
        Event::DeviceHandedOver(body) => to.device_handed_over(body)?,
        Event::LeaseTaken(body) => {
            store::house::set_lease(to.connection, body.fence, &body.instance)?;
        }
        Event::ScheduleHalted(_)
        | Event::ScheduleConfirmed(_)
        | Event::SalesSuspended(_)
        | Event::SalesResumed(_) => to.marks_set()?,
        Event::TicketCancelled(_)
        | Event::TicketUnpaid(_)
        | Event::PrintConfirmed(_)
        | Event::TicketReleased(_)
        | Event::TicketDuplicated(_)
        | Event::ClaimPresented(_)
        | Event::PatronRefused(_)
        | Event::PaymentHeld(_) => {
            if let Some(ticket) = event.names().ticket {
                to.of_ticket(ticket, event)?;
            }
        }
        Event::PaymentReversed(body) => {
            store::payments::reverse(to.connection, body.payment, leaf)?;
        }
        Event::PrizePaid(body) => to.paid(body)?,
        Event::FileOpened(body) => to.file_opened(body)?,
        Event::FileJudged(body) => to.file_judged(body)?,
        Event::DrawScheduled(body) => to.draw_scheduled(body)?,
        Event::CommitmentRecorded(body) => to.committed(body)?,
        Event::DrawOpened(body) => {
            let state = to.state_of(body.draw, DrawState::Open);
            store::draws::open(to.connection, body.draw, state, leaf)?;
        }
        Event::DrawClosed(body) => to.draw_closed(body)?,
        Event::DrawStarted(body) => to.draw_started(body)?,
        Event::BallsRecorded(body) => to.balls_recorded(body)?,
        Event::DrawCertified(body) => to.draw_certified(body)?,
        Event::SecretsRevealed(body) => to.secrets_revealed(body)?,
        Event::DrawSettled(body) => to.draw_settled(body)?,
        Event::DrawSuspended(body) => to.set_draw(body.draw, DrawState::Suspended)?,
        Event::DrawResumed(body) => to.set_draw(body.draw, DrawState::Closed)?,
        Event::DrawVoided(body) => to.draw_voided(body)?,
        Event::DrawPostponed(body) => {
            store::draws::postpone(to.connection, body.draw, body.draws_at_ms)?;
        }
        Event::ComputerStoodIn(body) => to.computer_stood_in(body.draw)?,
        // What these name is all.
        Event::BallEntered(_)
        | Event::BallDrawn(_)
        | Event::BallRead(_)
        | Event::LineIncident(_)
        | Event::EntererReplaced(_)
        | Event::TubesAttested(_)
        | Event::KeyClosed(_)
        | Event::LostTicketRefunded(_)
        | Event::DamagedTicketRead(_)
        | Event::BallSetMeasured(_)
        | Event::BallSetsOffered(_)
        | Event::DrawRoomOpened(_)
        | Event::DrawRoomEnded(_)
        | Event::FollowerBegan(_)
        | Event::DrawFollowed(_)
        | Event::PayoutsOpened(_)
        | keno_log::a_note!() => {}
    }
    to.named(&event.names());
    Ok(())
}

/// The sale of a ticket, read back from the record and checked against its leaf.
///
/// # Errors
/// [`Fault::Record`] when the leaf is not a sale or was edited.
pub fn sale_of(connection: &mut Connection, ticket: u64) -> Result<TicketSold, Fault> {
    Ok(leaves::body_at(connection, ticket)?.0)
}

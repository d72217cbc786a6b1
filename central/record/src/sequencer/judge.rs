//! What judges a command: the state in memory, the transaction, and the pen.

use keno_log::leaf::body_commitment;
use keno_log::{Event, Leaf, LeafHeader};
use keno_schema::Connection;
use keno_schema::rows::LogEntryRow;

use crate::calendar::Calendar;
use crate::fault::Fault;
use crate::keys::ServerKeys;
use crate::people::Staff;
use crate::project;
use crate::project::PendingRows;
use crate::state::{State, Undo};
use crate::store::log::fits_an_export;

/// What judges a command: the state in memory, the transaction, and the pen.
pub struct Judge<'a> {
    /// The state, with what this batch has recorded so far.
    pub state: &'a mut State,
    /// The write transaction. Statements that read see what is recorded once
    /// [`Judge::settle_rows`] was called.
    pub connection: &'a mut Connection,
    /// The moment of this batch, UTC milliseconds; never before the last leaf.
    pub now_ms: i64,
    /// The house's calendar.
    pub calendar: Calendar,
    /// The server's keys.
    pub keys: &'a ServerKeys,
    pub(super) pending: &'a mut PendingRows,
    pub(super) undo: &'a mut Vec<Undo>,
}

/// A body with its commitment, computed before the writer sees it.
#[derive(Debug, Clone)]
pub struct PreparedEvent {
    event: Event,
    body: Vec<u8>,
    nonce: [u8; 32],
    commitment: [u8; 32],
}

impl PreparedEvent {
    /// Encodes and commits to an event.
    pub fn new(event: Event, keys: &ServerKeys) -> Self {
        let body = event.encode();
        let nonce = keys.nonce(&body);
        let commitment = body_commitment(&nonce, &body);
        Self {
            event,
            body,
            nonce,
            commitment,
        }
    }

    /// The event.
    pub fn event(&self) -> &Event {
        &self.event
    }
}

impl Judge<'_> {
    /// The staff as it stands on the business day of this batch.
    pub fn staff(&self) -> Staff<'_> {
        let day = self.calendar.business_day(self.now_ms);
        Staff::on(&self.state.people, &self.state.acting, Some(day))
    }

    /// Writes held-back rows, so that statements of this transaction see them.
    ///
    /// # Errors
    /// The database's.
    pub fn settle_rows(&mut self) -> Result<(), Fault> {
        self.pending.flush(self.connection)
    }

    /// Records a fact. Returns its leaf index.
    ///
    /// # Errors
    /// A [`Fault`] ends the batch; a judge refuses before it records.
    pub fn record(&mut self, event: impl Into<Event>) -> Result<u64, Fault> {
        let prepared = PreparedEvent::new(event.into(), self.keys);
        self.record_prepared(&prepared)
    }

    /// Records a fact whose body was encoded before.
    ///
    /// # Errors
    /// As [`Self::record`].
    pub fn record_prepared(&mut self, prepared: &PreparedEvent) -> Result<u64, Fault> {
        if !fits_an_export(prepared.body.len()) {
            let name = prepared.event.kind().name();
            return Err(Fault::Record(format!("a {name} is too long for an export")));
        }
        let index = self.state.edge.size();
        let header = LeafHeader {
            kind: prepared.event.kind(),
            index,
            at_ms: self.now_ms,
            business_day: self.calendar.business_day(self.now_ms),
            draw: prepared.event.draw(),
        };
        let leaf = Leaf {
            header,
            commitment: prepared.commitment,
        };
        let leaf_hash = leaf.hash();
        // A sale that a later fact names may still be held back.
        if matches!(
            prepared.event,
            Event::TicketCancelled(_) | Event::TicketUnpaid(_)
        ) {
            self.pending.flush(self.connection)?;
        }
        let connection = &mut *self.connection;
        self.state.apply(
            &header,
            &prepared.event,
            leaf_hash,
            &mut |ticket| project::sale_of(connection, ticket),
            self.undo,
        )?;
        self.pending.entries.push(LogEntryRow {
            leaf_index: index,
            leaf: leaf.to_bytes(),
            leaf_hash: leaf_hash.to_vec(),
            nonce: prepared.nonce.to_vec(),
            body: prepared.body.clone(),
        });
        project::project(
            self.connection,
            self.pending,
            self.state,
            &header,
            &prepared.event,
        )?;
        Ok(index)
    }
}

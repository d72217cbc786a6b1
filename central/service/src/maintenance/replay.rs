//! From leaves to tables once more: the fold that central runs, over the whole record.

use diesel::RunQueryDsl;
use keno_game::PaidKind;
use keno_log::event::PrizePaid;
use keno_log::{Event, Leaf};
use keno_record::fault::Fault;
use keno_record::past_draws::draws_from_record;
use keno_record::project::{PendingRows, project, sale_of};
use keno_record::state::State;
use keno_record::state::prizes::Wagers;
use keno_record::store::{log, tickets};
use keno_record::ticket::Ticket;
use keno_schema::tables::TABLES;
use keno_schema::{Connection, WriteFault, on};
use thiserror::Error;

use super::ENTRIES_A_READ;
use crate::counter::owed::Due;
use crate::counter::ticket::must_be_sold;

/// Where leaves are read and where tables are written: one database, or two.
pub(super) struct Sides<'a> {
    /// The record; that of the tables when absent.
    pub record: Option<&'a mut Connection>,
    /// The tables.
    pub tables: &'a mut Connection,
}

impl Sides<'_> {
    fn record(&mut self) -> &mut Connection {
        match &mut self.record {
            Some(record) => record,
            None => self.tables,
        }
    }
}

/// Replays every leaf into empty tables. `each` sees the memory after each leaf, and what is wrong
/// with a payment that is that leaf.
///
/// # Errors
/// [`RebuildFault`] at the first leaf that cannot be trusted.
pub(super) fn replay(
    sides: &mut Sides<'_>,
    each: &mut dyn FnMut(&State, Option<String>),
) -> Result<State, RebuildFault> {
    let mut state = State::default();
    let mut pending = PendingRows::default();
    loop {
        let first = state.edge.size();
        let rows = log::entries(sides.record(), first, ENTRIES_A_READ)?;
        if rows.is_empty() {
            pending.flush(sides.tables)?;
            return Ok(state);
        }
        for row in &rows {
            let index = state.edge.size();
            let bad = |what: String| RebuildFault::Leaf { index, what };
            if row.leaf_index != index {
                return Err(bad("it is missing".to_owned()));
            }
            let (entry, leaf_hash) = log::checked_entry(row).map_err(|fault| match fault {
                // Nothing is wrong with it, and another version reads it.
                Fault::Retired(_) => RebuildFault::Fault(fault),
                fault => bad(plain(fault, index)),
            })?;
            let event = entry.event().map_err(|fault| bad(fault.to_string()))?;
            if entry.leaf.header.at_ms < state.last_at_ms {
                return Err(bad("it is older than the leaf before it".to_owned()));
            }
            let named = |fault| match fault {
                Fault::Record(what) => bad(what),
                other => RebuildFault::Fault(other),
            };
            let wrong = match &event {
                Event::PrizePaid(body) => {
                    pending.flush(sides.tables)?;
                    wrong_payment(sides, &state, body).map_err(named)?
                }
                _ => None,
            };
            apply(
                sides,
                &mut state,
                &mut pending,
                &entry.leaf,
                leaf_hash,
                &event,
            )
            .map_err(named)?;
            each(&state, wrong);
        }
    }
}

/// What is wrong with a payment, by the leaves before it; nothing when it is what was owed.
///
/// # Errors
/// [`Fault::Record`] for a draw that was paid before: no table holds it twice.
fn wrong_payment(
    sides: &mut Sides<'_>,
    state: &State,
    body: &PrizePaid,
) -> Result<Option<String>, Fault> {
    let number = body.ticket;
    let facts = tickets::facts(sides.tables, (number, number))?;
    let ticket = Ticket::of_rows(sides.record(), None, number, facts)?;
    let Some(ticket) = ticket.filter(|it| must_be_sold(it).is_ok()) else {
        return Ok(Some(format!("it pays ticket {number}, which is none")));
    };
    for item in &body.items {
        let draw = item.draw;
        if ticket.paid(Some(draw)).is_some() {
            let what = format!("it pays draw {draw} of ticket {number} a second time");
            return Err(Fault::Record(what));
        }
        let rules = state.rule_books.get(&ticket.sale.rule_book);
        let mut of = state.draws.get(&draw).cloned();
        if of.is_none() {
            of = draws_from_record(sides.tables, draw, draw)?.pop();
        }
        let due = match (rules, of) {
            (Some(rules), Some(of)) => Due::of(&rules.rules, &ticket, &of)?,
            _ => None,
        };
        let due = due.filter(|_| (ticket.first_draw..=ticket.last_draw).contains(&draw));
        let (owed, kind) = match due {
            Some(Due::Prize(cents)) => (cents, PaidKind::Prize),
            Some(Due::Refund(cents)) => (cents, PaidKind::Refund),
            None => (0, PaidKind::Prize),
        };
        if (item.amount_cents, item.kind) != (owed, kind.number()) {
            let paid = item.amount_cents;
            let what = format!(
                "it pays {paid} cents for draw {draw} of ticket {number}, where {owed} were owed"
            );
            return Ok(Some(what));
        }
    }
    Ok(None)
}

/// The words of a fault without the leaf's number, which is said beside them.
fn plain(fault: Fault, index: u64) -> String {
    match fault {
        Fault::Record(what) => what
            .strip_prefix(&format!("leaf {index}: "))
            .map_or_else(|| what.clone(), str::to_owned),
        other => other.to_string(),
    }
}

fn apply(
    sides: &mut Sides<'_>,
    state: &mut State,
    pending: &mut PendingRows,
    leaf: &Leaf,
    leaf_hash: keno_log::Hash,
    event: &Event,
) -> Result<(), Fault> {
    if let Event::DrawSettled(settled) = event {
        // The wagers leave memory with this leaf: the prizes are computed before it.
        let computed = Wagers::of(state, settled.draw)?.compute()?.leaf;
        if computed != *settled {
            return Err(Fault::Record(format!(
                "the prizes of draw {} computed from its wagers are not what the leaf says",
                settled.draw
            )));
        }
    }
    let mut undo = Vec::new();
    state.apply(
        &leaf.header,
        event,
        leaf_hash,
        &mut |ticket| sale_of(sides.record(), ticket),
        &mut undo,
    )?;
    project(sides.tables, pending, state, &leaf.header, event)
}

/// What a rebuild made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rebuilt {
    /// Leaves replayed.
    pub leaves: u64,
    /// Tables made again.
    pub tables: usize,
}

/// The tables could not be made again; they stand as they stood.
#[derive(Debug, Error)]
pub enum RebuildFault {
    /// There is no record.
    #[error("the record is empty: there is nothing to make tables from")]
    Empty,
    /// A leaf cannot be trusted.
    #[error("leaf {index}: {what}")]
    Leaf {
        /// Which leaf.
        index: u64,
        /// What is wrong with it.
        what: String,
    },
    /// Head and leaves disagree.
    #[error("the leaves are not what the head of the record says")]
    Head,
    /// The database failed.
    #[error("the tables cannot be written")]
    Fault(#[from] Fault),
    /// The transaction did not commit.
    #[error("the rebuild was not committed")]
    Commit(#[source] diesel::result::Error),
}

impl From<diesel::result::Error> for RebuildFault {
    fn from(fault: diesel::result::Error) -> Self {
        Self::Fault(fault.into())
    }
}

/// Projections in the order of their references: all tables but record, head, and the credentials
/// that are kept beside the record, which no leaf gives back.
pub(super) fn projections() -> impl DoubleEndedIterator<Item = &'static str> {
    TABLES
        .iter()
        .copied()
        .filter(|table| !matches!(*table, "log_entry" | "log_head" | "credential"))
}

/// Drops every projection and makes it again from the leaves, in one write transaction. Record
/// and head are not touched.
///
/// # Errors
/// [`RebuildFault`]; then every table is as it was.
pub fn rebuild(connection: &mut Connection) -> Result<Rebuilt, RebuildFault> {
    let outcome = keno_schema::write(connection, |connection| -> Result<Rebuilt, RebuildFault> {
        log::lock_head(connection)?;
        if let Connection::Sqlite(c) = &mut *connection {
            // Rows are found by them also where they are to be taken away.
            diesel::sql_query("REINDEX").execute(c)?;
        }
        let (head, _) = log::head(connection)?.ok_or(RebuildFault::Empty)?;
        for table in projections().rev() {
            let statement = format!("DELETE FROM {table}");
            on!(&mut *connection, c => diesel::sql_query(statement).execute(c))?;
        }
        let mut sides = Sides {
            record: None,
            tables: connection,
        };
        let state = replay(&mut sides, &mut |_, _| ())?;
        if state.edge != head {
            return Err(RebuildFault::Head);
        }
        Ok(Rebuilt {
            leaves: head.size(),
            tables: projections().count(),
        })
    });
    outcome.map_err(|fault| match fault {
        WriteFault::Undone(fault) => fault,
        WriteFault::Begin(fault) | WriteFault::Unknown(fault) => RebuildFault::Commit(fault),
    })
}

//! Until when what a draw of a ticket owes is claimed (s. 86), and which draws were presented.
//!
//! The day on the paper is never shortened. A draw that is late, or interrupted and drawn later,
//! leaves the whole claim period from its official moment on; so does a draw that is void for its
//! refund. What could still be claimed when the house fell silent can be claimed for a week after
//! the silence. What was presented in time waits for as long as it must.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use keno_game::DrawState;
use keno_log::EventKind;
use keno_record::calendar::Calendar;
use keno_record::fault::Fault;
use keno_record::past_draws::{draws_from_record, prove};
use keno_record::sequencer::Judge;
use keno_record::state::{Draw, PublishedRules, Silence, State};
use keno_record::ticket::Ticket;
use keno_schema::Connection;

pub(crate) const HOUR_MS: i64 = 3_600_000;
/// A presentation is entered so long afterwards at most (`RULES.md`, "Without a code").
pub(crate) const AFTERWARDS_MS: i64 = 7 * 24 * HOUR_MS;

/// When a draw's outcome was fixed: its numbers were official, or it was void. From then on there
/// is something to claim.
pub fn decided_at(leaves: &[(EventKind, u64, i64)]) -> Option<i64> {
    let mut decisions = leaves
        .iter()
        .filter(|(kind, _, _)| matches!(kind, EventKind::DrawCertified | EventKind::DrawVoided));
    decisions.next().map(|(_, _, at_ms)| *at_ms)
}

/// Days that are left to claim after a silence, of what could be claimed when it began.
const DAYS_AFTER_SILENCE: u16 = 7;

/// What extends the last day to claim: the claim period of a version of the rules from the day on
/// which a draw was decided, and the silences of the house.
#[derive(Debug, Clone)]
pub struct Extensions {
    calendar: Calendar,
    days: u16,
    silences: Arc<Vec<Silence>>,
}

impl Extensions {
    /// Those of a version of the rules.
    pub fn new(
        calendar: Calendar,
        rule_books: &BTreeMap<u32, Arc<PublishedRules>>,
        silences: &Arc<Vec<Silence>>,
        rule_book: u32,
    ) -> Self {
        let rules = rule_books.get(&rule_book);
        Self {
            calendar,
            days: rules.map_or(0, |rules| rules.rules.claim.days),
            silences: Arc::clone(silences),
        }
    }

    /// Those that stand for a command.
    pub fn of(judge: &Judge<'_>, rule_book: u32) -> Self {
        let state = &judge.state;
        Self::new(
            judge.calendar,
            &state.rule_books,
            &state.silences,
            rule_book,
        )
    }

    /// The last business day to claim what a draw of a ticket owes, yyyymmdd: the later of that on
    /// the paper and that after the draw was decided; and the seventh after each silence that began
    /// on that day or before. No silence extends what another has extended.
    pub fn claim_until(&self, claim_by: u32, decided_at_ms: Option<i64>) -> u32 {
        let decided = decided_at_ms.map(|at_ms| self.calendar.day_after(at_ms, self.days));
        let day = decided.map_or(claim_by, |day| day.max(claim_by));
        let silences = self.silences.iter();
        silences
            .filter(|silence| self.calendar.business_day(silence.from_ms) <= day)
            .map(|silence| {
                self.calendar
                    .day_after(silence.until_ms, DAYS_AFTER_SILENCE)
            })
            .fold(day, u32::max)
    }
}

/// Draws by number: from memory, and those that have left it from their leaves.
///
/// # Errors
/// A fault.
pub fn draws_of(
    connection: &mut Connection,
    state: &State,
    first: u64,
    last: u64,
) -> Result<BTreeMap<u64, Draw>, Fault> {
    let live = state.draws.range(first..=last);
    let mut found: BTreeMap<u64, Draw> =
        live.map(|(number, draw)| (*number, draw.clone())).collect();
    let wanted = last.saturating_sub(first).saturating_add(1);
    if found.len() as u64 != wanted {
        for mut draw in draws_from_record(connection, first, last)? {
            if let Entry::Vacant(place) = found.entry(draw.number) {
                prove(connection, &state.leaves, &mut draw)?;
                place.insert(draw);
            }
        }
    }
    Ok(found)
}

/// Whether a draw can be presented: there are numbers, or a wager to give back.
pub const fn has_outcome(state: DrawState) -> bool {
    matches!(
        state,
        DrawState::Drawn | DrawState::Official | DrawState::Settled | DrawState::Void
    )
}

/// What decides whether a draw of a ticket can still be claimed.
#[derive(Debug, Clone)]
pub struct Claims {
    extensions: Extensions,
    claim_by: u32,
    today: u32,
    presented: BTreeSet<u64>,
}

impl Claims {
    /// Those of a ticket at a moment.
    pub fn of(extensions: Extensions, now_ms: i64, ticket: &Ticket) -> Self {
        Self {
            claim_by: ticket.sale.claim_by,
            today: extensions.calendar.business_day(now_ms),
            extensions,
            presented: ticket.presented(),
        }
    }

    /// The last day to claim what a draw owes, by its leaves.
    pub fn until(&self, leaves: &[(EventKind, u64, i64)]) -> u32 {
        let decided_at_ms = decided_at(leaves);
        self.extensions.claim_until(self.claim_by, decided_at_ms)
    }

    /// True for a draw that was presented in time.
    pub fn is_presented(&self, draw: u64) -> bool {
        self.presented.contains(&draw)
    }

    /// True when what a draw owes can no longer be claimed.
    pub fn is_over(&self, draw: u64, leaves: &[(EventKind, u64, i64)]) -> bool {
        !self.is_presented(draw) && self.today > self.until(leaves)
    }

    /// The draws that were presented.
    pub fn presented(&self) -> &BTreeSet<u64> {
        &self.presented
    }
}

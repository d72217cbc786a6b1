//! A ticket as its leaves say: the sale, and every fact since. What is paid, presented, held,
//! refused, withdrawn and copied is judged by it, and never by a row that somebody else may have
//! written.

use std::collections::BTreeSet;
use std::ops::Deref;

use keno_game::{RuleBook, TicketPrize, TicketState};
use keno_log::Event;
use keno_log::event::TicketSold;
use keno_schema::Connection;
use keno_schema::rows::{PaymentItemRow, PaymentRow, TicketFactRow, TicketRow};

use crate::fault::Fault;
use crate::project::{follow, row_of, rows_of};
use crate::state::{Draw, Leaves, counted_with, prize_of};
use crate::store::leaves::{self, Fact};
use crate::store::{payments, tickets};

/// The terminal that put a sale aside gave its price back before anybody could know what is drawn: no
/// paper of the ticket is made any more, by whomever it is asked. Said by its reference.
pub const MONEY_GIVEN_BACK: (&str, u8) = ("money_given_back", 4);

/// A ticket. It stands for the row that follows from its leaves too.
#[derive(Debug, Clone)]
pub struct Ticket {
    row: TicketRow,
    /// When it was sold.
    pub sold_at_ms: i64,
    /// Its sale.
    pub sale: TicketSold,
    /// What became of it since, in order.
    pub facts: Vec<Fact>,
}

impl Deref for Ticket {
    type Target = TicketRow;

    fn deref(&self) -> &TicketRow {
        &self.row
    }
}

impl Ticket {
    /// The ticket of a leaf, for a reader: nothing is decided by it. None where the leaf is no sale.
    ///
    /// # Errors
    /// The database's, or [`Fault::Record`] for a leaf that is missing or is not what its hash says.
    pub fn read(connection: &mut Connection, number: u64) -> Result<Option<Self>, Fault> {
        Self::of(connection, None, number)
    }

    /// The same, for a list that shows it beside others: none too where its leaves do not hold.
    ///
    /// # Errors
    /// The database's.
    pub fn if_it_holds(connection: &mut Connection, number: u64) -> Result<Option<Self>, Fault> {
        match Self::read(connection, number) {
            Err(Fault::Record(_)) => Ok(None),
            read => read,
        }
    }

    /// The same of a leaf that something says is a sale.
    ///
    /// # Errors
    /// As [`Self::read`], and [`Fault::Record`] where it is none.
    pub fn must_read(connection: &mut Connection, number: u64) -> Result<Self, Fault> {
        let found = Self::read(connection, number)?;
        found.ok_or_else(|| Fault::Record(format!("leaf {number} is no sale")))
    }

    /// The ticket of a leaf, for who decides about cash: each leaf is the one that was recorded, and
    /// none of its facts is missing.
    ///
    /// # Errors
    /// As [`Self::read`], and [`Fault::Record`] where rows and leaves differ.
    pub fn proven(
        connection: &mut Connection,
        known: &Leaves,
        number: u64,
    ) -> Result<Option<Self>, Fault> {
        Self::of(connection, Some(known), number)
    }

    fn of(
        connection: &mut Connection,
        known: Option<&Leaves>,
        number: u64,
    ) -> Result<Option<Self>, Fault> {
        let range = known.map_or((number, number), |_| counted_with(number));
        let rows = tickets::facts(connection, range)?;
        Self::of_rows(connection, known, number, rows)
    }

    /// The ticket of a leaf with the facts of these rows, as they are in another place than its
    /// leaves.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn of_rows(
        connection: &mut Connection,
        known: Option<&Leaves>,
        number: u64,
        rows: Vec<TicketFactRow>,
    ) -> Result<Option<Self>, Fault> {
        let sold = leaves::fact_if_any(connection, number)?;
        let Some(sold) = sold.filter(|sold| sold.leaf == number) else {
            return Ok(None);
        };
        let named: Vec<u64> = rows.iter().map(|row| row.leaf).collect();
        let mut facts = leaves::facts(connection, &named)?;
        if let Some(known) = known {
            leaves::must_be_known(connection, known, std::slice::from_ref(&sold))?;
            leaves::must_be_known(connection, known, &facts)?;
            let count = known.facts_with(number);
            if u32::try_from(facts.len()) != Ok(count) {
                let (first, last) = counted_with(number);
                return Err(Fault::Record(format!(
                    "the tickets of leaves {first} to {last} have {count} facts, of which {} have \
                     a row",
                    facts.len()
                )));
            }
        }
        let of = |fact: &Fact| fact.event.names().ticket;
        let mut pairs = rows.iter().zip(&facts);
        if let Some((row, _)) =
            pairs.find(|(row, fact)| fact.leaf != row.leaf || of(fact) != Some(row.ticket))
        {
            let leaf = row.leaf;
            return Err(Fault::Record(format!("leaf {leaf} is of another ticket")));
        }
        // No table holds one twice; what only looks like a table may.
        if !rows.is_sorted_by(|one, next| one.leaf < next.leaf) {
            let what = format!("a fact of ticket {number} stands there twice");
            return Err(Fault::Record(what));
        }
        facts.retain(|fact| of(fact) == Some(number));
        let Event::TicketSold(sale) = sold.event else {
            return Ok(None);
        };
        let mut row = row_of(number, &sale);
        for fact in &facts {
            follow(&mut row, fact.leaf, &fact.event);
        }
        Ok(Some(Self {
            row,
            sold_at_ms: sold.at_ms,
            sale,
            facts,
        }))
    }

    /// When it was presented first; only the first time counts (s. 86).
    pub fn presented_at_ms(&self) -> Option<i64> {
        self.facts.iter().find_map(|fact| match &fact.event {
            Event::ClaimPresented(body) => Some(body.presented_at_ms.unwrap_or(fact.at_ms)),
            _ => None,
        })
    }

    /// Why a holder of it was not paid, last: from then on two people pay it. Who it was is not kept.
    /// A price that was given back stays so, whatever else a holder is refused for.
    pub fn refused_reason(&self) -> Option<u8> {
        let refused = self.facts.iter().filter_map(|fact| match &fact.event {
            Event::PatronRefused(body) => Some(body.reason),
            _ => None,
        });
        refused.reduce(|last, next| match last == MONEY_GIVEN_BACK.1 {
            true => last,
            false => next,
        })
    }

    /// Its payments with what they paid, in order, each by draw.
    pub fn payments(&self) -> Vec<(PaymentRow, PaymentItemRow)> {
        let mut paid = Vec::new();
        for fact in &self.facts {
            match &fact.event {
                Event::PrizePaid(body) => {
                    let (row, mut items) = rows_of(fact.leaf, fact.at_ms, body);
                    items.sort_by_key(|item| item.draw);
                    paid.extend(items.into_iter().map(|item| (row.clone(), item)));
                }
                Event::PaymentReversed(body) => {
                    for (row, item) in &mut paid {
                        if row.number == body.payment {
                            row.reversed_leaf = Some(fact.leaf);
                            item.reversed = body.payment;
                        }
                    }
                }
                _ => {}
            }
        }
        paid
    }

    /// The payment of a draw that was not undone; of any draw where none is named.
    pub fn paid(&self, draw: Option<u64>) -> Option<(PaymentRow, PaymentItemRow)> {
        let mut paid = self.payments().into_iter();
        paid.find(|(_, item)| payments::stands(item) && draw.is_none_or(|draw| item.draw == draw))
    }

    /// The draws that were presented.
    pub fn presented(&self) -> BTreeSet<u64> {
        let drawn = self.facts.iter().filter_map(|fact| match &fact.event {
            Event::ClaimPresented(body) => Some(&body.draws),
            _ => None,
        });
        drawn.flatten().copied().collect()
    }

    /// Its prize in a settled draw, by the rules it was sold under; none when it won nothing, or was
    /// withdrawn.
    ///
    /// # Errors
    /// As [`prize_of`].
    pub fn prize(&self, rules: &RuleBook, draw: &Draw) -> Result<Option<TicketPrize>, Fault> {
        match self.row.state == TicketState::Sold {
            true => prize_of(rules, self.row.number, &self.sale, draw),
            false => Ok(None),
        }
    }
}

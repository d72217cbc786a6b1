//! Who won what in a draw, whoever computed it.

use anyhow::ensure;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use keno_schema::{Connection, on};
use sha2::{Digest, Sha256};

/// The winners of a draw: how many, their sums, and a hash over each of them in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Winners {
    /// Tickets with a prize.
    pub count: usize,
    /// Before the cap.
    pub computed_cents: i64,
    /// After the cap.
    pub payable_cents: i64,
    /// Over ticket (its place in the draw), computed and payable, ascending by ticket.
    pub hash: [u8; 32],
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    ticket: i64,
    #[diesel(sql_type = BigInt)]
    computed_cents: i64,
    #[diesel(sql_type = BigInt)]
    payable_cents: i64,
}

/// Reads the prizes of a draw. `first` is the ticket that stands at place 0.
///
/// # Errors
/// When they cannot be read.
pub fn read(connection: &mut Connection, draw: u64, first: u64) -> anyhow::Result<Winners> {
    // The number is of this program's own making.
    let query = format!(
        "SELECT ticket, computed_cents, payable_cents FROM prize WHERE draw = {draw} \
         ORDER BY ticket"
    );
    let rows: Vec<Row> = on!(connection, c => diesel::sql_query(&query).load(c))?;
    let first = i64::try_from(first)?;
    let mut hash = Sha256::new();
    let mut winners = Winners {
        count: rows.len(),
        computed_cents: 0,
        payable_cents: 0,
        hash: [0; 32],
    };
    for row in rows {
        winners.computed_cents += row.computed_cents;
        winners.payable_cents += row.payable_cents;
        for number in [row.ticket - first, row.computed_cents, row.payable_cents] {
            hash.update(number.to_be_bytes());
        }
    }
    winners.hash = hash.finalize().into();
    Ok(winners)
}

/// Whether two computations came to the same winners and the same money.
///
/// # Errors
/// In what they differ.
pub fn must_be_equal(one: &Winners, other: &Winners) -> anyhow::Result<()> {
    ensure!(
        one.count == other.count,
        "{} winners here and {} there",
        one.count,
        other.count
    );
    ensure!(
        one.computed_cents == other.computed_cents && one.payable_cents == other.payable_cents,
        "{} and {} cents here, {} and {} there",
        one.computed_cents,
        one.payable_cents,
        other.computed_cents,
        other.payable_cents
    );
    ensure!(
        one.hash == other.hash,
        "as many winners and as much money, and not the same tickets"
    );
    ensure!(one.count > 0, "nobody won: nothing is compared");
    Ok(())
}

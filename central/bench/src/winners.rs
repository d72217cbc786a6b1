//! Who won what in a draw, whoever computed it.

use anyhow::ensure;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use keno_game::{Cents, TicketPrize};
use keno_log::event::DrawSettled;
use keno_record::state::prizes::prize_root;
use keno_schema::{Connection, on};

/// The winners of a draw: how many, their sums, and the root over each of them in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Winners {
    /// Tickets with a prize.
    pub count: usize,
    /// Before the cap.
    pub computed_cents: i64,
    /// After the cap.
    pub payable_cents: i64,
    /// The root over ticket, computed and payable, ascending by ticket.
    pub root: [u8; 32],
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

/// Reads the prizes that were written of a draw. `first` is the ticket that stands at place 0.
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
    let prize = |row: &Row| {
        Ok(TicketPrize {
            ticket: first + u64::try_from(row.ticket)?,
            computed: Cents::new(row.computed_cents),
            payable: Cents::new(row.payable_cents),
        })
    };
    let prizes: Vec<TicketPrize> = rows.iter().map(prize).collect::<anyhow::Result<_>>()?;
    Ok(Winners {
        count: prizes.len(),
        computed_cents: prizes.iter().map(|prize| prize.computed.get()).sum(),
        payable_cents: prizes.iter().map(|prize| prize.payable.get()).sum(),
        root: prize_root(&prizes),
    })
}

/// Those of a draw that is settled, as its leaf says.
///
/// # Errors
/// When there are more than can be counted.
pub fn settled(leaf: &DrawSettled) -> anyhow::Result<Winners> {
    Ok(Winners {
        count: usize::try_from(leaf.winners)?,
        computed_cents: leaf.small_cents + leaf.large_cents,
        payable_cents: leaf.payable_cents,
        root: leaf.prize_root,
    })
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
        one.root == other.root,
        "as many winners and as much money, and not the same tickets"
    );
    ensure!(one.count > 0, "nobody won: nothing is compared");
    Ok(())
}

//! Every projection as its rows in words, so that two states of the tables can be compared.

use diesel::{QueryDsl, RunQueryDsl, SelectableHelper};
use keno_schema::rows::{
    CommandRow, DamagedFileRow, DeviceRow, DrawHolderRow, DrawResultRow, DrawRow,
    DrawSettlementRow, EpochRow, HandOverRow, HouseRow, KeyPageRow, PaymentItemRow, PaymentRow,
    PersonRow, RuleBookRow, SessionRow, ShiftRow, SilenceRow, TicketFactRow, TicketRow,
    TillCountRow, TillMovementRow,
};
use keno_schema::{Connection, on, tables};

/// A table with its rows, in an order of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub table: &'static str,
    pub rows: Vec<String>,
}

macro_rules! read {
    ($connection:ident: $($table:ident $row:ident;)*) => {
        vec![$({
            let rows: Vec<$row> = on!(&mut *$connection, c => tables::$table::table
                .select($row::as_select())
                .load(c))
            .unwrap();
            let mut rows: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
            rows.sort_unstable();
            Table { table: stringify!($table), rows }
        }),*]
    };
}

/// Every projection, in the order of the references.
pub fn all(connection: &mut Connection) -> Vec<Table> {
    read! { connection:
        house HouseRow;
        epoch EpochRow;
        rule_book RuleBookRow;
        person PersonRow;
        device DeviceRow;
        session SessionRow;
        shift ShiftRow;
        hand_over HandOverRow;
        till_movement TillMovementRow;
        till_count TillCountRow;
        draw DrawRow;
        draw_holder DrawHolderRow;
        draw_result DrawResultRow;
        draw_settlement DrawSettlementRow;
        ticket TicketRow;
        ticket_fact TicketFactRow;
        payment PaymentRow;
        payment_item PaymentItemRow;
        key_page KeyPageRow;
        command CommandRow;
        damaged_file DamagedFileRow;
        silence SilenceRow;
    }
}

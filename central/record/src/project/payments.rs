//! Rows of what is paid, of what is paid no more, and of papers that nothing proves.

use diesel::QueryResult;
use keno_log::event::{FileJudged, FileOpened, PrizePaid};
use keno_schema::rows::{DamagedFileRow, PaymentItemRow, PaymentRow};

use super::Projection;
use crate::store::{Insert, damaged, payments};

/// The rows of a payment: itself, and what it pays.
pub(crate) fn rows_of(
    leaf: u64,
    paid_at_ms: i64,
    body: &PrizePaid,
) -> (PaymentRow, Vec<PaymentItemRow>) {
    let row = PaymentRow {
        number: leaf,
        ticket: body.ticket,
        total_cents: body.total_cents,
        tender: body.tender,
        rounding_cents: body.rounding_cents,
        path: body.path,
        badge: body.badge.clone(),
        second: body.second.clone(),
        shift: body.shift,
        paid_at_ms,
        reversed_leaf: None,
    };
    let items = body.items.iter().map(|item| PaymentItemRow {
        payment: leaf,
        draw: item.draw,
        ticket: body.ticket,
        kind: item.kind,
        amount_cents: item.amount_cents,
        reversed: 0,
    });
    (row, items.collect())
}

impl Projection<'_> {
    pub(super) fn paid(&mut self, body: &PrizePaid) -> QueryResult<()> {
        let (row, items) = rows_of(self.leaf, self.header.at_ms, body);
        row.insert(self.connection)?;
        payments::insert_items(self.connection, &items)
    }

    pub(super) fn file_opened(&mut self, body: &FileOpened) -> QueryResult<()> {
        let row = DamagedFileRow {
            leaf: self.leaf,
            ticket: body.ticket,
            device: body.device,
            badge: body.badge.clone(),
            opened_at_ms: self.header.at_ms,
            judged_leaf: None,
            is_paid: 0,
            by_three: 0,
        };
        row.insert(self.connection)
    }

    pub(super) fn file_judged(&mut self, body: &FileJudged) -> QueryResult<()> {
        let (file, by_three) = (body.file, body.third.is_some());
        damaged::judge(self.connection, file, self.leaf, body.is_paid, by_three)
    }
}

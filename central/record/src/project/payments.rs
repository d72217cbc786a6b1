//! Rows of what is paid, of what is paid no more, and of papers that nothing proves.

use diesel::QueryResult;
use keno_log::event::{FileJudged, FileOpened, LostTicketRefunded, PrizePaid, PrizesExpired};
use keno_schema::rows::{DamagedFileRow, LostRefundRow, PaymentItemRow, PaymentRow};

use super::Projection;
use crate::store::{big, damaged, lost, payments, unbig};

impl Projection<'_> {
    pub(super) fn paid(&mut self, body: &PrizePaid) -> QueryResult<()> {
        let row = PaymentRow {
            number: self.leaf,
            ticket: big(body.ticket),
            total_cents: body.total_cents,
            tender: i16::from(body.tender),
            rounding_cents: body.rounding_cents,
            path: i16::from(body.path),
            badge: body.badge.clone(),
            second: body.second.clone(),
            shift: big(body.shift),
            paid_at_ms: self.header.at_ms,
            reversed_leaf: None,
        };
        payments::insert_payment(self.connection, &row)?;
        let items = body.items.iter().map(|item| PaymentItemRow {
            payment: self.leaf,
            draw: big(item.draw),
            ticket: big(body.ticket),
            kind: i16::from(item.kind),
            amount_cents: item.amount_cents,
            reversed: 0,
        });
        payments::insert_items(self.connection, &items.collect::<Vec<_>>())?;
        Ok(())
    }

    pub(super) fn lost_refunded(&mut self, body: &LostTicketRefunded) -> QueryResult<()> {
        let row = LostRefundRow {
            leaf: self.leaf,
            control_hash: body.control_hash.to_vec(),
            sold_epoch: i64::from(body.sold_epoch),
            paper_size: big(body.paper_size),
            amount_cents: body.amount_cents,
            tender: i16::from(body.tender),
            reason: body.reason.clone(),
            badge: body.badge.clone(),
            second: body.second.clone(),
            shift: big(body.shift),
            refunded_at_ms: self.header.at_ms,
        };
        lost::insert(self.connection, &row).map(drop)
    }

    pub(super) fn expired(&mut self, body: &PrizesExpired) -> QueryResult<()> {
        for item in &body.items {
            let (draw, ticket) = (big(item.draw), big(item.ticket));
            payments::expire(self.connection, draw, ticket, item.amount_cents, self.leaf)?;
        }
        Ok(())
    }

    pub(super) fn file_opened(&mut self, body: &FileOpened) -> QueryResult<()> {
        let row = DamagedFileRow {
            leaf: self.leaf,
            ticket: body.ticket.map(big),
            device: i64::from(body.device),
            badge: body.badge.clone(),
            opened_at_ms: self.header.at_ms,
            judged_leaf: None,
            is_paid: 0,
            by_three: 0,
        };
        damaged::insert(self.connection, &row).map(drop)
    }

    pub(super) fn file_judged(&mut self, body: &FileJudged) -> QueryResult<()> {
        let (number, by_three) = (big(body.file), body.third.is_some());
        damaged::judge(self.connection, number, self.leaf, body.is_paid, by_three)?;
        let file = damaged::find(self.connection, number)?;
        if let Some(ticket) = file.and_then(|file| file.ticket) {
            self.fact(unbig(ticket));
        }
        Ok(())
    }
}

//! Rows of the house: itself, its rules, epochs, marks and silences, and its tills.

use diesel::QueryResult;
use keno_log::event::{
    EpochOpened, HouseOpened, RuleBookPublished, ShiftClosed, ShiftOpened, TillCounted, TillMoved,
};
use keno_schema::rows::{
    EpochRow, HouseRow, RuleBookRow, ShiftRow, SilenceRow, TillCountRow, TillMovementRow,
};

use super::Projection;
use crate::store::{big, house, people};

impl Projection<'_> {
    pub(super) fn house_opened(&mut self, body: &HouseOpened) -> QueryResult<()> {
        let row = HouseRow {
            id: 1,
            code: body.house.clone(),
            name: body.name.clone(),
            zone: body.zone.clone(),
            log_key: body.log_key.clone(),
            first_draw: big(body.first_draw),
            sales_suspended_leaf: None,
            schedule_halted_leaf: None,
            fence: 0,
            instance: String::new(),
        };
        house::insert_house(self.connection, &row).map(drop)
    }

    pub(super) fn rules_published(&mut self, body: &RuleBookPublished) -> QueryResult<()> {
        let row = RuleBookRow {
            version: i64::from(body.version),
            effective_from: big(body.effective_from),
            hash: body.hash.to_vec(),
            text: body.text.clone(),
            published_by: body.by.clone(),
            second: body.second.clone(),
            leaf: self.leaf,
        };
        house::insert_rules(self.connection, &row).map(drop)
    }

    pub(super) fn epoch_opened(&mut self, body: &EpochOpened) -> QueryResult<()> {
        let row = EpochRow {
            number: i64::from(body.epoch),
            leaf: self.leaf,
            continues_size: big(body.continues_size),
            continues_root: body.continues_root.to_vec(),
            lost_size: big(body.lost_size),
            lost_root: body.lost_root.to_vec(),
            next_draw: big(body.next_draw),
            next_session: big(body.next_session),
            next_shift: big(body.next_shift),
            reason: body.reason.clone(),
            opened_by: body.by.clone(),
            second: body.second.clone(),
        };
        house::insert_epoch(self.connection, &row)?;
        people::end_every_session(self.connection, self.leaf)?;
        self.marks_set()
    }

    /// The house-wide marks, as they are now.
    pub(super) fn marks_set(&mut self) -> QueryResult<()> {
        let suspended = self.state.sales_suspended.map(big);
        let halted = self.state.schedule_halted.map(big);
        house::set_marks(self.connection, suspended, halted).map(drop)
    }

    /// The silence that this leaf has ended, if it has ended one.
    pub(super) fn silence_ended(&mut self) -> QueryResult<()> {
        let last = self.state.silences.last();
        if let Some(silence) = last.filter(|silence| silence.leaf == self.header.index) {
            let row = SilenceRow {
                leaf: self.leaf,
                served_leaf: big(silence.served_leaf),
            };
            house::insert_silence(self.connection, &row)?;
        }
        Ok(())
    }

    pub(super) fn shift_opened(&mut self, body: &ShiftOpened) -> QueryResult<()> {
        let row = ShiftRow {
            number: big(body.shift),
            device: i64::from(body.device),
            badge: body.badge.clone(),
            float_cents: body.float_cents,
            opened_leaf: self.leaf,
            closed_leaf: None,
            counted_cents: None,
            expected_cents: None,
        };
        house::insert_shift(self.connection, &row).map(drop)
    }

    pub(super) fn shift_closed(&mut self, body: &ShiftClosed) -> QueryResult<()> {
        let (counted, expected) = (body.counted_cents, body.expected_cents);
        let number = big(body.shift);
        house::close_shift(self.connection, number, self.leaf, counted, expected).map(drop)
    }

    pub(super) fn till_moved(&mut self, body: &TillMoved) -> QueryResult<()> {
        let row = TillMovementRow {
            leaf: self.leaf,
            shift: big(body.shift),
            kind: i16::from(body.kind),
            amount_cents: body.amount_cents,
            moved_by: body.by.clone(),
            second: body.second.clone(),
        };
        house::insert_movement(self.connection, &row).map(drop)
    }

    pub(super) fn till_counted(&mut self, body: &TillCounted) -> QueryResult<()> {
        let row = TillCountRow {
            leaf: self.leaf,
            shift: big(body.shift),
            device: i64::from(body.device),
            counted_cents: body.counted_cents,
            expected_cents: body.expected_cents,
            reason: body.reason.clone(),
            counted_by: body.by.clone(),
            second: body.second.clone(),
        };
        house::insert_count(self.connection, &row).map(drop)
    }
}

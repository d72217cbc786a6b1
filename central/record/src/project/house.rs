//! Rows of the house: itself, its rules, epochs, marks and silences, and its tills.

use diesel::QueryResult;
use keno_log::event::{
    EpochOpened, HouseOpened, RuleBookPublished, ShiftClosed, ShiftOpened, TillCounted, TillMoved,
};
use keno_schema::rows::{
    EpochRow, HouseRow, RuleBookRow, ShiftRow, SilenceRow, TillCountRow, TillMovementRow,
};

use super::Projection;
use crate::store::{Insert, house, keys, people};

impl Projection<'_> {
    pub(super) fn house_opened(&mut self, body: &HouseOpened) -> QueryResult<()> {
        let row = HouseRow {
            id: 1,
            code: body.house.clone(),
            name: body.name.clone(),
            zone: body.zone.clone(),
            log_key: body.log_key.clone(),
            first_draw: body.first_draw,
            sales_suspended_leaf: None,
            schedule_halted_leaf: None,
            fence: 0,
            instance: String::new(),
        };
        row.insert(self.connection)
    }

    pub(super) fn rules_published(&mut self, body: &RuleBookPublished) -> QueryResult<()> {
        let row = RuleBookRow {
            version: body.version,
            effective_from: body.effective_from,
            hash: body.hash,
            text: body.text.clone(),
            published_by: body.by.clone(),
            second: body.second.clone(),
            leaf: self.leaf,
        };
        row.insert(self.connection)
    }

    pub(super) fn epoch_opened(&mut self, body: &EpochOpened) -> QueryResult<()> {
        let row = EpochRow {
            number: body.epoch,
            leaf: self.leaf,
            continues_size: body.continues_size,
            continues_root: body.continues_root,
            lost_size: body.lost_size,
            lost_root: body.lost_root,
            next_draw: body.next_draw,
            next_session: body.next_session,
            next_shift: body.next_shift,
            reason: body.reason.clone(),
            opened_by: body.by.clone(),
            second: body.second.clone(),
        };
        row.insert(self.connection)?;
        people::end_every_session(self.connection, self.leaf)?;
        keys::insert_ended(self.connection, &self.state.ended_keys)?;
        self.marks_set()
    }

    /// The house-wide marks, as they are now.
    pub(super) fn marks_set(&mut self) -> QueryResult<()> {
        let state = self.state;
        house::set_marks(
            self.connection,
            state.sales_suspended,
            state.schedule_halted,
        )
    }

    /// The silence that this leaf has ended, if it has ended one.
    pub(super) fn silence_ended(&mut self) -> QueryResult<()> {
        let last = self.state.silences.last();
        if let Some(silence) = last.filter(|silence| silence.leaf == self.header.index) {
            let row = SilenceRow {
                leaf: self.leaf,
                served_leaf: silence.served_leaf,
            };
            row.insert(self.connection)?;
        }
        Ok(())
    }

    pub(super) fn shift_opened(&mut self, body: &ShiftOpened) -> QueryResult<()> {
        let row = ShiftRow {
            number: body.shift,
            device: body.device,
            badge: body.badge.clone(),
            float_cents: body.float_cents,
            opened_leaf: self.leaf,
            closed_leaf: None,
            counted_cents: None,
            expected_cents: None,
        };
        row.insert(self.connection)
    }

    pub(super) fn shift_closed(&mut self, body: &ShiftClosed) -> QueryResult<()> {
        let (counted, expected) = (body.counted_cents, body.expected_cents);
        house::close_shift(self.connection, body.shift, self.leaf, counted, expected)
    }

    pub(super) fn till_moved(&mut self, body: &TillMoved) -> QueryResult<()> {
        let row = TillMovementRow {
            leaf: self.leaf,
            shift: body.shift,
            kind: body.kind,
            amount_cents: body.amount_cents,
            moved_by: body.by.clone(),
            second: body.second.clone(),
        };
        row.insert(self.connection)
    }

    pub(super) fn till_counted(&mut self, body: &TillCounted) -> QueryResult<()> {
        let row = TillCountRow {
            leaf: self.leaf,
            shift: body.shift,
            device: body.device,
            counted_cents: body.counted_cents,
            expected_cents: body.expected_cents,
            reason: body.reason.clone(),
            counted_by: body.by.clone(),
            second: body.second.clone(),
        };
        row.insert(self.connection)
    }
}

//! Rows of people, devices and sessions.

use diesel::QueryResult;
use keno_log::event::{DeviceHandedOver, DeviceRecorded, PersonRecorded, SessionOpened};
use keno_schema::rows::{DeviceRow, HandOverRow, PersonRow, SessionRow};

use super::Projection;
use crate::store::{big, house, people};

impl Projection<'_> {
    pub(super) fn person_recorded(&mut self, body: &PersonRecorded) -> QueryResult<()> {
        let (named, acting) = self.acting_leaves(&body.badge);
        let row = PersonRow {
            badge: body.badge.clone(),
            staff: body.staff.clone(),
            name: body.name.clone(),
            roles: body.roles.clone(),
            credential: body.credential.to_vec(),
            must_change: body.must_change,
            active: body.active,
            leaf: self.leaf,
            named_leaf: named,
            acting_leaf: acting,
        };
        people::upsert_person(self.connection, &row).map(drop)
    }

    /// The leaves that say that a badge may act, and that it was made to.
    fn acting_leaves(&self, badge: &str) -> (Option<i64>, Option<i64>) {
        let acting = self.state.acting.get(badge);
        let made = acting.and_then(|acting| acting.made);
        (
            acting.map(|acting| big(acting.named)),
            made.map(|(_, leaf)| big(leaf)),
        )
    }

    pub(super) fn acting_changed(&mut self, badge: &str) -> QueryResult<()> {
        let (named, acting) = self.acting_leaves(badge);
        people::set_acting(self.connection, badge, named, acting).map(drop)
    }

    pub(super) fn device_recorded(&mut self, body: &DeviceRecorded) -> QueryResult<()> {
        let row = DeviceRow {
            number: i64::from(body.device),
            name: body.name.clone(),
            role: i16::from(body.role),
            key_hash: body.key_hash.to_vec(),
            active: body.active,
            leaf: self.leaf,
        };
        people::upsert_device(self.connection, &row)?;
        if body.active {
            house::return_device(self.connection, row.number, self.leaf)?;
        }
        Ok(())
    }

    pub(super) fn device_handed_over(&mut self, body: &DeviceHandedOver) -> QueryResult<()> {
        let row = HandOverRow {
            leaf: self.leaf,
            device: i64::from(body.device),
            to_device: i64::from(body.to),
            shift: body.shift.map(big),
            reason: body.reason.clone(),
            handed_by: body.by.clone(),
            second: body.second.clone(),
            returned_leaf: None,
        };
        house::insert_hand_over(self.connection, &row)
    }

    pub(super) fn session_opened(&mut self, body: &SessionOpened) -> QueryResult<()> {
        let row = SessionRow {
            number: big(body.session),
            device: i64::from(body.device),
            badge: body.badge.clone(),
            token_hash: body.token_hash.to_vec(),
            opened_leaf: self.leaf,
            ended_leaf: None,
        };
        people::insert_session(self.connection, &row).map(drop)
    }
}

//! Rows of people, devices and sessions.

use diesel::QueryResult;
use keno_log::event::{DeviceHandedOver, DeviceRecorded, PersonRecorded, SessionOpened};
use keno_schema::rows::{DeviceRow, HandOverRow, PersonRow, SessionRow};

use super::Projection;
use crate::store::{Insert, house, people};

impl Projection<'_> {
    pub(super) fn person_recorded(&mut self, body: &PersonRecorded) -> QueryResult<()> {
        let (named, acting) = self.acting_leaves(&body.badge);
        let row = PersonRow {
            badge: body.badge.clone(),
            staff: body.staff.clone(),
            name: body.name.clone(),
            roles: body.roles.clone(),
            credential: body.credential,
            must_change: body.must_change,
            active: body.active,
            leaf: self.leaf,
            named_leaf: named,
            acting_leaf: acting,
        };
        people::upsert_person(self.connection, &row)
    }

    /// The leaves that say that a badge may act, and that it was made to.
    fn acting_leaves(&self, badge: &str) -> (Option<u64>, Option<u64>) {
        let acting = self.state.acting.get(badge);
        let made = acting.and_then(|acting| acting.made);
        (
            acting.map(|acting| acting.named),
            made.map(|(_, leaf)| leaf),
        )
    }

    pub(super) fn acting_changed(&mut self, badge: &str) -> QueryResult<()> {
        let (named, acting) = self.acting_leaves(badge);
        people::set_acting(self.connection, badge, named, acting)
    }

    pub(super) fn device_recorded(&mut self, body: &DeviceRecorded) -> QueryResult<()> {
        let row = DeviceRow {
            number: body.device,
            name: body.name.clone(),
            role: body.role,
            key_hash: body.key_hash,
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
            device: body.device,
            to_device: body.to,
            shift: body.shift,
            reason: body.reason.clone(),
            handed_by: body.by.clone(),
            second: body.second.clone(),
            returned_leaf: None,
        };
        house::insert_hand_over(self.connection, &row)
    }

    pub(super) fn session_opened(&mut self, body: &SessionOpened) -> QueryResult<()> {
        let row = SessionRow {
            number: body.session,
            device: body.device,
            badge: body.badge.clone(),
            token_hash: body.token_hash,
            opened_leaf: self.leaf,
            ended_leaf: None,
        };
        row.insert(self.connection)
    }
}

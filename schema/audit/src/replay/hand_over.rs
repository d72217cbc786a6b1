//! A device that is left, and the neighbour that goes on with its till and with what it left
//! open.

use keno_log::event::DeviceHandedOver;

use super::Replay;

impl Replay {
    pub(super) fn must_not_be_locked(&mut self, device: u32) {
        let is_locked = self.locked.contains(&device);
        must!(self, !is_locked => DeviceLocked, "device {device}");
    }

    pub(super) fn device_handed_over(&mut self, body: &DeviceHandedOver) {
        self.must_not_be_locked(body.to);
        let has_session = self.has_session(body.device);
        let has_till = self.till_at(body.device) == body.shift;
        let is_free = body.shift.is_none() || self.till_at(body.to).is_none();
        let is_left_once = !self.locked.contains(&body.device);
        let holds = body.device != body.to && !has_session && has_till && is_free && is_left_once;
        must!(self, holds => HandOverWrong,
            "device {} to {}, shift {:?}", body.device, body.to, body.shift);
        if let Some(shift) = body.shift.filter(|shift| self.is_till_open(*shift)) {
            self.move_till_to(shift, body.to, &body.by);
        }
        self.locked.insert(body.device);
    }
}

//! People, whom they act for, and devices.

use keno_log::LeafHeader;
use keno_log::event::{ActingMade, ActingNamed, DeviceHandedOver, DeviceRecorded, PersonRecorded};

use super::{Acting, Device, HandedOver, Person, State, Undo};

impl State {
    pub(super) fn record_person(&mut self, body: &PersonRecorded, undo: &mut Vec<Undo>) {
        let person = Person {
            staff: body.staff.clone(),
            name: body.name.clone(),
            roles: body.roles.clone(),
            credential: body.credential,
            must_change: body.must_change,
            pin_set_by: match body.must_change {
                true => vec![body.by.clone(), body.second.clone()],
                false => Vec::new(),
            },
            card: body.card,
            active: body.active,
        };
        let before = self.people.insert(body.badge.clone(), person);
        undo.push(Undo::Person(body.badge.clone(), before));
        // Whatever of a person is changed ends what they act as; by others, the naming too.
        let is_own = body.by == body.badge && body.second.is_empty();
        self.end_acting(&body.badge, is_own, undo);
    }

    pub(super) fn name_acting(&mut self, leaf: u64, body: &ActingNamed, undo: &mut Vec<Undo>) {
        self.end_acting(&body.badge, false, undo);
        if body.may_act {
            let (named, made) = (leaf, None);
            self.set_acting(&body.badge, Acting { named, made }, undo);
        }
    }

    pub(super) fn make_acting(
        &mut self,
        header: &LeafHeader,
        body: &ActingMade,
        undo: &mut Vec<Undo>,
    ) {
        if let Some(acting) = self.acting.get(&body.badge).copied() {
            let made = Some((header.business_day, header.index));
            self.set_acting(&body.badge, Acting { made, ..acting }, undo);
        }
    }

    fn set_acting(&mut self, badge: &str, acting: Acting, undo: &mut Vec<Undo>) {
        let before = self.acting.insert(badge.to_owned(), acting);
        undo.push(Undo::Acting(badge.to_owned(), before));
    }

    /// Nobody acts under this badge any more; whether they still may is `stays_named`.
    fn end_acting(&mut self, badge: &str, stays_named: bool, undo: &mut Vec<Undo>) {
        let Some(before) = self.acting.remove(badge) else {
            return;
        };
        undo.push(Undo::Acting(badge.to_owned(), Some(before)));
        if stays_named {
            let made = None;
            self.acting
                .insert(badge.to_owned(), Acting { made, ..before });
        }
    }

    /// A device that is recorded anew, and active, serves again.
    pub(super) fn record_device(&mut self, body: &DeviceRecorded, undo: &mut Vec<Undo>) {
        let device = Device {
            name: body.name.clone(),
            role: body.role,
            key_hash: body.key_hash,
            active: body.active,
        };
        let before = self.devices.insert(body.device, device);
        undo.push(Undo::Device(body.device, before));
        if let Some(handed_over) = self.handed_over.get_mut(&body.device)
            && handed_over.is_locked
            && body.active
        {
            undo.push(Undo::HandedOver(body.device, Some(*handed_over)));
            handed_over.is_locked = false;
        }
    }

    /// A device is left: its till is the neighbour's, and it is locked.
    pub(super) fn hand_over(&mut self, leaf: u64, body: &DeviceHandedOver, undo: &mut Vec<Undo>) {
        let handed_over = HandedOver {
            to: body.to,
            leaf,
            shift: body.shift,
            is_locked: true,
        };
        let before = self.handed_over.insert(body.device, handed_over);
        undo.push(Undo::HandedOver(body.device, before));
        // Of a device that is read before the scan of a start, the till is closed by now.
        if let Some((number, shift)) = body
            .shift
            .and_then(|number| Some((number, self.shifts.get_mut(&number)?)))
        {
            undo.push(Undo::Shift(number, Some(shift.clone()), self.next_shift));
            shift.device = body.to;
            shift.badge.clone_from(&body.by);
        }
    }
}

//! Tills: what went through each, added up a second time, and what the record expected when it
//! was counted.

use keno_log::event::{ShiftClosed, ShiftOpened, TillCounted, TillMoved};

use super::Replay;

/// Cash put into a till.
const FILL: u8 = 1;
/// Cash taken out of a till.
const DROP: u8 = 2;
/// Only this tender goes through the till's cash.
pub(super) const CASH: u8 = 1;
/// The tender whose change is cash.
pub(super) const CHIP: u8 = 3;

/// A till as its facts say.
#[derive(Debug, Clone)]
pub(super) struct Till {
    device: u32,
    is_open: bool,
    /// The entry that opened it.
    opened: u64,
    /// Whose it is: who opened it, or took it over.
    holder: String,
    /// Wider than any figure: a sum beyond 64 bits is equal to none.
    cash_cents: i128,
}

impl Replay {
    pub(super) fn shift_opened(&mut self, body: &ShiftOpened) {
        self.must_not_be_locked(body.device);
        let is_second = self.till_at(body.device).is_some();
        let is_reused = self.tills.contains_key(&body.shift) || body.shift < self.epoch_numbers().2;
        must!(self, !is_reused => NumberReused, "shift {}", body.shift);
        must!(self, !is_second && body.float_cents >= 0 => TillWrong,
            "device {}, float {}", body.device, body.float_cents);
        let till = Till {
            device: body.device,
            is_open: true,
            opened: self.now.entry,
            holder: body.badge.clone(),
            cash_cents: i128::from(body.float_cents),
        };
        if let Some(before) = self.tills.insert(body.shift, till)
            && before.is_open
        {
            self.leave_till(before.device, body.shift);
        }
        self.open_tills
            .entry(body.device)
            .or_default()
            .insert(body.shift);
        self.last_shift = self.last_shift.max(Some(body.shift));
    }

    pub(super) fn shift_closed(&mut self, body: &ShiftClosed) {
        let Some(till) = self.open_till(body.shift) else {
            return;
        };
        till.is_open = false;
        let (device, cash_cents) = (till.device, till.cash_cents);
        let is_own = till.holder == body.by;
        self.leave_till(device, body.shift);
        self.must_expect(body.expected_cents, cash_cents);
        must!(self, is_own || body.second.is_some() => TillWrong,
            "shift {} is closed alone by {:?}", body.shift, body.by);
    }

    /// A count in the middle of a shift: the figure is judged, and nothing changes.
    pub(super) fn till_counted(&mut self, body: &TillCounted) {
        self.through_till(body.shift, body.device, CASH, 0);
        if let Some(till) = self.tills.get(&body.shift).filter(|till| till.is_open) {
            let cash_cents = till.cash_cents;
            self.must_expect(body.expected_cents, cash_cents);
        }
    }

    fn must_expect(&mut self, said_cents: i64, cash_cents: i128) {
        must!(self, i128::from(said_cents) == cash_cents => TillExpected,
            "{said_cents} for {cash_cents}");
    }

    pub(super) fn till_moved(&mut self, body: &TillMoved) {
        self.use_key(body.key);
        let sign = match body.kind {
            FILL => 1,
            DROP => -1,
            _ => 0,
        };
        must!(self, sign != 0 && body.amount_cents > 0 => TillWrong,
            "kind {}, {} cents", body.kind, body.amount_cents);
        let cents = i128::from(body.amount_cents) * sign;
        self.through_till(body.shift, body.key.device, CASH, cents);
    }

    /// Money through the open till of a device; what is not cash does not stay in it.
    pub(super) fn through_till(&mut self, shift: u64, device: u32, tender: u8, cents: i128) {
        let Some(till) = self.open_till(shift) else {
            return;
        };
        if tender == CASH {
            till.cash_cents += cents;
        }
        let of_device = till.device;
        must!(self, of_device == device => TillWrong,
            "shift {shift} is of device {of_device}, not {device}");
    }

    /// Cash that a fact gives back to a till; one that is closed has been counted without it.
    pub(super) fn back_through_till(&mut self, shift: u64, cents: i128) {
        if let Some(till) = self.tills.get_mut(&shift).filter(|till| till.is_open) {
            till.cash_cents += cents;
        }
    }

    /// Where an open till is.
    pub(super) fn device_of_till(&self, shift: u64) -> Option<u32> {
        let till = self.tills.get(&shift).filter(|till| till.is_open);
        till.map(|till| till.device)
    }

    /// The entry that opened the till of a shift.
    pub(super) fn till_opened(&self, shift: u64) -> Option<u64> {
        self.tills.get(&shift).map(|till| till.opened)
    }

    pub(super) fn is_till_open(&self, shift: u64) -> bool {
        self.tills.get(&shift).is_some_and(|till| till.is_open)
    }

    /// The open till of a device; of several, which no lawful log has, that of the lowest number.
    pub(super) fn till_at(&self, device: u32) -> Option<u64> {
        self.open_tills.get(&device)?.first().copied()
    }

    /// A till is no more among the open ones of a device.
    fn leave_till(&mut self, device: u32, shift: u64) {
        if let Some(open) = self.open_tills.get_mut(&device) {
            open.remove(&shift);
        }
    }

    /// A till is another device's from here on.
    pub(super) fn move_till_to(&mut self, shift: u64, device: u32, holder: &str) {
        if let Some(till) = self.tills.get_mut(&shift).filter(|till| till.is_open) {
            holder.clone_into(&mut till.holder);
            let before = std::mem::replace(&mut till.device, device);
            self.leave_till(before, shift);
            self.open_tills.entry(device).or_default().insert(shift);
        }
    }

    fn open_till(&mut self, shift: u64) -> Option<&mut Till> {
        if !self.is_till_open(shift) {
            find!(self => TillWrong, "shift {shift} is not open");
            return None;
        }
        self.tills.get_mut(&shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(expected_cents: i64) -> usize {
        let mut replay = Replay::default();
        replay.shift_opened(&ShiftOpened {
            shift: 1,
            device: 7,
            badge: "C101".to_owned(),
            float_cents: i64::MAX,
        });
        replay.back_through_till(1, 5);
        replay.shift_closed(&ShiftClosed {
            shift: 1,
            counted_cents: 0,
            expected_cents,
            by: "C101".to_owned(),
            second: None,
            coupons: 0,
            coupon_cents: 0,
            chips: 0,
            chip_cents: 0,
        });
        replay.findings().len()
    }

    #[test]
    fn no_figure_is_a_sum_beyond_64_bits() {
        assert_eq!([found(i64::MAX), found(i64::MIN + 4)], [1, 1]);
    }
}

//! The cash drawer, which hangs on the printer's plug and opens by a pulse.

use std::time::Duration;

use super::condition::{Condition, Talk};
use super::driver::{Driver, open};
use super::fault::PrinterFault;
use super::patience::Timing;

/// The pin of the plug that the drawer listens to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawerPin {
    /// Pin 2, the usual one.
    Two,
    /// Pin 5, that of a second drawer.
    Five,
}

/// A cash drawer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawer {
    /// Where the pulse goes.
    pub pin: DrawerPin,
    /// Level of the plug's sensor when the drawer is open; none when it has no sensor.
    pub is_open_high: Option<bool>,
}

/// Length of the pulse.
const ON: Duration = Duration::from_millis(50);
/// Time until the next pulse may come.
const OFF: Duration = Duration::from_millis(500);

impl Drawer {
    /// `ESC p m t1 t2`, times in units of 2 ms. All four bytes after `ESC`: a printer that is
    /// sent fewer takes the next two of whatever comes for the times.
    pub fn pulse(&self) -> [u8; 5] {
        let pin = match self.pin {
            DrawerPin::Two => 0,
            DrawerPin::Five => 1,
        };
        let units = |time: Duration| u8::try_from(time.as_millis() / 2).unwrap_or(u8::MAX);
        [0x1B, b'p', pin, units(ON), units(OFF)]
    }

    /// Whether the drawer stands open, when its sensor and the printer can tell.
    pub fn is_open(&self, condition: &Condition) -> Option<bool> {
        Some(condition.is_drawer_pin_high? == self.is_open_high?)
    }
}

/// Opens the drawer. A printer in trouble is sent nothing: it would keep the pulse, and open the
/// drawer when somebody mends it. A drawer that is not there does nothing.
///
/// # Errors
/// The trouble of the printer; the drawer is opened with its key then.
pub fn open_drawer(driver: &Driver, drawer: Drawer, timing: Timing) -> Result<(), PrinterFault> {
    let mut transport =
        open(driver, timing.connect).map_err(|error| PrinterFault::of_opening(&error))?;
    let mut talk = Talk::with(transport.as_mut());
    talk.forget_the_past().map_err(|_| PrinterFault::Absent)?;
    if let Some(fault) = talk.condition(timing.status).trouble() {
        return Err(fault);
    }
    talk.send(&drawer.pulse()).map_err(|_| PrinterFault::Absent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pulse_has_all_of_its_parameters() {
        let drawer = |pin| Drawer {
            pin,
            is_open_high: None,
        };
        assert_eq!(drawer(DrawerPin::Two).pulse(), [0x1B, b'p', 0, 25, 250]);
        assert_eq!(drawer(DrawerPin::Five).pulse(), [0x1B, b'p', 1, 25, 250]);
    }

    #[test]
    fn a_drawer_is_open_when_its_own_wiring_says_so() {
        let condition = |level| Condition {
            is_drawer_pin_high: level,
            ..Condition::SILENT
        };
        let drawer = |level| Drawer {
            pin: DrawerPin::Two,
            is_open_high: level,
        };
        assert_eq!(
            drawer(Some(true)).is_open(&condition(Some(true))),
            Some(true)
        );
        assert_eq!(
            drawer(Some(false)).is_open(&condition(Some(true))),
            Some(false)
        );
        assert_eq!(drawer(None).is_open(&condition(Some(true))), None);
        assert_eq!(drawer(Some(true)).is_open(&condition(None)), None);
    }
}

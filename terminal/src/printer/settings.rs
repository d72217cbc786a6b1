//! The table `[printing]` of the settings: what the counter's printer is like.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::drawer::{Drawer, DrawerPin};
use super::patience::Timing;
use super::serial::{Flow, Parity, SPEEDS, SerialLine};

/// Whether there is a cash drawer, and on which pin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawerSetting {
    /// None, or it is not to be opened by this program.
    #[default]
    Off,
    /// On pin 2, the usual one.
    Pin2,
    /// On pin 5.
    Pin5,
}

/// A level of the drawer's sensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// High.
    High,
    /// Low.
    Low,
}

/// What the printer and its drawer are like. In the environment each has the prefix
/// `BOULIER_PRINTING_`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PrintingSettings {
    /// Speed of a serial line in bauds.
    pub baud: u32,
    /// Parity of a serial line.
    pub parity: Parity,
    /// How a serial printer says that it can take no more.
    pub flow: Flow,
    /// How fast the paper moves, in millimetres a second.
    pub millimetres_per_second: u32,
    /// How many tickets the roll holds once its sensor says that it is near its end.
    pub near_end_tickets: Option<u32>,
    /// The cash drawer.
    pub drawer: DrawerSetting,
    /// Level of the drawer's sensor when it is open; absent when it has none.
    pub drawer_open: Option<Level>,
}

impl Default for PrintingSettings {
    fn default() -> Self {
        Self {
            baud: 115_200,
            parity: Parity::None,
            flow: Flow::Wire,
            millimetres_per_second: Timing::default().millimetres_per_second,
            near_end_tickets: None,
            drawer: DrawerSetting::Off,
            drawer_open: None,
        }
    }
}

/// A table `[printing]` that cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PrintingFault {
    /// No device has that speed.
    #[error("baud must be one of {SPEEDS:?}")]
    Baud,
    /// Paper that does not move, or faster than any.
    #[error("millimetres_per_second must be between 20 and 1000")]
    Millimetres,
    /// A roll without its last ticket.
    #[error("near_end_tickets must be between 1 and 500, or absent")]
    NearEnd,
}

impl PrintingSettings {
    /// Says what cannot be used.
    ///
    /// # Errors
    /// The first [`PrintingFault`].
    pub fn check(&self) -> Result<(), PrintingFault> {
        if !SPEEDS.contains(&self.baud) {
            return Err(PrintingFault::Baud);
        }
        if !(20..=1_000).contains(&self.millimetres_per_second) {
            return Err(PrintingFault::Millimetres);
        }
        if self
            .near_end_tickets
            .is_some_and(|count| !(1..=500).contains(&count))
        {
            return Err(PrintingFault::NearEnd);
        }
        Ok(())
    }

    /// The serial line of the printer.
    pub const fn line(&self) -> SerialLine {
        SerialLine {
            speed: self.baud,
            parity: self.parity,
            flow: self.flow,
        }
    }

    /// How long to wait for this printer.
    pub fn timing(&self) -> Timing {
        Timing {
            millimetres_per_second: self.millimetres_per_second,
            ..Timing::default()
        }
    }

    /// What hangs on the printer, and what is known of its roll.
    pub fn equipment(&self) -> Equipment {
        let pin = match self.drawer {
            DrawerSetting::Off => None,
            DrawerSetting::Pin2 => Some(DrawerPin::Two),
            DrawerSetting::Pin5 => Some(DrawerPin::Five),
        };
        Equipment {
            drawer: pin.map(|pin| Drawer {
                pin,
                is_open_high: self.drawer_open.map(|level| level == Level::High),
            }),
            near_end_tickets: self.near_end_tickets,
        }
    }
}

/// What hangs on the printer, and what is known of its roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Equipment {
    /// The cash drawer, when there is one.
    pub drawer: Option<Drawer>,
    /// How many tickets the roll holds once it is near its end.
    pub near_end_tickets: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_used_is_named() {
        let with = |change: fn(&mut PrintingSettings)| {
            let mut settings = PrintingSettings::default();
            change(&mut settings);
            settings.check()
        };
        assert_eq!(with(|_| {}), Ok(()));
        assert_eq!(with(|s| s.baud = 9_601), Err(PrintingFault::Baud));
        assert_eq!(
            with(|s| s.millimetres_per_second = 0),
            Err(PrintingFault::Millimetres)
        );
        assert_eq!(
            with(|s| s.near_end_tickets = Some(0)),
            Err(PrintingFault::NearEnd)
        );
        assert_eq!(with(|s| s.near_end_tickets = Some(12)), Ok(()));
    }

    #[test]
    fn no_drawer_unless_the_settings_say_so() {
        let mut settings = PrintingSettings::default();
        assert_eq!(settings.equipment(), Equipment::default());
        settings.drawer = DrawerSetting::Pin5;
        settings.drawer_open = Some(Level::Low);
        assert_eq!(
            settings.equipment().drawer,
            Some(Drawer {
                pin: DrawerPin::Five,
                is_open_high: Some(false)
            })
        );
    }
}

//! The table `[scanner]` of the settings.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::printer::serial::SPEEDS;
use crate::printer::{Flow, Parity, SerialLine};

/// How scans come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScannerKind {
    /// There is none: numbers are typed.
    Off,
    /// As keys that a page or this program reads.
    #[default]
    Wedge,
    /// On a serial line at `device`, or on USB as one.
    Serial,
    /// As the input device at `device`, held by this program alone.
    Evdev,
}

/// What the scanner is like. In the environment each has the prefix `BOULIER_SCANNER_`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ScannerSettings {
    /// How scans come in.
    pub kind: ScannerKind,
    /// Its device, for `serial` and `evdev`.
    pub device: Option<PathBuf>,
    /// Speed of a serial line in bauds.
    pub baud: u32,
    /// Parity of a serial line.
    pub parity: Parity,
    /// The sign with which a `wedge` begins each scan, so that no key of it is a person's: `~`, or
    /// empty where it has none.
    pub start: String,
    /// Characters that the scanner puts before each scan, behind the start sign.
    pub prefix: String,
    /// Characters that it puts after each scan, before Enter.
    pub suffix: String,
    /// Longest pause within one scan, in milliseconds.
    pub gap_ms: u64,
}

impl Default for ScannerSettings {
    fn default() -> Self {
        Self {
            kind: ScannerKind::default(),
            device: None,
            baud: 9_600,
            parity: Parity::None,
            start: String::new(),
            prefix: String::new(),
            suffix: String::new(),
            gap_ms: 300,
        }
    }
}

/// A table `[scanner]` that cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ScannerFault {
    /// A scanner that is a device needs its path.
    #[error("kind = \"serial\" or \"evdev\" needs device")]
    Device,
    /// No device has that speed.
    #[error("baud must be one of {SPEEDS:?}")]
    Baud,
    /// No more than a few signs of a keyboard around a code.
    #[error("prefix and suffix must be at most 8 signs of a US keyboard, without spaces")]
    Affix,
    /// A person types it too.
    #[error("start must be {START}, or empty")]
    Start,
    /// Too short for any scanner, or so long that two scans become one.
    #[error("gap_ms must be between 20 and 5000")]
    Gap,
}

/// The one sign whose key types nothing that a person needs at a counter, on any of the keyboards US,
/// Canadian French, CSA and AZERTY: it is known by its place too.
pub const START: &str = "~";

impl ScannerSettings {
    /// Says what cannot be used.
    ///
    /// # Errors
    /// The first [`ScannerFault`].
    pub fn check(&self) -> Result<(), ScannerFault> {
        let is_device = matches!(self.kind, ScannerKind::Serial | ScannerKind::Evdev);
        if is_device && self.device.is_none() {
            return Err(ScannerFault::Device);
        }
        if !SPEEDS.contains(&self.baud) {
            return Err(ScannerFault::Baud);
        }
        let is_affix =
            |text: &str| text.len() <= 8 && text.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_affix(&self.prefix) || !is_affix(&self.suffix) {
            return Err(ScannerFault::Affix);
        }
        if !self.start.is_empty() && self.start != START {
            return Err(ScannerFault::Start);
        }
        if !(20..=5_000).contains(&self.gap_ms) {
            return Err(ScannerFault::Gap);
        }
        Ok(())
    }

    /// The serial line; a scanner needs nobody to tell it to wait.
    pub const fn line(&self) -> SerialLine {
        SerialLine {
            speed: self.baud,
            parity: self.parity,
            flow: Flow::None,
        }
    }

    /// Longest pause within one scan.
    pub const fn gap(&self) -> Duration {
        Duration::from_millis(self.gap_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_used_is_named() {
        let with = |change: fn(&mut ScannerSettings)| {
            let mut settings = ScannerSettings::default();
            change(&mut settings);
            settings.check()
        };
        assert_eq!(with(|_| {}), Ok(()));
        assert_eq!(
            with(|s| s.kind = ScannerKind::Evdev),
            Err(ScannerFault::Device)
        );
        assert_eq!(with(|s| s.baud = 300), Err(ScannerFault::Baud));
        assert_eq!(with(|s| s.prefix = "]C1".to_owned()), Ok(()));
        assert_eq!(
            with(|s| s.prefix = "a b".to_owned()),
            Err(ScannerFault::Affix)
        );
        assert_eq!(with(|s| s.start = "~".to_owned()), Ok(()));
        for typed in ["7", "K", "~~", " ", ".", "^"] {
            let settings = ScannerSettings {
                start: typed.to_owned(),
                ..ScannerSettings::default()
            };
            assert_eq!(settings.check(), Err(ScannerFault::Start), "{typed}");
        }
        assert_eq!(with(|s| s.suffix = "Z".repeat(9)), Err(ScannerFault::Affix));
        assert_eq!(with(|s| s.gap_ms = 5), Err(ScannerFault::Gap));
    }
}

//! Scanners: what one reads, by three ways, and what it means.
//!
//! - [`scan`]: characters one by one become a scan, ended by Enter, or given up after a pause.
//! - [`keys`]: events of a keyboard become characters, whatever the layout of this machine.
//! - [`wedge`], [`serial`], [`input`]: the ways: characters that somebody hands in, a serial line,
//!   and input devices that this program holds alone.
//! - [`owned`]: every input device but the till's keyboard, held.
//! - [`mod@meaning`]: what a scan means, without asking anybody.
//! - [`trial`]: what a technician sees of a scan.
//!
//! Nothing here moves money: a scan that means a claim code is asked about at central.

pub mod input;
pub mod keys;
pub mod meaning;
pub mod owned;
pub mod scan;
pub mod serial;
pub mod settings;
pub mod trial;
pub mod wedge;

use std::time::Duration;

pub use meaning::{Meaning, meaning};
pub use scan::{Assembler, Scan};
pub use settings::{ScannerFault, ScannerKind, ScannerSettings};

/// What was heard within a wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A scan, whole.
    Scan(Scan),
    /// Nothing, or not yet the end of a scan.
    Nothing,
    /// The scanner is not there, or not to be had; it is looked for again at the next call.
    Absent(Absence),
}

keno_game::named! {
    /// Why there is no scanner.
    Absence {
        /// There is no such device.
        Unplugged "unplugged",
        /// This program may not open it.
        Denied "denied",
        /// Another program holds it.
        Held "held",
    }
}

impl Absence {
    /// What it means that a device could not be opened or read.
    pub fn of(error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::PermissionDenied => Self::Denied,
            std::io::ErrorKind::ResourceBusy => Self::Held,
            _ => Self::Unplugged,
        }
    }
}

// What is wrong and what to do.
keno_words::says! { Absence: scanner { Unplugged, Denied, Held } }

/// A scanner. Whoever hears it does nothing else for long, best on a thread of its own: the pause
/// between two characters is measured when they are heard.
pub trait Scanner {
    /// Waits for a scan, at most `wait`. What was half read stays for the next call; a scanner
    /// that was unplugged is found again when it is back.
    fn hear(&mut self, wait: Duration) -> Heard;
}

/// The scanner of some settings; none when the characters come from elsewhere (`wedge`), or when
/// there is no scanner.
pub fn open(settings: &ScannerSettings) -> Option<Box<dyn Scanner + Send>> {
    let device = settings.device.clone()?;
    match settings.kind {
        ScannerKind::Off | ScannerKind::Wedge => None,
        ScannerKind::Serial => Some(Box::new(serial::SerialScanner::new(
            device,
            settings.line(),
            settings.gap(),
        ))),
        ScannerKind::Evdev => Some(Box::new(input::InputScanner::new(device, settings.gap()))),
    }
}

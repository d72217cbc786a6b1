//! How the terminals say they are, and when central heard it.

use std::collections::BTreeMap;

use keno_wire::wall::TerminalReport;
use parking_lot::Mutex;

/// A terminal that was not heard for longer is silent: one report may be lost.
pub const SILENT_AFTER_MS: i64 = 6_000;

/// What a terminal said last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    /// What it said.
    pub report: TerminalReport,
    /// When, by central's monotonic clock.
    pub at_ms: i64,
}

/// The last report of each device.
#[derive(Debug, Default)]
pub struct Reports(Mutex<BTreeMap<u32, Heard>>);

impl Reports {
    /// A device says how it is.
    pub fn hear(&self, device: u32, report: TerminalReport, at_ms: i64) {
        self.0.lock().insert(device, Heard { report, at_ms });
    }

    /// What each device said last.
    pub fn all(&self) -> BTreeMap<u32, Heard> {
        self.0.lock().clone()
    }
}

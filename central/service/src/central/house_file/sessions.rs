//! `[sessions]`: how long somebody stays signed on.

use std::ops::RangeInclusive;

use keno_book::toml_faults::Section;

use super::Reader;

const IDLE_MINUTES: RangeInclusive<i64> = 1..=60;
const LONGEST_HOURS: RangeInclusive<i64> = 1..=24;

/// How long a session lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionTimes {
    /// After so many minutes without a hand its person must unlock; 10 where the house does not
    /// say.
    pub idle_minutes: u16,
    /// After so many hours it ends; 12 where the house does not say.
    pub longest_hours: u16,
}

impl Default for SessionTimes {
    fn default() -> Self {
        Self {
            idle_minutes: 10,
            longest_hours: 12,
        }
    }
}

/// Reads `[sessions]`; each time that is left out is as usual.
pub(super) fn read(reader: &mut Reader, root: &Section<'_>) -> Option<SessionTimes> {
    let mut times = SessionTimes::default();
    if !root.has("sessions") {
        return Some(times);
    }
    let section = reader.section(root, "sessions", &["idle_minutes", "longest_hours"]);
    if section.has("idle_minutes") {
        times.idle_minutes = reader.number(&section, "idle_minutes", IDLE_MINUTES)?;
    }
    if section.has("longest_hours") {
        times.longest_hours = reader.number(&section, "longest_hours", LONGEST_HOURS)?;
    }
    Some(times)
}

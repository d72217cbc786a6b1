//! Days of the house: the business day is the local calendar day, from midnight to midnight.

use chrono::{DateTime, Datelike as _, Days, NaiveDate, Utc};
use chrono_tz::Tz;

/// The house's zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Calendar(Tz);

impl Calendar {
    /// The calendar of an IANA zone; none for a name that is not one.
    #[must_use]
    pub fn of(zone: &str) -> Option<Self> {
        zone.parse().ok().map(Self)
    }

    /// The day of a moment in UTC milliseconds, yyyymmdd; none beyond the calendar.
    #[must_use]
    pub fn day(&self, at_ms: i64) -> Option<u32> {
        number_of(self.date(at_ms)?)
    }

    /// The day so many days after the day of a moment; none beyond the calendar.
    #[must_use]
    pub fn day_after(&self, at_ms: i64, days: u16) -> Option<u32> {
        let date = self.date(at_ms)?;
        number_of(date.checked_add_days(Days::new(u64::from(days)))?)
    }

    fn date(&self, at_ms: i64) -> Option<NaiveDate> {
        let moment = DateTime::<Utc>::from_timestamp_millis(at_ms)?;
        Some(moment.with_timezone(&self.0).date_naive())
    }
}

fn number_of(date: NaiveDate) -> Option<u32> {
    let year = u32::try_from(date.year()).ok()?;
    Some(year * 10_000 + date.month() * 100 + date.day())
}

//! Days of the house: the business day is the local calendar day, from midnight to midnight.
//!
//! The calendar has the years 1 to 9999: the number of a day has eight digits at the most, and a
//! moment is in these years both in UTC and in the house's zone.

use chrono::{DateTime, Datelike as _, Days, NaiveDate, Utc};
use chrono_tz::Tz;

/// Years of the calendar.
const YEARS: std::ops::RangeInclusive<i32> = 1..=9_999;

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
        // First: at the ends of what a moment can be, a zone has no local time.
        if !YEARS.contains(&moment.year()) {
            return None;
        }
        let date = moment.with_timezone(&self.0).date_naive();
        YEARS.contains(&date.year()).then_some(date)
    }
}

fn number_of(date: NaiveDate) -> Option<u32> {
    let year = Some(date.year()).filter(|year| YEARS.contains(year))?;
    let year = u32::try_from(year).ok()?;
    Some(year * 10_000 + date.month() * 100 + date.day())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_outside_the_years_1_to_9999_has_no_day() {
        let (first_ms, last_ms) = (-62_135_596_800_000, 253_402_300_799_999);
        let utc = Calendar::of("Etc/UTC").unwrap();
        assert_eq!(utc.day(first_ms), Some(10_101));
        assert_eq!(utc.day(first_ms - 1), None);
        assert_eq!(utc.day(last_ms), Some(99_991_231));
        assert_eq!(utc.day(last_ms + 1), None);
        assert_eq!(utc.day_after(last_ms, 1), None);
        // A day before its beginning, a day after which lies in the calendar.
        assert_eq!(utc.day_after(first_ms - 1, 1), None);
        // Local time is behind UTC at the beginning, and UTC ahead of it at the end.
        let montreal = Calendar::of("America/Montreal").unwrap();
        assert_eq!(montreal.day(first_ms), None);
        assert_eq!(montreal.day(last_ms + 1), None);
        assert_eq!(Calendar::of("america/montreal"), None);
    }

    #[test]
    fn no_summer_time_from_2100_on() {
        // Half past midnight in summer time, an hour before in winter time.
        let montreal = Calendar::of("America/Montreal").unwrap();
        assert_eq!(montreal.day(4_086_563_400_000), Some(20_990_701));
        assert_eq!(montreal.day(4_118_099_400_000), Some(21_000_630));
    }
}

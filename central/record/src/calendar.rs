//! Days and hours of the house: the business day is the local calendar day.

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveTime, Offset, TimeZone, Utc};
use chrono_tz::Tz;
use thiserror::Error;

/// The house's zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Calendar {
    zone: Tz,
}

/// The name is not an IANA zone.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0:?} is not an IANA time zone, such as America/Toronto")]
pub struct ZoneFault(pub String);

fn day_number(date: NaiveDate) -> u32 {
    u32::try_from(date.year()).unwrap_or(0) * 10_000 + date.month() * 100 + date.day()
}

/// `yyyy-mm-dd` of a day number.
pub fn day_text(day: u32) -> String {
    format!(
        "{:04}-{:02}-{:02}",
        day / 10_000,
        day / 100 % 100,
        day % 100
    )
}

impl Calendar {
    /// The calendar of an IANA zone.
    ///
    /// # Errors
    /// [`ZoneFault`] with the name.
    pub fn new(zone: &str) -> Result<Self, ZoneFault> {
        zone.parse()
            .map(|zone| Self { zone })
            .map_err(|_| ZoneFault(zone.to_owned()))
    }

    /// The IANA name of the zone.
    pub fn zone_name(&self) -> &'static str {
        self.zone.name()
    }

    /// The local time of a moment; the epoch for a moment outside the calendar.
    pub fn local(&self, at_ms: i64) -> DateTime<Tz> {
        DateTime::<Utc>::from_timestamp_millis(at_ms)
            .unwrap_or_default()
            .with_timezone(&self.zone)
    }

    /// The business day of a moment, yyyymmdd.
    pub fn business_day(&self, at_ms: i64) -> u32 {
        day_number(self.local(at_ms).date_naive())
    }

    /// The day that is `days` after the day of `at_ms`.
    pub fn day_after(&self, at_ms: i64, days: u16) -> u32 {
        let date = self.local(at_ms).date_naive();
        day_number(
            date.checked_add_days(Days::new(u64::from(days)))
                .unwrap_or(date),
        )
    }

    /// `yyyy-mm-dd HH:MM`.
    pub fn minute_text(&self, at_ms: i64) -> String {
        self.local(at_ms).format("%Y-%m-%d %H:%M").to_string()
    }

    /// The first whole minute that is not before a moment, as [`Self::minute_text`]: what opens then is
    /// not said to be open before.
    pub fn minute_after_text(&self, at_ms: i64) -> String {
        const MINUTE_MS: i64 = 60_000;
        self.minute_text(at_ms.saturating_add(MINUTE_MS - 1))
    }

    /// `yyyy-mm-dd HH:MM:SS`.
    pub fn second_text(&self, at_ms: i64) -> String {
        self.local(at_ms).format("%Y-%m-%d %H:%M:%S").to_string()
    }

    /// `HAE/EDT` or `HNE/EST` on the day when the hour repeats, else nothing: two draws of that
    /// night would otherwise show the same time.
    pub fn zone_mark(&self, at_ms: i64) -> &'static str {
        const HOUR_MS: i64 = 3_600_000;
        let here = self.local(at_ms);
        let offset = |moment: DateTime<Tz>| moment.offset().fix().local_minus_utc();
        let repeats_before = {
            let earlier = self.local(at_ms - HOUR_MS);
            offset(earlier) > offset(here)
                && earlier.naive_local().time() == here.naive_local().time()
        };
        let repeats_after = {
            let later = self.local(at_ms + HOUR_MS);
            offset(here) > offset(later) && later.naive_local().time() == here.naive_local().time()
        };
        if repeats_before {
            "HNE/EST"
        } else if repeats_after {
            "HAE/EDT"
        } else {
            ""
        }
    }

    /// The moment of a local time on the day of `at_ms`; when the hour repeats, its first
    /// passage; when it is skipped, an hour later.
    pub fn at_time(&self, at_ms: i64, time: NaiveTime) -> i64 {
        let date = self.local(at_ms).date_naive();
        let naive = date.and_time(time);
        let found = self
            .zone
            .from_local_datetime(&naive)
            .earliest()
            .or_else(|| {
                self.zone
                    .from_local_datetime(&(naive + chrono::Duration::hours(1)))
                    .earliest()
            });
        found.map_or(at_ms, |moment| moment.timestamp_millis())
    }
}

/// Days back in which an hour without its day is looked for.
const LOOKED_BACK_DAYS: i64 = 31;

impl Calendar {
    /// The last time before `now_ms` at which the house's clock showed this: `HHMM`, or `DDHHMM` with
    /// the day of the month; signs between the digits do not matter. None of anything else.
    pub fn last_shown(&self, now_ms: i64, text: &str) -> Option<i64> {
        const DAY_MS: i64 = 86_400_000;
        const SIGNS: [char; 5] = [' ', ':', 'h', '-', '\u{a0}'];
        let digits = text.replace(SIGNS, "");
        if !digits.bytes().all(|sign| sign.is_ascii_digit()) {
            return None;
        }
        let (day, hour) = match digits.len() {
            4 => (None, digits.as_str()),
            6 => (digits[..2].parse::<u32>().ok(), &digits[2..]),
            _ => return None,
        };
        let time = NaiveTime::from_hms_opt(hour[..2].parse().ok()?, hour[2..].parse().ok()?, 0)?;
        // The middle of each day, so that a day of 23 or 25 hours is not stepped over.
        let noon_ms = self.at_time(now_ms, NaiveTime::from_hms_opt(12, 0, 0)?);
        (0..=LOOKED_BACK_DAYS)
            .map(|back| noon_ms - back * DAY_MS)
            .filter(|at_ms| day.is_none_or(|day| self.local(*at_ms).day() == day))
            .map(|at_ms| self.at_time(at_ms, time))
            .find(|at_ms| *at_ms <= now_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_that_was_typed_is_the_last_time_it_was_so() {
        let calendar = Calendar::new("America/Toronto").unwrap();
        // 23 November, 14:30.
        let now_ms = moment("2026-11-23T14:30:10-05:00");
        for (text, expected) in [
            ("1430", Some("2026-11-23T14:30:00-05:00")),
            ("14:31", Some("2026-11-22T14:31:00-05:00")),
            ("9h05", None),
            ("09h05", Some("2026-11-23T09:05:00-05:00")),
            ("23 0905", Some("2026-11-23T09:05:00-05:00")),
            ("22-18:00", Some("2026-11-22T18:00:00-05:00")),
            ("232359", Some("2026-10-23T23:59:00-04:00")),
            ("2400", None),
            ("1260", None),
            ("320000", None),
            ("", None),
            ("12", None),
            ("12345", None),
            ("-100", None),
            ("１２３４", None),
        ] {
            let found = calendar.last_shown(now_ms, text);
            assert_eq!(found, expected.map(moment), "{text}");
        }
        // The hour that comes twice: its first passage; one hour after the clocks went back.
        let now_ms = moment("2026-11-01T01:10:00-05:00");
        assert_eq!(
            calendar.last_shown(now_ms, "0130"),
            Some(moment("2026-11-01T01:30:00-04:00"))
        );
    }

    fn moment(text: &str) -> i64 {
        DateTime::parse_from_rfc3339(text)
            .unwrap()
            .timestamp_millis()
    }

    #[test]
    fn the_day_turns_at_local_midnight() {
        let calendar = Calendar::new("America/Toronto").unwrap();
        assert_eq!(
            calendar.business_day(moment("2026-11-20T23:59:59-05:00")),
            20_261_120
        );
        assert_eq!(
            calendar.business_day(moment("2026-11-21T00:00:00-05:00")),
            20_261_121
        );
        assert_eq!(
            calendar.day_after(moment("2026-11-20T12:00:00-05:00"), 365),
            20_271_120
        );
        assert_eq!(day_text(20_271_120), "2027-11-20");
    }

    #[test]
    fn the_night_the_hour_repeats_is_marked_and_no_other() {
        let calendar = Calendar::new("America/Toronto").unwrap();
        assert_eq!(
            calendar.zone_mark(moment("2026-11-01T01:30:00-04:00")),
            "HAE/EDT"
        );
        assert_eq!(
            calendar.zone_mark(moment("2026-11-01T01:30:00-05:00")),
            "HNE/EST"
        );
        assert_eq!(calendar.zone_mark(moment("2026-11-01T03:30:00-05:00")), "");
        assert_eq!(calendar.zone_mark(moment("2026-03-08T03:30:00-04:00")), "");
        assert_eq!(calendar.zone_mark(moment("2026-11-20T01:30:00-05:00")), "");
    }

    #[test]
    fn a_zone_that_does_not_exist_is_named() {
        assert_eq!(
            Calendar::new("Mars/Phobos"),
            Err(ZoneFault("Mars/Phobos".into()))
        );
    }
}

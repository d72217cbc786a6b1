//! Numbers, money and dates as each language writes them.

use chrono::{DateTime, Datelike, NaiveDate, TimeZone, Utc};
use chrono_tz::Tz;

use keno_words::grouped;

use super::lang::Lang;

/// No-break space. The narrow one is missing from the fonts that the pages ship.
pub(super) const NBSP: char = '\u{a0}';

/// A whole number: `9 118 204` or `9,118,204`.
pub fn count(number: u64, lang: Lang) -> String {
    let separator = match lang {
        Lang::Fr => NBSP,
        Lang::En => ',',
    };
    grouped(&number.to_string(), separator)
}

/// An amount in cents: `1 234,50 $` or `$1,234.50`.
pub fn money(cents: i64, lang: Lang) -> String {
    let sign = if cents < 0 { "\u{2212}" } else { "" };
    let magnitude = cents.unsigned_abs();
    let whole = count(magnitude / 100, lang);
    let part = magnitude % 100;
    match lang {
        Lang::Fr => format!("{sign}{whole},{part:02}{NBSP}$"),
        Lang::En => format!("{sign}${whole}.{part:02}"),
    }
}

/// An amount in cents, without cents when there are none: `50 000 $` or `$50,000`.
pub fn money_short(cents: i64, lang: Lang) -> String {
    if cents % 100 != 0 {
        return money(cents, lang);
    }
    let sign = if cents < 0 { "\u{2212}" } else { "" };
    let whole = count(cents.unsigned_abs() / 100, lang);
    match lang {
        Lang::Fr => format!("{sign}{whole}{NBSP}$"),
        Lang::En => format!("{sign}${whole}"),
    }
}

/// What is paid for one dollar, in hundredths: `450`, `0,50` or `0.50`.
pub fn pays(hundredths: u64, lang: Lang) -> String {
    let whole = count(hundredths / 100, lang);
    match (hundredths % 100, lang) {
        (0, _) => whole,
        (part, Lang::Fr) => format!("{whole},{part:02}"),
        (part, Lang::En) => format!("{whole}.{part:02}"),
    }
}

/// A draw number in at least six digits, by threes: `048 214`.
pub fn draw_number(draw: u64) -> String {
    grouped(&format!("{draw:06}"), NBSP)
}

/// A control number of 16 digits by fours; anything else comes back as it is.
pub fn control_number(digits: &str) -> String {
    if digits.len() != 16 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return digits.to_owned();
    }
    let mut out = String::with_capacity(22);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && position.is_multiple_of(4) {
            out.push(NBSP);
        }
        out.push(digit);
    }
    out
}

/// A control number with all but its last four digits covered.
pub fn masked(digits: &str) -> String {
    let last: String = digits
        .chars()
        .filter(char::is_ascii_digit)
        .skip(12)
        .collect();
    format!("••••{NBSP}••••{NBSP}••••{NBSP}{last}")
}

/// A day given as `yyyy-mm-dd`: `1er janvier 2027`, `January 1, 2027`. Other text comes back as it
/// is: the record prevails over its presentation.
pub fn date(day: &str, lang: Lang) -> String {
    let Ok(parsed) = NaiveDate::parse_from_str(day, "%Y-%m-%d") else {
        return day.to_owned();
    };
    let mut months = lang.words().months.split(' ');
    let month = months.nth(parsed.month0() as usize).unwrap_or_default();
    let (year, number) = (parsed.year(), parsed.day());
    match lang {
        Lang::Fr => {
            let first = if number == 1 { "er" } else { "" };
            format!("{number}{first}{NBSP}{month}{NBSP}{year}")
        }
        Lang::En => format!("{month}{NBSP}{number}, {year}"),
    }
}

/// `HH:MM` of a local `yyyy-mm-dd HH:MM[:SS]`; other text comes back as it is.
pub fn hour(local: &str) -> &str {
    local.get(11..16).unwrap_or(local)
}

/// The day of a local `yyyy-mm-dd HH:MM[:SS]`.
pub fn day(local: &str) -> &str {
    local.get(..10).unwrap_or(local)
}

fn zoned(at_ms: i64, zone: Tz) -> Option<DateTime<Tz>> {
    DateTime::<Utc>::from_timestamp_millis(at_ms)
        .map(|utc| zone.from_utc_datetime(&utc.naive_utc()))
}

/// A moment in the house's zone, to the second: `2026-11-20 21:05:12`; empty outside the calendar.
pub fn moment(at_ms: i64, zone: Tz) -> String {
    zoned(at_ms, zone)
        .map(|at| at.format("%Y-%m-%d %H:%M:%S").to_string())
        .unwrap_or_default()
}

/// A moment in the house's zone, to the millisecond: `2026-11-20 21:05:12.014`.
pub fn instant(at_ms: i64, zone: Tz) -> String {
    zoned(at_ms, zone)
        .map(|at| at.format("%Y-%m-%d %H:%M:%S%.3f").to_string())
        .unwrap_or_default()
}

/// A percentage that was cut (never rounded up) from an exact fraction: `78,25 %`, `78.25%`.
pub fn percent(text: &str, lang: Lang) -> String {
    let bare = text.trim().trim_end_matches('%').trim();
    match lang {
        Lang::Fr => format!("{}{NBSP}%", bare.replace('.', ",")),
        Lang::En => format!("{bare}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_by_language() {
        for (cents, fr, en) in [
            (0, "0,00 $", "$0.00"),
            (5, "0,05 $", "$0.05"),
            (123_450, "1 234,50 $", "$1,234.50"),
            (500_000_000, "5 000 000,00 $", "$5,000,000.00"),
            (-2_500, "\u{2212}25,00 $", "\u{2212}$25.00"),
            (
                i64::MIN,
                "\u{2212}92 233 720 368 547 758,08 $",
                "\u{2212}$92,233,720,368,547,758.08",
            ),
        ] {
            assert_eq!(money(cents, Lang::Fr), fr.replace(' ', "\u{a0}"));
            assert_eq!(money(cents, Lang::En), en);
        }
        assert_eq!(money_short(5_000_000, Lang::Fr), "50\u{a0}000\u{a0}$");
        assert_eq!(money_short(5_000_050, Lang::En), "$50,000.50");
        assert_eq!(pays(50, Lang::Fr), "0,50");
        assert_eq!(pays(2_500_000, Lang::En), "25,000");
    }

    #[test]
    fn dates_by_language() {
        assert_eq!(date("2027-11-20", Lang::Fr), "20\u{a0}novembre\u{a0}2027");
        assert_eq!(date("2027-02-01", Lang::Fr), "1er\u{a0}février\u{a0}2027");
        assert_eq!(date("2027-11-20", Lang::En), "November\u{a0}20, 2027");
        assert_eq!(date("not a day", Lang::En), "not a day");
        assert_eq!(hour("2026-11-20 21:08"), "21:08");
        assert_eq!(hour("é"), "é");
    }

    #[test]
    fn numbers_of_draws_and_tickets() {
        assert_eq!(draw_number(48_214), "048\u{a0}214");
        assert_eq!(draw_number(1_048_214), "1\u{a0}048\u{a0}214");
        assert_eq!(
            control_number("0731552890146663"),
            "0731\u{a0}5528\u{a0}9014\u{a0}6663"
        );
        assert!(masked("0731552890146663").ends_with("6663"));
        assert!(!masked("0731552890146663").contains("0731"));
        assert!(!masked("0731").contains("0731"));
    }

    #[test]
    fn moments_in_the_zone_of_the_house() {
        let zone = chrono_tz::America::Toronto;
        assert_eq!(moment(1_795_226_712_014, zone), "2026-11-20 21:05:12");
        assert_eq!(instant(1_795_226_712_014, zone), "2026-11-20 21:05:12.014");
        assert_eq!(moment(i64::MAX, zone), "");
        assert_eq!(percent("78.25", Lang::Fr), "78,25\u{a0}%");
    }
}

//! The chance that a PIN is guessed within a year under the limits, computed for `docs/pins.md`.

use super::limiter::wait_ms;

/// Guesses that one badge at one device takes within so long, when nobody ever types the right
/// PIN there: what an attacker gets who never leaves.
pub fn guesses_within(ms: i64) -> u64 {
    let (mut at_ms, mut failures) = (0_i64, 0_u32);
    while at_ms < ms {
        failures += 1;
        at_ms += wait_ms(failures);
    }
    u64::from(failures)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;
    use crate::central::pin_door::limiter::STRANGE_FAILURES_MAX;

    /// PINs of six digits that may be chosen.
    const PINS: u64 = 903_696;

    const YEAR_MS: i64 = 365 * 24 * 60 * 60 * 1_000;

    /// As `guesses_within` a year, when its owner types the right PIN there every so many
    /// milliseconds, which gives the free tries back each time.
    fn guesses_beside_owner(every_ms: i64) -> u64 {
        let times = YEAR_MS / every_ms.max(1);
        guesses_within(every_ms).saturating_mul(u64::try_from(times).unwrap_or(u64::MAX))
    }

    fn percent(guesses: u64) -> String {
        let chance = u128::from(guesses.min(PINS)) * 1_000_000 / u128::from(PINS);
        format!("{}.{:04} %", chance / 10_000, chance % 10_000)
    }

    /// The table, as Markdown.
    fn table() -> String {
        let hour = 60 * 60 * 1_000;
        let rows = [
            (
                "at devices where the badge never succeeded, all together, until two people lift it",
                u64::from(STRANGE_FAILURES_MAX),
            ),
            (
                "at one device of its owner, day and night, while the owner is away all year",
                guesses_within(YEAR_MS),
            ),
            (
                "at one device, day and night, its owner typing the right PIN there once a day",
                guesses_beside_owner(24 * hour),
            ),
            (
                "the same, its owner typing it there every hour, day and night",
                guesses_beside_owner(hour),
            ),
        ];
        let mut text = String::from("| Guesses | In a year | Chance |\n|---|---|---|\n");
        for (what, guesses) in rows {
            // Writing to a string does not fail.
            let _ = writeln!(text, "| {what} | {guesses} | {} |", percent(guesses));
        }
        text
    }

    #[test]
    fn a_day_at_one_device_is_a_hundred_guesses() {
        assert_eq!(guesses_within(1), 5);
        assert_eq!(guesses_within(30_001), 6);
        // 5, then after 30, 60, 120, 240 and 480 s one each, then one every quarter of an hour.
        assert_eq!(
            guesses_within(24 * 60 * 60 * 1_000),
            9 + (86_400 - 930_u64).div_ceil(900)
        );
    }

    #[test]
    fn the_page_says_what_is_computed() {
        let page = include_str!("../../../../../docs/pins.md");
        assert!(page.contains(&table()), "{}", table());
    }
}

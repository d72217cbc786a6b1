//! When draws take place, as the house file says it.

use chrono::NaiveTime;
use keno_game::DrawSource;
use keno_record::calendar::Calendar;

use crate::central::house_file::HouseFile;

/// When draws take place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// Minutes between draws.
    pub every_minutes: u16,
    /// Local time of the first draw of the day.
    pub first: NaiveTime,
    /// No draw of the day is later.
    pub last: NaiveTime,
    /// Sales close so long before the first number.
    pub close_before_ms: i64,
    /// Milliseconds between numbers on the boards.
    pub ball_interval_ms: i64,
    /// Draws open for sale at once.
    pub saleable_draws: u64,
    /// Numbers are recorded so long before the first is shown.
    pub start_lead_ms: i64,
    /// Local times from which and until which balls are drawn; never, when absent.
    pub balls: Option<(NaiveTime, NaiveTime)>,
}

impl Schedule {
    /// What a house file says of it.
    pub fn of(house: &HouseFile) -> Self {
        Self {
            every_minutes: house.every_minutes,
            first: house.first,
            last: house.last,
            close_before_ms: i64::from(house.close_before_seconds) * 1000,
            ball_interval_ms: i64::from(house.ball_interval_ms),
            saleable_draws: u64::from(house.saleable_draws),
            start_lead_ms: i64::from(house.start_lead_ms),
            balls: house.balls,
        }
    }

    /// Where the numbers of a draw at that moment come from (s. 75).
    pub fn source_at(&self, calendar: Calendar, draws_at_ms: i64) -> DrawSource {
        let is_of_balls = self.balls.is_some_and(|(from, until)| {
            (calendar.at_time(draws_at_ms, from)..=calendar.at_time(draws_at_ms, until))
                .contains(&draws_at_ms)
        });
        match is_of_balls {
            true => DrawSource::Balls,
            false => DrawSource::Computer,
        }
    }
}

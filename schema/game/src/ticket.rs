//! What a ticket is, apart from its paper: draws, state, deadline.

use thiserror::Error;

use crate::numbered::numbered;

numbered! {
    /// The state of a ticket. *Issued* and *held* are facts about paper, not states.
    TicketState, code, from_code, name, from_name {
        /// Recorded and paid for.
        Sold = 1 "sold",
        /// Taken back before its first draw closed.
        Cancelled = 2 "cancelled",
        /// Of no effect: the patron left without paying (s. 83).
        VoidUnpaid = 3 "void_unpaid",
    }
}

impl TicketState {
    /// Whether the ticket takes part in its draws. Only a sold one does, and once
    /// it doesn't it never does again.
    #[must_use]
    pub const fn takes_part(self) -> bool {
        matches!(self, TicketState::Sold)
    }
}

/// The draws of a ticket, first to last, both included (s. 82(3)). A void draw of
/// the range is refunded and does not lengthen it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DrawRange {
    first: u64,
    last: u64,
}

/// Draws that are not a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DrawRangeError {
    /// Last before first.
    #[error("the last draw {last} comes before the first draw {first}")]
    Reversed {
        /// The first draw.
        first: u64,
        /// The last draw.
        last: u64,
    },
    /// No draws, or numbers beyond what can be counted.
    #[error("a ticket is for at least one draw and for draws that can be numbered")]
    CountOutOfRange,
}

impl DrawRange {
    /// From first to last.
    ///
    /// # Errors
    /// [`DrawRangeError::Reversed`].
    pub fn new(first: u64, last: u64) -> Result<DrawRange, DrawRangeError> {
        if last < first {
            return Err(DrawRangeError::Reversed { first, last });
        }
        Ok(DrawRange { first, last })
    }

    /// `draws` draws, of which the first is `first`.
    ///
    /// # Errors
    /// [`DrawRangeError::CountOutOfRange`].
    pub fn starting_at(first: u64, draws: u16) -> Result<DrawRange, DrawRangeError> {
        let last = u64::from(draws)
            .checked_sub(1)
            .and_then(|more| first.checked_add(more))
            .ok_or(DrawRangeError::CountOutOfRange)?;
        Ok(DrawRange { first, last })
    }

    /// The first draw.
    #[must_use]
    pub const fn first(self) -> u64 {
        self.first
    }

    /// The last draw.
    #[must_use]
    pub const fn last(self) -> u64 {
        self.last
    }

    /// Whether the ticket is for this draw.
    #[must_use]
    pub const fn contains(self, draw: u64) -> bool {
        self.first <= draw && draw <= self.last
    }

    /// How many draws, at least one.
    #[must_use]
    pub const fn draws(self) -> u64 {
        (self.last - self.first).saturating_add(1)
    }
}

/// The last day on which a prize may be claimed (s. 86), as the number `yyyymmdd`
/// of a business day. Which day that is (claim days after the last draw) is for
/// whoever knows the house's calendar to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClaimDeadline(u32);

/// A deadline that can't be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ClaimDeadlineError {
    /// Not a day of the calendar.
    #[error("{0} is not a day written as yyyymmdd")]
    NotADay(u32),
    /// A printed deadline may be extended, never shortened.
    #[error("a printed deadline is never shortened")]
    Shortened,
}

impl ClaimDeadline {
    /// From a day such as `20261231`.
    ///
    /// # Errors
    /// [`ClaimDeadlineError::NotADay`].
    pub fn new(day: u32) -> Result<ClaimDeadline, ClaimDeadlineError> {
        if is_day(day) {
            Ok(ClaimDeadline(day))
        } else {
            Err(ClaimDeadlineError::NotADay(day))
        }
    }

    /// The day as `yyyymmdd`.
    #[must_use]
    pub const fn day(self) -> u32 {
        self.0
    }

    /// Whether a ticket *presented* on this business day is in time. The day of
    /// payment doesn't matter: queues and outages are not the holder's.
    #[must_use]
    pub const fn is_in_time(self, presented_on: u32) -> bool {
        presented_on <= self.0
    }

    /// A later deadline.
    ///
    /// # Errors
    /// [`ClaimDeadlineError::NotADay`], [`ClaimDeadlineError::Shortened`].
    pub fn extended_to(self, day: u32) -> Result<ClaimDeadline, ClaimDeadlineError> {
        let later = ClaimDeadline::new(day)?;
        if later < self {
            return Err(ClaimDeadlineError::Shortened);
        }
        Ok(later)
    }
}

/// Whether `yyyymmdd` is a day of the Gregorian calendar from 1900 to 9999.
fn is_day(day: u32) -> bool {
    let (year, month, date) = (day / 10_000, day / 100 % 100, day % 100);
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => 0,
    };
    (1900..=9999).contains(&year) && (1..=days).contains(&date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_for_its_first_to_its_last_draw() {
        let range = DrawRange::starting_at(100, 10).unwrap();
        assert_eq!((range.first(), range.last(), range.draws()), (100, 109, 10));
        assert!(range.contains(100) && range.contains(109));
        assert!(!range.contains(99) && !range.contains(110));
        assert_eq!(DrawRange::new(5, 5).unwrap().draws(), 1);
        assert_eq!(
            DrawRange::new(5, 4),
            Err(DrawRangeError::Reversed { first: 5, last: 4 })
        );
        assert_eq!(
            DrawRange::starting_at(5, 0),
            Err(DrawRangeError::CountOutOfRange)
        );
        assert_eq!(
            DrawRange::starting_at(u64::MAX, 2),
            Err(DrawRangeError::CountOutOfRange)
        );
    }

    #[test]
    fn a_deadline_is_kept_or_extended() {
        let deadline = ClaimDeadline::new(20_260_228).unwrap();
        assert!(deadline.is_in_time(20_260_228));
        assert!(!deadline.is_in_time(20_260_301));
        assert_eq!(
            deadline.extended_to(20_260_227),
            Err(ClaimDeadlineError::Shortened)
        );
        assert_eq!(deadline.extended_to(20_270_101).unwrap().day(), 20_270_101);
        for day in [
            20_260_229,
            20_261_301,
            20_260_431,
            20_260_100,
            0,
            21_000_229,
            120_260_101,
        ] {
            assert_eq!(
                ClaimDeadline::new(day),
                Err(ClaimDeadlineError::NotADay(day))
            );
        }
        assert!(ClaimDeadline::new(20_280_229).is_ok());
        assert!(ClaimDeadline::new(20_000_229).is_ok());
    }

    #[test]
    fn states_read_back() {
        for state in TicketState::ALL {
            assert_eq!(TicketState::from_code(state.code()), Some(state));
            assert_eq!(state.takes_part(), state == TicketState::Sold);
        }
        assert_eq!(TicketState::from_code(0), None);
        assert_eq!(TicketState::VoidUnpaid.name(), "void_unpaid");
    }
}

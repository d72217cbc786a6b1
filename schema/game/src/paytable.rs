//! Pay tables: what a wager on so many spots pays for each catch.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::ball::NUMBER_MAX;
use crate::cents::Cents;

/// The most numbers a draw can match: no pool draws more than 20.
pub const CATCH_MAX: u8 = 20;

/// What one unit wagered pays, the stake included ("for one"), in hundredths:
/// `2` is 200, `0.5` is 50.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Pays(u32);

/// A text that is not a prize for one unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PaysError {
    /// Not digits, with a point and one or two decimals at most.
    #[error("a prize for one is written with digits and at most two decimals, such as 0.50")]
    NotADecimal,
    /// More than 42,949,672.95 for one.
    #[error("a prize for one is too large")]
    TooLarge,
}

impl Pays {
    /// Pays nothing.
    pub const NOTHING: Pays = Pays(0);

    /// From hundredths of the wager.
    #[must_use]
    pub const fn from_hundredths(hundredths: u32) -> Pays {
        Pays(hundredths)
    }

    /// In hundredths of the wager.
    #[must_use]
    pub const fn hundredths(self) -> u32 {
        self.0
    }
}

/// The shortest text: `2`, `0.5`, `1.25`.
impl fmt::Display for Pays {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / 100, self.0 % 100);
        if part == 0 {
            write!(formatter, "{whole}")
        } else if part.is_multiple_of(10) {
            write!(formatter, "{whole}.{}", part / 10)
        } else {
            write!(formatter, "{whole}.{part:02}")
        }
    }
}

impl FromStr for Pays {
    type Err = PaysError;

    fn from_str(text: &str) -> Result<Pays, PaysError> {
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let (whole, part) = match text.split_once('.') {
            Some((whole, part)) if part.len() <= 2 => (whole, part),
            Some(_) => return Err(PaysError::NotADecimal),
            None => (text, "0"),
        };
        if !is_number(whole) || !is_number(part) {
            return Err(PaysError::NotADecimal);
        }
        format!("{whole}{part:0<2}")
            .parse()
            .map(Pays)
            .map_err(|_| PaysError::TooLarge)
    }
}

/// The prizes of one spot count, catch zero included.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PayTable {
    spots: u8,
    pays: [Pays; CATCH_MAX as usize + 1],
}

/// A list of prizes that is not a pay table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PayTableError {
    /// No spots, or more than 80.
    #[error("a pay table for {0} spots can't be")]
    SpotsOutOfRange(u8),
    /// More catches than spots or than a draw has numbers.
    #[error("catching {catch} on {spots} spots can't be")]
    CatchOutOfRange {
        /// The spots of the table.
        spots: u8,
        /// The catch that can't be.
        catch: u8,
    },
    /// The same catch twice.
    #[error("the catch {0} is given twice")]
    CatchRepeated(u8),
}

impl PayTable {
    /// A table for `spots` spots; a catch that isn't listed pays nothing.
    ///
    /// # Errors
    /// [`PayTableError`]: spots outside 1 to 80, a catch beyond the spots or
    /// beyond 20, a catch given twice.
    pub fn new(spots: u8, pays: &[(u8, Pays)]) -> Result<PayTable, PayTableError> {
        if spots == 0 || spots > NUMBER_MAX {
            return Err(PayTableError::SpotsOutOfRange(spots));
        }
        let mut table = PayTable {
            spots,
            pays: [Pays::NOTHING; CATCH_MAX as usize + 1],
        };
        let mut seen = 0u32;
        for &(catch, prize) in pays {
            if catch > table.catch_max() {
                return Err(PayTableError::CatchOutOfRange { spots, catch });
            }
            if seen & (1 << catch) != 0 {
                return Err(PayTableError::CatchRepeated(catch));
            }
            seen |= 1 << catch;
            if let Some(slot) = table.pays.get_mut(usize::from(catch)) {
                *slot = prize;
            }
        }
        Ok(table)
    }

    /// How many numbers are played.
    #[must_use]
    pub fn spots(&self) -> u8 {
        self.spots
    }

    /// The most that can be caught: the spots, or 20.
    #[must_use]
    pub fn catch_max(&self) -> u8 {
        self.spots.min(CATCH_MAX)
    }

    /// What one unit pays for this catch; nothing for a catch that can't be.
    #[must_use]
    pub fn pays(&self, catch: u8) -> Pays {
        self.pays
            .get(usize::from(catch))
            .copied()
            .unwrap_or(Pays::NOTHING)
    }

    /// The catches that pay something, ascending.
    pub fn paying(&self) -> impl Iterator<Item = (u8, Pays)> + '_ {
        (0..=self.catch_max())
            .map(|catch| (catch, self.pays(catch)))
            .filter(|(_, pays)| *pays != Pays::NOTHING)
    }

    /// The prize of a wager of `wager` that caught `catch`: wager × pays, floored
    /// to the cent. A wager below zero wins nothing. Exact for every wager of a
    /// checked rule book; beyond 64 bits it stays at the most that can be counted.
    #[must_use]
    pub fn prize(&self, wager: Cents, catch: u8) -> Cents {
        let product = i128::from(wager.get().max(0)) * i128::from(self.pays(catch).hundredths());
        Cents::new(i64::try_from(product / 100).unwrap_or(i64::MAX))
    }

    /// The largest prize of a wager, whatever is caught.
    #[must_use]
    pub fn top_prize(&self, wager: Cents) -> Cents {
        (0..=self.catch_max())
            .map(|catch| self.prize(wager, catch))
            .max()
            .unwrap_or(Cents::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prize_for_one_has_at_most_two_decimals() {
        for (text, hundredths, shortest) in [
            ("2", 200, "2"),
            ("0.5", 50, "0.5"),
            ("0.50", 50, "0.5"),
            ("1.25", 125, "1.25"),
            ("100000", 10_000_000, "100000"),
        ] {
            let pays: Pays = text.parse().unwrap();
            assert_eq!(pays.hundredths(), hundredths);
            assert_eq!(pays.to_string(), shortest);
            assert_eq!(shortest.parse(), Ok(pays));
        }
        for text in ["", ".5", "1.", "0.505", "-1", "1,5", "1.5.0", "+2", " 2"] {
            assert_eq!(text.parse::<Pays>(), Err(PaysError::NotADecimal), "{text}");
        }
        assert_eq!("42949672.96".parse::<Pays>(), Err(PaysError::TooLarge));
    }

    #[test]
    fn a_prize_is_floored_to_the_cent() {
        let table = PayTable::new(
            4,
            &[
                (2, Pays::from_hundredths(33)),
                (0, Pays::from_hundredths(200)),
            ],
        )
        .unwrap();
        assert_eq!(table.prize(Cents::new(101), 2), Cents::new(33));
        assert_eq!(table.prize(Cents::new(100), 0), Cents::new(200));
        assert_eq!(table.prize(Cents::new(100), 3), Cents::ZERO);
        assert_eq!(table.prize(Cents::new(100), 200), Cents::ZERO);
        assert_eq!(table.prize(Cents::new(-100), 0), Cents::ZERO);
        assert_eq!(table.top_prize(Cents::new(100)), Cents::new(200));
        assert_eq!(table.paying().count(), 2);
    }

    #[test]
    fn an_impossible_table_is_refused() {
        let two = Pays::from_hundredths(200);
        assert_eq!(
            PayTable::new(0, &[]),
            Err(PayTableError::SpotsOutOfRange(0))
        );
        assert_eq!(
            PayTable::new(81, &[]),
            Err(PayTableError::SpotsOutOfRange(81))
        );
        assert_eq!(
            PayTable::new(3, &[(4, two)]),
            Err(PayTableError::CatchOutOfRange { spots: 3, catch: 4 })
        );
        assert_eq!(
            PayTable::new(40, &[(21, two)]),
            Err(PayTableError::CatchOutOfRange {
                spots: 40,
                catch: 21
            })
        );
        assert_eq!(
            PayTable::new(3, &[(2, two), (2, two)]),
            Err(PayTableError::CatchRepeated(2))
        );
    }
}

//! Numbers, sets of numbers, and the pool that they come from.

use std::fmt;

use thiserror::Error;

/// The largest number of any pool, so the largest number a set can hold.
pub const NUMBER_MAX: u8 = 80;

/// The bits that a set may use: bit `n - 1` stands for the number `n`.
const ALL_BITS: u128 = (1 << NUMBER_MAX) - 1;

/// How many numbers there are and how many are drawn: 20 of 80, or 20 of 70.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pool {
    size: u8,
    drawn: u8,
}

/// A pool that this game does not know how to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the pool {drawn} of {size} is neither 20 of 80 nor 20 of 70")]
pub struct PoolError {
    /// The size that was asked for.
    pub size: u8,
    /// The count of drawn numbers that was asked for.
    pub drawn: u8,
}

impl Pool {
    /// 20 of 80, the game of the by-law.
    pub const TWENTY_OF_EIGHTY: Pool = Pool {
        size: 80,
        drawn: 20,
    };
    /// 20 of 70.
    pub const TWENTY_OF_SEVENTY: Pool = Pool {
        size: 70,
        drawn: 20,
    };

    /// A pool of `size` numbers of which `drawn` are drawn.
    ///
    /// # Errors
    /// [`PoolError`] for anything but 20 of 80 and 20 of 70.
    pub fn new(size: u8, drawn: u8) -> Result<Pool, PoolError> {
        match (size, drawn) {
            (80, 20) => Ok(Pool::TWENTY_OF_EIGHTY),
            (70, 20) => Ok(Pool::TWENTY_OF_SEVENTY),
            _ => Err(PoolError { size, drawn }),
        }
    }

    /// The largest number.
    #[must_use]
    pub fn size(self) -> u8 {
        self.size
    }

    /// How many numbers are drawn.
    #[must_use]
    pub fn drawn(self) -> u8 {
        self.drawn
    }

    /// Whether `number` is one of this pool's numbers.
    #[must_use]
    pub fn contains(self, number: u8) -> bool {
        (1..=self.size).contains(&number)
    }

    /// Every number of the pool.
    #[must_use]
    pub fn all(self) -> BallSet {
        BallSet((1u128 << self.size) - 1)
    }
}

/// A set of numbers 1 to 80.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct BallSet(u128);

/// A list of numbers that is not a set of numbers 1 to 80.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BallError {
    /// A number outside 1 to 80.
    #[error("the number {0} is outside 1 to 80")]
    OutOfRange(u8),
    /// A number given twice.
    #[error("the number {0} is repeated")]
    Repeated(u8),
    /// Bits that stand for no number.
    #[error("a bit beyond the number 80 is set")]
    BitsOutOfRange,
}

impl BallSet {
    /// The set of no numbers.
    pub const EMPTY: BallSet = BallSet(0);

    /// The set of exactly these numbers, in any order.
    ///
    /// # Errors
    /// [`BallError::OutOfRange`] for 0 and beyond 80, [`BallError::Repeated`].
    pub fn from_numbers(numbers: &[u8]) -> Result<BallSet, BallError> {
        let mut set = BallSet::EMPTY;
        for &number in numbers {
            if !set.insert(number)? {
                return Err(BallError::Repeated(number));
            }
        }
        Ok(set)
    }

    /// Adds a number; `false` if it was there.
    ///
    /// # Errors
    /// [`BallError::OutOfRange`] for 0 and beyond 80.
    pub fn insert(&mut self, number: u8) -> Result<bool, BallError> {
        if number == 0 || number > NUMBER_MAX {
            return Err(BallError::OutOfRange(number));
        }
        let bit = 1u128 << (number - 1);
        let is_new = self.0 & bit == 0;
        self.0 |= bit;
        Ok(is_new)
    }

    /// Whether the number is in the set; a number that can't be is not.
    #[must_use]
    pub fn contains(self, number: u8) -> bool {
        (1..=NUMBER_MAX).contains(&number) && self.0 & (1u128 << (number - 1)) != 0
    }

    /// How many numbers, 0 to 80.
    #[must_use]
    pub fn len(self) -> u8 {
        // At most 80 bits are ever set, so the count fits.
        self.0.count_ones() as u8
    }

    /// Whether there is no number.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The numbers, ascending.
    pub fn iter(self) -> BallIter {
        BallIter(self.0)
    }

    /// The numbers as bits: bit `n - 1` stands for `n`.
    #[must_use]
    pub fn bits(self) -> u128 {
        self.0
    }

    /// The set with these bits, as [`BallSet::bits`] gave them.
    ///
    /// # Errors
    /// [`BallError::BitsOutOfRange`] if a bit beyond the number 80 is set.
    pub fn from_bits(bits: u128) -> Result<BallSet, BallError> {
        if bits & !ALL_BITS == 0 {
            Ok(BallSet(bits))
        } else {
            Err(BallError::BitsOutOfRange)
        }
    }

    /// The bits in two words: numbers 1 to 64, and 65 to 80.
    #[must_use]
    pub fn mask_parts(self) -> (u64, u16) {
        (self.0 as u64, (self.0 >> 64) as u16)
    }

    /// The set of two words, as [`BallSet::mask_parts`] gave them; every pair
    /// of words is a set.
    #[must_use]
    pub fn from_mask_parts(low: u64, high: u16) -> BallSet {
        BallSet(u128::from(low) | (u128::from(high) << 64))
    }

    /// The numbers of both.
    #[must_use]
    pub fn intersection(self, other: BallSet) -> BallSet {
        BallSet(self.0 & other.0)
    }

    /// The numbers of either.
    #[must_use]
    pub fn union(self, other: BallSet) -> BallSet {
        BallSet(self.0 | other.0)
    }

    /// The numbers of this set that the other lacks.
    #[must_use]
    pub fn difference(self, other: BallSet) -> BallSet {
        BallSet(self.0 & !other.0)
    }

    /// Whether they share no number.
    #[must_use]
    pub fn is_disjoint(self, other: BallSet) -> bool {
        self.0 & other.0 == 0
    }

    /// Whether every number of this set is in the other.
    #[must_use]
    pub fn is_subset(self, other: BallSet) -> bool {
        self.0 & !other.0 == 0
    }
}

/// Two digits a number, ascending, one space between: `07 18 33`.
impl fmt::Display for BallSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, number) in self.iter().enumerate() {
            if index > 0 {
                formatter.write_str(" ")?;
            }
            write!(formatter, "{number:02}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for BallSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "BallSet({self})")
    }
}

impl IntoIterator for BallSet {
    type Item = u8;
    type IntoIter = BallIter;

    fn into_iter(self) -> BallIter {
        self.iter()
    }
}

/// The numbers of a set, ascending.
#[derive(Debug, Clone)]
pub struct BallIter(u128);

impl Iterator for BallIter {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let number = self.0.trailing_zeros() as u8 + 1;
        self.0 &= self.0 - 1;
        Some(number)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for BallIter {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_is_20_of_80_or_20_of_70() {
        assert_eq!(Pool::new(80, 20), Ok(Pool::TWENTY_OF_EIGHTY));
        assert_eq!(Pool::new(70, 20), Ok(Pool::TWENTY_OF_SEVENTY));
        for (size, drawn) in [(80, 19), (79, 20), (70, 21), (0, 0), (90, 20)] {
            assert_eq!(Pool::new(size, drawn), Err(PoolError { size, drawn }));
        }
        assert!(!Pool::TWENTY_OF_SEVENTY.contains(71));
        assert!(!Pool::TWENTY_OF_EIGHTY.contains(0));
        assert_eq!(Pool::TWENTY_OF_SEVENTY.all().len(), 70);
    }

    #[test]
    fn zero_eighty_one_and_a_repeated_number_are_refused() {
        assert_eq!(
            BallSet::from_numbers(&[1, 0]),
            Err(BallError::OutOfRange(0))
        );
        assert_eq!(BallSet::from_numbers(&[81]), Err(BallError::OutOfRange(81)));
        assert_eq!(
            BallSet::from_numbers(&[7, 18, 7]),
            Err(BallError::Repeated(7))
        );
        assert_eq!(BallSet::from_bits(1 << 80), Err(BallError::BitsOutOfRange));
    }

    #[test]
    fn the_numbers_come_back_ascending_and_through_both_packings() {
        let set = BallSet::from_numbers(&[80, 1, 64, 65]).unwrap();
        assert_eq!(set.iter().collect::<Vec<_>>(), [1, 64, 65, 80]);
        assert_eq!(set.to_string(), "01 64 65 80");
        assert_eq!(set.len(), 4);
        let (low, high) = set.mask_parts();
        assert_eq!((low, high), (1 | 1 << 63, 1 | 1 << 15));
        assert_eq!(BallSet::from_mask_parts(low, high), set);
        assert_eq!(BallSet::from_bits(set.bits()), Ok(set));
        assert!(set.contains(65) && !set.contains(66) && !set.contains(0));
    }
}

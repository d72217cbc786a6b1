//! The numbers of a draw, in the order in which they came out.

use thiserror::Error;

use crate::ball::{BallSet, Pool};

/// The drawn numbers: as many as the pool draws, distinct, in order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Drawn {
    balls_in_order: Vec<u8>,
    set: BallSet,
}

/// Numbers that are not a draw of the pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DrawnError {
    /// Too many or too few.
    #[error("a draw has {wanted} numbers, not {given}")]
    WrongCount {
        /// How many the pool draws.
        wanted: u8,
        /// How many were given.
        given: usize,
    },
    /// Outside the pool.
    #[error("the number {0} is outside the pool")]
    OutOfRange(u8),
    /// Drawn twice.
    #[error("the number {0} is drawn twice")]
    Repeated(u8),
}

impl Drawn {
    /// Checks the count, then for each number the range and that it is new.
    ///
    /// # Errors
    /// [`DrawnError`], the first in that order.
    pub fn new(pool: Pool, balls_in_order: &[u8]) -> Result<Drawn, DrawnError> {
        if balls_in_order.len() != usize::from(pool.drawn()) {
            return Err(DrawnError::WrongCount {
                wanted: pool.drawn(),
                given: balls_in_order.len(),
            });
        }
        let mut set = BallSet::EMPTY;
        for &number in balls_in_order {
            if !pool.contains(number) {
                return Err(DrawnError::OutOfRange(number));
            }
            match set.insert(number) {
                Ok(true) => {}
                Ok(false) => return Err(DrawnError::Repeated(number)),
                Err(_) => return Err(DrawnError::OutOfRange(number)),
            }
        }
        Ok(Drawn {
            balls_in_order: balls_in_order.to_vec(),
            set,
        })
    }

    /// In the order drawn.
    #[must_use]
    pub fn balls_in_order(&self) -> &[u8] {
        &self.balls_in_order
    }

    /// Without order.
    #[must_use]
    pub fn set(&self) -> BallSet {
        self.set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_keeps_its_order_and_refuses_what_is_not_one() {
        let balls: Vec<u8> = (51..=70).rev().collect();
        let drawn = Drawn::new(Pool::TWENTY_OF_SEVENTY, &balls).unwrap();
        assert_eq!(drawn.balls_in_order(), balls);
        assert_eq!(drawn.set().len(), 20);

        assert_eq!(
            Drawn::new(Pool::TWENTY_OF_EIGHTY, &balls[1..]),
            Err(DrawnError::WrongCount {
                wanted: 20,
                given: 19
            })
        );
        let mut planted = balls.clone();
        planted[3] = 71;
        assert!(Drawn::new(Pool::TWENTY_OF_EIGHTY, &planted).is_ok());
        assert_eq!(
            Drawn::new(Pool::TWENTY_OF_SEVENTY, &planted),
            Err(DrawnError::OutOfRange(71))
        );
        planted[3] = 0;
        assert_eq!(
            Drawn::new(Pool::TWENTY_OF_EIGHTY, &planted),
            Err(DrawnError::OutOfRange(0))
        );
        planted[3] = 70;
        assert_eq!(
            Drawn::new(Pool::TWENTY_OF_EIGHTY, &planted),
            Err(DrawnError::Repeated(70))
        );
    }
}

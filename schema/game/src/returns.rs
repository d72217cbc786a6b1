//! Returns: exact fractions, with and without the cap (s. 85).
//!
//! The chance of catching `k` of `s` spots is C(s,k) · C(N−s, D−k) / C(N,D). One
//! return is a sum of chance × prize over the wager, in whole numbers: C(80,20) is
//! below 2^62 and a prize below 2^63, so that everything fits 128 bits. A rounded
//! percentage is for the eye alone: 64.995 % is not 65 %.

mod carried;

use std::cmp::Ordering;
use std::fmt;

use thiserror::Error;

use crate::ball::Pool;
use crate::cents::Cents;
use crate::paytable::PayTable;
use crate::settle::{PrizeTotals, factors, payable};

pub use carried::{Carried, CarriedWager, Certificate, CertificateLine};
pub(crate) use carried::{JUDGED_MAX, judge, judged_count};

/// A fraction in lowest terms; the denominator is never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fraction {
    /// Above the line.
    pub numerator: u128,
    /// Below the line.
    pub denominator: u128,
}

/// The return that the by-law asks for at least (s. 85): 65 %.
pub const RETURN_FLOOR: Fraction = Fraction {
    numerator: 13,
    denominator: 20,
};

/// A return that can't be computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ReturnError {
    /// Nothing is wagered, or less than nothing.
    #[error("a return needs a wager above zero")]
    NothingWagered,
    /// Sums beyond 128 bits (or prizes beyond 64).
    #[error("the return is beyond what can be counted")]
    Overflow,
}

impl Fraction {
    /// Zero.
    pub const ZERO: Fraction = Fraction {
        numerator: 0,
        denominator: 1,
    };

    /// The fraction in lowest terms; `None` for a denominator of 0.
    #[must_use]
    pub fn new(numerator: u128, denominator: u128) -> Option<Fraction> {
        if denominator == 0 {
            return None;
        }
        let divisor = greatest_common_divisor(numerator, denominator);
        Some(Fraction {
            numerator: numerator / divisor,
            denominator: denominator / divisor,
        })
    }

    /// As a percentage with so many decimals (at most 12), cut and not rounded, so
    /// that what is below 65 never reads 65: `64.995131`.
    #[must_use]
    pub fn percent_text(&self, decimals: u8) -> String {
        if self.denominator == 0 {
            return String::new();
        }
        let mut text = String::new();
        // Long division, digit by digit: no product that could overflow but ×10.
        let mut rest = self.numerator;
        let mut whole = rest / self.denominator;
        rest %= self.denominator;
        for place in 0..2 + decimals.min(12) {
            let (digit, next) = next_digit(rest, self.denominator);
            rest = next;
            if place < 2 {
                whole = whole.saturating_mul(10).saturating_add(digit);
            } else {
                if place == 2 {
                    text.push('.');
                }
                text.push_str(&digit.to_string());
            }
        }
        format!("{whole}{text}")
    }
}

/// The next decimal digit of rest / divisor and what is left, by ten additions, so
/// that nothing is multiplied beyond 128 bits.
fn next_digit(rest: u128, divisor: u128) -> (u128, u128) {
    let mut digit = 0;
    let mut left = 0u128;
    for _ in 0..10 {
        // left and rest are below the divisor; compare without adding.
        if left >= divisor - rest {
            left -= divisor - rest;
            digit += 1;
        } else {
            left += rest;
        }
    }
    (digit, left)
}

impl fmt::Display for Fraction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&format!("{}/{}", self.numerator, self.denominator))
    }
}

impl Ord for Fraction {
    /// By cross product; where that is beyond 128 bits, by Euclid's algorithm,
    /// which is as exact.
    fn cmp(&self, other: &Fraction) -> Ordering {
        let left = self.numerator.checked_mul(other.denominator);
        let right = other.numerator.checked_mul(self.denominator);
        match (left, right) {
            (Some(left), Some(right)) => left.cmp(&right),
            _ => compare_by_quotients(*self, *other),
        }
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Compares quotient by quotient; each round turns the fractions over, and with
/// them the answer.
fn compare_by_quotients(left: Fraction, right: Fraction) -> Ordering {
    let (mut a, mut b) = (left.numerator, left.denominator);
    let (mut c, mut d) = (right.numerator, right.denominator);
    let mut is_turned = false;
    loop {
        let order = match (b, d) {
            // A fraction over 0 comes up only by turning over: it is infinite.
            (0, 0) => Some(Ordering::Equal),
            (0, _) => Some(Ordering::Greater),
            (_, 0) => Some(Ordering::Less),
            _ => match (a / b).cmp(&(c / d)) {
                Ordering::Equal => None,
                order => Some(order),
            },
        };
        if let Some(order) = order {
            return if is_turned { order.reverse() } else { order };
        }
        (a, b) = (b, a % b);
        (c, d) = (d, c % d);
        is_turned = !is_turned;
    }
}

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

/// C(n, k), exact: every product on the way is itself a binomial times at most 80.
fn binomial(n: u8, k: u8) -> u128 {
    if k > n {
        return 0;
    }
    let k = k.min(n - k);
    (0..k).fold(1u128, |value, index| {
        value * u128::from(n - index) / u128::from(index + 1)
    })
}

/// The chance to catch exactly `catch` of `spots` spots, as (draws that do, all
/// draws): C(s,k) · C(N−s, D−k) and C(N,D), not reduced, so that the rows of one
/// pool share a denominator. No draws do if it can't be.
#[must_use]
pub fn hypergeometric(pool: Pool, spots: u8, catch: u8) -> (u128, u128) {
    let all = binomial(pool.size(), pool.drawn());
    if spots > pool.size() || catch > pool.drawn() {
        return (0, all);
    }
    let caught = binomial(spots, catch);
    let missed = binomial(pool.size() - spots, pool.drawn() - catch);
    (caught * missed, all)
}

/// The return of a table without cap and without floors: Σ chance × pays. Zero for
/// more spots than the pool has numbers.
#[must_use]
pub fn return_rate(table: &PayTable, pool: Pool) -> Fraction {
    // 2^62 draws × 2^32 hundredths, 21 times over: below 2^99.
    let sum = table.paying().fold(0u128, |sum, (catch, pays)| {
        let (draws, _) = hypergeometric(pool, table.spots(), catch);
        sum + draws * u128::from(pays.hundredths())
    });
    let all = binomial(pool.size(), pool.drawn());
    Fraction::new(sum, all * 100).unwrap_or(Fraction::ZERO)
}

/// The return of one ticket that carries selections of several wagers on the same numbers
/// and wins alone: prizes floored, then prorated and floored by the settlement's own rule. Each
/// pair is a wager and how many selections carry it.
///
/// # Errors
/// [`ReturnError`].
pub fn return_of_ticket(
    table: &PayTable,
    pool: Pool,
    wagers: &[(Cents, u64)],
    cap: Cents,
    threshold: Cents,
) -> Result<Fraction, ReturnError> {
    let mut wagered = Cents::ZERO;
    for &(wager, copies) in wagers {
        if wager <= Cents::ZERO || copies == 0 {
            return Err(ReturnError::NothingWagered);
        }
        wagered = wager
            .checked_mul(copies)
            .and_then(|amount| wagered.checked_add(amount))
            .ok_or(ReturnError::Overflow)?;
    }
    let wagered = u128::try_from(wagered.get()).unwrap_or(0);
    if wagered == 0 {
        return Err(ReturnError::NothingWagered);
    }
    let mut sum = 0u128;
    for (catch, _) in table.paying() {
        let (draws, _) = hypergeometric(pool, table.spots(), catch);
        let paid = paid_for_catch(table, catch, wagers, cap, threshold)?;
        sum = u128::try_from(paid.get())
            .ok()
            .and_then(|paid| draws.checked_mul(paid))
            .and_then(|part| sum.checked_add(part))
            .ok_or(ReturnError::Overflow)?;
    }
    binomial(pool.size(), pool.drawn())
        .checked_mul(wagered)
        .and_then(|all| Fraction::new(sum, all))
        .ok_or(ReturnError::Overflow)
}

/// What the ticket gets for a catch when nobody else wins.
fn paid_for_catch(
    table: &PayTable,
    catch: u8,
    wagers: &[(Cents, u64)],
    cap: Cents,
    threshold: Cents,
) -> Result<Cents, ReturnError> {
    let prizes = wagers
        .iter()
        .map(|&(wager, copies)| (table.prize(wager, catch), copies));
    paid_alone(prizes, cap, threshold)
}

/// What is payable of these prizes (of one way, each with how many), settled as the
/// only ones of their draw.
fn paid_alone(
    prizes: impl Iterator<Item = (Cents, u64)> + Clone,
    cap: Cents,
    threshold: Cents,
) -> Result<Cents, ReturnError> {
    let mut totals = PrizeTotals::default();
    for (prize, copies) in prizes.clone() {
        totals
            .add_prizes(prize, copies, threshold)
            .map_err(|_| ReturnError::Overflow)?;
    }
    totals.total().map_err(|_| ReturnError::Overflow)?;
    let factors = factors(cap, totals);
    prizes
        .map(|(prize, copies)| payable(prize, threshold, &factors).checked_mul(copies))
        .try_fold(Cents::ZERO, |sum, amount| sum.checked_add(amount?))
        .ok_or(ReturnError::Overflow)
}

//! Prizes, cap and prize list of a draw (`RULES.md`, "Settlement").

use keno_log::Hash;
use keno_log::hash::leaf_hash;
use keno_log::tree::Edge;

/// The cap of a draw, in cents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cap {
    /// Maximum payable in prizes.
    pub cap_cents: i64,
    /// Prizes per way below it are *small*.
    pub full_below_cents: i64,
}

/// Sums of prizes before the cap, and the two factors that follow from them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Factors {
    /// Sum of the small prizes, in cents.
    pub small_cents: i64,
    /// Sum of the large prizes, in cents.
    pub large_cents: i64,
    /// Factor of the small prizes: numerator and denominator.
    pub small: (u64, u64),
    /// Factor of the large prizes: numerator and denominator.
    pub large: (u64, u64),
}

impl Factors {
    /// The factors for prizes per way, each with how many times; none beyond 64 bits.
    pub fn of(cap: &Cap, prizes: impl Iterator<Item = (i64, u64)>) -> Option<Self> {
        let (mut small_cents, mut large_cents) = (0_i64, 0_i64);
        for (prize, times) in prizes {
            let sum = prize.checked_mul(i64::try_from(times).ok()?)?;
            if prize < cap.full_below_cents {
                small_cents = small_cents.checked_add(sum)?;
            } else {
                large_cents = large_cents.checked_add(sum)?;
            }
        }
        let all = small_cents.checked_add(large_cents)?;
        let whole = (1, 1);
        let part = |numerator: i64, denominator: i64| {
            Some((numerator.try_into().ok()?, denominator.try_into().ok()?))
        };
        let (small, large) = if all <= cap.cap_cents {
            (whole, whole)
        } else if small_cents <= cap.cap_cents {
            (whole, part(cap.cap_cents - small_cents, large_cents)?)
        } else {
            let shared = part(cap.cap_cents, all)?;
            (shared, if large_cents == 0 { whole } else { shared })
        };
        Some(Self {
            small_cents,
            large_cents,
            small,
            large,
        })
    }

    /// What one prize per way comes to after the cap, rounded down to the cent.
    #[must_use]
    pub fn payable(&self, cap: &Cap, prize: i64) -> Option<i64> {
        let (numerator, denominator) = if prize < cap.full_below_cents {
            self.small
        } else {
            self.large
        };
        let exact = i128::from(prize) * i128::from(numerator);
        i64::try_from(exact.checked_div(i128::from(denominator))?).ok()
    }
}

/// Prizes of one ticket that are equal: (ticket, prize per way in cents, how many ways).
pub type TicketPrizes = (u64, i64, u64);

/// A draw's settlement, recomputed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    /// Tickets with a prize.
    pub winners: u64,
    /// Sums and factors.
    pub factors: Factors,
    /// Sum of what is payable, in cents.
    pub payable_cents: i64,
    /// The lesser of cap and sum, less what is payable, in cents.
    pub breakage_cents: i64,
    /// Root over the prize list.
    pub prize_root: Hash,
    /// Payable by ticket, ascending: (ticket, cents).
    pub payable: Vec<(u64, i64)>,
}

/// Settles from the prizes per way, in ascending order of tickets; none beyond 64 bits.
#[must_use]
pub fn settle(cap: &Cap, prizes: &[TicketPrizes]) -> Option<Settlement> {
    let each = prizes.iter().map(|(_, prize, times)| (*prize, *times));
    let factors = Factors::of(cap, each)?;
    let mut payable: Vec<(u64, i64)> = Vec::new();
    let mut root = Edge::new();
    let mut payable_cents = 0_i64;
    for of_ticket in prizes.chunk_by(|left, right| left.0 == right.0) {
        let ticket = of_ticket.first()?.0;
        let (mut computed, mut paid) = (0_i64, 0_i64);
        for (_, prize, times) in of_ticket {
            let times = i64::try_from(*times).ok()?;
            computed = computed.checked_add(prize.checked_mul(times)?)?;
            let one = factors.payable(cap, *prize)?;
            paid = paid.checked_add(one.checked_mul(times)?)?;
        }
        let mut record = Vec::with_capacity(24);
        record.extend_from_slice(&ticket.to_be_bytes());
        record.extend_from_slice(&computed.to_be_bytes());
        record.extend_from_slice(&paid.to_be_bytes());
        root.append(leaf_hash(&record));
        payable.push((ticket, paid));
        payable_cents = payable_cents.checked_add(paid)?;
    }
    let all = factors.small_cents.checked_add(factors.large_cents)?;
    Some(Settlement {
        winners: payable.len() as u64,
        factors,
        payable_cents,
        breakage_cents: all.min(cap.cap_cents) - payable_cents,
        prize_root: root.root(),
        payable,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(prizes: &[i64], cap_cents: i64, full_below_cents: i64) -> (Vec<i64>, i64) {
        let cap = Cap {
            cap_cents,
            full_below_cents,
        };
        let prizes: Vec<TicketPrizes> = (1..)
            .zip(prizes)
            .map(|(ticket, prize)| (ticket, *prize, 1))
            .collect();
        let settlement = settle(&cap, &prizes).unwrap();
        let payable = settlement.payable.iter().map(|(_, cents)| *cents).collect();
        (payable, settlement.breakage_cents)
    }

    #[test]
    fn the_vectors_of_the_published_rules() {
        let prizes = [5_000_000, 2_500_000, 300, 200];
        let all_share = (vec![3_333_111, 1_666_555, 199, 133], 2);
        assert_eq!(settled(&prizes, 5_000_000, 0), all_share);
        let large_only = (vec![3_333_000, 1_666_500, 300, 200], 0);
        assert_eq!(settled(&prizes, 5_000_000, 100_000), large_only);
        let thirds = (vec![833_333; 3], 1);
        assert_eq!(settled(&[1_000_000; 3], 2_500_000, 100_000), thirds);
    }

    #[test]
    fn small_prizes_above_the_cap_all_shrink_and_an_empty_side_keeps_its_factor() {
        let cap = Cap {
            cap_cents: 1_000,
            full_below_cents: 500,
        };
        let small_only = Factors::of(&cap, [(400, 4)].into_iter()).unwrap();
        assert_eq!(
            (small_only.small, small_only.large),
            ((1_000, 1_600), (1, 1))
        );
        let both = Factors::of(&cap, [(400, 4), (900, 1)].into_iter()).unwrap();
        assert_eq!((both.small, both.large), ((1_000, 2_500), (1_000, 2_500)));
        let exact = Factors::of(&cap, [(250, 4), (900, 1)].into_iter()).unwrap();
        assert_eq!((exact.small, exact.large), ((1, 1), (0, 900)));
    }

    proptest::proptest! {
        #[test]
        fn never_more_than_the_cap_and_never_less_by_a_cent_a_way(
            prizes in proptest::collection::vec((1_i64..2_000_000, 1_u64..5), 0..40),
            cap_cents in 0_i64..6_000_000,
            full_below_cents in 0_i64..200_000,
        ) {
            let cap = Cap { cap_cents, full_below_cents };
            let list: Vec<TicketPrizes> = (1..)
                .zip(&prizes)
                .map(|(ticket, (prize, times))| (ticket, *prize, *times))
                .collect();
            let settlement = settle(&cap, &list).unwrap();
            let sum: i64 = prizes.iter().map(|(prize, times)| prize * *times as i64).sum();
            let ways: u64 = prizes.iter().map(|(_, times)| times).sum();
            assert!(settlement.payable_cents <= cap_cents.min(sum));
            assert!(settlement.breakage_cents <= ways as i64);
            assert_eq!(settlement.payable_cents + settlement.breakage_cents, cap_cents.min(sum));
            if settlement.factors.small_cents <= cap_cents {
                for ((ticket, prize, times), (_, paid)) in list.iter().zip(&settlement.payable) {
                    let whole = prize * *times as i64;
                    assert!(*prize >= full_below_cents || *paid == whole, "ticket {ticket}");
                }
            }
        }
    }
}

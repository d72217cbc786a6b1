//! How often each number came up in official draws, and when that is no chance any more.
//!
//! In `n` fair draws of `k` numbers from a pool of `N` the count of one number is binomial with
//! `p = k / N`, exactly: draws are independent, and a number comes up in a draw or does not. So its
//! variance is `n p (1 - p)`, and by Bernstein's inequality, for every `n` and without an
//! approximation, it is `t` or more away from `n p` with less than
//! `2 exp(-t² / (2 (n p (1 - p) + t / 3)))` chance. Everything here is whole numbers.

/// The exponent at which a count is no chance any more: less than `2 exp(-26)`, one chance in
/// 97,000,000,000, for one number after one draw. Over all 80 numbers, looked at after each draw for
/// ten years of 200 draws a day, fewer than one fair house in 1,600 sees an alarm.
const EXPONENT: u128 = 26;

/// What draws have in common that are counted together: where their numbers came from, the set of
/// balls, the numbers in the pool and those of a draw.
pub type DrawKind<'a> = (u8, Option<&'a str>, u8, u8);

/// The draws of one kind, and how often each of their numbers came up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frequency {
    /// Where the numbers came from: 1 a computer, 2 balls.
    pub source: u8,
    /// The set of balls, where it is known.
    pub set: Option<String>,
    /// Numbers in the pool.
    pub pool_size: u8,
    /// Numbers of a draw.
    pub drawn: u8,
    /// Official draws.
    pub draws: u64,
    /// How often each number came up, from 1.
    pub times: Vec<u64>,
}

impl Frequency {
    /// Adds a draw to those of its kind.
    pub fn add(all: &mut Vec<Self>, kind: DrawKind<'_>, balls: &[u8]) {
        let (source, set, pool_size, drawn) = kind;
        let is_it = |one: &Self| (one.source, one.set.as_deref(), one.pool_size, one.drawn) == kind;
        let place = all.iter().position(is_it).unwrap_or_else(|| {
            all.push(Self {
                source,
                set: set.map(str::to_owned),
                pool_size,
                drawn,
                draws: 0,
                times: vec![0; usize::from(pool_size)],
            });
            all.len() - 1
        });
        let Some(frequency) = all.get_mut(place) else {
            return;
        };
        frequency.draws += 1;
        for ball in balls {
            let place = usize::from(*ball).checked_sub(1);
            if let Some(times) = place.and_then(|place| frequency.times.get_mut(place)) {
                *times += 1;
            }
        }
    }

    /// Each number with how often it came up.
    pub fn numbers(&self) -> impl Iterator<Item = (u8, u64)> + use<'_> {
        (1_u8..).zip(self.times.iter().copied())
    }

    /// `N times - k n`: how far a count is from what is expected, times the pool.
    fn away(&self, times: u64) -> i128 {
        i128::from(self.pool_size) * i128::from(times)
            - i128::from(self.drawn) * i128::from(self.draws)
    }

    /// `n k (N - k)`: the variance of a count, times the square of the pool.
    fn variance(&self) -> u128 {
        let others = u128::from(self.pool_size.saturating_sub(self.drawn));
        u128::from(self.draws) * u128::from(self.drawn) * others
    }

    /// How many standard deviations a count is away, in tenths, towards zero.
    pub fn z_tenths(&self, times: u64) -> i64 {
        let away = self.away(times);
        let squared = 100 * away.unsigned_abs() * away.unsigned_abs();
        let z = squared.checked_div(self.variance()).map_or(0, u128::isqrt);
        let z = i64::try_from(z).unwrap_or(i64::MAX);
        if away < 0 { -z } else { z }
    }

    /// Whether a count is no chance any more.
    pub fn is_uneven(&self, times: u64) -> bool {
        let away = self.away(times).unsigned_abs();
        // The exponent of the inequality with t = away / N, without its fractions.
        let spread = 3 * self.variance() + u128::from(self.pool_size) * away;
        self.draws > 0 && 3 * away * away >= 2 * EXPONENT * spread
    }

    /// The numbers whose count is no chance any more.
    pub fn uneven(&self) -> impl Iterator<Item = u8> + use<'_> {
        let uneven = self.numbers().filter(|(_, times)| self.is_uneven(*times));
        uneven.map(|(number, _)| number)
    }

    /// Pearson's X² of all counts times `(N - 1) / (N - k)`, since the numbers of a draw are drawn
    /// without replacement; in tenths. `N - 1` is expected.
    pub fn spread_tenths(&self) -> u64 {
        let squares: u128 = self
            .times
            .iter()
            .map(|times| self.away(*times).unsigned_abs().pow(2))
            .sum();
        let (pool, others) = (u128::from(self.pool_size), self.variance());
        let spread = 10 * squares * pool.saturating_sub(1);
        let spread = spread.checked_div(pool * others).unwrap_or(0);
        u64::try_from(spread).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha20Rng;
    use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

    use super::*;

    const COMPUTER: DrawKind<'_> = (1, None, 80, 20);

    /// Twenty distinct numbers of eighty, each equally likely, but for what `changed` makes of them.
    fn draws(seed: u64, count: usize, changed: impl Fn(&mut [u8], &mut ChaCha20Rng)) -> Frequency {
        let mut random = ChaCha20Rng::seed_from_u64(seed);
        let mut all = Vec::new();
        let mut order: Vec<u8> = (1..=80).collect();
        for _ in 0..count {
            for place in 0..20 {
                let left = (80 - place) as u32;
                // The bias of the remainder is below 2^-25: no test here sees it.
                let other = place + (random.next_u32() % left) as usize;
                order.swap(place, other);
            }
            let mut balls = order[..20].to_vec();
            changed(&mut balls, &mut random);
            Frequency::add(&mut all, COMPUTER, &balls);
        }
        all.remove(0)
    }

    #[test]
    fn fair_draws_are_even_at_every_length() {
        for seed in 0..20 {
            for count in [1, 2, 20, 200, 2_000, 20_000] {
                let fair = draws(seed, count, |_, _| {});
                assert_eq!(fair.uneven().count(), 0, "seed {seed}, {count} draws");
            }
        }
        // The spread is what it is expected to be: 79, with a deviation of 12.6.
        for seed in 100..110 {
            let spread = draws(seed, 5_000, |_, _| {}).spread_tenths();
            assert!((350..1_300).contains(&spread), "{spread}");
        }
    }

    #[test]
    fn a_number_that_is_favoured_is_found() {
        // One draw in 75 of those without a 7 gets it: 26 % instead of 25 %.
        let biased = draws(7, 300_000, |balls, random| {
            if !balls.contains(&7) && random.next_u32() % 75 == 0 {
                balls[0] = 7;
            }
        });
        assert_eq!(biased.uneven().collect::<Vec<_>>(), [7]);
        assert!(biased.z_tenths(biased.times[6]) > 72);
    }

    #[test]
    fn a_number_that_never_comes_is_found_within_a_day_and_one_that_always_comes_sooner() {
        let never = |count| {
            draws(3, count, |balls, random| {
                // A machine that numbers from 0: 80 is not on any ball.
                while let Some(place) = balls.iter().position(|ball| *ball == 80) {
                    let other = (random.next_u32() % 79 + 1) as u8;
                    if !balls.contains(&other) {
                        balls[place] = other;
                    }
                }
            })
        };
        assert_eq!(never(200).uneven().count(), 0);
        assert_eq!(never(240).uneven().collect::<Vec<_>>(), [80]);
        let always = |count| {
            draws(4, count, |balls, _| {
                if !balls.contains(&33) {
                    balls[0] = 33;
                }
            })
        };
        assert_eq!(always(35).uneven().count(), 0);
        assert_eq!(always(45).uneven().collect::<Vec<_>>(), [33]);
    }

    #[test]
    fn figures_are_those_that_a_hand_computes() {
        let mut all = Vec::new();
        for _ in 0..4 {
            Frequency::add(&mut all, COMPUTER, &(1..=20).collect::<Vec<u8>>());
        }
        Frequency::add(&mut all, (2, None, 80, 20), &(61..=80).collect::<Vec<u8>>());
        Frequency::add(&mut all, (1, None, 70, 20), &(1..=20).collect::<Vec<u8>>());
        assert_eq!(all.len(), 3, "computer and balls apart, and so are pools");
        let four = &all[0];
        assert_eq!((four.draws, four.times[0], four.times[20]), (4, 4, 0));
        // 4 of 4 where 1 is expected, with a variance of 3/4: 3 / 0.866 = 3.46; 0: -1.15.
        assert_eq!((four.z_tenths(4), four.z_tenths(0)), (34, -11));
        // 20 (4 - 1)² / 1 + 60 (0 - 1)² / 1 = 240, times 79/60 = 316.
        assert_eq!(four.spread_tenths(), 3_160);
        assert_eq!(four.uneven().count(), 0);
        // Nothing was drawn of such a kind: nothing is uneven, and nothing divides by zero.
        let none = Frequency {
            draws: 0,
            times: vec![0; 80],
            ..four.clone()
        };
        assert_eq!((none.z_tenths(0), none.spread_tenths()), (0, 0));
        assert_eq!(none.uneven().count(), 0);
    }
}

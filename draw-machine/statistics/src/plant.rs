//! Planted faults: draws made unfair in one known way, which the judgement must catch.
//!
//! They act on draws that were made, or draw from a stream of their own by a faulty shuffle.

use clap::ValueEnum;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;

use crate::draws::{Draws, stream};

/// The ball that is favoured.
const FAVOURED: u8 = 7;
/// The ball that comes more often with it.
const FRIEND: u8 = 8;
/// How many draws ago the echo comes from.
const ECHO_LAG: usize = 37;

/// A fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Plant {
    /// One ball comes more often, by a share of its usual frequency.
    Bias,
    /// Two balls come together more often; each alone comes as often as ever.
    Pair,
    /// A ball of the draw 37 earlier is taken over in a share of the draws.
    Echo,
    /// In a share of the draws, one that would lie on the same side as the one before is mirrored
    /// (b to 81−b): every ball and every sum is as frequent as ever.
    Swing,
    /// In a share of the draws the balls are shown in rising order: the sets are fair.
    Sorted,
    /// Eight bits of the stream modulo what is left, nothing rejected.
    Modulo,
    /// The shuffle's range is one too small: the last place is never chosen (nor is the last ball,
    /// as if the pool were one too short).
    OffByOne,
    /// The shuffle's range begins one too late: no ball stays in its place (Sattolo).
    OffByOneStart,
    /// The pool begins at 0 instead of 1.
    PoolFromZero,
}

impl Plant {
    /// Every fault.
    pub const ALL: [Plant; 9] = [
        Self::Bias,
        Self::Pair,
        Self::Echo,
        Self::Swing,
        Self::Sorted,
        Self::Modulo,
        Self::OffByOne,
        Self::OffByOneStart,
        Self::PoolFromZero,
    ];

    /// How strong the fault is unless told: a share, where the fault has one.
    #[must_use]
    pub fn usual_strength(self) -> f64 {
        match self {
            Self::Pair => 0.02,
            Self::Echo => 0.05,
            Self::Swing | Self::Sorted => 0.02,
            _ => 0.01,
        }
    }
}

/// A number in 0..1.
fn unit(chance: &mut ChaCha20Rng) -> f64 {
    (chance.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Some place of a draw, but none that holds `kept`.
fn place_beside(balls: &[u8], kept: u8, chance: &mut ChaCha20Rng) -> usize {
    loop {
        let place = (unit(chance) * balls.len() as f64) as usize;
        if balls.get(place).is_some_and(|ball| *ball != kept) {
            return place;
        }
    }
}

/// Some ball of the pool that is neither drawn nor `kept`.
fn ball_beside(balls: &[u8], pool: u8, kept: u8, chance: &mut ChaCha20Rng) -> u8 {
    loop {
        let ball = (unit(chance) * f64::from(pool)) as u8 + 1;
        if ball != kept && !balls.contains(&ball) {
            return ball;
        }
    }
}

/// Plants the fault in draws that were made.
pub fn plant(draws: &mut Draws, plant: Plant, strength: f64, seed: u64) {
    let chance = &mut stream(seed, "plant", 0);
    let (pool, size) = (draws.pool, usize::from(draws.drawn));
    let share = f64::from(draws.drawn) / f64::from(pool);
    match plant {
        Plant::Bias => {
            // Put into so many of the draws without it that its share grows by `strength`.
            let put = strength * share / (1.0 - share);
            for balls in draws.balls.chunks_exact_mut(size) {
                if !balls.contains(&FAVOURED) && unit(chance) < put {
                    let place = place_beside(balls, 0, chance);
                    balls[place] = FAVOURED;
                }
            }
        }
        Plant::Pair => {
            for balls in draws.balls.chunks_exact_mut(size) {
                let (first, second) = (balls.contains(&FAVOURED), balls.contains(&FRIEND));
                if first == second || unit(chance) >= strength {
                    continue;
                }
                if first {
                    let place = place_beside(balls, FAVOURED, chance);
                    balls[place] = FRIEND;
                } else {
                    let place = balls.iter().position(|ball| *ball == FRIEND).unwrap_or(0);
                    balls[place] = ball_beside(balls, pool, FAVOURED, chance);
                }
            }
        }
        Plant::Echo => {
            for draw in ECHO_LAG..draws.len() {
                let (before, here) = draws.balls.split_at_mut(draw * size);
                let balls = &mut here[..size];
                let old = &before[(draw - ECHO_LAG) * size..][..size];
                let ball = old[place_beside(old, 0, chance)];
                if unit(chance) < strength && !balls.contains(&ball) {
                    let place = place_beside(balls, 0, chance);
                    balls[place] = ball;
                }
            }
        }
        Plant::Swing => {
            let middle = i64::from(draws.drawn) * (i64::from(pool) + 1);
            let mut side_before = 0;
            for balls in draws.balls.chunks_exact_mut(size) {
                let sum: i64 = balls.iter().map(|ball| i64::from(*ball)).sum();
                let mut side = (2 * sum - middle).signum();
                if side == side_before && unit(chance) < strength {
                    balls.iter_mut().for_each(|ball| *ball = pool + 1 - *ball);
                    side = -side;
                }
                side_before = side;
            }
        }
        Plant::Sorted => {
            for balls in draws.balls.chunks_exact_mut(size) {
                if unit(chance) < strength {
                    balls.sort_unstable();
                }
            }
        }
        Plant::Modulo | Plant::OffByOne | Plant::OffByOneStart | Plant::PoolFromZero => {
            for balls in draws.balls.chunks_exact_mut(size) {
                faulty_shuffle(balls, pool, plant, chance);
            }
        }
    }
}

/// The shuffle of `DRAW.md` with one fault in it.
fn faulty_shuffle(balls: &mut [u8], pool: u8, plant: Plant, chance: &mut ChaCha20Rng) {
    let mut order: Vec<u8> = match plant {
        Plant::PoolFromZero => (0..pool).collect(),
        _ => (1..=pool).collect(),
    };
    for place in 0..balls.len() {
        let left = (order.len() - place) as u64;
        let offset = match plant {
            Plant::Modulo => u64::from(chance.next_u32() & 0xFF) % left,
            Plant::OffByOne => chance.next_u64() % (left - 1),
            Plant::OffByOneStart => 1 + chance.next_u64() % (left - 1),
            // 64 bits modulo at most 80: no bias that could be seen.
            _ => chance.next_u64() % left,
        };
        order.swap(place, place + offset as usize);
        balls[place] = order[place];
    }
}

//! The judgement: one p-value a question, all of them at one family-wise level.

use std::fmt;

use keno_draw::transcript::check_balls;

use crate::design::Design;
use crate::draws::Draws;
use crate::probability::{
    chi_square, chi_square_tail, extremes, hypergeometric, largest_of, normal_two_sided, rises,
    sums,
};

/// Probability that fair draws are judged unfair, over all questions together.
pub const LEVEL: f64 = 1e-4;
/// Distances at which draws are compared.
pub const LAGS: usize = 50;

/// The answer to one question.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The question.
    pub name: String,
    /// What was computed, in words.
    pub found: String,
    /// Two-sided p-value, already corrected where the worst of several was taken.
    pub p: f64,
}

/// All answers on some draws.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Judgement {
    /// The answers.
    pub rows: Vec<Row>,
}

impl Judgement {
    /// A p-value below this fails: Bonferroni over the questions.
    #[must_use]
    pub fn limit(&self) -> f64 {
        LEVEL / self.rows.len().max(1) as f64
    }

    /// The questions that fail. A p-value that is no number fails.
    pub fn failed(&self) -> impl Iterator<Item = &Row> {
        let limit = self.limit();
        self.rows
            .iter()
            .filter(move |row| row.p.is_nan() || row.p < limit)
    }

    /// True when no question fails, and there was one.
    #[must_use]
    pub fn is_fair(&self) -> bool {
        !self.rows.is_empty() && self.failed().next().is_none()
    }

    /// The p-value of a question.
    #[must_use]
    pub fn p(&self, name: &str) -> Option<f64> {
        self.rows
            .iter()
            .find(|row| row.name == name)
            .map(|row| row.p)
    }

    pub(crate) fn tell(&mut self, name: &str, found: String, p: f64) {
        self.rows.push(Row {
            name: name.to_owned(),
            found,
            p,
        });
    }

    pub(crate) fn tell_chi(&mut self, name: &str, value: f64, degrees: f64) {
        let found = format!("chi-square {value:.1} on {degrees}");
        self.tell(name, found, chi_square_tail(value, degrees));
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = self.limit();
        for row in &self.rows {
            let verdict = if row.p < limit || row.p.is_nan() {
                "FAILS"
            } else {
                "ok"
            };
            writeln!(
                formatter,
                "{}\t{}\tp {:.3e}\t{verdict}",
                row.name, row.found, row.p
            )?;
        }
        write!(
            formatter,
            "{} questions, each at {limit:.2e} ({LEVEL:.0e} together): {}",
            self.rows.len(),
            if self.is_fair() { "fair" } else { "NOT FAIR" }
        )
    }
}

/// Counts of single balls and of pairs.
#[derive(Debug, Clone)]
pub struct Counts {
    design: Design,
    draws: u64,
    singles: Vec<u64>,
    /// Pair (a, b), a < b, at `(a-1)·pool + b-1`.
    pairs: Vec<u64>,
}

impl Counts {
    /// Nothing counted yet.
    #[must_use]
    pub fn new(design: Design) -> Self {
        let pool = usize::from(design.pool);
        Self {
            design,
            draws: 0,
            singles: vec![0; pool],
            pairs: vec![0; pool * pool],
        }
    }

    /// Counts a draw whose balls are in the pool and distinct.
    pub fn add(&mut self, balls: &[u8]) {
        let pool = usize::from(self.design.pool);
        self.draws += 1;
        for (place, ball) in balls.iter().enumerate() {
            let one = usize::from(*ball) - 1;
            self.singles[one] += 1;
            for other in &balls[..place] {
                let other = usize::from(*other) - 1;
                self.pairs[one.min(other) * pool + one.max(other)] += 1;
            }
        }
    }

    /// Single balls: the quadratic form on n−1 dimensions, and the ball furthest from its mean.
    pub fn judge_singles(&self, name: &str, judgement: &mut Judgement) {
        let (count, design) = (self.draws as f64, self.design);
        let expected = count * design.share();
        let deviations: Vec<f64> = self.singles.iter().map(|n| *n as f64 - expected).collect();
        let quadratic: f64 = deviations.iter().map(|d| d * d).sum();
        judgement.tell_chi(
            &format!("{name} all"),
            quadratic / (count * design.single_eigenvalue()),
            design.single_degrees(),
        );
        let deviation = (count * design.single_variance()).sqrt();
        let worst = furthest(deviations.iter().copied().enumerate());
        let z = worst.1 / deviation;
        judgement.tell(
            &format!("{name} worst"),
            format!("ball {} at z {z:+.2}", worst.0 + 1),
            extremes(self.draws, design.share(), self.singles.iter().copied()),
        );
    }

    /// Pairs: what the single balls do not explain, and the pair furthest from its mean.
    pub fn judge_pairs(&self, name: &str, judgement: &mut Judgement) {
        let (count, design) = (self.draws as f64, self.design);
        let pool = usize::from(design.pool);
        let expected = count * design.all_drawn(2);
        let deviation = |one: usize, other: usize| -> f64 {
            self.pairs[one.min(other) * pool + one.max(other)] as f64 - expected
        };
        let of_ball: Vec<f64> = (0..pool)
            .map(|one| {
                let others = (0..pool).filter(|other| *other != one);
                others.map(|other| deviation(one, other)).sum::<f64>() / (design_n(design) - 2.0)
            })
            .collect();
        let places =
            || (0..pool).flat_map(move |one| (one + 1..pool).map(move |other| (one, other)));
        let quadratic: f64 = places()
            .map(|(one, other)| (deviation(one, other) - of_ball[one] - of_ball[other]).powi(2))
            .sum();
        judgement.tell_chi(
            &format!("{name} all"),
            quadratic / (count * design.pair_eigenvalue()),
            design.pair_degrees(),
        );
        let worst = furthest(places().map(|(one, other)| ((one, other), deviation(one, other))));
        let z = worst.1 / (count * design.pair_variance()).sqrt();
        judgement.tell(
            &format!("{name} worst"),
            format!("balls {} and {} at z {z:+.2}", worst.0.0 + 1, worst.0.1 + 1),
            extremes(
                self.draws,
                design.all_drawn(2),
                places().map(|(one, other)| self.pairs[one * pool + other]),
            ),
        );
    }
}

/// Single balls over several kinds of draw from one pool: each kind's covariance is a multiple of
/// the same matrix, so the multiples add up.
pub(crate) fn judge_singles_together(all: &[Counts], name: &str, judgement: &mut Judgement) {
    let pool = all.first().map_or(0, |counts| counts.singles.len());
    let mut deviations = vec![0.0; pool];
    let (mut eigenvalue, mut variance, mut degrees) = (0.0, 0.0, 0.0);
    for counts in all {
        let (count, design) = (counts.draws as f64, counts.design);
        for (deviation, single) in deviations.iter_mut().zip(&counts.singles) {
            *deviation += *single as f64 - count * design.share();
        }
        eigenvalue += count * design.single_eigenvalue();
        variance += count * design.single_variance();
        degrees = design.single_degrees();
    }
    let quadratic: f64 = deviations.iter().map(|d| d * d).sum();
    judgement.tell_chi(&format!("{name} all"), quadratic / eigenvalue, degrees);
    let worst = furthest(deviations.iter().copied().enumerate());
    let z = worst.1 / f64::sqrt(variance);
    judgement.tell(
        &format!("{name} worst"),
        format!("ball {} at z {z:+.2}", worst.0 + 1),
        largest_of(z, pool),
    );
}

fn design_n(design: Design) -> f64 {
    f64::from(design.pool)
}

/// What lies furthest from 0.
fn furthest<K: Default>(all: impl Iterator<Item = (K, f64)>) -> (K, f64) {
    all.fold((K::default(), 0.0), |worst, one| {
        if one.1.abs() > worst.1.abs() {
            one
        } else {
            worst
        }
    })
}

/// What is expected of a kind of draw, computed once for many judgements.
#[derive(Debug, Clone)]
pub struct Expected {
    design: Design,
    sums: Vec<f64>,
    rises: Vec<f64>,
    odd: Vec<f64>,
    low: Vec<f64>,
}

impl Expected {
    /// The exact distributions.
    #[must_use]
    pub fn of(design: Design) -> Self {
        let Design { pool, drawn } = design;
        Self {
            design,
            sums: sums(pool, drawn),
            rises: rises(drawn),
            odd: hypergeometric(pool, pool.div_ceil(2), drawn),
            low: hypergeometric(pool, pool / 2, drawn),
        }
    }
}

/// Judges draws by every question.
#[must_use]
pub fn judge(draws: &Draws) -> Judgement {
    let design = Design {
        pool: draws.pool,
        drawn: draws.drawn,
    };
    judge_by(draws, &Expected::of(design))
}

/// As [`judge`], by what was computed before for the same pool and number of balls.
#[must_use]
pub fn judge_by(draws: &Draws, expected: &Expected) -> Judgement {
    let mut judgement = Judgement::default();
    let impossible = draws
        .iter()
        .filter(|balls| check_balls(draws.pool, draws.drawn, balls).is_err())
        .count();
    judgement.tell(
        "possible",
        format!("{impossible} impossible of {}", draws.len()),
        if impossible == 0 && draws.len() > LAGS {
            1.0
        } else {
            0.0
        },
    );
    if !judgement.is_fair() {
        // Counts of balls that are not in the pool mean nothing.
        return judgement;
    }
    let design = expected.design;
    let mut counts = Counts::new(design);
    draws.iter().for_each(|balls| counts.add(balls));
    counts.judge_singles("singles", &mut judgement);
    counts.judge_pairs("pairs", &mut judgement);
    judge_positions(draws, expected, &mut judgement);
    judge_each(draws, expected, &mut judgement);
    judge_sequence(draws, design, &mut judgement);
    judgement
}

/// Places by balls, and rises from one place to the next.
fn judge_positions(draws: &Draws, fair: &Expected, judgement: &mut Judgement) {
    let design = fair.design;
    let (pool, size) = (usize::from(draws.pool), usize::from(draws.drawn));
    let count = draws.len() as f64;
    let mut cells = vec![0_u64; size * pool];
    let mut rising = vec![0_u64; size];
    for balls in draws.iter() {
        for (place, ball) in balls.iter().enumerate() {
            cells[place * pool + usize::from(*ball) - 1] += 1;
        }
        rising[balls.windows(2).filter(|pair| pair[0] < pair[1]).count()] += 1;
    }
    let mut quadratic = 0.0;
    for ball in 0..pool {
        let column: Vec<f64> = (0..size)
            .map(|place| cells[place * pool + ball] as f64)
            .collect();
        let mean = column.iter().sum::<f64>() / size as f64;
        quadratic += column.iter().map(|n| (n - mean).powi(2)).sum::<f64>();
    }
    judgement.tell_chi(
        "positions all",
        quadratic / (count * design.position_eigenvalue()),
        design.position_degrees(),
    );
    let expected = count / pool as f64;
    let all = cells.iter().map(|n| *n as f64 - expected).enumerate();
    let worst = furthest(all);
    let z = worst.1 / (count * design.position_variance()).sqrt();
    judgement.tell(
        "positions worst",
        format!(
            "ball {} at place {} at z {z:+.2}",
            worst.0 % pool + 1,
            worst.0 / pool + 1
        ),
        extremes(draws.len() as u64, 1.0 / pool as f64, cells.iter().copied()),
    );
    let (value, degrees) = chi_square(&rising, &fair.rises);
    judgement.tell_chi("rises within a draw", value, degrees);
}

/// What each draw is by itself: sum, odd balls, low balls.
fn judge_each(draws: &Draws, fair: &Expected, judgement: &mut Judgement) {
    let design = fair.design;
    let mut by_sum = vec![0_u64; fair.sums.len()];
    let size = usize::from(draws.drawn);
    let (mut by_odd, mut by_low) = (vec![0_u64; size + 1], vec![0_u64; size + 1]);
    for balls in draws.iter() {
        by_sum[balls.iter().map(|ball| usize::from(*ball)).sum::<usize>()] += 1;
        by_odd[balls.iter().filter(|ball| *ball % 2 == 1).count()] += 1;
        by_low[balls.iter().filter(|ball| **ball <= draws.pool / 2).count()] += 1;
    }
    let count = draws.len() as f64;
    let all: f64 = by_sum
        .iter()
        .zip(0..)
        .map(|(n, sum)| *n as f64 * f64::from(sum))
        .sum();
    let mean = all / count;
    let z = (mean - design.sum_mean()) / (design.sum_variance() / count).sqrt();
    let found = format!("{mean:.3} at z {z:+.2}");
    judgement.tell("sum mean", found, normal_two_sided(z));
    let (value, degrees) = chi_square(&by_sum, &fair.sums);
    judgement.tell_chi("sum distribution", value, degrees);
    let (value, degrees) = chi_square(&by_odd, &fair.odd);
    judgement.tell_chi("odd balls", value, degrees);
    let (value, degrees) = chi_square(&by_low, &fair.low);
    judgement.tell_chi("low balls", value, degrees);
}

/// What each draw has to do with earlier ones: nothing.
fn judge_sequence(draws: &Draws, design: Design, judgement: &mut Judgement) {
    let sets: Vec<u128> = draws
        .iter()
        .map(|balls| balls.iter().fold(0, |set, ball| set | 1 << ball))
        .collect();
    judge_overlaps(&sets, design, judgement);
    judge_lags(&sets, design, judgement);
    judge_gaps(&sets, design, judgement);
    judge_runs(draws, judgement);
}

/// Balls in common of each draw with the one before.
pub(crate) fn judge_overlaps(sets: &[u128], design: Design, judgement: &mut Judgement) {
    let mut common = vec![0_u64; usize::from(design.drawn) + 1];
    for pair in sets.windows(2) {
        common[(pair[0] & pair[1]).count_ones() as usize] += 1;
    }
    let expected = hypergeometric(design.pool, design.drawn, design.drawn);
    let (value, degrees) = chi_square(&common, &expected);
    judgement.tell_chi("overlaps with the draw before", value, degrees);
}

fn judge_lags(sets: &[u128], design: Design, judgement: &mut Judgement) {
    let z: Vec<f64> = (1..=LAGS)
        .map(|lag| {
            let pairs = sets.iter().zip(&sets[lag..]);
            let common: u64 = pairs
                .map(|(one, other)| u64::from((one & other).count_ones()))
                .sum();
            let count = (sets.len() - lag) as f64;
            (common as f64 - count * design.overlap_mean())
                / (count * design.overlap_variance()).sqrt()
        })
        .collect();
    let quadratic = z.iter().map(|z| z * z).sum();
    judgement.tell_chi("lags 1..50 all", quadratic, LAGS as f64);
    let worst = furthest(z.iter().copied().enumerate());
    judgement.tell(
        "lags 1..50 worst",
        format!("lag {} at z {:+.2}", worst.0 + 1, worst.1),
        largest_of(worst.1, LAGS),
    );
}

/// Draws from one coming of a ball to its next: geometric. Each ball by itself, since balls of a
/// draw are not independent; the worst of all counts.
fn judge_gaps(sets: &[u128], design: Design, judgement: &mut Judgement) {
    const LONGEST: usize = 60;
    let share = design.share();
    let mut probability: Vec<f64> = (0..LONGEST)
        .map(|gap| share * (1.0 - share).powi(gap as i32))
        .collect();
    probability.push(1.0 - probability.iter().sum::<f64>());
    let mut worst = (0, 0.0, 1.0_f64);
    for ball in 1..=design.pool {
        let mut gaps = vec![0_u64; LONGEST + 1];
        let mut last: Option<usize> = None;
        for (draw, set) in sets.iter().enumerate() {
            if set >> ball & 1 == 1 {
                if let Some(last) = last {
                    gaps[(draw - last - 1).min(LONGEST)] += 1;
                }
                last = Some(draw);
            }
        }
        let (value, degrees) = chi_square(&gaps, &probability);
        let p = chi_square_tail(value, degrees);
        if p < worst.2 {
            worst = (ball, value, p);
        }
    }
    judgement.tell(
        "gaps worst",
        format!("ball {} at chi-square {:.1}", worst.0, worst.1),
        (worst.2 * f64::from(design.pool)).min(1.0),
    );
}

/// Runs of draws whose sum lies on one side of the mean. The sum is as likely above as below by
/// the same amount (mirror the balls), so each draw's side is a fair coin; draws on the mean are
/// left out.
fn judge_runs(draws: &Draws, judgement: &mut Judgement) {
    let middle = u64::from(draws.drawn) * (u64::from(draws.pool) + 1);
    let sides: Vec<bool> = draws
        .iter()
        .map(|balls| 2 * balls.iter().map(|ball| u64::from(*ball)).sum::<u64>())
        .filter(|twice| *twice != middle)
        .map(|twice| twice > middle)
        .collect();
    let changes = sides.windows(2).filter(|pair| pair[0] != pair[1]).count() as f64;
    let chances = sides.len().saturating_sub(1) as f64;
    let z = (changes - chances / 2.0) / (chances / 4.0).sqrt();
    judgement.tell(
        "runs of sums",
        format!("{} runs at z {z:+.2}", changes + 1.0),
        normal_two_sided(z),
    );
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;

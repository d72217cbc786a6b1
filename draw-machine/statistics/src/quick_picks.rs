//! Quick picks, made by central's own [`QuickPicks`].

use anyhow::Result;
use clap::ValueEnum;
use keno_game::{BallSet, Pool};
use keno_service::central::QuickPicks;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;

use crate::design::Design;
use crate::draws::stream;
use crate::judge::{Counts, Judgement, judge_overlaps, judge_singles_together};

/// Spots of a straight selection.
pub const SPOTS: std::ops::RangeInclusive<u8> = 1..=10;

/// A fault planted in quick picks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PickPlant {
    /// One ball comes more often, by 1 % of its usual frequency.
    Bias,
    /// The range is one too small: the last ball is never picked.
    OffByOne,
    /// Eight bits modulo the pool, nothing rejected.
    Modulo,
    /// The stream starts over every 50,000 picks.
    Repeat,
}

/// Judges `count` picks, half of them from each pool, the spots 1 to 10 in turn from one stream a
/// pool.
///
/// # Errors
/// When a thread ends.
pub fn judge_picks(count: u64, seed: u64, plant: Option<PickPlant>) -> Result<Judgement> {
    let pools = [Pool::TWENTY_OF_EIGHTY, Pool::TWENTY_OF_SEVENTY];
    let parts: Vec<Judgement> = std::thread::scope(|scope| {
        let workers = pools.map(|pool| scope.spawn(move || of_pool(pool, count / 2, seed, plant)));
        workers
            .into_iter()
            .map(|worker| worker.join().map_err(|_| anyhow::anyhow!("a thread ended")))
            .collect::<Result<_>>()
    })?;
    Ok(Judgement {
        rows: parts.into_iter().flat_map(|part| part.rows).collect(),
    })
}

fn of_pool(pool: Pool, count: u64, seed: u64, plant: Option<PickPlant>) -> Judgement {
    let seeded = || {
        let mut bytes = [0; 32];
        stream(seed, "quick picks", u64::from(pool.size())).fill_bytes(&mut bytes);
        QuickPicks::seeded(bytes)
    };
    let mut picks = seeded();
    let mut chance = stream(seed, "plant", u64::from(pool.size()));
    let mut counts: Vec<Counts> = SPOTS
        .map(|drawn| Counts::new(design(pool, drawn)))
        .collect();
    let mut sets: Vec<Vec<u128>> = SPOTS.map(|_| Vec::new()).collect();
    let mut wrong = 0_u64;
    for number in 0..count {
        if plant == Some(PickPlant::Repeat) && number % 50_000 == 0 {
            picks = seeded();
        }
        let at = (number % 10) as usize;
        let spots = at as u8 + 1;
        let set = match plant {
            None | Some(PickPlant::Repeat) => picks.pick(spots, pool),
            Some(PickPlant::Bias) => favour(picks.pick(spots, pool), spots, pool, &mut chance),
            Some(plant) => faulty_pick(spots, pool, plant, &mut chance),
        };
        if set.len() != spots || !set.is_subset(pool.all()) {
            wrong += 1;
            continue;
        }
        let balls: Vec<u8> = set.iter().collect();
        counts[at].add(&balls);
        sets[at].push(set.bits());
    }
    let mut judgement = Judgement::default();
    let size = pool.size();
    judgement.tell(
        &format!("pool {size} possible"),
        format!("{wrong} impossible of {count}"),
        if wrong == 0 { 1.0 } else { 0.0 },
    );
    let name = format!("pool {size} any spots singles");
    judge_singles_together(&counts, &name, &mut judgement);
    for (drawn, (counts, sets)) in SPOTS.zip(counts.iter().zip(&sets)) {
        let name = format!("pool {size} spots {drawn}");
        let mut part = Judgement::default();
        counts.judge_singles("singles", &mut part);
        if drawn > 1 {
            counts.judge_pairs("pairs", &mut part);
        }
        judge_overlaps(sets, design(pool, drawn), &mut part);
        for mut row in part.rows {
            row.name = format!("{name} {}", row.name);
            judgement.rows.push(row);
        }
    }
    judgement
}

fn design(pool: Pool, drawn: u8) -> Design {
    Design {
        pool: pool.size(),
        drawn,
    }
}

/// Ball 7 in place of another, so often that its share grows by 1 %.
fn favour(set: BallSet, spots: u8, pool: Pool, chance: &mut ChaCha20Rng) -> BallSet {
    let share = f64::from(spots) / f64::from(pool.size());
    let put = 0.01 * share / (1.0 - share);
    let unit = |chance: &mut ChaCha20Rng| chance.next_u32() as f64 / 2_f64.powi(32);
    if set.contains(7) || unit(chance) >= put {
        return set;
    }
    let gone = (unit(chance) * f64::from(spots)) as usize;
    let kept = set.iter().enumerate().filter(|(place, _)| *place != gone);
    with_all(kept.map(|(_, ball)| ball).chain([7]))
}

fn faulty_pick(spots: u8, pool: Pool, plant: PickPlant, chance: &mut ChaCha20Rng) -> BallSet {
    let mut set = BallSet::EMPTY;
    while set.len() < spots {
        let number = match plant {
            PickPlant::OffByOne => chance.next_u32() % (u32::from(pool.size()) - 1),
            _ => (chance.next_u32() & 0xFF) % u32::from(pool.size()),
        };
        set = set.union(with_all([number as u8 + 1].into_iter()));
    }
    set
}

fn with_all(balls: impl Iterator<Item = u8>) -> BallSet {
    BallSet::from_numbers(&balls.collect::<Vec<u8>>()).unwrap_or(BallSet::EMPTY)
}

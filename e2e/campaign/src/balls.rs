//! Draws of balls with every part of them killed between the seal and the official result: central, the
//! machine that reads its balls over TCP or on a pseudo-terminal, the agents of the draw desks, and the
//! hosts of the secrets by which a computer could draw instead.
//!
//! Balls fall when the campaign lets them, so that a part is killed after just so many. Central, the
//! machine and three desks are processes. After each kill everyone who looks is asked: the draw as anyone
//! sees it, the board, and each desk. At the end the record is judged.

mod desk;
mod machine;
mod plays;
mod verdict;
mod world;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use keno_testing::Durability;

pub use machine::Wire;

use crate::clock::Stopwatch;
use crate::founded::Kind;
use world::World;

/// Draws of one house: as many have tickets.
const DRAWS_MAX: usize = 20;

/// A draw, and what is killed in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Play {
    /// Central, after each ball that the machine read, after its end, and between the two who certify.
    CentralReads,
    /// Central, at some instant between the fall of a ball and the next.
    CentralAnywhere,
    /// The machine, after each ball: it comes back with the same.
    MachineBack,
    /// Both.
    BothBack,
    /// The machine, after so many balls: it comes back and knows of none.
    Forgets,
    /// The machine, after so many balls: another comes, in which others have fallen.
    OtherBalls,
    /// Central, after each entry of the two who take over from the machine.
    CentralEnters,
    /// The agent of the desk, after each entry of the two who enter by hand.
    DeskEnters,
    /// Central, between the two who interrupt, who go on and who certify.
    CentralDecides,
    /// The agent of a desk, between the same.
    DeskDecides,
    /// Central, between the two who interrupt and who make it void.
    CentralVoids,
    /// The agent of a desk, between the same.
    DeskVoids,
    /// A host of the draw, after each ball: it is away while the next is read. All of them at the end.
    HostsAway,
    /// All hosts are away while two people make it void: what they hold is told when they are back.
    HostsVoid,
}

impl Play {
    /// Every play.
    pub const ALL: [Self; 14] = [
        Self::CentralReads,
        Self::CentralAnywhere,
        Self::MachineBack,
        Self::BothBack,
        Self::CentralEnters,
        Self::DeskEnters,
        Self::CentralDecides,
        Self::DeskDecides,
        Self::CentralVoids,
        Self::DeskVoids,
        Self::HostsAway,
        Self::HostsVoid,
        Self::Forgets,
        Self::OtherBalls,
    ];

    /// Whether a draw of its own is played for each count of balls.
    const fn is_after_each(self) -> bool {
        matches!(self, Self::Forgets | Self::OtherBalls)
    }
}

/// A draw that was played.
#[derive(Debug, Default)]
struct Played {
    draw: u64,
    play: Option<Play>,
    /// The balls that fell.
    fell: Vec<u8>,
    /// Two people entered every ball.
    is_entered: bool,
    /// Two people made it void.
    is_void: bool,
    /// Two people interrupted it.
    is_interrupted: bool,
    /// What the machine said has stopped its line.
    must_stop: bool,
}

/// What a campaign plants, to see that it is caught.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Planted {
    /// One number that was shown is noted as another.
    OtherBalls,
    /// The record is rolled back to before the first ball, and the machine comes back with other balls:
    /// what would stop it is not on record any more. A silent redraw.
    Redraw,
    /// The machine comes back with other balls where the same are expected.
    OtherMachine,
}

/// A campaign.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The database.
    pub database: Kind,
    /// What a private PostgreSQL syncs.
    pub durability: Durability,
    /// Seed of all choices, and of the machine.
    pub seed: u64,
    /// How central reaches the machine.
    pub wires: Vec<Wire>,
    /// What is played.
    pub plays: Vec<Play>,
    /// Parts are killed after so many balls.
    pub after: Vec<u8>,
    /// Houses at once.
    pub together: usize,
    /// What is planted.
    pub plant: Option<Planted>,
    /// The program of central.
    pub program: PathBuf,
    /// The program of the desks.
    pub terminal: PathBuf,
    /// The program of the machine.
    pub machine: PathBuf,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Report {
    /// Draws that were played, by play.
    pub draws: BTreeMap<Play, u64>,
    /// Kills, by what was killed.
    pub kills: BTreeMap<&'static str, u64>,
    /// Kills while something was asked and not answered.
    pub in_flight: u64,
    /// What was wrong with the line by the record, by its name.
    pub incidents: BTreeMap<&'static str, u64>,
    /// Looks of everyone at a draw, in which all saw the same.
    pub looks: u64,
    /// Balls that two people entered.
    pub entered: u64,
    /// From exec to ready, in milliseconds.
    pub ready_ms: Vec<u128>,
    /// What is wrong.
    pub breaches: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

impl Report {
    /// The figures, for people.
    pub fn lines(&self) -> Vec<String> {
        let counts = |all: &BTreeMap<&'static str, u64>| {
            let all: Vec<String> = all
                .iter()
                .map(|(of, count)| format!("{of} {count}"))
                .collect();
            all.join(", ")
        };
        let mut ready = self.ready_ms.clone();
        ready.sort_unstable();
        vec![
            format!(
                "{} draws in {:.0?}",
                self.draws.values().sum::<u64>(),
                self.took
            ),
            format!(
                "killed: {}; {} of them while something was asked",
                counts(&self.kills),
                self.in_flight
            ),
            format!(
                "central ready again after {} ms (median), {} ms (longest)",
                ready.get(ready.len() / 2).unwrap_or(&0),
                ready.last().unwrap_or(&0)
            ),
            format!(
                "{} looks in which everyone saw the same; {} balls entered by people",
                self.looks, self.entered
            ),
            format!("incidents on record: {}", counts(&self.incidents)),
        ]
    }

    fn add(&mut self, other: Self) {
        for (play, count) in other.draws {
            *self.draws.entry(play).or_default() += count;
        }
        for (of, count) in other.kills {
            *self.kills.entry(of).or_default() += count;
        }
        for (of, count) in other.incidents {
            *self.incidents.entry(of).or_default() += count;
        }
        self.in_flight += other.in_flight;
        self.looks += other.looks;
        self.entered += other.entered;
        self.ready_ms.extend(other.ready_ms);
        self.breaches.extend(other.breaches);
    }
}

/// What is played in one house: after how many balls something is killed, where it is only once.
type Share = (Wire, Vec<(Play, u8)>);

fn shares(plan: &Plan) -> Vec<Share> {
    let all: Vec<(Play, u8)> = plan
        .plays
        .iter()
        .flat_map(|play| match play.is_after_each() {
            true => plan.after.iter().map(|after| (*play, *after)).collect(),
            false => vec![(*play, 0)],
        })
        .collect();
    let shares = plan.wires.iter().flat_map(|wire| {
        let chunks = all.chunks(DRAWS_MAX);
        chunks
            .map(|chunk| (*wire, chunk.to_vec()))
            .collect::<Vec<_>>()
    });
    shares.collect()
}

/// Runs a campaign.
///
/// # Errors
/// When it cannot be run; what is wrong with the product is in the report.
pub fn run(plan: &Plan) -> anyhow::Result<Report> {
    let since = Stopwatch::start();
    let shares: Vec<(u64, Share)> = (0..).zip(shares(plan)).collect();
    let waiting = Mutex::new(shares);
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let reports: Vec<anyhow::Result<Report>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..plan.together.max(1))
            .map(|_| {
                scope.spawn(|| {
                    let mut report = Report::default();
                    while let Some((lane, (wire, share))) = next() {
                        report.add(World::new(plan, wire, lane)?.played(&share)?);
                    }
                    Ok(report)
                })
            })
            .collect();
        let ended = workers.into_iter().map(|one| {
            let panicked = |_| Err(anyhow::anyhow!("a house panicked"));
            one.join().unwrap_or_else(panicked)
        });
        ended.collect()
    });
    let mut report = Report::default();
    for one in reports {
        report.add(one?);
    }
    report.took = since.elapsed();
    Ok(report)
}

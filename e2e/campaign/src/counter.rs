//! The real agent of a counter against the real central: at any instant of a money command the
//! agent is killed, or central is killed or frozen, or the wire is cut. A clerk works on as the
//! pages say. In the end cash, papers and record agree.
//!
//! An instant is a place in what can be seen of the command from outside (`steps`): bytes on the
//! line to central and on the one to the printer (`wire`), writes of central's record and of the
//! agent's journal (`files`). Several lanes run side by side, each a house (`world`) with an agent
//! (`agent`), a clerk (`clerk`) and a printer (`tray`) of its own; over TLS the counter is enrolled
//! (`enrolled`). `late` lets copies arrive when all is over, `verdict` holds papers and cash
//! against the record.

pub mod agent;
mod clerk;
mod enrolled;
mod files;
mod late;
mod report;
mod steps;
mod strike;
mod tray;
mod verdict;
mod wire;
mod world;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context;
use keno_testing::Durability;

use crate::clock::{Stopwatch, pass};
use crate::founded::Kind;
use clerk::Clerk;
pub use report::Report;
use steps::{Counts, Target, WHOLE};
use tray::Tray;
use world::World;

/// The counter that is watched.
const COUNTER: u32 = 1;
/// The counter that sells what the other one cancels and pays.
const NEIGHBOUR: u32 = 2;
/// The float of the counter that is watched: more is paid there than sold.
const TILL_CENTS: i64 = 20_000_000;
/// A counter that has not come to rest by then will not.
const REST_AT_MOST: Duration = Duration::from_secs(90);
/// The same where it is known beforehand that it will not.
const REST_WITHOUT_HOPE: Duration = Duration::from_secs(6);
/// Houses of a lane that may be given up before it ends.
const GIVEN_UP_MAX: usize = 3;
/// Something is said after so many instants.
const SAID_EVERY: u64 = 200;

/// A money command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Money {
    /// A sale.
    Sale,
    /// A cancellation.
    Cancellation,
    /// A payment of a prize.
    Payment,
    /// A payment of the refund of a void draw.
    Refund,
}

impl Money {
    /// Every money command.
    pub const ALL: [Self; 4] = [Self::Sale, Self::Cancellation, Self::Payment, Self::Refund];

    /// The stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sale => "sale",
            Self::Cancellation => "cancellation",
            Self::Payment => "payment",
            Self::Refund => "refund",
        }
    }
}

/// What happens at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Fault {
    /// The agent is killed.
    AgentKilled,
    /// Central is killed.
    CentralKilled,
    /// Central is frozen for a while.
    CentralFrozen,
    /// The wire is cut for a while.
    WireCut,
}

impl Fault {
    /// Every fault.
    pub const ALL: [Self; 4] = [
        Self::AgentKilled,
        Self::CentralKilled,
        Self::CentralFrozen,
        Self::WireCut,
    ];

    /// The stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AgentKilled => "agent killed",
            Self::CentralKilled => "central killed",
            Self::CentralFrozen => "central frozen",
            Self::WireCut => "wire cut",
        }
    }
}

/// What a campaign plants, to see that it is caught.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Planted {
    /// With the agent goes what its journal had synced of the command.
    JournalSetBack,
    /// A ticket comes out twice.
    PaperTwice,
    /// The clerk gives money back before the page says so.
    BackTooEarly,
    /// A patron has a ticket that central never sold.
    PaperForged,
    /// The paper of one ticket is lost.
    PaperLost,
    /// A ticket whose paper the patron has is cancelled.
    CancelledNextDoor,
    /// The receipt of one cancellation or payment is lost, and its cash is not moved.
    ReceiptLost,
    /// A paper comes out of the printer when nobody does anything.
    PaperAtNight,
    /// A wire that was cut is never mended.
    StaysCut,
    /// Late copies arrive under another key.
    LateUnderNewKey,
    /// A bit of the exported record is flipped.
    ExportBit,
}

/// A campaign.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The database.
    pub database: Kind,
    /// What a private PostgreSQL syncs.
    pub durability: Durability,
    /// The counter is a device with a certificate, as on another machine.
    pub tls: bool,
    /// Instants for each money command and fault.
    pub instants: u64,
    /// Houses side by side, which share the instants.
    pub lanes: u64,
    /// Only these commands; a payment waits for a draw, which takes a minute.
    pub commands: Vec<Money>,
    /// Only these faults.
    pub faults: Vec<Fault>,
    /// Seed of all choices.
    pub seed: u64,
    /// What is planted.
    pub plant: Option<Planted>,
    /// `keno-central`.
    pub program: PathBuf,
    /// `keno-terminal`.
    pub terminal: PathBuf,
}

impl Plan {
    fn rest_at_most(&self) -> Duration {
        match self.plant {
            Some(Planted::StaysCut) => REST_WITHOUT_HOPE,
            _ => REST_AT_MOST,
        }
    }
}

/// What a lane has still to do of one command and fault.
struct Left {
    money: Money,
    fault: Fault,
    row: u64,
    numbers: VecDeque<u64>,
}

/// The steps of each command of a lane, as they are without a fault.
type Usual = std::collections::BTreeMap<&'static str, Counts>;

/// The steps of a command without a fault, if there is what it needs: the fewest of three, so
/// that what else happened meanwhile does not count.
fn usual(
    world: &mut World,
    tray: &mut Tray,
    clerk: &mut Clerk,
    money: Money,
) -> anyhow::Result<Option<Counts>> {
    let mut fewest: Option<Counts> = None;
    for _ in 0..3 {
        world.stock()?;
        let Some(given) = world.order(money)? else {
            return Ok(None);
        };
        let pages = world.pages()?;
        world.steps.begin(None);
        let reply = given.give(&pages);
        let counts = world.steps.struck();
        clerk.work_off(&pages, tray, &given, reply, REST_AT_MOST)?;
        let before = fewest.unwrap_or(counts);
        let mut both = counts;
        for (one, other) in both.iter_mut().zip(before) {
            *one = other.min(*one);
        }
        fewest = Some(both);
    }
    Ok(fewest)
}

/// Runs a campaign.
///
/// # Errors
/// When it cannot be run; what is wrong with agent or central is in the report.
pub fn run(plan: &Plan) -> anyhow::Result<Report> {
    let since = Stopwatch::start();
    let done = AtomicU64::new(0);
    let lanes: Vec<anyhow::Result<Report>> = std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..plan.lanes.max(1))
            .map(|number| {
                let done = &done;
                scope.spawn(move || lane(plan, number, done))
            })
            .collect();
        lanes
            .into_iter()
            .map(|lane| {
                lane.join()
                    .unwrap_or_else(|_| Err(anyhow::anyhow!("a lane panicked")))
            })
            .collect()
    });
    let mut report = Report::default();
    for lane in lanes {
        report.add(lane?);
    }
    report.took = since.elapsed();
    Ok(report)
}

/// A lane: its share of the instants of every command and fault.
fn lane(plan: &Plan, number: u64, done: &AtomicU64) -> anyhow::Result<Report> {
    let mut report = Report::default();
    let lanes = plan.lanes.max(1);
    let mut left = Vec::new();
    for money in &plan.commands {
        for fault in &plan.faults {
            let mine = |instant: &u64| instant % lanes == number;
            left.push(Left {
                money: *money,
                fault: *fault,
                row: left.len() as u64,
                numbers: (0..plan.instants).filter(mine).collect(),
            });
        }
    }
    let mut usual = Usual::new();
    for given_up in 0..GIVEN_UP_MAX {
        let Err(error) = shift(plan, number, &mut left, &mut usual, &mut report, done) else {
            break;
        };
        // Before the first instant it is no finding about the house.
        if report.instants.is_empty() {
            return Err(error);
        }
        let text = format!("lane {number}, house {given_up} was given up: {error:#}");
        report.breaches.push(text);
    }
    Ok(report)
}

/// Instants in one house, until none is left.
fn shift(
    plan: &Plan,
    lane: u64,
    left: &mut [Left],
    usual_steps: &mut Usual,
    report: &mut Report,
    done: &AtomicU64,
) -> anyhow::Result<()> {
    let (mut world, mut tray) = World::new(plan, lane)?;
    let mut clerk = Clerk::new(plan.plant);
    // In rounds, so that what must be drawn first has time.
    while left.iter().any(|left| !left.numbers.is_empty()) {
        let mut has_moved = false;
        for left in left.iter_mut().filter(|left| !left.numbers.is_empty()) {
            world.stock()?;
            let name = left.money.name();
            let known = match usual_steps.get(name).copied() {
                None => usual(&mut world, &mut tray, &mut clerk, left.money)?,
                known => known,
            };
            let Some(counts) = known else {
                continue;
            };
            usual_steps.insert(name, counts);
            let Some(given) = world.order(left.money)? else {
                continue;
            };
            let Some(number) = left.numbers.pop_front() else {
                continue;
            };
            has_moved = true;
            *report.instants.entry(name).or_default() += 1;
            let jitter = world.chance.below(WHOLE);
            let target = Target::spread(number, plan.instants, left.row, &counts, jitter);
            let (money, fault) = (left.money, left.fault);
            strike::one(
                &mut world, &mut tray, &mut clerk, &given, money, fault, target, report,
            )
            .with_context(|| format!("{name}, {}, {number}: {target:?}", fault.name()))?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if done.is_multiple_of(SAID_EVERY) {
                report::say(&format!("{done} instants"));
            }
        }
        if !has_moved {
            pass(Duration::from_millis(500));
        }
    }
    report.parked += clerk.parked;
    report.given_back += clerk.given_back;
    report.torn += clerk.torn;
    verdict::finish(&mut world, &mut tray, clerk, report)
}

//! `sales`: durable sales at 64 terminals over HTTP, against the same program with one sale a
//! commit.
//!
//! Both arms serve copies of one founded house, so that the same requests make the same facts:
//! before anything is timed, the bodies of the leaves of both records are compared, all of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::ensure;
use keno_record::store::log;
use keno_schema::Database;

use crate::client::{Load, Round, Until};
use crate::clock::ms;
use crate::cpu::{Others, Watch, by_thread};
use crate::figure::{Figure, Limits};
use crate::house::{Founded, Server, Way, found, house_file};
use crate::ranks::{median, percentile};
use crate::till::Till;

/// Durable sales a second by those of one sale a commit.
pub const GAIN: Limits = Limits::at_least(6.0, 8.0);
/// The 99th percentile of a sale by that of one sale a commit.
pub const WAIT: Limits = Limits::at_most(0.4, 0.25);

/// Seed of what patrons play.
pub const SEED: u64 = 0x6b65_6e6f;

/// The size of a measurement.
#[derive(Debug, Clone)]
pub struct Size {
    /// Terminals.
    pub terminals: u32,
    /// Rounds of each arm.
    pub rounds: usize,
    /// Length of a round.
    pub round: Duration,
    /// Sales of each terminal before anything is timed, which are compared.
    pub compared: usize,
}

impl Size {
    /// What is published.
    pub fn full(rounds: usize) -> Self {
        Self {
            terminals: 64,
            rounds,
            round: Duration::from_millis(1_500),
            compared: 50,
        }
    }
}

/// A served house with its terminals signed on.
#[derive(Debug)]
pub struct Arm {
    /// The server.
    pub server: Server,
    /// Its data.
    pub folder: PathBuf,
    /// Signed on, one a connection.
    pub tills: Vec<Till>,
    /// One connection a terminal.
    pub load: Load,
    /// Sales that were answered.
    pub sold: usize,
}

impl Arm {
    /// Serves a founded house and signs its terminals on.
    ///
    /// # Errors
    /// When the house does not open or refuses a terminal.
    pub fn open(
        way: &Way,
        folder: &Path,
        house: &Founded,
        batch_max: Option<usize>,
    ) -> anyhow::Result<Self> {
        let server = way.serve(folder, batch_max)?;
        let tills = house
            .terminals
            .iter()
            .map(|terminal| Till::open(server.address(), terminal, house.draw, SEED))
            .collect::<anyhow::Result<Vec<_>>>()?;
        let load = Load::open(server.address(), tills.len())?;
        Ok(Self {
            server,
            folder: folder.to_owned(),
            tills,
            load,
            sold: 0,
        })
    }

    /// A round of sales at every terminal.
    ///
    /// # Errors
    /// When a sale is not answered with a ticket.
    pub fn sell(&mut self, until: Until<'_>) -> anyhow::Result<Round> {
        let round = self.load.run(&mut self.tills, until)?;
        self.sold += round.samples.len();
        Ok(round)
    }

    /// So many sales a second for so long, each at its moment, at whichever terminal is free.
    ///
    /// # Errors
    /// As [`Self::sell`].
    pub fn sell_at(&mut self, rate: f64, length: Duration) -> anyhow::Result<Round> {
        let round = self.load.run_at(&mut self.tills, rate, length)?;
        self.sold += round.samples.len();
        Ok(round)
    }

    /// Microseconds of the processors that each kind of thread has taken; nothing of a server
    /// in this process.
    fn threads(&self) -> anyhow::Result<BTreeMap<String, u64>> {
        Ok(match self.server.process() {
            Some(process) => by_thread(process)?,
            None => BTreeMap::new(),
        })
    }

    /// Whether every sale that was answered is in the record, and no other.
    ///
    /// # Errors
    /// When one is not, or the record cannot be read.
    pub fn must_be_recorded(&self) -> anyhow::Result<()> {
        let recorded: usize = self.facts()?.values().sum();
        ensure!(
            recorded == self.sold,
            "{} sales were answered and {recorded} are recorded",
            self.sold
        );
        Ok(())
    }

    /// Every sale in the record: the bytes of its leaf's body, and how often they stand there.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn facts(&self) -> anyhow::Result<BTreeMap<Vec<u8>, usize>> {
        let url = house_file(&self.folder)?.database_url;
        let mut reader = Database::parse_in(&self.folder, &url).open_reader()?;
        let mut facts = BTreeMap::new();
        let mut first = 0;
        loop {
            let rows = log::entries(&mut reader, first, 10_000)?;
            let Some(last) = rows.last() else {
                return Ok(facts);
            };
            first = last.leaf_index + 1;
            for row in rows {
                let (entry, _) = log::checked_entry(&row)?;
                if matches!(entry.event()?, keno_log::Event::TicketSold(_)) {
                    *facts.entry(row.body).or_insert(0) += 1;
                }
            }
        }
    }
}

/// Whether two records hold the same sales, each of them once.
///
/// # Errors
/// In what they differ.
pub fn must_be_equal(
    one: &BTreeMap<Vec<u8>, usize>,
    other: &BTreeMap<Vec<u8>, usize>,
    sold: usize,
) -> anyhow::Result<()> {
    ensure!(
        one.values().sum::<usize>() == sold && other.values().sum::<usize>() == sold,
        "{sold} sales were answered, and the records hold {} and {}",
        one.values().sum::<usize>(),
        other.values().sum::<usize>()
    );
    ensure!(one == other, "the two records do not hold the same sales");
    Ok(())
}

/// Two arms over one founded house: groups, and one sale a commit.
///
/// # Errors
/// When a house cannot be opened.
pub fn arms(way: &Way, folder: &Path, terminals: u32) -> anyhow::Result<(Arm, Arm)> {
    let (together, alone) = (folder.join("together"), folder.join("alone"));
    let house = found(&together, None, terminals)?;
    keno_testing::copy_folder(&together, &alone)?;
    Ok((
        Arm::open(way, &together, &house, None)?,
        Arm::open(way, &alone, &house, Some(1))?,
    ))
}

/// What a sale costs each kind of thread of the server, as words; nothing when it is not known.
fn costs(before: &BTreeMap<String, u64>, after: &BTreeMap<String, u64>, sold: usize) -> String {
    let sold = u64::try_from(sold).unwrap_or(u64::MAX).max(1);
    let parts: Vec<String> = after
        .iter()
        .map(|(name, taken)| (name, (taken - before.get(name).unwrap_or(&0)) / sold))
        .filter(|(_, each)| *each > 0)
        .map(|(name, each)| format!("{name} {each} us"))
        .collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!("; processor time a sale in groups: {}", parts.join(", "))
    }
}

/// Measures.
///
/// # Errors
/// When the arms are not equal, or anything fails.
pub fn measure(way: &Way, folder: &Path, size: &Size) -> anyhow::Result<Vec<Figure>> {
    let (mut together, mut alone) = arms(way, folder, size.terminals)?;
    let compared = compare("sales", &mut together, &mut alone, size, None)?;
    Ok(compared.figures(GAIN, WAIT))
}

/// What two arms came to.
#[derive(Debug)]
pub struct Compared {
    command: &'static str,
    gains: Vec<f64>,
    waits: Vec<f64>,
    /// Sales a second in groups.
    pub rate: f64,
    context: String,
    others: Others,
}

impl Compared {
    /// As figures, with their limits.
    pub fn figures(self, gain: Limits, wait: Limits) -> Vec<Figure> {
        let figure = |what: &str, ratios: Vec<f64>, limits| Figure {
            command: self.command,
            what: what.to_owned(),
            ratios,
            context: self.context.clone(),
            limits: Some(limits),
            others: self.others,
        };
        vec![
            figure(
                "durable sales/s over HTTP, groups by one sale a commit",
                self.gains.clone(),
                gain,
            ),
            figure(
                "sale p99 when saturated, groups by one sale a commit",
                self.waits.clone(),
                wait,
            ),
        ]
    }
}

/// Has two arms sell in turns, after their records were found equal. `beside` is a server of
/// the measurement that has a process for each connection.
///
/// # Errors
/// When the arms are not equal, or anything fails.
pub fn compare(
    command: &'static str,
    together: &mut Arm,
    alone: &mut Arm,
    size: &Size,
    beside: Option<u32>,
) -> anyhow::Result<Compared> {
    together.sell(Until::Each(size.compared))?;
    alone.sell(Until::Each(size.compared))?;
    must_be_equal(&together.facts()?, &alone.facts()?, together.sold)?;

    let servers: Vec<u32> = [&*together, &*alone]
        .iter()
        .filter_map(|arm| arm.server.process())
        .collect();
    // What the comparison left in the caches is behind both arms.
    together.sell(Until::Passed(size.round / 4))?;
    alone.sell(Until::Passed(size.round / 4))?;
    let before = (together.threads()?, together.sold);
    let watch = Watch::start_with(&servers, beside)?;
    let (mut gains, mut waits) = (Vec::new(), Vec::new());
    let mut values: [Vec<f64>; 6] = Default::default();
    for round in 0..size.rounds {
        // Who goes first changes, so that neither always follows the other's dirty pages.
        let (first, second) = if round % 2 == 0 {
            (&mut *together, &mut *alone)
        } else {
            (&mut *alone, &mut *together)
        };
        let (one, two) = (
            first.sell(Until::Passed(size.round))?,
            second.sell(Until::Passed(size.round))?,
        );
        let (grouped, single) = if round % 2 == 0 {
            (one, two)
        } else {
            (two, one)
        };
        let all = 0..usize::MAX;
        let (mut grouped_times, mut single_times) = (grouped.times(all.clone()), single.times(all));
        let grouped_p99 = percentile(&mut grouped_times, 0.99);
        let single_p99 = percentile(&mut single_times, 0.99);
        gains.push(grouped.rate() / single.rate());
        waits.push(grouped_p99.as_secs_f64() / single_p99.as_secs_f64());
        for (list, value) in values.iter_mut().zip([
            grouped.rate(),
            ms(percentile(&mut grouped_times, 0.5)),
            ms(grouped_p99),
            single.rate(),
            ms(percentile(&mut single_times, 0.5)),
            ms(single_p99),
        ]) {
            list.push(value);
        }
    }
    let others = watch.others()?;
    let costs = costs(&before.0, &together.threads()?, together.sold - before.1);
    for (arm, name) in [(&*together, "groups"), (&*alone, "one a commit")] {
        let recorded: usize = arm.facts()?.values().sum();
        ensure!(
            recorded == arm.sold,
            "{name}: {} sales were answered and {recorded} are recorded",
            arm.sold
        );
    }
    let [rate, p50, p99, rate_alone, p50_alone, p99_alone] = values.map(|list| median(&list));
    let context = format!(
        "{} terminals; groups {rate:.0} sales/s, p50 {p50:.1} ms, p99 {p99:.1} ms; one a commit \
         {rate_alone:.0} sales/s, p50 {p50_alone:.1} ms, p99 {p99_alone:.1} ms{costs}",
        size.terminals
    );
    Ok(Compared {
        command,
        gains,
        waits,
        rate,
        context,
        others,
    })
}

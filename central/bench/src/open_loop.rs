//! `open-loop`: sales that come when patrons come, whether or not central has answered those of
//! before: a third of what it can take, by one append with its sync on the same disk.
//!
//! A terminal that waits for its answer before it asks again hides a stall: nobody asks while it
//! lasts. Here each sale has its moment, and its time counts from there.

use std::path::Path;
use std::time::Duration;

use crate::client::Until;
use crate::clock::{ms, now};
use crate::cpu::Watch;
use crate::disk::Probe;
use crate::figure::{Figure, Limits};
use crate::house::{Way, found};
use crate::ranks::{median, percentile};
use crate::sales::Arm;

/// The 99th percentile of a sale at a third of the saturated rate by that of one append with its
/// sync.
pub const OPEN: Limits = Limits::at_most(40.0, 20.0);
/// The share of the saturated rate at which sales come.
const SHARE: f64 = 1.0 / 3.0;

/// The size of a measurement.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Terminals.
    pub terminals: u32,
    /// Rounds.
    pub rounds: usize,
    /// How long each part of a round takes: saturated, open, and syncs alone.
    pub round: Duration,
}

impl Size {
    /// What is published.
    pub fn full(rounds: usize) -> Self {
        Self {
            terminals: 64,
            rounds,
            round: Duration::from_millis(1_500),
        }
    }
}

/// Measures.
///
/// # Errors
/// When a sale that was due is not recorded, or anything fails.
pub fn measure(way: &Way, folder: &Path, size: Size) -> anyhow::Result<Vec<Figure>> {
    let data = folder.join("open-loop");
    let house = found(&data, None, size.terminals)?;
    let mut arm = Arm::open(way, &data, &house, None)?;
    let mut probe = Probe::new(folder)?;
    arm.sell(Until::Each(20))?;
    let servers: Vec<u32> = arm.server.process().into_iter().collect();
    let watch = Watch::start(&servers)?;
    let mut ratios = Vec::new();
    let mut values: [Vec<f64>; 6] = Default::default();
    for _ in 0..size.rounds {
        let saturated = arm.sell(Until::Passed(size.round))?.rate();
        let rate = saturated * SHARE;
        let mut sales = arm.sell_at(rate, size.round)?.times(0..usize::MAX);
        let mut syncs = Vec::new();
        let start = now();
        while start.elapsed() < size.round {
            syncs.push(probe.append()?);
        }
        let (sale_p99, sync_p99) = (percentile(&mut sales, 0.99), percentile(&mut syncs, 0.99));
        ratios.push(sale_p99.as_secs_f64() / sync_p99.as_secs_f64());
        for (list, value) in values.iter_mut().zip([
            saturated,
            rate,
            ms(percentile(&mut sales, 0.5)),
            ms(sale_p99),
            ms(percentile(&mut sales, 1.0)),
            ms(sync_p99) * 1_000.0,
        ]) {
            list.push(value);
        }
    }
    let others = watch.others()?;
    arm.must_be_recorded()?;
    let [saturated, rate, p50, p99, longest, sync] = values.map(|list| median(&list));
    Ok(vec![Figure {
        command: "open-loop",
        what: "sale p99 from its moment at a third of the saturated rate by p99 of one append + \
               fdatasync"
            .to_owned(),
        ratios,
        context: format!(
            "{} terminals; saturated {saturated:.0} sales/s; at {rate:.0} sales/s p50 {p50:.2} ms, \
             p99 {p99:.1} ms, longest {longest:.1} ms; append of 4 KiB + fdatasync p99 {sync:.0} us",
            size.terminals
        ),
        limits: Some(OPEN),
        others,
    }])
}

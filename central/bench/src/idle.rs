//! `idle`: a sale at the only terminal, against one append with its sync on the same disk.

use std::path::Path;
use std::time::Duration;

use anyhow::ensure;

use crate::client::Until;
use crate::clock::{ms, now};
use crate::cpu::Watch;
use crate::disk::Probe;
use crate::figure::{Figure, Limits};
use crate::house::{Way, found};
use crate::ranks::{median, percentile};
use crate::sales::Arm;

/// The median of a sale by the median of one append with its sync.
pub const IDLE: Limits = Limits::at_most(3.0, 1.5);

/// Measures.
///
/// # Errors
/// When anything fails.
pub fn measure(
    way: &Way,
    folder: &Path,
    rounds: usize,
    round: Duration,
) -> anyhow::Result<Vec<Figure>> {
    let data = folder.join("idle");
    let house = found(&data, None, 1)?;
    let mut arm = Arm::open(way, &data, &house, None)?;
    let mut probe = Probe::new(folder)?;
    arm.sell(Until::Each(20))?;
    let servers: Vec<u32> = arm.server.process().into_iter().collect();
    let watch = Watch::start(&servers)?;
    let (mut ratios, mut sale, mut sync) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        let mut sales = arm.sell(Until::Passed(round))?.times(0..1);
        let mut syncs = Vec::new();
        let start = now();
        while start.elapsed() < round {
            syncs.push(probe.append()?);
        }
        let (sale_p50, sync_p50) = (percentile(&mut sales, 0.5), percentile(&mut syncs, 0.5));
        ratios.push(sale_p50.as_secs_f64() / sync_p50.as_secs_f64());
        sale.push(ms(sale_p50));
        sync.push(ms(sync_p50));
    }
    let others = watch.others()?;
    let recorded: usize = arm.facts()?.values().sum();
    ensure!(
        recorded == arm.sold,
        "{} sales were answered and {recorded} are recorded",
        arm.sold
    );
    Ok(vec![Figure {
        command: "idle",
        what: "p50 of a sale over HTTP at one idle terminal by one append + fdatasync".to_owned(),
        ratios,
        context: format!(
            "sale p50 {:.0} us, append of 4 KiB + fdatasync p50 {:.0} us",
            median(&sale) * 1_000.0,
            median(&sync) * 1_000.0
        ),
        limits: Some(IDLE),
        others,
    }])
}

//! `settle-sales`: how long a sale waits while a million wagers are settled.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, anyhow};

use crate::client::{Load, Until};
use crate::clock::{ms, now};
use crate::cpu::Watch;
use crate::figure::{Figure, Limits};
use crate::house::serve_here;
use crate::ranks::{median, percentile};
use crate::sales::SEED;
use crate::settle::Settled;
use crate::till::Till;

/// The 99th percentile of sales during a settlement by that of sales without one.
pub const DURING: Limits = Limits::at_most(2.0, 1.2);
/// The 99th percentile of a sale during a settlement, in hundreds of milliseconds.
pub const WAITS: Limits = Limits::at_most(1.0, 0.5);

/// The size of a measurement.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Wagers of each draw.
    pub wagers: usize,
    /// Terminals.
    pub terminals: u32,
    /// Rounds.
    pub rounds: usize,
    /// Length of a round without a settlement.
    pub round: Duration,
}

/// Measures.
///
/// # Errors
/// When anything fails.
pub fn measure(folder: &Path, size: Size) -> anyhow::Result<Vec<Figure>> {
    let data = folder.join("settle-sales");
    let mut house = Settled::new(&data, None, size.wagers, size.terminals)?;
    let server = serve_here(&house.central, &data)?;
    // What is sold over HTTP is for a draw that is never settled here.
    let later = 90;
    house.open(later)?;
    let mut tills = house
        .terminals
        .iter()
        .map(|terminal| Till::open(server.address(), terminal, later, SEED))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let mut load = Load::open(server.address(), tills.len())?;
    load.run(&mut tills, Until::Passed(size.round / 4))?;

    let (mut ratios, mut waits) = (Vec::new(), Vec::new());
    let (mut quiet, mut during, mut lengths, mut most) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut others = Vec::new();
    for _ in 0..size.rounds {
        let (draw, first) = house.sell_next()?;
        let watch = Watch::start(&[])?;
        let mut without = load
            .run(&mut tills, Until::Passed(size.round))?
            .times(0..usize::MAX);
        let told = AtomicBool::new(false);
        let (round, settled) = std::thread::scope(|scope| {
            let settling = scope.spawn(|| {
                // Sales are under way when the draw closes.
                let lead = now();
                while lead.elapsed() < size.round / 8 {
                    std::thread::yield_now();
                }
                let start = now();
                let done = house.settle(draw, first);
                let end = now();
                told.store(true, Ordering::Release);
                done.map(|_| (start, end))
            });
            let round = load.run(&mut tills, Until::Told(&told));
            told.store(true, Ordering::Release);
            (round, settling.join())
        });
        let round = round?;
        let (start, end) = settled.map_err(|_| anyhow!("the settlement panicked"))??;
        others.push(watch.others()?);
        // Every sale that was in flight at any moment of the settlement.
        let mut within: Vec<Duration> = round
            .samples
            .iter()
            .filter(|sample| sample.sent + sample.took >= start && sample.sent <= end)
            .map(|sample| sample.took)
            .collect();
        let (quiet_p99, during_p99) = (
            percentile(&mut without, 0.99),
            percentile(&mut within, 0.99),
        );
        let longest = within
            .last()
            .copied()
            .context("no sale during the settlement")?;
        ratios.push(during_p99.as_secs_f64() / quiet_p99.as_secs_f64());
        waits.push(ms(during_p99) / 100.0);
        quiet.push(ms(quiet_p99));
        during.push(ms(during_p99));
        lengths.push(ms(end - start));
        most.push(ms(longest));
    }
    let others = crate::cpu::median(&others);
    let context = format!(
        "{} terminals sell as fast as they can; {} wagers settled within {:.0} ms; sale p99 {:.1} \
         ms without, {:.1} ms during, longest {:.1} ms",
        size.terminals,
        size.wagers,
        median(&lengths),
        median(&quiet),
        median(&during),
        median(&most)
    );
    Ok(vec![
        Figure {
            command: "settle-sales",
            what: "sale p99 while a draw is settled by sale p99 without".to_owned(),
            ratios,
            context: context.clone(),
            limits: Some(DURING),
            others,
        },
        Figure {
            command: "settle-sales",
            what: "sale p99 while a draw is settled by 100 ms".to_owned(),
            ratios: waits,
            context,
            limits: Some(WAITS),
            others,
        },
    ])
}

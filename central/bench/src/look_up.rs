//! `look-up`: what a ticket comes to, by its control number, while every terminal sells; against
//! the shortest answer that the same server gives.

use std::io;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, ensure};

use crate::client::{Asker, Constant, Load, Round, Until};
use crate::clock::ms;
use crate::cpu::Watch;
use crate::figure::{Figure, Limits};
use crate::house::{Way, found};
use crate::ranks::{median, percentile};
use crate::sales::Arm;
use crate::till::{LookUps, Till};

/// The 99th percentile of a look-up by that of a constant answer, both under full sales.
pub const LOOK_UP: Limits = Limits::at_most(3.0, 1.5);

/// An address that does not exist is answered from memory, with a problem of one line.
const NOWHERE: &str = "/api/v1/nowhere";

/// The size of a measurement.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Terminals that sell.
    pub terminals: u32,
    /// Connections that look up, or ask for the constant answer.
    pub askers: usize,
    /// Tickets each terminal sells before; they are looked up.
    pub sold: usize,
    /// Rounds.
    pub rounds: usize,
    /// Length of a round.
    pub round: Duration,
}

impl Size {
    /// What is published.
    pub fn full(rounds: usize) -> Self {
        Self {
            terminals: 64,
            askers: 4,
            sold: 100,
            rounds,
            round: Duration::from_millis(1_000),
        }
    }
}

/// What a connection does.
enum Doing {
    Sells(Box<Till>),
    LooksUp(LookUps),
    Asks(Constant),
}

impl Asker for Doing {
    fn ask(&mut self, request: &mut Vec<u8>) {
        match self {
            Self::Sells(till) => till.ask(request),
            Self::LooksUp(ups) => ups.ask(request),
            Self::Asks(constant) => constant.ask(request),
        }
    }

    fn answered(&mut self, body: &[u8]) -> io::Result<()> {
        match self {
            Self::Sells(till) => till.answered(body),
            Self::LooksUp(ups) => ups.answered(body),
            Self::Asks(constant) => constant.answered(body),
        }
    }

    fn status(&self) -> u16 {
        match self {
            Self::Sells(till) => till.status(),
            Self::LooksUp(ups) => ups.status(),
            Self::Asks(constant) => constant.status(),
        }
    }
}

/// Measures.
///
/// # Errors
/// When a look-up does not find its ticket, or anything fails.
pub fn measure(way: &Way, folder: &Path, size: Size) -> anyhow::Result<Vec<Figure>> {
    let data = folder.join("look-up");
    let house = found(&data, None, size.terminals)?;
    let mut arm = Arm::open(way, &data, &house, None)?;
    for till in &mut arm.tills {
        till.kept = Some(Vec::new());
    }
    arm.sell(Until::Each(size.sold))?;
    let mut numbers = Vec::new();
    for till in &mut arm.tills {
        for reply in till.kept.take().unwrap_or_default() {
            let number = reply["ticket"]["claim_code"]
                .as_str()
                .context("a sale without a claim code")?;
            numbers.push(number.to_owned());
        }
    }
    ensure!(numbers.len() == arm.sold, "a sale was not answered");
    let person = arm.tills.first().context("no terminal")?.clone();

    // Every look-up finds its ticket before any is timed.
    let mut found = vec![LookUps::checked(&person, &numbers)];
    Load::open(arm.server.address(), 1)?.run(&mut found, Until::Each(numbers.len().min(500)))?;

    let servers: Vec<u32> = arm.server.process().into_iter().collect();
    let selling = arm.tills.len();
    let mut doing: Vec<Doing> = std::mem::take(&mut arm.tills)
        .into_iter()
        .map(|till| Doing::Sells(Box::new(till)))
        .collect();
    let mut load = Load::open(arm.server.address(), selling + size.askers)?;
    let mut round = |look_up: bool| -> io::Result<Round> {
        doing.truncate(selling);
        for at in 0..size.askers {
            doing.push(if look_up {
                let (before, after) = numbers.split_at(numbers.len() * at / size.askers);
                let turned: Vec<String> = after.iter().chain(before).cloned().collect();
                Doing::LooksUp(LookUps::of(&person, &turned))
            } else {
                Doing::Asks(Constant::get(NOWHERE, 404))
            });
        }
        load.run(&mut doing, Until::Passed(size.round))
    };
    round(true)?;
    let watch = Watch::start(&servers)?;
    let mut ratios = Vec::new();
    let mut values: [Vec<f64>; 5] = Default::default();
    for _ in 0..size.rounds {
        let (with, without) = (round(true)?, round(false)?);
        let asking = selling..selling + size.askers;
        let (mut ups, mut constant) = (with.times(asking.clone()), without.times(asking));
        let (up, flat) = (percentile(&mut ups, 0.99), percentile(&mut constant, 0.99));
        ratios.push(up.as_secs_f64() / flat.as_secs_f64());
        #[expect(clippy::cast_precision_loss, reason = "a count of requests")]
        let sales = with.times(0..selling).len() as f64 / with.length.as_secs_f64();
        for (list, value) in values.iter_mut().zip([
            ms(percentile(&mut ups, 0.5)),
            ms(up),
            ms(percentile(&mut constant, 0.5)),
            ms(flat),
            sales,
        ]) {
            list.push(value);
        }
    }
    let others = watch.others()?;
    let [up_p50, up_p99, flat_p50, flat_p99, sales] = values.map(|list| median(&list));
    Ok(vec![Figure {
        command: "look-up",
        what: "look-up p99 by control number by p99 of a constant answer, under full sales"
            .to_owned(),
        ratios,
        context: format!(
            "{selling} terminals sell {sales:.0}/s; look-up p50 {up_p50:.2} ms, p99 {up_p99:.1} \
             ms; constant answer p50 {flat_p50:.2} ms, p99 {flat_p99:.1} ms"
        ),
        limits: Some(LOOK_UP),
        others,
    }])
}

//! The same recorded entropy must give the same balls at every hour of a year.
//!
//! In 2005 to 2011 Eddie Tipton's code in American lottery machines drew from a predictable seed
//! on three days of the year (147, 327 and 363) in the evening; it was found in no source, only on
//! a machine that had been kept. So this is asked of the running code: at each instant a process
//! of its own, whose every wall clock shows that instant, draws twice.
//!
//! * **From the entropy on**: real holders on real files, whose source replays recorded bytes,
//!   commit; a recorded seal comes; they reveal; the real machine draws.
//! * **From the sealed house on** ([`crate::sealed_house`]): the real central is opened on the
//!   machine's clock on a byte-identical copy of a house whose draw is sealed, recovers, and takes
//!   the steps that the conductor takes.
//!
//! Every line that such a process says must be the same, and each also says what its clock showed.
//!
//! What it does not show: code that learns the time otherwise than through the C library (a
//! system call of its own, the times in files), from a clock that counts from the machine's start,
//! or by counting days itself. For the machine's own code a test of `keno-draw-machine` reads every
//! source for words that tell the time.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use keno_draw::{
    DrawContext, DrawOrder, EntropyFault, EntropySource, FileHolder, HolderRecord, Seal,
    SecretHolder, Transcript, collect,
};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;

use crate::draws::stream;
use crate::process::{ClockShim, Shown, machine_clock_ms, restore, side_by_side};
use crate::sealed_house;
use crate::tampering::{DAY_MS, InstantPlant, is_fraud_evening, machine};

/// The house of the draw from the entropy on.
const HOUSE: &str = "instants";
/// Its holders.
const HOLDERS: [&str; 2] = ["machine", "audit"];
/// Its draw.
const DRAW: u64 = 147;
/// What was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// What a draw gives, from the entropy on and from the sealed house on.
    pub reference: String,
    /// Instants, with what the draw gave there instead.
    pub different: Vec<(i64, String)>,
    /// Instants on which the planted days' evening fell.
    pub evenings: usize,
}

/// `days` days from the one after `start_ms`, at `times` times of day each.
#[must_use]
pub fn calendar(start_ms: i64, days: u32, times: u32) -> Vec<i64> {
    let midnight = start_ms.div_euclid(DAY_MS) * DAY_MS;
    (1..=i64::from(days))
        .flat_map(|day| {
            let step = DAY_MS / i64::from(times.max(1));
            // Not on the minute: a few seconds and milliseconds differ from time to time as well.
            (0..i64::from(times)).map(move |time| {
                midnight + day * DAY_MS + time * step + (day * 7_919 + time * 104_729) % step
            })
        })
        .collect()
}

/// A house that waits to be drawn at any instant.
#[derive(Debug)]
pub struct Image {
    folder: PathBuf,
    /// The first instant at which its draw is due.
    pub due_ms: i64,
}

impl Image {
    /// Founds and seals it in `folder`.
    ///
    /// # Errors
    /// As [`sealed_house::found`].
    pub fn make(folder: &Path) -> Result<Self> {
        Ok(Self {
            due_ms: sealed_house::found(&folder.join("image")).context("the sealed house")?,
            folder: folder.to_owned(),
        })
    }
}

/// Draws at each of the instants in a process of `program` (this package's own), and compares
/// with the sound code's draw at the first instant; that from the entropy on must also be the one
/// made here and now, under no clock but the machine's own.
///
/// # Errors
/// When a process cannot be run, or was not shown its instant.
pub fn run(
    program: &Path,
    image: &Image,
    instants: &[i64],
    threads: usize,
    plant: Option<InstantPlant>,
) -> Result<Seen> {
    let shim = ClockShim::write(&image.folder)?;
    let at = |at_ms: i64, thread: usize, plant: Option<InstantPlant>| -> Result<String> {
        let disk = image.folder.join(format!("disk-{thread}"));
        restore(&image.folder.join("image"), &disk.join("house"))?;
        let mut arguments = vec![
            "instant".to_owned(),
            "--folder".to_owned(),
            disk.display().to_string(),
        ];
        if let Some(plant) = plant.and_then(|plant| plant.to_possible_value()) {
            arguments.extend(["--plant".to_owned(), plant.get_name().to_owned()]);
        }
        let shown = Shown {
            wall_ms: at_ms,
            uptime_ms: None,
        };
        let output = shim.run(program, &arguments, shown)?;
        let said = String::from_utf8(output.stdout)?;
        let words = String::from_utf8_lossy(&output.stderr);
        ensure!(
            output.status.success(),
            "at {at_ms} a process failed: {words}"
        );
        let clock = format!("clock {at_ms}\n");
        said.strip_prefix(&clock)
            .map(str::to_owned)
            .with_context(|| format!("at {at_ms} a process was not shown its instant: {said}"))
    };
    // The sound code, whatever is planted.
    let reference = at(image.due_ms, 0, None)?;
    let own = from_the_entropy(&image.folder.join("reference"), None)?;
    ensure!(
        reference.starts_with(&own),
        "the machine's own clock gives another draw than the first instant"
    );
    let said = side_by_side(instants.len(), threads, |thread, number| {
        at(instants[number], thread, plant)
    })?;
    Ok(Seen {
        different: instants
            .iter()
            .zip(said)
            .filter(|(_, said)| *said != reference)
            .map(|(at_ms, said)| (*at_ms, said))
            .collect(),
        evenings: instants
            .iter()
            .filter(|at_ms| is_fraud_evening(**at_ms))
            .count(),
        reference,
    })
}

/// One instant, in the process that is shown it: what its clock shows and what its draws give.
///
/// # Errors
/// What holder, machine or central refuse but for a draw that central's guard refuses.
pub fn once(folder: &Path, plant: Option<InstantPlant>) -> Result<String> {
    let clock = machine_clock_ms();
    let entropy = from_the_entropy(&folder.join("holders"), plant)?;
    let house = sealed_house::draw(&folder.join("house"), plant)?;
    Ok(format!("clock {clock}\n{entropy}{house}\n"))
}

/// Recorded entropy, commitments, a recorded seal, secrets, balls: on files in `folder`, which
/// must not hold any of it yet.
fn from_the_entropy(folder: &Path, plant: Option<InstantPlant>) -> Result<String> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder)?;
    let mut holders = Vec::new();
    for name in HOLDERS {
        let source = Recorded {
            bytes: stream(2026, name, 0),
            is_tampered: plant == Some(InstantPlant::Source),
        };
        let at = folder.join(name);
        holders.push(FileHolder::open(&at, HOUSE, name, source)?);
    }
    let mut commitments = Vec::new();
    for holder in &mut holders {
        commitments.push(holder.commit(DRAW)?);
    }
    let seal = Seal {
        size: 321,
        root: [0xAB; 32],
    };
    let mut records = Vec::new();
    for (holder, commitment) in holders.iter_mut().zip(commitments) {
        records.push(HolderRecord {
            name: holder.name().to_owned(),
            commitment,
            secret: holder.reveal(DRAW, &seal)?,
            beacon: String::new(),
        });
    }
    let ctx = DrawContext {
        house: HOUSE.to_owned(),
        draw: DRAW,
        log_size: seal.size,
        seal_root: seal.root,
        rule_book_hash: [0xCD; 32],
        pool_size: 80,
        drawn: 20,
    };
    let order = DrawOrder::within(ctx, records);
    let mut machine = machine(&folder.join("draw-machine"), HOUSE, plant)?;
    let collected = collect(machine.as_mut(), &order)?;
    let transcript = Transcript::compute(order.ctx, order.holders)?;
    Ok(format!(
        "balls {:?} transcript {}\n",
        collected.balls,
        hex::encode(transcript.digest())
    ))
}

/// Recorded bytes, and the planted fault in them.
struct Recorded {
    bytes: ChaCha20Rng,
    is_tampered: bool,
}

impl EntropySource for Recorded {
    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), EntropyFault> {
        self.bytes.fill_bytes(buffer);
        if self.is_tampered && is_fraud_evening(machine_clock_ms()) {
            // Known to whoever wrote it, and in good health: no test of the bytes can see it.
            for byte in buffer.iter_mut() {
                *byte ^= 0x5A;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calendar_holds_each_day_and_the_planted_evenings() {
        let instants = calendar(1_795_194_000_000, 400, 50);
        assert_eq!(instants.len(), 20_000);
        assert!(instants.is_sorted());
        let days: std::collections::BTreeSet<i64> = instants
            .iter()
            .map(|at_ms| at_ms.div_euclid(DAY_MS))
            .collect();
        assert_eq!(days.len(), 400);
        // Day 327 comes twice within 400 days from 20 November; six hours of 50 times a day.
        let evenings = instants
            .iter()
            .filter(|at_ms| is_fraud_evening(**at_ms))
            .count();
        assert!((4 * 12..=4 * 13).contains(&evenings), "{evenings}");
    }
}

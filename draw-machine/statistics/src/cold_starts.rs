//! Cold starts with the same disk image and a frozen clock must give different secrets.
//!
//! Each start is a process of its own: the holder's folder is restored byte by byte under the
//! same path, every clock is frozen at the same instant, arguments and environment are the same,
//! and the real [`FileHolder`] on the operating system's entropy commits to the same next draw.
//! All commitments must differ, among themselves and from those in the image.
//!
//! What two starts do not share here: the number of the process, and what the kernel gives a new
//! process (its memory's layout). A holder that drew its secrets from these alone would pass.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use keno_draw::holder::HOLDER_JOURNAL;
use keno_draw::{EntropyFault, EntropySource, FileHolder, HolderFault, OsEntropy, SecretHolder};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

use crate::process::{ClockShim, Shown, machine_clock_ms, restore, side_by_side};

/// The house of the image.
const HOUSE: &str = "cold-starts";
/// The holder of the image.
const HOLDER: &str = "machine";
/// Draws that the image's journal holds already.
const DRAWS_BEFORE: u64 = 5;
/// What every clock shows.
const FROZEN: Shown = Shown {
    wall_ms: 1_795_194_000_000,
    uptime_ms: Some(100_000),
};
/// What a start says when its health tests stopped the source.
const REFUSED: &str = "refused";
/// A fault planted in the holder's entropy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColdPlant {
    /// Seeded by what is on the disk and by the clocks.
    DiskAndClock,
    /// The operating system's, of which only 16 bits are kept.
    FewBits,
}

/// What was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// Processes.
    pub starts: usize,
    /// Different commitments among those given.
    pub different: usize,
    /// Starts whose health tests stopped the source: no secret was given.
    pub refused: usize,
    /// Commitments that the image held already.
    pub of_the_image: usize,
}

impl Seen {
    /// True when every start gave a commitment of its own. Health tests stop a sound source at
    /// one start in about a thousand million: one that was refused is no chance.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.different == self.starts && self.of_the_image == 0
    }
}

/// Starts so many processes of `program` (this package's own) on the same image.
///
/// # Errors
/// When a process cannot be run or says something else.
pub fn run(
    program: &Path,
    folder: &Path,
    starts: usize,
    threads: usize,
    plant: Option<ColdPlant>,
) -> Result<Seen> {
    let image = folder.join("image");
    let mut known = BTreeSet::new();
    {
        let mut holder = FileHolder::open(&image, HOUSE, HOLDER, OsEntropy)?;
        for draw in 1..=DRAWS_BEFORE {
            known.insert(hex::encode(holder.commit(draw)?));
        }
    }
    let shim = ClockShim::write(folder)?;
    let said = side_by_side(starts, threads, |thread, _| {
        let disk = folder.join(format!("disk-{thread}"));
        restore(&image, &disk)?;
        let mut arguments = vec![
            "cold-start".to_owned(),
            "--folder".to_owned(),
            disk.display().to_string(),
        ];
        if let Some(plant) = plant.and_then(|plant| plant.to_possible_value()) {
            arguments.extend(["--plant".to_owned(), plant.get_name().to_owned()]);
        }
        let output = shim.run(program, &arguments, FROZEN)?;
        ensure!(
            output.status.success(),
            "a start failed: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    })?;
    let refused = said.iter().filter(|said| *said == REFUSED).count();
    let given: BTreeSet<&String> = said.iter().filter(|said| *said != REFUSED).collect();
    ensure!(
        given.iter().all(|said| said.len() == 64),
        "a start said something that is no commitment"
    );
    Ok(Seen {
        starts,
        different: given.len(),
        refused,
        of_the_image: given.iter().filter(|said| known.contains(**said)).count(),
    })
}

/// One cold start, in the process that is it: the commitment in hexadecimal, or that the health
/// tests refused.
///
/// # Errors
/// When the clock is not the frozen one, or the holder cannot be opened.
pub fn start(folder: &Path, plant: Option<ColdPlant>) -> Result<String> {
    ensure!(
        machine_clock_ms() == FROZEN.wall_ms,
        "the clock is not frozen"
    );
    let source: Box<dyn EntropySource + Send> = match plant {
        None => Box::new(OsEntropy),
        Some(ColdPlant::DiskAndClock) => Box::new(DiskAndClock::new(folder)?),
        Some(ColdPlant::FewBits) => Box::new(FewBits::new()?),
    };
    let mut holder = FileHolder::open(folder, HOUSE, HOLDER, source)?;
    match holder.commit(DRAWS_BEFORE + 1) {
        Ok(commitment) => Ok(hex::encode(commitment)),
        Err(HolderFault::Entropy(_)) => Ok(REFUSED.to_owned()),
        Err(fault) => Err(fault.into()),
    }
}

/// The planted fault: a stream seeded by the disk and every clock.
struct DiskAndClock(ChaCha20Rng);

impl DiskAndClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the fault that is planted is that it asks every clock"
    )]
    fn new(folder: &Path) -> Result<Self> {
        let journal = fs::read(folder.join(HOLDER_JOURNAL)).context("the image's journal")?;
        let uptime = format!("{:?}", std::time::Instant::now());
        let mut hash = Sha256::new();
        hash.update(journal);
        hash.update(machine_clock_ms().to_be_bytes());
        hash.update(uptime);
        Ok(Self(ChaCha20Rng::from_seed(hash.finalize().into())))
    }
}

impl EntropySource for DiskAndClock {
    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), EntropyFault> {
        self.0.fill_bytes(buffer);
        Ok(())
    }
}

/// The planted fault: a stream of which there are only 2^16, as a device short of entropy at its
/// start would have.
struct FewBits(ChaCha20Rng);

impl FewBits {
    fn new() -> Result<Self> {
        let mut seed = [0; 32];
        OsEntropy.fill(&mut seed)?;
        seed[2..].fill(0);
        Ok(Self(ChaCha20Rng::from_seed(seed)))
    }
}

impl EntropySource for FewBits {
    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), EntropyFault> {
        self.0.fill_bytes(buffer);
        Ok(())
    }
}

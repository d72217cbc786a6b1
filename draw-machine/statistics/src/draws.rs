//! A row of draws, and how they come about: the way that central takes, without its disk.
//!
//! Taken as it is: holders ([`FileHolder`] with health tests, journal format, commitment, seal
//! and reveal), the RFC 6962 tree that gives the seal ([`keno_log::tree::Edge`]), the order,
//! [`RngMachine`] with its journal and [`collect`], and [`Transcript::compute`] beside it, whose
//! balls must be the machine's, as in central's `record_balls`.
//!
//! Put in its place: the operating system's entropy by a seeded stream (so that a run can be
//! repeated), the journals' files by memory (no `fsync`), the facts between two draws by random
//! leaf hashes, and central's record, reveal and settlement by nothing.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, ensure};
use keno_draw::medium::Medium;
use keno_draw::{
    DrawContext, DrawEvent, DrawOrder, EntropyFault, EntropySource, FileHolder, HolderFault,
    HolderRecord, RngMachine, Seal, SecretHolder, Transcript, collect,
};
use keno_log::tree::Edge;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use zeroize::Zeroizing;

/// Draws of one house: each stretch opens its own holders, journals and log, so that stretches
/// can be made side by side and the outcome does not depend on how many threads make them.
pub const STRETCH: u64 = 10_000;
/// The house of these draws.
pub const HOUSE: &str = "statistics";
/// Holders of each draw's secrets.
const HOLDERS: [&str; 2] = ["machine", "audit"];
/// Facts of the log between two draws.
const LEAVES_BETWEEN: u64 = 3;

/// Draws in the order in which they were made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draws {
    /// Balls in the pool.
    pub pool: u8,
    /// Balls of each draw.
    pub drawn: u8,
    /// All balls, `drawn` to a draw, in the order drawn.
    pub balls: Vec<u8>,
}

impl Draws {
    /// Each draw's balls.
    pub fn iter(&self) -> std::slice::ChunksExact<'_, u8> {
        self.balls.chunks_exact(usize::from(self.drawn).max(1))
    }

    /// How many draws there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.balls.len() / usize::from(self.drawn).max(1)
    }

    /// True without a draw.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.balls.is_empty()
    }
}

/// What was made, and what happened on the way.
#[derive(Debug)]
pub struct Made {
    /// The draws.
    pub draws: Draws,
    /// How often a health test stopped a holder (once in 2^24 bytes on a sound source), which was
    /// then opened again on its journal.
    pub alarms: u64,
}

/// A seeded stream for one purpose.
#[must_use]
pub fn stream(seed: u64, purpose: &str, number: u64) -> ChaCha20Rng {
    use sha2::{Digest, Sha256};
    let mut hash = Sha256::new();
    hash.update(b"boulier/statistics/v1");
    hash.update(seed.to_be_bytes());
    hash.update(number.to_be_bytes());
    hash.update(purpose.as_bytes());
    ChaCha20Rng::from_seed(hash.finalize().into())
}

/// Entropy of a known seed.
struct Seeded(ChaCha20Rng);

impl EntropySource for Seeded {
    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), EntropyFault> {
        self.0.fill_bytes(buffer);
        Ok(())
    }
}

/// A journal's bytes in memory; clones see the same bytes, as two openings see one file.
#[derive(Debug, Default, Clone)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Memory {
    fn with<T>(&self, action: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        action(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Medium for Memory {
    fn read_all(&mut self) -> io::Result<Zeroizing<Vec<u8>>> {
        Ok(Zeroizing::new(self.with(|bytes| bytes.clone())))
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.with(|bytes| {
            let start = usize::try_from(offset).map_err(io::Error::other)?;
            let there = bytes
                .get(start..start + buffer.len())
                .ok_or(io::ErrorKind::UnexpectedEof)?;
            buffer.copy_from_slice(there);
            Ok(())
        })
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.with(|all| all.extend_from_slice(bytes));
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        let length = usize::try_from(length).map_err(io::Error::other)?;
        self.with(|bytes| bytes.truncate(length));
        Ok(())
    }
}

/// A holder that is opened again on its journal when its health tests stop it.
struct Holder {
    name: &'static str,
    journal: Memory,
    inner: FileHolder<Seeded>,
    seed: u64,
    stretch: u64,
    alarms: u64,
}

impl Holder {
    fn open(name: &'static str, seed: u64, stretch: u64) -> Result<Self> {
        let journal = Memory::default();
        let inner = Self::holder(name, &journal, seed, stretch, 0)?;
        Ok(Self {
            name,
            journal,
            inner,
            seed,
            stretch,
            alarms: 0,
        })
    }

    fn holder(
        name: &str,
        journal: &Memory,
        seed: u64,
        stretch: u64,
        opening: u64,
    ) -> Result<FileHolder<Seeded>> {
        let source = Seeded(stream(seed, &format!("holder {name} {opening}"), stretch));
        Ok(FileHolder::open_on(
            Box::new(journal.clone()),
            HOUSE,
            name,
            source,
        )?)
    }

    fn commit(&mut self, draw: u64) -> Result<[u8; 32]> {
        loop {
            match self.inner.commit(draw) {
                Ok(commitment) => return Ok(commitment),
                Err(HolderFault::Entropy(_)) => {
                    self.alarms += 1;
                    ensure!(self.alarms < 100, "the seeded source is ill");
                    self.inner = Self::holder(
                        self.name,
                        &self.journal,
                        self.seed,
                        self.stretch,
                        self.alarms,
                    )?;
                }
                Err(fault) => return Err(fault.into()),
            }
        }
    }
}

/// The draws of one stretch.
fn stretch(seed: u64, number: u64, count: u64, pool: u8, drawn: u8) -> Result<(Vec<u8>, u64)> {
    let mut holders = Vec::new();
    for name in HOLDERS {
        holders.push(Holder::open(name, seed, number)?);
    }
    let mut machine = RngMachine::open_on(Box::new(Memory::default()), HOUSE)?;
    let mut log = Edge::new();
    let mut facts = stream(seed, "facts", number);
    let mut fact = || {
        let mut hash = [0; 32];
        facts.fill_bytes(&mut hash);
        hash
    };
    let rule_book_hash = fact();
    let mut balls = Vec::with_capacity(usize::try_from(count)? * usize::from(drawn));
    for draw in number * STRETCH + 1..=number * STRETCH + count {
        let mut commitments = Vec::new();
        for holder in &mut holders {
            let commitment = holder.commit(draw)?;
            log.append(commitment);
            commitments.push(commitment);
        }
        for _ in 0..LEAVES_BETWEEN {
            log.append(fact());
        }
        let seal = Seal {
            size: log.size(),
            root: log.root(),
        };
        let mut records = Vec::new();
        for (holder, commitment) in holders.iter_mut().zip(commitments) {
            records.push(HolderRecord {
                name: holder.name.to_owned(),
                commitment,
                secret: holder.inner.reveal(draw, &seal)?,
                beacon: String::new(),
            });
        }
        let context = DrawContext {
            house: HOUSE.to_owned(),
            draw,
            log_size: seal.size,
            seal_root: seal.root,
            rule_book_hash,
            pool_size: pool,
            drawn,
        };
        let order = DrawOrder::within(context.clone(), records.clone());
        let collected = collect(&mut machine, &order)?;
        ensure!(
            collected.end == DrawEvent::Complete,
            "draw {draw} did not complete"
        );
        let transcript = Transcript::compute(context, records)?;
        ensure!(
            transcript.balls == collected.balls,
            "draw {draw} is not that of its transcript"
        );
        balls.extend_from_slice(&collected.balls);
    }
    Ok((balls, holders.iter().map(|holder| holder.alarms).sum()))
}

/// Makes `count` draws on `threads` threads; the same for the same seed, whatever the threads.
///
/// # Errors
/// What the path of a draw refuses.
pub fn make(seed: u64, count: u64, threads: u64, pool: u8, drawn: u8) -> Result<Made> {
    let stretches = count.div_ceil(STRETCH);
    let threads = threads.clamp(1, stretches.max(1));
    let parts: Vec<Result<Vec<_>>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || {
                    (0..stretches)
                        .filter(|number| number % threads == thread)
                        .map(|number| {
                            let here = STRETCH.min(count - number * STRETCH);
                            Ok((number, stretch(seed, number, here, pool, drawn)?))
                        })
                        .collect()
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| {
                worker
                    .join()
                    .unwrap_or_else(|_| anyhow::bail!("a thread ended"))
            })
            .collect()
    });
    let mut all = Vec::new();
    for part in parts {
        all.extend(part.context("a draw failed")?);
    }
    all.sort_by_key(|(number, _)| *number);
    let mut balls = Vec::new();
    let mut alarms = 0;
    for (_, (part, part_alarms)) in all {
        balls.extend(part);
        alarms += part_alarms;
    }
    Ok(Made {
        draws: Draws { pool, drawn, balls },
        alarms,
    })
}

//! Entropy and its health: no secret is made from a source that looks ill.
//!
//! The tests are those of NIST SP 800-90B §4.4 on bytes, for a source that claims full entropy
//! (H = 8 bits a byte) at a false alarm rate of 2^-40: **repetition count**, cut-off
//! 1 + ⌈40/8⌉ = 6 equal bytes in a row; **adaptive proportion**, cut-off 19 occurrences of the
//! first byte of a window within its 512 bytes. A start-up test runs both over 1,024 bytes
//! which are thrown away. Besides, no 32-byte block may ever come twice (only its hash is
//! remembered), and a source that leaves the end of the buffer as it was is caught.
//!
//! An alarm stops new commitments until people have looked, so a sound source must practically
//! never raise one: with these cut-offs one start in about a thousand million does. (At 2^-20,
//! cut-offs 4 and 13, it was one start in 16,000, and a source that is stuck is found two bytes
//! earlier: nothing of it is given out either way.) A draw already committed to is never stopped.
//!
//! These tests find broken sources. They cannot find a clever one: that is what commitments,
//! seal and a second holder are for. There is no fallback generator: a source that failed once
//! stays out of service until someone has looked and started the program again.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};
use zeroize::Zeroize;

/// Bytes read and thrown away by the start-up test. SP 800-90B asks for 1,024 at least.
pub const START_UP_BYTES: usize = 1_024;
/// Equal bytes in a row that fail the repetition count test (H = 8).
pub const REPETITION_CUTOFF: u32 = 6;
/// Bytes in a window of the adaptive proportion test.
pub const PROPORTION_WINDOW: u32 = 512;
/// Occurrences of a window's first byte that fail the adaptive proportion test (H = 8).
pub const PROPORTION_CUTOFF: u32 = 19;
/// Size of the blocks that must never come twice.
const BLOCK_BYTES: usize = 32;
/// What the buffer holds before each attempt to see whether the source writes to its end. The
/// first is the real request, the others only probe.
const PREFILLS: [u8; 5] = [0xA5, 0x5A, 0xC3, 0x3C, 0x96];

/// Why entropy was refused. Closed and ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
pub enum EntropyFault {
    /// The source could not be read.
    #[error("the entropy source cannot be read")]
    Unavailable,
    /// The source gave fewer bytes than asked.
    #[error("the entropy source gave fewer bytes than asked")]
    ShortRead,
    /// The same byte came too often in a row: stuck.
    #[error("the entropy source repeats one byte")]
    RepetitionCount,
    /// One byte came too often in a window: biased.
    #[error("the entropy source favours one byte")]
    AdaptiveProportion,
    /// A block of 32 bytes came a second time: replayed.
    #[error("the entropy source gave the same block twice")]
    RepeatedBlock,
}

impl EntropyFault {
    /// Stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unavailable => "unavailable",
            Self::ShortRead => "short_read",
            Self::RepetitionCount => "repetition_count",
            Self::AdaptiveProportion => "adaptive_proportion",
            Self::RepeatedBlock => "repeated_block",
        }
    }
}

/// Something that gives unpredictable bytes.
pub trait EntropySource {
    /// Fills the whole of `buffer`.
    ///
    /// # Errors
    /// [`EntropyFault`]; the content of `buffer` is then of no use.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), EntropyFault>;
}

/// The operating system's generator. It keeps no state in the process, so that neither a fork
/// nor a resumed snapshot of a virtual machine shares a stream through us.
#[derive(Debug, Default, Clone, Copy)]
pub struct OsEntropy;

impl EntropySource for OsEntropy {
    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), EntropyFault> {
        getrandom::fill(buffer).map_err(|_| EntropyFault::Unavailable)
    }
}

/// Whether a source may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    /// The start-up test has not run yet.
    NotStarted,
    /// All tests passed so far.
    Healthy,
    /// A test failed; nothing is given any more.
    OutOfService(EntropyFault),
}

/// A source behind its health tests.
pub struct HealthChecked<S> {
    source: S,
    health: Health,
    repetition: RepetitionCount,
    proportion: AdaptiveProportion,
    blocks_seen: BTreeSet<[u8; 32]>,
}

impl<S> std::fmt::Debug for HealthChecked<S> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Not the tests' state: it holds a byte of what was given out.
        formatter
            .debug_struct("HealthChecked")
            .field("health", &self.health)
            .finish_non_exhaustive()
    }
}

impl<S: EntropySource> HealthChecked<S> {
    /// Puts `source` behind the tests. The start-up test runs with the first request, or by
    /// [`Self::start_up`].
    pub fn new(source: S) -> Self {
        Self {
            source,
            health: Health::NotStarted,
            repetition: RepetitionCount::default(),
            proportion: AdaptiveProportion::default(),
            blocks_seen: BTreeSet::new(),
        }
    }

    /// Whether the source may be used.
    pub fn health(&self) -> Health {
        self.health
    }

    /// Remembers a block that was given out before this program started, so that it is
    /// refused if it comes again. Only its hash is kept.
    pub fn remember(&mut self, block: &[u8; BLOCK_BYTES]) {
        self.blocks_seen.insert(Sha256::digest(block).into());
    }

    /// Runs the start-up test, once; afterwards tells whether the source is in service.
    ///
    /// # Errors
    /// The fault that put the source out of service.
    pub fn start_up(&mut self) -> Result<(), EntropyFault> {
        match self.health {
            Health::Healthy => Ok(()),
            Health::OutOfService(fault) => Err(fault),
            Health::NotStarted => {
                self.health = Health::Healthy;
                let mut thrown_away = [0u8; BLOCK_BYTES];
                for _ in 0..START_UP_BYTES / BLOCK_BYTES {
                    let read = self.read(&mut thrown_away);
                    thrown_away.zeroize();
                    self.settle(read)?;
                }
                Ok(())
            }
        }
    }

    /// One request and its tests.
    fn read(&mut self, buffer: &mut [u8]) -> Result<(), EntropyFault> {
        let [first, probes @ ..] = PREFILLS;
        buffer.fill(first);
        self.source.fill(buffer)?;
        if buffer.last() == Some(&first) && self.leaves_the_end(buffer.len(), &probes)? {
            return Err(EntropyFault::ShortRead);
        }
        for byte in buffer.iter().copied() {
            self.repetition.feed(byte)?;
            self.proportion.feed(byte)?;
        }
        for block in buffer.chunks_exact(BLOCK_BYTES) {
            if !self.blocks_seen.insert(Sha256::digest(block).into()) {
                return Err(EntropyFault::RepeatedBlock);
            }
        }
        Ok(())
    }

    /// Asks again over other fillings: true if the last byte is each time the filling. The
    /// answers are thrown away and the first one is kept, so that the probe cannot bias it.
    fn leaves_the_end(&mut self, length: usize, fillings: &[u8]) -> Result<bool, EntropyFault> {
        let mut probe = zeroize::Zeroizing::new(vec![0u8; length]);
        for filling in fillings {
            probe.fill(*filling);
            self.source.fill(&mut probe)?;
            if probe.last() != Some(filling) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn settle(&mut self, read: Result<(), EntropyFault>) -> Result<(), EntropyFault> {
        if let Err(fault) = read {
            self.health = Health::OutOfService(fault);
        }
        read
    }
}

impl<S: EntropySource> EntropySource for HealthChecked<S> {
    /// Fills `buffer` if the source is healthy and stays so; otherwise wipes it.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), EntropyFault> {
        let outcome = match self.start_up() {
            Ok(()) => {
                let read = self.read(buffer);
                self.settle(read)
            }
            Err(fault) => Err(fault),
        };
        if outcome.is_err() {
            buffer.zeroize();
        }
        outcome
    }
}

impl EntropySource for Box<dyn EntropySource + Send> {
    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), EntropyFault> {
        self.as_mut().fill(buffer)
    }
}

/// SP 800-90B §4.4.1.
#[derive(Default)]
struct RepetitionCount {
    last: Option<u8>,
    run: u32,
}

impl RepetitionCount {
    fn feed(&mut self, byte: u8) -> Result<(), EntropyFault> {
        self.run = if self.last == Some(byte) {
            self.run.saturating_add(1)
        } else {
            1
        };
        self.last = Some(byte);
        if self.run >= REPETITION_CUTOFF {
            return Err(EntropyFault::RepetitionCount);
        }
        Ok(())
    }
}

/// SP 800-90B §4.4.2.
#[derive(Default)]
struct AdaptiveProportion {
    first: u8,
    seen: u32,
    equal: u32,
}

impl AdaptiveProportion {
    fn feed(&mut self, byte: u8) -> Result<(), EntropyFault> {
        if self.seen == 0 {
            self.first = byte;
            self.equal = 0;
        }
        if byte == self.first {
            self.equal += 1;
        }
        self.seen = (self.seen + 1) % PROPORTION_WINDOW;
        if self.equal >= PROPORTION_CUTOFF {
            return Err(EntropyFault::AdaptiveProportion);
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "health_tests.rs"]
pub(crate) mod tests;

//! Holders of secrets: commit before the first wager, reveal after the seal, once and for all.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;

use zeroize::Zeroizing;

use crate::bytes::{Fields, put, put_u64};
use crate::expand::commitment;
use crate::health::{EntropyFault, EntropySource, Health, HealthChecked};
use crate::journal::{Journal, JournalFault, Place};
use crate::medium::{FileMedium, Medium, TwinMedium};

/// Name of the journal in a holder's folder.
pub const HOLDER_JOURNAL: &str = "secrets.journal";
/// First field of the record that says whose journal it is.
const HOLDER_TAG: &str = "boulier/holder/v1";

const RECORD_SECRET: u8 = 1;
const RECORD_SEAL: u8 = 2;
const RECORD_VOID: u8 = 3;
/// What an earlier version wrote of a secret that came back from escrow, and of one given into it.
/// These numbers are used for nothing else.
const RETIRED: [u8; 2] = [4, 5];

/// Size and root of the game log just after the leaf that closed a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seal {
    /// Leaves in the log.
    pub size: u64,
    /// Root of the log at that size.
    pub root: [u8; 32],
}

impl Seal {
    /// True for a seal that seals nothing: no leaves, or no root.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        self.size == 0 || self.root == [0; 32]
    }
}

/// What proves a seal to a program that knows nothing of the log but who signs it. Empty where
/// holder and machine are parts of central itself, which knows its own log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SealProof {
    /// The checkpoint of the seal's size and root, signed by the log (C2SP signed note).
    pub checkpoint: String,
    /// The leaf that closed the draw: the last of that size.
    pub leaf: Vec<u8>,
    /// Its inclusion proof (RFC 6962, 2.1.1).
    pub path: Vec<[u8; 32]>,
}

/// The secret of a draw.
#[derive(Clone, PartialEq, Eq)]
pub struct Revealed {
    /// The secret.
    pub secret: [u8; 32],
    /// The signature line by which a host of its own says that it gave this secret for this seal
    /// (C2SP signed note); empty from a holder within central.
    pub signature: String,
}

impl fmt::Debug for Revealed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Revealed(..)")
    }
}

/// Why a holder does not answer. Closed.
#[derive(Debug, thiserror::Error)]
pub enum HolderFault {
    /// The seal seals nothing.
    #[error("draw {draw} carries no seal")]
    SealMissing {
        /// The draw.
        draw: u64,
    },
    /// The holder never committed to this draw.
    #[error("nothing was committed to for draw {draw}")]
    DrawUnknown {
        /// The draw.
        draw: u64,
    },
    /// The secret was published because the draw is void: no seal can be answered any more.
    #[error("draw {draw} is void")]
    DrawVoid {
        /// The draw.
        draw: u64,
    },
    /// The draw has another seal already. This stays so forever.
    #[error("draw {draw} already has another seal")]
    SecondSeal {
        /// The draw.
        draw: u64,
    },
    /// The seal is the one of another draw.
    #[error("the seal given for draw {draw} is the seal of draw {other}")]
    SealOfAnotherDraw {
        /// The draw asked for.
        draw: u64,
        /// The draw that the seal was given for before.
        other: u64,
    },
    /// No healthy entropy: no new commitment. Earlier ones still hold.
    #[error("no secret can be made")]
    Entropy(#[from] EntropyFault),
    /// The journal cannot be used.
    #[error("the holder's journal cannot be used")]
    Journal(#[from] JournalFault),
    /// The holder's host cannot be reached, or does not speak as it should.
    #[error("the holder's host does not answer: {0}")]
    Away(String),
    /// A public beacon's round is not to be had, or not yet.
    #[error("{0}")]
    NotGiven(String),
    /// The holder's host refused.
    #[error("the holder's host refuses ({name}): {words}")]
    ByHost {
        /// The stable name of its refusal.
        name: String,
        /// Its words.
        words: String,
    },
}

impl HolderFault {
    /// Stable name; that of the cause for entropy and journal.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::SealMissing { .. } => "seal_missing",
            Self::DrawUnknown { .. } => "draw_unknown",
            Self::DrawVoid { .. } => "draw_void",
            Self::SecondSeal { .. } => "second_seal",
            Self::SealOfAnotherDraw { .. } => "seal_of_another_draw",
            Self::Entropy(fault) => fault.name(),
            Self::Journal(fault) => fault.name(),
            Self::Away(_) => "host_away",
            Self::NotGiven(_) => "round_not_given",
            Self::ByHost { .. } => "refused_by_host",
        }
    }

    /// True when asking again later may succeed without anybody's help: a host that was away. A
    /// refusal stands, and an ill source or journal waits for a person.
    #[must_use]
    pub fn may_be_tried_again(&self) -> bool {
        match self {
            Self::Away(_) | Self::NotGiven(_) => true,
            Self::ByHost { .. }
            | Self::SealMissing { .. }
            | Self::DrawUnknown { .. }
            | Self::DrawVoid { .. }
            | Self::SecondSeal { .. }
            | Self::SealOfAnotherDraw { .. }
            | Self::Entropy(_)
            | Self::Journal(_) => false,
        }
    }
}

/// Someone who holds a secret of each draw.
pub trait SecretHolder: Send {
    /// The holder's name, as in the log.
    fn name(&self) -> &str;

    /// The key of its host, in the text form of C2SP signed notes; empty within central.
    fn host(&self) -> String {
        String::new()
    }

    /// The commitment for `draw`. Asked again, the same.
    ///
    /// # Errors
    /// [`HolderFault::Entropy`] or [`HolderFault::Journal`].
    fn commit(&mut self, draw: u64) -> Result<[u8; 32], HolderFault>;

    /// The secret of `draw`, once its sales are sealed. Asked again with the same seal, the
    /// same; with another seal, refused forever. A holder on a host of its own asks for the proof.
    ///
    /// # Errors
    /// [`HolderFault`].
    fn reveal(
        &mut self,
        draw: u64,
        seal: &Seal,
        proof: &SealProof,
    ) -> Result<Revealed, HolderFault>;

    /// The secret of a draw that is void, for publication. No seal of that draw is answered
    /// afterwards, unless it was answered before.
    ///
    /// # Errors
    /// [`HolderFault::DrawUnknown`] or [`HolderFault::Journal`].
    fn publish_void(&mut self, draw: u64) -> Result<[u8; 32], HolderFault>;
}

/// What the holder remembers of a draw. The secret itself stays in the journal.
struct Held {
    commitment: [u8; 32],
    secret_place: Place,
    seal: Option<Seal>,
    void: bool,
}

/// A holder with a journal of its own in a folder of its own.
///
/// A secret leaves the memory as soon as it is journalled, and is read again when it may be
/// revealed.
pub struct FileHolder<S> {
    house: String,
    name: String,
    source: HealthChecked<S>,
    journal: Journal,
    draws: BTreeMap<u64, Held>,
    /// Each root that was answered, with its draw.
    seals: BTreeMap<[u8; 32], u64>,
}

impl<S> fmt::Debug for FileHolder<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("FileHolder")
            .field("house", &self.house)
            .field("name", &self.name)
            .field("draws", &self.draws.len())
            .finish_non_exhaustive()
    }
}

/// Whose journal it is.
fn subject(house: &str, name: &str) -> Vec<u8> {
    let mut subject = Vec::new();
    put(&mut subject, HOLDER_TAG.as_bytes());
    put(&mut subject, house.as_bytes());
    put(&mut subject, name.as_bytes());
    subject
}

impl<S: EntropySource + Send> FileHolder<S> {
    /// Opens the holder's journal in `folder` (made if missing, mode 0700) for this house and
    /// name. Every secret will come from `source`, behind the health tests.
    ///
    /// # Errors
    /// [`JournalFault`]: a damaged journal, or one of another holder, refuses to start.
    pub fn open(folder: &Path, house: &str, name: &str, source: S) -> Result<Self, JournalFault> {
        let medium = FileMedium::open(folder, HOLDER_JOURNAL)?;
        Self::open_on(Box::new(medium), house, name, source)
    }

    /// As [`Self::open`], with the journal in two folders, which should be on two disks or hosts: a
    /// commitment is given once its secret is in both.
    ///
    /// # Errors
    /// As [`Self::open`], of either copy; and [`JournalFault::Io`] when they contradict each other.
    pub fn open_twice(
        folders: [&Path; 2],
        house: &str,
        name: &str,
        source: S,
    ) -> Result<Self, JournalFault> {
        let medium = |folder: &Path| FileMedium::open(folder, HOLDER_JOURNAL);
        for folder in folders {
            // Each drops what a power cut left torn at its end, which says nothing of the other.
            Journal::open(Box::new(medium(folder)?), &subject(house, name))?;
        }
        let [first, second] = folders;
        let twin = TwinMedium::open(Box::new(medium(first)?), Box::new(medium(second)?))?;
        Self::open_on(Box::new(twin), house, name, source)
    }

    /// Opens the holder's journal on any medium.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_on(
        medium: Box<dyn Medium>,
        house: &str,
        name: &str,
        source: S,
    ) -> Result<Self, JournalFault> {
        let (journal, records) = Journal::open(medium, &subject(house, name))?;
        let mut holder = Self {
            house: house.to_owned(),
            name: name.to_owned(),
            source: HealthChecked::new(source),
            journal,
            draws: BTreeMap::new(),
            seals: BTreeMap::new(),
        };
        for (index, (place, payload)) in records.iter().enumerate() {
            let record = index + 1;
            if Fields::new(payload)
                .take_u8()
                .is_some_and(|kind| RETIRED.contains(&kind))
            {
                return Err(JournalFault::InEscrow { record });
            }
            holder
                .replay(*place, payload)
                .ok_or(JournalFault::Contradiction { record })?;
        }
        Ok(holder)
    }

    /// How many draws are on record.
    #[must_use]
    pub fn draws_on_record(&self) -> u64 {
        self.draws.len() as u64
    }

    /// Whether new secrets can be made; runs the start-up test if it has not run yet.
    pub fn health(&mut self) -> Health {
        // The outcome is the state itself.
        let _ = self.source.start_up();
        self.source.health()
    }

    /// The secret of `draw`, once its sales are sealed; see [`SecretHolder::reveal`].
    ///
    /// # Errors
    /// [`HolderFault`].
    pub fn reveal(&mut self, draw: u64, seal: &Seal) -> Result<[u8; 32], HolderFault> {
        if seal.is_missing() {
            return Err(HolderFault::SealMissing { draw });
        }
        let Some(held) = self.draws.get_mut(&draw) else {
            return Err(HolderFault::DrawUnknown { draw });
        };
        match held.seal {
            Some(known) if known == *seal => {}
            Some(_) => return Err(HolderFault::SecondSeal { draw }),
            None if held.void => return Err(HolderFault::DrawVoid { draw }),
            None => {
                if let Some(other) = self.seals.get(&seal.root).copied() {
                    return Err(HolderFault::SealOfAnotherDraw { draw, other });
                }
                let mut record = Vec::new();
                put(&mut record, &[RECORD_SEAL]);
                put_u64(&mut record, draw);
                put_u64(&mut record, seal.size);
                put(&mut record, &seal.root);
                self.journal.append(&record)?;
                held.seal = Some(*seal);
                self.seals.insert(seal.root, draw);
            }
        }
        self.secret(draw)
    }

    /// Takes up a record of an earlier run; `None` if it cannot follow those before it.
    fn replay(&mut self, place: Place, payload: &[u8]) -> Option<()> {
        let mut fields = Fields::new(payload);
        let kind = fields.take_u8()?;
        let draw = fields.take_u64()?;
        match kind {
            RECORD_SECRET => {
                let secret = Zeroizing::new(fields.take_array::<32>()?);
                self.source.remember(&secret);
                let held = Held {
                    commitment: commitment(&self.house, draw, &secret),
                    secret_place: place,
                    seal: None,
                    void: false,
                };
                if self.draws.insert(draw, held).is_some() {
                    return None;
                }
            }
            RECORD_SEAL => {
                let seal = Seal {
                    size: fields.take_u64()?,
                    root: fields.take_array()?,
                };
                let held = self.draws.get_mut(&draw)?;
                if held.seal.is_some() || held.void {
                    return None;
                }
                held.seal = Some(seal);
                self.seals.insert(seal.root, draw);
            }
            RECORD_VOID => {
                let held = self.draws.get_mut(&draw)?;
                if held.void {
                    return None;
                }
                held.void = true;
            }
            _ => return None,
        }
        fields.is_done().then_some(())
    }

    /// The secret of a draw, read from the journal and compared with its commitment.
    fn secret(&mut self, draw: u64) -> Result<[u8; 32], HolderFault> {
        let Some(held) = self.draws.get(&draw) else {
            return Err(HolderFault::DrawUnknown { draw });
        };
        let payload = self.journal.read(held.secret_place)?;
        let mut fields = Fields::new(&payload);
        let found = (fields.take_u8(), fields.take_u64(), fields.take_array());
        match found {
            (Some(RECORD_SECRET), Some(of), Some(secret))
                if of == draw && commitment(&self.house, draw, &secret) == held.commitment =>
            {
                Ok(secret)
            }
            // The bytes changed under a running program.
            _ => Err(JournalFault::Io(io::Error::from(io::ErrorKind::InvalidData)).into()),
        }
    }
}

impl<S: EntropySource + Send> SecretHolder for FileHolder<S> {
    fn name(&self) -> &str {
        &self.name
    }

    fn commit(&mut self, draw: u64) -> Result<[u8; 32], HolderFault> {
        if let Some(held) = self.draws.get(&draw) {
            return Ok(held.commitment);
        }
        let mut secret = Zeroizing::new([0u8; 32]);
        self.source.fill(secret.as_mut_slice())?;
        // Sized so that the vector never moves and leaves no copy of the secret behind.
        let mut record = Zeroizing::new(Vec::with_capacity(64));
        put(&mut record, &[RECORD_SECRET]);
        put_u64(&mut record, draw);
        put(&mut record, secret.as_slice());
        let secret_place = self.journal.append(&record)?;
        let commitment = commitment(&self.house, draw, &secret);
        self.draws.insert(
            draw,
            Held {
                commitment,
                secret_place,
                seal: None,
                void: false,
            },
        );
        Ok(commitment)
    }

    fn reveal(
        &mut self,
        draw: u64,
        seal: &Seal,
        _proof: &SealProof,
    ) -> Result<Revealed, HolderFault> {
        Ok(Revealed {
            secret: FileHolder::reveal(self, draw, seal)?,
            signature: String::new(),
        })
    }

    fn publish_void(&mut self, draw: u64) -> Result<[u8; 32], HolderFault> {
        let Some(held) = self.draws.get_mut(&draw) else {
            return Err(HolderFault::DrawUnknown { draw });
        };
        if !held.void {
            let mut record = Vec::new();
            put(&mut record, &[RECORD_VOID]);
            put_u64(&mut record, draw);
            self.journal.append(&record)?;
            held.void = true;
        }
        self.secret(draw)
    }
}

#[cfg(test)]
#[path = "holder_tests.rs"]
mod tests;

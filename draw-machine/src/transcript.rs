//! What is published of a draw, so that a stranger can recompute it. Pure.

use std::collections::BTreeSet;
use std::fmt;

use keno_log::beacon::QUICKNET;
use keno_words::{Say as _, transcript};
use sha2::{Digest, Sha256};

use crate::bytes::{Fields, put, put_u64};
use crate::context::put_context;
use crate::expand::{balls, beacon_commitment, commitment};

use crate::context::DrawContext;

/// First field of an encoded transcript.
pub const TRANSCRIPT_TAG: &str = "boulier/transcript/v1";

/// A holder with the commitment that was published and the secret that it bound.
///
/// `Debug` never prints the secret: a record exists for a moment before it is published.
#[derive(Clone, PartialEq, Eq)]
pub struct HolderRecord {
    /// Name of the holder. It is a label: the leaf that carries the commitment says whose it is.
    pub name: String,
    /// What the holder published before the first wager.
    pub commitment: [u8; 32],
    /// What the holder revealed after the seal.
    pub secret: [u8; 32],
    /// The text of the public beacon whose round the secret is; empty for who chose it.
    pub beacon: String,
}

impl HolderRecord {
    /// What the holder had to publish before the first wager, as far as its secret says.
    #[must_use]
    pub fn bound(&self, house: &str, draw: u64) -> [u8; 32] {
        if self.beacon.is_empty() {
            commitment(house, draw, &self.secret)
        } else {
            beacon_commitment(house, draw, &self.beacon)
        }
    }
}

impl fmt::Debug for HolderRecord {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("HolderRecord")
            .field("name", &self.name)
            .field("commitment", &hex::encode(self.commitment))
            .finish_non_exhaustive()
    }
}

/// A host of the draw, with what it signed. Both are empty for what is within central.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostRecord {
    /// Its key as the log named it before the first wager (C2SP signed note, `name+id+base64`).
    pub key: String,
    /// Its signature line (`LINE.md`).
    pub signature: String,
}

/// The beacon that a key is the text of; empty for the key of a host. No key of a host has a blank.
#[must_use]
pub fn beacon_in(key: &str) -> &str {
    if key.contains(' ') { key } else { "" }
}

/// A draw as it is published: what went in, what came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// What defines the draw.
    pub ctx: DrawContext,
    /// Holders in the order of the derivation.
    pub holders: Vec<HolderRecord>,
    /// Balls in the order drawn.
    pub balls: Vec<u8>,
    /// Words taken from the keystream, rejected ones included.
    pub words_used: u64,
    /// Words rejected.
    pub rejected: u64,
    /// The machine's host and that of each holder in their order; none where all is within central.
    pub hosts: Vec<HostRecord>,
}

/// Why a transcript does not hold. Closed; the order is the order of the checks, and the first
/// that fails is the one reported.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum TranscriptFault {
    /// No ball is drawn, or more than the pool holds.
    #[error("{drawn} balls cannot be drawn from a pool of {pool_size}")]
    PoolInvalid {
        /// Balls in the pool.
        pool_size: u8,
        /// Balls to draw.
        drawn: u8,
    },
    /// The log size is zero: nothing was sealed.
    #[error("the draw carries no seal")]
    SealMissing,
    /// Nobody holds a secret.
    #[error("no holder of a secret is named")]
    HolderMissing,
    /// A holder without a name, or two of the same name.
    #[error("holder {name:?} is unnamed or named twice")]
    HolderRepeated {
        /// The name.
        name: String,
    },
    /// A holder's secret is another holder's too: they are not two.
    #[error("holder {name:?} has the secret of another holder")]
    SecretRepeated {
        /// The later holder.
        name: String,
    },
    /// The revealed secret is not the one committed to.
    #[error("the secret of holder {name:?} does not match its commitment")]
    CommitmentMismatch {
        /// The holder.
        name: String,
    },
    /// Too few balls or too many.
    #[error("{found} balls are listed instead of {expected}")]
    BallCount {
        /// Balls to draw.
        expected: u8,
        /// Balls listed.
        found: usize,
    },
    /// A ball that the pool does not hold.
    #[error("ball {number} at place {position} is not in the pool")]
    BallOutOfPool {
        /// Place in the order, from 1.
        position: usize,
        /// The ball.
        number: u8,
    },
    /// A ball listed twice.
    #[error("ball {number} is listed again at place {position}")]
    BallRepeated {
        /// Place of the second, from 1.
        position: usize,
        /// The ball.
        number: u8,
    },
    /// Secrets and seal give another ball.
    #[error("place {position} holds ball {found} where secrets and seal give {expected}")]
    BallDiffers {
        /// Place in the order, from 1.
        position: usize,
        /// Ball recomputed.
        expected: u8,
        /// Ball listed.
        found: u8,
    },
    /// The number of words used is not the one recomputed.
    #[error("{found} words are declared used where the computation used {expected}")]
    WordsUsedDiffer {
        /// Recomputed.
        expected: u64,
        /// Declared.
        found: u64,
    },
    /// The number of rejected words is not the one recomputed.
    #[error("{found} words are declared rejected where the computation rejected {expected}")]
    RejectedDiffer {
        /// Recomputed.
        expected: u64,
        /// Declared.
        found: u64,
    },
}

impl TranscriptFault {
    /// Stable name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::PoolInvalid { .. } => "pool_invalid",
            Self::SealMissing => "seal_missing",
            Self::HolderMissing => "holder_missing",
            Self::HolderRepeated { .. } => "holder_repeated",
            Self::SecretRepeated { .. } => "secret_repeated",
            Self::CommitmentMismatch { .. } => "commitment_mismatch",
            Self::BallCount { .. } => "ball_count",
            Self::BallOutOfPool { .. } => "ball_out_of_pool",
            Self::BallRepeated { .. } => "ball_repeated",
            Self::BallDiffers { .. } => "ball_differs",
            Self::WordsUsedDiffer { .. } => "words_used_differ",
            Self::RejectedDiffer { .. } => "rejected_differ",
        }
    }
}

/// The name in a key: of a host, or of a public beacon; none for what is within central.
#[must_use]
pub fn host_name(key: &str) -> Option<&str> {
    let name = match beacon_in(key) {
        "" => key.split('+').next(),
        beacon => beacon.split(' ').nth(1),
    };
    name.filter(|name| !name.is_empty())
}

/// What the draw proves, which depends on who holds its secrets. Holders that are folders of the machine
/// that draws are one as far as whoever controls that machine goes, and no transcript says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assurance {
    /// One holder: the house could combine the roles.
    OneHolder,
    /// Several holders, all of them on the machine that drew: whoever controls it has every secret.
    OneHost,
    /// Several holders and the machine, each with a host of its own by its key.
    NamedHosts,
    /// Several holders, one of them a beacon that this program knows to be public, whose round came after
    /// the close: nobody had every secret before.
    PublicRound,
    /// Several holders, one of them a beacon that this program does not know: the house may run it.
    UnknownRound,
}

impl Assurance {
    /// What a draw with so many holders proves, whose hosts have these keys, machine first.
    #[must_use]
    pub fn of<'a>(holders: usize, keys: impl IntoIterator<Item = &'a str>) -> Self {
        let keys: Vec<&str> = keys.into_iter().collect();
        // The key itself, whatever name is before it: base64, which may have plus signs of its own.
        let itself = |key: &&'a str| key.splitn(3, '+').nth(2);
        let distinct: BTreeSet<&str> = keys.iter().filter_map(itself).collect();
        if holders <= 1 {
            Self::OneHolder
        } else if keys.contains(&QUICKNET) {
            Self::PublicRound
        } else if keys.iter().any(|key| !beacon_in(key).is_empty()) {
            Self::UnknownRound
        } else if distinct.len() == holders + 1 && keys.len() == holders + 1 {
            Self::NamedHosts
        } else {
            Self::OneHost
        }
    }

    /// Stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OneHolder => "one_holder",
            Self::OneHost => "one_host",
            Self::NamedHosts => "named_hosts",
            Self::PublicRound => "public_round",
            Self::UnknownRound => "unknown_round",
        }
    }

    /// The sentence printed on every transcript, in French.
    #[must_use]
    pub fn sentence_fr(self) -> String {
        let sentence = match self {
            Self::OneHolder => {
                "Une seule partie détenait le secret de ce tirage : ce relevé suppose que la \
                 maison n'a pas permis à qui connaissait le secret d'inscrire des mises."
            }
            Self::OneHost => {
                "Tous les secrets de ce tirage étaient sur une même machine, celle qui a tiré les \
                 boules : qui en disposait les avait tous. Ce relevé suppose que la maison n'a \
                 pas permis à cette personne d'inscrire des mises."
            }
            Self::PublicRound => return transcript::PublicRound.fr(),
            Self::UnknownRound => return transcript::UnknownRound.fr(),
            Self::NamedHosts => {
                "Chaque secret de ce tirage était sur son propre hôte, à part du central et de celui \
                 qui a tiré les boules ; le registre nommait leurs clés avant la première mise, et \
                 chacun a signé. Ce relevé suppose que ces hôtes sont bien séparés et que personne \
                 n'en disposait de tous en pouvant inscrire des mises."
            }
        };
        sentence.to_owned()
    }

    /// The sentence printed on every transcript, in English.
    #[must_use]
    pub fn sentence_en(self) -> String {
        let sentence = match self {
            Self::OneHolder => {
                "One party alone held the secret of this draw: this transcript trusts the house \
                 not to have let anyone who knew the secret enter wagers."
            }
            Self::OneHost => {
                "All the secrets of this draw were on one machine, the one that drew the balls: \
                 whoever controlled it had them all. This transcript trusts the house not to have \
                 let that person enter wagers."
            }
            Self::PublicRound => return transcript::PublicRound.en(),
            Self::UnknownRound => return transcript::UnknownRound.en(),
            Self::NamedHosts => {
                "Each secret of this draw was on a host of its own, apart from central and from the \
                 one that drew the balls; the log named their keys before the first wager, and each \
                 has signed. This transcript trusts the house that these hosts are apart, and that \
                 nobody who controlled all of them could enter wagers."
            }
        };
        sentence.to_owned()
    }
}

/// Checks what must hold before a ball may be computed: pool, seal, holders, commitments.
///
/// # Errors
/// The first [`TranscriptFault`] in the order of the enum.
pub fn check_inputs(
    context: &DrawContext,
    holders: &[HolderRecord],
) -> Result<(), TranscriptFault> {
    check_context(context)?;
    if holders.is_empty() {
        return Err(TranscriptFault::HolderMissing);
    }
    let mut names = BTreeSet::new();
    let mut secrets = BTreeSet::new();
    for holder in holders {
        if holder.name.is_empty() || !names.insert(&holder.name) {
            return Err(TranscriptFault::HolderRepeated {
                name: holder.name.clone(),
            });
        }
    }
    for holder in holders {
        if !secrets.insert(&holder.secret) {
            return Err(TranscriptFault::SecretRepeated {
                name: holder.name.clone(),
            });
        }
    }
    for holder in holders {
        if holder.bound(&context.house, context.draw) != holder.commitment {
            return Err(TranscriptFault::CommitmentMismatch {
                name: holder.name.clone(),
            });
        }
    }
    Ok(())
}

/// Checks pool and seal of a context, which every kind of machine needs.
///
/// # Errors
/// [`TranscriptFault::PoolInvalid`] or [`TranscriptFault::SealMissing`].
pub fn check_context(context: &DrawContext) -> Result<(), TranscriptFault> {
    if context.drawn == 0 || context.drawn > context.pool_size {
        return Err(TranscriptFault::PoolInvalid {
            pool_size: context.pool_size,
            drawn: context.drawn,
        });
    }
    if context.log_size == 0 || context.seal_root == [0; 32] {
        return Err(TranscriptFault::SealMissing);
    }
    Ok(())
}

/// Checks that `balls` are as many as asked, in the pool and distinct.
///
/// # Errors
/// [`TranscriptFault::BallCount`], [`TranscriptFault::BallOutOfPool`] or
/// [`TranscriptFault::BallRepeated`].
pub fn check_balls(pool_size: u8, drawn: u8, balls: &[u8]) -> Result<(), TranscriptFault> {
    if balls.len() != usize::from(drawn) {
        return Err(TranscriptFault::BallCount {
            expected: drawn,
            found: balls.len(),
        });
    }
    let mut seen = BTreeSet::new();
    for (place, number) in balls.iter().copied().enumerate() {
        let position = place + 1;
        if number == 0 || number > pool_size {
            return Err(TranscriptFault::BallOutOfPool { position, number });
        }
        if !seen.insert(number) {
            return Err(TranscriptFault::BallRepeated { position, number });
        }
    }
    Ok(())
}

impl Transcript {
    /// The transcript of the draw that `context` and the revealed secrets define.
    ///
    /// # Errors
    /// The fault of the inputs, if they do not allow a draw.
    pub fn compute(
        context: DrawContext,
        holders: Vec<HolderRecord>,
    ) -> Result<Self, TranscriptFault> {
        check_inputs(&context, &holders)?;
        let expansion = balls(&context, &secrets_of(&holders));
        check_balls(context.pool_size, context.drawn, &expansion.balls)?;
        Ok(Self {
            ctx: context,
            holders,
            balls: expansion.balls,
            words_used: expansion.words_used,
            rejected: expansion.rejected,
            hosts: Vec::new(),
        })
    }

    /// Checks the whole: inputs, balls as listed, balls as recomputed.
    ///
    /// It proves that secrets, seal and balls belong together. That the commitments were
    /// published before the first wager, and that the seal is the log's, is for the log to
    /// prove.
    ///
    /// # Errors
    /// The first [`TranscriptFault`] in the order of the enum.
    pub fn check(&self) -> Result<(), TranscriptFault> {
        check_inputs(&self.ctx, &self.holders)?;
        check_balls(self.ctx.pool_size, self.ctx.drawn, &self.balls)?;
        let expansion = balls(&self.ctx, &secrets_of(&self.holders));
        // The recomputed balls may be too few only if the derivation failed.
        check_balls(self.ctx.pool_size, self.ctx.drawn, &expansion.balls)?;
        for (place, (expected, found)) in expansion.balls.iter().zip(&self.balls).enumerate() {
            if expected != found {
                return Err(TranscriptFault::BallDiffers {
                    position: place + 1,
                    expected: *expected,
                    found: *found,
                });
            }
        }
        if self.words_used != expansion.words_used {
            return Err(TranscriptFault::WordsUsedDiffer {
                expected: expansion.words_used,
                found: self.words_used,
            });
        }
        if self.rejected != expansion.rejected {
            return Err(TranscriptFault::RejectedDiffer {
                expected: expansion.rejected,
                found: self.rejected,
            });
        }
        Ok(())
    }

    /// What the draw proves.
    #[must_use]
    pub fn assurance(&self) -> Assurance {
        let keys = self.hosts.iter().map(|host| host.key.as_str());
        Assurance::of(self.holders.len(), keys)
    }

    /// Canonical bytes, in the order of `DRAW.md`: every field length-prefixed.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put(&mut out, TRANSCRIPT_TAG.as_bytes());
        put_context(&mut out, &self.ctx);
        put_u64(&mut out, self.holders.len() as u64);
        for holder in &self.holders {
            put(&mut out, holder.name.as_bytes());
            put(&mut out, &holder.commitment);
            put(&mut out, &holder.secret);
        }
        put(&mut out, &self.balls);
        put_u64(&mut out, self.words_used);
        put_u64(&mut out, self.rejected);
        if !self.hosts.is_empty() {
            put_u64(&mut out, self.hosts.len() as u64);
        }
        for host in &self.hosts {
            put(&mut out, host.key.as_bytes());
            put(&mut out, host.signature.as_bytes());
        }
        out
    }

    /// Reads canonical bytes back; `None` unless they are exactly what [`Self::encode`] gives.
    /// It does not check the draw: see [`Self::check`].
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields::new(bytes);
        if fields.take()? != TRANSCRIPT_TAG.as_bytes() {
            return None;
        }
        let context = DrawContext {
            house: fields.take_text()?,
            draw: fields.take_u64()?,
            log_size: fields.take_u64()?,
            seal_root: fields.take_array()?,
            rule_book_hash: fields.take_array()?,
            pool_size: fields.take_u8()?,
            drawn: fields.take_u8()?,
        };
        let count = fields.take_u64()?;
        let mut holders = Vec::new();
        for _ in 0..count {
            // A count beyond what the bytes hold ends here at the first missing field.
            holders.push(HolderRecord {
                name: fields.take_text()?,
                commitment: fields.take_array()?,
                secret: fields.take_array()?,
                beacon: String::new(),
            });
        }
        let mut transcript = Self {
            ctx: context,
            holders,
            balls: fields.take()?.to_vec(),
            words_used: fields.take_u64()?,
            rejected: fields.take_u64()?,
            hosts: Vec::new(),
        };
        if !fields.is_done() {
            // No host is written as nothing: a count of none has no other spelling.
            let count = fields.take_u64().filter(|count| *count > 0)?;
            for _ in 0..count {
                transcript.hosts.push(HostRecord {
                    key: fields.take_text()?,
                    signature: fields.take_text()?,
                });
            }
        }
        transcript.take_beacons();
        fields.is_done().then_some(transcript)
    }

    /// Says of each holder which beacon it is, as its key does.
    pub(crate) fn take_beacons(&mut self) {
        let keys = self.hosts.iter().skip(1);
        for (holder, host) in self.holders.iter_mut().zip(keys) {
            beacon_in(&host.key).clone_into(&mut holder.beacon);
        }
    }

    /// SHA-256 of the canonical bytes.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.encode()).into()
    }
}

/// The secrets in holder order.
pub(crate) fn secrets_of(holders: &[HolderRecord]) -> zeroize::Zeroizing<Vec<[u8; 32]>> {
    zeroize::Zeroizing::new(holders.iter().map(|holder| holder.secret).collect())
}

#[cfg(test)]
#[path = "transcript_tests.rs"]
mod tests;

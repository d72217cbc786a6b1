//! A leaf: a public header and a commitment to a body (`FORMAT.md`, "Leaf").
//!
//! Anyone may hold the leaves and check the tree; the bodies of facts about tickets are shown
//! to the audit office only. The nonce keeps a body from being guessed from its commitment.

use sha2::{Digest, Sha256};

use crate::encode::{DecodeFault, Field, Reader};
use crate::event::{Event, EventKind, RetiredKind};
use crate::hash::{Hash, leaf_hash};

/// The format that this program writes and reads.
pub const FORMAT_VERSION: u8 = 4;

/// Length in bytes of a leaf as it stands in the tree.
pub const LEAF_LENGTH: usize = 62;

const BODY_TAG: &[u8] = b"boulier/body/v1";

/// What everyone may know of a fact: when, what kind, which draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeafHeader {
    /// The kind of fact.
    pub kind: EventKind,
    /// Position in the log, from 0.
    pub index: u64,
    /// UTC milliseconds since 1970, stamped by central; never less than the leaf before.
    pub at_ms: i64,
    /// Business day of the house, as the number yyyymmdd.
    pub business_day: u32,
    /// The draw that the fact is about (the first one, for a ticket); 0 when it is about none.
    pub draw: u64,
}

/// A leaf of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaf {
    /// The public header.
    pub header: LeafHeader,
    /// SHA-256 of tag, nonce and body: see [`body_commitment`].
    pub commitment: Hash,
}

impl Leaf {
    /// The 62 bytes that the tree hashes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(LEAF_LENGTH);
        FORMAT_VERSION.put(&mut out);
        self.header.kind.number().put(&mut out);
        self.header.index.put(&mut out);
        self.header.at_ms.put(&mut out);
        self.header.business_day.put(&mut out);
        self.header.draw.put(&mut out);
        self.commitment.put(&mut out);
        out
    }

    /// Reads a leaf back from its 62 bytes.
    ///
    /// # Errors
    /// A [`DecodeFault`] for another length, version or an unknown kind; [`DecodeFault::Retired`]
    /// for a kind that an earlier version recorded.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeFault> {
        let mut reader = Reader::new(bytes);
        let version = u8::take(&mut reader)?;
        if version != FORMAT_VERSION {
            return Err(DecodeFault::Version(version));
        }
        let kind = u8::take(&mut reader)?;
        let leaf = Self {
            header: LeafHeader {
                kind: kind_of(kind)?,
                index: u64::take(&mut reader)?,
                at_ms: i64::take(&mut reader)?,
                business_day: u32::take(&mut reader)?,
                draw: u64::take(&mut reader)?,
            },
            commitment: Hash::take(&mut reader)?,
        };
        reader.finish()?;
        Ok(leaf)
    }

    /// The RFC 6962 leaf hash: SHA-256 of 0x00 and the leaf's bytes.
    pub fn hash(&self) -> Hash {
        leaf_hash(&self.to_bytes())
    }
}

fn kind_of(number: u8) -> Result<EventKind, DecodeFault> {
    EventKind::from_number(number).ok_or_else(|| match RetiredKind::from_number(number) {
        Some(retired) => DecodeFault::Retired {
            number,
            name: retired.name(),
        },
        None => DecodeFault::Kind(number),
    })
}

/// The commitment to a body: SHA-256 of the tag with its length in four bytes, the 32-byte
/// nonce, and the body.
pub fn body_commitment(nonce: &[u8; 32], body: &[u8]) -> Hash {
    let mut hasher = Sha256::new();
    hasher.update((BODY_TAG.len() as u32).to_be_bytes());
    hasher.update(BODY_TAG);
    hasher.update(nonce);
    hasher.update(body);
    hasher.finalize().into()
}

/// One entry as the record holds it: leaf, nonce and body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The leaf in the tree.
    pub leaf: Leaf,
    /// Opens the commitment together with the body.
    pub nonce: [u8; 32],
    /// The encoded event.
    pub body: Vec<u8>,
}

/// Why an entry is not what its leaf says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EntryFault {
    /// The body does not open the commitment in the leaf.
    #[error("the body does not open the commitment in the leaf")]
    Commitment,
    /// The body is not an event of the leaf's kind.
    #[error("the body cannot be read")]
    Body(#[from] DecodeFault),
    /// The draw in the header is not the event's draw.
    #[error("the header names draw {header} and the body draw {body}")]
    Draw {
        /// The draw in the header.
        header: u64,
        /// The draw in the body.
        body: u64,
    },
}

impl Entry {
    /// The event, after the body was checked against the leaf.
    ///
    /// # Errors
    /// An [`EntryFault`] when body, commitment and header disagree.
    pub fn event(&self) -> Result<Event, EntryFault> {
        if body_commitment(&self.nonce, &self.body) != self.leaf.commitment {
            return Err(EntryFault::Commitment);
        }
        let event = Event::decode(self.leaf.header.kind, &self.body)?;
        if event.draw() != self.leaf.header.draw {
            return Err(EntryFault::Draw {
                header: self.leaf.header.draw,
                body: event.draw(),
            });
        }
        Ok(event)
    }
}

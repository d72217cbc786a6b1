//! Central's log over HTTP, for the witness.

use keno_log::epoch::EpochEvidence;
use keno_log::{Event, Hash, Leaf};
use serde::Deserialize;

use crate::central::{CallFault, Central};
use crate::witness::{LogSource, ProvenEntry};

/// `/log/entries/{index}`, as much of it as is needed.
#[derive(Deserialize)]
struct Entry {
    leaf: String,
    nonce: Option<String>,
    body: Option<String>,
}

impl Entry {
    /// The bytes of leaf, nonce and body of an entry that is shown.
    fn parts(&self) -> Result<(Vec<u8>, Hash, Vec<u8>), CallFault> {
        let (Some(nonce), Some(body)) = (&self.nonce, &self.body) else {
            return Err(unreadable());
        };
        let nonce = bytes(nonce)?.try_into().map_err(|_| unreadable())?;
        Ok((bytes(&self.leaf)?, nonce, bytes(body)?))
    }
}

/// `/log/inclusion/{index}` and `/log/consistency`, as much of them as is needed.
#[derive(Deserialize)]
struct Proof {
    proof: Vec<String>,
}

fn unreadable() -> CallFault {
    CallFault::Lost("central gave a proof that cannot be read".into())
}

fn bytes(text: &str) -> Result<Vec<u8>, CallFault> {
    hex::decode(text).map_err(|_| unreadable())
}

fn hashes(proof: &Proof) -> Result<Vec<Hash>, CallFault> {
    let hash = |text: &String| bytes(text)?.try_into().map_err(|_| unreadable());
    proof.proof.iter().map(hash).collect()
}

impl LogSource for &Central {
    type Fault = CallFault;

    fn checkpoint(&mut self) -> Result<String, CallFault> {
        self.get_text("/log/checkpoint")
    }

    fn first_entry(&mut self, size: u64) -> Result<ProvenEntry, CallFault> {
        let entry: Entry = self.get("/log/entries/0")?;
        let proof: Proof = self.get(&format!("/log/inclusion/0?size={size}"))?;
        let (leaf, nonce, body) = entry.parts()?;
        Ok(ProvenEntry {
            leaf,
            nonce,
            body,
            proof: hashes(&proof)?,
        })
    }

    fn epoch_after(&mut self, epoch: u32, size: u64) -> Result<Option<EpochEvidence>, CallFault> {
        let entries: Vec<Entry> = self.get("/log/epochs")?;
        for entry in entries {
            let (leaf, nonce, body) = entry.parts()?;
            let opened = keno_log::leaf::Entry {
                leaf: Leaf::from_bytes(&leaf).map_err(|_| unreadable())?,
                nonce,
                body: body.clone(),
            };
            let index = opened.leaf.header.index;
            match opened.event() {
                Ok(Event::EpochOpened(fact)) if fact.epoch > epoch && index < size => {}
                _ => continue,
            }
            let inclusion: Proof = self.get(&format!("/log/inclusion/{index}?size={size}"))?;
            return Ok(Some(EpochEvidence {
                leaf,
                nonce,
                body,
                inclusion: hashes(&inclusion)?,
                consistency: self.consistency(index, size)?,
            }));
        }
        Ok(None)
    }

    fn consistency(&mut self, from: u64, to: u64) -> Result<Vec<Hash>, CallFault> {
        let proof: Proof = self.get(&format!("/log/consistency?from={from}&to={to}"))?;
        hashes(&proof)
    }
}

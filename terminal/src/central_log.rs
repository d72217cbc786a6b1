//! Central's log over HTTP, for the witness.

use keno_log::Hash;
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
        let (Some(nonce), Some(body)) = (entry.nonce, entry.body) else {
            return Err(unreadable());
        };
        Ok(ProvenEntry {
            leaf: bytes(&entry.leaf)?,
            nonce: bytes(&nonce)?.try_into().map_err(|_| unreadable())?,
            body: bytes(&body)?,
            proof: hashes(&proof)?,
        })
    }

    fn consistency(&mut self, from: u64, to: u64) -> Result<Vec<Hash>, CallFault> {
        let proof: Proof = self.get(&format!("/log/consistency?from={from}&to={to}"))?;
        hashes(&proof)
    }
}

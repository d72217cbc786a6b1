//! Reads `vectors/epochs.json`: a signed log of two epochs, made from `FORMAT.md` and `RULES.md`
//! by a program that shares no code with the crates. The tests of keno-log and of keno-audit
//! read it through this file.
#![allow(dead_code)] // each test program uses a part of it

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use keno_log::Hash;
use keno_log::export::{ExportReader, ExportRecord};
use keno_log::leaf::Entry;
use serde::Deserialize;

/// The whole vector. A field that this does not know is an error: nothing in the vector is left
/// unread by mistake.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TwoEpochs {
    pub about: String,
    pub key: String,
    export: String,
    root: String,
    pub proofs: Proofs,
    pub outside: Vec<KeptCheckpoint>,
    pub own: Vec<KeptCheckpoint>,
    pub changes: Vec<Change>,
}

/// Proofs in the tree of all `size` leaves.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proofs {
    pub size: u64,
    pub inclusion: Inclusion,
    pub consistency: Vec<Consistency>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inclusion {
    pub index: u64,
    path: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consistency {
    pub from: u64,
    root: String,
    path: Vec<String>,
}

/// A signed checkpoint, and the one finding that the export has with it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptCheckpoint {
    pub why: String,
    pub note: String,
    pub finding: Option<String>,
}

/// Entries with another kind and body.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    pub why: String,
    pub first_bad: Option<u64>,
    pub finding: String,
    pub entries: Vec<ChangedEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangedEntry {
    pub entry: u64,
    pub kind: u8,
    body: String,
}

/// The vector; every list has as many cases as when it was read by people.
pub fn read() -> TwoEpochs {
    let vector: TwoEpochs =
        serde_json::from_str(include_str!("../../vectors/epochs.json")).unwrap();
    let cases = (
        vector.proofs.consistency.len(),
        vector.outside.len(),
        vector.own.len(),
        vector.changes.len(),
    );
    assert_eq!(cases, (4, 19, 4, 115), "cases were added, or are missing");
    vector
}

impl TwoEpochs {
    /// The bytes of the export.
    pub fn export(&self) -> Vec<u8> {
        STANDARD.decode(&self.export).unwrap()
    }

    /// The root of all the leaves.
    pub fn root(&self) -> Hash {
        hash_of(&self.root)
    }

    /// The entries of the export, and the checkpoint at its end.
    pub fn entries(&self) -> (Vec<Entry>, String) {
        let export = self.export();
        let mut entries = Vec::new();
        for record in ExportReader::new(&export).unwrap() {
            match record.unwrap() {
                ExportRecord::Entry(exported) => entries.push(exported.entry().unwrap()),
                ExportRecord::End(note) => return (entries, note),
            }
        }
        panic!("the export has no end");
    }
}

impl Inclusion {
    pub fn path(&self) -> Vec<Hash> {
        self.path.iter().map(|text| hash_of(text)).collect()
    }
}

impl Consistency {
    /// The root of the first leaves, `from` of them.
    pub fn root(&self) -> Hash {
        hash_of(&self.root)
    }

    pub fn path(&self) -> Vec<Hash> {
        self.path.iter().map(|text| hash_of(text)).collect()
    }
}

impl ChangedEntry {
    pub fn body(&self) -> Vec<u8> {
        hex::decode(&self.body).unwrap()
    }
}

fn hash_of(text: &str) -> Hash {
    hex::decode(text).unwrap().try_into().unwrap()
}

//! Everything on record about a ticket, with the proofs that it stands in the log.

use keno_log::checkpoint::Checkpoint;
use keno_log::proof::{inclusion_proof, verify_inclusion};
use keno_log::{Hash, checkpoint};
use keno_record::fault::Fault;
use keno_record::keys::signing_key;
use keno_record::log_tree::TreeReader;
use keno_record::publish::SignedCheckpoint;
use keno_record::store::log;
use keno_record::store::snapshot::on_snapshot;
use keno_service::Stop;
use keno_service::central::Central;

use crate::app::App;
use crate::look_up::record::{AuditRecord, audit_record};
use crate::pages::view::Purpose;
use crate::report::Asking;

/// A proof that a leaf stands in the tree of the checkpoint.
#[derive(Debug, Clone)]
pub struct Proof {
    /// Leaf index.
    pub leaf: u64,
    /// Its hash.
    pub leaf_hash: Hash,
    /// Hashes from the leaf's sibling upwards.
    pub path: Vec<Hash>,
    /// The path leads to the root.
    pub holds: bool,
}

/// Everything that the pack says.
#[derive(Debug)]
pub struct Pack {
    /// What is on record.
    pub record: AuditRecord,
    /// Where the proofs lead to.
    pub checkpoint: SignedCheckpoint,
    /// One for each fact, the sale first.
    pub proofs: Vec<Proof>,
    /// Who asked.
    pub badge: String,
    /// Why.
    pub purpose: Purpose,
}

/// The newest published checkpoint if it covers `last`; else one of the head, signed here.
fn checkpoint_over(central: &Central, last: u64) -> Result<SignedCheckpoint, Fault> {
    if let Some(newest) = central.checkpoint().filter(|newest| newest.size > last) {
        return Ok(newest.as_ref().clone());
    }
    let mut reader = central.readers.get()?;
    let (edge, _) =
        log::head(&mut reader)?.ok_or_else(|| Fault::Record("the record is empty".to_owned()))?;
    let key = signing_key(
        &central.keys,
        &keno_record::record::origin_of(&central.house_code),
    )
    .ok_or(Fault::Crypto("the log key"))?;
    let (size, root) = (edge.size(), edge.root());
    let note = checkpoint::sign(&Checkpoint::new(&central.origin, size, root), &key)
        .map_err(|_| Fault::Crypto("a checkpoint"))?;
    Ok(SignedCheckpoint { size, root, note })
}

/// Reads everything; the question is on disk in the access log before the answer is read.
pub fn read(app: &App, asking: Asking<'_>, code: &str) -> Result<Pack, Stop> {
    let record = audit_record(app, asking.badge, asking.device, code, asking.purpose)?;
    let last = record.facts.iter().map(|fact| fact.leaf).max().unwrap_or(0);
    let checkpoint = checkpoint_over(&app.central, last)?;
    let mut reader = app.central.readers.get().map_err(Fault::from)?;
    let proofs = on_snapshot(&mut reader, |reader| {
        let mut tree = TreeReader::new(reader, &app.central.tile_roots, checkpoint.size);
        record
            .facts
            .iter()
            .map(|fact| {
                let mut node = |level, index| tree.node(level, index);
                let path =
                    inclusion_proof(fact.leaf, checkpoint.size, &mut node).map_err(|fault| {
                        Fault::Record(format!("no proof for leaf {}: {fault}", fact.leaf))
                    })?;
                let (size, root) = (checkpoint.size, &checkpoint.root);
                Ok(Proof {
                    leaf: fact.leaf,
                    leaf_hash: fact.leaf_hash,
                    holds: verify_inclusion(&fact.leaf_hash, fact.leaf, size, &path, root).is_ok(),
                    path,
                })
            })
            .collect::<Result<Vec<_>, Fault>>()
    })?;
    Ok(Pack {
        record,
        checkpoint,
        proofs,
        badge: asking.badge.to_owned(),
        purpose: asking.purpose,
    })
}

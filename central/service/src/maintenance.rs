//! Looking after the record: exporting it, verifying it, making its tables again.
//!
//! Nothing here appends a leaf. [`verify`] only reads; [`rebuild`] writes projections alone, in
//! one transaction, and leaves record and head as they are; [`export`] copies the record out
//! without judging it, so that the audit office sees a damaged record as it is.

mod backup;
mod backup_fault;
mod compare;
mod digest;
pub(crate) mod epoch;
mod files;
mod replay;
mod restore;
mod standby;
mod transfer;
mod verify;

use std::io::Write;

use keno_log::export::{put_end, put_entry, put_magic};
use keno_log::leaf::Entry;
use keno_log::{Hash, Leaf};
use keno_record::fault::Fault;
use keno_record::publish::SignedCheckpoint;
use keno_record::store::{hash, log};
use keno_schema::Connection;
use thiserror::Error;

pub use backup::{Backup, BackupOrder, backup_keys};
pub use backup_fault::BackupFault;
pub use compare::TableDigest;
pub use digest::digest;
pub use epoch::{EpochOrder, current};
pub use replay::{RebuildFault, rebuild};
pub use restore::{RestoreOrder, Restored};
pub use standby::synchronous_standbys;
pub use transfer::transfer;
pub use verify::{Finding, verify};

/// Entries read at a time.
const ENTRIES_A_READ: i64 = 2_000;

/// The record could not be exported.
#[derive(Debug, Error)]
pub enum ExportFault {
    /// The record could not be read.
    #[error("the record cannot be read")]
    Record(#[from] Fault),
    /// The export could not be written.
    #[error("the export cannot be written")]
    Write(#[from] std::io::Error),
}

/// Writes the record up to a checkpoint as an export (`FORMAT.md`, "Export"), in slices.
///
/// Every entry goes out as it stands, with the hash that the record holds for it: whoever reads
/// the export judges it.
///
/// # Errors
/// [`ExportFault`]; what was written so far has no end mark, and is no export.
pub fn export(
    connection: &mut Connection,
    checkpoint: &SignedCheckpoint,
    out: &mut impl Write,
) -> Result<(), ExportFault> {
    let mut bytes = Vec::new();
    put_magic(&mut bytes);
    let mut next = 0_u64;
    while next < checkpoint.size {
        let left = i64::try_from(checkpoint.size - next).unwrap_or(i64::MAX);
        let rows = log::entries(connection, next, left.min(ENTRIES_A_READ)).map_err(Fault::from)?;
        if rows.is_empty() {
            return Err(Fault::Record(format!("leaf {next} is missing")).into());
        }
        for row in &rows {
            let index = row.leaf_index;
            let unreadable = |what: String| Fault::Record(format!("leaf {index}: {what}"));
            let leaf = Leaf::from_bytes(&row.leaf).map_err(|f| unreadable(f.to_string()))?;
            let leaf_hash: Hash = hash(&row.leaf_hash)?;
            let entry = Entry {
                leaf,
                nonce: hash(&row.nonce)?,
                body: row.body.clone(),
            };
            put_entry(&entry, &leaf_hash, &mut bytes);
            next = index + 1;
        }
        out.write_all(&bytes)?;
        bytes.clear();
    }
    put_end(&checkpoint.note, &mut bytes);
    out.write_all(&bytes)?;
    out.flush()?;
    Ok(())
}

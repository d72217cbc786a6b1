//! The record written out as it stands, for whoever judges it elsewhere.

use std::io::Write;

use keno_log::export::{put_end, put_entry, put_magic};
use keno_log::leaf::Entry;
use keno_log::{Event, EventKind};
use keno_record::fault::Fault;
use keno_record::publish::SignedCheckpoint;
use keno_record::store::{hash, log};
use keno_schema::Connection;
use keno_schema::rows::LogEntryRow;
use thiserror::Error;

use super::ENTRIES_A_READ;

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

/// Writes a row as an entry of an export, with the hash that the record holds for it: whoever reads it
/// judges it.
///
/// # Errors
/// [`Fault::Record`] for a row that is no entry at all, or [`Fault::Retired`].
pub(crate) fn put_row(row: &LogEntryRow, out: &mut Vec<u8>) -> Result<Entry, Fault> {
    let entry = Entry {
        leaf: log::leaf_of(row.leaf_index, &row.leaf)?,
        nonce: hash(&row.nonce)?,
        body: row.body.clone(),
    };
    put_entry(&entry, &hash(&row.leaf_hash)?, out);
    Ok(entry)
}

/// Writes the record up to a checkpoint as an export (`FORMAT.md`, "Export"), in slices.
///
/// Returns the epoch of the last leaf. Every entry goes out as it stands, with the hash that the record holds for it: whoever reads
/// the export judges it.
///
/// # Errors
/// `ExportFault`; what was written so far has no end mark, and is no export.
pub fn export(
    connection: &mut Connection,
    checkpoint: &SignedCheckpoint,
    out: &mut impl Write,
) -> Result<u32, ExportFault> {
    let mut bytes = Vec::new();
    let mut epoch = 1;
    put_magic(&mut bytes);
    let mut next = 0_u64;
    while next < checkpoint.size {
        let left = i64::try_from(checkpoint.size - next).unwrap_or(i64::MAX);
        let rows = log::entries(connection, next, left.min(ENTRIES_A_READ)).map_err(Fault::from)?;
        if rows.is_empty() {
            return Err(Fault::Record(format!("leaf {next} is missing")).into());
        }
        for row in &rows {
            let entry = put_row(row, &mut bytes)?;
            // What cannot be read is for who reads the export to say.
            if entry.leaf.header.kind == EventKind::EpochOpened
                && let Ok(Event::EpochOpened(body)) = entry.event()
            {
                epoch = body.epoch;
            }
            next = row.leaf_index + 1;
        }
        out.write_all(&bytes)?;
        bytes.clear();
    }
    put_end(&checkpoint.note, &mut bytes);
    out.write_all(&bytes)?;
    out.flush()?;
    Ok(epoch)
}

//! Looking after the record: exporting it, verifying it, making its tables again.
//!
//! Nothing here appends a leaf. [`verify`] only reads; [`rebuild`] writes projections alone, in
//! one transaction, and leaves record and head as they are; [`export`] copies the record out
//! without judging it, so that the audit office sees a damaged record as it is.

mod backup;
mod backup_fault;
mod compare;
pub(crate) mod epoch;
mod export;
mod files;
mod replay;
mod restore;
mod transfer;
mod verify;

pub use backup::{Backup, BackupOrder};
pub use backup_fault::BackupFault;
pub use epoch::EpochOrder;
pub use export::export;
pub(crate) use export::put_row;
pub use replay::{RebuildFault, rebuild};
pub use restore::{RestoreOrder, Restored};
pub use transfer::transfer;
pub use verify::{Finding, verify, without_anchors};

/// Entries read at a time.
pub(crate) const ENTRIES_A_READ: i64 = 2_000;

//! A reserve of disk space: released when the disk is full, so that the open draw can finish
//! while sales are refused.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::fault::Fault;

/// Space kept back on the disk of the record.
pub const RESERVE_BYTES: u64 = 64 * 1024 * 1024;

/// The reserve of a data folder.
#[derive(Debug)]
pub struct Reserve {
    path: PathBuf,
    bytes: u64,
    released: AtomicBool,
}

impl Reserve {
    /// Sets space aside in a folder. A disk that has no room for it starts with the reserve
    /// released: central runs, and sells nothing.
    pub fn open(folder: &Path, bytes: u64) -> Self {
        let reserve = Self {
            path: folder.join("reserve.bin"),
            bytes,
            released: AtomicBool::new(false),
        };
        if !reserve.try_keep() {
            tracing::error!(
                path = %reserve.path.display(),
                "the disk has no room for the reserve: free space; sales wait for it"
            );
        }
        reserve
    }

    /// Tries to set the space aside (again). True when it is.
    pub fn try_keep(&self) -> bool {
        let kept = self.bytes == 0 || self.allocate().is_ok();
        if !kept {
            // A part of the reserve helps nobody.
            let _ = std::fs::remove_file(&self.path);
        }
        self.released.store(!kept, Ordering::SeqCst);
        kept
    }

    fn allocate(&self) -> std::io::Result<()> {
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&self.path)?;
        if file.metadata()?.len() >= self.bytes {
            return Ok(());
        }
        rustix::fs::fallocate(&file, rustix::fs::FallocateFlags::empty(), 0, self.bytes)?;
        file.sync_all()
    }

    /// True while the space is given up: sales are refused, draws and payments go on.
    pub fn is_released(&self) -> bool {
        self.released.load(Ordering::SeqCst)
    }

    /// Gives the space up when a fault says that the disk is full.
    pub fn on_fault(&self, fault: &Fault) {
        if !is_disk_full(fault) || self.released.swap(true, Ordering::SeqCst) {
            return;
        }
        tracing::error!("the disk is full: the reserve is released, and sales are refused");
        if let Err(fault) = std::fs::remove_file(&self.path) {
            tracing::error!(%fault, "the reserve could not be released");
        }
    }
}

/// True when the database says that its disk is full.
pub fn is_disk_full(fault: &Fault) -> bool {
    match fault {
        Fault::Database(diesel::result::Error::DatabaseError(_, words)) => {
            let words = words.message();
            words.contains("database or disk is full") || words.contains("No space left on device")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> Fault {
        Fault::Database(diesel::result::Error::DatabaseError(
            diesel::result::DatabaseErrorKind::Unknown,
            Box::new("database or disk is full".to_owned()),
        ))
    }

    #[test]
    fn the_reserve_is_released_once_and_kept_again_when_space_returns() {
        let folder = tempfile::tempdir().unwrap();
        let reserve = Reserve::open(folder.path(), 1024 * 1024);
        let file = folder.path().join("reserve.bin");
        assert!(!reserve.is_released());
        assert_eq!(file.metadata().unwrap().len(), 1024 * 1024);
        reserve.on_fault(&Fault::HeadMoved);
        assert!(!reserve.is_released() && file.exists());
        reserve.on_fault(&full());
        assert!(reserve.is_released() && !file.exists());
        assert!(reserve.try_keep());
        assert!(!reserve.is_released() && file.exists());
    }

    #[test]
    fn a_folder_that_takes_nothing_starts_released() {
        let folder = tempfile::tempdir().unwrap();
        let reserve = Reserve::open(&folder.path().join("absent"), 1024);
        assert!(reserve.is_released());
    }
}

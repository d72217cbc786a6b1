//! One program at a folder: the lock of a file in it, which the system lets go with the process.

use std::fs::{File, TryLockError};
use std::time::Duration;

/// How often the lock is tried, and how long each time is waited: a second in all.
const TRIES: u32 = 40;
const PAUSE: Duration = Duration::from_millis(25);

/// Takes the lock of this file, which is let go with it. Whoever is about to let go is waited for,
/// a second at most: a command that has just answered, a program that is started again, a child of
/// the holder between its fork and its exec, which has the holder's files for that moment.
///
/// # Errors
/// `WouldBlock` when another program holds it and goes on, or what the system says.
#[expect(
    clippy::disallowed_methods,
    reason = "nobody says that a lock was let go, and waiting for it without end would hang a \
              command beside a program at work"
)]
pub fn hold(file: &File) -> Result<(), TryLockError> {
    hold_after(file, || std::thread::sleep(PAUSE))
}

fn hold_after(file: &File, mut pause: impl FnMut()) -> Result<(), TryLockError> {
    for _ in 1..TRIES {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => pause(),
            tried => return tried,
        }
    }
    file.try_lock()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        File::create(&path).unwrap();
        (folder, path)
    }

    #[test]
    fn whoever_stays_is_not_waited_for_without_end() {
        let (_folder, path) = file();
        let first = File::open(&path).unwrap();
        hold(&first).unwrap();
        let second = File::open(&path).unwrap();
        let mut pauses = 0;
        let held = hold_after(&second, || pauses += 1);
        assert!(matches!(held, Err(TryLockError::WouldBlock)));
        assert_eq!(pauses, TRIES - 1);
    }

    #[test]
    fn whoever_is_about_to_let_go_is_waited_for() {
        // At the last moment too.
        for leaves_at in [1, TRIES - 1] {
            let (_folder, path) = file();
            let mut first = Some(File::open(&path).unwrap());
            hold(first.as_ref().unwrap()).unwrap();
            let second = File::open(&path).unwrap();
            let mut pauses = 0;
            hold_after(&second, || {
                pauses += 1;
                if pauses == leaves_at {
                    first = None;
                }
            })
            .unwrap();
            assert_eq!(pauses, leaves_at);
        }
    }
}

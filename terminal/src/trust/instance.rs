//! Which machine and folder an agent runs in, as one value for every command of one start of the
//! machine. It is not kept in the folder: whoever copies the folder with the key does not copy
//! it, and central sees two values for one device.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use sha2::{Digest, Sha256};

/// A random value of the kernel, new with each start of the machine.
const BOOT: &str = "/proc/sys/kernel/random/boot_id";
/// Bytes of a value.
const VALUE_BYTES: usize = 16;

/// The value of this machine, since its start, for that folder.
///
/// # Errors
/// When the kernel's value or the folder cannot be read.
pub fn of_folder(folder: &Path) -> io::Result<String> {
    let boot = fs::read_to_string(BOOT)?;
    let about = fs::metadata(folder)?;
    let mut digest = Sha256::new();
    digest.update(b"boulier/instance/v1\0");
    digest.update(boot.trim().as_bytes());
    digest.update(about.dev().to_be_bytes());
    digest.update(about.ino().to_be_bytes());
    let digest = digest.finalize();
    Ok(hex::encode(digest.get(..VALUE_BYTES).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_lasts_for_a_folder_and_differs_for_its_copy() {
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let value = of_folder(one.path()).unwrap();
        assert_eq!(value.len(), 2 * VALUE_BYTES);
        assert_eq!(of_folder(one.path()).unwrap(), value);
        assert_ne!(of_folder(other.path()).unwrap(), value);
    }
}

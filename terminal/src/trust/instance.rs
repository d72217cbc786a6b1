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
/// The same value from systemd, for a unit that does not see the file (`ProcSubset=pid`).
const BOOT_VARIABLE: &str = "BOULIER_BOOT_ID";
/// Hexadecimal digits of the kernel's value, without the strokes between them.
const BOOT_DIGITS: usize = 32;
/// Bytes of a value.
const VALUE_BYTES: usize = 16;

/// The kernel's value of this start: of its file, or what systemd says instead. Written in two
/// ways, it is one value.
fn boot(file: &Path, said: Option<&str>) -> io::Result<String> {
    let text = match (fs::read_to_string(file), said) {
        (Ok(text), _) => text,
        (Err(_), Some(text)) => text.to_owned(),
        (Err(error), None) => {
            let words = format!("{}: {error}", file.display());
            return Err(io::Error::new(error.kind(), words));
        }
    };
    let digits: String = text.chars().filter(char::is_ascii_hexdigit).collect();
    if digits.len() != BOOT_DIGITS {
        let words = format!("{text:?} is not the start of a machine");
        return Err(io::Error::new(io::ErrorKind::InvalidData, words));
    }
    Ok(digits.to_ascii_lowercase())
}

/// The value of this machine, since its start, for that folder.
///
/// # Errors
/// When the kernel's value or the folder cannot be read.
pub fn of_folder(folder: &Path) -> io::Result<String> {
    let said = std::env::var(BOOT_VARIABLE).ok();
    let boot = boot(Path::new(BOOT), said.as_deref())?;
    let about = fs::metadata(folder)?;
    let mut digest = Sha256::new();
    digest.update(b"boulier/instance/v1\0");
    digest.update(boot.as_bytes());
    digest.update(about.dev().to_be_bytes());
    digest.update(about.ino().to_be_bytes());
    let digest = digest.finalize();
    Ok(hex::encode(digest.get(..VALUE_BYTES).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_the_file_is_hidden_systemd_says_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("boot_id");
        // As the kernel writes it, and as a unit's %b does.
        let (of_file, of_unit) = (
            "0f3a1c5e-7788-4e0b-9d10-2b6f8a4c1d2e\n",
            "0f3a1c5e77884e0b9d102b6f8a4c1d2e",
        );
        let hidden = boot(&file, None).unwrap_err();
        assert_eq!(hidden.kind(), io::ErrorKind::NotFound);
        assert!(hidden.to_string().contains("boot_id"), "{hidden}");
        assert_eq!(boot(&file, Some(of_unit)).unwrap(), of_unit);
        assert!(boot(&file, Some("%b")).is_err());
        fs::write(&file, of_file).unwrap();
        assert_eq!(boot(&file, None).unwrap(), of_unit);
        assert_eq!(boot(&file, Some("another")).unwrap(), of_unit);
    }

    #[test]
    fn it_lasts_for_a_folder_and_differs_for_its_copy() {
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let value = of_folder(one.path()).unwrap();
        assert_eq!(value.len(), 2 * VALUE_BYTES);
        assert_eq!(of_folder(one.path()).unwrap(), value);
        assert_ne!(of_folder(other.path()).unwrap(), value);
    }
}

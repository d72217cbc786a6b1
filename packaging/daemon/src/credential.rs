//! Secrets that systemd hands over (`LoadCredential=`, `LoadCredentialEncrypted=`): files that
//! this program alone can read, in a folder that is gone when it ends.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// What a setting begins with that names one.
const PREFIX: &str = "credential:";

/// A credential that was not handed over.
#[derive(Debug, Error)]
pub enum NoCredential {
    /// Nobody handed any over.
    #[error(
        "credential:{0} is handed over by systemd, and this was not started by it: use the unit, \
         or systemd-run with LoadCredential"
    )]
    NotUnderSystemd(String),
    /// The name would lead elsewhere.
    #[error("a credential is named by letters, digits, dots, hyphens and underscores alone")]
    Name,
}

/// Where the credential that a setting names is; `None` for a setting that names an ordinary
/// file.
///
/// # Errors
/// A [`NoCredential`].
pub fn named(setting: &Path) -> Option<Result<PathBuf, NoCredential>> {
    named_in(
        setting,
        std::env::var_os("CREDENTIALS_DIRECTORY").as_deref(),
    )
}

/// As [`named`], with what `CREDENTIALS_DIRECTORY` says.
///
/// # Errors
/// A [`NoCredential`].
pub fn named_in(setting: &Path, folder: Option<&OsStr>) -> Option<Result<PathBuf, NoCredential>> {
    let name = setting.to_str()?.strip_prefix(PREFIX)?;
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    if name.is_empty() || name.starts_with('.') || !name.bytes().all(is_sign) {
        return Some(Err(NoCredential::Name));
    }
    Some(
        folder
            .map(|folder| Path::new(folder).join(name))
            .ok_or_else(|| NoCredential::NotUnderSystemd(name.to_owned())),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credential_stays_in_its_folder() {
        let folder = Some(OsStr::new("/run/credentials/x.service"));
        let place = |setting: &str| named_in(Path::new(setting), folder);
        assert!(place("keys.toml").is_none());
        assert!(place("/etc/credential:x").is_none());
        assert_eq!(
            place("credential:central_keys").unwrap().unwrap(),
            Path::new("/run/credentials/x.service/central_keys")
        );
        for elsewhere in ["", ".", "..", "../x", "a/b", "/etc/passwd", "a b"] {
            let setting = format!("credential:{elsewhere}");
            assert!(
                matches!(place(&setting), Some(Err(NoCredential::Name))),
                "{elsewhere:?}"
            );
        }
        let words = named_in(Path::new("credential:k"), None)
            .unwrap()
            .unwrap_err()
            .to_string();
        assert!(
            words.contains("credential:k is handed over by systemd"),
            "{words}"
        );
    }
}

//! What the settings files of all hosts have in common.

use std::path::Path;

use keno_log::checkpoint::VerifyingKey;
use serde::Deserialize;

/// A key in the text form of C2SP signed notes, `name+id+base64`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Key(pub VerifyingKey);

impl TryFrom<String> for Key {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        VerifyingKey::parse(&text)
            .map(Self)
            .map_err(|fault| format!("{text:?} is no key: {fault}"))
    }
}

/// The settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsFault {
    /// The file cannot be read.
    #[error("{path} cannot be read")]
    Unreadable {
        /// Its path.
        path: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// It is no settings file.
    #[error("{path}: {message}")]
    Malformed {
        /// Its path.
        path: String,
        /// Where and why.
        message: String,
    },
    /// A setting is missing, or is not for this part.
    #[error("{path}: {what}")]
    Unfit {
        /// Its path.
        path: String,
        /// Which and why.
        what: &'static str,
    },
}

/// Reads a settings file (TOML) of whatever host.
///
/// # Errors
/// [`SettingsFault::Unreadable`] or [`SettingsFault::Malformed`].
pub fn read<S: for<'de> Deserialize<'de>>(path: &Path) -> Result<S, SettingsFault> {
    let shown = || path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|source| SettingsFault::Unreadable {
        path: shown(),
        source,
    })?;
    toml::from_str(&text).map_err(|fault| SettingsFault::Malformed {
        path: shown(),
        message: fault.to_string(),
    })
}

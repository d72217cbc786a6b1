//! A slip as a file: what a patron asks, and how it is paid.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use keno_game::Tender;
use keno_wire::coded::Name;
use keno_wire::request::{Selection, Slip};
use keno_words::{Language, Say, slip_file as words};
use serde::Deserialize;
use thiserror::Error;

/// Bytes of a slip file: far more than the longest slip needs.
pub const SLIP_BYTES_MAX: u64 = 65_536;

/// A slip file: the fields of [`Slip`], and two of the sale.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlipFile {
    selections: Vec<Selection>,
    draws: u32,
    #[serde(default)]
    first_draw: Option<u64>,
    /// How it is paid.
    #[serde(default)]
    pub tender: Option<Name<Tender>>,
    /// What the patron hands over, in cents.
    #[serde(default)]
    pub received_cents: Option<i64>,
}

/// A file that is not a slip.
#[derive(Debug, Error)]
pub enum SlipFileFault {
    /// It cannot be read.
    #[error("the slip file cannot be read")]
    File(#[from] std::io::Error),
    /// It is larger than [`SLIP_BYTES_MAX`].
    #[error("the slip file is larger than {SLIP_BYTES_MAX} bytes")]
    TooLarge,
    /// It is not the JSON of a slip.
    #[error("line {line}, column {column}: {message}")]
    Json {
        /// From 1.
        line: usize,
        /// From 1, in bytes; 0 at the end of a line before.
        column: usize,
        /// What is wrong there.
        message: String,
    },
}

/// Why a JSON parser stopped, by how it begins to say so, and the field that it names.
fn why<'a>(message: &str, field: &'a &str) -> Box<dyn Say + 'a> {
    match message {
        _ if message.starts_with("unknown field") => Box::new(words::UnknownField { field }),
        _ if message.starts_with("missing field") => Box::new(words::MissingField { field }),
        _ if message.starts_with("duplicate field") => Box::new(words::RepeatedField { field }),
        _ if message.starts_with("invalid type") => Box::new(words::OtherType),
        _ if message.starts_with("invalid value") || message.contains("out of range") => {
            Box::new(words::ImpossibleValue)
        }
        _ if message.starts_with("EOF") => Box::new(words::EndsEarly),
        _ if message.starts_with("trailing") => Box::new(words::SignTooMany),
        _ => Box::new(words::UnfitSign),
    }
}

impl Say for SlipFileFault {
    fn say(&self, language: Language, to: &mut String) {
        match self {
            Self::File(_) => words::Unreadable.say(language, to),
            Self::TooLarge => {
                let bytes = &SLIP_BYTES_MAX;
                words::TooLarge { bytes }.say(language, to);
            }
            Self::Json {
                line,
                column,
                message,
            } => {
                // What it names stands between backquotes.
                let field = message.split('`').nth(1).unwrap_or_default();
                let why = &why(message, &field);
                words::Malformed { line, column, why }.say(language, to);
            }
        }
    }
}

impl SlipFile {
    /// Reads a slip from its text.
    ///
    /// # Errors
    /// [`SlipFileFault::Json`] with the line and column, also for a field that a slip does not
    /// have.
    pub fn parse(text: &[u8]) -> Result<Self, SlipFileFault> {
        serde_json::from_slice(text).map_err(|error| {
            let whole = error.to_string();
            let message = whole
                .rsplit_once(" at line ")
                .map_or(whole.as_str(), |(message, _)| message);
            SlipFileFault::Json {
                line: error.line(),
                column: error.column(),
                message: message.to_owned(),
            }
        })
    }

    /// Reads a slip file.
    ///
    /// # Errors
    /// A [`SlipFileFault`].
    pub fn read(path: &Path) -> Result<Self, SlipFileFault> {
        let mut text = Vec::new();
        File::open(path)?
            .take(SLIP_BYTES_MAX + 1)
            .read_to_end(&mut text)?;
        if text.len() as u64 > SLIP_BYTES_MAX {
            return Err(SlipFileFault::TooLarge);
        }
        Self::parse(&text)
    }

    /// The slip as central takes it.
    pub fn slip(&self) -> Slip {
        Slip {
            selections: self.selections.clone(),
            draws: self.draws,
            first_draw: self.first_draw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told() {
        let fault = |text: &str| match SlipFile::parse(text.as_bytes()) {
            Err(SlipFileFault::Json {
                line,
                column,
                message,
            }) => (line, column, message),
            other => panic!("{other:?}"),
        };
        assert_eq!(fault("{\n  \"draws\": x }").0, 2);
        assert_eq!(fault("{\n  \"draws\": x }").1, 12);
        let (line, _, message) = fault("{\"selections\": [],\n\"draws\": 1,\n\"drwas\": 2}");
        assert_eq!(line, 3);
        assert!(message.contains("drwas"), "{message}");
        assert!(
            fault("{\"selections\": [{\"type\":\"straight\",\"numbrs\":[1]}],\"draws\":1}")
                .2
                .contains("numbrs")
        );
        assert!(fault("{\"draws\": 1}").2.contains("selections"));
        assert!(fault("\u{FEFF}{}").2.contains("expected"));
    }

    #[test]
    fn the_reason_is_told_in_french_too() {
        let said = |text: &str| {
            let fault = SlipFile::parse(text.as_bytes()).unwrap_err();
            fault.fr()
        };
        for (text, reason) in [
            (
                "{\"selections\": [],\"draws\": 1,\"drwas\": 2}",
                "le champ « drwas » n’est pas d’une fiche",
            ),
            ("{\"draws\": 1}", "il manque le champ « selections »"),
            (
                "{\"selections\": [],\"draws\": 1,\"draws\": 2}",
                "le champ « draws » y est deux fois",
            ),
            (
                "{\"selections\": [],\"draws\": \"x\"}",
                "une valeur n’est pas du genre attendu",
            ),
            ("{\"selections\": [],", "la fiche finit trop tôt"),
            ("{\"selections\": x}", "un signe ne convient pas"),
        ] {
            assert!(said(text).contains(reason), "{}", said(text));
        }
    }

    #[test]
    fn a_file_that_is_too_large_is_not_parsed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("slip.json");
        std::fs::write(&path, vec![b' '; 70_000]).unwrap();
        assert!(matches!(
            SlipFile::read(&path),
            Err(SlipFileFault::TooLarge)
        ));
    }
}

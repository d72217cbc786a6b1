//! Asks and answers as they stand on the line: one line of JSON each.

use std::fmt;
use std::io::{self, BufRead, Read as _, Write};

use serde::{Deserialize, Serialize};

/// Bytes that stand in a line as hexadecimal. `Debug` does not show them: they may be a secret.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Hex32(pub [u8; 32]);

impl fmt::Debug for Hex32 {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Hex32(..)")
    }
}

impl From<Hex32> for String {
    fn from(bytes: Hex32) -> Self {
        hex::encode(bytes.0)
    }
}

impl TryFrom<String> for Hex32 {
    type Error = hex::FromHexError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes)?;
        Ok(Self(bytes))
    }
}

/// Writes one line.
///
/// # Errors
/// What the line says.
pub fn write<T: Serialize>(out: &mut impl Write, what: &T) -> io::Result<()> {
    let mut line = serde_json::to_vec(what)?;
    line.push(b'\n');
    out.write_all(&line)?;
    out.flush()
}

/// Reads one line of at most so many bytes; `None` where the other end has said everything.
///
/// # Errors
/// What the line says; `InvalidData` for what is no such line, or too long.
pub fn read<T: for<'de> Deserialize<'de>>(
    from: &mut impl BufRead,
    bytes_max: usize,
) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    let mut limited = from.take(bytes_max as u64);
    limited.read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "the line is cut off or too long",
        ));
    }
    serde_json::from_slice(&line)
        .map(Some)
        .map_err(|fault| io::Error::new(io::ErrorKind::InvalidData, fault))
}

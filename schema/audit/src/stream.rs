//! The records of an export, read one at a time (`FORMAT.md`, "Export").
//!
//! `keno-log` reads an export that is in memory; this reader holds one record, so that the log
//! of a year can be checked on a small machine.

use std::io::{self, Read};

use keno_log::export::{BYTES_MAX, ExportRecord, ExportedEntry, MAGIC, other_format};
use keno_log::leaf::LEAF_LENGTH;
use keno_words::{audit, both};

/// Why the next record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum StreamFault {
    /// The file could not be read.
    #[error("the file cannot be read")]
    Io(#[source] io::Error),
    /// The bytes are not a record of the format.
    #[error("{0}")]
    Framing(&'static str),
    /// The bytes are an export of another format.
    #[error("{}", other_format_words(.0))]
    OtherFormat(char),
}

fn other_format_words(format: &char) -> String {
    both(&audit::OtherFormat { format })
}

/// Reads an export record by record.
#[derive(Debug)]
pub struct Records<R> {
    from: R,
    ended: bool,
}

impl<R: Read> Records<R> {
    /// A reader at the first record.
    ///
    /// # Errors
    /// [`StreamFault`] when the bytes do not begin as an export does.
    pub fn new(mut from: R) -> Result<Self, StreamFault> {
        let mut magic = [0; MAGIC.len()];
        fill(&mut from, &mut magic)?;
        if let Some(format) = other_format(&magic) {
            return Err(StreamFault::OtherFormat(format));
        }
        if magic != MAGIC {
            return Err(StreamFault::Framing("it does not begin with boulier-log/4"));
        }
        Ok(Self { from, ended: false })
    }

    fn record(&mut self) -> Result<ExportRecord, StreamFault> {
        match self.array::<1>()? {
            [1] => Ok(ExportRecord::Entry(ExportedEntry {
                leaf_bytes: self.array::<LEAF_LENGTH>()?.to_vec(),
                leaf_hash: self.array()?,
                nonce: self.array()?,
                body: self.prefixed()?,
            })),
            [0] => {
                let text = String::from_utf8(self.prefixed()?)
                    .map_err(|_| StreamFault::Framing("the checkpoint is not UTF-8"))?;
                match self.from.read(&mut [0]).map_err(StreamFault::Io)? {
                    0 => Ok(ExportRecord::End(text)),
                    _ => Err(StreamFault::Framing("bytes follow the end")),
                }
            }
            _ => Err(StreamFault::Framing(
                "the mark is neither of an entry nor of the end",
            )),
        }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], StreamFault> {
        let mut bytes = [0; N];
        fill(&mut self.from, &mut bytes)?;
        Ok(bytes)
    }

    fn prefixed(&mut self) -> Result<Vec<u8>, StreamFault> {
        let length = u32::from_be_bytes(self.array()?);
        if length > BYTES_MAX {
            return Err(StreamFault::Framing("a length is beyond what is read"));
        }
        // Read through a limit, not into a buffer of the announced length: a wrong length takes
        // no more memory than the file has bytes.
        let mut bytes = Vec::new();
        self.from
            .by_ref()
            .take(u64::from(length))
            .read_to_end(&mut bytes)
            .map_err(StreamFault::Io)?;
        if bytes.len() as u64 != u64::from(length) {
            return Err(StreamFault::Framing("the bytes end inside a record"));
        }
        Ok(bytes)
    }
}

fn fill(from: &mut impl Read, bytes: &mut [u8]) -> Result<(), StreamFault> {
    from.read_exact(bytes).map_err(|fault| match fault.kind() {
        io::ErrorKind::UnexpectedEof => StreamFault::Framing("the bytes end inside a record"),
        _ => StreamFault::Io(fault),
    })
}

impl<R: Read> Iterator for Records<R> {
    type Item = Result<ExportRecord, StreamFault>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let record = self.record();
        self.ended = !matches!(record, Ok(ExportRecord::Entry(_)));
        Some(record)
    }
}

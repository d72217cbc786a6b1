//! An exported log: every entry with its hash, then a checkpoint (`FORMAT.md`, "Export").

use thiserror::Error;

use crate::encode::{DecodeFault, Field, Reader, put_bytes, take_bytes};
use crate::hash::Hash;
use crate::leaf::{Entry, LEAF_LENGTH, Leaf};

/// The first bytes of an export.
pub const MAGIC: &[u8] = b"boulier-log/4\n";
/// Longest body or checkpoint of an export, in bytes: whoever reads one refuses a longer one, so
/// none is recorded.
pub const BYTES_MAX: u32 = 64 * 1024 * 1024;
/// Where the digit of the format stands in [`MAGIC`].
const FORMAT_AT: usize = MAGIC.len() - 2;

const ENTRY: u8 = 1;
const END: u8 = 0;

/// Why an export cannot be read on.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExportFault {
    /// The file does not begin as an export does.
    #[error("not an exported log: it does not begin with boulier-log/4")]
    Magic,
    /// The file is an export of another format, whose entries nobody here knows.
    #[error("an export of format {0}: verify it with the keno-audit of the version that wrote it")]
    OtherFormat(char),
    /// A body or the checkpoint is longer than any that is read.
    #[error("a length is beyond what is read")]
    TooLong,
    /// A record is neither an entry nor the end.
    #[error("record mark {0} is neither an entry nor the end")]
    Mark(u8),
    /// The fields of the record cannot be read.
    #[error("the record cannot be read")]
    Fields(#[from] DecodeFault),
}

/// An entry as exported: what the exporter held for its hash stands beside it, so that a reader
/// can name the entry whose bytes were changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedEntry {
    /// The 62 bytes of the leaf.
    pub leaf_bytes: Vec<u8>,
    /// The leaf hash in the exporter's tree.
    pub leaf_hash: Hash,
    /// Nonce of the body's commitment.
    pub nonce: [u8; 32],
    /// The body.
    pub body: Vec<u8>,
}

impl ExportedEntry {
    /// The entry, read.
    ///
    /// # Errors
    /// A [`DecodeFault`] when the leaf's bytes are not a leaf.
    pub fn entry(&self) -> Result<Entry, DecodeFault> {
        Ok(Entry {
            leaf: Leaf::from_bytes(&self.leaf_bytes)?,
            nonce: self.nonce,
            body: self.body.clone(),
        })
    }
}

/// A record of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportRecord {
    /// One entry of the log.
    Entry(ExportedEntry),
    /// The end, with the exporter's signed checkpoint.
    End(String),
}

/// The format of an export that begins with these bytes, where it is another than this one.
pub fn other_format(begins: &[u8]) -> Option<char> {
    let digit = char::from(*begins.get(FORMAT_AT)?);
    let is_export = begins.get(..FORMAT_AT) == MAGIC.get(..FORMAT_AT);
    let is_other = begins.get(FORMAT_AT) != MAGIC.get(FORMAT_AT);
    (is_export && is_other && digit.is_ascii_digit()).then_some(digit)
}

/// Appends the first bytes of an export.
pub fn put_magic(out: &mut Vec<u8>) {
    out.extend_from_slice(MAGIC);
}

/// Appends an entry.
pub fn put_entry(entry: &Entry, leaf_hash: &Hash, out: &mut Vec<u8>) {
    ENTRY.put(out);
    out.extend_from_slice(&entry.leaf.to_bytes());
    leaf_hash.put(out);
    out.extend_from_slice(&entry.nonce);
    put_bytes(&entry.body, out);
}

/// Appends the end with a signed checkpoint.
pub fn put_end(checkpoint: &str, out: &mut Vec<u8>) {
    END.put(out);
    put_bytes(checkpoint.as_bytes(), out);
}

/// Reads an export record by record.
#[derive(Debug)]
pub struct ExportReader<'a> {
    reader: Reader<'a>,
    ended: bool,
}

impl<'a> ExportReader<'a> {
    /// A reader at the first record.
    ///
    /// # Errors
    /// [`ExportFault::OtherFormat`] or [`ExportFault::Magic`] when the bytes do not begin as an
    /// export of this format does.
    pub fn new(bytes: &'a [u8]) -> Result<Self, ExportFault> {
        let mut reader = Reader::new(bytes);
        let magic = reader
            .bytes(MAGIC.len(), "magic")
            .map_err(|_| ExportFault::Magic)?;
        if let Some(format) = other_format(magic) {
            return Err(ExportFault::OtherFormat(format));
        }
        if magic != MAGIC {
            return Err(ExportFault::Magic);
        }
        Ok(Self {
            reader,
            ended: false,
        })
    }

    fn bytes(&mut self) -> Result<&'a [u8], ExportFault> {
        let bytes = take_bytes(&mut self.reader)?;
        match u32::try_from(bytes.len()) {
            Ok(length) if length <= BYTES_MAX => Ok(bytes),
            _ => Err(ExportFault::TooLong),
        }
    }

    fn record(&mut self) -> Result<ExportRecord, ExportFault> {
        match u8::take(&mut self.reader)? {
            ENTRY => Ok(ExportRecord::Entry(ExportedEntry {
                leaf_bytes: self.reader.bytes(LEAF_LENGTH, "leaf")?.to_vec(),
                leaf_hash: Hash::take(&mut self.reader)?,
                nonce: self.reader.array("nonce")?,
                body: self.bytes()?.to_vec(),
            })),
            END => {
                let text = std::str::from_utf8(self.bytes()?);
                let text = text.map_err(|_| DecodeFault::NotText)?.to_owned();
                if self.reader.left() > 0 {
                    return Err(DecodeFault::Trailing(self.reader.left()).into());
                }
                Ok(ExportRecord::End(text))
            }
            other => Err(ExportFault::Mark(other)),
        }
    }
}

impl Iterator for ExportReader<'_> {
    type Item = Result<ExportRecord, ExportFault>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let record = self.record();
        self.ended = !matches!(record, Ok(ExportRecord::Entry(_)));
        Some(record)
    }
}

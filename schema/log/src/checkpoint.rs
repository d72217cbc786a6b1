//! Checkpoints: the size and root of the log at one moment, signed
//! (C2SP tlog-checkpoint, a kind of C2SP signed note).
//!
//! ```text
//! boulier.example/log/1          origin
//! 20852163                       tree size
//! CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=     root, base64
//!
//! — boulier.example/log/1 Az3grlgtzPIC…            signature lines
//! ```
//!
//! Three subjects stand in files of their own: [`key`], the names and keys,
//! [`note`], the text with its signature lines, and [`cosignature`], what others than the log sign. A verified checkpoint says what
//! the holder of the key stated, not that it agrees with an earlier one: for
//! that, ask for a consistency proof ([`crate::proof`]).

pub mod cosignature;
pub mod key;
pub mod note;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::hash::{EMPTY_ROOT, HASH_BYTES, Hash};

pub use key::{KeyFault, SigningKey, VerifyingKey};
pub use note::{Note, NoteFault, SignatureLine};

/// What a log states of itself: C2SP tlog-checkpoint, "Note text".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// The identity of the log: one non-empty line, by habit the URL of the
    /// log without its scheme. A new epoch of a log is a new origin.
    pub origin: String,
    /// Number of leaves.
    pub size: u64,
    /// Root of the tree over the first `size` leaves (RFC 6962, 2.1).
    pub root: Hash,
    /// Further lines, none of them empty; the specification advises against any.
    pub extensions: Vec<String>,
}

impl Checkpoint {
    /// A checkpoint without extension lines.
    #[must_use]
    pub fn new(origin: &str, size: u64, root: Hash) -> Self {
        Self {
            origin: origin.to_owned(),
            size,
            root,
            extensions: Vec::new(),
        }
    }

    /// The note text, exactly the bytes that are signed: each line ended by a
    /// newline.
    ///
    /// # Errors
    /// The first fault of origin, extensions or root; no text that
    /// [`Checkpoint::from_body`] would refuse is ever made.
    pub fn body(&self) -> Result<String, NoteFault> {
        self.check()?;
        let mut body = format!(
            "{}\n{}\n{}\n",
            self.origin,
            self.size,
            STANDARD.encode(self.root)
        );
        for line in &self.extensions {
            body.push_str(line);
            body.push('\n');
        }
        Ok(body)
    }

    /// Reads what [`Checkpoint::body`] wrote; nothing else is accepted.
    ///
    /// # Errors
    /// The first [`NoteFault`] in the order of the lines.
    pub fn from_body(body: &str) -> Result<Self, NoteFault> {
        let mut lines = body
            .strip_suffix('\n')
            .ok_or(NoteFault::NotEnded)?
            .split('\n');
        let checkpoint = Self {
            origin: lines.next().ok_or(NoteFault::OriginInvalid)?.to_owned(),
            size: parse_size(lines.next().ok_or(NoteFault::SizeInvalid)?)?,
            root: parse_root(lines.next().ok_or(NoteFault::RootInvalid)?)?,
            extensions: lines.map(str::to_owned).collect(),
        };
        checkpoint.check()?;
        Ok(checkpoint)
    }

    /// What must hold of the fields, read or to be written.
    fn check(&self) -> Result<(), NoteFault> {
        if !is_line(&self.origin) {
            return Err(NoteFault::OriginInvalid);
        }
        // There is one tree without leaves, so there is one root for it.
        if self.size == 0 && self.root != EMPTY_ROOT {
            return Err(NoteFault::RootInvalid);
        }
        if !self.extensions.iter().all(|line| is_line(line)) {
            return Err(NoteFault::ExtensionInvalid);
        }
        Ok(())
    }
}

/// Signs `checkpoint`: the text of the whole note, with one signature line.
///
/// Whoever signs must be sure never to have signed an inconsistent checkpoint.
///
/// # Errors
/// The first fault of the checkpoint's fields.
pub fn sign(checkpoint: &Checkpoint, key: &SigningKey) -> Result<String, NoteFault> {
    Ok(Note::sign(&checkpoint.body()?, key)?.to_string())
}

/// Reads a checkpoint signed by `key`. Signatures by other keys are ignored;
/// to keep them (a witness's cosignatures), parse the text as a [`Note`] too.
///
/// The origin is whatever the key signed. If the key may sign for more than
/// one log, or epoch of a log, use [`open_from`].
///
/// # Errors
/// The first [`NoteFault`]; nothing of an unverified text is ever returned.
pub fn open(note: &str, key: &VerifyingKey) -> Result<Checkpoint, NoteFault> {
    let note = Note::parse(note)?;
    note.verify(key)?;
    Checkpoint::from_body(note.text())
}

/// [`open`], and the checkpoint must be of the log `origin`.
///
/// # Errors
/// As [`open`], then [`NoteFault::OtherOrigin`].
pub fn open_from(note: &str, origin: &str, key: &VerifyingKey) -> Result<Checkpoint, NoteFault> {
    let checkpoint = open(note, key)?;
    if checkpoint.origin != origin {
        return Err(NoteFault::OtherOrigin);
    }
    Ok(checkpoint)
}

/// Whether `text` can be one line of a checkpoint.
fn is_line(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(|char| char < ' ')
}

/// A decimal number in its one spelling: no sign, no leading zero.
fn parse_size(line: &str) -> Result<u64, NoteFault> {
    let size: u64 = line.parse().map_err(|_| NoteFault::SizeInvalid)?;
    if size.to_string() != line {
        return Err(NoteFault::SizeInvalid);
    }
    Ok(size)
}

/// A root in standard base64, padded, in its one spelling.
fn parse_root(line: &str) -> Result<Hash, NoteFault> {
    let bytes = STANDARD.decode(line).map_err(|_| NoteFault::RootInvalid)?;
    <[u8; HASH_BYTES]>::try_from(bytes).map_err(|_| NoteFault::RootInvalid)
}

//! Signed notes: a text and the signature lines under it (C2SP signed-note).
//!
//! A note is read strictly and printed back byte for byte, signatures by
//! unknown keys included, so that a witness's cosignature survives us.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::key::{SigningKey, VerifyingKey, check_name};

/// Longest note that is read, in bytes: room for more than the 16 signatures
/// that the specification asks for, even of the longest post-quantum kind (5 kB).
pub const NOTE_BYTES_MAX: usize = 256 * 1024;

/// Most signature lines in a note. The specification asks for 16 at the least.
pub const SIGNATURES_MAX: usize = 100;

/// What a signature line begins with: an em dash and a space.
const LINE_PREFIX: &str = "\u{2014} ";

/// Bytes of the key id before a signature.
const KEY_ID_BYTES: usize = 4;

faults! {
    /// Why a note, or the checkpoint in it, is refused. Ordered: the first that
    /// applies is reported.
    NoteFault {
        /// Longer than [`NOTE_BYTES_MAX`].
        TooLong "too_long": "the note is too long",
        /// A control character other than a newline.
        ControlCharacter "control_character": "the note has a control character",
        /// The text does not end in a newline.
        NotEnded "not_ended": "the text does not end in a newline",
        /// No empty line between text and signatures, or no text, or no signature.
        NotDivided "not_divided": "the note has no text and signatures divided by an empty line",
        /// More than [`SIGNATURES_MAX`] signature lines.
        TooManySignatures "too_many_signatures": "the note has too many signatures",
        /// A signature line is not `— name base64(key id ‖ signature)`.
        SignatureMalformed "signature_malformed": "a signature line is malformed",
        /// No signature by the key asked for.
        NotSigned "not_signed": "the note is not signed by the key",
        /// A signature that names the key is not the key's.
        SignatureInvalid "signature_invalid": "a signature in the key's name does not verify",
        /// The origin is empty or has a control character.
        OriginInvalid "origin_invalid": "the checkpoint's origin is not a line of text",
        /// The size is not a decimal number without leading zeroes.
        SizeInvalid "size_invalid": "the checkpoint's size is not a number in its one spelling",
        /// The root is not base64 of 32 bytes, or not the root of an empty tree.
        RootInvalid "root_invalid": "the checkpoint's root is not base64 of a root",
        /// An extension line is empty or has a control character.
        ExtensionInvalid "extension_invalid": "an extension line of the checkpoint is not a line of text",
        /// A checkpoint of another log.
        OtherOrigin "other_origin": "the checkpoint is of another origin",
    }
}

/// A text with signature lines, of the right form; nothing is verified yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    text: String,
    signatures: Vec<SignatureLine>,
}

/// One signature line, by whatever key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureLine {
    name: String,
    key_id: u32,
    signature: Vec<u8>,
}

impl Note {
    /// Signs `text`, which must end in a newline.
    ///
    /// # Errors
    /// [`NoteFault::ControlCharacter`] or [`NoteFault::NotEnded`], or
    /// [`NoteFault::TooLong`] for a text whose note could not be read again.
    pub fn sign(text: &str, key: &SigningKey) -> Result<Self, NoteFault> {
        check_text(text)?;
        let note = Self {
            text: text.to_owned(),
            signatures: vec![SignatureLine::new(
                key.name(),
                key.key_id(),
                key.signature_over(text),
            )],
        };
        if note.to_string().len() > NOTE_BYTES_MAX {
            return Err(NoteFault::TooLong);
        }
        Ok(note)
    }

    /// Reads a note. Text and signatures are divided by the last empty line.
    ///
    /// # Errors
    /// The first [`NoteFault`] of form; signatures are not verified here.
    pub fn parse(note: &str) -> Result<Self, NoteFault> {
        if note.len() > NOTE_BYTES_MAX {
            return Err(NoteFault::TooLong);
        }
        check_text(note)?;
        let (text, lines) = note.rsplit_once("\n\n").ok_or(NoteFault::NotDivided)?;
        let lines = lines.strip_suffix('\n').ok_or(NoteFault::NotDivided)?;
        if lines.split('\n').count() > SIGNATURES_MAX {
            return Err(NoteFault::TooManySignatures);
        }
        Ok(Self {
            text: format!("{text}\n"),
            signatures: lines
                .split('\n')
                .map(SignatureLine::parse)
                .collect::<Result<_, _>>()?,
        })
    }

    /// The signed text, its last newline included. Trust it only after
    /// [`Note::verify`].
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The signature lines in their order, verified or not.
    #[must_use]
    pub fn signatures(&self) -> &[SignatureLine] {
        &self.signatures
    }

    /// Checks that `key` signed the text. Lines of other keys are ignored;
    /// every line in this key's name and id must verify.
    ///
    /// # Errors
    /// [`NoteFault::NotSigned`] or [`NoteFault::SignatureInvalid`].
    pub fn verify(&self, key: &VerifyingKey) -> Result<(), NoteFault> {
        let mut of_key = self
            .signatures
            .iter()
            .filter(|line| line.name == key.name() && line.key_id == key.key_id())
            .peekable();
        if of_key.peek().is_none() {
            return Err(NoteFault::NotSigned);
        }
        if !of_key.all(|line| key.has_signed(&self.text, &line.signature)) {
            return Err(NoteFault::SignatureInvalid);
        }
        Ok(())
    }

    /// Adds a signature line below the others, a witness's cosignature for
    /// instance. It is not verified. A line that is there already is not added.
    ///
    /// # Errors
    /// [`NoteFault::TooManySignatures`].
    pub fn add(&mut self, line: SignatureLine) -> Result<(), NoteFault> {
        if self.signatures.contains(&line) {
            return Ok(());
        }
        if self.signatures.len() >= SIGNATURES_MAX {
            return Err(NoteFault::TooManySignatures);
        }
        self.signatures.push(line);
        Ok(())
    }
}

impl fmt::Display for Note {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{}", self.text)?;
        self.signatures
            .iter()
            .try_for_each(|line| writeln!(formatter, "{line}"))
    }
}

impl SignatureLine {
    /// A line by the key of this name and id.
    pub(super) fn new(name: &str, key_id: u32, signature: Vec<u8>) -> Self {
        Self {
            name: name.to_owned(),
            key_id,
            signature,
        }
    }

    /// Whether this is the one line of `key` under `text`: what is kept where everybody can make
    /// the text again.
    #[must_use]
    pub fn is_under(line: &str, text: &str, key: &VerifyingKey) -> bool {
        // A line that is more than one would move the end of the text, or be more signatures.
        Note::parse(&format!("{text}\n{line}\n")).is_ok_and(|note| {
            note.text() == text && note.signatures.len() == 1 && note.verify(key).is_ok()
        })
    }

    /// Reads one line, without its newline.
    ///
    /// # Errors
    /// [`NoteFault::SignatureMalformed`].
    pub fn parse(line: &str) -> Result<Self, NoteFault> {
        let malformed = NoteFault::SignatureMalformed;
        let (name, encoded) = line
            .strip_prefix(LINE_PREFIX)
            .and_then(|rest| rest.split_once(' '))
            .ok_or(malformed)?;
        check_name(name).map_err(|_| malformed)?;
        let bytes = STANDARD.decode(encoded).map_err(|_| malformed)?;
        let (key_id, signature) = bytes.split_first_chunk::<KEY_ID_BYTES>().ok_or(malformed)?;
        if signature.is_empty() {
            return Err(malformed);
        }
        Ok(Self {
            name: name.to_owned(),
            key_id: u32::from_be_bytes(*key_id),
            signature: signature.to_vec(),
        })
    }

    /// The name of the key.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The id of the key.
    #[must_use]
    pub const fn key_id(&self) -> u32 {
        self.key_id
    }

    /// The signature's bytes, in the form of its key's type.
    #[must_use]
    pub fn signature(&self) -> &[u8] {
        &self.signature
    }
}

impl fmt::Display for SignatureLine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key_id = self.key_id.to_be_bytes();
        let encoded = STANDARD.encode([key_id.as_slice(), &self.signature].concat());
        write!(formatter, "{LINE_PREFIX}{} {encoded}", self.name)
    }
}

/// What holds of a note's text and of a whole note alike.
fn check_text(text: &str) -> Result<(), NoteFault> {
    if text.chars().any(|char| char < ' ' && char != '\n') {
        return Err(NoteFault::ControlCharacter);
    }
    if !text.ends_with('\n') {
        return Err(NoteFault::NotEnded);
    }
    Ok(())
}

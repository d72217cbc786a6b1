//! Names and Ed25519 keys of signed notes (C2SP signed-note, "Signatures";
//! the text forms are those of `golang.org/x/mod/sumdb/note`).
//!
//! A key is known by its name and its key id together. The id is a short
//! label, not a fingerprint: trust comes from the whole public key.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::Signer as _;

use crate::hash::sha256;

/// Signature type byte of plain Ed25519 (C2SP signed-note, "Signature types").
const TYPE_ED25519: u8 = 0x01;
/// That of a cosignature with a moment, by such a key (C2SP tlog-cosignature).
pub(super) const TYPE_COSIGNATURE: u8 = 0x04;

/// Bytes of an Ed25519 seed or public key.
const KEY_BYTES: usize = 32;

/// Digits of a key id in text.
const KEY_ID_DIGITS: usize = 8;

faults! {
    /// Why a name or the text of a key is refused.
    KeyFault {
        /// Not of the form `name+id+key` (with `PRIVATE+KEY+` before, to sign).
        Malformed "malformed": "the key is not of the form name+id+key",
        /// Empty, or with a space, a plus sign or a control character.
        NameInvalid "name_invalid": "the key's name is empty or has a space, a plus sign or a control character",
        /// Not eight lower-case hexadecimal digits.
        IdInvalid "id_invalid": "the key id is not eight lower-case hexadecimal digits",
        /// Not base64 of a type byte and 32 bytes.
        KeyInvalid "key_invalid": "the key is not base64 of a type byte and 32 bytes",
        /// A type of key other than Ed25519.
        OtherType "other_type": "the key is of a type other than Ed25519",
        /// Not a point of the curve in its one encoding, or one that verifies forged signatures.
        PointInvalid "point_invalid": "the public key is not a usable point of the curve",
        /// The id in the text is not the id of name and key.
        IdMismatch "id_mismatch": "the key id does not belong to the name and key",
    }
}

/// A named key that verifies notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifyingKey {
    name: String,
    key_id: u32,
    key: ed25519_dalek::VerifyingKey,
}

impl VerifyingKey {
    /// The key `name` with the 32 bytes of an Ed25519 public key (RFC 8032).
    ///
    /// # Errors
    /// [`KeyFault::NameInvalid`] or [`KeyFault::PointInvalid`].
    pub fn from_bytes(name: &str, public_key: &[u8; KEY_BYTES]) -> Result<Self, KeyFault> {
        check_name(name)?;
        let key = ed25519_dalek::VerifyingKey::from_bytes(public_key)
            .map_err(|_| KeyFault::PointInvalid)?;
        if key.is_weak() || !is_reduced(public_key) {
            return Err(KeyFault::PointInvalid);
        }
        Ok(Self {
            name: name.to_owned(),
            key_id: key_id_of(TYPE_ED25519, name, public_key),
            key,
        })
    }

    /// Reads the text form, `name+id+base64(0x01 ‖ public key)`; the inverse of
    /// [`VerifyingKey`]'s `Display`.
    ///
    /// # Errors
    /// The first [`KeyFault`] in the order of the parts.
    pub fn parse(text: &str) -> Result<Self, KeyFault> {
        let parts = KeyText::parse(text, &[TYPE_ED25519])?;
        let key = Self::from_bytes(parts.name, &parts.key)?;
        parts.check_id(key.key_id)?;
        Ok(key)
    }

    /// Reads the key of somebody who cosigns, of either form: as [`Self::parse`], or with the type of
    /// a cosignature, `name+id+base64(0x04 ‖ public key)` (C2SP tlog-cosignature), as witnesses
    /// publish theirs.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn parse_cosigner(text: &str) -> Result<Self, KeyFault> {
        let Err(KeyFault::OtherType) = Self::parse(text) else {
            return Self::parse(text);
        };
        let parts = KeyText::parse(text, &[TYPE_COSIGNATURE])?;
        let key = Self::from_bytes(parts.name, &parts.key)?;
        parts.check_id(key_id_of(TYPE_COSIGNATURE, parts.name, &parts.key))?;
        Ok(key)
    }

    /// The name, as it stands in signature lines.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// SHA-256(name ‖ 0x0A ‖ 0x01 ‖ public key), its first four bytes big-endian.
    #[must_use]
    pub const fn key_id(&self) -> u32 {
        self.key_id
    }

    /// The 32 bytes of the public key.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; KEY_BYTES] {
        self.key.to_bytes()
    }

    /// Whether `signature` (64 bytes) is this key's over `text`. Strict: a
    /// signature that only some verifiers would accept is refused.
    #[must_use]
    pub(super) fn has_signed(&self, text: &str, signature: &[u8]) -> bool {
        ed25519_dalek::Signature::from_slice(signature)
            .and_then(|signature| self.key.verify_strict(text.as_bytes(), &signature))
            .is_ok()
    }
}

impl fmt::Display for VerifyingKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = encode_key(&self.key.to_bytes());
        write!(formatter, "{}+{:08x}+{key}", self.name, self.key_id)
    }
}

impl std::str::FromStr for VerifyingKey {
    type Err = KeyFault;

    fn from_str(text: &str) -> Result<Self, KeyFault> {
        Self::parse(text)
    }
}

/// A named key that signs notes. It has no `Display` and its `Debug` shows no
/// secret; the secret is overwritten when the key is dropped.
#[derive(Clone)]
pub struct SigningKey {
    verifying: VerifyingKey,
    key: ed25519_dalek::SigningKey,
}

impl SigningKey {
    /// The key `name` made from an Ed25519 seed: 32 secret, uniform bytes.
    ///
    /// # Errors
    /// [`KeyFault::NameInvalid`].
    pub fn from_seed(name: &str, seed: &[u8; KEY_BYTES]) -> Result<Self, KeyFault> {
        let key = ed25519_dalek::SigningKey::from_bytes(seed);
        let verifying = VerifyingKey::from_bytes(name, &key.verifying_key().to_bytes())?;
        Ok(Self { verifying, key })
    }

    /// The name, as it stands in signature lines.
    #[must_use]
    pub fn name(&self) -> &str {
        self.verifying.name()
    }

    /// The key id, the same as the verifying key's.
    #[must_use]
    pub const fn key_id(&self) -> u32 {
        self.verifying.key_id()
    }

    /// The key that verifies what this one signs.
    #[must_use]
    pub const fn verifying_key(&self) -> &VerifyingKey {
        &self.verifying
    }

    /// The 64 bytes of this key's signature over `text` (RFC 8032).
    #[must_use]
    pub(super) fn signature_over(&self, text: &str) -> Vec<u8> {
        self.key.sign(text.as_bytes()).to_bytes().to_vec()
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SigningKey")
            .field("verifying", &self.verifying)
            .finish_non_exhaustive()
    }
}

/// Refuses what cannot be a key's name (C2SP signed-note, "Format").
pub(super) fn check_name(name: &str) -> Result<(), KeyFault> {
    let is_refused = |char: char| char.is_whitespace() || char == '+' || char.is_control();
    if name.is_empty() || name.contains(is_refused) {
        return Err(KeyFault::NameInvalid);
    }
    Ok(())
}

/// The parts of a key's text, not yet checked against each other.
struct KeyText<'a> {
    name: &'a str,
    key_id: u32,
    key: [u8; KEY_BYTES],
}

impl<'a> KeyText<'a> {
    fn parse(text: &'a str, types: &[u8]) -> Result<Self, KeyFault> {
        // Base64 has plus signs of its own: only the first two divide.
        let mut parts = text.splitn(3, '+');
        let (Some(name), Some(key_id), Some(key)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err(KeyFault::Malformed);
        };
        check_name(name)?;
        Ok(Self {
            name,
            key_id: parse_key_id(key_id)?,
            key: decode_key(key, types)?,
        })
    }

    fn check_id(&self, key_id: u32) -> Result<(), KeyFault> {
        if self.key_id != key_id {
            return Err(KeyFault::IdMismatch);
        }
        Ok(())
    }
}

fn parse_key_id(text: &str) -> Result<u32, KeyFault> {
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if text.len() != KEY_ID_DIGITS || !text.as_bytes().iter().all(is_digit) {
        return Err(KeyFault::IdInvalid);
    }
    u32::from_str_radix(text, 16).map_err(|_| KeyFault::IdInvalid)
}

/// Whether the y coordinate is below the prime 2^255 - 19 (RFC 8032, 5.1.3). The curve's library
/// reads it modulo the prime, so that some points would have two encodings.
fn is_reduced(public_key: &[u8; KEY_BYTES]) -> bool {
    let [lowest, middle @ .., highest] = public_key;
    // The highest bit is the sign of x.
    *lowest < 0xed || middle.iter().any(|byte| *byte != 0xff) || highest & 0x7f != 0x7f
}

fn decode_key(text: &str, types: &[u8]) -> Result<[u8; KEY_BYTES], KeyFault> {
    let bytes = STANDARD.decode(text).map_err(|_| KeyFault::KeyInvalid)?;
    let (key_type, key) = bytes.split_first().ok_or(KeyFault::KeyInvalid)?;
    if !types.contains(key_type) {
        return Err(KeyFault::OtherType);
    }
    key.try_into().map_err(|_| KeyFault::KeyInvalid)
}

fn encode_key(key: &[u8; KEY_BYTES]) -> String {
    STANDARD.encode([&[TYPE_ED25519], key.as_slice()].concat())
}

/// SHA-256(name ‖ 0x0A ‖ type ‖ public key), its first four bytes big-endian.
pub(super) fn key_id_of(key_type: u8, name: &str, public_key: &[u8; KEY_BYTES]) -> u32 {
    let [first, second, third, fourth, ..] =
        sha256(&[name.as_bytes(), b"\n", &[key_type], public_key.as_slice()].concat());
    u32::from_be_bytes([first, second, third, fourth])
}

//! The code that a person carries from a device's screen to central, and the two proofs of it:
//! the device proves to central that the connection was not turned aside, and central proves to
//! the device that the person typed the code there. The code itself never travels.
//!
//! ```text
//! secret        = argon2id(password = the 8 signs of the code, salt; m = 19456 KiB, t = 2, p = 1; 32 bytes)
//! device proof  = HMAC-SHA256(secret, "boulier/enrol/device/v1"  ‖ 00 ‖ authority ‖ key)
//! central proof = HMAC-SHA256(secret, "boulier/enrol/central/v1" ‖ 00 ‖ authority ‖ key ‖
//!                             certificate ‖ device (4 bytes, big-endian) ‖ role ‖ name)
//! ```
//!
//! `authority` is SHA-256 of the DER certificate of the authority that the connection showed,
//! `key` SHA-256 of the device's SubjectPublicKeyInfo (DER), `certificate` SHA-256 of the DER
//! certificate that the device is given, `role` one byte, `name` UTF-8 to the end. Every part
//! but the last has one length, so that no two messages are the same bytes.

use std::fmt;

use argon2::{Algorithm, Argon2, Params, Version};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use thiserror::Error;
use zeroize::Zeroizing;

/// A SHA-256 digest or an HMAC.
pub type Tag = [u8; 32];

/// Signs of a code: 5 bits each.
const SIGNS: usize = 8;
/// Crockford's base 32: no I, L, O or U.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Memory of argon2id, in KiB.
const MEMORY_KIB: u32 = 19_456;
/// Passes of argon2id.
const PASSES: u32 = 2;

/// Bytes of the salt, which the device draws by lot.
pub const SALT_BYTES: usize = 16;

/// SHA-256 of bytes, as every proof takes them.
pub fn digest(bytes: &[u8]) -> Tag {
    Sha256::digest(bytes).into()
}

/// What is typed is no code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("an enrolment code is 8 letters and digits, such as ABCD-EFGH")]
pub struct CodeFault;

/// A code of 40 bits, which a person reads on a screen and types elsewhere.
#[derive(Clone, PartialEq, Eq)]
pub struct EnrolmentCode(Zeroizing<[u8; SIGNS]>);

/// A code is shown to the person at the device alone.
impl fmt::Debug for EnrolmentCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("EnrolmentCode(..)")
    }
}

impl EnrolmentCode {
    /// The code of five random bytes.
    pub fn from_random(random: [u8; 5]) -> Self {
        let bits = random
            .into_iter()
            .fold(0_u64, |bits, byte| (bits << 8) | u64::from(byte));
        let mut signs = Zeroizing::new([b'0'; SIGNS]);
        for (place, sign) in signs.iter_mut().rev().enumerate() {
            let five = (bits >> (5 * place)) & 31;
            *sign = usize::try_from(five)
                .ok()
                .and_then(|five| ALPHABET.get(five))
                .copied()
                .unwrap_or(b'0');
        }
        Self(signs)
    }

    /// Reads what a person typed: small letters, spaces and hyphens do not matter, and the
    /// letters that look like digits are those digits.
    ///
    /// # Errors
    /// [`CodeFault`].
    pub fn read(typed: &str) -> Result<Self, CodeFault> {
        let mut signs = Zeroizing::new([0_u8; SIGNS]);
        let mut places = signs.iter_mut();
        for one in typed.chars().filter(|one| !matches!(one, '-' | ' ')) {
            let sign = match one.to_ascii_uppercase() {
                'O' => '0',
                'I' | 'L' => '1',
                other => other,
            };
            let sign = u8::try_from(sign).map_err(|_| CodeFault)?;
            if !ALPHABET.contains(&sign) {
                return Err(CodeFault);
            }
            *places.next().ok_or(CodeFault)? = sign;
        }
        match places.next() {
            None => Ok(Self(signs)),
            Some(_) => Err(CodeFault),
        }
    }

    /// As it is shown: `ABCD-EFGH`.
    pub fn shown(&self) -> Zeroizing<String> {
        let mut text = Zeroizing::new(String::with_capacity(SIGNS + 1));
        for (place, sign) in self.0.iter().enumerate() {
            if place == SIGNS / 2 {
                text.push('-');
            }
            text.push(char::from(*sign));
        }
        text
    }

    /// The secret of this code under a salt. Takes about 15 ms of CPU, on purpose.
    pub fn secret(&self, salt: &[u8; SALT_BYTES]) -> Option<CodeSecret> {
        let parameters = Params::new(MEMORY_KIB, PASSES, 1, Some(32)).ok()?;
        let mut secret = Zeroizing::new([0_u8; 32]);
        Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters)
            .hash_password_into(self.0.as_slice(), salt, secret.as_mut_slice())
            .ok()?;
        Some(CodeSecret(secret))
    }
}

/// What a proof is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// SHA-256 of the authority's certificate, as the connection showed it.
    pub authority: Tag,
    /// SHA-256 of the device's SubjectPublicKeyInfo.
    pub key: Tag,
}

/// What central gives a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Given<'a> {
    /// SHA-256 of the certificate.
    pub certificate: Tag,
    /// Device number.
    pub device: u32,
    /// Number of the role: 1 counter, 2 kiosk, 3 display, 4 audit office, 5 draw desk, 6 back office,
    /// 7 counter of the main cage.
    pub role: u8,
    /// Name of the device.
    pub name: &'a str,
}

/// What only a holder of the code can compute.
pub struct CodeSecret(Zeroizing<[u8; 32]>);

impl fmt::Debug for CodeSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("CodeSecret(..)")
    }
}

impl CodeSecret {
    fn tag(&self, parts: &[&[u8]]) -> Tag {
        // A key of 32 bytes is never refused; were it, the tag of nothing would fit nothing.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(self.0.as_slice()) else {
            return [0; 32];
        };
        for part in parts {
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }

    /// The device's proof.
    pub fn device_proof(&self, seen: &Seen) -> Tag {
        self.tag(&[b"boulier/enrol/device/v1\0", &seen.authority, &seen.key])
    }

    /// Central's proof.
    pub fn central_proof(&self, seen: &Seen, given: &Given<'_>) -> Tag {
        self.tag(&[
            b"boulier/enrol/central/v1\0",
            &seen.authority,
            &seen.key,
            &given.certificate,
            &given.device.to_be_bytes(),
            &[given.role],
            given.name.as_bytes(),
        ])
    }
}

/// Whether two tags are the same, in a time that does not tell where they differ.
pub fn same(one: &Tag, other: &Tag) -> bool {
    one.ct_eq(other).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEN: Seen = Seen {
        authority: [1; 32],
        key: [2; 32],
    };
    const GIVEN: Given<'static> = Given {
        certificate: [3; 32],
        device: 7,
        role: 1,
        name: "T07",
    };

    fn code() -> EnrolmentCode {
        EnrolmentCode::from_random([0x12, 0x34, 0x56, 0x78, 0x9a])
    }

    #[test]
    fn what_is_shown_is_read_back_however_it_is_typed() {
        assert_eq!(code().shown().as_str(), "28T5-CY4T");
        for typed in ["28T5-CY4T", "28t5cy4t", " 28 T5 - cy4T "] {
            assert_eq!(EnrolmentCode::read(typed).unwrap(), code(), "{typed}");
        }
        assert_eq!(
            EnrolmentCode::read("OIl0-0000").unwrap(),
            EnrolmentCode::read("0110-0000").unwrap()
        );
        for typed in ["", "28T5-CY4", "28T5-CY4T2", "28T5-CY4U", "28T5-CY4é"] {
            assert_eq!(EnrolmentCode::read(typed), Err(CodeFault), "{typed}");
        }
        assert_eq!(
            EnrolmentCode::from_random([0xff; 5]).shown().as_str(),
            "ZZZZ-ZZZZ"
        );
    }

    #[test]
    fn a_proof_is_of_every_part_of_what_was_seen_and_given() {
        let secret = code().secret(&[9; SALT_BYTES]).unwrap();
        let device = secret.device_proof(&SEEN);
        let central = secret.central_proof(&SEEN, &GIVEN);
        assert!(!same(&device, &central));
        let other = Seen {
            authority: [8; 32],
            ..SEEN
        };
        assert!(!same(&device, &secret.device_proof(&other)));
        assert!(!same(&central, &secret.central_proof(&other, &GIVEN)));
        let other = Seen {
            key: [8; 32],
            ..SEEN
        };
        assert!(!same(&device, &secret.device_proof(&other)));
        for given in [
            Given {
                certificate: [8; 32],
                ..GIVEN
            },
            Given { device: 8, ..GIVEN },
            Given { role: 2, ..GIVEN },
            Given {
                name: "T08",
                ..GIVEN
            },
        ] {
            assert!(!same(&central, &secret.central_proof(&SEEN, &given)));
        }
        let typed = EnrolmentCode::read("28T5-CY4V").unwrap();
        let wrong = typed.secret(&[9; SALT_BYTES]).unwrap();
        assert!(!same(&device, &wrong.device_proof(&SEEN)));
        let salted = code().secret(&[8; SALT_BYTES]).unwrap();
        assert!(!same(&device, &salted.device_proof(&SEEN)));
    }
}

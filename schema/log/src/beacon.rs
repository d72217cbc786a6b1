//! A public beacon of randomness as a holder of secrets: whose rounds nobody knows before their moment.
//!
//! The beacons of [drand](https://docs.drand.love/docs/specification) are read, of the scheme
//! `bls-unchained-g1-rfc9380` alone (the network *quicknet*): round r is a BLS signature (a point of G1
//! of BLS12-381) over SHA-256 of r as eight bytes, under the network's key (a point of G2). It comes at
//! the moment of its round, and the round before says nothing of it.
//!
//! ```text
//! bls-unchained-g1-rfc9380 quicknet 1692803367 3 83cf0f28…       a beacon: scheme, name, moment of
//!                                                                round 1 and period in seconds, key
//! 1000 b44679b9…                                                 a round: number, signature
//! ```
//!
//! Pure, as all of this crate: who fetches a round is not here, and needs nobody's trust.

use std::fmt;

use blst::BLST_ERROR;
use blst::min_sig::{PublicKey, Signature};
use sha2::{Digest as _, Sha256};

/// The one scheme that is read, by drand's own name of it.
pub const SCHEME: &str = "bls-unchained-g1-rfc9380";
/// The network quicknet of drand, as it publishes itself. Nobody else has its name.
pub const QUICKNET: &str = "bls-unchained-g1-rfc9380 quicknet 1692803367 3 83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a";
/// Its name.
const QUICKNET_NAME: &str = "quicknet";
/// Domain of the signatures of that scheme.
const DOMAIN: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
/// Bytes of a key: a compressed point of G2.
const KEY_BYTES: usize = 96;
/// Bytes of a round's signature: a compressed point of G1.
pub const SIGNATURE_BYTES: usize = 48;
/// Bytes of a beacon's name.
const NAME_MAX: usize = 64;
/// Longest period, in seconds.
const PERIOD_MAX: u64 = 3_600;
/// Latest moment of a first round, in seconds.
const FIRST_MAX: u64 = 1 << 40;
/// A round is of a draw that closed so long before it, at least: by then nobody could have known it.
pub const AHEAD_MS: i64 = 5_000;

faults! {
    /// Why a text is no beacon. Closed; the order is the order of the checks.
    BeaconFault {
        /// Not five fields with one blank between them.
        NotFive "beacon_not_five": "a beacon has scheme, name, first moment, period and key",
        /// Another scheme.
        OtherScheme "beacon_other_scheme": "the scheme is not bls-unchained-g1-rfc9380",
        /// Not a name.
        NameInvalid "beacon_name_invalid": "the name is 1 to 64 of letters, digits, hyphen, point and underscore",
        /// Not a number, or too large.
        MomentInvalid "beacon_moment_invalid": "first moment and period are whole seconds, the period 1 to 3600",
        /// Not a point of the right group.
        KeyInvalid "beacon_key_invalid": "the key is not a point of G2 in 192 lower-case hexadecimal digits",
        /// A known network's name, and another key or other moments.
        OtherQuicknet "beacon_other_quicknet": "the network quicknet has another key or other moments",
    }
}

/// A beacon whose rounds can be verified.
#[derive(Clone, PartialEq, Eq)]
pub struct Beacon {
    name: String,
    first_s: u64,
    period_s: u64,
    key: PublicKey,
}

/// A round of a beacon, as it is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// Its number, from 1.
    pub number: u64,
    /// Its signature; whose, only [`Beacon::has_given`] says.
    pub signature: [u8; SIGNATURE_BYTES],
}

/// A decimal number in its one spelling: no sign, no leading zero.
fn number(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

/// Bytes in lower-case hexadecimal, their one spelling.
fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    hex::decode_to_slice(text, &mut bytes).ok()?;
    (hex::encode(bytes) == text).then_some(bytes)
}

impl Beacon {
    /// Whether a text in the place of a host's key is meant as a beacon: keys have no blanks.
    #[must_use]
    pub fn is_meant(key: &str) -> bool {
        key.contains(' ')
    }

    /// The beacon of these parts.
    ///
    /// # Errors
    /// The first [`BeaconFault`].
    pub fn new(
        scheme: &str,
        name: &str,
        first: &str,
        period: &str,
        key: &str,
    ) -> Result<Self, BeaconFault> {
        if scheme != SCHEME {
            return Err(BeaconFault::OtherScheme);
        }
        let is_sign = |sign: u8| sign.is_ascii_alphanumeric() || b"-._".contains(&sign);
        if name.is_empty() || name.len() > NAME_MAX || !name.bytes().all(is_sign) {
            return Err(BeaconFault::NameInvalid);
        }
        let in_range = |text: &str, min: u64, max: u64| {
            number(text).filter(|number| (min..=max).contains(number))
        };
        let first_s = in_range(first, 0, FIRST_MAX).ok_or(BeaconFault::MomentInvalid)?;
        let period_s = in_range(period, 1, PERIOD_MAX).ok_or(BeaconFault::MomentInvalid)?;
        let key = bytes::<KEY_BYTES>(key).ok_or(BeaconFault::KeyInvalid)?;
        // On the curve, in the group, and not the point at infinity, under which everything holds.
        let key = PublicKey::key_validate(&key).map_err(|_| BeaconFault::KeyInvalid)?;
        let beacon = Self {
            name: name.to_owned(),
            first_s,
            period_s,
            key,
        };
        if name == QUICKNET_NAME && !beacon.is_quicknet() {
            return Err(BeaconFault::OtherQuicknet);
        }
        Ok(beacon)
    }

    /// Reads what [`fmt::Display`] writes; nothing else is accepted.
    ///
    /// # Errors
    /// The first [`BeaconFault`].
    pub fn parse(text: &str) -> Result<Self, BeaconFault> {
        let fields: Vec<&str> = text.split(' ').collect();
        let [scheme, name, first, period, key] = fields[..] else {
            return Err(BeaconFault::NotFive);
        };
        Self::new(scheme, name, first, period, key)
    }

    /// The network's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is the network quicknet of drand, which this program knows.
    #[must_use]
    pub fn is_quicknet(&self) -> bool {
        self.to_string() == QUICKNET
    }

    /// The network's key, a compressed point of G2: what makes two texts one network.
    #[must_use]
    pub fn key(&self) -> [u8; KEY_BYTES] {
        self.key.to_bytes()
    }

    /// The newest round whose moment has come by `now_ms`; 0 before the first.
    #[must_use]
    pub fn newest(&self, now_ms: i64) -> u64 {
        let since_ms = i128::from(now_ms) - i128::from(self.first_s) * 1_000;
        if since_ms < 0 {
            return 0;
        }
        let rounds = since_ms / (i128::from(self.period_s) * 1_000);
        u64::try_from(rounds + 1).unwrap_or(u64::MAX)
    }

    /// The moment of a round, UTC milliseconds.
    #[must_use]
    pub fn moment_ms(&self, round: u64) -> i64 {
        let rounds = i128::from(round) - 1;
        let seconds = i128::from(self.first_s) + rounds * i128::from(self.period_s);
        i64::try_from(seconds * 1_000).unwrap_or(i64::MAX)
    }

    /// The round of a draw that closed at `closed_at_ms`: the first whose moment comes [`AHEAD_MS`]
    /// later or more.
    #[must_use]
    pub fn round_of(&self, closed_at_ms: i64) -> u64 {
        let from_ms = i128::from(closed_at_ms) + i128::from(AHEAD_MS);
        let since_ms = from_ms - i128::from(self.first_s) * 1_000;
        let period_ms = i128::from(self.period_s) * 1_000;
        // Rounded up: the round that is under way has its moment behind it.
        let rounds = (since_ms.max(0) + period_ms - 1) / period_ms;
        u64::try_from(rounds + 1).unwrap_or(u64::MAX)
    }

    /// Whether the beacon gave this round: its signature holds.
    #[must_use]
    pub fn has_given(&self, round: &Round) -> bool {
        let Ok(signature) = Signature::from_bytes(&round.signature) else {
            return false;
        };
        let message = Sha256::digest(round.number.to_be_bytes());
        let verdict = signature.verify(true, &message, DOMAIN, &[], &self.key, true);
        verdict == BLST_ERROR::BLST_SUCCESS
    }

    /// The round that `line` says, if it is the one of a draw that closed then, and was given.
    #[must_use]
    pub fn given_for(&self, closed_at_ms: i64, line: &str) -> Option<Round> {
        let round = Round::parse(line)?;
        (round.number == self.round_of(closed_at_ms) && self.has_given(&round)).then_some(round)
    }
}

impl fmt::Display for Beacon {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            first_s,
            period_s,
            key,
        } = self;
        let key = hex::encode(key.to_bytes());
        write!(formatter, "{SCHEME} {name} {first_s} {period_s} {key}")
    }
}

impl fmt::Debug for Beacon {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Beacon({self})")
    }
}

impl Round {
    /// Reads what [`fmt::Display`] writes, `number signature`; nothing else is accepted.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let (count, signature) = line.split_once(' ')?;
        Some(Self {
            number: number(count)?,
            signature: bytes(signature)?,
        })
    }
}

impl fmt::Display for Round {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signature = hex::encode(self.signature);
        write!(formatter, "{} {signature}", self.number)
    }
}

//! What only the key of one host can open: 32 bytes sealed to it by HPKE (RFC 9180), base mode, with
//! DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and ChaCha20Poly1305. The X25519 key is that which belongs to
//! the host's Ed25519 key (RFC 7748, 4.1).

use hpke::aead::ChaCha20Poly1305;
use hpke::kdf::HkdfSha256;
use hpke::kem::X25519HkdfSha256;
use hpke::{
    Deserializable as _, Kem, OpModeR, OpModeS, Serializable as _, single_shot_open,
    single_shot_seal_with_rng,
};
use keno_log::checkpoint::VerifyingKey;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng as _;
use zeroize::Zeroizing;

use crate::HostKey;

type Suite = X25519HkdfSha256;

/// Bytes of the key before what is sealed.
const ENCAPSULATED_BYTES: usize = 32;

/// Seals 32 bytes to the owner of `key`, under `about`, which says what they are. `chance` are 32 bytes
/// that nobody else has and that are used for nothing else.
///
/// None for a key that cannot be sealed to.
#[must_use]
pub fn seal(
    key: &VerifyingKey,
    about: &str,
    bytes: &[u8; 32],
    chance: [u8; 32],
) -> Option<Vec<u8>> {
    let to = <Suite as Kem>::PublicKey::from_bytes(&key.to_x25519()).ok()?;
    let mut chance = ChaCha20Rng::from_seed(chance);
    let (encapsulated, sealed) = single_shot_seal_with_rng::<ChaCha20Poly1305, HkdfSha256, Suite>(
        &OpModeS::Base,
        &to,
        about.as_bytes(),
        bytes,
        &[],
        &mut chance,
    )
    .ok()?;
    Some([encapsulated.to_bytes().as_slice(), &sealed].concat())
}

/// Opens what was sealed to `key` under `about`; none for anything else.
#[must_use]
pub fn open(key: &HostKey, about: &str, sealed: &[u8]) -> Option<Zeroizing<[u8; 32]>> {
    let (encapsulated, sealed) = sealed.split_at_checked(ENCAPSULATED_BYTES)?;
    let own = Zeroizing::new(key.signing().to_x25519());
    let own = <Suite as Kem>::PrivateKey::from_bytes(own.as_slice()).ok()?;
    let encapsulated = <Suite as Kem>::EncappedKey::from_bytes(encapsulated).ok()?;
    let opened = single_shot_open::<ChaCha20Poly1305, HkdfSha256, Suite>(
        &OpModeR::Base,
        &own,
        &encapsulated,
        about.as_bytes(),
        sealed,
        &[],
    );
    let opened = Zeroizing::new(opened.ok()?);
    opened.as_slice().try_into().map(Zeroizing::new).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str, seed: u8) -> HostKey {
        HostKey::from_seed(name, [seed; 32]).unwrap()
    }

    #[test]
    fn it_opens_with_its_key_and_as_what_it_is_alone() {
        let (own, other) = (key("one", 1), key("one", 2));
        let sealed = seal(own.verifying_key(), "this", &[7; 32], [3; 32]).unwrap();
        assert_eq!(sealed.len(), keno_log::escrow::SEALED_BYTES);
        assert_eq!(open(&own, "this", &sealed).as_deref(), Some(&[7; 32]));
        assert_eq!(open(&own, "that", &sealed), None);
        assert_eq!(open(&other, "this", &sealed), None);
        for bit in 0..sealed.len() * 8 {
            let mut changed = sealed.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            // X25519 reads a key without its highest bit (RFC 7748, 5), but the tag covers it.
            assert_eq!(open(&own, "this", &changed), None, "bit {bit}");
        }
        for cut in 0..sealed.len() {
            assert_eq!(open(&own, "this", &sealed[..cut]), None, "{cut} bytes");
        }
        let again = seal(own.verifying_key(), "this", &[7; 32], [4; 32]).unwrap();
        assert_ne!(again[..32], sealed[..32], "another chance, another key");
    }
}

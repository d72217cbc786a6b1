//! A key of this device that central has not certified yet.

use rcgen::{KeyPair, PKCS_ECDSA_P256_SHA256, PublicKeyData};
use zeroize::Zeroizing;

/// A device's new key, and its public half.
pub(super) struct NewKey {
    /// PKCS#8 as PEM.
    pub pem: Zeroizing<String>,
    /// SubjectPublicKeyInfo, DER.
    pub public: Vec<u8>,
}

impl NewKey {
    /// A new key by lot.
    ///
    /// # Errors
    /// When the operating system gives no random bytes.
    pub fn make() -> anyhow::Result<Self> {
        let pair = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?;
        Ok(Self {
            pem: Zeroizing::new(pair.serialize_pem()),
            public: pair.subject_public_key_info(),
        })
    }
}

//! What the code on a paper says beside its number, as the keys make and judge it.

use keno_log::Hash;

/// The printed part of a claim MAC: its first 90 bits, the last six bits zero.
pub type Secret = [u8; 12];
/// The printed part of a paper's mark: its first 80 bits.
pub type Mark = [u8; 10];

/// What was shown of a paper beside its number.
#[derive(Clone, PartialEq, Eq)]
pub enum Shown {
    /// Nothing.
    Number,
    /// The secret, typed: it stands alone.
    Secret(Secret),
    /// The whole QR.
    Whole(WholeCode),
}

/// What a QR says beside the number.
#[derive(Clone, PartialEq, Eq)]
pub struct WholeCode {
    /// Copy index.
    pub copy: u8,
    /// The secret.
    pub secret: Secret,
    /// Leaves of the newest checkpoint when the paper was made.
    pub log_size: u64,
    /// Its root.
    pub log_root: Hash,
    /// What central made over number and all of that.
    pub mark: Mark,
}

impl WholeCode {
    /// A code that no paper has: what a bare number is judged against, so that it takes as long.
    pub fn nobodys() -> Self {
        Self {
            copy: 0,
            secret: [0; 12],
            log_size: 0,
            log_root: [0; 32],
            mark: [0; 10],
        }
    }
}

/// The printed part of a claim MAC.
pub fn printed_secret(mac: &[u8; 32]) -> Secret {
    let mut secret = [0; 12];
    for (byte, of) in secret.iter_mut().zip(mac) {
        *byte = *of;
    }
    // 90 bits are eleven bytes and two bits.
    secret[11] &= 0xC0;
    secret
}

//! The server's keys. They are kept apart from the record, in a file of their own (mode 0600),
//! and backed up apart: the record alone can neither make a ticket nor read a control number.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use hmac::{Hmac, KeyInit, Mac};
use keno_game::ControlNumber;
use keno_log::checkpoint::SigningKey;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};
use thiserror::Error;
use zeroize::Zeroizing;

use crate::chance::Chance;
use crate::numbers::{Numbers, Place};
use crate::paper_code::{Mark, Secret, WholeCode, printed_secret};

/// Signs of the secret on a receipt.
const RECEIPT_SIGNS: usize = 8;
/// Signs of the secret on the card of a badge.
const CARD_SIGNS: usize = 16;
/// What they are chosen from: no letter that is taken for a digit.
const RECEIPT_ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Copies that a ticket can have: the code has two digits for them.
const COPIES: std::ops::RangeInclusive<u8> = 1..=99;
/// Epochs that have claim keys of their own: the rows hold a key id in 15 bits.
const EPOCHS_MAX: u8 = 127;

/// A keyed hash.
pub type Tag = [u8; 32];

/// The keys file cannot be used.
#[derive(Debug, Error)]
pub enum KeysFault {
    /// The file cannot be read or written.
    #[error("the keys file {path} cannot be used")]
    File {
        /// Its path.
        path: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The file is not a keys file.
    #[error("the keys file {0} is not one of this program's")]
    Form(String),
    /// Others than its owner can read it.
    #[error("the keys file {0} can be read by others: chmod 600 it")]
    Mode(String),
    /// The operating system gives no random bytes.
    #[error("the operating system gives no random bytes")]
    Entropy,
}

/// What the file holds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeysFile {
    format: u8,
    nonce: Key,
    control: Key,
    lookup: Key,
    pepper: Key,
    log: Key,
    claim_current: u16,
    claim: BTreeMap<u16, Key>,
}

/// A key; in the file as hexadecimal.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct Key(Zeroizing<[u8; 32]>);

impl std::ops::Deref for Key {
    type Target = [u8; 32];

    fn deref(&self) -> &[u8; 32] {
        &self.0
    }
}

impl From<Key> for String {
    fn from(key: Key) -> Self {
        hex::encode(key.as_slice())
    }
}

impl TryFrom<String> for Key {
    type Error = hex::FromHexError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let mut key = Zeroizing::new([0_u8; 32]);
        hex::decode_to_slice(Zeroizing::new(text).as_bytes(), key.as_mut_slice())?;
        Ok(Self(key))
    }
}

/// Where the server's keys are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeysPlace {
    /// A file of central's own, which its owner alone may read.
    File(PathBuf),
    /// A file that systemd hands over: never written here, and read by nobody else although an
    /// access list may show as the permission of a group.
    Credential(PathBuf),
}

impl KeysPlace {
    /// The file.
    pub fn path(&self) -> &Path {
        match self {
            Self::File(path) | Self::Credential(path) => path,
        }
    }
}

/// The server's keys, in memory.
pub struct ServerKeys {
    file: KeysFile,
    numbers: Numbers,
}

impl std::fmt::Debug for ServerKeys {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("ServerKeys(..)")
    }
}

/// HMAC-SHA256 over length-prefixed parts.
fn keyed(key: &[u8; 32], parts: &[&[u8]]) -> Tag {
    // A key of 32 bytes is never refused; the fallback cannot be reached and would only make
    // every tag differ.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        return [0; 32];
    };
    for part in parts {
        mac.update(&u32::try_from(part.len()).unwrap_or(u32::MAX).to_be_bytes());
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

impl ServerKeys {
    /// New random keys.
    ///
    /// # Errors
    /// [`KeysFault::Entropy`].
    pub fn generate(chance: &Chance) -> Result<Self, KeysFault> {
        let random = || chance.bytes().map(Key).map_err(|_| KeysFault::Entropy);
        let file = KeysFile {
            format: 1,
            nonce: random()?,
            control: random()?,
            lookup: random()?,
            pepper: random()?,
            log: random()?,
            claim_current: 1,
            claim: [(1, random()?)].into(),
        };
        Self::of(file).ok_or(KeysFault::Entropy)
    }

    fn of(file: KeysFile) -> Option<Self> {
        let numbers = Numbers::new(&file.control)?;
        Some(Self { file, numbers })
    }

    /// Writes a new keys file, synced; an existing file is never overwritten.
    ///
    /// # Errors
    /// [`KeysFault::File`].
    pub fn save_new(&self, path: &Path) -> Result<(), KeysFault> {
        let at = |source| KeysFault::File {
            path: path.display().to_string(),
            source,
        };
        let text = Zeroizing::new(
            toml::to_string(&self.file).map_err(|_| KeysFault::Form(path.display().to_string()))?,
        );
        let mut out = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(path)
            .map_err(at)?;
        out.write_all(text.as_bytes()).map_err(at)?;
        out.sync_all().map_err(at)?;
        if let Some(folder) = path.parent() {
            fs::File::open(folder)
                .and_then(|f| f.sync_all())
                .map_err(at)?;
        }
        Ok(())
    }

    /// Reads a keys file.
    ///
    /// # Errors
    /// A [`KeysFault`], also when others than the owner can read the file.
    pub fn load(path: &Path) -> Result<Self, KeysFault> {
        Self::load_from(&KeysPlace::File(path.to_owned()))
    }

    /// As [`Self::load`], from either place.
    ///
    /// # Errors
    /// As [`Self::load`]; of a credential, when everyone can read it.
    pub fn load_from(place: &KeysPlace) -> Result<Self, KeysFault> {
        use std::os::unix::fs::PermissionsExt;
        let (path, forbidden) = match place {
            KeysPlace::File(path) => (path, 0o077),
            KeysPlace::Credential(path) => (path, 0o007),
        };
        let shown = path.display().to_string();
        let at = |source| KeysFault::File {
            path: shown.clone(),
            source,
        };
        let mode = fs::metadata(path).map_err(at)?.permissions().mode();
        if mode & forbidden != 0 {
            return Err(KeysFault::Mode(shown));
        }
        let text = Zeroizing::new(fs::read_to_string(path).map_err(at)?);
        match toml::from_str::<KeysFile>(&text) {
            Ok(file) if file.claim.contains_key(&file.claim_current) && file.format == 1 => {
                Self::of(file).ok_or(KeysFault::Form(shown))
            }
            _ => Err(KeysFault::Form(shown)),
        }
    }

    /// The nonce of a body: a keyed hash of it, so that a repeated body is no news and two
    /// bodies never share a nonce.
    pub fn nonce(&self, body: &[u8]) -> [u8; 32] {
        keyed(
            &self.file.nonce,
            &[b"boulier/nonce/v1", &Sha256::digest(body)],
        )
    }

    /// The control number of the ticket whose leaf stands there: it stands nowhere in the record,
    /// yet central can always say it again. No sale is recorded where there is none.
    pub fn control_number(&self, house: &str, place: Place) -> ControlNumber {
        let number = self.numbers.of(house, place);
        number.unwrap_or_else(unreachable_number)
    }

    /// Where the leaf of the ticket of a control number stands, if there is one.
    pub fn place(&self, house: &str, number: &ControlNumber) -> Place {
        self.numbers.place(house, number)
    }

    /// The id of the claim key in use for new tickets of an epoch.
    ///
    /// Each epoch has claim keys of its own, derived from those of the file: so the secret on a paper
    /// says too in which it was sold, and the keys file that was backed up long before serves on.
    /// From the 128th epoch on, or with a key id above 255, the file's own key goes on.
    pub fn claim_key_id(&self, epoch: u32) -> u16 {
        let before = u8::try_from(epoch.saturating_sub(1)).unwrap_or(u8::MAX);
        match u8::try_from(self.file.claim_current) {
            Ok(own) if (1..EPOCHS_MAX).contains(&before) => u16::from_be_bytes([before, own]),
            _ => self.file.claim_current,
        }
    }

    /// True when the claim key of that id is here.
    pub fn has_claim_key(&self, id: u16) -> bool {
        self.claim_key(id).is_some()
    }

    /// The ids of every claim key of the first `epochs` epochs.
    pub fn claim_key_ids(&self, epochs: u32) -> Vec<u16> {
        let later =
            (1..epochs.min(u32::from(EPOCHS_MAX))).filter_map(|before| u8::try_from(before).ok());
        let of_later = later.flat_map(|before| {
            let own = self
                .file
                .claim
                .keys()
                .filter_map(|id| u8::try_from(*id).ok());
            own.map(move |own| u16::from_be_bytes([before, own]))
        });
        self.file.claim.keys().copied().chain(of_later).collect()
    }

    /// The epoch whose tickets have the claim key of that id, as far as the id tells: the first
    /// for a key of the file's own.
    pub fn epoch_of_claim_key(&self, id: u16) -> u32 {
        let [before, _] = id.to_be_bytes();
        if self.file.claim.contains_key(&id) {
            1
        } else {
            u32::from(before) + 1
        }
    }

    /// The claim key of an id: the file's own, or that of a later epoch derived from it.
    fn claim_key(&self, id: u16) -> Option<Zeroizing<[u8; 32]>> {
        if let Some(key) = self.file.claim.get(&id) {
            return Some(key.0.clone());
        }
        let [before, own] = id.to_be_bytes();
        let key = self
            .file
            .claim
            .get(&u16::from(own))
            .filter(|_| before > 0)?;
        let epoch = u32::from(before) + 1;
        Some(Zeroizing::new(keyed(
            key,
            &[b"boulier/claim-epoch/v1", &epoch.to_be_bytes()],
        )))
    }

    /// The MAC behind a claim secret, if the key id is known.
    pub fn claim_mac(&self, id: u16, house: &str, number: &ControlNumber, copy: u8) -> Option<Tag> {
        self.claim_key(id).map(|key| {
            keyed(
                &key,
                &[
                    b"boulier/claim/v1",
                    house.as_bytes(),
                    number.digits().as_bytes(),
                    &[copy],
                ],
            )
        })
    }

    /// What a paper is marked with: over every sign of its code, under the claim key.
    fn mark(&self, id: u16, house: &str, number: &ControlNumber, code: &WholeCode) -> Option<Mark> {
        let tag = keyed(
            &*self.claim_key(id)?,
            &[
                b"boulier/paper/KT2",
                house.as_bytes(),
                number.digits().as_bytes(),
                &[code.copy],
                &code.secret,
                &code.log_size.to_be_bytes(),
                &code.log_root,
            ],
        );
        let mut mark = Mark::default();
        for (byte, of) in mark.iter_mut().zip(tag) {
            *byte = of;
        }
        Some(mark)
    }

    /// The whole code of a copy that knows the log at this size; `None` when the key is missing.
    pub fn whole_code(
        &self,
        id: u16,
        house: &str,
        number: &ControlNumber,
        copy: u8,
        (log_size, log_root): (u64, keno_log::Hash),
    ) -> Option<WholeCode> {
        let code = WholeCode {
            copy,
            secret: printed_secret(&self.claim_mac(id, house, number, copy)?),
            log_size,
            log_root,
            mark: Mark::default(),
        };
        let mark = self.mark(id, house, number, &code)?;
        Some(WholeCode { mark, ..code })
    }

    /// True when that code was made here, with the claim key of that id.
    pub fn judge_whole(
        &self,
        id: u16,
        house: &str,
        number: &ControlNumber,
        code: &WholeCode,
    ) -> bool {
        let (Some(mac), Some(mark)) = (
            self.claim_mac(id, house, number, code.copy),
            self.mark(id, house, number, code),
        ) else {
            return false;
        };
        (printed_secret(&mac).ct_eq(&code.secret) & mark.ct_eq(&code.mark)).into()
    }

    /// Which copy's secret that is, made here with the claim key of that id. As much work whatever
    /// comes out.
    pub fn copy_of_secret(
        &self,
        id: u16,
        house: &str,
        number: &ControlNumber,
        secret: &Secret,
    ) -> Option<u8> {
        let mut found = Choice::from(0);
        let mut of = 0;
        for copy in COPIES {
            let mac = self.claim_mac(id, house, number, copy)?;
            let is_it = printed_secret(&mac).ct_eq(secret);
            subtle::ConditionallySelectable::conditional_assign(&mut of, &copy, is_it);
            found |= is_it;
        }
        bool::from(found).then_some(of)
    }

    /// What argon2id is computed over: neither badge nor PIN stands in it in clear.
    pub fn peppered(&self, badge: &str, pin: &str) -> Zeroizing<Tag> {
        Zeroizing::new(keyed(
            &self.file.pepper,
            &[b"boulier/pin/v1", badge.as_bytes(), pin.as_bytes()],
        ))
    }

    /// A hash for throttling and access records: which number was asked, without the number.
    pub fn trace(&self, text: &str) -> Tag {
        keyed(&self.file.lookup, &[b"boulier/trace/v1", text.as_bytes()])
    }

    /// The seed of the key by which central speaks with the hosts of a draw: it follows from that of
    /// the log, so that whoever may sign a seal is who may ask for its numbers, and so that nothing
    /// more is kept or brought back.
    pub fn draw_line_seed(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(keyed(&self.file.log, &[b"boulier/draw-line/v1"]))
    }

    /// The secret on the receipt of a file: eight signs, 40 bits.
    pub fn receipt_secret(&self, house: &str, file: u64) -> String {
        let tag = keyed(
            &self.file.lookup,
            &[b"boulier/file/v1", house.as_bytes(), &file.to_be_bytes()],
        );
        signs(&tag, RECEIPT_SIGNS)
    }

    /// The secret on a card of a badge: sixteen signs, 80 bits.
    pub fn card_secret(&self, house: &str, badge: &str, card: u32) -> Zeroizing<String> {
        let parts: [&[u8]; 4] = [
            b"boulier/card/v1",
            house.as_bytes(),
            badge.as_bytes(),
            &card.to_be_bytes(),
        ];
        Zeroizing::new(signs(&keyed(&self.file.pepper, &parts), CARD_SIGNS))
    }

    /// Whether a card of a badge shows its secret.
    pub fn is_card(&self, house: &str, badge: &str, card: u32, secret: &str) -> bool {
        let own = self.card_secret(house, badge, card);
        bool::from(own.as_bytes().ct_eq(secret.as_bytes()))
    }

    /// Whether a receipt of a file shows its secret.
    pub fn is_receipt(&self, house: &str, file: u64, secret: &str) -> bool {
        let own = self.receipt_secret(house, file);
        bool::from(own.as_bytes().ct_eq(secret.as_bytes()))
    }

    /// The seed of the key that signs checkpoints.
    pub fn log_seed(&self) -> &[u8; 32] {
        &self.file.log
    }
}

/// The first signs of a tag, five bits each.
fn signs(tag: &Tag, number: usize) -> String {
    tag.iter()
        .take(number)
        .filter_map(|byte| RECEIPT_ALPHABET.get(usize::from(byte % 32)))
        .map(|sign| char::from(*sign))
        .collect()
}

fn unreachable_number() -> ControlNumber {
    // Payload 0 is a valid number; `from_payload` refuses only payloads of 10^14 and more.
    match ControlNumber::from_payload(0) {
        Ok(number) => number,
        Err(_) => std::process::abort(),
    }
}

/// SHA-256 of a device key or a session token, as the record holds it.
pub fn token_hash(token: &[u8]) -> Tag {
    Sha256::digest(token).into()
}

/// The signing key of the checkpoints of `origin`.
pub fn signing_key(keys: &ServerKeys, origin: &str) -> Option<SigningKey> {
    SigningKey::from_seed(origin, keys.log_seed()).ok()
}

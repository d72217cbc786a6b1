//! The door at which PINs are tried: what it knows, counts and hashes.
//!
//! A try is counted, under one lock, and kept on disk, before it is hashed; hashing runs on a few
//! threads of its own behind a short queue, after whatever else wants a core, so that no flood of
//! guesses slows a check, a page or a sale.

pub(crate) mod limiter;
pub(crate) mod new_pin;
pub(crate) mod odds;

use std::collections::HashMap;
use std::num::NonZero;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};

use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher, PasswordVerifier};
use keno_log::hash::sha256;
use keno_record::fault::Fault;
use keno_record::keys::{ServerKeys, Tag};
use keno_schema::rows::CredentialRow;
use limiter::{Count, Limiter, Origin};
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::oneshot;

use crate::central::pin_door::new_pin::NewPin;

/// A refusal is answered so long after the request, hashed or not; one that took longer, at the
/// next multiple of it.
pub const ANSWER_MS: i64 = 500;
/// The same where too many failed within the hour.
pub const SLOW_ANSWER_MS: i64 = 5_000;
/// Threads that hash, at most, and on half of the cores: a sale's thread is never among them.
const HASHING_THREADS: usize = 2;
/// They stand so far behind the other threads: with a core fully taken, a tenth of it is theirs.
const HASHING_NICENESS: i32 = 10;
/// Letters of a badge that are looked at; no badge is longer.
pub(crate) const BADGE_MAX: usize = 64;

/// Which door a PIN is typed at, for the access log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// Signing on.
    SignOn,
    /// A locked screen.
    Unlock,
    /// The second person at the screen of the first.
    Second,
    /// An answer at the wall.
    Approval,
    /// A device enrolled, revoked or taken back.
    Devices,
    /// People recorded, withdrawn, or given a PIN.
    People,
    /// The owner chooses a PIN.
    NewPin,
    /// The audit pages.
    Audit,
    /// The command line.
    Command,
    /// The recovery code of the house.
    Recovery,
}

impl Door {
    /// Stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::SignOn => "sign_on",
            Self::Unlock => "unlock",
            Self::Second => "second",
            Self::Approval => "approval",
            Self::Devices => "devices",
            Self::People => "people",
            Self::NewPin => "new_pin",
            Self::Audit => "audit",
            Self::Command => "command",
            Self::Recovery => "recovery",
        }
    }
}

/// What truly came of a try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Badge and PIN are right, and may be here.
    Right,
    /// The PIN is wrong.
    WrongPin,
    /// The card that was scanned is none of that badge, or counts no more.
    WrongCard,
    /// The badge was typed where its card is to be scanned.
    NoCard,
    /// Nobody has that badge, or it was withdrawn.
    UnknownBadge,
    /// The record names a credential that is not kept beside it.
    NoCredential,
    /// Badge and PIN are right, and the PIN must be changed first.
    MustChange,
    /// The person may not do this here.
    WrongPlace,
    /// The badge waits here after too many failures.
    Waits,
    /// The badge is locked where it never succeeded.
    Locked,
    /// Too many tries at once.
    Busy,
}

impl Reason {
    /// Stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::WrongPin => "wrong_pin",
            Self::WrongCard => "wrong_card",
            Self::NoCard => "no_card",
            Self::UnknownBadge => "unknown_badge",
            Self::NoCredential => "no_credential",
            Self::MustChange => "must_change",
            Self::WrongPlace => "wrong_place",
            Self::Waits => "waits",
            Self::Locked => "locked",
            Self::Busy => "busy",
        }
    }
}

/// A try that ended, for the access log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    /// When, UTC milliseconds.
    pub at_ms: i64,
    /// Where.
    pub origin: Origin,
    /// The badge, as given, at most 64 letters.
    pub badge: String,
    /// At which door.
    pub door: Door,
    /// What came of it.
    pub reason: Reason,
    /// Whether device or house fail too often within the hour.
    pub is_slow: bool,
}

/// Where counts and tries are kept: the file of the access log.
pub trait Keeper: Send + Sync {
    /// Takes a count, in the order of the calls; the hash waits for what is returned, true once
    /// it is on disk.
    fn keep(&self, count: Count) -> Receiver<bool>;
    /// A try ended. Never waits.
    fn tried(&self, tried: Tried);
}

/// A PIN that somebody typed.
pub struct Attempt<'a> {
    /// Badge, as given.
    pub badge: &'a str,
    /// PIN, as given.
    pub pin: &'a str,
    /// The secret on the card as it was scanned, perhaps nothing, where a card may be asked for: of
    /// a second person at another's screen, and of who replaces a PIN that others know.
    pub card: Option<&'a str>,
    /// Where.
    pub origin: Origin,
    /// At which door.
    pub door: Door,
    /// Whether somebody with these role numbers may do this here.
    pub may: &'a dyn Fn(&[u8]) -> bool,
}

/// A person whose badge and PIN were right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recognised {
    /// Badge.
    pub badge: String,
    /// Role numbers.
    pub roles: Vec<u8>,
    /// The credential of the PIN that was right; none where another than this door recognised them.
    pub credential: Option<Tag>,
}

/// A credential, which is kept beside the record, and what the record says of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Credential {
    /// argon2id over HMAC(pepper; badge, PIN), PHC text form.
    pub phc: String,
    /// Its SHA-256.
    pub hash: Tag,
}

/// Never shown, not even by mistake.
impl std::fmt::Debug for Credential {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Credential")
    }
}

impl Credential {
    /// A credential for a new PIN.
    ///
    /// # Errors
    /// [`Fault::Crypto`].
    pub fn of(keys: &ServerKeys, badge: &str, pin: &NewPin) -> Result<Credential, Fault> {
        secret_credential(keys, badge, pin.digits())
    }
}

/// A credential for a secret that nobody chose.
pub(crate) fn secret_credential(
    keys: &ServerKeys,
    badge: &str,
    secret: &str,
) -> Result<Credential, Fault> {
    let peppered = keys.peppered(badge, secret);
    let phc = Argon2::default()
        .hash_password(peppered.as_slice())
        .map_err(|_| Fault::Crypto("argon2id"))?
        .to_string();
    Ok(Credential {
        hash: sha256(phc.as_bytes()),
        phc,
    })
}

fn verify(keys: &ServerKeys, credential: &str, badge: &str, pin: &str) -> bool {
    let peppered = keys.peppered(badge, pin);
    PasswordHash::new(credential).is_ok_and(|hash| {
        Argon2::default()
            .verify_password(peppered.as_slice(), &hash)
            .is_ok()
    })
}

pub(crate) struct Job {
    pub(crate) keys: Arc<ServerKeys>,
    pub(crate) credential: String,
    pub(crate) badge: String,
    pub(crate) pin: String,
    pub(crate) kept: Option<Receiver<bool>>,
    pub(crate) answer: oneshot::Sender<bool>,
}

/// The door. Its threads begin with the first PIN.
#[derive(Default)]
pub(crate) struct PinDoor {
    /// Credentials by their hash: those kept beside the record, and those about to be.
    credentials: Mutex<HashMap<Tag, String>>,
    pub(crate) limiter: Arc<Mutex<Limiter>>,
    pub(crate) keeper: OnceLock<Arc<dyn Keeper>>,
    hashing: Mutex<Option<Sender<Job>>>,
}

/// A place among the tries under way, until the answer has left.
pub(crate) struct UnderWay(pub(crate) Arc<Mutex<Limiter>>, pub(crate) Origin);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.lock().ended(self.1);
    }
}

fn hash(jobs: &Mutex<Receiver<Job>>, limiter: &Mutex<Limiter>) {
    if let Err(fault) = rustix::process::nice(HASHING_NICENESS) {
        tracing::warn!(%fault, "PINs are hashed before other work");
    }
    loop {
        let job = jobs.lock().recv();
        let Ok(job) = job else { return };
        if let Some(kept) = job.kept
            && kept.recv() != Ok(true)
        {
            // The count stands in memory all the same.
            tracing::error!("a count of PIN failures could not be kept");
        }
        let is_right = verify(&job.keys, &job.credential, &job.badge, &job.pin);
        limiter.lock().unqueued();
        // Whoever no longer waits need not be told.
        let _ = job.answer.send(is_right);
    }
}

impl PinDoor {
    /// A door that knows the credentials beside a record. One whose hash is not its own is none.
    pub(crate) fn of(rows: Vec<CredentialRow>) -> Self {
        let known = rows
            .into_iter()
            .map(|row| (sha256(row.phc.as_bytes()), row));
        let sound = known.filter(|(hash, row)| *hash == row.hash);
        Self {
            credentials: Mutex::new(sound.map(|(hash, row)| (hash, row.phc)).collect()),
            ..Self::default()
        }
    }

    pub(crate) fn credentials(&self) -> MutexGuard<'_, HashMap<Tag, String>> {
        self.credentials.lock()
    }

    pub(crate) fn queue(&self) -> Result<Sender<Job>, Fault> {
        let mut hashing = self.hashing.lock();
        if let Some(sender) = hashing.as_ref() {
            return Ok(sender.clone());
        }
        let (sender, jobs) = channel();
        let jobs = Arc::new(Mutex::new(jobs));
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        for number in 1..=(cores / 2).clamp(1, HASHING_THREADS) {
            let (jobs, limiter) = (Arc::clone(&jobs), Arc::clone(&self.limiter));
            // They end with the door, which holds the only sender.
            std::thread::Builder::new()
                .name(format!("pins-{number}"))
                .spawn(move || hash(&jobs, &limiter))
                .map_err(|fault| Fault::File(fault.to_string()))?;
        }
        *hashing = Some(sender.clone());
        Ok(sender)
    }
}

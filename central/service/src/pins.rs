//! Badges and PINs: the one door at which a PIN is tried.
//!
//! The place is judged first, and is no failure of the PIN. A try is then counted, under one lock,
//! and kept on disk, before it is hashed; hashing runs on a few threads of its own behind a short
//! queue, after whatever else wants a core, so that no flood of guesses slows a check, a page or a
//! sale. Whatever was wrong, one sentence says so, at a fixed moment after the request; the true
//! reason stands in the access log.

pub mod limiter;
pub mod odds;

use std::collections::HashMap;
use std::num::NonZero;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher, PasswordVerifier};
use keno_log::hash::sha256;
use keno_schema::rows::CredentialRow;
use tokio::sync::oneshot;

use crate::Stop;
use crate::central::Central;
use crate::new_pin::NewPin;
use crate::refusal::Refusal;
use keno_record::fault::Fault;
use keno_record::keys::{ServerKeys, Tag};
use keno_record::people::People;
use keno_record::state::Person;
use limiter::{Count, Limiter, NotTaken, Origin};

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
const BADGE_MAX: usize = 64;

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

/// A credential for a new PIN.
///
/// # Errors
/// [`Fault::Crypto`].
pub fn credential(keys: &ServerKeys, badge: &str, pin: &NewPin) -> Result<Credential, Fault> {
    secret_credential(keys, badge, pin.digits())
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

struct Job {
    keys: Arc<ServerKeys>,
    credential: String,
    badge: String,
    pin: String,
    kept: Option<Receiver<bool>>,
    answer: oneshot::Sender<bool>,
}

/// The door. Its threads begin with the first PIN.
#[derive(Default)]
pub(crate) struct PinDoor {
    /// Credentials by their hash: those kept beside the record, and those about to be.
    credentials: Mutex<HashMap<Tag, String>>,
    limiter: Arc<Mutex<Limiter>>,
    keeper: OnceLock<Arc<dyn Keeper>>,
    hashing: Mutex<Option<Sender<Job>>>,
}

fn lock(limiter: &Mutex<Limiter>) -> MutexGuard<'_, Limiter> {
    limiter.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A place among the tries under way, until the answer has left.
struct UnderWay(Arc<Mutex<Limiter>>, Origin);

impl Drop for UnderWay {
    fn drop(&mut self) {
        lock(&self.0).ended(self.1);
    }
}

fn hash(jobs: &Mutex<Receiver<Job>>, limiter: &Mutex<Limiter>) {
    if let Err(fault) = rustix::process::nice(HASHING_NICENESS) {
        tracing::warn!(%fault, "PINs are hashed before other work");
    }
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        if let Some(kept) = job.kept
            && kept.recv() != Ok(true)
        {
            // The count stands in memory all the same.
            tracing::error!("a count of PIN failures could not be kept");
        }
        let is_right = verify(&job.keys, &job.credential, &job.badge, &job.pin);
        lock(limiter).unqueued();
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
        let sound = known.filter(|(hash, row)| hash.as_slice() == row.hash);
        Self {
            credentials: Mutex::new(sound.map(|(hash, row)| (hash, row.phc)).collect()),
            ..Self::default()
        }
    }

    fn credentials(&self) -> MutexGuard<'_, HashMap<Tag, String>> {
        self.credentials
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn queue(&self) -> Result<Sender<Job>, Fault> {
        let mut hashing = self.hashing.lock().unwrap_or_else(PoisonError::into_inner);
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

/// Whether a human has a card on any badge that stands.
fn has_card(people: &People, of: &Person) -> bool {
    let mut badges = people.values();
    badges.any(|one| one.active && one.card > 0 && one.staff == of.staff)
}

/// What came of a card.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// The right one, or none is needed.
    Enough,
    /// None, and one is needed.
    Nothing,
    /// Another.
    Wrong,
}

/// A try whose end is not known yet.
struct Begun {
    roles: Vec<u8>,
    must_change: bool,
    hashed: oneshot::Receiver<bool>,
}

impl Central {
    /// Takes a credential up that is about to be kept beside the record.
    pub fn know_credential(&self, made: &Credential) {
        self.pins.credentials().insert(made.hash, made.phc.clone());
    }

    /// Where counts and tries are kept from here on, with what was kept before: counts, and the
    /// failures of the last hour.
    pub fn keep_pins(
        &self,
        keeper: Arc<dyn Keeper>,
        counts: Vec<Count>,
        failed: Vec<(i64, Origin)>,
    ) {
        if self.pins.keeper.set(keeper).is_ok() {
            lock(&self.pins.limiter).take_up(counts, failed);
        }
    }

    /// Whether counts and tries are kept somewhere.
    pub fn keeps_pins(&self) -> bool {
        self.pins.keeper.get().is_some()
    }

    fn note_tried(&self, attempt: &Attempt<'_>, reason: Reason) {
        if let Some(keeper) = self.pins.keeper.get() {
            let at_ms = self.clock.now_ms();
            keeper.tried(Tried {
                at_ms,
                is_slow: lock(&self.pins.limiter).is_slow(attempt.origin, at_ms),
                origin: attempt.origin,
                badge: attempt.badge.chars().take(BADGE_MAX).collect(),
                door: attempt.door,
                reason,
            });
        }
    }

    /// Whether a card was shown where one is asked for. Whoever has one shows it.
    fn shown(&self, attempt: &Attempt<'_>, person: &Person) -> Shown {
        let Some(secret) = attempt.card else {
            return Shown::Enough;
        };
        let is_needed = match attempt.door {
            Door::NewPin => person.must_change && person.card > 0,
            // Another badge of somebody who has a card is no way around it.
            _ => self.house.staff.cards_needed || has_card(&self.view.get().people, person),
        };
        let is_right = || {
            let keys = &self.keys;
            person.card > 0 && keys.is_card(&self.house_code, attempt.badge, person.card, secret)
        };
        match (is_needed, secret.is_empty()) {
            (false, _) => Shown::Enough,
            (true, true) => Shown::Nothing,
            (true, false) if is_right() => Shown::Enough,
            (true, false) => Shown::Wrong,
        }
    }

    /// Judges the place, counts, and has the PIN hashed; nothing waits here.
    fn begin_try(&self, attempt: &Attempt<'_>) -> Result<Result<Begun, (Reason, Refusal)>, Fault> {
        let wrong = |reason| Ok(Err((reason, Refusal::BadgeOrPinWrong)));
        let view = self.view.get();
        let roles = self.staff_of(&view).roles(attempt.badge);
        let person = view
            .people
            .get(attempt.badge)
            .filter(|person| person.active);
        if person.is_some() && !(attempt.may)(&roles) {
            return wrong(Reason::WrongPlace);
        }
        let card = person.map_or(Shown::Enough, |person| self.shown(attempt, person));
        if card == Shown::Nothing {
            return Ok(Err((Reason::NoCard, Refusal::CardNeeded)));
        }
        let queue = self.pins.queue()?;
        let (answer, hashed) = oneshot::channel();
        let now_ms = self.clock.now_ms();
        let mut limiter = lock(&self.pins.limiter);
        let badge: String = attempt.badge.chars().take(BADGE_MAX).collect();
        let count = match limiter.begin(&badge, person.is_some(), attempt.origin, now_ms) {
            Ok(count) => count,
            Err(not_taken) => return Ok(Err(refusal_of(not_taken))),
        };
        let Some(person) = person else {
            return wrong(Reason::UnknownBadge);
        };
        if card == Shown::Wrong {
            return wrong(Reason::WrongCard);
        }
        let Some(credential) = self.pins.credentials().get(&person.credential).cloned() else {
            return wrong(Reason::NoCredential);
        };
        // Under the lock: counts of one badge are kept in the order in which they were made.
        let kept = self.pins.keeper.get().map(|keeper| keeper.keep(count));
        let job = Job {
            keys: Arc::clone(&self.keys),
            credential,
            badge,
            pin: attempt.pin.to_owned(),
            kept,
            answer,
        };
        queue.send(job).map_err(|_| Fault::Stopped)?;
        Ok(Ok(Begun {
            roles,
            must_change: person.must_change,
            hashed,
        }))
    }

    fn end_try(
        &self,
        attempt: &Attempt<'_>,
        begun: Begun,
        is_right: bool,
    ) -> Result<Recognised, (Reason, Refusal)> {
        if !is_right {
            return Err((Reason::WrongPin, Refusal::BadgeOrPinWrong));
        }
        let mut limiter = lock(&self.pins.limiter);
        let count = limiter.succeeded(attempt.badge, attempt.origin);
        if let Some(keeper) = self.pins.keeper.get() {
            // Nothing waits for it: a success that is lost leaves its try counted.
            drop(keeper.keep(count));
        }
        drop(limiter);
        // Whoever set it knows it: it is good for nothing but to choose another.
        if begun.must_change && !matches!(attempt.door, Door::NewPin | Door::Recovery) {
            return Err((Reason::MustChange, Refusal::PinMustChange));
        }
        self.note_tried(attempt, Reason::Right);
        Ok(Recognised {
            badge: attempt.badge.to_owned(),
            roles: begun.roles,
        })
    }

    fn failed_try(&self, attempt: &Attempt<'_>, reason: Reason) {
        if matches!(
            reason,
            Reason::WrongPin | Reason::WrongCard | Reason::UnknownBadge | Reason::NoCredential
        ) {
            lock(&self.pins.limiter).failed(attempt.origin, self.clock.now_ms());
        }
        self.note_tried(attempt, reason);
    }

    /// Tries a badge and a PIN. A refusal comes at its fixed moment.
    ///
    /// # Errors
    /// [`Refusal::BadgeOrPinWrong`] for all that is wrong with badge, PIN or place;
    /// [`Refusal::LockedOut`], [`Refusal::BadgeLocked`], [`Refusal::PinsBusy`]; a fault.
    pub async fn recognise(&self, attempt: Attempt<'_>) -> Result<Recognised, Stop> {
        let asked_ms = self.clock.monotonic_ms();
        let now_ms = self.clock.now_ms();
        let (entered, is_slow) = {
            let mut limiter = lock(&self.pins.limiter);
            let is_slow = limiter.is_slow(attempt.origin, now_ms);
            (limiter.enter(attempt.origin, now_ms), is_slow)
        };
        if let Err(not_taken) = entered {
            let (reason, refusal) = refusal_of(not_taken);
            self.failed_try(&attempt, reason);
            self.answer_is_due(asked_ms, is_slow).await;
            return Err(refusal.into());
        }
        let _under_way = UnderWay(Arc::clone(&self.pins.limiter), attempt.origin);
        let outcome = match self.begin_try(&attempt)? {
            Err(refused) => Err(refused),
            Ok(mut begun) => {
                let is_right = (&mut begun.hashed).await.map_err(|_| Fault::Stopped)?;
                self.end_try(&attempt, begun, is_right)
            }
        };
        let (reason, refusal) = match outcome {
            Ok(person) => return Ok(person),
            Err(refused) => refused,
        };
        self.failed_try(&attempt, reason);
        self.answer_is_due(asked_ms, is_slow).await;
        Err(refusal.into())
    }

    /// The fixed moment of a refusal. Where nothing was tried it comes then too: who asks again at
    /// once is held by as many connections as they have, and not by what central can answer.
    async fn answer_is_due(&self, asked_ms: i64, is_slow: bool) {
        let step = if is_slow { SLOW_ANSWER_MS } else { ANSWER_MS };
        let taken = self.clock.monotonic_ms() - asked_ms;
        let moment = asked_ms + (taken / step + 1) * step;
        self.clock.until(moment).await;
    }

    /// As [`Self::recognise`], for the command line on central's own host: it blocks, and nobody
    /// is made to wait for a refusal.
    ///
    /// # Errors
    /// As [`Self::recognise`].
    pub fn recognise_at_console(
        &self,
        badge: &str,
        pin: &str,
        may: &dyn Fn(&[u8]) -> bool,
    ) -> Result<Recognised, Stop> {
        self.recognise_for(badge, pin, Door::Command, may)
    }

    /// As [`Self::recognise_at_console`], for the owner of a badge who chooses another PIN.
    ///
    /// # Errors
    /// As [`Self::recognise`].
    pub fn recognise_owner_at_console(&self, badge: &str, pin: &str) -> Result<Recognised, Stop> {
        self.recognise_for(badge, pin, Door::NewPin, &|_| true)
    }

    pub(crate) fn recognise_for(
        &self,
        badge: &str,
        pin: &str,
        door: Door,
        may: &dyn Fn(&[u8]) -> bool,
    ) -> Result<Recognised, Stop> {
        let attempt = Attempt {
            badge,
            pin,
            card: None,
            origin: Origin::Console,
            door,
            may,
        };
        let outcome = match self.begin_try(&attempt)? {
            Err(refused) => Err(refused),
            Ok(mut begun) => {
                let (_, never) = oneshot::channel();
                let hashed = std::mem::replace(&mut begun.hashed, never);
                let is_right = hashed.blocking_recv().map_err(|_| Fault::Stopped)?;
                self.end_try(&attempt, begun, is_right)
            }
        };
        outcome.map_err(|(reason, refusal)| {
            self.failed_try(&attempt, reason);
            refusal.into()
        })
    }

    /// Whether a badge is locked wherever it never succeeded.
    pub fn is_badge_locked(&self, badge: &str) -> bool {
        lock(&self.pins.limiter).is_locked(badge)
    }

    /// Two people lift what keeps a badge out. Both were recognised before.
    pub fn lift_badge(&self, badge: &str) {
        let mut limiter = lock(&self.pins.limiter);
        for count in limiter.lift(badge) {
            if let Some(keeper) = self.pins.keeper.get() {
                drop(keeper.keep(count));
            }
        }
    }
}

fn refusal_of(not_taken: NotTaken) -> (Reason, Refusal) {
    match not_taken {
        NotTaken::Waits(ms) => (
            Reason::Waits,
            Refusal::LockedOut {
                seconds: (ms + 999) / 1_000,
            },
        ),
        NotTaken::Locked => (Reason::Locked, Refusal::BadgeLocked),
        NotTaken::Busy => (Reason::Busy, Refusal::PinsBusy),
    }
}

//! Devices that wait for a person to type their code at central. Everything here is in memory
//! alone: a code lives five minutes, and after a start of central the device begins again.

use parking_lot::{Mutex, MutexGuard};

use keno_record::roles::DeviceRole;
use keno_service::staff::DeviceNumber;
use keno_service::{Central, Stop};
use keno_wire::enrolment::{EnrolmentCode, Given, SALT_BYTES, Seen, same};
use keno_wire::trust::{CertificateReply, Granted};

use super::authority::{Authority, DeviceKey};
use super::{Hash, TrustRefusal};

/// How long a code can be typed.
pub const CODE_MS: i64 = 300_000;
/// How long it is remembered after, to say what became of it.
const REMEMBERED_MS: i64 = 300_000;
/// Devices that may wait at once: typing a code tries it against each.
pub const WAITING_MAX: usize = 8;
/// Wrong codes that end what waits.
pub const TRIES_MAX: u32 = 5;

#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    /// The code was not typed yet.
    Waiting,
    /// It was typed, and the record is being written.
    Granting,
    /// The device is enrolled.
    Granted(Box<Granted>),
    /// Too many wrong codes.
    Locked,
}

#[derive(Debug, Clone)]
struct Enrolment {
    name: String,
    key: DeviceKey,
    salt: [u8; SALT_BYTES],
    proof: Hash,
    until_ms: i64,
    tries: u32,
    state: State,
}

impl Enrolment {
    fn waits(&self, now_ms: i64) -> bool {
        self.state == State::Waiting && now_ms < self.until_ms
    }
}

/// Why a code gave nothing.
#[derive(Debug)]
pub enum NotEnrolled {
    /// The rules of enrolment say no.
    Refused(TrustRefusal),
    /// The record, or the authority, could not do it.
    Stopped(Stop),
}

impl From<TrustRefusal> for NotEnrolled {
    fn from(refusal: TrustRefusal) -> Self {
        Self::Refused(refusal)
    }
}

/// What a person decided about the device that shows a code.
#[derive(Debug, Clone)]
pub struct Approval<'a> {
    /// Device number.
    pub device: u32,
    /// Name.
    pub name: &'a str,
    /// What it is.
    pub role: DeviceRole,
    /// Who typed the code.
    pub by: &'a str,
    /// The second person.
    pub second: &'a str,
}

/// What a device asks with.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Its key.
    pub key: DeviceKey,
    /// Its salt.
    pub salt: [u8; SALT_BYTES],
    /// Its proof.
    pub proof: Hash,
}

/// Devices that wait, and those that did a moment ago.
#[derive(Debug, Default)]
pub struct Enrolments {
    all: Mutex<Vec<Enrolment>>,
    /// Codes are tried one at a time: each takes a core for a while.
    trying: Mutex<()>,
}

impl Enrolments {
    /// What is remembered at that moment, on the clock that nobody can set.
    fn all(&self, now_ms: i64) -> MutexGuard<'_, Vec<Enrolment>> {
        let mut all = self.all.lock();
        all.retain(|one| now_ms - one.until_ms < REMEMBERED_MS);
        all
    }

    /// A device begins to wait under a name that nobody can guess.
    ///
    /// # Errors
    /// [`TrustRefusal::EnrolmentsFull`].
    pub fn begin(&self, name: String, asked: Asked, now_ms: i64) -> Result<(), TrustRefusal> {
        let mut all = self.all(now_ms);
        // What is remembered is bounded too: as much again as may wait, the oldest go first.
        while all.len() >= 2 * WAITING_MAX {
            let Some(ended) = all.iter().position(|one| !one.waits(now_ms)) else {
                break;
            };
            all.remove(ended);
        }
        if all.iter().filter(|one| one.waits(now_ms)).count() >= WAITING_MAX {
            return Err(TrustRefusal::EnrolmentsFull);
        }
        all.push(Enrolment {
            name,
            key: asked.key,
            salt: asked.salt,
            proof: asked.proof,
            until_ms: now_ms + CODE_MS,
            tries: 0,
            state: State::Waiting,
        });
        Ok(())
    }

    /// What became of an enrolment: nothing yet, or what the device is given. It can be asked
    /// again, since an answer may be lost.
    ///
    /// # Errors
    /// [`TrustRefusal::EnrolmentUnknown`], [`TrustRefusal::EnrolmentExpired`] or
    /// [`TrustRefusal::EnrolmentLocked`].
    pub fn state(&self, name: &str, now_ms: i64) -> Result<Option<Granted>, TrustRefusal> {
        let all = self.all(now_ms);
        let one = all
            .iter()
            .find(|one| one.name == name)
            .ok_or(TrustRefusal::EnrolmentUnknown)?;
        match &one.state {
            State::Granted(granted) => Ok(Some((**granted).clone())),
            State::Granting => Ok(None),
            State::Locked => Err(TrustRefusal::EnrolmentLocked),
            State::Waiting if now_ms < one.until_ms => Ok(None),
            State::Waiting => Err(TrustRefusal::EnrolmentExpired),
        }
    }

    /// A person who was recognised typed a code: the device that shows it is recorded and given
    /// its certificate. Takes about 15 ms of CPU for each device that waits.
    ///
    /// # Errors
    /// [`NotEnrolled`].
    pub fn approve(
        &self,
        central: &Central,
        authority: &Authority,
        code: &EnrolmentCode,
        approval: &Approval<'_>,
    ) -> Result<u64, NotEnrolled> {
        let _one_at_a_time = self.trying.lock();
        let now_ms = central.clock.monotonic_ms();
        let remembered = self.all(now_ms).clone();
        let Some(one) = remembered.into_iter().find(|one| {
            let seen = Seen {
                authority: authority.fingerprint(),
                key: one.key.hash(),
            };
            code.secret(&one.salt)
                .is_some_and(|secret| same(&secret.device_proof(&seen), &one.proof))
        }) else {
            self.wrong(now_ms);
            return Err(TrustRefusal::CodeUnknown.into());
        };
        match one.state {
            State::Granted(_) | State::Granting => return Err(TrustRefusal::EnrolmentUsed.into()),
            State::Locked => return Err(TrustRefusal::EnrolmentLocked.into()),
            State::Waiting if now_ms >= one.until_ms => {
                return Err(TrustRefusal::EnrolmentExpired.into());
            }
            State::Waiting => {}
        }
        self.set(&one.name, State::Granting, now_ms);
        let granted = grant(central, authority, code, &one, approval);
        let state = match &granted {
            Ok((_, granted)) => State::Granted(Box::new(granted.clone())),
            // Nothing was recorded, or nobody knows: the code is not used up, and the same code
            // records the same key again.
            Err(_) => State::Waiting,
        };
        self.set(&one.name, state, now_ms);
        granted.map(|(leaf, _)| leaf)
    }

    fn set(&self, name: &str, state: State, now_ms: i64) {
        if let Some(one) = self.all(now_ms).iter_mut().find(|one| one.name == name) {
            one.state = state;
        }
    }

    /// A wrong code is a try at every device that waits: nobody knows at which it was aimed.
    fn wrong(&self, now_ms: i64) {
        for one in self.all(now_ms).iter_mut().filter(|one| one.waits(now_ms)) {
            one.tries += 1;
            if one.tries >= TRIES_MAX {
                one.state = State::Locked;
            }
        }
    }
}

fn grant(
    central: &Central,
    authority: &Authority,
    code: &EnrolmentCode,
    one: &Enrolment,
    approval: &Approval<'_>,
) -> Result<(u64, Granted), NotEnrolled> {
    let key_hash = one.key.hash();
    let is_known = central
        .view
        .get()
        .devices
        .iter()
        .any(|(device, known)| known.key_hash == key_hash && *device != approval.device);
    if is_known {
        return Err(TrustRefusal::KeyKnown.into());
    }
    let crypto = |what| NotEnrolled::Stopped(Stop::Broke(keno_service::Fault::Crypto(what)));
    let certificate = authority
        .device_certificate(approval.device, &one.key, central.clock.now_ms())
        .map_err(|fault| {
            tracing::error!(%fault, "no certificate could be made for a device");
            crypto("certificate")
        })?;
    let secret = code.secret(&one.salt).ok_or_else(|| crypto("argon2id"))?;
    let seen = Seen {
        authority: authority.fingerprint(),
        key: key_hash,
    };
    let given = Given {
        certificate: certificate.hash,
        device: approval.device,
        role: approval.role.number(),
        name: approval.name,
    };
    let proof = secret.central_proof(&seen, &given);
    // The certificate is made first and given last: a device never has one that the record does
    // not know of.
    let leaf = DeviceNumber(approval.device)
        .record_key(
            central,
            approval.name,
            approval.role.number(),
            key_hash,
            (approval.by, approval.second),
        )
        .map_err(NotEnrolled::Stopped)?;
    Ok((
        leaf,
        Granted {
            device: approval.device,
            name: approval.name.to_owned(),
            role: approval.role.name().to_owned(),
            certificate: CertificateReply {
                certificate: certificate.pem,
                authority: authority.pem().to_owned(),
                not_before_ms: certificate.not_before_ms,
                not_after_ms: certificate.not_after_ms,
            },
            proof: hex::encode(proof),
        },
    ))
}

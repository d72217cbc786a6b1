//! Badges and PINs: made, checked, locked out; sessions opened and ended.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher, PasswordVerifier};
use keno_log::event::{DeviceRecorded, PersonRecorded, SessionEnded, SessionOpened};

use crate::central::Central;
use crate::fault::{Fault, Stop};
use crate::hand_over::must_serve;
use crate::identity::{Caller, DeviceCaller, Role, has_any};
use crate::keys::{ServerKeys, Tag, token_hash};
use crate::refusal::Refusal;
use crate::sequencer::{Judge, Lane};

/// Wrong PINs before a badge waits.
const TRIES_MAX: u32 = 5;
/// How long it waits.
const LOCK_OUT_MS: i64 = 5 * 60 * 1000;

/// Why a session ended: its device was revoked, or has another key.
const DEVICE_REVOKED: u8 = 4;

/// Counts wrong PINs by badge.
#[derive(Debug, Default)]
pub struct LockOuts(Mutex<HashMap<String, (u32, i64)>>);

impl LockOuts {
    fn locked(&self, badge: &str, now_ms: i64) -> bool {
        let tries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tries
            .get(badge)
            .is_some_and(|(count, last)| *count >= TRIES_MAX && now_ms - last < LOCK_OUT_MS)
    }

    fn failed(&self, badge: &str, now_ms: i64) {
        let mut tries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Unknown badges cannot fill the memory: old entries go first.
        tries.retain(|_, (_, last)| now_ms - *last < LOCK_OUT_MS);
        let entry = tries.entry(badge.to_owned()).or_insert((0, now_ms));
        *entry = (entry.0.saturating_add(1), now_ms);
    }

    fn succeeded(&self, badge: &str) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(badge);
    }
}

/// A credential for a new PIN: argon2id over HMAC(pepper; badge, PIN), PHC text form.
///
/// # Errors
/// [`Fault::Crypto`].
pub fn credential(keys: &ServerKeys, badge: &str, pin: &str) -> Result<String, Fault> {
    let peppered = keys.peppered(badge, pin);
    Argon2::default()
        .hash_password(peppered.as_slice())
        .map(|hash| hash.to_string())
        .map_err(|_| Fault::Crypto("argon2id"))
}

/// A credential of nobody: an unknown badge costs the same time as a known one.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$\
                      AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

fn verify(keys: &ServerKeys, credential: &str, badge: &str, pin: &str) -> bool {
    let peppered = keys.peppered(badge, pin);
    PasswordHash::new(credential).is_ok_and(|hash| {
        Argon2::default()
            .verify_password(peppered.as_slice(), &hash)
            .is_ok()
    })
}

/// A person whose badge and PIN were right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recognised {
    /// Badge.
    pub badge: String,
    /// Role numbers.
    pub roles: Vec<u8>,
}

/// A session just opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// Session number.
    pub session: u64,
    /// Its token, 32 bytes in hexadecimal: said once, kept nowhere.
    pub token: String,
    /// The open till at the device.
    pub shift: Option<u64>,
    /// Roles of the person.
    pub roles: Vec<u8>,
}

impl Central {
    /// Checks a badge and PIN. Takes about 15 ms of CPU: call it off the async threads.
    ///
    /// # Errors
    /// [`Refusal::LockedOut`] or [`Refusal::BadgeOrPinWrong`].
    pub fn recognise(&self, badge: &str, pin: &str) -> Result<Recognised, Refusal> {
        let now_ms = self.clock.now_ms();
        if self.lock_outs.locked(badge, now_ms) {
            return Err(Refusal::LockedOut);
        }
        let view = self.view.get();
        let person = view.people.get(badge).filter(|person| person.active);
        let credential = person.map_or(NOBODY, |person| person.credential.as_str());
        // One at a time: sign-ons must not starve sales of cores.
        let _turn = self
            .sign_on_turn
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let right = verify(&self.keys, credential, badge, pin);
        match person.filter(|_| right) {
            Some(person) => {
                self.lock_outs.succeeded(badge);
                Ok(Recognised {
                    badge: badge.to_owned(),
                    roles: person.roles.clone(),
                })
            }
            None => {
                self.lock_outs.failed(badge, now_ms);
                Err(Refusal::BadgeOrPinWrong)
            }
        }
    }

    /// Checks the second person of a two-person action.
    ///
    /// # Errors
    /// [`Refusal::SamePersonTwice`], [`Refusal::LockedOut`] or [`Refusal::SecondPersonRefused`].
    pub fn recognise_second(
        &self,
        first: &str,
        badge: &str,
        pin: &str,
        roles: &[Role],
    ) -> Result<Recognised, Refusal> {
        if first == badge {
            return Err(Refusal::SamePersonTwice);
        }
        match self.recognise(badge, pin) {
            Ok(person) if has_any(&person.roles, roles) => Ok(person),
            Ok(_) | Err(Refusal::BadgeOrPinWrong) => Err(Refusal::SecondPersonRefused),
            Err(other) => Err(other),
        }
    }

    /// Opens a session for a recognised person; an earlier session at the device ends.
    ///
    /// # Errors
    /// A fault.
    pub async fn sign_on(
        &self,
        device: &DeviceCaller,
        person: &Recognised,
    ) -> Result<Opened, Stop> {
        let token = self.chance.token()?;
        let token_bytes = hex::decode(&token).unwrap_or_default();
        let hash = token_hash(&token_bytes);
        let (number, badge) = (device.device, person.badge.clone());
        let session = self
            .sequencer
            .submit(Lane::Money, move |judge| {
                must_serve(&judge.state.handed_over, &judge.state.devices, number)?;
                let earlier: Vec<u64> = judge
                    .state
                    .sessions
                    .iter()
                    .filter(|(_, session)| session.device == number)
                    .map(|(session, _)| *session)
                    .collect();
                for session in earlier {
                    judge.record(SessionEnded {
                        session,
                        reason: 2,
                        by: badge.clone(),
                    })?;
                }
                let session = judge.state.next_session;
                judge.record(SessionOpened {
                    session,
                    device: number,
                    badge: badge.clone(),
                    token_hash: hash,
                })?;
                Ok(session)
            })
            .await?;
        Ok(Opened {
            session,
            token,
            shift: self
                .view
                .get()
                .shift_at(device.device)
                .map(|(number, _)| number),
            roles: person.roles.clone(),
        })
    }

    /// Ends the caller's session: its unknown keys are dead from here on.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub async fn sign_off(&self, caller: &Caller) -> Result<u64, Stop> {
        let (session, badge) = (caller.session, caller.badge.clone());
        self.sequencer
            .submit(Lane::Money, move |judge| {
                if !judge.state.sessions.contains_key(&session) {
                    return Err(Refusal::SessionEnded.into());
                }
                Ok(judge.record(SessionEnded {
                    session,
                    reason: 1,
                    by: badge.clone(),
                })?)
            })
            .await
    }

    /// Records a person as they are to stand.
    ///
    /// # Errors
    /// A fault.
    pub fn record_person(
        &self,
        badge: &str,
        name: &str,
        roles: &[Role],
        pin: &str,
        by: &str,
    ) -> Result<u64, Stop> {
        let mut numbers: Vec<u8> = roles.iter().map(|role| role.number()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let event = PersonRecorded {
            badge: badge.to_owned(),
            name: name.to_owned(),
            roles: numbers,
            credential: credential(&self.keys, badge, pin)?,
            active: true,
            by: by.to_owned(),
        };
        self.sequencer
            .submit_blocking(Lane::Money, move |judge| Ok(judge.record(event.clone())?))
    }

    /// Withdraws a badge; its sessions end.
    ///
    /// # Errors
    /// [`Refusal::RecordUnknown`] for a badge that does not exist.
    pub fn withdraw_person(&self, badge: &str, by: &str) -> Result<u64, Stop> {
        let (badge, by) = (badge.to_owned(), by.to_owned());
        self.sequencer.submit_blocking(Lane::Money, move |judge| {
            let Some(person) = judge.state.people.get(&badge).cloned() else {
                return Err(Refusal::RecordUnknown.into());
            };
            let open: Vec<u64> = judge
                .state
                .sessions
                .iter()
                .filter(|(_, session)| session.badge == badge)
                .map(|(number, _)| *number)
                .collect();
            for session in open {
                judge.record(SessionEnded {
                    session,
                    reason: 3,
                    by: by.clone(),
                })?;
            }
            Ok(judge.record(PersonRecorded {
                badge: badge.clone(),
                name: person.name,
                roles: person.roles,
                credential: person.credential,
                active: false,
                by: by.clone(),
            })?)
        })
    }

    /// Enrols a device, or gives it a new key. Returns the key, 32 bytes in hexadecimal: said
    /// once, kept nowhere.
    ///
    /// # Errors
    /// A fault.
    pub fn record_device(
        &self,
        device: u32,
        name: &str,
        role: u8,
        by: &str,
    ) -> Result<String, Stop> {
        let key = self.chance.token()?;
        let event = DeviceRecorded {
            device,
            name: name.to_owned(),
            role,
            key_hash: token_hash(&hex::decode(&key).unwrap_or_default()),
            active: true,
            by: by.to_owned(),
        };
        self.sequencer
            .submit_blocking(Lane::Money, move |judge| Ok(judge.record(event.clone())?))?;
        Ok(key)
    }

    /// Records a device under the hash of its public key: a new device, or a new key for a number
    /// that another device had. Whoever is signed on at that number is signed off: the session's
    /// token went with the old device.
    ///
    /// # Errors
    /// A fault.
    pub fn record_device_key(
        &self,
        device: u32,
        name: &str,
        role: u8,
        key_hash: Tag,
        by: &str,
    ) -> Result<u64, Stop> {
        let event = DeviceRecorded {
            device,
            name: name.to_owned(),
            role,
            key_hash,
            active: true,
            by: by.to_owned(),
        };
        self.sequencer.submit_blocking(Lane::Money, move |judge| {
            end_sessions_at(judge, device, DEVICE_REVOKED, &event.by)?;
            Ok(judge.record(event.clone())?)
        })
    }

    /// A device has proved a new key of its own: it counts from here on, the old one no more.
    /// Sessions go on. The leaf, or `None` when the key was in force already.
    ///
    /// # Errors
    /// [`Refusal::DeviceUnknown`] when the device has another key by now than the one that the
    /// new key follows; [`Refusal::DeviceRevoked`].
    pub fn follow_device_key(
        &self,
        device: u32,
        before: Tag,
        key_hash: Tag,
    ) -> Result<Option<u64>, Stop> {
        self.sequencer.submit_blocking(Lane::Money, move |judge| {
            let Some(known) = judge.state.devices.get(&device).cloned() else {
                return Err(Refusal::DeviceUnknown.into());
            };
            if !known.active {
                return Err(Refusal::DeviceRevoked.into());
            }
            // A record of the device would let it serve again.
            must_serve(&judge.state.handed_over, &judge.state.devices, device)?;
            if known.key_hash == key_hash {
                return Ok(None);
            }
            if known.key_hash != before {
                return Err(Refusal::DeviceUnknown.into());
            }
            Ok(Some(judge.record(DeviceRecorded {
                device,
                name: known.name,
                role: known.role,
                key_hash,
                active: true,
                by: "device".to_owned(),
            })?))
        })
    }

    /// Revokes a device; its sessions end.
    ///
    /// # Errors
    /// [`Refusal::DeviceUnknown`].
    pub fn revoke_device(&self, device: u32, by: &str) -> Result<u64, Stop> {
        let by = by.to_owned();
        self.sequencer.submit_blocking(Lane::Money, move |judge| {
            let Some(known) = judge.state.devices.get(&device).cloned() else {
                return Err(Refusal::DeviceUnknown.into());
            };
            end_sessions_at(judge, device, DEVICE_REVOKED, &by)?;
            Ok(judge.record(DeviceRecorded {
                device,
                name: known.name,
                role: known.role,
                key_hash: known.key_hash,
                active: false,
                by: by.clone(),
            })?)
        })
    }
}

/// Ends every session at a device, for that reason.
pub(crate) fn end_sessions_at(
    judge: &mut Judge<'_>,
    device: u32,
    reason: u8,
    by: &str,
) -> Result<(), Stop> {
    let open: Vec<u64> = judge
        .state
        .sessions
        .iter()
        .filter(|(_, session)| session.device == device)
        .map(|(number, _)| *number)
        .collect();
    for session in open {
        judge.record(SessionEnded {
            session,
            reason,
            by: by.to_owned(),
        })?;
    }
    Ok(())
}

//! Sessions: opened for somebody who was recognised, ended.

use keno_log::event::{SessionEnded, SessionOpened};
use keno_record::keys::token_hash;
use keno_record::people::is_one_human;
use keno_record::roles::{Role, has_any};
use keno_record::sequencer::{Judge, Lane};

use crate::Stop;
use crate::authority::identity::{Caller, DeviceCaller};
use crate::authority::{Operation, Place};
use crate::central::Central;
use crate::central::pin_door::Recognised;
use crate::refusal::Refusal;
use crate::staff::devices::{DeviceNumber, end_sessions_at};
use crate::staff::two_people::must_be_two;

/// Why a session ended: somebody signed on after it.
const REPLACED: u8 = 2;
/// Why a session ended: a supervisor and another person ended it.
const SUPERVISED: u8 = 3;

/// Why a session ended: it was as long as one may be.
const LONGEST: u8 = 7;

/// A session that has ended records nothing more.
pub(crate) fn must_be_open(judge: &Judge<'_>, session: u64) -> Result<(), Refusal> {
    let open = judge.state.sessions.get(&session);
    open.map(|_| ()).ok_or(Refusal::SessionEnded)
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

impl Recognised {
    fn opened(&self, central: &Central, session: u64, token: String, device: u32) -> Opened {
        Opened {
            session,
            token,
            shift: central.view.get().shift_at(device).map(|(shift, _)| shift),
            roles: self.roles.clone(),
        }
    }

    /// Opens a session for a recognised person; an earlier session at the device ends.
    ///
    /// # Errors
    /// A fault.
    pub async fn sign_on(&self, central: &Central, device: &DeviceCaller) -> Result<Opened, Stop> {
        // One sentence for a wrong badge, PIN or place: a guess learns nothing of either.
        if !Operation::may_sign_on(device.role, &self.roles) {
            return Err(Refusal::BadgeOrPinWrong.into());
        }
        let token = central.chance.token()?;
        let hash = token_hash(&hex::decode(&token).unwrap_or_default());
        let (number, person) = (device.device, self.clone());
        let session = central
            .sequencer
            .submit(Lane::Money, move |judge| {
                person.must_stand(&judge.state.people)?;
                DeviceNumber(number).must_serve(&judge.state.handed_over, &judge.state.devices)?;
                end_sessions_at(judge, number, REPLACED, &person.badge)?;
                let session = judge.state.next_session;
                judge.record(SessionOpened {
                    session,
                    device: number,
                    badge: person.badge.clone(),
                    token_hash: hash,
                })?;
                Ok(session)
            })
            .await?;
        Ok(self.opened(central, session, token, number))
    }

    /// Two people, one of them a supervisor, end the session of `absent` at a terminal, and one of
    /// them goes on there: at once, or nothing comes of it. The record has both of them, and neither
    /// is the one who is absent.
    ///
    /// # Errors
    /// A refusal, as `must_be_two`; or a fault.
    pub async fn relieve(
        &self,
        central: &Central,
        device: &DeviceCaller,
        absent: &str,
        second: &Recognised,
    ) -> Result<Opened, Stop> {
        Operation::Relieve.judge_place(Place::Device(device.role))?;
        let token = central.chance.token()?;
        let hash = token_hash(&hex::decode(&token).unwrap_or_default());
        // Nobody holds a token of the second person's session: it ends with this.
        let nobody = token_hash(&hex::decode(central.chance.token()?).unwrap_or_default());
        let number = device.device;
        let two = [self.clone(), second.clone()];
        let (absent, by, other) = (absent.to_owned(), self.badge.clone(), second.badge.clone());
        let session = central
            .sequencer
            .submit(Lane::Money, move |judge| {
                let people = &judge.state.people;
                two.iter().try_for_each(|one| one.must_stand(people))?;
                must_be_two(judge.staff(), Operation::Relieve, &by, &other)?;
                if [&by, &other]
                    .iter()
                    .any(|one| is_one_human(people, one, &absent))
                {
                    return Err(Refusal::SamePersonTwice.into());
                }
                DeviceNumber(number).must_serve(&judge.state.handed_over, &judge.state.devices)?;
                // Whoever is signed on there is the one who is said to be absent; or one of the two,
                // where an answer was lost.
                let is_known = |badge: &str| {
                    let two = [&by, &other];
                    badge == absent || two.iter().any(|one| is_one_human(people, one, badge))
                };
                let mut here = judge.state.sessions.values();
                if here.any(|session| session.device == number && !is_known(&session.badge)) {
                    return Err(Refusal::SessionEnded.into());
                }
                let staff = judge.staff();
                let is_supervisor = |badge: &str| has_any(&staff.roles(badge), &[Role::Supervisor]);
                let supervisor = if is_supervisor(&by) { &by } else { &other }.clone();
                let open: Vec<(u64, u8)> = judge
                    .state
                    .sessions
                    .iter()
                    .filter(|(_, session)| session.device == number)
                    .map(|(open, session)| {
                        let is_own = is_one_human(people, &session.badge, &supervisor);
                        (*open, if is_own { REPLACED } else { SUPERVISED })
                    })
                    .collect();
                for (session, reason) in open {
                    judge.record(SessionEnded {
                        session,
                        reason,
                        by: supervisor.clone(),
                    })?;
                }
                let mut opened = 0;
                for (badge, token_hash) in [(&other, nobody), (&by, hash)] {
                    if opened > 0 {
                        judge.record(SessionEnded {
                            session: opened,
                            reason: REPLACED,
                            by: by.clone(),
                        })?;
                    }
                    opened = judge.state.next_session;
                    judge.record(SessionOpened {
                        session: opened,
                        device: number,
                        badge: badge.clone(),
                        token_hash,
                    })?;
                }
                Ok(opened)
            })
            .await?;
        Ok(self.opened(central, session, token, number))
    }
}

impl Caller {
    /// Ends the caller's session: its unknown keys are dead from here on.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub async fn sign_off(&self, central: &Central) -> Result<u64, Stop> {
        let (session, badge) = (self.session, self.badge.clone());
        central
            .sequencer
            .submit(Lane::Money, move |judge| {
                must_be_open(judge, session)?;
                Ok(judge.record(SessionEnded {
                    session,
                    reason: 1,
                    by: badge.clone(),
                })?)
            })
            .await
    }
}

/// A device that was heard and is away is waited for so long before its session ends.
const DOUBT_MS: i64 = 60 * 60 * 1_000;

/// What is heard of a device, as it matters for its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastHeard {
    /// How long ago.
    pub silent_ms: i64,
    /// It has something in doubt, or is away.
    pub has_doubts: bool,
}

impl LastHeard {
    /// Ends the sessions that are as long as the house lets one be. A device that has something in
    /// doubt, or that was heard before and is away, is waited for: its keys die with the session.
    pub fn end_overlong(central: &Central, heard: impl Fn(u32) -> Option<LastHeard>) {
        let longest_ms = i64::from(central.house.sessions.longest_hours) * 60 * 60 * 1_000;
        let now_ms = central.clock.now_ms();
        let view = central.view.get();
        for (number, session) in &view.sessions {
            let is_overlong = now_ms.saturating_sub(session.opened_at_ms) >= longest_ms;
            let is_waited_for =
                heard(session.device).is_some_and(|it| it.has_doubts && it.silent_ms < DOUBT_MS);
            if !is_overlong || is_waited_for {
                continue;
            }
            if let Err(stop) = end_session(central, *number) {
                tracing::error!(%stop, session = number, "a session that is over could not be ended");
            }
        }
    }
}

/// Ends a session that is as long as one may be; its till stays open. Nothing when it ended
/// meanwhile.
///
/// # Errors
/// A fault.
fn end_session(central: &Central, session: u64) -> Result<(), Stop> {
    central
        .sequencer
        .submit_blocking(Lane::Money, move |judge| {
            if judge.state.sessions.contains_key(&session) {
                judge.record(SessionEnded {
                    session,
                    reason: LONGEST,
                    by: "central".to_owned(),
                })?;
            }
            Ok(())
        })
}

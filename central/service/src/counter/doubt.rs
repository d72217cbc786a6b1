//! Keys in doubt: what became of one, and closing one that has no outcome.

use std::collections::{BTreeMap, BTreeSet};

use keno_log::CommandKey;
use keno_log::event::KeyClosed;
use keno_record::fault::Fault;
use keno_record::sequencer::Lane;
use keno_record::state::KeyKind;
use keno_record::store::hand_overs;

use crate::Stop;
use crate::authority::identity::{Caller, DeviceCaller};
use crate::central::Central;
use crate::counter::hand_over::key_device;
use crate::counter::key::{answer_of, must_be_countable, outcome_of};
use crate::refusal::Refusal;

/// Commands of a terminal of which it does not know what became: three that were put aside, and one
/// at work.
const OPEN_MOST: usize = 4;

/// What central knows of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyAnswer {
    /// `None`: unknown.
    pub kind: Option<KeyKind>,
    /// Leaf of the fact.
    pub leaf: Option<u64>,
}

impl KeyAnswer {
    const UNKNOWN: Self = Self {
        kind: None,
        leaf: None,
    };

    fn of((kind, leaf): (KeyKind, u64)) -> Self {
        Self {
            kind: Some(kind),
            leaf: Some(leaf),
        }
    }
}

impl DeviceCaller {
    /// Which of the keys that a device says are open can be: each once, of a session of its own or
    /// of a device that was left to it; and of those that have no outcome no more than a terminal
    /// ever has at a time.
    ///
    /// # Errors
    /// A fault.
    pub fn can_be_open(
        &self,
        central: &Central,
        keys: &[(Option<u32>, u64, u64)],
    ) -> Result<Vec<bool>, Fault> {
        let (mut seen, mut unknown) = (BTreeSet::new(), BTreeMap::new());
        // A session that a restore lost is in no row.
        let was_restored = central.view.get().epoch.number > 1;
        let mut found = Vec::with_capacity(keys.len());
        for &(left, session, counter) in keys {
            let known = hand_overs::session(&mut *central.readers.get()?, session)?;
            let of = left.unwrap_or(self.device);
            let is_of = known.map_or(was_restored, |(device, _)| device == of);
            let answer = match self.ask_key(central, left, session, counter) {
                Ok(answer) => Some(answer),
                Err(Stop::Refused(_)) => None,
                Err(Stop::Broke(fault) | Stop::Undone(fault)) => return Err(fault),
            };
            let is_first = seen.insert((of, session, counter));
            let can_be = is_of && is_first && answer.is_some();
            let is_waiting = known.is_none() || answer.is_some_and(|it| it.kind.is_none());
            let waits = can_be && is_waiting;
            let waiting = unknown.entry(of).or_insert(0_usize);
            *waiting += usize::from(waits);
            found.push(can_be && (!waits || *waiting <= OPEN_MOST));
        }
        Ok(found)
    }

    /// What is known of a key: of the caller's own, or of one of `left`, a device that was handed
    /// over to it.
    ///
    /// # Errors
    /// [`Refusal::KeyForeign`] or a fault.
    pub fn ask_key(
        &self,
        central: &Central,
        left: Option<u32>,
        session: u64,
        counter: u64,
    ) -> Result<KeyAnswer, Stop> {
        let view = central.view.get();
        let mut reader = central.readers.get()?;
        let key = CommandKey {
            device: key_device(&mut reader, &view.handed_over, self.device, left, session)?,
            session,
            counter,
        };
        drop(reader);
        Ok(answer_of(central, key)?.map_or(KeyAnswer::UNKNOWN, KeyAnswer::of))
    }
}

impl Caller {
    /// Closes a key that has no outcome, before cash or draft is given back: a late copy of its
    /// command is refused from here on. A key that has an outcome keeps it.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub async fn close_key(
        &self,
        central: &Central,
        left: Option<u32>,
        session: u64,
        counter: u64,
    ) -> Result<KeyAnswer, Stop> {
        let here = self.device.device;
        let badge = self.badge.clone();
        central
            .sequencer
            .submit(Lane::Money, move |judge| {
                if left.is_some() {
                    judge.settle_rows()?;
                }
                let handed_over = &judge.state.handed_over;
                let key = CommandKey {
                    device: key_device(judge.connection, handed_over, here, left, session)?,
                    session,
                    counter,
                };
                must_be_countable(&key)?;
                if key.device != here && session >= judge.state.next_session {
                    // Nobody was ever signed on in it: it may yet be somebody's.
                    return Err(Refusal::KeyForeign.into());
                }
                if let Some(outcome) = outcome_of(judge, &key)? {
                    return Ok(KeyAnswer::of((outcome.kind, outcome.leaf)));
                }
                if !judge.state.sessions.contains_key(&key.session) {
                    // The session ended, and its unknown keys with it.
                    return Ok(KeyAnswer {
                        kind: Some(KeyKind::Closed),
                        leaf: None,
                    });
                }
                let leaf = judge.record(KeyClosed {
                    key,
                    badge: badge.clone(),
                })?;
                Ok(KeyAnswer::of((KeyKind::Closed, leaf)))
            })
            .await
    }
}

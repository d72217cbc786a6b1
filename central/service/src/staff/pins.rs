//! Badges and PINs: the one door at which a PIN is tried.
//!
//! The place is judged first, and is no failure of the PIN. A try is then counted, under one lock,
//! and kept on disk, before it is hashed; hashing runs on a few threads of its own behind a short
//! queue, after whatever else wants a core, so that no flood of guesses slows a check, a page or a
//! sale. Whatever was wrong, one sentence says so, at a fixed moment after the request; the true
//! reason stands in the access log.

use std::sync::Arc;

use keno_record::fault::Fault;
use keno_record::keys::Tag;
use keno_record::people::People;
use keno_record::state::Person;
use tokio::sync::oneshot;

use crate::Stop;
use crate::central::Central;
use crate::central::pin_door::limiter::{Count, NotTaken, Origin};
use crate::central::pin_door::{
    ANSWER_MS, Attempt, BADGE_MAX, Credential, Door, Job, Keeper, Reason, Recognised,
    SLOW_ANSWER_MS, Tried, UnderWay,
};
use crate::refusal::Refusal;
use crate::staff::people::Badge;
use crate::staff::two_people::staff_of;

/// Ends the name under which tries of a badge at a wrong place are counted: no badge has such a sign.
const ELSEWHERE: &str = "\0";

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
    credential: Tag,
    hashed: oneshot::Receiver<bool>,
}

impl Credential {
    /// Takes a credential up that is about to be kept beside the record.
    pub fn make_known(&self, central: &Central) {
        central
            .pins
            .credentials()
            .insert(self.hash, self.phc.clone());
    }
}

/// Where counts and tries are kept from here on, with what was kept before: counts, and the
/// failures of the last hour.
pub fn keep_pins(
    central: &Central,
    keeper: Arc<dyn Keeper>,
    counts: Vec<Count>,
    failed: Vec<(i64, Origin)>,
) {
    if central.pins.keeper.set(keeper).is_ok() {
        central.pins.limiter.lock().take_up(counts, failed);
    }
}

/// Whether counts and tries are kept somewhere.
pub fn keeps_pins(central: &Central) -> bool {
    central.pins.keeper.get().is_some()
}

fn note_tried(central: &Central, attempt: &Attempt<'_>, reason: Reason) {
    if let Some(keeper) = central.pins.keeper.get() {
        let at_ms = central.clock.now_ms();
        keeper.tried(Tried {
            at_ms,
            is_slow: central.pins.limiter.lock().is_slow(attempt.origin, at_ms),
            origin: attempt.origin,
            badge: attempt.badge.chars().take(BADGE_MAX).collect(),
            door: attempt.door,
            reason,
        });
    }
}

/// Whether a card was shown where one is asked for. Whoever has one shows it.
fn shown(central: &Central, attempt: &Attempt<'_>, person: &Person) -> Shown {
    let Some(secret) = attempt.card else {
        return Shown::Enough;
    };
    let is_needed = match attempt.door {
        Door::NewPin => person.must_change && person.card > 0,
        // Another badge of somebody who has a card is no way around it.
        _ => central.house.staff.cards_needed || has_card(&central.view.get().people, person),
    };
    let is_right = || {
        let keys = &central.keys;
        person.card > 0 && keys.is_card(&central.house_code, attempt.badge, person.card, secret)
    };
    match (is_needed, secret.is_empty()) {
        (false, _) => Shown::Enough,
        (true, true) => Shown::Nothing,
        (true, false) if is_right() => Shown::Enough,
        (true, false) => Shown::Wrong,
    }
}

/// Judges the place, counts, and has the PIN hashed; nothing waits here.
fn begin_try(
    central: &Central,
    attempt: &Attempt<'_>,
) -> Result<Result<Begun, (Reason, Refusal)>, Fault> {
    let wrong = |reason| Ok(Err((reason, Refusal::BadgeOrPinWrong)));
    let view = central.view.get();
    let roles = staff_of(central, &view).roles(attempt.badge);
    let known = view.people.get(attempt.badge);
    let known = known.filter(|person| person.active);
    // Whoever may not do this here is counted as a badge that nobody has is, and apart from the tries
    // of their own: neither tells that the badge exists, nor keeps its owner out.
    let person = known.filter(|_| (attempt.may)(&roles));
    let is_elsewhere = known.is_some() && person.is_none();
    let card = person.map_or(Shown::Enough, |person| shown(central, attempt, person));
    if card == Shown::Nothing {
        return Ok(Err((Reason::NoCard, Refusal::CardNeeded)));
    }
    let queue = central.pins.queue()?;
    let (answer, hashed) = oneshot::channel();
    let now_ms = central.clock.now_ms();
    let mut limiter = central.pins.limiter.lock();
    let badge: String = attempt.badge.chars().take(BADGE_MAX).collect();
    let counted = badge.clone() + if is_elsewhere { ELSEWHERE } else { "" };
    let count = match limiter.begin(&counted, person.is_some(), attempt.origin, now_ms) {
        Ok(count) => count,
        Err(not_taken) => return Ok(Err(refusal_of(not_taken))),
    };
    let Some(person) = person else {
        let reason = if is_elsewhere {
            Reason::WrongPlace
        } else {
            Reason::UnknownBadge
        };
        return wrong(reason);
    };
    if card == Shown::Wrong {
        return wrong(Reason::WrongCard);
    }
    let Some(credential) = central.pins.credentials().get(&person.credential).cloned() else {
        return wrong(Reason::NoCredential);
    };
    // Under the lock: counts of one badge are kept in the order in which they were made.
    let kept = central.pins.keeper.get().map(|keeper| keeper.keep(count));
    let job = Job {
        keys: Arc::clone(&central.keys),
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
        credential: person.credential,
        hashed,
    }))
}

fn end_try(
    central: &Central,
    attempt: &Attempt<'_>,
    begun: Begun,
    is_right: bool,
) -> Result<Recognised, (Reason, Refusal)> {
    if !is_right {
        return Err((Reason::WrongPin, Refusal::BadgeOrPinWrong));
    }
    let mut limiter = central.pins.limiter.lock();
    let count = limiter.succeeded(attempt.badge, attempt.origin);
    if let Some(keeper) = central.pins.keeper.get() {
        // Nothing waits for it: a success that is lost leaves its try counted.
        drop(keeper.keep(count));
    }
    drop(limiter);
    // Whoever set it knows it: it is good for nothing but to choose another.
    if begun.must_change && !matches!(attempt.door, Door::NewPin | Door::Recovery) {
        return Err((Reason::MustChange, Refusal::PinMustChange));
    }
    note_tried(central, attempt, Reason::Right);
    Ok(Recognised {
        badge: attempt.badge.to_owned(),
        roles: begun.roles,
        credential: Some(begun.credential),
    })
}

fn failed_try(central: &Central, attempt: &Attempt<'_>, reason: Reason) {
    if matches!(
        reason,
        Reason::WrongPin
            | Reason::WrongCard
            | Reason::UnknownBadge
            | Reason::WrongPlace
            | Reason::NoCredential
    ) {
        central
            .pins
            .limiter
            .lock()
            .failed(attempt.origin, central.clock.now_ms());
    }
    note_tried(central, attempt, reason);
}

impl Attempt<'_> {
    /// Tries a badge and a PIN. A refusal comes at its fixed moment.
    ///
    /// # Errors
    /// [`Refusal::BadgeOrPinWrong`] for all that is wrong with badge, PIN or place;
    /// [`Refusal::LockedOut`], [`Refusal::BadgeLocked`], [`Refusal::PinsBusy`]; a fault.
    pub async fn recognise(self, central: &Central) -> Result<Recognised, Stop> {
        let asked_ms = central.clock.monotonic_ms();
        let now_ms = central.clock.now_ms();
        let (entered, is_slow) = {
            let mut limiter = central.pins.limiter.lock();
            let is_slow = limiter.is_slow(self.origin, now_ms);
            (limiter.enter(self.origin, now_ms), is_slow)
        };
        if let Err(not_taken) = entered {
            let (reason, refusal) = refusal_of(not_taken);
            failed_try(central, &self, reason);
            answer_is_due(central, asked_ms, is_slow).await;
            return Err(refusal.into());
        }
        let _under_way = UnderWay(Arc::clone(&central.pins.limiter), self.origin);
        let outcome = match begin_try(central, &self)? {
            Err(refused) => Err(refused),
            Ok(mut begun) => {
                let is_right = (&mut begun.hashed).await.map_err(|_| Fault::Stopped)?;
                end_try(central, &self, begun, is_right)
            }
        };
        let (reason, refusal) = match outcome {
            Ok(person) => return Ok(person),
            Err(refused) => refused,
        };
        failed_try(central, &self, reason);
        answer_is_due(central, asked_ms, is_slow).await;
        Err(refusal.into())
    }
}

/// The fixed moment of a refusal. Where nothing was tried it comes then too: who asks again at
/// once is held by as many connections as they have, and not by what central can answer.
async fn answer_is_due(central: &Central, asked_ms: i64, is_slow: bool) {
    let step = if is_slow { SLOW_ANSWER_MS } else { ANSWER_MS };
    let taken = central.clock.monotonic_ms() - asked_ms;
    let moment = asked_ms + (taken / step + 1) * step;
    central.clock.until(moment).await;
}

impl Recognised {
    /// Refuses whoever is recognised no more: the badge was withdrawn, or its PIN is another, since it
    /// was tried. The writer asks, because others may have given the person another meanwhile.
    ///
    /// # Errors
    /// [`Refusal::BadgeOrPinWrong`].
    pub fn must_stand(&self, people: &People) -> Result<(), Refusal> {
        let person = people.get(&self.badge).filter(|person| person.active);
        if self.credential.is_none() || self.credential == person.map(|person| person.credential) {
            return Ok(());
        }
        Err(Refusal::BadgeOrPinWrong)
    }

    /// As [`Attempt::recognise`], for the command line on central's own host: it blocks, and nobody
    /// is made to wait for a refusal.
    ///
    /// # Errors
    /// As [`Attempt::recognise`].
    pub fn at_console(
        central: &Central,
        badge: &str,
        pin: &str,
        may: &dyn Fn(&[u8]) -> bool,
    ) -> Result<Recognised, Stop> {
        recognise_for(central, badge, pin, Door::Command, may)
    }

    /// As [`Self::at_console`], for the owner of a badge who chooses another PIN.
    ///
    /// # Errors
    /// As [`Attempt::recognise`].
    pub fn owner_at_console(central: &Central, badge: &str, pin: &str) -> Result<Recognised, Stop> {
        recognise_for(central, badge, pin, Door::NewPin, &|_| true)
    }
}

pub(crate) fn recognise_for(
    central: &Central,
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
    let outcome = match begin_try(central, &attempt)? {
        Err(refused) => Err(refused),
        Ok(mut begun) => {
            let (_, never) = oneshot::channel();
            let hashed = std::mem::replace(&mut begun.hashed, never);
            let is_right = hashed.blocking_recv().map_err(|_| Fault::Stopped)?;
            end_try(central, &attempt, begun, is_right)
        }
    };
    outcome.map_err(|(reason, refusal)| {
        failed_try(central, &attempt, reason);
        refusal.into()
    })
}

impl Badge<'_> {
    /// Whether a badge is locked wherever it never succeeded.
    pub fn is_locked(self, central: &Central) -> bool {
        central.pins.limiter.lock().is_locked(self.0)
    }

    /// Two people lift what keeps a badge out. Both were recognised before.
    pub fn lift(self, central: &Central) {
        let mut limiter = central.pins.limiter.lock();
        for count in limiter.lift(self.0) {
            if let Some(keeper) = central.pins.keeper.get() {
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

//! People who give a command by badge and PIN: who shows a card, and who may be the second.

use keno_record::roles::{Role, has_any};

use crate::Stop;
use crate::authority::identity::Caller;
use crate::authority::{Operation, THIRD_JUDGES};
use crate::central::Central;
use crate::central::pin_door::limiter::Origin;
use crate::central::pin_door::{Attempt, Door, Recognised};
use crate::refusal::Refusal;
use crate::staff::two_people::must_differ;

/// What somebody gives in.
#[derive(Clone, Copy)]
pub struct Signed<'a> {
    /// Badge.
    pub badge: &'a str,
    /// PIN.
    pub pin: &'a str,
    /// The secret on the card as it was scanned, perhaps nothing.
    pub card: &'a str,
}

/// What is signed, at which door and from where.
pub type SignedAt = (Operation, Door, Origin);

/// What a second person shows: a card at another's screen; the console has no scanner.
fn card_at(origin: Origin, card: &str) -> Option<&str> {
    matches!(origin, Origin::Device(_)).then_some(card)
}

/// What a signer shows: a card, unless it is their own screen, where they are signed on; typing a
/// badge is for one's own sign-on alone, which is what who stays of a relief does. A device is
/// revoked at once.
fn card_of_signer<'s>(
    central: &Central,
    (operation, door, origin): SignedAt,
    by: Signed<'s>,
) -> Option<&'s str> {
    if door == Door::NewPin {
        return Some(by.card);
    }
    if matches!(operation, Operation::Relieve | Operation::RevokeDevice) {
        return None;
    }
    let card = card_at(origin, by.card)?;
    let view = central.view.get();
    let mut sessions = view.sessions.values();
    let is_own = sessions
        .any(|session| session.badge == by.badge && origin == Origin::Device(session.device));
    (!is_own).then_some(card)
}

impl Signed<'_> {
    /// Recognises who gives a command by badge and PIN, wherever they are signed on.
    ///
    /// # Errors
    /// As [`Attempt::recognise`].
    pub async fn recognise(self, central: &Central, at: SignedAt) -> Result<Recognised, Stop> {
        let (operation, door, origin) = at;
        let attempt = Attempt {
            badge: self.badge,
            pin: self.pin,
            card: card_of_signer(central, at, self),
            origin,
            door,
            may: &|roles| operation.judge_roles(roles).is_ok(),
        };
        attempt.recognise(central).await
    }
}

async fn recognise_beside(
    central: &Central,
    (door, origin): (Door, Origin),
    second: Signed<'_>,
    roles: &[Role],
) -> Result<Recognised, Stop> {
    let attempt = Attempt {
        badge: second.badge,
        pin: second.pin,
        card: card_at(origin, second.card),
        origin,
        door,
        may: &|numbers| has_any(numbers, roles),
    };
    attempt.recognise(central).await
}

impl Signed<'_> {
    /// Recognises the two people who give a command. Whether two badges are one
    /// human's, and who set whose PIN, is told only once both PINs were right.
    ///
    /// # Errors
    /// As [`must_differ`] and [`Attempt::recognise`].
    pub async fn recognise_with(
        self,
        central: &Central,
        at: SignedAt,
        second: Signed<'_>,
    ) -> Result<(), Stop> {
        if self.badge == second.badge {
            return Err(Refusal::SamePersonTwice.into());
        }
        let first = self.recognise(central, at).await?;
        let (operation, door, origin) = at;
        let roles = operation.second_roles(&first.roles);
        recognise_beside(central, (door, origin), second, roles).await?;
        must_differ(&central.view.get().people, self.badge, second.badge)?;
        Ok(())
    }

    /// Recognises who stays of a relief and the second person beside them: neither is who is absent.
    ///
    /// # Errors
    /// As [`must_differ`] and [`Attempt::recognise`].
    pub async fn recognise_relief(
        self,
        central: &Central,
        origin: Origin,
        absent: &str,
        second: Signed<'_>,
    ) -> Result<(Recognised, Recognised), Stop> {
        let at = (Operation::Relieve, Door::SignOn, origin);
        let badge = second.badge;
        if self.badge == badge || [self.badge, badge].contains(&absent) {
            return Err(Refusal::SamePersonTwice.into());
        }
        let staying = self.recognise(central, at).await?;
        let roles = Operation::Relieve.second_roles(&staying.roles);
        let second = recognise_beside(central, (Door::Second, origin), second, roles).await?;
        for (one, other) in [(self.badge, badge), (self.badge, absent), (badge, absent)] {
            must_differ(&central.view.get().people, one, other)?;
        }
        Ok((staying, second))
    }

    /// Recognises the second person of a command at the screen of the first.
    ///
    /// # Errors
    /// As [`must_differ`] and [`Attempt::recognise`].
    pub async fn recognise_second(
        self,
        central: &Central,
        operation: Operation,
        first: &Caller,
    ) -> Result<Recognised, Stop> {
        let roles = operation.second_roles(&first.roles);
        recognise_another(central, first, self, roles).await
    }

    /// Recognises the third person who judges a damaged paper, at the screen of the first.
    ///
    /// # Errors
    /// As [`Self::recognise_second`].
    pub async fn recognise_third(
        self,
        central: &Central,
        first: &Caller,
    ) -> Result<Recognised, Stop> {
        recognise_another(central, first, self, THIRD_JUDGES).await
    }
}

async fn recognise_another(
    central: &Central,
    first: &Caller,
    other: Signed<'_>,
    roles: &[Role],
) -> Result<Recognised, Stop> {
    must_differ(&central.view.get().people, &first.badge, other.badge)?;
    let at = (Door::Second, Origin::Device(first.device.device));
    recognise_beside(central, at, other, roles).await
}

impl Caller {
    /// Recognises whoever is signed on here and comes back to a locked screen. Another's badge is
    /// refused as a wrong one: it says nothing of who is signed on.
    ///
    /// # Errors
    /// As [`Attempt::recognise`].
    pub async fn recognise_again(
        &self,
        central: &Central,
        badge: &str,
        pin: &str,
    ) -> Result<(), Stop> {
        let is_own = badge == self.badge;
        let attempt = Attempt {
            badge,
            pin,
            card: None,
            origin: Origin::Device(self.device.device),
            door: Door::Unlock,
            may: &|_| is_own,
        };
        attempt.recognise(central).await?;
        Ok(())
    }
}

/// Recognises the supervisor, signed on at the wall, who answers what somebody else asked.
///
/// # Errors
/// As [`must_differ`] and [`Attempt::recognise`].
pub(crate) async fn recognise_answering(
    central: &Central,
    caller: &Caller,
    asked_by: &str,
    pin: &str,
) -> Result<(), Stop> {
    must_differ(&central.view.get().people, asked_by, &caller.badge)?;
    let attempt = Attempt {
        badge: &caller.badge,
        pin,
        card: None,
        origin: Origin::Device(caller.device.device),
        door: Door::Approval,
        may: &|roles| Operation::AnswerApproval.judge_roles(roles).is_ok(),
    };
    attempt.recognise(central).await?;
    Ok(())
}

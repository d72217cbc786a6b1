//! People who give a command by badge and PIN: who shows a card, and who may be the second.

use keno_record::roles::{Role, has_any};

use crate::Stop;
use crate::authority::identity::Caller;
use crate::authority::{Operation, THIRD_JUDGES, judge_roles, second_roles};
use crate::central::Central;
use crate::central::pin_door::limiter::Origin;
use crate::central::pin_door::{Attempt, Door, Recognised};
use crate::staff::pins::recognise;
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

/// Recognises who gives a command by badge and PIN, wherever they are signed on.
///
/// # Errors
/// As [`recognise`].
pub async fn recognise_signer(
    central: &Central,
    at: SignedAt,
    by: Signed<'_>,
) -> Result<Recognised, Stop> {
    let (operation, door, origin) = at;
    let attempt = Attempt {
        badge: by.badge,
        pin: by.pin,
        card: card_of_signer(central, at, by),
        origin,
        door,
        may: &|roles| judge_roles(operation, roles).is_ok(),
    };
    recognise(central, attempt).await
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
    recognise(central, attempt).await
}

/// Recognises the two people who give a command.
///
/// # Errors
/// As [`must_differ`] and [`recognise`].
pub async fn recognise_two(
    central: &Central,
    at: SignedAt,
    by: Signed<'_>,
    second: Signed<'_>,
) -> Result<(), Stop> {
    must_differ(&central.view.get().people, by.badge, second.badge)?;
    let first = recognise_signer(central, at, by).await?;
    let (operation, door, origin) = at;
    let roles = second_roles(operation, &first.roles);
    recognise_beside(central, (door, origin), second, roles).await?;
    Ok(())
}

/// Recognises who stays of a relief and the second person beside them: neither is who is absent.
///
/// # Errors
/// As [`must_differ`] and [`recognise`].
pub async fn recognise_relief(
    central: &Central,
    origin: Origin,
    absent: &str,
    staying: Signed<'_>,
    second: Signed<'_>,
) -> Result<(Recognised, Recognised), Stop> {
    for (one, other) in [
        (staying.badge, second.badge),
        (staying.badge, absent),
        (second.badge, absent),
    ] {
        must_differ(&central.view.get().people, one, other)?;
    }
    let at = (Operation::Relieve, Door::SignOn, origin);
    let staying = recognise_signer(central, at, staying).await?;
    let roles = second_roles(Operation::Relieve, &staying.roles);
    let second = recognise_beside(central, (Door::Second, origin), second, roles).await?;
    Ok((staying, second))
}

/// Recognises the second person of a command at the screen of the first.
///
/// # Errors
/// As [`must_differ`] and [`recognise`].
pub async fn recognise_second(
    central: &Central,
    operation: Operation,
    first: &Caller,
    second: Signed<'_>,
) -> Result<Recognised, Stop> {
    let roles = second_roles(operation, &first.roles);
    recognise_another(central, first, second, roles).await
}

/// Recognises the third person who judges a damaged paper, at the screen of the first.
///
/// # Errors
/// As [`recognise_second`].
pub async fn recognise_third(
    central: &Central,
    first: &Caller,
    third: Signed<'_>,
) -> Result<Recognised, Stop> {
    recognise_another(central, first, third, THIRD_JUDGES).await
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

/// Recognises whoever is signed on here and comes back to a locked screen. Another's badge is
/// refused as a wrong one: it says nothing of who is signed on.
///
/// # Errors
/// As [`recognise`].
pub async fn recognise_again(
    central: &Central,
    caller: &Caller,
    badge: &str,
    pin: &str,
) -> Result<(), Stop> {
    let is_own = badge == caller.badge;
    let attempt = Attempt {
        badge,
        pin,
        card: None,
        origin: Origin::Device(caller.device.device),
        door: Door::Unlock,
        may: &|_| is_own,
    };
    recognise(central, attempt).await?;
    Ok(())
}

/// Recognises the supervisor, signed on at the wall, who answers what somebody else asked.
///
/// # Errors
/// As [`must_differ`] and [`recognise`].
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
        may: &|roles| judge_roles(Operation::AnswerApproval, roles).is_ok(),
    };
    recognise(central, attempt).await?;
    Ok(())
}

//! People who give a command by badge and PIN, wherever they are signed on.

use actix_web::web;
use keno_record::roles::has_any;
use keno_service::authority::{Operation, judge_roles, second_roles};
use keno_service::staff;
use keno_service::staff::limiter::Origin;
use keno_service::staff::{Attempt, Door, Recognised};
use keno_wire::people::Signer;

use crate::app::App;
use crate::problem::ApiError;

/// What is signed, for the access log, and from where.
pub(crate) type SignedAt = (Operation, Door, Origin);

/// Recognises who gives a command by badge and PIN.
///
/// # Errors
/// As `Central::recognise`.
pub(crate) async fn signer(
    app: &web::Data<App>,
    (operation, door, origin): SignedAt,
    by: &Signer,
) -> Result<Recognised, ApiError> {
    let attempt = Attempt {
        badge: &by.badge,
        pin: &by.pin,
        card: card_of_signer(app, (operation, door, origin), by),
        origin,
        door,
        may: &|roles| judge_roles(operation, roles).is_ok(),
    };
    Ok(staff::recognise(&app.central, attempt).await?)
}

/// What a signer shows: a card, unless it is their own screen, where they are signed on; typing a badge
/// is for one's own sign-on alone, which is what who stays of a relief does. A device is revoked at
/// once.
fn card_of_signer<'s>(
    app: &web::Data<App>,
    (operation, door, origin): SignedAt,
    by: &'s Signer,
) -> Option<&'s str> {
    if door == Door::NewPin {
        return Some(&by.card);
    }
    if matches!(operation, Operation::Relieve | Operation::RevokeDevice) {
        return None;
    }
    let card = card_at(origin, &by.card)?;
    let view = app.central.view.get();
    let mut sessions = view.sessions.values();
    let is_own = sessions
        .any(|session| session.badge == by.badge && origin == Origin::Device(session.device));
    (!is_own).then_some(card)
}

/// What a second person shows: a card at another's screen; the console has no scanner.
pub(crate) fn card_at(origin: Origin, card: &str) -> Option<&str> {
    matches!(origin, Origin::Device(_)).then_some(card)
}

/// Recognises the two people who give a command.
///
/// # Errors
/// As `Central::must_differ` and `Central::recognise`.
pub(crate) async fn two_signers(
    app: &web::Data<App>,
    at: SignedAt,
    by: &Signer,
    second: &Signer,
) -> Result<(), ApiError> {
    staff::must_differ(&app.central.view.get().people, &by.badge, &second.badge)?;
    let first = signer(app, at, by).await?;
    let (operation, door, origin) = at;
    let roles = second_roles(operation, &first.roles);
    let attempt = Attempt {
        badge: &second.badge,
        pin: &second.pin,
        card: card_at(origin, &second.card),
        origin,
        door,
        may: &|numbers| has_any(numbers, roles),
    };
    staff::recognise(&app.central, attempt).await?;
    Ok(())
}

//! People who give a command by badge and PIN, as a request names them.

use actix_web::web;
use keno_service::staff::{Recognised, Signed, SignedAt};
use keno_wire::people::Signer;
use keno_wire::request::SecondPerson;

use crate::app::App;
use crate::problem::ApiError;

/// What a signer gave in.
pub(crate) fn signed(by: &Signer) -> Signed<'_> {
    Signed {
        badge: &by.badge,
        pin: &by.pin,
        card: &by.card,
    }
}

/// What a second person gave in at the screen of the first.
pub(crate) fn signed_beside(second: &SecondPerson) -> Signed<'_> {
    Signed {
        badge: &second.badge,
        pin: &second.pin,
        card: &second.card,
    }
}

/// As [`Signed::recognise`].
pub(crate) async fn signer(
    app: &web::Data<App>,
    at: SignedAt,
    by: &Signer,
) -> Result<Recognised, ApiError> {
    Ok(signed(by).recognise(&app.central, at).await?)
}

/// As [`Signed::recognise_with`].
pub(crate) async fn two_signers(
    app: &web::Data<App>,
    at: SignedAt,
    by: &Signer,
    second: &Signer,
) -> Result<(), ApiError> {
    Ok(signed(by)
        .recognise_with(&app.central, at, signed(second))
        .await?)
}

//! Commands about a ticket that is named by its number alone: an unknown number counts against the
//! device that asks, at every door. A code with a true secret is no guess.

use keno_service::authority::identity::Caller;
use keno_service::counter::{Named, Paper};
use keno_service::{Stop, counter};
use keno_wire::request::CommandKey;

use crate::app::App;
use crate::limits::Asker;

/// Whether a paper shows no secret that this house made.
pub(crate) fn is_guess(paper: &Paper) -> bool {
    paper.true_claim().is_none()
}

/// The same of a ticket that two people name. A leaf is no guess at a number.
pub(crate) fn is_guess_of(named: &Named) -> bool {
    matches!(named, Named::Paper(paper) if is_guess(paper))
}

/// As [`counted`], of a command without a key.
///
/// # Errors
/// As [`counted`].
pub(crate) async fn counted_named<T>(
    app: &App,
    caller: &Caller,
    is_guess: bool,
    work: impl Future<Output = Result<T, Stop>>,
) -> Result<T, Stop> {
    if !is_guess {
        return work.await;
    }
    let asker = Asker::Device(caller.device.device);
    let now_ms = app.central.clock.monotonic_ms();
    app.limits.counted(asker, now_ms, work).await
}

/// Carries out a command about a paper. A key that was used is answered whatever is left of the
/// budget: what was recorded must not seem refused.
///
/// # Errors
/// `Refusal::TooManyUnknown`, and nothing was carried out; or what came of it.
pub(crate) async fn counted<T>(
    app: &App,
    caller: &Caller,
    paper: &Paper,
    key: Option<CommandKey>,
    work: impl Future<Output = Result<T, Stop>>,
) -> Result<T, Stop> {
    let central = &app.central;
    if !is_guess(paper) {
        return work.await;
    }
    if let Some(key) = key
        && counter::ask_key(central, &caller.device, None, key.session, key.counter)?
            .kind
            .is_some()
    {
        return work.await;
    }
    let asker = Asker::Device(caller.device.device);
    let now_ms = central.clock.monotonic_ms();
    app.limits.counted(asker, now_ms, work).await
}

//! What every handler takes and gives: what is asked is done off the async threads, and the reply
//! travels as JSON.

use keno_service::{Central, Stop};

use super::types::DoneReply;
use crate::app::blocking_command;

pub(super) use crate::app::{App, blocking};
pub(super) use crate::problem::ApiError;
pub(super) use crate::request::asked::{By, Signing};
pub(super) use crate::request::body::Body;
pub(super) use crate::request::caller::SignedOn;
pub(super) use actix_web::web;

/// A reply, or why there is none.
pub(super) type Reply<T> = Result<web::Json<T>, ApiError>;

/// What a question comes to: it reads, so that a fault has done nothing.
pub(super) async fn look<T: Send + 'static>(
    question: impl FnOnce() -> Result<T, Stop> + Send + 'static,
) -> Reply<T> {
    Ok(web::Json(blocking(question).await?))
}

/// What a command comes to that blocks until the writer has answered: a fault may leave its outcome
/// open.
pub(super) async fn write<T: Send + 'static, R: From<T>>(
    work: impl FnOnce() -> Result<T, Stop> + Send + 'static,
) -> Reply<R> {
    answered(blocking(work).await)
}

/// As `write`, of a command that waits for the writer.
pub(super) async fn command<T: Send + 'static, R: From<T>>(
    work: impl AsyncFnOnce() -> Result<T, Stop> + Send + 'static,
) -> Reply<R> {
    answered(blocking_command(work).await)
}

/// What became of a command, as its reply.
pub(super) fn answered<T, R: From<T>>(outcome: Result<T, Stop>) -> Reply<R> {
    let reply = outcome.map_err(ApiError::of_command)?;
    Ok(web::Json(reply.into()))
}

/// What a command comes to of which no more is said than that it is done.
pub(super) async fn done(
    app: web::Data<App>,
    work: impl FnOnce(&Central) -> Result<(), Stop> + Send + 'static,
) -> Reply<DoneReply> {
    let shared = app.clone();
    blocking(move || work(&shared.central))
        .await
        .map_err(ApiError::of_command)?;
    log_size(&app)
}

/// The reply that says no more than that it is done.
pub(super) fn log_size(app: &App) -> Reply<DoneReply> {
    let log_size = app.central.view.get().log_size;
    Ok(web::Json(DoneReply { log_size }))
}

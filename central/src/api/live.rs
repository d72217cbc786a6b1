//! `/live`, for boards and terminals: [`crate::live`] says what is sent.

use std::sync::Arc;

use actix_web::http::{Method, header};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::StreamExt;
use keno_wire::reply::Snapshot;

use super::handler::{ApiError, App, web};
use crate::entrance::{Class, Line};

/// The stream of events.
#[utoipa::path(
    get, path = "/live", tag = "live", operation_id = "live",
    responses((status = 200, description = "Events `snapshot` (Snapshot), `draw`, `ball` and `hb`", body = Snapshot, content_type = "text/event-stream"))
)]
pub(crate) async fn live(
    request: HttpRequest,
    app: web::Data<App>,
) -> Result<HttpResponse, ApiError> {
    // Strangers hear as many streams as there is room for; a device has its own. A head is none.
    if request.method() != Method::HEAD
        && let Some(line) = request.conn_data::<Arc<Line>>()
    {
        line.become_of(Class::Stream)?;
    }
    let Some(events) = app.live.events() else {
        return Ok(HttpResponse::ServiceUnavailable().finish());
    };
    Ok(HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header(("x-accel-buffering", "no"))
        .streaming(events.map(Ok::<_, actix_web::Error>)))
}

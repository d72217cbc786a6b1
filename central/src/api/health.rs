//! `/metrics` and `/healthz`.

use actix_web::HttpResponse;
use keno_record::sequencer::Lane;
use keno_record::store::log;
use keno_service::Stop;
use keno_service::refusal::Refusal;

use super::handler::{ApiError, App, web};
use crate::app::blocking_command;

/// Counters and gauges for Prometheus.
#[utoipa::path(
    get, path = "/metrics", tag = "house", operation_id = "metrics",
    responses((status = 200, description = "OpenMetrics text", body = String, content_type = "application/openmetrics-text"))
)]
pub(crate) async fn metrics(app: web::Data<App>) -> HttpResponse {
    match app.metrics.text(&app.central, app.live.clients()) {
        Ok(text) => HttpResponse::Ok()
            .content_type("application/openmetrics-text; version=1.0.0; charset=utf-8")
            .body(text),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

/// 200 when writer and readers answer; 503 otherwise.
#[utoipa::path(
    get, path = "/healthz", tag = "house", operation_id = "health",
    responses((status = 200, description = "Central works", body = String, content_type = "text/plain"))
)]
pub(crate) async fn healthz(app: web::Data<App>) -> Result<HttpResponse, ApiError> {
    let central = app.central.clone();
    blocking_command(async move || {
        // An empty command goes through the whole door and leaves no leaf.
        central.sequencer.submit(Lane::Draw, |_| Ok(())).await?;
        let mut reader = central.readers.get()?;
        match log::entry(&mut reader, 0)? {
            Some(_) => Ok(()),
            None => Err(Stop::Refused(Refusal::RecordUnavailable)),
        }
    })
    .await?;
    Ok(HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .body("ok\n"))
}

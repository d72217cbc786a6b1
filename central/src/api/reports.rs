//! Reports to file, as PDF or CSV.

use actix_web::HttpResponse;
use actix_web::http::header;
use keno_record::fault::Fault;
use keno_service::Stop;
use keno_wire::request::TicketReportRequest;
use keno_words::malformed;
use serde::Deserialize;

use super::audit::purpose_of;
use super::draws::number_of;
use super::handler::{ApiError, App, By, SignedOn, blocking, web};
use crate::problem::unknown_draw;
use crate::report;
use crate::report::{Asking, House, Report};
use crate::request::body::Query;

keno_game::named! {
    /// How a report is filed: asked for as `format`.
    Form {
        /// Pages. What a report is that says nothing of it.
        Pdf "pdf",
        /// Rows for a spreadsheet.
        Csv "csv",
    }
}

fn form_of(text: Option<&str>) -> Result<Form, ApiError> {
    text.map_or(Some(Form::Pdf), Form::from_name)
        .ok_or_else(|| ApiError::malformed(Some("format"), &malformed::ReportFormat))
}

/// How a report is wanted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReportQuery {
    #[serde(default)]
    format: Option<String>,
}

/// A report as it is wanted.
async fn filed(
    form: Form,
    report: impl FnOnce() -> Result<Report, Stop> + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    let (kind, file, bytes) = blocking(move || {
        let report = report()?;
        let (kind, ending, bytes) = match form {
            Form::Csv => {
                let kind = "text/csv; charset=utf-8; header=present";
                (kind, "csv", report.csv().into_bytes())
            }
            Form::Pdf => {
                let bytes = report.pdf();
                let bytes = bytes.map_err(|fault| Fault::File(fault.to_string()))?;
                ("application/pdf", "pdf", bytes)
            }
        };
        Ok((kind, format!("{}.{ending}", report.file), bytes))
    })
    .await?;
    Ok(attachment(kind, &file, bytes))
}

/// A file to keep, of this kind.
pub(super) fn attachment(kind: &'static str, file: &str, bytes: Vec<u8>) -> HttpResponse {
    HttpResponse::Ok()
        .content_type(kind)
        .insert_header((
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{file}\""),
        ))
        .body(bytes)
}

/// The sheet of a draw: numbers once official, totals once settled.
#[utoipa::path(
    get, path = "/api/v1/reports/draws/{number}", tag = "reports", operation_id = "draw_report",
    params(
        ("number" = u64, Path, description = "Draw number", example = 1),
        ("format" = Option<String>, Query, description = "`pdf` (usual) or `csv`", example = "pdf")
    ),
    responses(
        (status = 200, description = "The sheet, French then English", content(
            (Vec<u8> = "application/pdf"), (String = "text/csv")
        ))
    )
)]
pub(super) async fn draw(
    app: web::Data<App>,
    path: web::Path<String>,
    Query(query): Query<ReportQuery>,
) -> Result<HttpResponse, ApiError> {
    let number = number_of(&path)?;
    let form = form_of(query.format.as_deref())?;
    filed(form, move || {
        let mut reader = app.central.readers.get().map_err(Fault::from)?;
        Ok(report::draw(&mut reader, &House::of(&app.central), number)?)
    })
    .await
}

/// The certificate of a draw, for whoever asks by its page or by its interface.
pub(crate) async fn certificate_of(
    app: web::Data<App>,
    path: &str,
) -> Result<HttpResponse, ApiError> {
    let number = number_of(path)?;
    filed(Form::Pdf, move || report::certificate(&app.central, number))
        .await
        .map_err(unknown_draw)
}

/// The certificate of a draw whose result is official: what its transcript says, on paper; of real
/// balls, which have no transcript, what its page says.
#[utoipa::path(
    get, path = "/api/v1/draws/{number}/certificate", tag = "draws", operation_id = "certificate",
    params(("number" = u64, Path, description = "Draw number", example = 1)),
    responses(
        (status = 200, description = "The certificate, in both languages", content(
            (Vec<u8> = "application/pdf")
        ))
    )
)]
pub(super) async fn certificate(
    app: web::Data<App>,
    path: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    certificate_of(app, &path).await
}

/// How often each number came up in official draws, by where the numbers came from, and which of them
/// are no chance any more.
#[utoipa::path(
    get, path = "/api/v1/reports/numbers", tag = "reports", operation_id = "numbers_report",
    params(
        ("format" = Option<String>, Query, description = "`pdf` (usual) or `csv`", example = "csv")
    ),
    responses(
        (status = 200, description = "The report, French then English", content(
            (Vec<u8> = "application/pdf"), (String = "text/csv")
        ))
    )
)]
pub(super) async fn numbers(
    app: web::Data<App>,
    Query(query): Query<ReportQuery>,
) -> Result<HttpResponse, ApiError> {
    let form = form_of(query.format.as_deref())?;
    filed(form, move || {
        let mut reader = app.central.readers.get().map_err(Fault::from)?;
        Ok(report::numbers(&mut reader, &House::of(&app.central))?)
    })
    .await
}

/// The sheet of a shift, once its till was counted: a clerk's is the last one that was counted at
/// this device, a supervisor's and an auditor's any. An auditor reads that of an open till too,
/// without the figure that is expected.
#[utoipa::path(
    get, path = "/api/v1/reports/shifts/{number}", tag = "reports", operation_id = "shift_report",
    params(
        ("number" = u64, Path, description = "Shift number", example = 1),
        ("format" = Option<String>, Query, description = "`pdf` (usual) or `csv`", example = "csv")
    ),
    responses(
        (status = 200, description = "The sheet, French then English", content(
            (Vec<u8> = "application/pdf"), (String = "text/csv")
        ))
    )
)]
pub(super) async fn shift(
    app: web::Data<App>,
    SignedOn(caller): SignedOn,
    path: web::Path<String>,
    Query(query): Query<ReportQuery>,
) -> Result<HttpResponse, ApiError> {
    let number = number_of(&path)?;
    let form = form_of(query.format.as_deref())?;
    filed(form, move || {
        let mut reader = app.central.readers.get().map_err(Fault::from)?;
        caller.may_read_sheet(&mut reader, number)?;
        Ok(report::shift(
            &mut reader,
            &House::of(&app.central),
            number,
        )?)
    })
    .await
}

/// The evidence pack of a ticket: on record in the access log, with its purpose, before it is
/// made.
#[utoipa::path(
    post, path = "/api/v1/reports/tickets", tag = "reports", operation_id = "ticket_report",
    request_body(content = TicketReportRequest, example = json!({
        "code": "0731552890146663", "purpose": "claim", "format": "pdf"
    })),
    responses(
        (status = 200, description = "The pack, French then English", content(
            (Vec<u8> = "application/pdf"), (String = "text/csv")
        ))
    )
)]
pub(super) async fn ticket(
    By(app, caller, asked): By<TicketReportRequest>,
) -> Result<HttpResponse, ApiError> {
    let purpose = purpose_of(&asked.purpose)?;
    let form = form_of(asked.format.as_deref())?;
    filed(form, move || {
        let asking = Asking {
            badge: &caller.badge,
            device: Some(caller.device.device),
            purpose,
        };
        report::evidence_pack(&app, asking, &asked.code)
    })
    .await
}

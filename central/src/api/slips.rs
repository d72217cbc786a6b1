//! Selection slips and express cards of the rules in force, as PDF.

use actix_web::HttpResponse;
use keno_book::rules_file;
use keno_record::fault::Fault;
use keno_service::Stop;
use keno_service::refusal::Refusal;
use keno_wire::slip_code::SlipLanguage;
use keno_words::malformed;
use serde::Deserialize;

use super::handler::{ApiError, App, blocking, web};
use super::reports::attachment;
use super::rules::current_rules;
use crate::report::slips;
use crate::report::slips::SlipsFault;
use crate::request::body::Query;

/// Which language comes first.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SlipQuery {
    #[serde(default)]
    language: Option<String>,
}

fn language_of(text: Option<&str>) -> Result<SlipLanguage, ApiError> {
    let text = text.unwrap_or("fr");
    let mut all = SlipLanguage::ALL.into_iter();
    all.find(|language| language.code() == text)
        .ok_or_else(|| ApiError::malformed(Some("language"), &malformed::Language))
}

fn stop(fault: &SlipsFault) -> Stop {
    match fault {
        SlipsFault::Unknown => Stop::Refused(Refusal::RecordUnknown),
        _ => Stop::Broke(Fault::File(fault.to_string())),
    }
}

/// A slip of the rules in force: the blank selection slip, with the mentions of s. 77, or an
/// express card.
#[utoipa::path(
    get, path = "/api/v1/slips/{name}", tag = "rules", operation_id = "slip",
    params(
        ("name" = String, Path, description = "`blank` (or `blank-CODE` of a further game), or `express-1` to `express-8`", example = "blank"),
        ("language" = Option<String>, Query, description = "The language that comes first: `fr` (usual) or `en`", example = "fr")
    ),
    responses(
        (status = 200, description = "The slip, on a page of its own size", content((Vec<u8> = "application/pdf")))
    )
)]
pub(super) async fn slip(
    app: web::Data<App>,
    path: web::Path<String>,
    Query(query): Query<SlipQuery>,
) -> Result<HttpResponse, ApiError> {
    let language = language_of(query.language.as_deref())?;
    let name = path.into_inner();
    let rules = current_rules(&app.central).ok_or(Refusal::NoRules)?;
    let made_at_ms = app.central.clock.now_ms();
    let (file, bytes) = blocking(move || {
        let book = rules_file::read(&rules.text)
            .map_err(|_| Fault::Record("a rule book on record is faulty".to_owned()))?;
        let form = slips::form(&book, language, &name).map_err(|fault| stop(&fault))?;
        let bytes = slips::pdf(&form, made_at_ms).map_err(|fault| stop(&fault))?;
        Ok((slips::file_name(&book, language, &name), bytes))
    })
    .await?;
    Ok(attachment("application/pdf", &format!("{file}.pdf"), bytes))
}

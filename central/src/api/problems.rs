//! What a problem means: the address that its `type` is.

use std::fmt::Write as _;

use actix_web::HttpResponse;
use actix_web::http::header;

use super::handler::{ApiError, web};
use crate::problem::meaning;

/// What a problem means and what to do, in both languages.
#[utoipa::path(
    get, path = "/problems/{name}", tag = "house", operation_id = "problem",
    params(("name" = String, Path, description = "Its stable name", example = "draw_closed")),
    responses((status = 200, description = "Its sentences, French first", body = String, content_type = "text/plain"))
)]
pub(crate) async fn problem(name: web::Path<String>) -> Result<HttpResponse, ApiError> {
    let meaning = meaning::of(&name).ok_or(ApiError::PathUnknown)?;
    let mut text = format!("{name} ({})\n", meaning.status);
    for sentence in meaning.sentences {
        let _ = write!(text, "\n{}\n{}\n", sentence.fr, sentence.en);
    }
    Ok(HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .insert_header((header::CONTENT_LANGUAGE, "fr, en"))
        .body(text))
}

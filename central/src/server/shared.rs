//! Answers that are the same for everybody: compressed where it is asked for, and not sent again to
//! whoever has them.
//!
//! What somebody is told by a right of their own is neither: beside what a stranger chose, the
//! length of a compressed answer would tell of a secret (BREACH).

use actix_web::body::{self, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    self, EntityTag, Header, HeaderValue, IfNoneMatch, TryIntoHeaderValue,
};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use keno_log::hash::sha256;
use keno_service::authority::Who;

use crate::doors;
use crate::endpoint::Endpoint;

/// What is public and goes its own way: events are sent one by one, how central does is of this
/// moment, assets were compressed once, hashes cannot be.
const APART: [&str; 4] = ["/live", "/healthz", "/assets/{name}", "/log/tile/{tile:.*}"];

/// Whether an address answers everybody alike, by the table of authority.
pub(super) fn is_for_everybody(of_path: &[Endpoint]) -> bool {
    of_path.iter().all(|endpoint| {
        let operation = doors::operation_of(&endpoint.method, &endpoint.path);
        endpoint.method == Method::GET
            && operation.is_some_and(|operation| operation.row().who == Who::Public)
            && !APART.contains(&endpoint.path.as_str())
    })
}

/// Answers 304 to whoever has this very answer (RFC 9110, s. 13.1.2). Browsers keep no page: they
/// would show an old one to whoever goes back to it.
pub(super) async fn unless_known(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse, actix_web::Error> {
    let known = IfNoneMatch::parse(&request).ok();
    let answer = next.call(request).await?.map_into_boxed_body();
    let is_page = |of: &HeaderValue| of.as_bytes().starts_with(b"text/html");
    if answer.status() != StatusCode::OK
        || answer
            .headers()
            .get(header::CONTENT_TYPE)
            .is_none_or(is_page)
    {
        return Ok(answer);
    }
    let (request, answer) = answer.into_parts();
    let (mut answer, body) = answer.into_parts();
    let body = match body.try_into_bytes() {
        Ok(body) => body,
        Err(body) => return Ok(ServiceResponse::new(request, answer.set_body(body))),
    };
    let tag = EntityTag::new_weak(hex::encode(sha256(&body)));
    let is_known = match &known {
        Some(IfNoneMatch::Any) => true,
        Some(IfNoneMatch::Items(tags)) => tags.iter().any(|one| one.weak_eq(&tag)),
        None => false,
    };
    let headers = answer.headers_mut();
    headers.insert(header::ETAG, header::ETag(tag).try_into_value()?);
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    }
    let body = if is_known {
        headers.remove(header::CONTENT_TYPE);
        *answer.status_mut() = StatusCode::NOT_MODIFIED;
        BoxBody::new(body::None::new())
    } else {
        BoxBody::new(body)
    };
    Ok(ServiceResponse::new(request, answer.set_body(body)))
}

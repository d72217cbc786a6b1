//! The problems as the document of the addresses describes them.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::{Content, Ref, RefOr, Response, ResponseBuilder};

use super::PROBLEM_TYPE;

/// The problems that any address may answer with (RFC 9457). `type` is stable; `title` is a
/// sentence in both languages that says what to do.
pub(crate) struct Problems;

/// What each status means.
const MEANINGS: [(u16, &str); 10] = [
    (400, "The request cannot be read: `malformed_request`"),
    (
        401,
        "Device or person is not recognised, or the session has ended",
    ),
    (403, "The role or the second person is missing"),
    (404, "No such ticket, draw, payment or address"),
    (
        409,
        "The state of ticket, draw, key, till or house does not allow it",
    ),
    (413, "The body is above 64 KiB: `body_too_large`"),
    (
        422,
        "What is asked breaks a rule; selection and field are named",
    ),
    (
        429,
        "Too many wrong PINs or unknown numbers; wait as `Retry-After` says",
    ),
    (
        500,
        "The outcome is unknown: ask about the key (`outcome_unknown`)",
    ),
    (
        503,
        "Busy, or the record is unavailable; this request did nothing (a key sent before is asked about); wait as `Retry-After` says",
    ),
];

impl IntoResponses for Problems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let problem = Content::new(Some(Ref::from_schema_name("Problem")));
        let response = |meaning: &str| {
            let response = ResponseBuilder::new().description(meaning);
            response.content(PROBLEM_TYPE, problem.clone()).build()
        };
        let described = MEANINGS.into_iter();
        described
            .map(|(status, meaning)| (status.to_string(), response(meaning).into()))
            .collect()
    }
}

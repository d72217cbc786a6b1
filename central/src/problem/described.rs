//! The problems as the document of the addresses describes them.

use std::fmt::Write as _;

use utoipa::openapi::{Components, Content, Ref, ResponseBuilder, Responses};

use super::PROBLEM_TYPE;

/// What each status means.
const STATUSES: [(u16, &str); 15] = [
    (400, "the request cannot be read"),
    (
        401,
        "device or person is not recognised, or the session has ended",
    ),
    (403, "the role or the second person is missing"),
    (404, "no such ticket, draw, payment or address"),
    (405, "the address has other methods, as `Allow` says"),
    (408, "the body did not arrive in time"),
    (
        409,
        "the state of ticket, draw, key, till or house does not allow it",
    ),
    (413, "the body is above 64 KiB"),
    (
        415,
        "the body is of another `Content-Type` than is read there",
    ),
    (421, "central does not have the name that was asked for"),
    (
        422,
        "what is asked breaks a rule; selection and field are named",
    ),
    (
        429,
        "too many wrong PINs or unknown numbers; wait as `Retry-After` says",
    ),
    (431, "the address or its headers are too long"),
    (500, "the outcome is unknown: ask about the key"),
    (
        503,
        "busy, or the record is unavailable: this request did nothing (a key sent before \
                 is asked about); wait as `Retry-After` says",
    ),
];

/// Its name, and where an operation has it: whatever is no success.
const PROBLEM: &str = "Problem";
const ELSE: &str = "default";

/// Describes the problem that any address may answer with (RFC 9457), once for all.
pub(crate) fn describe(components: &mut Components) {
    let mut text = "With 4XX nothing was done; with 5XX central could not.".to_owned();
    for (status, meaning) in STATUSES {
        let _ = write!(text, "\n- `{status}`: {meaning}");
    }
    let problem = Content::new(Some(Ref::from_schema_name("Problem")));
    let response = ResponseBuilder::new().description(text);
    let response = response.content(PROBLEM_TYPE, problem).build();
    components
        .responses
        .insert(PROBLEM.to_owned(), response.into());
}

/// Says of an operation that it may answer with a problem, as every one may.
pub(crate) fn may_be_a_problem(responses: &mut Responses) {
    let described = Ref::from_response_name(PROBLEM);
    responses
        .responses
        .insert(ELSE.to_owned(), described.into());
}

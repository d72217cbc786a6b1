//! The problems as the document of the addresses describes them.

use std::fmt::Write as _;

use utoipa::openapi::{Components, Content, Ref, ResponseBuilder, Responses};

use super::PROBLEM_TYPE;

/// A range of statuses, what it means, and what each status of it means.
type Range = (&'static str, &'static str, &'static [(u16, &'static str)]);

const RANGES: [Range; 2] = [
    (
        "4XX",
        "Nothing was done.",
        &[
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
        ],
    ),
    (
        "5XX",
        "Central could not.",
        &[
            (500, "the outcome is unknown: ask about the key"),
            (
                503,
                "busy, or the record is unavailable: this request did nothing (a key sent before \
                 is asked about); wait as `Retry-After` says",
            ),
        ],
    ),
];

/// Describes the problems that any address may answer with (RFC 9457): two ranges, once for all.
pub(crate) fn describe(components: &mut Components) {
    for (range, meaning, statuses) in RANGES {
        let mut text = meaning.to_owned();
        for (status, meaning) in statuses {
            let _ = write!(text, "\n- `{status}`: {meaning}");
        }
        let problem = Content::new(Some(Ref::from_schema_name("Problem")));
        let response = ResponseBuilder::new().description(text);
        let response = response.content(PROBLEM_TYPE, problem).build();
        components
            .responses
            .insert(range.to_owned(), response.into());
    }
}

/// Says of an operation that it may answer with a problem, as every one may.
pub(crate) fn may_be_a_problem(responses: &mut Responses) {
    for (range, ..) in RANGES {
        let described = Ref::from_response_name(range);
        responses
            .responses
            .insert(range.to_owned(), described.into());
    }
}

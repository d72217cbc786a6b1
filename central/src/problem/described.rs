//! The problems as the document of the addresses describes them.

use keno_wire::Problem;
use utoipa::IntoResponses;

/// The problems that any address may answer with (RFC 9457). `type` is stable; `title` is a
/// sentence in both languages that says what to do.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "read by the document alone")]
pub(crate) enum Problems {
    /// The request cannot be read.
    #[response(
        status = 400,
        description = "The request cannot be read: `malformed_request`",
        content_type = "application/problem+json"
    )]
    Malformed(Problem),
    /// Device or person is not recognised.
    #[response(
        status = 401,
        description = "Device or person is not recognised, or the session has ended",
        content_type = "application/problem+json"
    )]
    NotRecognised(Problem),
    /// The role, or the second person, is missing.
    #[response(
        status = 403,
        description = "The role or the second person is missing",
        content_type = "application/problem+json"
    )]
    NotAllowed(Problem),
    /// No such ticket, draw, payment or address.
    #[response(
        status = 404,
        description = "No such ticket, draw, payment or address",
        content_type = "application/problem+json"
    )]
    NotFound(Problem),
    /// The state of the record does not allow it.
    #[response(
        status = 409,
        description = "The state of ticket, draw, key, till or house does not allow it",
        content_type = "application/problem+json"
    )]
    Conflict(Problem),
    /// Above 64 KiB.
    #[response(
        status = 413,
        description = "The body is above 64 KiB: `body_too_large`",
        content_type = "application/problem+json"
    )]
    TooLarge(Problem),
    /// What is asked breaks a rule.
    #[response(
        status = 422,
        description = "What is asked breaks a rule; selection and field are named",
        content_type = "application/problem+json"
    )]
    AgainstTheRules(Problem),
    /// Too many tries.
    #[response(
        status = 429,
        description = "Too many wrong PINs or unknown numbers; wait as `Retry-After` says",
        content_type = "application/problem+json"
    )]
    TooMany(Problem),
    /// The outcome is unknown.
    #[response(
        status = 500,
        description = "The outcome is unknown: ask about the key (`outcome_unknown`)",
        content_type = "application/problem+json"
    )]
    Unsure(Problem),
    /// Busy, or the record is unavailable.
    #[response(
        status = 503,
        description = "Busy, or the record is unavailable; this request did nothing (a key sent before is asked about); wait as `Retry-After` says",
        content_type = "application/problem+json"
    )]
    Unavailable(Problem),
}

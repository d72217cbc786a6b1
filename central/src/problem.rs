//! Refusals and faults become HTTP here and nowhere else: RFC 9457 problems with a stable type,
//! bilingual, and the private text of a fault in the log of the process only.
//!
//! A fault of a read, and one of a command whose transaction was taken back, is `503` with `retry`:
//! nothing moved. Any other fault of a command is `500` `outcome_unknown`: the commit may have
//! happened, so whoever sent it must ask about its key before doing anything else, and never
//! repeats it blindly.

pub(crate) mod described;
pub(crate) mod language;
pub mod meaning;

use std::fmt;

use actix_web::http::header::HeaderValue;
use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, ResponseError};
use keno_record::fault::{Fault, chain};
use keno_service::Stop;
use keno_service::refusal::Refusal;
use keno_wire::reply::Bilingual;
use keno_wire::{Problem, Version};
use keno_words::Say;
use keno_words::problem as words;

use crate::entrance::DoorRefusal;
use crate::trust::TrustRefusal;

/// Media type of a problem.
pub const PROBLEM_TYPE: &str = "application/problem+json";

keno_game::named! {
    /// The problems that this edge adds to the refusals.
    Edge {
        /// The request cannot be read.
        MalformedRequest "malformed_request",
        /// The body is above the limit.
        BodyTooLarge "body_too_large",
        /// The body is of a kind that is not read here.
        MediaTypeUnsupported "media_type_unsupported",
        /// There is no such path.
        PathUnknown "path_unknown",
        /// The path has no such method.
        MethodNotAllowed "method_not_allowed",
        /// What became of a command is not known.
        OutcomeUnknown "outcome_unknown",
        /// A page's form was sent with an old or foreign token.
        FormExpired "form_expired",
        /// The program of the device is too old.
        AgentTooOld "agent_too_old",
    }
}

impl Edge {
    /// HTTP status.
    pub const fn status(self) -> u16 {
        match self {
            Self::MalformedRequest => 400,
            Self::BodyTooLarge => 413,
            Self::MediaTypeUnsupported => 415,
            Self::PathUnknown => 404,
            Self::MethodNotAllowed => 405,
            Self::OutcomeUnknown => 500,
            Self::FormExpired | Self::AgentTooOld => 403,
        }
    }
}

/// Why a request was not answered as asked.
#[derive(Debug)]
pub enum ApiError {
    /// The rules say no.
    Refused(Refusal),
    /// Something broke while reading, or the command was taken back: nothing moved.
    Broke(Fault),
    /// Something broke while a command was carried out: it may have been recorded.
    Unsure(Fault),
    /// The request cannot be read.
    Malformed(Malformed),
    /// The body is above the limit.
    TooLarge,
    /// The body is not said to be JSON.
    MediaTypeUnsupported,
    /// There is no such path.
    PathUnknown,
    /// The path has no such method.
    MethodNotAllowed {
        /// The methods that it has, as the header `Allow` says them.
        allow: &'static str,
    },
    /// A page's form was sent with an old or foreign token.
    FormExpired,
    /// The rules of enrolment say no.
    Trust(TrustRefusal),
    /// The door lets it go no further.
    Door(DoorRefusal),
    /// The program of the device is older than the house lets sign on.
    AgentTooOld {
        /// What it is, if it says so.
        found: Option<Version>,
        /// What it must be at the least.
        minimum: Version,
    },
}

/// What is wrong with a request, as far as can be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// What.
    pub words: Bilingual,
    /// Field at fault.
    pub field: Option<String>,
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<TrustRefusal> for ApiError {
    fn from(refusal: TrustRefusal) -> Self {
        Self::Trust(refusal)
    }
}

impl From<DoorRefusal> for ApiError {
    fn from(refusal: DoorRefusal) -> Self {
        Self::Door(refusal)
    }
}

impl From<Fault> for ApiError {
    fn from(fault: Fault) -> Self {
        Self::Broke(fault)
    }
}

impl From<Stop> for ApiError {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Refused(refusal) => Self::Refused(refusal),
            Stop::Broke(fault) | Stop::Undone(fault) => Self::Broke(fault),
        }
    }
}

impl ApiError {
    /// A request that is not as it must be.
    pub fn malformed(field: Option<&str>, words: &dyn Say) -> Self {
        Self::Malformed(Malformed {
            words: Bilingual::of(words),
            field: field.map(str::to_owned),
        })
    }

    /// The error of a command that was handed to the writer: a fault leaves its outcome open,
    /// except where nothing can have been written.
    pub fn of_command(stop: Stop) -> Self {
        match stop {
            Stop::Refused(refusal) => Self::Refused(refusal),
            Stop::Undone(fault) => Self::Broke(fault),
            Stop::Broke(fault) => Self::Unsure(fault),
        }
    }

    /// The problem document.
    pub fn problem(&self) -> Problem {
        let edge = |of: Edge, words: &dyn Say| Problem::of(of.name(), of.status(), words);
        match self {
            Self::Trust(refusal) => Problem::of(refusal.name(), refusal.status(), refusal),
            Self::Door(refusal) => Problem {
                retry: refusal.may_be_tried_again(),
                ..Problem::of(refusal.name(), refusal.status(), refusal)
            },
            Self::Refused(refusal) => problem_of(refusal),
            Self::Broke(_) => problem_of(&Refusal::RecordUnavailable),
            Self::Unsure(_) => edge(Edge::OutcomeUnknown, &words::OutcomeUnknown),
            Self::Malformed(what) => Problem {
                field: what.field.clone(),
                ..edge(Edge::MalformedRequest, &what.words)
            },
            Self::TooLarge => edge(Edge::BodyTooLarge, &words::BodyTooLarge),
            Self::MediaTypeUnsupported => {
                edge(Edge::MediaTypeUnsupported, &words::MediaTypeUnsupported)
            }
            Self::PathUnknown => edge(Edge::PathUnknown, &words::PathUnknown),
            Self::MethodNotAllowed { .. } => edge(Edge::MethodNotAllowed, &words::MethodNotAllowed),
            Self::AgentTooOld { found, minimum } => {
                let found = &found.map_or_else(|| "?".to_owned(), |found| found.to_string());
                let minimum = &minimum.to_string();
                edge(Edge::AgentTooOld, &words::AgentTooOld { found, minimum })
            }
            Self::FormExpired => edge(Edge::FormExpired, &words::FormExpired),
        }
    }
}

impl ApiError {
    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Refused(refusal) => retry_after_seconds(refusal),
            Self::Broke(_) => retry_after_seconds(&Refusal::RecordUnavailable),
            Self::Trust(TrustRefusal::EnrolmentsFull) => Some(300),
            Self::Door(DoorRefusal::RequestLate | DoorRefusal::StrangersBusy) => Some(5),
            Self::Door(DoorRefusal::StreamsFull) => Some(30),
            _ => None,
        }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.problem().name())
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.problem().status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        if let Self::Broke(fault) | Self::Unsure(fault) = self {
            tracing::error!(cause = %chain(fault), problem = %self, "a request met a fault");
        }
        let language = language::asked();
        let problem = self.problem().in_language(language);
        let mut response = HttpResponse::build(self.status_code())
            .content_type(PROBLEM_TYPE)
            .json(&problem);
        let headers = response.headers_mut();
        // `json` would say application/json: the type stays what was set above.
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM_TYPE));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(header::CONTENT_LANGUAGE, language::tag(language));
        headers.insert(header::VARY, HeaderValue::from_static("accept-language"));
        if let Some(seconds) = self.retry_after() {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Self::MethodNotAllowed { allow } = self {
            headers.insert(header::ALLOW, HeaderValue::from_static(allow));
        }
        response
    }
}

/// Seconds after which a refused request may come again, where waiting helps.
fn retry_after_seconds(refusal: &Refusal) -> Option<u64> {
    match refusal {
        Refusal::QueueFull => Some(1),
        Refusal::RecordUnavailable | Refusal::PinsBusy => Some(2),
        Refusal::TooManyUnknown => Some(60),
        Refusal::LockedOut { seconds } => u64::try_from(*seconds).ok(),
        _ => None,
    }
}

/// The problem that says a refusal.
pub fn problem_of(refusal: &Refusal) -> Problem {
    Problem {
        selection: refusal.selection(),
        field: refusal.field().map(str::to_owned),
        retry: refusal.may_be_tried_again(),
        next_draw: match refusal {
            Refusal::DrawClosed { next, .. } => *next,
            _ => None,
        },
        ..Problem::of(refusal.name(), refusal.status(), refusal)
    }
}

/// The error of a draw that is asked for by path: not the slip's fault but a wrong address.
pub fn unknown_draw(error: ApiError) -> ApiError {
    match error {
        ApiError::Refused(Refusal::DrawUnknown { .. }) => ApiError::Refused(Refusal::RecordUnknown),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_house_without_a_draw_on_sale_names_no_draw() {
        let none = Refusal::DrawUnknown { draw: 0 };
        assert_eq!(none.fr(), "Aucun tirage n’est en vente.");
        assert_eq!(none.en(), "No draw is on sale.");
        assert!(Refusal::DrawUnknown { draw: 7 }.fr().contains(" 7 "));
    }

    #[test]
    fn a_fault_says_nothing_of_its_cause_and_a_command_never_says_that_nothing_was_done() {
        let secret = "password=hunter2";
        let read = ApiError::from(Fault::Record(secret.to_owned()));
        let command = ApiError::of_command(Stop::Broke(Fault::UnknownCommit));
        for error in [&read, &command] {
            let text = serde_json::to_string(&error.problem()).unwrap();
            assert!(
                !text.contains(secret) && !text.contains("commit is unknown"),
                "{text}"
            );
        }
        assert_eq!((read.problem().status, read.problem().retry), (503, true));
        let undone = ApiError::of_command(Stop::Undone(Fault::UnknownCommit));
        assert_eq!(undone.problem().name(), "record_unavailable");
        // 503 reads as "nothing was done": a doubtful outcome must never say so.
        assert_eq!(command.problem().status, 500);
        assert!(!command.problem().sentence.en.contains("Nothing was done"));
    }

    #[test]
    fn only_what_is_busy_is_tried_again() {
        assert!(problem_of(&Refusal::QueueFull).retry);
        assert!(!problem_of(&Refusal::KeyClosed).retry);
        let closed = problem_of(&Refusal::DrawClosed {
            draw: 7,
            next: Some(9),
        });
        assert_eq!(
            (closed.name(), closed.status, closed.next_draw),
            ("draw_closed", 409, Some(9))
        );
    }

    #[test]
    fn every_answer_that_asks_to_wait_says_how_long() {
        for refusal in [
            Refusal::QueueFull,
            Refusal::RecordUnavailable,
            Refusal::TooManyUnknown,
            Refusal::LockedOut { seconds: 30 },
            Refusal::PinsBusy,
        ] {
            assert!(
                retry_after_seconds(&refusal).is_some(),
                "{}",
                refusal.name()
            );
        }
    }
}

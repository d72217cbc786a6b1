//! Bodies and queries, read so that whoever sent a wrong one is told where.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::{FromRequest, HttpMessage, HttpRequest, web};
use keno_words::{Say, malformed};
use serde::de::DeserializeOwned;

use crate::problem::ApiError;

/// A JSON body of at most 64 KiB, without unknown fields. It is one by its content type alone.
#[derive(Debug)]
pub struct Body<T>(pub T);

/// A form of a page, of at most 64 KiB.
#[derive(Debug)]
pub struct Form<T>(pub T);

/// The query of an address.
#[derive(Debug)]
pub struct Query<T>(pub T);

pub(super) type Read<T> = Pin<Box<dyn Future<Output = Result<T, ApiError>>>>;

/// A body that ended before its end.
pub(crate) fn unfinished() -> ApiError {
    ApiError::malformed(None, &malformed::BodyCutShort)
}

/// The bytes of a body that says that it is of this kind.
fn read_bytes(kind: &str, request: &HttpRequest, payload: &mut Payload) -> Read<web::Bytes> {
    let said = request.mime_type().ok().flatten();
    if said.is_none_or(|said| said.essence_str() != kind) {
        return Box::pin(std::future::ready(Err(ApiError::MediaTypeUnsupported)));
    }
    let bytes = web::Bytes::from_request(request, payload);
    Box::pin(async move {
        bytes
            .await
            .map_err(|error| match error.as_error::<PayloadError>() {
                Some(PayloadError::Overflow) => ApiError::TooLarge,
                _ => unfinished(),
            })
    })
}

/// The field that a message of the decoder names, if it is about one.
fn field_of(message: &str) -> Option<&str> {
    ["unknown field `", "missing field `", "duplicate field `"]
        .into_iter()
        .find_map(|start| message.split_once(start))
        .and_then(|(_, rest)| rest.split_once('`'))
        .map(|(field, _)| field)
        // A field's name comes from the sender: it is repeated only if it looks like one.
        .filter(|field| {
            field.len() <= 64
                && field
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        })
}

/// What is wrong, in words of our own: the decoder's may repeat what was sent.
fn words_of(message: &str) -> &'static dyn Say {
    if message.contains("unknown field") {
        &malformed::UnknownField
    } else if message.contains("missing field") {
        &malformed::MissingField
    } else if message.contains("duplicate field") {
        &malformed::RepeatedField
    } else {
        &malformed::OtherType
    }
}

fn malformed_json(error: &serde_json::Error) -> ApiError {
    let message = error.to_string();
    let field = field_of(&message);
    let what: &dyn Say = if error.is_syntax() {
        &malformed::NotJson
    } else if error.is_eof() {
        &malformed::EndsEarly
    } else {
        words_of(&message)
    };
    let words = malformed::Json {
        line: &error.line(),
        column: &error.column(),
        what,
        field: &field.as_ref().map(|field| malformed::QuotedField { field }),
    };
    ApiError::malformed(field, &words)
}

fn malformed_pairs(message: &str) -> ApiError {
    let field = field_of(message);
    let words = malformed::Pairs {
        what: words_of(message),
        field: &field.map(|field| format!(" ({field})")),
    };
    ApiError::malformed(field, &words)
}

impl<T: DeserializeOwned + 'static> FromRequest for Body<T> {
    type Error = ApiError;
    type Future = Read<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let bytes = read_bytes("application/json", request, payload);
        Box::pin(async move {
            serde_json::from_slice(&bytes.await?)
                .map(Body)
                .map_err(|error| malformed_json(&error))
        })
    }
}

impl<T: DeserializeOwned + 'static> FromRequest for Form<T> {
    type Error = ApiError;
    type Future = Read<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let bytes = read_bytes("application/x-www-form-urlencoded", request, payload);
        Box::pin(async move {
            let bytes = bytes.await?;
            let text = std::str::from_utf8(&bytes).map_err(|_| malformed_pairs(""))?;
            // A form and a query are written the same way.
            web::Query::<T>::from_query(text)
                .map(|form| Form(form.into_inner()))
                .map_err(|error| malformed_pairs(&error.to_string()))
        })
    }
}

impl<T: DeserializeOwned + 'static> FromRequest for Query<T> {
    type Error = ApiError;
    type Future = std::future::Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        std::future::ready(
            web::Query::<T>::from_query(request.query_string())
                .map(|query| Query(query.into_inner()))
                .map_err(|error| malformed_pairs(&error.to_string())),
        )
    }
}

#[cfg(test)]
mod tests {
    use keno_wire::request::{CancelRequest, KeyRequest};

    use super::*;

    fn problem<T: DeserializeOwned + std::fmt::Debug>(text: &str) -> keno_wire::Problem {
        malformed_json(&serde_json::from_str::<T>(text).unwrap_err()).problem()
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place_and_nothing_sent_is_repeated() {
        let unknown =
            problem::<KeyRequest>("{\"key\":{\"session\":1,\"counter\":2},\n\"extra\":1}");
        assert_eq!(
            (unknown.status, unknown.field.as_deref()),
            (400, Some("extra"))
        );
        assert!(
            unknown.sentence.en.contains("line 2"),
            "{}",
            unknown.sentence.en
        );
        let missing = problem::<KeyRequest>("{\"key\":{\"session\":1}}");
        assert_eq!(missing.field.as_deref(), Some("counter"));
        let wrong = problem::<CancelRequest>(
            "{\"key\":{\"session\":1,\"counter\":2},\"code\":[\"KT2SECRET\"],\"reason\":\"x\"}",
        );
        assert!(
            wrong.sentence.fr.contains("autre type"),
            "{}",
            wrong.sentence.fr
        );
        assert!(!serde_json::to_string(&wrong).unwrap().contains("SECRET"));
        assert!(
            problem::<KeyRequest>("{")
                .sentence
                .en
                .contains("ends too early")
        );
        assert!(
            problem::<KeyRequest>("key=1")
                .sentence
                .en
                .contains("not JSON")
        );
    }
}

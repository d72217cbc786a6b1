//! What is refused before an address is looked at: a name that central does not have, a page of
//! another site, a head or a body that is too long or too late, and whoever finds the place full.

use std::net::IpAddr;
use std::time::Duration;

use actix_web::dev::{Payload, ServiceRequest};
use actix_web::error::PayloadError;
use actix_web::http::header;
use actix_web::http::uri::Authority;
use actix_web::web::{Bytes, BytesMut};
use actix_web::{HttpMessage, HttpRequest};
use futures_util::{StreamExt, stream};

use crate::entrance::{Door, DoorRefusal};
use crate::problem::ApiError;
use crate::request::body::unfinished;

/// Longest path with its query, in bytes.
const TARGET_BYTES_MAX: usize = 4 * 1024;
/// Longest names and values of the headers together, in bytes.
const HEADER_BYTES_MAX: usize = 16 * 1024;
/// A body is there so long after its head.
const BODY_WITHIN: Duration = Duration::from_secs(10);

/// The host of an authority, without its port.
fn host_of(text: &str) -> Option<String> {
    let authority: Authority = text.parse().ok()?;
    if text.contains('@') {
        return None;
    }
    let host = authority.host();
    Some(host.trim_matches(['[', ']']).to_ascii_lowercase())
}

/// Whether central is called so at this door.
fn is_a_name_of_central(door: Door, host: &str, names: &[String]) -> bool {
    let is_loopback = host == "localhost"
        || host
            .parse()
            .is_ok_and(|address: IpAddr| address.is_loopback());
    names.iter().any(|name| name == host) || (door == Door::Own && is_loopback)
}

/// Judges a head: for a name of central, from a page of central if from a page, and not too long.
///
/// # Errors
/// A [`DoorRefusal`].
pub fn head(request: &HttpRequest, door: Door, names: &[String]) -> Result<(), DoorRefusal> {
    let target = request.uri().path_and_query();
    let bytes: usize = request
        .headers()
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len())
        .sum();
    if target.is_some_and(|target| target.as_str().len() > TARGET_BYTES_MAX)
        || bytes > HEADER_BYTES_MAX
    {
        return Err(DoorRefusal::HeadTooLarge);
    }
    let mut hosts = request.headers().get_all(header::HOST);
    let host = match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().map_err(|_| DoorRefusal::HostUnknown)?,
        _ => return Err(DoorRefusal::HostUnknown),
    };
    // A target in the absolute form names a host too, and stands above the header (RFC 9112, 3.2.2).
    let target = request.uri().authority().map(Authority::as_str);
    for host in [Some(host), target].into_iter().flatten() {
        if !host_of(host).is_some_and(|name| is_a_name_of_central(door, &name, names)) {
            return Err(DoorRefusal::HostUnknown);
        }
    }
    let scheme = if door.is_over_tls() { "https" } else { "http" };
    let own = format!("{scheme}://{host}");
    // A browser says where a page comes from; a program says nothing.
    for origin in request.headers().get_all(header::ORIGIN) {
        if !origin
            .to_str()
            .is_ok_and(|origin| origin.eq_ignore_ascii_case(&own))
        {
            return Err(DoorRefusal::OriginForeign);
        }
    }
    Ok(())
}

async fn collect(mut payload: Payload, bytes_max: usize) -> Result<Bytes, ApiError> {
    let mut body = BytesMut::new();
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|error| match error {
            PayloadError::Overflow => ApiError::TooLarge,
            _ => unfinished(),
        })?;
        if body.len() + chunk.len() > bytes_max {
            return Err(ApiError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// Reads a body whole before anybody works on it, so that one that comes slowly holds nothing but
/// its own connection.
///
/// # Errors
/// [`ApiError::TooLarge`], [`DoorRefusal::RequestLate`], or a body that ended too early.
pub async fn body(request: &mut ServiceRequest, bytes_max: usize) -> Result<(), ApiError> {
    let announced = request
        .headers()
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    let is_chunked = request.headers().contains_key(header::TRANSFER_ENCODING);
    // A test within the program sends a body without saying how long it is.
    let is_within = request.request().peer_addr().is_none();
    match announced {
        Some(length) if length > bytes_max => return Err(ApiError::TooLarge),
        None | Some(0) if !is_chunked && !is_within => return Ok(()),
        _ => {}
    }
    let payload = request.take_payload();
    let read = tokio::time::timeout(BODY_WITHIN, collect(payload, bytes_max)).await;
    let bytes = read.map_err(|_| DoorRefusal::RequestLate)??;
    let once = stream::once(std::future::ready(Ok::<_, PayloadError>(bytes)));
    request.set_payload(Payload::from(
        Box::pin(once) as std::pin::Pin<Box<dyn futures_util::Stream<Item = _>>>
    ));
    Ok(())
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn central_answers_to_its_names_and_to_its_own_pages() {
        let names = ["keno.example.org".to_owned(), "10.0.0.5".to_owned()];
        let (own, tls) = (Door::Own, Door::Public);
        for (door, host, origin, expected) in [
            (own, "127.0.0.1:8480", None, Ok(())),
            (own, "localhost", Some("http://localhost"), Ok(())),
            (own, "[::1]:8480", Some("http://[::1]:8480"), Ok(())),
            (own, "keno.example.org", None, Ok(())),
            (
                tls,
                "keno.example.org:8444",
                Some("https://keno.example.org:8444"),
                Ok(()),
            ),
            (tls, "KENO.example.org", None, Ok(())),
            (Door::Devices, "10.0.0.5:8443", None, Ok(())),
            (own, "evil.example", None, Err(DoorRefusal::HostUnknown)),
            (
                own,
                "127.0.0.1.evil.example",
                None,
                Err(DoorRefusal::HostUnknown),
            ),
            (
                own,
                "localhost@evil.example",
                None,
                Err(DoorRefusal::HostUnknown),
            ),
            (tls, "127.0.0.1", None, Err(DoorRefusal::HostUnknown)),
            (tls, "", None, Err(DoorRefusal::HostUnknown)),
            (
                own,
                "127.0.0.1:8480",
                Some("null"),
                Err(DoorRefusal::OriginForeign),
            ),
            (
                own,
                "127.0.0.1:8480",
                Some("http://127.0.0.1:8482"),
                Err(DoorRefusal::OriginForeign),
            ),
            (
                own,
                "127.0.0.1:8480",
                Some("https://127.0.0.1:8480"),
                Err(DoorRefusal::OriginForeign),
            ),
            (
                tls,
                "10.0.0.5",
                Some("https://evil.example"),
                Err(DoorRefusal::OriginForeign),
            ),
        ] {
            let mut request = TestRequest::get().uri("/").insert_header(("host", host));
            if let Some(origin) = origin {
                request = request.insert_header(("origin", origin));
            }
            let judged = head(&request.to_http_request(), door, &names);
            assert_eq!(judged, expected, "{door:?} {host} {origin:?}");
        }
        let nameless = TestRequest::get().uri("/").to_http_request();
        assert_eq!(head(&nameless, own, &names), Err(DoorRefusal::HostUnknown));
        let twice = TestRequest::get()
            .append_header(("host", "localhost"))
            .append_header(("host", "evil.example"))
            .to_http_request();
        assert_eq!(head(&twice, own, &names), Err(DoorRefusal::HostUnknown));
        for (target, expected) in [
            ("http://localhost/prizes", Ok(())),
            ("https://evil.example/prizes", Err(DoorRefusal::HostUnknown)),
        ] {
            let whole = TestRequest::get()
                .uri(target)
                .insert_header(("host", "localhost"));
            assert_eq!(
                head(&whole.to_http_request(), own, &names),
                expected,
                "{target}"
            );
        }
    }

    #[test]
    fn an_address_and_its_headers_have_a_length() {
        let request = |path: usize, header: usize| {
            let uri = format!("/{}", "a".repeat(path));
            let request = TestRequest::get()
                .uri(&uri)
                .insert_header(("host", "localhost"))
                .insert_header(("x-long", "a".repeat(header)))
                .to_http_request();
            head(&request, Door::Own, &[])
        };
        assert_eq!(request(4_000, 16_000), Ok(()));
        assert_eq!(request(4_200, 1), Err(DoorRefusal::HeadTooLarge));
        assert_eq!(request(1, 17_000), Err(DoorRefusal::HeadTooLarge));
    }
}

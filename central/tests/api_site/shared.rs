//! What everybody is answered alike: compressed, sent once, and one snapshot for all.

use actix_web::http::header;
use actix_web::test::TestRequest;
use serde_json::Value;

use super::events;
use crate::common::{Answer, House, blocking};

fn get_with(path: &str, headers: &[(header::HeaderName, &str)]) -> TestRequest {
    let request = TestRequest::get().uri(path);
    headers.iter().fold(request, |request, header| {
        request.insert_header(header.clone())
    })
}

fn unzipped(answer: &Answer) -> Vec<u8> {
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&*answer.body), &mut bytes)
        .unwrap();
    bytes
}

/// What everybody is answered alike is compressed where it is asked for; what somebody is told by a
/// right of their own never is.
#[actix_web::test]
async fn public_answers_are_compressed_and_others_are_not() {
    let house = House::new(None);
    let supervisor = house.sign_on(2, "S1").await;
    // The first page has the newest checkpoint: none comes between two looks at it.
    house.published();
    let board = house.get("/board").await;
    let script = board.text().split("src=\"").nth(1).unwrap();
    let script = script.split('"').next().unwrap();
    let gzip = [(header::ACCEPT_ENCODING, "gzip, br")];
    for path in [
        "/",
        "/draws",
        "/api/v1/rules/current",
        "/openapi.json",
        script,
    ] {
        let plain = house.get(path).await;
        assert_eq!(plain.header("content-encoding"), "", "{path}");
        let small = house.call(get_with(path, &gzip)).await;
        assert_eq!(small.header("content-encoding"), "gzip", "{path}");
        assert_eq!(small.header("vary"), "accept-encoding", "{path}");
        assert_eq!(unzipped(&small), plain.body, "{path}");
        assert!(small.body.len() * 2 < plain.body.len(), "{path}");
    }
    let own = supervisor.sign(get_with("/api/v1/wall", &gzip));
    let own = house.call(own).await;
    assert_eq!((own.status, own.header("content-encoding")), (200, ""));
    assert_eq!(own.header("cache-control"), "no-store");
    // What is compressed comes in parts, which HTTP/1.0 does not know.
    let old = get_with("/draws", &gzip).version(actix_web::http::Version::HTTP_10);
    assert_eq!(house.call(old).await.header("content-encoding"), "");
    // A page that a stranger's words stand in.
    let form = house.call(get_with("/check?code=1234", &gzip)).await;
    assert_eq!((form.status, form.header("content-encoding")), (200, ""));
}

/// A public answer is sent again once it has changed, and is not kept where it is nobody else's.
#[actix_web::test]
async fn what_a_client_has_is_not_sent_again() {
    let house = House::new(None);
    let path = "/api/v1/draws/next";
    let first = house.get(path).await;
    assert_eq!(
        (first.status, first.header("cache-control")),
        (200, "no-cache")
    );
    let tag = first.header("etag").to_owned();
    for known in [tag.as_str(), &format!("\"other\", {tag}"), "*"] {
        let again = house
            .call(get_with(path, &[(header::IF_NONE_MATCH, known)]))
            .await;
        assert_eq!((again.status, again.body.len()), (304, 0), "{known}");
        assert_eq!(again.header("etag"), tag, "{known}");
    }
    house.until_closed(1);
    for known in [tag.as_str(), "\"other\"", "no tag"] {
        let changed = house
            .call(get_with(path, &[(header::IF_NONE_MATCH, known)]))
            .await;
        assert_eq!(changed.status, 200, "{known}");
        assert_ne!(changed.value(), first.value(), "{known}");
        assert_ne!(changed.header("etag"), tag, "{known}");
    }
    let missing = house.get("/api/v1/draws/999").await;
    assert_eq!(
        (missing.header("etag"), missing.header("cache-control")),
        ("", "no-store")
    );
    // Browsers would show an old page to whoever goes back to it.
    let page = house.get("/draws").await;
    assert_eq!(
        (page.header("etag"), page.header("cache-control")),
        ("", "no-store")
    );
}

/// The first two events of a stream.
async fn beginning(house: &House) -> Vec<(String, Value)> {
    use futures_util::StreamExt;
    let mut events_of = std::pin::pin!(house.app.live.events().unwrap());
    let mut text = Vec::new();
    for _ in 0..2 {
        text.extend_from_slice(&events_of.next().await.unwrap());
    }
    events(std::str::from_utf8(&text).unwrap())
}

/// Who comes between two changes gets one snapshot, and the time behind it; who comes after a change
/// gets another.
#[actix_web::test]
async fn a_snapshot_is_made_once_for_all_who_come_before_the_next_change() {
    let house = House::new(None);
    let one = beginning(&house).await;
    let names: Vec<&str> = one.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["snapshot", "hb"]);
    house.clock.advance(100);
    let other = beginning(&house).await;
    assert_eq!(one[0], other[0], "made again");
    let now_ms = house.central.clock.now_ms();
    assert_eq!(
        other[1].1["central_ms"], now_ms,
        "the time of whoever came first"
    );
    assert_eq!(other[1].1["seq"], other[0].1["seq"]);
    // By the clock alone.
    house.clock.advance(300);
    let later = beginning(&house).await;
    assert_eq!(later[0].1["central_ms"], now_ms + 300);
    // By a commit, at the same moment, once the others were told.
    blocking(|| keno_service::draw::suspend_sales(&house.central, "test", "S1").unwrap());
    house.app.live.step();
    let after = beginning(&house).await;
    assert_eq!(after[0].1["sales_suspended"], true);
    assert_ne!(after[0].1["seq"], later[0].1["seq"]);
}

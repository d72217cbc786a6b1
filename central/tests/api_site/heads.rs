//! Where there is GET there is HEAD: the same status and headers for the same people, and no body.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use actix_web::http::Method;
use actix_web::test::TestRequest;
use diesel::prelude::*;
use keno_central::server::serve;
use keno_central::site;
use keno_service::access::{AccessKind, AccessLine};

use crate::common::stage::{ALONE, Stage, document, operations};
use crate::common::{Answer, House, Person, blocking};

/// Lines of the access log.
fn recorded(house: &House) -> i64 {
    #[derive(QueryableByName)]
    struct Count {
        #[diesel(sql_type = diesel::sql_types::BigInt)]
        count: i64,
    }
    // Behind whatever waits to be written, a line of its own each time.
    let flush = AccessLine {
        at_ms: 0,
        kind: AccessKind::AuditView,
        device: None,
        badge: "flush".to_owned(),
        trace: String::new(),
        purpose: String::new(),
    };
    blocking(|| house.app.access.write(flush).unwrap());
    let path = house.folder.path().join("access.sqlite");
    let mut connection = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
    let counted = diesel::sql_query("SELECT count(*) AS count FROM access");
    counted.get_result::<Count>(&mut connection).unwrap().count
}

/// Who asks for an address.
#[derive(Debug, Clone, Copy)]
enum Asker<'a> {
    Nobody,
    Kiosk,
    Person(&'a Person),
}

async fn ask(house: &House, method: &Method, path: &str, asker: Asker<'_>) -> Answer {
    let request = TestRequest::default().method(method.clone()).uri(path);
    let request = match asker {
        Asker::Nobody => request,
        Asker::Kiosk => request.insert_header(("Boulier-Device", house.device_header(3))),
        Asker::Person(person) => person.sign(request),
    };
    house.call(request).await
}

fn headers(answer: &Answer) -> Vec<(String, String)> {
    let all = answer.headers.iter();
    let mut all: Vec<_> = all
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
        .collect();
    all.sort();
    all
}

/// Why a head is not that of what is got.
async fn differs(house: &House, path: &str, asker: Asker<'_>) -> Option<String> {
    let before = recorded(house);
    let got = ask(house, &Method::GET, path, asker).await;
    let between = recorded(house);
    let head = ask(house, &Method::HEAD, path, asker).await;
    let after = recorded(house);
    let wrong = |what: &str| Some(format!("{path} for {asker:?}: {what}"));
    if !head.body.is_empty() {
        return wrong("a body");
    }
    if head.status != got.status {
        return wrong(&format!("{} and not {}", head.status, got.status));
    }
    if headers(&head) != headers(&got) {
        return wrong(&format!("{:?} and not {:?}", headers(&head), headers(&got)));
    }
    if after - between != between - before {
        return wrong("not on record as that is");
    }
    None
}

#[actix_web::test]
async fn every_address_that_is_got_gives_its_head_to_the_same_people() {
    let shared = Stage::of(House::new(None)).await;
    let mut found = 0;
    for described in operations(&document()) {
        let (method, path, operation) = &described;
        if method != "GET" || path == "/live" || path == "/metrics" {
            continue;
        }
        let name = operation["operationId"].as_str().unwrap();
        let own = match ALONE.contains(&name) {
            true => Some(Stage::of(House::new(None)).await),
            false => None,
        };
        let stage = own.as_ref().unwrap_or(&shared);
        let sent = stage.send(&described, None).await;
        let person = sent.sender.as_ref().unwrap();
        for asker in [Asker::Person(person), Asker::Nobody, Asker::Kiosk] {
            let wrong = differs(&stage.house, &sent.address, asker).await;
            assert_eq!(wrong, None, "{name}");
        }
        found += 1;
    }
    assert!(found > 30, "{found}");
}

#[actix_web::test]
async fn every_page_gives_its_head() {
    let house = House::new(None);
    house.until_settled(1);
    house.published();
    let board = house.get("/board").await;
    let script = board.text().split("src=\"").nth(1).unwrap();
    let asset = script.split('"').next().unwrap();
    for endpoint in site::endpoints() {
        if endpoint.method != Method::GET {
            continue;
        }
        let path = endpoint.path.replace("{number}", "1");
        let path = path.replace("/assets/{name}", asset);
        for asker in [Asker::Nobody, Asker::Kiosk] {
            assert_eq!(differs(&house, &path, asker).await, None);
        }
    }
}

/// What is sent over a connection that ends after one answer: the head, and what comes behind it.
fn over_the_wire(address: SocketAddr, method: &str, path: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(address).unwrap();
    let request =
        format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap();
    let lines = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines: Vec<&str> = lines
        .lines()
        .filter(|line| !line.starts_with("date: "))
        .collect();
    lines.sort_unstable();
    (lines.join("\n"), bytes[end + 4..].to_vec())
}

#[actix_web::test]
async fn a_head_is_all_that_is_sent_of_it() {
    let house = House::new(None);
    house.published();
    let served = serve(house.app.clone(), "127.0.0.1:0".parse().unwrap()).unwrap();
    let address = served.address;
    let handle = served.server.handle();
    actix_web::rt::spawn(served.server);
    let asked = actix_web::web::block(move || {
        for path in [
            "/",
            "/openapi.json",
            "/api/v1/draws/next",
            "/log/checkpoint",
            "/nothing",
        ] {
            let (got, body) = over_the_wire(address, "GET", path);
            let (head, nothing) = over_the_wire(address, "HEAD", path);
            assert_eq!(head, got, "{path}");
            assert!(nothing.is_empty() && !body.is_empty(), "{path}");
            assert!(head.contains("content-length: "), "{path}: {head}");
        }
        // A stream has no end; its head has one.
        let (head, nothing) = over_the_wire(address, "HEAD", "/live");
        assert!(head.contains("text/event-stream"), "{head}");
        assert!(nothing.is_empty());
    });
    asked.await.unwrap();
    assert_eq!(house.app.live.clients(), 0);
    handle.stop(false).await;
}

//! The cells of the table of authority that only certificates have: each address, asked for under a
//! certificate that has run out and under one of another authority. The handshake ends them, before
//! an address is read.

use actix_web::http::Method;
use keno_central::trust::authority::DeviceKey;
use keno_house_tests::house::{House, NOON_MS};
use keno_house_tests::http::Request;
use keno_house_tests::secure::{Secure, Stranger, Terminal, noon};
use keno_service::authority::{Door, Operation};
use keno_terminal::trust::connection::of_identity;
use keno_terminal::trust::{Identity, Time};
use rcgen::{KeyPair, PublicKeyData};

use crate::on_both;

/// Longer than any certificate of a device holds.
const RUN_OUT_MS: i64 = 91 * 86_400_000;

/// Every address of the table.
fn addresses() -> Vec<(&'static str, String)> {
    let doors = Operation::ALL
        .iter()
        .flat_map(|operation| operation.row().doors);
    doors
        .filter_map(|door| match door {
            Door::Api(method, path) | Door::Page(method, path) => {
                let mut asked = String::new();
                // What varies is 1.
                for part in path.split('/').skip(1) {
                    asked.push('/');
                    asked.push_str(if part.starts_with('{') { "1" } else { part });
                }
                Some((*method, asked))
            }
            Door::Command(_) => None,
        })
        .collect()
}

/// Whether central answers this identity anything at all. With TLS 1.3 the client has sent its
/// request before it hears that its certificate is refused.
fn is_answered(
    house: &House,
    (identity, time): (&Identity, Time),
    (method, path): (&str, &str),
) -> Option<u16> {
    // By a clock at which central's own certificate holds: it is central that judges here.
    let config = of_identity(identity, time).unwrap();
    let mut connection = Secure::connect(house.secure(), config).ok()?;
    let body = if method == "POST" { "{}" } else { "" };
    let request = Request::new(method, path, &[], body.into());
    connection.ask(&request).ok().map(|answer| answer.status)
}

fn answered(house: &House, identity: &Identity, time: Time) -> (usize, Vec<String>) {
    let all = addresses();
    let mut answered = Vec::new();
    for (method, path) in &all {
        assert!(Method::from_bytes(method.as_bytes()).is_ok());
        // A stream does not end.
        if path == "/live" {
            continue;
        }
        if let Some(status) = is_answered(house, (identity, time), (method, path)) {
            answered.push(format!("{method} {path}: {status}"));
        }
    }
    (all.len(), answered)
}

#[test]
fn no_address_answers_a_certificate_that_has_run_out() {
    on_both(|house| {
        let terminal = Terminal::enrolled(house, 7);
        let identity = terminal.identity();
        let leaves = house.log_size();
        // While it holds, each address answers it, were it only to say no: the check can fail.
        let (asked, heard) = answered(house, &identity, noon);
        assert!(asked > 90 && heard.len() + 1 >= asked, "{asked}: {heard:?}");
        assert_eq!(house.log_size(), leaves);
        house.clock.advance(RUN_OUT_MS);
        // It says of itself that it holds.
        let mut lying = identity;
        lying.not_after_ms = i64::MAX / 2;
        assert_eq!(
            answered(house, &lying, || NOON_MS + RUN_OUT_MS).1,
            [] as [String; 0]
        );
        assert_eq!(house.log_size(), leaves);
    });
}

#[test]
fn no_address_answers_a_certificate_of_another_authority() {
    on_both(|house| {
        let terminal = Terminal::enrolled(house, 7);
        let own = terminal.identity();
        let leaves = house.log_size();
        // Of the same name as the house's authority, for the very key that is on record, and for a
        // key of its own.
        let stranger = Stranger::new("demo");
        for pair in [
            KeyPair::from_pem(own.key.as_str()).unwrap(),
            KeyPair::generate().unwrap(),
        ] {
            let key = DeviceKey::read(&pair.subject_public_key_info()).unwrap();
            let given = stranger
                .authority
                .device_certificate(7, &key, NOON_MS)
                .unwrap();
            let foreign = Identity {
                key: pair.serialize_pem().into(),
                certificate: given.pem,
                ..terminal.identity()
            };
            assert_eq!(answered(house, &foreign, noon).1, [] as [String; 0]);
        }
        assert_eq!(house.log_size(), leaves);
        assert!(is_answered(house, (&own, noon), ("GET", "/api/v1/house")).is_some());
    });
}

//! Who stands between a device and central, shows what is not theirs, or took a copy.

use std::io::{Read, Write};
use std::sync::{Arc, Mutex};

use keno_central::alarm::{AlarmName, Change};
use keno_central::trust::authority::DeviceKey;
use keno_central::watch::{Files, Sight, Watcher};
use keno_house_tests::house::{House, NOON_MS, refusal};
use keno_house_tests::http::Request;
use keno_house_tests::secure::{
    Stranger, Terminal, approve, json_answer, listener_that_hears, relay,
};
use keno_record::clock::Clock;
use keno_terminal::exit::Exit;
use keno_terminal::trust::{Identity, Slot};
use keno_wire::reply::Bilingual;
use rcgen::{KeyPair, PublicKeyData};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde_json::{Value, json};

/// A device as that authority vouches for it.
fn vouched_for(stranger: &Stranger, authority: &str) -> Identity {
    let pair = KeyPair::generate().unwrap();
    let key = DeviceKey::read(&pair.subject_public_key_info()).unwrap();
    let given = stranger
        .authority
        .device_certificate(7, &key, NOON_MS)
        .unwrap();
    Identity {
        device: 7,
        name: "T07".to_owned(),
        role: "counter".to_owned(),
        key: pair.serialize_pem().into(),
        certificate: given.pem,
        authority: authority.to_owned(),
        not_before_ms: given.not_before_ms,
        not_after_ms: given.not_after_ms,
    }
}

#[test]
fn whoever_answers_under_another_authority_gets_no_byte_of_a_request() {
    let house = House::new();
    let terminal = Terminal::enrolled(&house, 7);
    terminal.signs_on(house.secure()).ended(Exit::Done);
    let before = house.log_size();
    // Of the same name as the house's: only the key is another.
    let stranger = Stranger::new("demo");
    let (address, heard) = listener_that_hears(stranger.config());
    terminal
        .sells(address)
        .ended(Exit::CentralUnreachable)
        .said(&[
            "n’est pas le central de cette maison",
            "rien n’a été envoyé",
        ]);
    assert_eq!(heard.recv().unwrap(), b"");
    assert!(heard.try_recv().is_err(), "it was not tried again");
    assert_eq!(house.log_size(), before);
    terminal.sells(house.secure()).ended(Exit::Done);
    // The listener hears who trusts it: the check above can fail.
    let gullible = Terminal::new();
    let trusting = vouched_for(&stranger, stranger.authority.pem());
    gullible.trust().keep(Slot::Current, &trusting).unwrap();
    gullible.signs_on(address);
    assert!(heard.recv().unwrap().starts_with(b"GET /log/checkpoint"));
}

#[test]
fn a_devices_certificate_does_not_pass_for_centrals() {
    let house = House::new();
    let (victim, thief) = (Terminal::enrolled(&house, 7), Terminal::enrolled(&house, 8));
    let stolen = thief.identity();
    let pem = |text: &str| CertificateDer::from_pem_slice(text.as_bytes()).unwrap();
    let chain = vec![pem(&stolen.certificate), pem(&stolen.authority)];
    let key = PrivateKeyDer::from_pem_slice(stolen.key.as_bytes()).unwrap();
    let provider = keno_central::trust::listener::provider();
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    let (address, heard) = listener_that_hears(Arc::new(config));
    victim.signs_on(address).ended(Exit::CentralUnreachable);
    assert_eq!(heard.recv().unwrap(), b"");
    // Nor does it enrol anyone.
    let enrolled = Terminal::new().enrol(address, |code| panic!("{code} was shown"));
    assert_eq!(
        (enrolled.code, enrolled.done.exit),
        (None, Exit::CentralUnreachable)
    );
    assert_eq!(heard.recv().unwrap(), b"");
}

#[test]
fn an_enrolment_that_someone_relays_comes_to_nothing_in_either_direction() {
    let house = House::new();
    let stranger = Stranger::new("demo");
    let leaves = house.log_size();
    let carried = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&carried);
    let address = relay(&stranger, house.public(), move |request| {
        seen.lock().unwrap().extend_from_slice(&request.body);
        None
    });
    let terminal = Terminal::new();
    let enrolled = terminal.enrol(address, |code| {
        // The right code, typed by the right person: central does not know the device by it.
        for _ in 0..5 {
            assert_eq!(refusal(&approve(&house, code, 7)), "enrolment_code_unknown");
        }
    });
    enrolled
        .done
        .ended(Exit::Refused)
        .said(&["(enrolment_locked)"]);
    assert_eq!(house.log_size(), leaves);
    assert!(terminal.trust().read(Slot::Current).unwrap().is_none());
    let code = enrolled.code.unwrap();
    let carried = String::from_utf8(carried.lock().unwrap().clone()).unwrap();
    assert!(carried.contains("proof"), "{carried}");
    for form in [code.clone(), code.replace('-', ""), code.to_lowercase()] {
        assert!(!carried.contains(&form), "the code travelled");
    }
}

#[test]
fn an_answer_of_whoever_does_not_know_the_code_is_not_believed() {
    let house = House::new();
    let stranger = Arc::new(Stranger::new("demo"));
    let asked: Arc<Mutex<Option<Value>>> = Arc::default();
    let (of_relay, keeps) = (Arc::clone(&stranger), Arc::clone(&asked));
    // It answers by itself: a certificate of its own authority for the device's key.
    let address = relay(&stranger, house.public(), move |request: &Request| {
        if request.path().ends_with("/enrolments") {
            let body: Value = serde_json::from_slice(&request.body).unwrap();
            *keeps.lock().unwrap() = Some(body);
            return Some(json_answer(
                200,
                br#"{"enrolment":"00","expires_in_ms":300000}"#,
            ));
        }
        if !request.path().ends_with("/question") {
            return None;
        }
        let body = keeps.lock().unwrap().clone().unwrap();
        let text = body["key"].as_str().unwrap();
        let key: Vec<u8> = (0..text.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap())
            .collect();
        let key = DeviceKey::read(&key).unwrap();
        let given = of_relay
            .authority
            .device_certificate(7, &key, NOON_MS)
            .unwrap();
        let answer = json!({"state": "granted", "granted": {
            "device": 7, "name": "T07", "role": "counter", "certificate": given.pem,
            "authority": of_relay.authority.pem(), "not_before_ms": given.not_before_ms,
            "not_after_ms": given.not_after_ms,
            // The one proof that it has seen.
            "proof": body["proof"],
        }});
        Some(json_answer(200, &serde_json::to_vec(&answer).unwrap()))
    });
    let terminal = Terminal::new();
    let enrolled = terminal.enrol(address, |_| {});
    enrolled
        .done
        .ended(Exit::Refused)
        .said(&["ne prouve pas", "nothing is kept"]);
    assert!(terminal.trust().read(Slot::Current).unwrap().is_none());
}

#[test]
fn a_device_of_another_house_or_whose_certificate_has_ended_is_not_let_in() {
    let house = House::new();
    let authority = Terminal::enrolled(&house, 7).identity().authority;
    let stranger = Stranger::new("demo");
    let foreign = Terminal::new();
    let identity = vouched_for(&stranger, &authority);
    foreign.trust().keep(Slot::Current, &identity).unwrap();
    foreign
        .signs_on(house.secure())
        .ended(Exit::CentralUnreachable);
    // A certificate ends by central's clock, however the device's stands.
    let terminal = Terminal::enrolled(&house, 8);
    terminal.signs_on(house.secure()).ended(Exit::Done);
    let moved = terminal.identity();
    house.clock.advance(91 * 86_400_000);
    let late = Terminal::at(|| NOON_MS + 91 * 86_400_000);
    let mut lying = moved;
    lying.not_after_ms = i64::MAX / 2;
    late.trust().keep(Slot::Current, &lying).unwrap();
    late.signs_on(house.secure())
        .ended(Exit::CentralUnreachable);
}

/// What the supervisor's list says of copies.
fn copies(house: &House, watcher: &mut Watcher) -> Vec<(Change, String)> {
    let app = house.app();
    let files = Files::look(house.central(), house.folder.path());
    let seen = watcher.judge(&Sight::look(app, files));
    let changes = app.alarms.update(&seen, house.clock.now_ms());
    changes
        .into_iter()
        .filter(|(_, alarm)| alarm.name == AlarmName::DeviceCopied)
        .map(|(change, alarm)| (change, alarm.subject))
        .collect()
}

#[test]
fn a_key_that_two_machines_hold_raises_an_alarm_and_a_moved_one_does_not() {
    let house = House::new();
    let mut watcher = Watcher::default();
    let first = Terminal::enrolled(&house, 7);
    first.signs_on(house.secure()).ended(Exit::Done);
    first.sells(house.secure());
    // Moved to another machine, or the machine was started again: one value after the other.
    let moved = first.copied();
    moved.signs_on(house.secure()).ended(Exit::Done);
    moved.sells(house.secure());
    assert_eq!(copies(&house, &mut watcher), []);
    // The first one is still there.
    first.signs_on(house.secure()).ended(Exit::Done);
    let seven = "7".to_owned();
    assert_eq!(
        copies(&house, &mut watcher),
        [(Change::Raised, seven.clone())]
    );
    moved.signs_on(house.secure()).ended(Exit::Done);
    assert_eq!(copies(&house, &mut watcher), [], "it is told once");
    let alarms: Value = house.person("S1").sees("/api/v1/alarms");
    let told = alarms["standing"].as_array().unwrap().iter();
    let told: Vec<&Value> = told.filter(|one| one["name"] == "device_copied").collect();
    assert_eq!(told.len(), 1, "{alarms}");
    let sentence: Bilingual = serde_json::from_value(told[0]["sentence"].clone()).unwrap();
    assert!(sentence.fr.contains("l’appareil 7") && sentence.en.contains("device 7"));
    // A new key ends it.
    Terminal::enrolled(&house, 7);
    assert_eq!(copies(&house, &mut watcher), [(Change::Cleared, seven)]);
}

#[test]
fn two_connections_that_go_on_speaking_are_two_holders() {
    let house = House::new();
    let mut watcher = Watcher::default();
    let terminal = Terminal::enrolled(&house, 7);
    let (mut one, mut other) = (
        terminal.connect(house.secure()).unwrap(),
        terminal.connect(house.secure()).unwrap(),
    );
    let ask = |value: &'static str| {
        Request::new(
            "GET",
            "/api/v1/time",
            &[("boulier-instance", value)],
            Vec::new(),
        )
    };
    one.ask(&ask("a")).unwrap();
    other.ask(&ask("b")).unwrap();
    other.ask(&ask("b")).unwrap();
    assert_eq!(copies(&house, &mut watcher), []);
    one.ask(&ask("a")).unwrap();
    assert_eq!(
        copies(&house, &mut watcher),
        [(Change::Raised, "7".to_owned())]
    );
}

#[test]
fn who_only_connects_holds_nothing_up() {
    let house = House::new();
    let mut idle = Vec::new();
    for _ in 0..64 {
        let mut socket = std::net::TcpStream::connect(house.secure()).unwrap();
        socket.write_all(&[22, 3, 1]).unwrap();
        idle.push(socket);
    }
    let terminal = Terminal::enrolled(&house, 7);
    terminal.signs_on(house.secure()).ended(Exit::Done);
    // What is no TLS at all gets no answer but an alert.
    let mut plain = std::net::TcpStream::connect(house.secure()).unwrap();
    plain.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let mut heard = Vec::new();
    let _ = plain.read_to_end(&mut heard);
    assert!(!String::from_utf8_lossy(&heard).contains("HTTP"));
}

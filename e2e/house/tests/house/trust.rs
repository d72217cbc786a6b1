//! Devices are enrolled by a code that a person carries, and are their certificates from then on.

use std::path::{Path, PathBuf};
use std::thread;

use keno_house_tests::house::{House, pin_of, refusal, second};
use keno_house_tests::http::Request;
use keno_house_tests::secure::{
    Secure, TECHNICIAN, Terminal, approve, outcome, post_of_nobody, post_plain, revoke,
};
use keno_log::Event;
use keno_terminal::exit::Exit;
use keno_terminal::journal::{CommandKind, Journal, Record};
use keno_terminal::trust::Identity;
use keno_wire::enrolment::digest;
use keno_wire::request::CommandKey;
use serde_json::json;

use crate::on_both;

/// The code with its last sign changed: another code.
fn another(code: &str) -> String {
    let (start, last) = code.split_at(code.len() - 1);
    format!("{start}{}", if last == "2" { "3" } else { "2" })
}

#[test]
fn a_terminal_is_enrolled_sells_over_tls_and_the_record_knows_its_key() {
    on_both(|house| {
        let terminal = Terminal::enrolled(house, 7);
        let identity = terminal.identity();
        assert_eq!((identity.device, identity.name.as_str()), (7, "T07"));
        let before = house.tickets();
        terminal.signs_on(house.secure()).ended(Exit::Done);
        terminal.sells(house.secure()).ended(Exit::Done);
        assert_eq!(house.tickets(), before + 1);
        let public = public_half(&identity);
        let recorded = house.events().into_iter().find_map(|event| match event {
            Event::DeviceRecorded(body) if body.device == 7 => Some((body.key_hash, body.by)),
            _ => None,
        });
        assert_eq!(recorded, Some((digest(&public), TECHNICIAN.to_owned())));
    });
}

#[test]
fn over_tls_a_device_is_its_certificate_and_nothing_that_it_says() {
    let house = House::new();
    let terminal = Terminal::enrolled(&house, 7);
    let sign_on = json!({"badge": "C1", "pin": pin_of("C1")});
    // The key that device 1 sends on central's own machine counts for nothing over TLS.
    let sent = format!("1.{}", house.keys[&1]);
    let header = [("boulier-device", sent.as_str())];
    for headers in [&header[..], &[]] {
        let mut nobody = Secure::of_nobody(house.public()).unwrap();
        let answer = nobody.post("/sessions", headers, &sign_on).unwrap();
        assert_eq!(
            (answer.status, refusal(&answer).as_str()),
            (401, "device_unknown")
        );
    }
    // Pages and the public log need no certificate.
    let mut nobody = Secure::of_nobody(house.public()).unwrap();
    for path in ["/", "/log/checkpoint", "/healthz"] {
        let request = Request::new("GET", path, &[], Vec::new());
        let status = nobody.ask(&request).unwrap().status;
        assert_eq!(status, 200, "{path}");
    }
    let metrics = Request::new("GET", "/metrics", &[], Vec::new());
    assert_eq!(
        refusal(&nobody.ask(&metrics).unwrap()),
        "certificate_needed"
    );
    // Whoever has a certificate is that device, whatever else it says.
    let mut own = terminal.connect(house.secure()).unwrap();
    let answer = own.post("/sessions", &header, &sign_on).unwrap();
    assert_eq!(outcome(&answer), "200");
    assert_eq!(own.ask(&metrics).unwrap().status, 200);
    let session = house
        .central()
        .view
        .get()
        .sessions
        .values()
        .next()
        .unwrap()
        .device;
    assert_eq!(session, 7);
}

#[test]
fn the_public_half_of_a_key_opens_nothing_on_centrals_own_machine() {
    let house = House::new();
    let terminal = Terminal::enrolled(&house, 7);
    let public = public_half(&terminal.identity());
    // Its hash is what the record has for device 7, and anyone may have seen it.
    assert_eq!(
        house.central().view.get().devices[&7].key_hash,
        digest(&public)
    );
    let sent = format!("7.{}", hex_of(&public));
    let body = serde_json::to_vec(&json!({"badge": "C1", "pin": pin_of("C1")})).unwrap();
    let request = Request::new(
        "POST",
        "/api/v1/sessions",
        &[("boulier-device", &sent)],
        body,
    );
    assert_eq!(refusal(&request.ask(house.address())), "device_unknown");
}

fn public_half(identity: &Identity) -> Vec<u8> {
    let pair = rcgen::KeyPair::from_pem(&identity.key).unwrap();
    rcgen::PublicKeyData::subject_public_key_info(&pair)
}

fn hex_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn five_wrong_codes_end_what_waits_and_four_do_not() {
    let house = House::new();
    let four = Terminal::new().enrol(house.public(), |code| {
        for _ in 0..4 {
            let answer = approve(&house, &another(code), 7);
            assert_eq!(refusal(&answer), "enrolment_code_unknown");
        }
        assert_eq!(approve(&house, code, 7).status, 200);
    });
    four.done.ended(Exit::Done);
    let five = Terminal::new().enrol(house.public(), |code| {
        for _ in 0..5 {
            assert_eq!(
                refusal(&approve(&house, &another(code), 8)),
                "enrolment_code_unknown"
            );
        }
        assert_eq!(refusal(&approve(&house, code, 8)), "enrolment_locked");
    });
    five.done
        .ended(Exit::Refused)
        .said(&["Cinq mauvais codes", "(enrolment_locked)"]);
    assert!(!house.central().view.get().devices.contains_key(&8));
}

#[test]
fn a_code_is_good_for_five_minutes_and_for_one_device() {
    let house = House::new();
    let late = Terminal::new().enrol(house.public(), |code| {
        house.clock.advance(300_000);
        assert_eq!(refusal(&approve(&house, code, 7)), "enrolment_expired");
    });
    late.done
        .ended(Exit::Refused)
        .said(&["(enrolment_expired)"]);
    let twice = Terminal::new().enrol(house.public(), |code| {
        house.clock.advance(299_999);
        assert_eq!(
            approve(&house, &code.to_lowercase().replace('-', " "), 7).status,
            200
        );
        assert_eq!(refusal(&approve(&house, code, 8)), "enrolment_used");
    });
    twice.done.ended(Exit::Done);
    assert!(!house.central().view.get().devices.contains_key(&8));
}

#[test]
fn only_a_technician_or_an_administrator_enrols_and_what_is_typed_is_judged() {
    let house = House::new();
    let leaves = house.log_size();
    let enrolled = Terminal::new().enrol(house.public(), |code| {
        let body = |badge: &str, pin: &str| {
            json!({"code": code, "device": 7, "name": "T07", "role": "counter",
                   "badge": badge, "pin": pin, "second": second("X2")})
        };
        let path = "/enrolments/approve";
        for (badge, pin, name) in [
            ("C1", pin_of("C1"), "badge_or_pin_wrong"),
            ("S1", pin_of("S1"), "badge_or_pin_wrong"),
            ("X1", "0000".to_owned(), "badge_or_pin_wrong"),
        ] {
            assert_eq!(refusal(&post_plain(&house, path, &body(badge, &pin))), name);
        }
        let right = body("X1", &pin_of("X1"));
        for (field, value) in [
            ("code", json!("ABCD-EFG")),
            ("name", json!("")),
            ("name", json!("a name that is too long")),
            ("role", json!("clerk")),
            ("device", json!(0)),
        ] {
            let mut wrong = right.clone();
            wrong[field] = value;
            let answer = post_plain(&house, path, &wrong);
            assert_eq!(refusal(&answer), "malformed_request", "{field}");
        }
        // An account of the machine that cannot read the data folder approves nothing either.
        let answer = post_of_nobody(&house, path, &right);
        assert_eq!(refusal(&answer), "device_unknown");
        // Over TLS it takes a device: a network address alone approves nothing.
        let mut nobody = Secure::of_nobody(house.public()).unwrap();
        let answer = nobody.post(path, &[], &right).unwrap();
        assert_eq!(refusal(&answer), "device_unknown");
        assert_eq!(house.log_size(), leaves, "a refusal leaves no trace");
        assert_eq!(post_plain(&house, path, &right).status, 200);
    });
    enrolled.done.ended(Exit::Done);
    // And at a device that is enrolled, a code can be typed too.
    let first = Terminal::enrolled(&house, 6);
    Terminal::new()
        .enrol(house.public(), |code| {
            let mut at = first.connect(house.secure()).unwrap();
            let body = json!({"code": code, "device": 8, "name": "K08", "role": "kiosk",
                              "badge": "X1", "pin": pin_of("X1"), "second": second("X2")});
            assert_eq!(
                outcome(&at.post("/enrolments/approve", &[], &body).unwrap()),
                "200"
            );
        })
        .done
        .ended(Exit::Done);
}

#[test]
fn a_terminal_with_something_in_doubt_is_not_enrolled_anew() {
    let house = House::new();
    let terminal = Terminal::new();
    let mut journal = Journal::open(&terminal.folder.join("journal")).unwrap();
    let sent = Record::Sent {
        key: CommandKey {
            session: 1,
            counter: 1,
        },
        kind: CommandKind::Sale,
        request: json!({}),
        total_cents: 100,
        received_cents: 100,
        device: None,
    };
    journal.write(&sent).unwrap();
    drop(journal);
    let enrolled = terminal.enrol(house.public(), |code| panic!("{code} was shown"));
    enrolled.done.ended(Exit::Refused).said(&["en suspens"]);
}

/// Every file under a folder.
fn files_under(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_under(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn keys_and_codes_stand_in_their_own_files_and_nowhere_else() {
    let house = House::new();
    let terminal = Terminal::new();
    let enrolled = terminal.enrol(house.public(), |code| {
        assert_eq!(approve(&house, &another(code), 7).status, 422);
        assert_eq!(approve(&house, code, 7).status, 200);
    });
    let code = enrolled.code.unwrap();
    terminal.signs_on(house.secure()).ended(Exit::Done);
    terminal.sells(house.secure()).ended(Exit::Done);
    // The second line of a PEM: 48 bytes of the key.
    let line = |text: &str| text.lines().nth(1).unwrap().to_owned();
    let authority = std::fs::read_to_string(house.folder.join("trust/ca.key")).unwrap();
    let secrets = [
        (line(&authority), "ca.key"),
        (line(&terminal.identity().key), "device.key"),
        (code.clone(), ""),
        (code.replace('-', ""), ""),
    ];
    let mut files = Vec::new();
    files_under(house.folder.path(), &mut files);
    files_under(terminal.folder.path(), &mut files);
    assert!(files.len() > 10);
    for (secret, home) in &secrets {
        let holders: Vec<String> = files
            .iter()
            .filter(|path| {
                let bytes = std::fs::read(path).unwrap();
                bytes
                    .windows(secret.len())
                    .any(|part| part == secret.as_bytes())
            })
            .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        let expected: Vec<&str> = [*home]
            .into_iter()
            .filter(|home| !home.is_empty())
            .collect();
        assert_eq!(holders, expected);
    }
}

#[test]
fn as_many_devices_wait_as_a_person_can_serve() {
    let house = House::new();
    let asked = |salt: u8| {
        let key = rcgen::KeyPair::generate().unwrap();
        let public = rcgen::PublicKeyData::subject_public_key_info(&key);
        json!({"key": hex_of(&public), "salt": hex_of(&[salt; 16]), "proof": hex_of(&[0; 32])})
    };
    let mut nobody = Secure::of_nobody(house.public()).unwrap();
    for salt in 0..8 {
        let answer = nobody.post("/enrolments", &[], &asked(salt)).unwrap();
        assert_eq!(outcome(&answer), "200");
    }
    let answer = nobody.post("/enrolments", &[], &asked(8)).unwrap();
    assert_eq!(refusal(&answer), "enrolments_full");
    house.clock.advance(300_000);
    let answer = nobody.post("/enrolments", &[], &asked(9)).unwrap();
    assert_eq!(outcome(&answer), "200");
    let plain = post_plain(&house, "/enrolments", &asked(10));
    assert_eq!(refusal(&plain), "tls_needed");
    let unknown = json!({"enrolment": "00"});
    let answer = nobody.post("/enrolments/question", &[], &unknown).unwrap();
    assert_eq!(refusal(&answer), "enrolment_unknown");
}

#[test]
fn a_number_that_passes_to_another_device_ends_the_old_ones_key_sessions_and_connections() {
    on_both(|house| {
        let old = Terminal::enrolled(house, 7);
        old.signs_on(house.secure()).ended(Exit::Done);
        let mut kept = old.connect(house.secure()).unwrap();
        let time = Request::new("GET", "/api/v1/time", &[], Vec::new());
        assert_eq!(kept.ask(&time).unwrap().status, 200);
        let new = Terminal::enrolled(house, 7);
        kept.must_end();
        assert!(house.central().view.get().sessions.is_empty());
        old.sells(house.secure())
            .ended(Exit::Refused)
            .said(&["(device_unknown)"]);
        new.signs_on(house.secure()).ended(Exit::Done);
        new.sells(house.secure()).ended(Exit::Done);
    });
}

#[test]
fn a_device_that_is_revoked_is_cut_off_in_the_middle_of_everything() {
    on_both(|house| {
        let terminal = Terminal::enrolled(house, 7);
        let neighbour = Terminal::enrolled(house, 8);
        let (mut stream, mut kept) = (
            terminal.connect(house.secure()).unwrap(),
            terminal.connect(house.secure()).unwrap(),
        );
        let mut other = neighbour.connect(house.secure()).unwrap();
        let time = Request::new("GET", "/api/v1/time", &[], Vec::new());
        assert_eq!(kept.ask(&time).unwrap().status, 200);
        assert_eq!(other.ask(&time).unwrap().status, 200);
        stream
            .send(&Request::new("GET", "/live", &[], Vec::new()))
            .unwrap();
        let mut first = [0; 64];
        std::io::Read::read_exact(&mut stream.0, &mut first).unwrap();
        assert!(first.starts_with(b"HTTP/1.1 200"));
        assert_eq!(house.app().trust.connections.count(), 3);
        revoke(house, 7);
        stream.must_end();
        kept.must_end();
        assert_eq!(other.ask(&time).unwrap().status, 200, "others go on");
        // New connections are told why, whatever they ask for, and end.
        for path in ["/api/v1/time", "/live", "/"] {
            let mut again = terminal.connect(house.secure()).unwrap();
            let answer = again.ask(&Request::new("GET", path, &[], Vec::new()));
            assert_eq!(refusal(&answer.unwrap()), "device_revoked", "{path}");
            again.must_end();
        }
        terminal
            .signs_on(house.secure())
            .ended(Exit::Refused)
            .said(&["(device_revoked)"]);
        // What ended is forgotten.
        while house.app().trust.connections.count() > 1 {
            thread::yield_now();
        }
    });
}

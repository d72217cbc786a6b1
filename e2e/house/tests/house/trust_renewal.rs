//! Certificates and keys change while the house sells: nothing stops, and no answer that is lost
//! locks a device out.

use keno_house_tests::house::{House, NOON_MS, refusal};
use keno_house_tests::http::Request;
use keno_house_tests::secure::{Carry, Secure, Terminal, Wire};
use keno_log::Event;
use keno_terminal::exit::Exit;
use keno_terminal::trust::Slot;
use keno_terminal::trust::connection::{FirstSight, of_identity};

use crate::on_both;

const DAY_MS: i64 = 86_400_000;

/// Keys that the record has had for a device, and by whom.
fn recorded(house: &House, device: u32) -> Vec<([u8; 32], String)> {
    let of_device = |event| match event {
        Event::DeviceRecorded(body) if body.device == device => Some((body.key_hash, body.by)),
        _ => None,
    };
    house.events().into_iter().filter_map(of_device).collect()
}

#[test]
fn a_new_key_counts_once_it_was_proved_and_the_old_one_ends() {
    on_both(|house| {
        let terminal = Terminal::enrolled(house, 7);
        terminal.signs_on(house.secure()).ended(Exit::Done);
        terminal.sells(house.secure()).ended(Exit::Done);
        let before = terminal.identity();
        let mut kept = terminal.connect(house.secure()).unwrap();
        let time = Request::new("GET", "/api/v1/time", &[], Vec::new());
        assert_eq!(kept.ask(&time).unwrap().status, 200);
        terminal
            .keno(house.secure(), &["rotate-key"])
            .ended(Exit::Done);
        assert_ne!(terminal.identity().key, before.key);
        kept.must_end();
        // The session is the same: the person at the counter has noticed nothing.
        let sessions = house.central().view.get().sessions.len();
        terminal.sells(house.secure()).ended(Exit::Done);
        assert_eq!(house.central().view.get().sessions.len(), sessions);
        let keys = recorded(house, 7);
        assert_eq!(keys.len(), 2);
        assert_eq!((keys[0].1.as_str(), keys[1].1.as_str()), ("X1", "device"));
        let mut old = Secure::connect(house.secure(), of_identity(&before, terminal.time).unwrap());
        let answer = old.as_mut().unwrap().ask(&time).unwrap();
        assert_eq!(refusal(&answer), "device_unknown");
        assert!(house.verified(None).holds());
    });
}

#[test]
fn whichever_answer_is_lost_the_device_goes_on() {
    // What is lost, how the command ends, and whether the new key counts after.
    let cases = [
        (vec![Carry::NoAnswer], Exit::CentralUnreachable, false),
        (vec![Carry::All, Carry::NoAnswer], Exit::InDoubt, true),
    ];
    for (plan, exit, counts) in cases {
        let house = House::new();
        let terminal = Terminal::enrolled(&house, 7);
        terminal.signs_on(house.secure()).ended(Exit::Done);
        let before = terminal.identity().key;
        let wire = Wire::to(house.secure(), plan);
        assert_eq!(terminal.rotates(wire.address), exit);
        assert!(wire.is_done());
        let has_next = terminal.trust().read(Slot::Next).unwrap().is_some();
        assert_eq!(has_next, counts);
        assert_eq!(recorded(&house, 7).len(), if counts { 2 } else { 1 });
        // The next command finds out, and sells.
        terminal.sells(wire.address).ended(Exit::Done);
        assert_eq!(terminal.identity().key != before, counts);
        assert!(terminal.trust().read(Slot::Next).unwrap().is_none());
        assert_eq!(terminal.rotates(wire.address), Exit::Done);
        terminal.sells(wire.address).ended(Exit::Done);
    }
}

#[test]
fn a_new_key_that_central_has_forgotten_leaves_the_old_one_in_force() {
    let mut house = House::new();
    let terminal = Terminal::enrolled(&house, 7);
    terminal.signs_on(house.secure()).ended(Exit::Done);
    let before = terminal.identity();
    // The device has the new certificate; central stops before it was proved.
    let mut wrong = before.clone();
    let other = Terminal::enrolled(&house, 8);
    wrong.key = other.identity().key;
    wrong.certificate = other.identity().certificate;
    keno_house_tests::secure::revoke(&house, 8);
    let key = rcgen::KeyPair::generate().unwrap();
    let public = rcgen::PublicKeyData::subject_public_key_info(&key);
    let hex: String = public.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut own = terminal.connect(house.secure()).unwrap();
    let answer = own
        .post("/certificates", &[], &serde_json::json!({"key": hex}))
        .unwrap();
    let given: keno_wire::trust::CertificateReply = serde_json::from_slice(&answer.body).unwrap();
    let next = keno_terminal::trust::Identity {
        key: key.serialize_pem().into(),
        certificate: given.certificate,
        ..before.clone()
    };
    terminal.trust().keep(Slot::Next, &next).unwrap();
    // Until it is proved it does nothing else.
    let config = of_identity(&next, terminal.time).unwrap();
    let mut early = Secure::connect(house.secure(), config).unwrap();
    let time = Request::new("GET", "/api/v1/time", &[], Vec::new());
    assert_eq!(refusal(&early.ask(&time).unwrap()), "device_unknown");
    drop((own, early));
    house.stop();
    house.start();
    terminal.sells(house.secure()).ended(Exit::Done);
    assert_eq!(terminal.identity().key, before.key);
    assert!(terminal.trust().read(Slot::Next).unwrap().is_none());
}

#[test]
fn a_devices_certificate_is_renewed_with_the_same_key_before_it_ends() {
    let house = House::new();
    let mut terminal = Terminal::enrolled(&house, 7);
    terminal.signs_on(house.secure()).ended(Exit::Done);
    let before = terminal.identity();
    // Less than a third of ninety days is left.
    house.clock.advance(61 * DAY_MS);
    terminal.time = || NOON_MS + 61 * DAY_MS;
    // The answer is lost: the command goes on with the certificate that it has.
    let wire = Wire::to(house.secure(), vec![Carry::NoAnswer]);
    terminal.keno(wire.address, &["status"]);
    assert!(wire.is_done());
    assert_eq!(terminal.identity().certificate, before.certificate);
    terminal.keno(house.secure(), &["status"]);
    let after = terminal.identity();
    assert_eq!(after.key, before.key);
    assert!(after.not_after_ms > before.not_after_ms + 60 * DAY_MS);
    assert_eq!(recorded(&house, 7).len(), 1, "the key is the same");
    // The old certificate ends, the new one goes on.
    house.clock.advance(40 * DAY_MS);
    terminal.time = || NOON_MS + 101 * DAY_MS;
    let mut own = terminal.connect(house.secure()).unwrap();
    let time = Request::new("GET", "/api/v1/time", &[], Vec::new());
    assert_eq!(own.ask(&time).unwrap().status, 200);
}

#[test]
fn a_device_whose_certificate_has_ended_says_so_and_is_enrolled_again() {
    let house = House::new();
    let mut terminal = Terminal::enrolled(&house, 7);
    house.clock.advance(91 * DAY_MS);
    terminal.time = || NOON_MS + 91 * DAY_MS;
    terminal
        .keno(house.secure(), &["status"])
        .ended(Exit::Refused)
        .said(&["The certificate of this device has ended"]);
    terminal.enrol_as(&house, 7);
    terminal.signs_on(house.secure()).ended(Exit::Done);
}

#[test]
fn centrals_certificate_changes_under_connections_that_stay() {
    let house = House::new();
    let at = |time| {
        let config = FirstSight::new().config(time).unwrap();
        Secure::connect(house.public(), config).unwrap()
    };
    let shown = |secure: &Secure| secure.0.conn.peer_certificates().unwrap()[0].clone();
    let request = Request::new("GET", "/healthz", &[], Vec::new());
    let mut first = at(|| NOON_MS);
    let before = shown(&first);
    assert_eq!(shown(&at(|| NOON_MS)), before);
    // A third of its seven days is left.
    house.clock.advance(5 * DAY_MS);
    let mut second = at(|| NOON_MS + 5 * DAY_MS);
    assert_ne!(shown(&second), before);
    assert_eq!(first.ask(&request).unwrap().status, 200);
    assert_eq!(second.ask(&request).unwrap().status, 200);
    house.clock.advance(300 * DAY_MS);
    let mut third = at(|| NOON_MS + 305 * DAY_MS);
    assert_eq!(third.ask(&request).unwrap().status, 200);
}

//! Machine and holders on hosts of their own: whatever dies and comes back, a draw has one result, which
//! its hosts sign, and nobody has its secrets before it is sealed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use std::path::PathBuf;
use std::sync::Arc;

use crate::of_hosts::{
    HOLDERS, Hosts, MACHINE, balls, draw_of, keys_in, name_of, on_both, sell, until_asked,
};
use crate::support::{House, RULES, assert_same};
use keno_draw::holder::{Seal, SealProof, SecretHolder as _};
use keno_draw_machine::RemoteHolder;
use keno_draw_machine::line::{Answer, Ask, BOUNDS, Proof};
use keno_draw_machine::statement::check_hosts;
use keno_game::DrawState;
use keno_line::{Host, HostKey, host_key};
use keno_log::Event;
use keno_log::checkpoint::{Checkpoint, sign};
use keno_log::leaf::{Leaf, LeafHeader};
use keno_log::proof::inclusion_proof_of;
use keno_log::tree::root_of;
use keno_record::clock::Clock;
use keno_record::keys::{ServerKeys, signing_key};
use keno_record::record::{keys_path, origin_of};
use keno_service::draw::{Conductor, Draw};

#[test]
fn a_draw_of_hosts_is_named_before_its_first_wager_and_signed_with_its_numbers() {
    on_both(|house, hosts| {
        let draw = sell(&house);
        house.until_settled(draw);
        let events = house.events();
        let place = |wanted: fn(&Event) -> bool| {
            let of_draw = |event: &Event| event.names().draw == Some(draw) && wanted(event);
            events.iter().position(of_draw).unwrap()
        };
        let named = place(|event| matches!(event, Event::HostsNamed(_)));
        assert!(named < place(|event| matches!(event, Event::DrawOpened(_))));
        let signed = place(|event| matches!(event, Event::HostsSigned(_)));
        assert_eq!(
            signed,
            place(|event| matches!(event, Event::BallsRecorded(_))) + 1
        );
        let transcript = Draw(draw).transcript(&house.central).unwrap();
        transcript.check().unwrap();
        check_hosts(&transcript).unwrap();
        assert_eq!(transcript.assurance().name(), "named_hosts");
        let named: Vec<String> = hosts
            .places
            .iter()
            .map(|place| place.key.to_string())
            .collect();
        let shown: Vec<&String> = transcript.hosts.iter().map(|host| &host.key).collect();
        assert_eq!(shown, named.iter().collect::<Vec<_>>());
        assert_same(&house.remembered(), &house.recovered(), "a draw of hosts");
        house.audit_holds();
        // Central's folder holds no secret and no journal of a draw.
        for name in ["draw-machine", "machine", "audit-office"] {
            assert!(!house.path().join(name).exists(), "{name}");
        }
    });
}

/// The machine dies before its first line, between two, and after its last; central starts again; the
/// draw has the numbers that the machine has on record, and nobody had to decide anything.
#[test]
fn killed_at_each_ball_the_draw_goes_on_with_the_same_numbers() {
    on_both(|mut house, hosts| {
        for (draw, lines) in (sell(&house)..).zip(0..=20) {
            house.until_closed(draw);
            hosts.gates[MACHINE].lock().dies_after = Some(lines);
            until_asked(&house, draw);
            assert_eq!(draw_of(&house, draw).state(), DrawState::Drawing, "{lines}");
            assert!(balls(&house, draw).is_empty());
            if lines % 4 == 0 {
                house.restart_with(|options| hosts.in_house_file(options));
            }
            house.clock.advance(3_000);
            Conductor::tick(&house.central);
            assert_eq!(
                draw_of(&house, draw).state(),
                DrawState::Drawing,
                "still away"
            );
            hosts.come_back(MACHINE);
            assert_eq!(hosts.draws_on_record(), lines as u64 + 1);
            house.clock.advance(3_000);
            Conductor::tick(&house.central);
            assert_eq!(draw_of(&house, draw).state(), DrawState::Drawn);
            let drawn = balls(&house, draw);
            house.until_settled(draw);
            assert_eq!(balls(&house, draw), drawn);
            check_hosts(&Draw(draw).transcript(&house.central).unwrap()).unwrap();
        }
        let suspended = |event: &Event| matches!(event, Event::DrawSuspended(_));
        assert!(!house.events().iter().any(suspended));
        house.audit_holds();
    });
}

#[test]
fn a_host_that_stays_away_leaves_the_draw_to_people_and_a_resumed_draw_has_the_numbers_on_record() {
    on_both(|house, hosts| {
        let draw = sell(&house);
        house.until_closed(draw);
        // It has the numbers on record when it dies, and nobody else has them.
        hosts.gates[MACHINE].lock().dies_after = Some(0);
        until_asked(&house, draw);
        let late_ms = draw_of(&house, draw).draws_at_ms() + 59_000 - house.clock_ms();
        house.clock.advance(late_ms);
        Conductor::tick(&house.central);
        assert_eq!(draw_of(&house, draw).state(), DrawState::Drawing);
        house.clock.advance(4_000);
        Conductor::tick(&house.central);
        assert_eq!(draw_of(&house, draw).state(), DrawState::Suspended);
        // The other draws are sold and closed meanwhile.
        assert!(draw_of(&house, draw + 1).state() == DrawState::Open);
        hosts.come_back(MACHINE);
        assert_eq!(hosts.draws_on_record(), 1);
        Draw(draw).resume(&house.central, "S1", "S2").unwrap();
        house.until_settled(draw);
        assert_eq!(hosts.draws_on_record(), 1, "drawn once");
        check_hosts(&Draw(draw).transcript(&house.central).unwrap()).unwrap();
        house.audit_holds();
    });
}

#[test]
fn without_a_holder_nothing_is_announced_and_its_loss_after_the_numbers_is_not_missed() {
    on_both(|mut house, hosts| {
        let draw = sell(&house);
        hosts.go_away(2);
        let announced = house.central.view.get().draws.len();
        house.until_closed(draw);
        house.clock.advance(2_500);
        Conductor::tick(&house.central);
        let open = house.central.view.get().draws.len();
        assert_eq!(open, announced, "no draw without a commitment");
        hosts.come_back(2);
        until_asked(&house, draw);
        // Both holders are lost once the numbers are there: what they gave is kept until it is told.
        assert_eq!(draw_of(&house, draw).state(), DrawState::Drawn);
        hosts.go_away(1);
        hosts.go_away(2);
        house.until_settled(draw);
        // After a start central has nothing of it: the draw waits until they are back.
        hosts.come_back(1);
        hosts.come_back(2);
        let next = draw + 1;
        until_asked(&house, next);
        hosts.go_away(1);
        house.restart_with(|options| hosts.in_house_file(options));
        for _ in 0..60 {
            house.clock.advance(2_500);
            Conductor::tick(&house.central);
        }
        assert_eq!(draw_of(&house, next).state(), DrawState::Official);
        hosts.come_back(1);
        house.until_settled(next);
        house.audit_holds();
    });
}

/// Who has central's keys gets the secrets of a draw that is on sale by a log of his own making. No
/// number comes of it: each holder has given its secret for that seal, and gives it for no other.
#[test]
fn secrets_that_were_had_before_the_close_draw_nothing() {
    on_both(|house, hosts| {
        let draw = sell(&house);
        let keys = ServerKeys::load_from(&keno_record::keys::KeysPlace::File(keys_path(
            &house.path(),
        )))
        .unwrap();
        let leaf = Leaf {
            header: LeafHeader {
                kind: keno_log::EventKind::DrawClosed,
                index: 0,
                at_ms: house.clock_ms(),
                business_day: 20_261_127,
                draw,
            },
            commitment: [7; 32],
        };
        let hashes = [leaf.hash()];
        let seal = Seal {
            size: 1,
            root: root_of(&hashes),
        };
        let log = signing_key(&keys, &origin_of(&hosts.house)).unwrap();
        let checkpoint = Checkpoint::new(&origin_of(&hosts.house), 1, seal.root);
        let proof = SealProof {
            checkpoint: sign(&checkpoint, &log).unwrap(),
            leaf: leaf.to_bytes(),
            path: inclusion_proof_of(0, &hashes).unwrap(),
        };
        let own = HostKey::of_central(*keys.draw_line_seed()).unwrap();
        let place = &hosts.places[1];
        let host = Host::new(&hosts.house, place, &own, BOUNDS).unwrap();
        let mut holder = RemoteHolder::new(HOLDERS[0], host.clone());
        let had = holder.reveal(draw, &seal, &proof).unwrap();
        let again = host
            .answer(&Ask::Reveal {
                draw,
                proof: Proof::from(&proof),
            })
            .unwrap();
        assert!(matches!(again, Answer::Secret { .. }), "he has it: {had:?}");
        until_asked(&house, draw);
        assert_eq!(draw_of(&house, draw).state(), DrawState::Suspended);
        let reason = house.events().into_iter().find_map(|event| match event {
            Event::DrawSuspended(body) if body.draw == draw => Some(body.reason),
            _ => None,
        });
        assert!(reason.unwrap().contains("second_seal"));
        assert_eq!(hosts.draws_on_record(), 0);
        Draw(draw)
            .void(&house.central, "un secret était connu", "S1", "S2")
            .unwrap();
        house.until_settled(draw + 1);
        house.audit_holds();
    });
}

#[test]
fn another_host_than_the_one_that_was_named_draws_nothing() {
    on_both(|mut house, mut hosts| {
        let draw = sell(&house);
        let file = hosts.at(2).join(host_key::KEY_FILE);
        std::fs::remove_file(file).unwrap();
        let own = HostKey::read_or_make(&hosts.at(2), name_of(2)).unwrap();
        hosts.places[2].key = own.verifying_key().clone();
        house.restart_with(|options| hosts.in_house_file(options));
        until_asked(&house, draw);
        assert_eq!(draw_of(&house, draw).state(), DrawState::Suspended);
        assert_eq!(hosts.draws_on_record(), 0);
    });
}

/// A house that had all within central moves the journals to hosts: draws that were announced before
/// go on, and say that no host vouches for them; those that are announced after say that hosts do.
#[test]
fn a_house_moves_its_holders_to_hosts_with_draws_on_sale() {
    let mut keys = None;
    let mut house = House::founded(None, RULES, |options| {
        keys = Some(keys_in(&options.folder));
    });
    let draw = sell(&house);
    let clock: Arc<dyn Clock> = house.clock.clone();
    let hosts = Hosts::start(&keys.unwrap(), &house.central.house_code, &clock);
    let folders: Vec<PathBuf> = house
        .central
        .house
        .holders
        .iter()
        .map(|holder| holder.folder().unwrap().to_owned())
        .collect();
    let last = *house.central.view.get().draws.keys().next_back().unwrap();
    house.stop();
    for (place, folder) in (1..).zip(folders) {
        hosts.go_away(place);
        let journal = "secrets.journal";
        let from = house.path().join(folder).join(journal);
        std::fs::copy(from, hosts.at(place).join(journal)).unwrap();
        std::fs::remove_file(hosts.at(place).join("second").join(journal)).unwrap();
        hosts.come_back(place);
    }
    house.restart_with(|options| hosts.in_house_file(options));
    house.until_settled(draw);
    let transcript = Draw(draw).transcript(&house.central).unwrap();
    assert_eq!(transcript.assurance().name(), "one_host");
    assert_eq!(transcript.hosts, []);
    let next = last + 1;
    house.until_settled(next);
    let transcript = Draw(next).transcript(&house.central).unwrap();
    assert_eq!(transcript.assurance().name(), "named_hosts");
    check_hosts(&transcript).unwrap();
    house.audit_holds();
}

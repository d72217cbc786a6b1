//! A public beacon as one more holder of the secrets: its round comes after the close, whoever relays it,
//! and a draw waits for it as for a host.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use std::path::PathBuf;

use crate::support::{House, RULES, assert_same, slip, straight};
use keno_draw::{Transcript, round_secret};
use keno_draw_machine::beacon::BeaconPlace;
use keno_draw_machine::statement::check_hosts;
use keno_game::DrawState;
use keno_log::Event;
use keno_log::beacon::{AHEAD_MS, Beacon, Round};
use keno_record::past_draws::draw_range;
use keno_record::view::DrawInfo;
use keno_service::draw::{Conductor, Draw};
use keno_service::house_file::{Holder, HouseFile};
use keno_testing::beacon::{Network, Relay, Says};

fn beacon() -> Beacon {
    Beacon::parse(&Network::new(1).text()).unwrap()
}

/// A holder within central, and the beacon behind these relays.
fn with_beacon(house: &HouseFile, relays: &[&Relay]) -> HouseFile {
    let place = BeaconPlace {
        beacon: beacon(),
        relays: relays.iter().map(|it| it.address().to_owned()).collect(),
    };
    HouseFile {
        holders: vec![
            Holder::Within("machine".to_owned(), PathBuf::from("machine")),
            Holder::Beacon("drand".to_owned(), Box::new(place)),
        ],
        ..house.clone()
    }
}

fn house_with(database: Option<&str>, relays: &[&Relay]) -> House {
    House::founded(database, RULES, |options| {
        options.house = with_beacon(&options.house, relays);
    })
}

/// A house with one relay, on each database.
fn on_both(test: fn(House, &Relay)) {
    let relay = Relay::of(Network::new(1)).unwrap();
    test(house_with(None, &[&relay]), &relay);
    let database = keno_testing::empty_postgres_database().unwrap();
    let relay = Relay::of(Network::new(1)).unwrap();
    test(house_with(Some(database.address()), &[&relay]), &relay);
}

/// The secret that a round gives a draw.
fn secret_of(house: &House, draw: u64, signature: &[u8]) -> [u8; 32] {
    let beacon = beacon().to_string();
    round_secret(&house.central.house_code, draw, &beacon, signature)
}

fn draw_of(house: &House, draw: u64) -> DrawInfo {
    draw_range(&house.central, draw, draw).unwrap().remove(0)
}

fn sell(house: &House) -> u64 {
    let clerk = house.clerk(1, "C1");
    let sold = house.sell(&clerk, slip(vec![straight(&[1, 2, 3], 100)], 1));
    sold.sold.first_draw
}

/// Lets time pass, a second at a time, until the numbers of a draw are due and asked for once.
fn until_asked(house: &House, draw: u64) {
    house.until_closed(draw);
    for _ in 0..600 {
        if draw_of(house, draw).state() != DrawState::Closed {
            return;
        }
        house.clock.advance(1_000);
        Conductor::tick(&house.central);
    }
    panic!("draw {draw} is not drawn");
}

/// When a draw closed, by its leaf.
fn closed_at_ms(house: &House, draw: u64) -> i64 {
    let draw = draw_of(house, draw);
    let mut leaves = draw.leaves().iter();
    let closed = leaves.find(|(kind, _, _)| *kind == keno_log::EventKind::DrawClosed);
    closed.unwrap().2
}

/// What is published of a draw, once it was looked at as a stranger does.
fn transcript(house: &House, draw: u64) -> Transcript {
    let transcript = Draw(draw).transcript(&house.central).unwrap();
    transcript.check().unwrap();
    check_hosts(&transcript).unwrap();
    assert_eq!(transcript.assurance().name(), "unknown_round");
    let round = Round::parse(&transcript.hosts[2].signature).unwrap();
    assert_eq!(round.number, beacon().round_of(closed_at_ms(house, draw)));
    assert!(beacon().moment_ms(round.number) >= closed_at_ms(house, draw) + AHEAD_MS);
    let secret = secret_of(house, draw, &round.signature);
    assert_eq!(transcript.holders[1].secret, secret);
    transcript
}

#[test]
fn a_round_that_was_not_there_at_the_close_is_one_of_the_secrets() {
    on_both(|mut house, relay| {
        let draw = sell(&house);
        let asked = relay.asked();
        house.until_closed(draw);
        assert_eq!(relay.asked(), asked, "nothing is asked for before the draw");
        house.until_settled(draw);
        let told = transcript(&house, draw);
        // Nobody signs for what is within central.
        let keys: Vec<&str> = told.hosts.iter().map(|host| host.key.as_str()).collect();
        assert_eq!(keys, ["", "", beacon().to_string().as_str()]);
        assert_same(
            &house.remembered(),
            &house.recovered(),
            "a draw of a beacon",
        );
        house.audit_holds();

        let next = sell(&house);
        house.restart_with(|options| options.house = with_beacon(&options.house, &[relay]));
        house.until_settled(next);
        transcript(&house, next);
        house.audit_holds();
    });
}

#[test]
fn a_draw_waits_for_its_round_and_people_decide_when_it_does_not_come() {
    on_both(|house, relay| {
        let draw = sell(&house);
        house.until_closed(draw);
        relay.say(Says::NotYet);
        until_asked(&house, draw);
        for says in [Says::NotYet, Says::Passed, Says::Changed, Says::Nothing] {
            relay.say(says);
            house.clock.advance(3_000);
            Conductor::tick(&house.central);
            assert_eq!(
                draw_of(&house, draw).state(),
                DrawState::Drawing,
                "{says:?}"
            );
        }
        relay.say(Says::Round);
        house.clock.advance(3_000);
        Conductor::tick(&house.central);
        assert_eq!(draw_of(&house, draw).state(), DrawState::Drawn);
        house.until_settled(draw);
        transcript(&house, draw);

        // It stays away for a minute after the draw's moment.
        let next = sell(&house);
        house.until_closed(next);
        relay.say(Says::Nothing);
        until_asked(&house, next);
        let late_ms = draw_of(&house, next).draws_at_ms() + 61_000 - house.clock_ms();
        house.clock.advance(late_ms);
        Conductor::tick(&house.central);
        assert_eq!(draw_of(&house, next).state(), DrawState::Suspended);
        relay.say(Says::Round);
        Draw(next).resume(&house.central, "S1", "S2").unwrap();
        house.until_settled(next);
        // It is the round of the close all the same, however late it was asked for.
        transcript(&house, next);
        house.audit_holds();
    });
}

#[test]
fn a_void_draw_has_no_round_and_asks_for_none() {
    on_both(|house, relay| {
        let draw = sell(&house);
        house.until_closed(draw);
        let asked = relay.asked();
        Draw(draw)
            .void(&house.central, "la salle est fermée", "S1", "S2")
            .unwrap();
        house.clock.advance(2_500);
        Conductor::tick(&house.central);
        let secrets = house.events().into_iter().find_map(|event| match event {
            Event::SecretsRevealed(body) if body.draw == draw => Some(body.secrets),
            _ => None,
        });
        let blank = secret_of(&house, draw, &[]);
        assert_eq!(secrets.unwrap()[1], blank);
        assert_eq!(relay.asked(), asked);
        house.audit_holds();
    });
}

#[test]
fn another_beacon_than_the_one_that_was_named_draws_nothing() {
    let (relay, other) = (
        Relay::of(Network::new(1)).unwrap(),
        Relay::of(Network::new(2)).unwrap(),
    );
    let mut house = house_with(None, &[&relay]);
    let draw = sell(&house);
    house.restart_with(|options| {
        options.house = with_beacon(&options.house, &[&other]);
        let Holder::Beacon(_, place) = &mut options.house.holders[1] else {
            panic!("a beacon");
        };
        place.beacon = Beacon::parse(&Network::new(2).text()).unwrap();
    });
    until_asked(&house, draw);
    assert_eq!(draw_of(&house, draw).state(), DrawState::Suspended);
    house.audit_holds();
}

fn void(house: &House, draw: u64) {
    Draw(draw)
        .void(&house.central, "essai", "S1", "S2")
        .unwrap();
    house.clock.advance(2_500);
    Conductor::tick(&house.central);
    let told = |event: &Event| matches!(event, Event::SecretsRevealed(body) if body.draw == draw);
    assert!(house.events().iter().any(told), "draw {draw}");
}

/// `house.toml` names other holders than the draws that are on sale announced: each of them keeps its own.
#[test]
fn draws_on_sale_keep_the_holders_that_they_announced() {
    let relay = Relay::of(Network::new(1)).unwrap();
    let plain = |options: &mut keno_service::central::Options| {
        options.house.holders = vec![Holder::Within("machine".to_owned(), "machine".into())];
    };
    // A beacon is added: draws from before go on without it, drawn or void.
    let mut house = House::founded(None, RULES, plain);
    let draw = sell(&house);
    house.restart_with(|options| options.house = with_beacon(&options.house, &[&relay]));
    void(&house, draw + 1);
    house.until_settled(draw);
    assert_eq!(relay.asked(), 0);
    let told = Draw(draw).transcript(&house.central).unwrap();
    assert_eq!((told.holders.len(), told.hosts.len()), (1, 0));
    house.audit_holds();

    // It is taken away again: what named it cannot be drawn, and is void without it.
    let newest = house
        .central
        .view
        .get()
        .draws
        .keys()
        .max()
        .copied()
        .unwrap();
    let named = |house: &House, draw: u64| draw_of(house, draw).holders().len() == 2;
    let beside = (draw + 2..=newest)
        .find(|draw| named(&house, *draw))
        .unwrap();
    house.restart_with(plain);
    for on_sale in beside..=newest {
        void(&house, on_sale);
    }
    house.audit_holds();
}

#[test]
fn a_round_that_is_on_record_is_not_asked_for_again() {
    on_both(|mut house, relay| {
        let draw = sell(&house);
        until_asked(&house, draw);
        for _ in 0..20 {
            if draw_of(&house, draw).state() == DrawState::Drawn {
                break;
            }
            house.clock.advance(1_000);
            Conductor::tick(&house.central);
        }
        assert_eq!(draw_of(&house, draw).state(), DrawState::Drawn);
        relay.say(Says::Nothing);
        let asked = relay.asked();
        house.restart_with(|options| options.house = with_beacon(&options.house, &[relay]));
        house.until_settled(draw);
        assert_eq!(relay.asked(), asked);
        relay.say(Says::Round);
        transcript(&house, draw);
        house.audit_holds();
    });
}

#[test]
fn two_beacons_give_two_secrets_of_a_void_draw_too() {
    let relays = [1, 2].map(|number| Relay::of(Network::new(number)).unwrap());
    let house = House::founded(None, RULES, |options| {
        options.house = with_beacon(&options.house, &[&relays[0]]);
        let second = BeaconPlace {
            beacon: Beacon::parse(&Network::new(2).text()).unwrap(),
            relays: vec![relays[1].address().to_owned()],
        };
        let second = Holder::Beacon("other".to_owned(), Box::new(second));
        options.house.holders.push(second);
    });
    let draw = sell(&house);
    void(&house, draw);
    house.until_settled(draw + 1);
    check_hosts(&Draw(draw + 1).transcript(&house.central).unwrap()).unwrap();
    house.audit_holds();
}

#[test]
fn a_relay_that_lies_changes_nothing_where_another_tells_the_truth() {
    let (bad, good) = (
        Relay::of(Network::new(2)).unwrap(),
        Relay::of(Network::new(1)).unwrap(),
    );
    let house = house_with(None, &[&bad, &good]);
    let draw = sell(&house);
    house.until_settled(draw);
    transcript(&house, draw);
    assert_eq!((bad.asked(), good.asked()), (1, 1));
    house.audit_holds();
}

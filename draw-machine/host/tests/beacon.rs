//! A public beacon as one more holder: its round is that of the draw and no other, by whatever relay,
//! and a machine on a host of its own looks at that itself.

#![allow(clippy::unwrap_used, clippy::expect_used, dead_code)]

use std::sync::Arc;

use crate::common::{Draw, HOUSE, House, log_key, program};
use keno_draw::adapter::DrawOrder;
use keno_draw::holder::{HolderFault, SealProof, SecretHolder as _};
use keno_draw::published::{from_json, to_json};
use keno_draw::transcript::{HolderRecord, HostRecord};
use keno_draw::{Transcript, beacon_commitment, round_secret};
use keno_draw_machine::BeaconHolder;
use keno_draw_machine::beacon::{BeaconPlace, beacon_of};
use keno_draw_machine::client::order_of;
use keno_draw_machine::line::{Answer, Ask};
use keno_draw_machine::part::{Giver, MachinePart};
use keno_draw_machine::statement::{Sealed, check_hosts};
use keno_line::HostKey;
use keno_line::server::{Part as _, Refused};
use keno_log::beacon::{Beacon, QUICKNET, Round};
use keno_testing::beacon::{Network, Relay, Says};

const NAME: &str = "drand";

fn beacon() -> Beacon {
    Beacon::parse(&Network::new(1).text()).unwrap()
}

fn holder(relays: &[&Relay]) -> BeaconHolder {
    let relays = relays.iter().map(|relay| relay.address().to_owned());
    let place = BeaconPlace {
        beacon: beacon(),
        relays: relays.collect(),
    };
    BeaconHolder::new(HOUSE, NAME, place)
}

/// The secret that a round gives a draw.
fn secret_of(draw: u64, signature: &[u8]) -> [u8; 32] {
    round_secret(HOUSE, draw, &beacon().to_string(), signature)
}

/// The round of a draw, from the network itself.
fn round_of(draw: &Draw) -> Round {
    let number = beacon().round_of(draw.closed_at_ms());
    Round::parse(&Network::new(1).round(number)).unwrap()
}

#[test]
fn the_secret_is_the_round_after_the_close_and_nothing_is_chosen() {
    let relay = Relay::of(Network::new(1)).unwrap();
    let mut holder = holder(&[&relay]);
    let draw = Draw::closed(7);
    let committed = holder.commit(7).unwrap();
    assert_eq!(
        committed,
        beacon_commitment(HOUSE, 7, &beacon().to_string())
    );
    assert_ne!(committed, holder.commit(8).unwrap());
    assert_eq!(
        relay.asked(),
        0,
        "what is committed to is which beacon it is"
    );

    let round = round_of(&draw);
    let revealed = holder.reveal(7, &draw.seal(), &draw.proof()).unwrap();
    assert_eq!(revealed.signature, round.to_string());
    assert_eq!(revealed.secret, secret_of(7, &round.signature));
    // Of a void draw there is no round, and no two draws have one secret.
    assert_eq!(holder.publish_void(9).unwrap(), secret_of(9, &[]));
    assert_ne!(secret_of(8, &round.signature), revealed.secret);
    // Without a seal, or with that of another draw, there is none either.
    for (draw_number, proof) in [(7, SealProof::default()), (8, draw.proof())] {
        let fault = holder
            .reveal(draw_number, &draw.seal(), &proof)
            .unwrap_err();
        assert_eq!(fault.name(), "seal_missing");
    }
}

#[test]
fn a_relay_that_says_anything_else_is_not_believed_and_the_next_is_asked() {
    let (bad, good) = (
        Relay::of(Network::new(1)).unwrap(),
        Relay::of(Network::new(1)).unwrap(),
    );
    let draw = Draw::closed(7);
    let (seal, proof) = (draw.seal(), draw.proof());
    for says in [
        Says::NotYet,
        Says::Changed,
        Says::Before,
        Says::Passed,
        Says::Noise,
        Says::Nothing,
    ] {
        bad.say(says);
        let alone = holder(&[&bad]).reveal(7, &seal, &proof).unwrap_err();
        assert!(
            matches!(alone, HolderFault::NotGiven(_)),
            "{says:?}: {alone}"
        );
        assert!(alone.may_be_tried_again());
        let both = holder(&[&bad, &good]).reveal(7, &seal, &proof).unwrap();
        assert_eq!(both.signature, round_of(&draw).to_string(), "{says:?}");
    }
    // Another network's round of that number.
    let other = Relay::of(Network::new(2)).unwrap();
    let fault = holder(&[&other]).reveal(7, &seal, &proof).unwrap_err();
    assert!(fault.to_string().contains("did not sign"), "{fault}");
}

#[test]
fn a_relay_that_says_nothing_holds_nobody_up_and_is_asked_once() {
    let relay = Relay::of(Network::new(1)).unwrap();
    relay.say(Says::Later);
    let mut holder = holder(&[&relay]);
    let draw = Draw::closed(7);
    let (seal, proof) = (draw.seal(), draw.proof());
    for _ in 0..3 {
        let fault = holder.reveal(7, &seal, &proof).unwrap_err();
        assert!(fault.to_string().contains("is being asked for"), "{fault}");
    }
    assert_eq!(relay.asked(), 1);
    relay.say(Says::Round);
    let said = loop {
        // It is there as soon as its thread has it.
        match holder.reveal(7, &seal, &proof) {
            Err(fault) if fault.to_string().contains("is being asked for") => {
                std::thread::yield_now();
            }
            said => break said.unwrap(),
        }
    };
    assert_eq!(said.signature, round_of(&draw).to_string());
    assert_eq!(relay.asked(), 1);
}

/// What the hosts sign of the draw.
fn sealed_by(draw: &Draw) -> Sealed<'static> {
    Sealed {
        house: HOUSE,
        draw: 7,
        seal: draw.seal(),
    }
}

/// An order of the two hosts and the beacon.
fn order(house: &House, draw: &Draw) -> DrawOrder {
    let mut order = house.order(draw);
    let number = order.ctx.draw;
    let round = round_of(draw);
    order.holders.push(HolderRecord {
        name: NAME.to_owned(),
        commitment: beacon_commitment(HOUSE, number, &beacon().to_string()),
        secret: secret_of(number, &round.signature),
        beacon: beacon().to_string(),
    });
    order.signatures.push(round.to_string());
    order
}

fn asked(machine: &mut MachinePart, order: &DrawOrder) -> Result<(Vec<u8>, String), String> {
    let (mut balls, mut signature, mut refused) = (Vec::new(), String::new(), None);
    machine
        .answer(Ask::Draw(order_of(order)), &mut |answer| {
            match answer {
                Answer::Ball { number, .. } => balls.push(number),
                Answer::Drawn { signature: line } => signature = line,
                Answer::Refused(Refused { name, .. }) => refused = Some(name),
                _ => {}
            }
            Ok(())
        })
        .unwrap();
    refused.map_or(Ok((balls, signature)), Err)
}

#[test]
fn a_machine_draws_with_the_round_of_this_very_draw_alone() {
    let house = House::new();
    let folder = tempfile::tempdir().unwrap();
    let draw = Draw::closed(7);
    let clock = Arc::new({
        let now_ms = draw.closed_at_ms() + 10_000;
        move || now_ms
    });
    let mut givers = house.givers();
    givers.insert(NAME.to_owned(), Giver::Beacon(beacon()));
    let key = HostKey::from_seed("draw-room", [4; 32]).unwrap();
    let (log, own) = (
        log_key(1).verifying_key().clone(),
        key.verifying_key().clone(),
    );
    let mut machine = MachinePart::open(folder.path(), HOUSE, key, log, givers, clock).unwrap();
    let right = order(&house, &draw);

    let with_round = |line: String, secret: [u8; 32]| {
        let mut wrong = right.clone();
        wrong.signatures[2] = line;
        wrong.holders[2].secret = secret;
        wrong
    };
    let number = round_of(&draw).number;
    let round = |number: u64| Round::parse(&Network::new(1).round(number)).unwrap();
    let given = |round: Round| with_round(round.to_string(), secret_of(7, &round.signature));
    let other = Round::parse(&Network::new(2).round(number)).unwrap();
    for (wrong, why) in [
        (
            given(round(number - 1)),
            "the round before, which was out at the close",
        ),
        (
            given(round(number + 1)),
            "the next round, for whoever waits for a better one",
        ),
        (given(other), "another network"),
        (
            with_round(String::new(), right.holders[2].secret),
            "no round",
        ),
        (
            with_round(right.signatures[2].clone(), [9; 32]),
            "another secret",
        ),
        (
            with_round(right.signatures[0].clone(), right.holders[2].secret),
            "a host's line",
        ),
    ] {
        let refused = asked(&mut machine, &wrong).unwrap_err();
        assert_eq!(refused, "not_given_for_this_seal", "{why}");
    }
    let mut without = right.clone();
    without.holders.pop();
    without.signatures.pop();
    assert_eq!(asked(&mut machine, &without).unwrap_err(), "holders_differ");

    let (balls, signature) = asked(&mut machine, &right).unwrap();
    let mut transcript = Transcript::compute(right.ctx.clone(), right.holders.clone()).unwrap();
    assert_eq!(transcript.balls, balls);
    // Whoever has the transcript finds the same, and the beacon in it.
    let keys = [own.to_string()];
    let keys = keys
        .into_iter()
        .chain(house.holders.iter().map(|host| host.key.to_string()));
    let keys = keys.chain([beacon().to_string()]);
    let signatures = std::iter::once(signature).chain(right.signatures.clone());
    transcript.hosts = keys
        .zip(signatures)
        .map(|(key, signature)| HostRecord { key, signature })
        .collect();
    let published = to_json(&transcript).unwrap();
    let read = from_json(&published).unwrap();
    assert_eq!(read, transcript);
    assert_eq!(Transcript::decode(&read.encode()).unwrap(), read);
    read.check().unwrap();
    check_hosts(&read).unwrap();
    assert_eq!(read.assurance().name(), "unknown_round");
    for line in [String::new(), Network::new(1).round(number + 1)] {
        let mut wrong = read.clone();
        wrong.hosts[3].signature = line;
        assert_eq!(check_hosts(&wrong).unwrap_err().name(), "beacon_not_given");
    }
    // The round of another network, with the numbers that follow from it.
    let other = Round::parse(&Network::new(2).round(number)).unwrap();
    let mut holders = right.holders.clone();
    holders[2].secret = secret_of(7, &other.signature);
    let mut wrong = Transcript::compute(right.ctx.clone(), holders).unwrap();
    wrong.hosts.clone_from(&read.hosts);
    let text = sealed_by(&draw).balls(&right.ctx.rule_book_hash, &wrong.balls);
    wrong.hosts[0].signature = HostKey::from_seed("draw-room", [4; 32])
        .unwrap()
        .sign(&text);
    wrong.hosts[3].signature = other.to_string();
    wrong.check().unwrap();
    assert_eq!(check_hosts(&wrong).unwrap_err().name(), "beacon_not_given");
    let path = folder.path().join("transcript.json");
    std::fs::write(&path, &published).unwrap();
    let (code, output, errors) = program(&["check", path.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{errors}");
    assert!(output.contains("result\tholds"), "{output}");
    assert!(errors.contains("does not know"), "{errors}");
    assert!(
        output.contains(&format!("\tround {number}\tof 20")),
        "{output}"
    );
    let recompute = "../tests/recompute.py";
    let mut python = std::process::Command::new("python3");
    let output = python
        .args(["-B", recompute, "--transcript"])
        .arg(&path)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn what_drand_publishes_of_its_network_is_read_in_both_spellings() {
    let quicknet = QUICKNET;
    let key = quicknet.rsplit_once(' ').unwrap().1;
    let first = format!(
        "{{\"public_key\":\"{key}\",\"period\":3,\"genesis_time\":1692803367,\"hash\":\"52db\",\
         \"groupHash\":\"f477\",\"schemeID\":\"bls-unchained-g1-rfc9380\",\
         \"metadata\":{{\"beaconID\":\"quicknet\"}}}}"
    );
    let second = format!(
        "{{\"public_key\":\"{key}\",\"period\":3,\"genesis_time\":1692803367,\
         \"genesis_seed\":\"f477\",\"chain_hash\":\"52db\",\"scheme\":\"bls-unchained-g1-rfc9380\",\
         \"beacon_id\":\"quicknet\"}}"
    );
    let folder = tempfile::tempdir().unwrap();
    for info in [first, second] {
        assert_eq!(beacon_of(&info).unwrap().to_string(), quicknet);
        let path = folder.path().join("info.json");
        std::fs::write(&path, info.replace("g1-rfc", "g2-rfc")).unwrap();
        let (code, _, errors) = program(&["beacon", path.to_str().unwrap()]);
        assert_eq!(code, Some(1));
        assert!(errors.contains("the scheme is not"), "{errors}");
        std::fs::write(&path, info).unwrap();
        let (code, output, _) = program(&["beacon", path.to_str().unwrap()]);
        assert_eq!((code, output.trim_end()), (Some(0), quicknet));
    }
}

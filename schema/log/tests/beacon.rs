//! Rounds of a public beacon: those that drand published hold, nothing else does, and which round is a
//! draw's follows from when it closed.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use keno_log::beacon::{AHEAD_MS, Beacon, BeaconFault, QUICKNET as KNOWN, Round};
use keno_testing::beacon::Network;
use sha2::{Digest as _, Sha256};

const QUICKNET: &str = include_str!("../vectors/quicknet.txt");

/// The lines that are no remarks.
fn lines() -> impl Iterator<Item = &'static str> {
    QUICKNET.lines().filter(|line| !line.starts_with('#'))
}

fn quicknet() -> Beacon {
    Beacon::parse(lines().next().unwrap()).unwrap()
}

fn rounds() -> Vec<Round> {
    let rounds = lines().skip(1);
    let line = |line: &str| {
        let (round, randomness) = line.rsplit_once(' ').unwrap();
        let round = Round::parse(round).unwrap();
        assert_eq!(hex::encode(Sha256::digest(round.signature)), randomness);
        round
    };
    rounds.map(line).collect()
}

#[test]
fn rounds_that_were_published_hold_and_come_back_as_they_were() {
    let beacon = quicknet();
    assert_eq!(beacon.to_string(), lines().next().unwrap());
    assert_eq!(lines().next().unwrap(), KNOWN);
    assert!(beacon.is_quicknet());
    assert_eq!(rounds().len(), 6);
    for round in rounds() {
        assert!(beacon.has_given(&round), "{round}");
        assert_eq!(Round::parse(&round.to_string()), Some(round));
    }
}

#[test]
fn no_other_number_key_or_bit_holds() {
    let (beacon, network) = (quicknet(), Network::new(1));
    let other = Beacon::parse(&network.text()).unwrap();
    for round in rounds() {
        assert!(!other.has_given(&round), "under another key: {round}");
        for number in [0, round.number - 1, round.number + 1, u64::MAX] {
            assert!(!beacon.has_given(&Round { number, ..round }));
        }
    }
    let round = rounds()[0];
    for bit in 0..8 * round.signature.len() {
        let mut changed = round;
        changed.signature[bit / 8] ^= 1 << (bit % 8);
        assert!(!beacon.has_given(&changed), "bit {bit}");
    }
    // The point at infinity, which some verifiers take under the key at infinity.
    let mut infinity = Round {
        number: 1,
        signature: [0; 48],
    };
    infinity.signature[0] = 0xc0;
    assert!(!beacon.has_given(&infinity));
}

#[test]
fn a_text_has_one_spelling_and_each_fault_its_name() {
    let text = lines().next().unwrap();
    let fault = |text: &str| Beacon::parse(text).unwrap_err();
    let with = |from: &str, to: &str| fault(&text.replacen(from, to, 1));
    assert_eq!(fault(""), BeaconFault::NotFive);
    assert_eq!(fault(&format!("{text} ")), BeaconFault::NotFive);
    assert_eq!(with("g1", "g2"), BeaconFault::OtherScheme);
    for name in ["", "a/b", "québec", &"a".repeat(65)] {
        assert_eq!(with("quicknet", name), BeaconFault::NameInvalid, "{name}");
    }
    for first in ["", "-1", "+1", "01", "1e9", "1099511627777"] {
        assert_eq!(
            with("1692803367", first),
            BeaconFault::MomentInvalid,
            "{first}"
        );
    }
    for period in [" 0 ", " 3601 ", " 03 "] {
        assert_eq!(with(" 3 ", period), BeaconFault::MomentInvalid, "{period}");
    }
    let infinity = format!("c0{}", "0".repeat(190));
    let key = text.rsplit_once(' ').unwrap().1;
    let flipped = key.replacen("83cf", "83ce", 1);
    for wrong in [
        "",
        "83",
        &key.to_uppercase(),
        &infinity,
        &flipped,
        &key[2..],
    ] {
        assert_eq!(with(key, wrong), BeaconFault::KeyInvalid, "{wrong}");
    }
    for line in [
        "",
        "1",
        "01 ",
        &rounds()[0].to_string().to_uppercase(),
        "1  aa",
    ] {
        assert_eq!(Round::parse(line), None, "{line}");
    }
}

#[test]
fn nobody_else_has_the_name_of_a_known_network() {
    let own = Network::new(3).text().replacen("testnet", "quicknet", 1);
    let later = KNOWN.replacen("1692803367", "1692803370", 1);
    for text in [own, later, KNOWN.replacen(" 3 ", " 4 ", 1)] {
        assert_eq!(
            Beacon::parse(&text),
            Err(BeaconFault::OtherQuicknet),
            "{text}"
        );
    }
    assert!(
        !Beacon::parse(&Network::new(3).text())
            .unwrap()
            .is_quicknet()
    );
}

#[test]
fn the_round_of_a_draw_is_the_first_that_comes_late_enough() {
    let beacon = quicknet();
    let first_ms = beacon.moment_ms(1);
    assert_eq!(first_ms, 1_692_803_367_000);
    for (closed_at_ms, round) in [
        (i64::MIN, 1),
        (0, 1),
        (first_ms - AHEAD_MS, 1),
        (first_ms - AHEAD_MS + 1, 2),
        (first_ms - AHEAD_MS + 3_000, 2),
        (first_ms - AHEAD_MS + 3_001, 3),
        (first_ms, 3),
    ] {
        assert_eq!(beacon.round_of(closed_at_ms), round, "{closed_at_ms}");
    }
    for closed_at_ms in (0..30_000).map(|step| first_ms + step * 997) {
        let round = beacon.round_of(closed_at_ms);
        assert!(beacon.moment_ms(round) >= closed_at_ms + AHEAD_MS);
        assert!(beacon.moment_ms(round - 1) < closed_at_ms + AHEAD_MS);
    }
    for (now_ms, newest) in [
        (first_ms - 1, 0),
        (first_ms, 1),
        (first_ms + 2_999, 1),
        (first_ms + 3_000, 2),
    ] {
        assert_eq!(beacon.newest(now_ms), newest);
    }
    assert_eq!(beacon.moment_ms(u64::MAX), i64::MAX);
    let last = beacon.round_of(i64::MAX);
    assert!(last > 3_000_000_000_000_000, "{last}");
}

#[test]
fn only_the_round_of_the_draw_is_given_for_it() {
    let network = Network::new(7);
    let beacon = Beacon::parse(&network.text()).unwrap();
    let closed_at_ms = beacon.moment_ms(40) - AHEAD_MS;
    assert_eq!(
        beacon
            .given_for(closed_at_ms, &network.round(40))
            .unwrap()
            .number,
        40
    );
    for line in [
        network.round(39),
        network.round(41),
        Network::new(8).round(40),
        String::new(),
    ] {
        assert_eq!(beacon.given_for(closed_at_ms, &line), None, "{line}");
    }
}

//! Secrets in escrow: the journal of a holder is lost in both copies after the wagers, and two auditors
//! together bring its secrets back to its host, which alone can read them. The record says that it was
//! so.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use crate::of_hosts::{Hosts, draw_of, name_of, on_both, sell, until_asked};
use crate::support::{House, assert_same};
use keno_audit::escrow::{Asked, open};
use keno_audit::{Options, Outcome, Outside, verify};
use keno_draw::{FileHolder, OsEntropy};
use keno_draw_machine::statement::{check_hosts, sealed_of};
use keno_game::DrawState;
use keno_house_builder::exported;
use keno_line::HostKey;
use keno_line::sealed::open as unseal;
use keno_log::Event;
use keno_log::escrow::{Bound, Opened, OpenedHalf};
use keno_record::past_draws::hosts_of;
use keno_service::draw::{Conductor, Draw};

/// The holder whose secrets are in escrow, and its place among the hosts.
const HOLDER: &str = "audit";
const PLACE: usize = 2;

fn auditors() -> [HostKey; 2] {
    [("first-auditor", 21), ("second-auditor", 22)]
        .map(|(name, seed)| HostKey::from_seed(name, [seed; 32]).unwrap())
}

/// The audit office gives its secrets into escrow from now on: the first draw of which it does.
fn into_escrow(house: &House, hosts: &mut Hosts) -> u64 {
    hosts.escrow = Some(auditors().map(|key| key.verifying_key().clone()));
    hosts.come_back(PLACE);
    let announced = *house.central.view.get().draws.keys().next_back().unwrap();
    let draw = sell(house);
    house.until_settled(draw);
    announced + 1
}

/// The log as an auditor has it.
fn log_of(house: &House) -> (Vec<u8>, Outcome) {
    let bytes = exported(&house.central).unwrap();
    let outcome = verify(&bytes[..], Outside::default(), Options::default()).unwrap();
    assert_eq!(outcome.findings, []);
    (bytes, outcome)
}

/// What an auditor opens of these draws, or the reason why nothing.
fn opened(house: &House, key: &HostKey, draws: &[u64]) -> Result<Opened, String> {
    let (bytes, outcome) = log_of(house);
    let asked = Asked {
        holder: HOLDER,
        key,
        draws,
    };
    let opened = open(&bytes[..], &outcome.replay, asked);
    opened
        .map(|(opened, closed)| {
            assert_eq!(closed, Vec::<u64>::new());
            opened
        })
        .map_err(|fault| fault.to_string())
}

/// Both copies of the journal are gone.
fn lose_journal(hosts: &Hosts) {
    hosts.go_away(PLACE);
    for folder in [hosts.at(PLACE), hosts.at(PLACE).join("second")] {
        std::fs::remove_file(folder.join("secrets.journal")).unwrap();
    }
}

/// A half as a host reads it.
fn read(hosts: &Hosts, place: usize, half: &OpenedHalf) -> Option<[u8; 32]> {
    let key = HostKey::read(&hosts.at(place), name_of(place)).unwrap();
    let bound = Bound {
        house: &hosts.house,
        draw: half.draw,
        commitment: &half.commitment,
    };
    let named = hosts.places[PLACE].key.to_string();
    unseal(&key, &bound.half(&named, &named), &half.half).map(|half| *half)
}

/// The host as it starts again with what the two opened.
fn restore(hosts: &Hosts, halves: [&Opened; 2]) -> Vec<u64> {
    let folder = hosts.at(PLACE);
    let second = folder.join("second");
    let folders = [folder.as_path(), second.as_path()];
    let mut holder = FileHolder::open_twice(folders, &hosts.house, HOLDER, OsEntropy).unwrap();
    let pairs = halves[0].halves.iter().zip(&halves[1].halves);
    pairs
        .map(|(one, other)| {
            assert_eq!(one.draw, other.draw);
            let [half, with] = [one, other].map(|half| read(hosts, PLACE, half).unwrap());
            assert!(holder.restore(one.draw, [&half, &with]).unwrap());
            one.draw
        })
        .collect()
}

#[test]
fn a_draw_whose_holder_lost_its_journal_is_drawn_with_what_two_auditors_opened() {
    on_both(|mut house, mut hosts| {
        let draw = into_escrow(&house, &mut hosts);
        let [first, second] = auditors();
        house.until_settled(draw - 1);
        lose_journal(&hosts);
        until_asked(&house, draw);
        house.clock.advance(70_000);
        Conductor::tick(&house.central);
        assert_eq!(draw_of(&house, draw).state(), DrawState::Suspended);

        let halves = [&first, &second].map(|key| opened(&house, key, &[]).unwrap());
        assert_ne!(halves[0].halves[0].half, halves[1].halves[0].half);
        let numbers: Vec<u64> = halves[0].halves.iter().map(|half| half.draw).collect();
        let view = house.central.view.get();
        let untold = view.draws.keys().filter(|number| **number >= draw);
        assert_eq!(
            numbers,
            untold.copied().collect::<Vec<_>>(),
            "those on sale too"
        );
        // Nobody but that host reads them.
        assert_eq!(read(&hosts, PLACE - 1, &halves[0].halves[0]), None);
        let stranger = HostKey::from_seed("first-auditor", [23; 32]).unwrap();
        let refused = opened(&house, &stranger, &[draw]).unwrap_err();
        assert!(refused.contains("nothing is in escrow"), "{refused}");
        assert_eq!(restore(&hosts, [&halves[0], &halves[1]]), numbers);
        hosts.come_back(PLACE);

        Draw(draw).resume(&house.central, "S1", "S2").unwrap();
        house.until_settled(draw);
        // Those that were on sale go on by themselves.
        house.until_settled(draw + 1);
        let suspended = |event: &Event| {
            matches!(event, Event::DrawSuspended(_)) && event.names().draw != Some(draw)
        };
        assert!(!house.events().iter().any(suspended));
        let transcript = Draw(draw).transcript(&house.central).unwrap();
        transcript.check().unwrap();
        check_hosts(&transcript).unwrap();
        let sealed = sealed_of(&transcript.ctx);
        let restored: Vec<bool> = transcript
            .holders
            .iter()
            .zip(&transcript.hosts[1..])
            .map(|(holder, host)| {
                sealed.is_restored(&holder.commitment, &host.key, &host.signature)
            })
            .collect();
        assert_eq!(restored, [false, true]);
        let named = auditors().map(|key| key.verifying_key().to_string());
        assert_eq!(transcript.hosts[PLACE].escrow, named);
        assert_eq!(transcript.hosts[1].escrow, Vec::<String>::new());
        let says = transcript.trusted().sentences_en();
        assert!(
            says.contains("audit (first-auditor + second-auditor)"),
            "{says}"
        );

        // What is read of it later is the same, from memory and from the record.
        let (_, outcome) = log_of(&house);
        let account = outcome.replay.draw(draw).unwrap();
        assert!(account.is_restored(&hosts.house, 1));
        assert!(!account.is_restored(&hosts.house, 0));
        let shown = hosts_of(
            &mut house.central.readers.get().unwrap(),
            &draw_of(&house, draw),
        );
        assert_eq!(shown.unwrap().escrows[PLACE], named);
        assert_same(&house.remembered(), &house.recovered(), "a draw in escrow");
        house.restart_with(|options| hosts.in_house_file(options));
        house.audit_holds();
    });
}

#[test]
fn each_draw_has_halves_of_its_own_and_one_half_says_nothing() {
    on_both(|house, mut hosts| {
        let draw = into_escrow(&house, &mut hosts);
        house.until_settled(draw);
        let escrowed: Vec<Vec<Vec<u8>>> = house
            .events()
            .into_iter()
            .filter_map(|event| match event {
                Event::SecretEscrowed(body) => Some(body.halves),
                _ => None,
            })
            .collect();
        assert!(escrowed.len() > 1);
        let mut all: Vec<&Vec<u8>> = escrowed.iter().flatten().collect();
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
        // Of a draw that is told, for whoever tries whether the keys are there: it needs no restoring.
        let halves = auditors().map(|key| opened(&house, &key, &[draw]).unwrap());
        let told = Draw(draw).transcript(&house.central).unwrap().holders[1].secret;
        let [one, other] = [0, 1].map(|at| read(&hosts, PLACE, &halves[at].halves[0]).unwrap());
        assert_eq!(*keno_draw::holder::together(&one, &other), told);
        assert!(one != told && other != told);
        let waiting = opened(&house, &auditors()[0], &[]).unwrap();
        assert!(
            waiting.halves.iter().all(|half| half.draw > draw),
            "told already"
        );
        // Draws that were announced before have none.
        let before = opened(&house, &auditors()[0], &[draw - 1]).unwrap_err();
        assert!(before.contains("nothing is in escrow"), "{before}");
    });
}

/// What is not in the log does not get there: a host whose secrets came back where the log has no escrow of
/// them draws nothing, and the log stays lawful.
#[test]
fn a_secret_that_came_back_without_escrow_draws_nothing() {
    on_both(|house, hosts| {
        let draw = sell(&house);
        let mut holder = {
            hosts.go_away(PLACE);
            let (first, second) = (hosts.at(PLACE), hosts.at(PLACE).join("second"));
            let folders = [first.as_path(), second.as_path()];
            FileHolder::open_twice(folders, &hosts.house, HOLDER, OsEntropy).unwrap()
        };
        let halves = holder.halves(draw).unwrap();
        drop(holder);
        lose_journal(&hosts);
        let (first, second) = (hosts.at(PLACE), hosts.at(PLACE).join("second"));
        let folders = [first.as_path(), second.as_path()];
        let mut holder = FileHolder::open_twice(folders, &hosts.house, HOLDER, OsEntropy).unwrap();
        assert!(holder.restore(draw, [&halves[0], &halves[1]]).unwrap());
        drop(holder);
        hosts.come_back(PLACE);
        until_asked(&house, draw);
        house.clock.advance(70_000);
        Conductor::tick(&house.central);
        assert_eq!(draw_of(&house, draw).state(), DrawState::Suspended);
        house.audit_holds();
    });
}

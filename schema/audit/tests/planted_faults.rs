//! Lawful logs with one thing done to them on purpose. Leaves, tree, seals and signature are made
//! anew around it, so that only the meaning is wrong: each is found, under its name, in its
//! entry.

// Helpers beside the tests unwrap too: a story that cannot be written fails its test.
#![allow(clippy::unwrap_used)]

/// Changes the fields of the event of a kind that stands at the label.
macro_rules! alter {
    ($kind:ident, $body:ident => $change:expr) => {
        |events, _| {
            let Some(Event::$kind($body)) = events.first_mut() else {
                panic!("another kind stands here");
            };
            $change;
        }
    };
}

mod acting;
mod authority;
mod ball_line;
mod beacon;
mod damaged;
mod draws;
mod epochs;
mod follower;
mod hand_over;
mod hands;
mod hosts;
mod house;
mod lost;
mod payments;
mod people;
mod room;
mod sales;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::support::scenario::{SECRETS, book, play};
use crate::support::{Change, Fault, Log, straight};
use keno_audit::finding::FindingCode;
use keno_audit::replay::Options;
use keno_audit::verify::{Outcome, Outside, verify};
use keno_log::event::*;
use keno_log::hash::sha256;
use keno_log::{CommandKey, Event};

/// What is expected, the label where something is done, what is done, and the label and offset of
/// the entry to be named.
type Planted = (&'static str, &'static str, Change, &'static str, u64);

/// What is planted, where two changes of the story make it.
type OfTwo = (&'static str, [(&'static str, Change); 2], &'static str, u64);

fn drop_it(events: &mut Vec<Event>, _: &Log) {
    events.clear();
}

fn next_key(counter: u64) -> CommandKey {
    CommandKey {
        device: 7,
        session: 1,
        counter: 1_000 + counter,
    }
}

/// The ticket of a label, as another sale.
fn sold_again(log: &Log, label: &str) -> TicketSold {
    match log.event(label) {
        Event::TicketSold(mut body) => {
            body.key = next_key(1);
            body
        }
        other => panic!("{other:?}"),
    }
}

fn rehash(body: &mut RuleBookPublished, from: &str, to: &str) {
    assert!(body.text.contains(from));
    body.text = body.text.replace(from, to);
    body.hash = sha256(body.text.as_bytes());
}

fn reprice(body: &mut TicketSold) {
    let lines = body.selections.iter().flat_map(|it| &it.conditioning);
    body.per_draw_cents = lines
        .map(|line| i64::from(line.ways) * line.wager_cents)
        .sum();
    body.total_cents = body.per_draw_cents * (body.last_draw - body.first_draw + 1) as i64;
    body.received_cents = body.total_cents;
}

/// Everything that is planted.
fn planted() -> impl Iterator<Item = &'static Planted> {
    [
        acting::PLANTED,
        authority::PLANTED,
        ball_line::PLANTED,
        damaged::PLANTED,
        house::PLANTED,
        epochs::PLANTED,
        hand_over::PLANTED,
        people::PLANTED,
        sales::PLANTED,
        draws::PLANTED,
        hands::PLANTED,
        hosts::PLANTED,
        payments::PLANTED,
        lost::PLANTED,
    ]
    .into_iter()
    .flatten()
    .chain(room::planted())
}

/// Changes a header.
type HeaderChange = fn(&mut keno_log::LeafHeader);

/// Headers that say something else than the body or the place.
const PLANTED_HEADERS: &[(&str, &str, HeaderChange)] = &[
    ("index_wrong", "sell b", |header| header.index += 1),
    ("time_decreases", "sell b", |header| header.at_ms -= 60_000),
    ("business_day_decreases", "sell b", |header| {
        header.business_day -= 1
    }),
    ("business_day_wrong", "sell b", |header| {
        header.business_day += 1
    }),
    ("header_draw_wrong", "sell b", |header| header.draw = 1),
    ("header_draw_wrong", "incident", |header| header.draw = 0),
    ("header_draw_wrong", "incident of no draw", |header| {
        header.draw = 6
    }),
];

/// Judged elsewhere: bytes, checkpoints, keys (`whole_log.rs`, `byte_flips.rs`); sums beyond 64
/// bits, which no lawful rule book reaches.
const ELSEWHERE: &[FindingCode] = &[
    FindingCode::ExportFormat,
    FindingCode::Framing,
    FindingCode::LeafHashWrong,
    FindingCode::LeafUnreadable,
    FindingCode::KindRetired,
    FindingCode::BodyNotCommitted,
    FindingCode::BodyUnreadable,
    FindingCode::KeyDiffers,
    FindingCode::CheckpointUnsigned,
    FindingCode::CheckpointOrigin,
    FindingCode::CheckpointSize,
    FindingCode::CheckpointRoot,
    FindingCode::ExportShort,
    FindingCode::OutsideRoot,
    FindingCode::OutsideLost,
    FindingCode::TooLarge,
];

fn judged(log: &Log) -> Outcome {
    verify(
        log.export().as_slice(),
        Outside::default(),
        Options::default(),
    )
    .unwrap()
}

fn missed(log: &Log, name: &str, label: &str, offset: u64) -> Option<String> {
    let outcome = judged(log);
    let expected = Some(log.at(label) + offset);
    let found = outcome.findings.first();
    let hit = found.is_some_and(|first| first.name() == name && first.entry == expected);
    (!hit).then(|| {
        let found = found.map_or("nothing".to_owned(), ToString::to_string);
        format!("{name} at {label}+{offset} (entry {expected:?}): found {found}")
    })
}

/// What the verifier in Python finds first in each of the logs: entry and name.
fn strange(logs: &[Log]) -> Vec<(Option<u64>, String)> {
    let folder = tempfile::tempdir().unwrap();
    let verifier = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../e2e/stranger/verify.py");
    let mut command = Command::new("python3");
    command.arg("-B").arg(verifier).arg("--json");
    for (number, log) in logs.iter().enumerate() {
        let file = folder.path().join(format!("{number}.log"));
        std::fs::write(&file, log.export()).unwrap();
        command.arg(file);
    }
    // Python must be installed: the second verifier is not optional.
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let first = said.lines().map(|line| {
        let report: serde_json::Value = serde_json::from_str(line).unwrap();
        let name = report
            .pointer("/findings/0/what")
            .and_then(|it| it.as_str());
        (
            report["first_bad"].as_u64(),
            name.unwrap_or_default().to_owned(),
        )
    });
    let first: Vec<_> = first.collect();
    let failed = String::from_utf8_lossy(&output.stderr);
    assert_eq!(first.len(), logs.len(), "{failed}");
    first
}

/// How many of the logs are sound, once the verifier in Python has found the same first in each.
fn judged_alike(logs: &[Log]) -> usize {
    let ours = logs.iter().map(|log| {
        let findings = judged(log).findings;
        let first = findings.first();
        let name = first.map_or("", |it| it.name());
        (first.and_then(|it| it.entry), name.to_owned())
    });
    let ours: Vec<_> = ours.collect();
    assert_eq!(strange(logs), ours);
    ours.iter().filter(|it| it.1.is_empty()).count()
}

#[test]
fn each_planted_fault_is_named_in_its_entry() {
    let mut misses = Vec::new();
    for (name, at, change, label, offset) in planted() {
        let log = play(Fault::Events(at, *change));
        misses.extend(missed(&log, name, label, *offset));
    }
    for (name, label, change) in PLANTED_HEADERS {
        let log = play(Fault::Header(label, *change));
        misses.extend(missed(&log, name, label, 0));
    }
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}

#[test]
fn no_finding_is_without_a_planted_fault() {
    let planted = planted().chain(follower::PLANTED).map(|it| it.0);
    let headers = PLANTED_HEADERS.iter().map(|it| it.0);
    let elsewhere = ELSEWHERE.iter().map(|code| code.name());
    let elsewhere = elsewhere.chain(["secret_reused"]);
    let covered: BTreeSet<&str> = planted.chain(headers).chain(elsewhere).collect();
    let all: BTreeSet<&str> = FindingCode::ALL.iter().map(|code| code.name()).collect();
    assert_eq!(covered, all);
}

#[test]
fn a_recording_is_lawful_in_a_drill_alone() {
    let played = Fault::Events("balls 2", alter!(BallsRecorded, it => it.machine = 3));
    let log = play(played);
    let judge = |drill| {
        let options = Options { drill };
        verify(log.export().as_slice(), Outside::default(), options).unwrap()
    };
    assert_eq!(judge(false).findings[0].name(), "source_wrong");
    assert_eq!(judge(true).findings, []);
}

#[test]
fn a_released_ticket_is_paid_and_an_unreleased_one_is_not() {
    fn hold(events: &mut Vec<Event>, released: bool) {
        let Some(Event::PrizePaid(body)) = events.first() else {
            panic!("another kind stands here");
        };
        let ticket = body.ticket;
        let held = PaymentHeld {
            ticket,
            draw: 2,
            reason: 1,
            by: "guard".to_owned(),
        };
        events.insert(0, held.into());
        if released {
            let release = TicketReleased {
                ticket,
                evidence: "seen".to_owned(),
                by: "S201".to_owned(),
                second: "S202".to_owned(),
            };
            events.insert(1, release.into());
        }
    }
    let log = play(Fault::Events("pay c", |events, _| hold(events, true)));
    let found = judged(&log).findings;
    assert!(
        found.iter().all(|it| it.name() != "payment_while_held"),
        "{found:?}"
    );
    let log = play(Fault::Events("pay c", |events, _| hold(events, false)));
    assert_eq!(missed(&log, "payment_while_held", "pay c", 1), None);
}

#[test]
fn a_ticket_that_was_not_refused_is_paid_by_one_and_a_refusal_alone_takes_nothing_away() {
    // Without the refusal before it, the same payment by one person holds.
    let log = play(Fault::Both([
        ("refuse c", drop_it),
        ("pay c", |events, _| {
            let Some(Event::PrizePaid(body)) = events.first_mut() else {
                panic!("another kind stands here");
            };
            body.second = None;
        }),
    ]));
    assert_eq!(judged(&log).findings, []);
    // Refused twice, and paid by two.
    let log = play(Fault::Events("refuse c", |events, _| {
        events.push(events[0].clone())
    }));
    assert_eq!(judged(&log).findings, []);
}

#[test]
fn what_nobody_can_claim_any_more_is_counted_and_a_refund_as_a_prize() {
    let expired = |log: &Log| {
        let outcome = judged(log);
        assert_eq!(outcome.findings, []);
        outcome.replay.totals().expired_cents
    };
    let of_two = 2 * 62_260;
    assert_eq!(expired(&play(Fault::None)), of_two);
    let dropped = [("present h", drop_it as Change), ("refund h", drop_it)];
    assert_eq!(expired(&play(Fault::Both(dropped))), of_two + 150);
    // The house was silent from before the last day on: until a week after, all may be claimed.
    let silent = play(Fault::Events("judge h", |events, _| {
        let instance = "après la panne".to_owned();
        events.insert(0, LeaseTaken { instance, fence: 2 }.into());
    }));
    assert_eq!(expired(&silent), 0);
}

#[test]
fn a_secret_that_serves_twice_is_found_when_it_is_revealed_again() {
    let log = play(Fault::Both([
        (
            "commit 3.0",
            alter!(CommitmentRecorded, it => it.commitment = crate::support::commitment(3, &SECRETS[0])),
        ),
        (
            "secrets 3",
            alter!(SecretsRevealed, it => it.secrets = vec![SECRETS[0]]),
        ),
    ]));
    assert_eq!(missed(&log, "secret_reused", "secrets 3", 0), None);
}

#[test]
fn numbers_are_judged_by_secrets_that_come_after_a_settlement_out_of_order() {
    let log = play(Fault::Both([
        ("balls 1", alter!(BallsRecorded, it => it.words_used += 1)),
        ("secrets 1", |events, _| {
            let too_early = DrawSettled {
                draw: 1,
                winners: 0,
                small_cents: 0,
                large_cents: 0,
                payable_cents: 0,
                small_numerator: 1,
                small_denominator: 1,
                large_numerator: 1,
                large_denominator: 1,
                breakage_cents: 0,
                prize_root: [0; 32],
            };
            events.insert(0, too_early.into());
        }),
    ]));
    assert_eq!(missed(&log, "words_differ", "balls 1", 0), None);
}

#[test]
fn a_commitment_that_waits_for_the_first_wager_is_found() {
    // The commitment and the opening come after a ticket that covers the draw.
    let log = play(Fault::Both([
        ("commit 1.0", drop_it),
        ("sell a", |events, _| {
            let late = CommitmentRecorded {
                draw: 1,
                position: 0,
                commitment: crate::support::commitment(1, &SECRETS[0]),
            };
            events.push(late.into());
        }),
    ]));
    assert_eq!(missed(&log, "commitment_missing", "open 1", 0), None);
    let found = judged(&log).findings;
    assert!(
        found
            .iter()
            .any(|finding| finding.name() == "commitment_after_wager"
                && finding.entry == Some(log.at("sell a") + 1))
    );
}

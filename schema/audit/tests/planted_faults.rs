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

mod ball_line;
mod beacon;
mod epochs;
mod follower;
mod hosts;
mod lost;
mod tables;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::support::scenario::{SECRETS, play};
use crate::support::{Change, Fault, Log};
use keno_audit::finding::{Finding, FindingCode};
use keno_audit::replay::Options;
use keno_audit::verify::{Outcome, Outside, verify};
use keno_log::event::*;
use keno_log::hash::sha256;
use keno_log::{CommandKey, Event};

/// What is expected, the label where something is done, what is done, and the label and offset of
/// the entry to be named.
type Planted = (&'static str, &'static str, Change, &'static str, u64);

fn drop_it(events: &mut Vec<Event>, _: &Log) {
    events.clear();
}

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

/// The first finding, as it is compared: entry and name.
fn first_of(found: &[Finding]) -> (Option<u64>, String) {
    let first = found.first();
    let name = first.map_or("", |it| it.name());
    (first.and_then(|it| it.entry), name.to_owned())
}

/// What the verifier in Python finds: the first bad entry, and the names of what is wrong with it, or
/// with the log as a whole where no entry is.
type Strange = (Option<u64>, Vec<String>);

/// What the verifier in Python finds in each of the exports.
fn strange(exports: &[Vec<u8>]) -> Vec<Strange> {
    let folder = tempfile::tempdir().unwrap();
    let verifier = Path::new("../../e2e/stranger/verify.py");
    let mut command = Command::new("python3");
    command.arg("-B").arg(verifier).arg("--json");
    for (number, export) in exports.iter().enumerate() {
        let file = folder.path().join(format!("{number}.log"));
        std::fs::write(&file, export).unwrap();
        command.arg(file);
    }
    // Python must be installed: the second verifier is not optional.
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let found = said.lines().map(|line| {
        let report: serde_json::Value = serde_json::from_str(line).unwrap();
        let findings = report["findings"].as_array().unwrap().iter();
        let first = findings.filter(|it| it["entry"] == report["first_bad"]);
        let names = first.map(|it| it["what"].as_str().unwrap().to_owned());
        (report["first_bad"].as_u64(), names.collect())
    });
    let found: Vec<_> = found.collect();
    let failed = String::from_utf8_lossy(&output.stderr);
    assert_eq!(found.len(), exports.len(), "{failed}");
    found
}

/// How many of the logs are sound, once the verifier in Python has found the same first in each.
fn judged_alike(logs: &[Log]) -> usize {
    let exports: Vec<Vec<u8>> = logs.iter().map(Log::export).collect();
    let ours = logs.iter().map(|log| first_of(&judged(log).findings));
    let ours: Vec<_> = ours.collect();
    let theirs = strange(&exports).into_iter();
    let theirs = theirs.map(|(entry, names)| (entry, names.into_iter().next().unwrap_or_default()));
    assert_eq!(theirs.collect::<Vec<_>>(), ours);
    ours.iter().filter(|it| it.1.is_empty()).count()
}

#[test]
fn each_planted_fault_is_named_in_its_entry() {
    let mut misses = Vec::new();
    for (name, at, change, label, offset) in hosts::PLANTED {
        let log = play(Fault::Events(at, *change));
        misses.extend(missed(&log, name, label, *offset));
    }
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}

#[test]
fn no_finding_is_without_a_planted_fault() {
    let planted = hosts::PLANTED
        .iter()
        .chain(follower::PLANTED)
        .map(|it| it.0);
    let of_tables = tables::all().filter_map(|row| row.finding.as_deref());
    let elsewhere = ELSEWHERE.iter().map(|code| code.name());
    let elsewhere = elsewhere.chain(["secret_reused"]);
    let covered: BTreeSet<&str> = planted.chain(of_tables).chain(elsewhere).collect();
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

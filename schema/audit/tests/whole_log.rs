//! A lawful log holds, with the figures that one computes by hand.

// Helpers beside the tests unwrap too: a story that cannot be written fails its test.
#![allow(clippy::unwrap_used)]

use crate::support::scenario::play;
use crate::support::{Fault, Log};
use keno_audit::replay::{DrawState, Options};
use keno_audit::verify::{Outcome, Outside, verify};
use keno_audit::{report, show};
use keno_words::audit::Proves;

fn judged(log: &Log, outside: Outside<'_>) -> Outcome {
    verify(log.export().as_slice(), outside, Options::default()).unwrap()
}

fn names(outcome: &Outcome) -> Vec<&'static str> {
    outcome
        .findings
        .iter()
        .map(|finding| finding.name())
        .collect()
}

#[test]
fn a_lawful_log_holds() {
    let log = play(Fault::None);
    let key = log.verifier_key();
    let kept = log.checkpoint(20);
    let outside = Outside {
        checkpoint: Some(&kept),
        key: Some(&key),
    };
    let outcome = judged(&log, outside);
    assert_eq!(outcome.findings, []);
    assert_eq!(outcome.outside_size, Some(20));
    assert_eq!(outcome.replay.size(), log.size());
}

#[test]
fn the_figures_are_those_computed_by_hand() {
    let log = play(Fault::None);
    let outcome = judged(&log, Outside::default());
    let draw = outcome.replay.draw(2).unwrap();
    let settlement = draw.settlement.as_ref().unwrap();
    // Small: ways of c 2.50 + 2.50 + 3.00, of d 2.50 + 2.50 + 50.00; f is void.
    // Large: three solid fives of 900.00 and the four of c, 100.00.
    assert_eq!(settlement.factors.small_cents, 6_300);
    assert_eq!(settlement.factors.large_cents, 280_000);
    assert_eq!(settlement.factors.large, (193_700, 280_000));
    assert_eq!(settlement.winners, 5);
    let payable = |label| outcome.replay.payable_cents(log.at(label), 2).unwrap();
    assert_eq!(payable("sell a"), 62_260);
    assert_eq!(payable("sell c"), 800 + 6_917);
    assert_eq!(payable("sell d"), 5_500);
    assert_eq!(payable("sell f"), 0);
    assert_eq!(payable("sell h"), 0);
    assert_eq!(settlement.payable_cents, 3 * 62_260 + 6_917 + 6_300);
    assert_eq!(settlement.breakage_cents, 3);
    assert_eq!(outcome.replay.draw(3).unwrap().state, DrawState::Void);
    assert_eq!(outcome.replay.draw(3).unwrap().refund, Some((2, 450)));
    let totals = outcome.replay.totals();
    assert_eq!(totals.tickets, 8);
    assert_eq!(totals.cancelled_cents, 100);
    assert_eq!(totals.unpaid_cents, 200);
    assert_eq!(totals.paid_cents, 62_260 + 7_717 + 5_500);
    assert_eq!(totals.refunded_cents, 300 + 150);
    assert_eq!(totals.expired_cents, 2 * 62_260);
}

#[test]
fn a_checkpoint_from_outside_must_be_of_this_log() {
    let log = play(Fault::None);
    let judge = |kept: &str| {
        let outside = Outside {
            checkpoint: Some(kept),
            key: None,
        };
        names(&judged(&log, outside))
    };
    for size in [0, 1, 7, log.size() - 1, log.size()] {
        assert_eq!(judge(&log.checkpoint(size)), [""; 0], "size {size}");
    }
    let checkpoint =
        |size, root| keno_log::checkpoint::Checkpoint::new("boulier/essai", size, root);
    assert_eq!(judge(&log.sign(&checkpoint(7, [7; 32]))), ["outside_root"]);
    let longer = log.sign(&checkpoint(log.size() + 1, [7; 32]));
    assert_eq!(judge(&longer), ["export_short"]);
    let mut other = checkpoint(7, [7; 32]);
    other.origin = "boulier/autre".to_owned();
    assert_eq!(judge(&log.sign(&other)), ["checkpoint_origin"]);
    assert_eq!(judge("nothing signed"), ["checkpoint_unsigned"]);
    let forged = log.checkpoint(7).replace("\n7\n", "\n8\n");
    assert_eq!(judge(&forged), ["checkpoint_unsigned"]);
}

#[test]
fn the_exporters_checkpoint_must_be_of_this_tree() {
    let log = play(Fault::None);
    let judge = |checkpoint: &str| {
        let export = log.export_with(checkpoint);
        names(&verify(export.as_slice(), Outside::default(), Options::default()).unwrap())
    };
    assert_eq!(judge(&log.checkpoint(log.size())), [""; 0]);
    assert_eq!(judge(&log.checkpoint(log.size() - 1)), ["checkpoint_size"]);
    let other = keno_log::checkpoint::Checkpoint::new("boulier/essai", log.size(), [1; 32]);
    assert_eq!(judge(&log.sign(&other)), ["checkpoint_root"]);
}

#[test]
fn another_key_than_the_published_one_is_found() {
    let log = play(Fault::None);
    let outside = Outside {
        checkpoint: None,
        key: Some("boulier/essai+00000000+AQ=="),
    };
    let outcome = judged(&log, outside);
    assert_eq!(names(&outcome), ["key_differs"]);
    assert_eq!(outcome.findings[0].entry, Some(0));
    // It differs from one that cannot be read, too.
    let log = play(Fault::Events("house", |events, _| {
        if let Some(keno_log::Event::HouseOpened(body)) = events.first_mut() {
            body.log_key.push('!');
        }
    }));
    let outcome = judged(&log, outside);
    assert_eq!(names(&outcome), ["log_key_unreadable", "key_differs"]);
}

#[test]
fn reports_say_what_was_found_in_both_languages() {
    let log = play(Fault::None);
    let outcome = judged(&log, Outside::default());
    let text = report::text(&outcome).replace('\u{a0}', " ");
    assert!(text.contains("Le registre tient."));
    assert!(text.contains("The log holds."));
    assert!(text.contains("Tirage 2 : lots établis"));
    assert!(text.contains("5 billets gagnants, payable 1 999,97 $"));
    assert!(text.contains("5 winning tickets, payable $1,999.97"));
    assert!(text.contains("Draw 3: void"));
    assert!(text.contains("one holder"));
    assert!(text.contains(Proves::FR) && text.contains(Proves::EN));
    let json = report::json(&outcome);
    assert!(json.starts_with("{\"holds\":true,"));
    assert!(json.contains("\"winners\":5,\"payable_cents\":199997,\"breakage_cents\":3"));
    let draw = outcome.replay.draw(1).unwrap();
    let transcript = show::transcript(&outcome.replay, draw);
    assert_eq!(transcript.matches("agrees").count(), 5);
    assert!(!transcript.contains("DIFFERS"));
    let shown = show::leaf(log.export().as_slice(), log.at("sell d"))
        .unwrap()
        .unwrap();
    assert!(shown.contains("TicketSold") && shown.contains("kings"));
    assert!(
        show::leaf(log.export().as_slice(), log.size())
            .unwrap()
            .is_none()
    );
}

//! Epochs: their origins, and what a checkpoint that was kept outside knows of them.

use keno_log::checkpoint::Checkpoint;

use super::*;

/// An epoch opened as it must be, next, under numbers of draw, session and shift.
pub fn opened(log: &Log, next: (u64, u64, u64)) -> EpochOpened {
    EpochOpened {
        epoch: 2,
        continues_size: log.size(),
        continues_root: log.edge.root(),
        lost_size: log.size(),
        lost_root: log.edge.root(),
        next_draw: next.0,
        next_session: next.1,
        next_shift: next.2,
        reason: "disque perdu".to_owned(),
        by: "S201".to_owned(),
        second: "S202".to_owned(),
    }
}

/// Puts an epoch before what stands at the label, after which two let sales go on.
pub fn before(
    events: &mut Vec<Event>,
    log: &Log,
    next: (u64, u64, u64),
    change: fn(&mut EpochOpened),
) {
    let mut epoch = opened(log, next);
    change(&mut epoch);
    events.splice(0..0, [epoch.into(), resumed().into()]);
}

/// Two people let sales go on.
pub fn resumed() -> SalesResumed {
    SalesResumed {
        by: "S201".to_owned(),
        second: "S202".to_owned(),
    }
}

/// The story with an epoch before its first session: lawful, with nothing used up by it.
fn with_epoch(loses: bool) -> Log {
    play(Fault::Events(
        "session",
        if loses {
            |events, log| before(events, log, (1, 1, 1), some_lost)
        } else {
            |events, log| before(events, log, (1, 1, 1), |_| {})
        },
    ))
}

pub fn some_lost(it: &mut EpochOpened) {
    it.lost_size += 5;
    it.lost_root = [9; 32];
}

fn signed(log: &Log, origin: &str, size: u64, root: keno_log::Hash) -> String {
    log.sign(&Checkpoint::new(origin, size, root))
}

pub fn judged_with(log: &Log, own_origin: &str, outside: Option<&str>) -> Outcome {
    let own = signed(log, own_origin, log.size(), log.edge.root());
    let outside = Outside {
        checkpoint: outside,
        key: None,
    };
    verify(
        log.export_with(&own).as_slice(),
        outside,
        Options::default(),
    )
    .unwrap()
}

pub fn names(outcome: &Outcome) -> Vec<&'static str> {
    outcome.findings.iter().map(|it| it.name()).collect()
}

#[test]
fn an_epoch_has_an_origin_of_its_own() {
    let log = with_epoch(false);
    let lawful = judged_with(&log, "boulier/essai/2", None);
    assert_eq!(names(&lawful), [""; 0]);
    assert_eq!(lawful.replay.epoch(), 2);
    for origin in [
        "boulier/essai",
        "boulier/essai/3",
        "boulier/essai/1",
        "boulier/essai/02",
        "boulier/essai/x",
        "boulier/essai2",
    ] {
        let outcome = judged_with(&log, origin, None);
        assert_eq!(names(&outcome), ["checkpoint_origin"], "{origin}");
    }
}

#[test]
fn what_an_outside_checkpoint_knows_is_there_or_admitted() {
    let log = with_epoch(true);
    let size = log.at("session");
    let Event::EpochOpened(epoch) = log.entries[size as usize].event().unwrap() else {
        panic!("another kind stands here");
    };
    let ask = |origin: &str, size: u64, root: keno_log::Hash| {
        let outside = signed(&log, origin, size, root);
        let outcome = judged_with(&log, "boulier/essai/2", Some(&outside));
        // What was lost is not said to be extended.
        let said = keno_audit::report::text(&outcome);
        let (holds, is_lost) = (
            names(&outcome).is_empty(),
            outcome.outside_lost_in.is_some(),
        );
        let extends = said.contains("Extends the outside checkpoint");
        assert_eq!(extends, holds && !is_lost, "{said}");
        let lost = said.contains("that the log says was lost");
        assert_eq!(lost, holds && is_lost, "{said}");
        (names(&outcome), outcome.outside_lost_in)
    };
    let first = "boulier/essai";
    let root_at = |size: u64| {
        let leaves: Vec<_> = log.entries.iter().map(|it| it.leaf.hash()).collect();
        keno_log::tree::root_of(&leaves[..size as usize])
    };
    // Kept of both epochs.
    assert_eq!(ask(first, size, epoch.continues_root), (vec![], None));
    assert_eq!(ask(first, 2, root_at(2)), (vec![], None));
    assert_eq!(
        ask("boulier/essai/2", size + 3, root_at(size + 3)),
        (vec![], None)
    );
    assert_eq!(ask(first, 2, [7; 32]).0, ["outside_root"]);
    // Lost: fewer leaves than the newest that is known to be, that one itself, and others.
    assert_eq!(ask(first, size + 4, [7; 32]), (vec![], Some(2)));
    assert_eq!(ask(first, size + 5, [9; 32]), (vec![], Some(2)));
    assert_eq!(ask(first, size + 5, [7; 32]).0, ["outside_lost"]);
    assert_eq!(ask(first, size + 6, [9; 32]).0, ["outside_lost"]);
    // Of an epoch that never was.
    assert_eq!(
        ask("boulier/essai/3", 2, root_at(2)).0,
        ["checkpoint_origin"]
    );
    // The same log without the admission.
    let log = with_epoch(false);
    let outside = signed(&log, first, size + 4, [7; 32]);
    let outcome = judged_with(&log, "boulier/essai/2", Some(&outside));
    assert_eq!(names(&outcome), ["outside_lost"]);
}

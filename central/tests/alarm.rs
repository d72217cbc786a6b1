//! Alarms: raised once, not repeated while they stand, cleared; and a command that fails or
//! hangs, which holds nothing up.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use crate::common::{House, blocking, straight};
use keno_central::alarm::{
    Alarm, AlarmCommand, AlarmName, Alarms, Change, CommandEnd, CommandLimits, Outcome, program_of,
};
use keno_central::watch::{Files, Sight, WAL_BYTES_MAX, Watch, Watcher};
use keno_record::clock::ManualClock;
use keno_record::state::Frequency;
use keno_service::draw::Draw;
use keno_service::draw::Step;
use keno_service::{Central, Fault, draw};
use keno_words::Say;
use serde_json::json;

/// What is seen of a house now.
fn sight(house: &House) -> Sight {
    let files = Files::look(&house.central, house.folder.path());
    Sight::look(&house.app, files)
}

fn names(seen: &BTreeSet<Alarm>) -> Vec<AlarmName> {
    seen.iter().map(|alarm| alarm.name).collect()
}

/// Looks, and tells the house's alarms.
fn look(house: &House, watcher: &mut Watcher) -> Vec<(Change, AlarmName)> {
    let seen = watcher.judge(&sight(house));
    let changes = house.app.alarms.update(&seen, crate::common::NOON_MS);
    changes
        .into_iter()
        .map(|(change, alarm)| (change, alarm.name))
        .collect()
}

#[actix_web::test]
async fn a_quiet_house_has_no_alarm() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    house.sell_printed(&clerk, &straight(&[9], 100, 1)).await;
    house.until_settled(1);
    let mut watcher = Watcher::default();
    assert_eq!(look(&house, &mut watcher), []);
    house.clock.advance(20_000);
    house.tick();
    assert_eq!(look(&house, &mut watcher), []);
}

fn disk_full() -> Fault {
    Fault::Database(diesel::result::Error::DatabaseError(
        diesel::result::DatabaseErrorKind::Unknown,
        Box::new("database or disk is full".to_owned()),
    ))
}

type Do = fn(&Central);

/// What the picture of the state and the reserve show, with its cause and its end.
const SEEN: [(AlarmName, Do, Do); 4] = [
    (
        AlarmName::SalesSuspended,
        |central| draw::suspend_sales(central, "test", "S1").unwrap(),
        |central| draw::resume_sales(central, "S1", "S2").unwrap(),
    ),
    (
        AlarmName::DrawSuspended,
        |central| Draw(1).suspend(central, "test", "S1").unwrap(),
        |central| Draw(1).resume(central, "S1", "S2").unwrap(),
    ),
    (
        AlarmName::ScheduleHalted,
        |central| draw::halt_schedule(central, 1, 0, 0).unwrap(),
        |central| draw::confirm_schedule(central, "S1", "S2").unwrap(),
    ),
    (
        AlarmName::DiskReserveReleased,
        |central| central.reserve.on_fault(&disk_full()),
        |central| assert!(central.reserve.try_keep()),
    ),
];

#[actix_web::test]
async fn what_the_picture_shows_is_raised_once_and_cleared() {
    let house = House::new(None);
    house.until_closed(1);
    let mut watcher = Watcher::default();
    assert_eq!(look(&house, &mut watcher), []);
    for (name, cause, end) in SEEN {
        blocking(|| cause(&house.central));
        assert_eq!(look(&house, &mut watcher), [(Change::Raised, name)]);
        assert_eq!(look(&house, &mut watcher), [], "{name:?} is repeated");
        let standing = house.app.alarms.standing();
        assert_eq!((standing.len(), standing[0].alarm.name), (1, name));
        blocking(|| end(&house.central));
        assert_eq!(look(&house, &mut watcher), [(Change::Cleared, name)]);
        assert_eq!(look(&house, &mut watcher), []);
    }
    let text = house.get("/metrics").await.text().to_owned();
    for name in AlarmName::ALL {
        let raised = u8::from(SEEN.iter().any(|(seen, _, _)| *seen == name));
        for line in [
            format!("boulier_alarms_total{{name=\"{}\"}} {raised}", name.name()),
            format!("boulier_alarms_standing{{name=\"{}\"}} 0", name.name()),
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}

#[actix_web::test]
async fn a_number_that_is_no_chance_any_more_is_named() {
    let house = House::new(None);
    let mut seen = sight(&house);
    let raised = |seen: &Sight| Watcher::default().judge(seen);
    let mut all = Vec::new();
    // The same twenty numbers, draw after draw: a machine that is stuck.
    for draws in 1..=41 {
        assert_eq!(raised(&seen), BTreeSet::new(), "after {} draws", draws - 1);
        Frequency::add(
            &mut all,
            (2, Some("A"), 80, 20),
            &(1..=20).collect::<Vec<u8>>(),
        );
        Arc::make_mut(&mut seen.view).frequencies = all.clone();
    }
    let named: Vec<Alarm> = raised(&seen).into_iter().collect();
    assert_eq!(named.len(), 20);
    let seven = Alarm::about(AlarmName::NumbersUneven, "7 (A)");
    assert!(named.contains(&seven));
    assert!(
        seven.en().contains("Number 7 (A) came up") && seven.fr().contains("Le numéro 7 (A) est")
    );
}

#[actix_web::test]
async fn two_interrupted_draws_are_two_alarms_and_one_ends_without_the_other() {
    let house = House::new(None);
    house.until_closed(1);
    blocking(|| Draw(1).suspend(&house.central, "test", "S1").unwrap());
    house.until_closed(2);
    blocking(|| Draw(2).suspend(&house.central, "test", "S1").unwrap());
    let mut watcher = Watcher::default();
    let raised = (Change::Raised, AlarmName::DrawSuspended);
    assert_eq!(look(&house, &mut watcher), [raised, raised]);
    blocking(|| Draw(1).resume(&house.central, "S1", "S2").unwrap());
    assert_eq!(
        look(&house, &mut watcher),
        [(Change::Cleared, AlarmName::DrawSuspended)]
    );
    let standing = house.app.alarms.standing();
    assert_eq!(standing.len(), 1);
    assert_eq!(standing[0].alarm.subject, "2");
}

#[actix_web::test]
async fn guesses_and_lock_outs_are_seen_through_the_public_door() {
    let house = House::new(None);
    let mut watcher = Watcher::default();
    assert_eq!(look(&house, &mut watcher), []);
    for device in [3, 4] {
        for payload in 1..=5 {
            let number = keno_game::ControlNumber::from_payload(payload)
                .unwrap()
                .digits();
            let answer = house
                .post_device(device, "/checks", json!({"code": number}))
                .await;
            assert_eq!(answer.status, 200);
        }
    }
    let raised = |name| (Change::Raised, name);
    let cleared = |name| (Change::Cleared, name);
    assert_eq!(
        look(&house, &mut watcher),
        [raised(AlarmName::ManyUnknownNumbers)]
    );
    // It looks every five seconds, and is done one look after the minute.
    for _ in 0..12 {
        house.clock.advance(5_000);
        assert_eq!(look(&house, &mut watcher), []);
    }
    house.clock.advance(5_000);
    assert_eq!(
        look(&house, &mut watcher),
        [cleared(AlarmName::ManyUnknownNumbers)]
    );

    let wrong = json!({"badge": "C2", "pin": "0000"});
    for _ in 0..6 {
        assert_ne!(
            house
                .post_device(2, "/sessions", wrong.clone())
                .await
                .status,
            200
        );
    }
    assert_eq!(look(&house, &mut watcher), [raised(AlarmName::LockOut)]);
    house.clock.advance(299_999);
    assert_eq!(look(&house, &mut watcher), []);
    house.clock.advance(1);
    assert_eq!(look(&house, &mut watcher), [cleared(AlarmName::LockOut)]);

    house.app.alarms.commit_unknown();
    assert_eq!(
        look(&house, &mut watcher),
        [raised(AlarmName::CommitUnknown)]
    );
    house.app.alarms.commit_unknown();
    assert_eq!(look(&house, &mut watcher), []);
    house.clock.advance(900_000);
    assert_eq!(
        look(&house, &mut watcher),
        [cleared(AlarmName::CommitUnknown)]
    );
}

#[actix_web::test]
async fn files_tell_of_anchors_and_of_a_large_write_ahead_log() {
    let house = House::new(None);
    // The checkpoint is published after the commit: until it is, there is nothing to compare.
    while house.central.checkpoint().is_none() {
        std::thread::yield_now();
    }
    let file = house.folder.path().join(&house.central.house.anchors_file);
    let mut watcher = Watcher::default();
    assert_eq!(look(&house, &mut watcher), []);
    let whole = std::fs::read(&file).unwrap();
    for damage in [Vec::new(), b"anchor 1 aa bb\n".to_vec(), b"torn".to_vec()] {
        std::fs::write(&file, damage).unwrap();
        assert_eq!(
            look(&house, &mut watcher),
            [(Change::Raised, AlarmName::AnchorFailed)]
        );
        assert_eq!(look(&house, &mut watcher), []);
        std::fs::write(&file, &whole).unwrap();
        assert_eq!(
            look(&house, &mut watcher),
            [(Change::Cleared, AlarmName::AnchorFailed)]
        );
    }
    let mut now = sight(&house);
    assert!(
        now.files.wal_bytes > 0,
        "the write-ahead log was looked for in another place"
    );
    now.files.wal_bytes = WAL_BYTES_MAX;
    assert_eq!(names(&watcher.judge(&now)), []);
    now.files.wal_bytes += 1;
    assert_eq!(names(&watcher.judge(&now)), [AlarmName::WalLarge]);
}

#[actix_web::test]
async fn a_step_that_stays_due_is_a_holder_that_failed() {
    let house = House::new(None);
    let mut watcher = Watcher::default();
    let mut now = sight(&house);
    assert_eq!(now.due, None);
    let step = |draw, draws_at_ms| Some(Step::Schedule { draw, draws_at_ms });
    for (monotonic_ms, due, seen) in [
        (0, step(21, 5), false),
        (9_999, step(21, 6), false),
        // The slot moves on with time; the draw is the same.
        (10_000, step(21, 7), true),
        // Another draw: the one before was announced.
        (10_001, step(22, 7), false),
        (20_000, Some(Step::Record(22)), false),
        (30_000, Some(Step::Record(22)), true),
        // Closing needs no holder.
        (30_001, Some(Step::Close(23)), false),
        (90_000, Some(Step::Close(23)), false),
        (90_001, None, false),
    ] {
        now.monotonic_ms = monotonic_ms;
        now.due = due;
        let alarms = watcher.judge(&now);
        assert_eq!(!alarms.is_empty(), seen, "{monotonic_ms}: {alarms:?}");
        assert!(
            alarms
                .iter()
                .all(|alarm| alarm.name == AlarmName::HolderFailed)
        );
    }
}

#[actix_web::test]
async fn who_may_see_the_alarms_sees_them_in_both_languages() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let supervisor = house.sign_on(2, "S1").await;
    let refused = house.get_as(&clerk, "/api/v1/alarms").await;
    assert_eq!(refused.refusal(), (403, "wrong_role".to_owned()));
    blocking(|| draw::suspend_sales(&house.central, "test", "S1").unwrap());
    let mut watcher = Watcher::default();
    look(&house, &mut watcher);
    let reply = house.get_as(&supervisor, "/api/v1/alarms").await.value();
    assert_eq!(reply["standing"][0]["name"], "sales_suspended");
    let sentence = &reply["standing"][0]["sentence"];
    assert!(sentence["fr"].as_str().unwrap().contains("ventes"));
    assert!(sentence["en"].as_str().unwrap().contains("Sales"));
    assert_eq!(reply["recent"], json!([]));
    blocking(|| draw::resume_sales(&house.central, "S1", "S2").unwrap());
    look(&house, &mut watcher);
    let reply = house.get_as(&supervisor, "/api/v1/alarms").await.value();
    assert_eq!(reply["standing"], json!([]));
    assert_eq!(
        reply["recent"][0]["cleared_ms"],
        json!(crate::common::NOON_MS)
    );
}

#[actix_web::test]
async fn the_watch_is_woken_by_the_picture_and_stops() {
    let house = House::new(None);
    let watch = Watch::start(house.app.clone(), house.folder.path().to_owned()).unwrap();
    blocking(|| {
        draw::suspend_sales(&house.central, "test", "S1").unwrap();
        while house.app.alarms.standing().is_empty() {
            std::thread::yield_now();
        }
        draw::resume_sales(&house.central, "S1", "S2").unwrap();
        while !house.app.alarms.standing().is_empty() {
            std::thread::yield_now();
        }
    });
    drop(watch);
    assert_eq!(house.app.alarms.recent().len(), 1);
}

/// A program of the house: a script in a folder.
fn program(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("alarm");
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).unwrap();
    path
}

/// Alarms with a command; what ended is told.
fn with_command(
    program: PathBuf,
    clock: &Arc<ManualClock>,
    at_once: usize,
) -> (Alarms, Receiver<CommandEnd>) {
    let (sender, ended) = channel();
    let limits = CommandLimits {
        at_once,
        timeout_ms: 30_000,
    };
    let clock = Arc::clone(clock) as Arc<_>;
    let command = AlarmCommand::start(program, "casino-demo", clock, limits, Some(sender)).unwrap();
    (Alarms::new(Some(command)), ended)
}

fn raise(alarms: &Alarms, seen: &[Alarm]) {
    alarms.update(&seen.iter().cloned().collect(), 7);
}

#[test]
fn the_command_is_given_the_alarm_as_words_that_no_shell_reads() {
    let folder = tempfile::tempdir().unwrap();
    let script = "for word in \"$@\"; do printf '%s\\n' \"$word\"; done > \"$0.words\"\n\
                  env > \"$0.env\"";
    let clock = Arc::new(ManualClock::at(0));
    let (alarms, ended) = with_command(program(folder.path(), script), &clock, 4);
    let hostile = "a'; touch pwned; $(touch pwned) `touch pwned` \"";
    let alarm = Alarm::about(AlarmName::AnchorFailed, hostile);
    raise(&alarms, std::slice::from_ref(&alarm));
    let end = ended.recv().unwrap();
    assert_eq!(
        (end.change, end.outcome),
        (Change::Raised, Outcome::Ended(Some(0)))
    );
    let words = std::fs::read_to_string(folder.path().join("alarm.words")).unwrap();
    let words: Vec<&str> = words.lines().collect();
    let (fr, en) = (alarm.fr(), alarm.en());
    assert_eq!(words, ["raised", "anchor_failed", hostile, &fr, &en]);
    let env = std::fs::read_to_string(folder.path().join("alarm.env")).unwrap();
    assert!(env.contains("BOULIER_ALARM_NAME=anchor_failed\n"));
    assert!(env.contains("BOULIER_HOUSE=casino-demo\n"));
    // Central's own surroundings may hold secrets.
    assert!(!env.contains("CARGO"), "{env}");
    assert!(!folder.path().join("pwned").exists() && !Path::new("pwned").exists());
}

#[test]
fn a_command_that_fails_or_is_not_there_does_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::at(0));
    let (alarms, ended) = with_command(program(folder.path(), "exit 3"), &clock, 4);
    raise(&alarms, &[Alarm::plain(AlarmName::WalLarge)]);
    assert_eq!(ended.recv().unwrap().outcome, Outcome::Ended(Some(3)));
    raise(&alarms, &[]);
    let end = ended.recv().unwrap();
    assert_eq!(
        (end.change, end.outcome),
        (Change::Cleared, Outcome::Ended(Some(3)))
    );

    let (alarms, ended) = with_command(folder.path().join("absent"), &clock, 4);
    raise(&alarms, &[Alarm::plain(AlarmName::WalLarge)]);
    assert_eq!(ended.recv().unwrap().outcome, Outcome::NotStarted);
    assert_eq!(alarms.standing().len(), 1);
}

#[test]
fn commands_that_hang_are_ended_and_no_more_than_so_many_run_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::at(0));
    // A child of its own, which must end with it.
    let script = "echo $$ >> \"$0.started\"; tail -f /dev/null & wait";
    let started = folder.path().join("alarm.started");
    let runs = || std::fs::read_to_string(&started).map_or(0, |text| text.lines().count());
    let (alarms, ended) = with_command(program(folder.path(), script), &clock, 2);
    let seen: Vec<Alarm> = (1..=3)
        .map(|draw| Alarm::about(AlarmName::DrawSuspended, draw.to_string()))
        .collect();
    raise(&alarms, &seen);
    while runs() < 2 {
        std::thread::yield_now();
    }
    assert!(ended.try_recv().is_err());
    assert_eq!(runs(), 2);
    // Whoever raises alarms never waits for them.
    raise(&alarms, &[]);
    clock.advance(30_000);
    for _ in 0..2 {
        assert_eq!(ended.recv().unwrap().outcome, Outcome::TimedOut);
    }
    while runs() < 4 {
        std::thread::yield_now();
    }
    // Dropped while two hang: it does not wait for them.
    drop(alarms);
    for process in std::fs::read_to_string(&started).unwrap().lines() {
        let group = process
            .parse()
            .ok()
            .and_then(rustix::process::Pid::from_raw)
            .unwrap();
        // Those that central ended are gone, with their children; the others end here.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[test]
fn a_program_with_a_slash_is_found_from_the_data_folder() {
    let folder = Path::new("/srv/keno");
    assert_eq!(
        program_of("./alarm", folder),
        Path::new("/srv/keno/./alarm")
    );
    assert_eq!(program_of("/opt/alarm", folder), Path::new("/opt/alarm"));
    assert_eq!(program_of("beep", folder), Path::new("beep"));
}

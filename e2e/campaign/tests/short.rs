//! The campaigns in short, and what is planted in each: a few kills, a few hundred commands.
//!
//! The long forms are commands of `keno-campaign`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use std::path::PathBuf;

use keno_campaign::founded::Kind;
use keno_campaign::proxy::Loss;
use keno_campaign::{backups, balls, counter, crash, doors, line, timing};
use keno_testing::Durability;

/// Central of this source.
fn central() -> PathBuf {
    keno_testing::programs().unwrap().join("keno-central")
}

fn crash_plan(database: Kind, kills: u64, plant: Option<crash::Planted>) -> crash::Plan {
    crash::Plan {
        database,
        // Only central is killed: a server that syncs nothing loses nothing by it.
        durability: Durability::Fast,
        kills,
        seed: 11,
        devices: 3,
        judge_every: 2,
        plant,
        program: central(),
        machine: None,
    }
}

fn line_plan(commands: usize, plant: Option<line::Planted>) -> line::Plan {
    line::Plan {
        database: Kind::Sqlite,
        durability: Durability::Fast,
        commands,
        seed: 11,
        devices: 4,
        loss: Loss {
            requests: 10,
            replies: 30,
            twice: 5,
        },
        plant,
        program: central(),
    }
}

/// The breaches of a campaign in which something was planted, each of which says one of these.
fn caught(breaches: &[String], words: &[&str]) {
    assert!(!breaches.is_empty(), "what was planted was not caught");
    let said = |word: &&str| breaches.iter().any(|breach| breach.contains(*word));
    assert!(words.iter().all(said), "{breaches:#?}");
}

#[test]
fn killed_on_sqlite_nothing_is_lost_or_done_twice() {
    let report = crash::run(&crash_plan(Kind::Sqlite, 3, None)).unwrap();
    assert_eq!(report.breaches, Vec::<String>::new());
    assert_eq!((report.kills, report.judged), (3, 2));
    assert!(report.compared.commands > 20, "{:?}", report.compared);
    assert!(report.compared.draws > 0 && report.asked_again > 20);
}

/// Machine and holders are programs of their own and are killed at any moment as central is: each draw
/// has one result for everybody, and what its hosts signed is what keno-audit asks for.
#[test]
fn killed_with_the_hosts_of_its_draws_nothing_is_lost_or_done_twice() {
    let mut plan = crash_plan(Kind::Sqlite, 2, None);
    plan.machine = Some(keno_testing::programs().unwrap().join("keno-draw-machine"));
    let report = crash::run(&plan).unwrap();
    assert_eq!(report.breaches, Vec::<String>::new());
    assert!(
        report.host_kills > 3,
        "{} hosts were killed",
        report.host_kills
    );
    assert!(report.compared.draws > 0 && report.asked_again > 20);
}

#[test]
fn killed_on_postgres_nothing_is_lost_or_done_twice() {
    let report = crash::run(&crash_plan(Kind::Postgres, 1, None)).unwrap();
    assert_eq!(report.breaches, Vec::<String>::new());
    assert!(report.compared.commands > 5, "{:?}", report.compared);
}

#[test]
fn a_record_that_was_rolled_back_is_caught() {
    let plan = crash_plan(Kind::Sqlite, 2, Some(crash::Planted::RolledBack));
    caught(&crash::run(&plan).unwrap().breaches, &["was acknowledged"]);
}

#[test]
fn numbers_other_than_those_that_were_shown_are_caught() {
    let plan = crash_plan(Kind::Sqlite, 2, Some(crash::Planted::OtherBalls));
    caught(&crash::run(&plan).unwrap().breaches, &["showed"]);
}

#[test]
fn over_a_line_that_loses_each_key_has_one_fact() {
    let report = line::run(&line_plan(300, None)).unwrap();
    assert_eq!(report.breaches, Vec::<String>::new());
    assert!(report.keys >= 300 && report.carried.lost_replies > 50);
    assert!(report.repeated > 100 && report.carried.twice > 5);
}

#[test]
fn a_device_that_repeats_under_a_new_key_is_caught() {
    let report = line::run(&line_plan(60, Some(line::Planted::NewKey))).unwrap();
    caught(&report.breaches, &["no device knows of it"]);
}

#[test]
fn a_sale_that_central_never_recorded_is_caught() {
    let report = line::run(&line_plan(30, Some(line::Planted::Ghost))).unwrap();
    caught(&report.breaches, &["is not in the record"]);
}

/// Without payments of prizes, which wait for a draw.
fn counter_plan(faults: &[counter::Fault], plant: Option<counter::Planted>) -> counter::Plan {
    use counter::Money;
    counter::Plan {
        database: Kind::Sqlite,
        durability: Durability::Fast,
        tls: true,
        instants: 1,
        lanes: 1,
        commands: vec![Money::Sale, Money::Cancellation, Money::Refund],
        faults: faults.to_vec(),
        seed: 11,
        plant,
        program: central(),
        terminal: counter::agent::program_beside().unwrap(),
    }
}

#[test]
fn at_any_instant_cash_papers_and_record_agree() {
    let report = counter::run(&counter_plan(&counter::Fault::ALL, None)).unwrap();
    assert_eq!(report.breaches, Vec::<String>::new());
    assert_eq!(report.instants.values().sum::<u64>(), 12);
    // Where they were met: on the lines, in the files, at the printer.
    let places = report.met.keys().map(|(_, _, place)| *place);
    let places: std::collections::BTreeSet<&str> = places.collect();
    assert!(places.len() >= 4, "{:?}", report.met);
    assert!(report.late >= 5 && report.found.iter().sum::<u64>() >= 12);
}

#[test]
fn a_ticket_that_came_out_twice_is_caught() {
    let plan = counter_plan(
        &[counter::Fault::WireCut],
        Some(counter::Planted::PaperTwice),
    );
    caught(&counter::run(&plan).unwrap().breaches, &["has two papers"]);
}

#[test]
fn with_strangers_on_every_socket_that_they_can_get_sales_go_on() {
    let report = doors::run(&doors::Plan {
        database: Kind::Sqlite,
        durability: Durability::Fast,
        devices: 4,
        sales: 15,
        sockets: 6_000,
        descriptors: 2_200,
        seed: 11,
        program: central(),
    })
    .unwrap();
    // How long a sale takes is judged where nothing else runs, by the long form.
    let failed = |words: &&String| words.starts_with("counter");
    assert_eq!(
        report.breaches.iter().filter(failed).count(),
        0,
        "{:?}",
        report.breaches
    );
    assert_eq!(report.beside.len(), 60);
    // Where descriptors run out nobody comes in any more, strangers neither.
    assert!(report.opened >= 6_000, "{}", report.opened);
}

fn backups_plan(database: Kind, rounds: u64, plant: Option<backups::Planted>) -> backups::Plan {
    backups::Plan {
        database,
        durability: Durability::Fast,
        rounds,
        seed: 11,
        devices: 2,
        load_ms: 250,
        // Draws are at whole minutes: the long form waits for one.
        draws: false,
        plant,
        program: central(),
    }
}

#[test]
fn backed_up_under_load_it_goes_on_from_each_backup() {
    let report = backups::run(&backups_plan(Kind::Sqlite, 3, None)).unwrap();
    assert_eq!(report.breaches, Vec::<String>::new());
    assert_eq!((report.rounds, report.interrupted), (3, 3));
    assert!(report.lost_tickets >= 3, "{}", report.lost_tickets);
    assert!(report.lost_refunded >= 1, "{}", report.lost_refunded);
}

#[test]
fn backed_up_under_load_on_postgres_it_goes_on_from_each_backup() {
    let report = backups::run(&backups_plan(Kind::Postgres, 2, None)).unwrap();
    assert_eq!(report.breaches, Vec::<String>::new());
    assert!(report.rounds == 2 && report.lost_tickets >= 2);
}

/// A log that was rewritten: an older copy is served without its anchors, signs anew, and sells
/// anew. Two papers tell, and so does everything that was numbered twice.
#[test]
fn a_backup_that_is_served_without_an_epoch_is_caught() {
    let plan = backups_plan(Kind::Sqlite, 1, Some(backups::Planted::Copied));
    let report = backups::run(&plan).unwrap();
    caught(
        &report.breaches,
        &[
            "is said to be not_found",
            "of the lost part are used again",
            "the papers disagree",
            // Other leaves under the checkpoint that was shown, or fewer: by how far it got.
            "keno-audit: export: ",
        ],
    );
}

#[test]
fn a_backup_with_a_flipped_bit_is_refused() {
    let plan = backups_plan(Kind::Sqlite, 1, Some(backups::Planted::FlippedBit));
    let report = backups::run(&plan).unwrap();
    caught(
        &report.breaches,
        &["a folder is left: false", "(file_changed)"],
    );
}

/// Guesses of PINs and second persons, at once and one after another: no more are tried than the
/// limits let through, and counters, kiosks and strangers each have their own. How long a check
/// takes beside a flood is judged by the long form.
#[test]
fn guesses_are_within_the_limits_and_hurt_nobody_else() {
    let report = doors::guesses::run(&doors::guesses::Plan {
        database: Kind::Sqlite,
        durability: Durability::Fast,
        guesses: 600,
        counters: 4,
        measured: std::time::Duration::from_millis(300),
        is_timed: false,
        seed: 11,
        program: central(),
    })
    .unwrap();
    assert_eq!(report.breaches, Vec::<String>::new());
    assert!(
        report.tried >= 5 && report.tried <= report.allowed,
        "{report:?}"
    );
}

/// Few questions: verdicts and sizes are judged, and no time.
fn timing_plan(plant: Option<timing::Planted>) -> timing::Plan {
    timing::Plan {
        database: Kind::Sqlite,
        durability: Durability::Fast,
        checks: 100,
        runs: 1,
        devices: 8,
        tickets: 16,
        is_timed: false,
        plant,
        delay: std::time::Duration::ZERO,
        seed: 11,
        program: central(),
    }
}

#[test]
fn a_wrong_secret_and_an_unknown_number_have_one_answer() {
    let report = timing::run(&timing_plan(None)).unwrap();
    assert_eq!(report.breaches, Vec::<String>::new());
    assert_eq!(report.sizes.len(), 1, "{:?}", report.sizes);
    assert!(report.answers > 1_000, "{}", report.answers);
}

#[test]
fn another_answer_to_a_wrong_secret_is_caught() {
    for (plant, words) in [
        (timing::Planted::Size, "bytes"),
        (timing::Planted::Verdict, "otherwise"),
    ] {
        caught(
            &timing::run(&timing_plan(Some(plant))).unwrap().breaches,
            &[words],
        );
    }
}

fn balls_plan(wire: balls::Wire, plays: &[balls::Play], after: &[u8]) -> balls::Plan {
    let program = central();
    balls::Plan {
        database: Kind::Sqlite,
        durability: Durability::Fast,
        seed: 11,
        wires: vec![wire],
        plays: plays.to_vec(),
        after: after.to_vec(),
        together: 2,
        plant: None,
        terminal: program.with_file_name("keno-terminal"),
        machine: program.with_file_name("keno-draw-machine"),
        program,
    }
}

/// Central, the machine and the desks are killed between the seal and the official result: every draw
/// ends once, with the balls that fell, and everyone sees the same.
#[test]
fn killed_between_seal_and_result_a_draw_of_balls_has_one() {
    use balls::Play;
    let plays = [Play::CentralReads, Play::MachineBack, Play::OtherBalls];
    let plan = balls_plan(balls::Wire::Serial, &plays, &[0, 7, 20]);
    let report = balls::run(&plan).unwrap();
    assert_eq!(report.breaches, Vec::<String>::new());
    assert_eq!(report.draws.values().sum::<u64>(), 5);
    assert_eq!(report.incidents.get("ball_changed"), Some(&2));
    assert!(report.kills["central"] > 10 && report.kills["machine"] > 5);
}

#[test]
fn killed_on_postgres_a_draw_of_balls_has_one_result() {
    use balls::Play;
    let plays = [
        Play::DeskEnters,
        Play::DeskDecides,
        Play::CentralVoids,
        Play::HostsAway,
        Play::HostsVoid,
    ];
    let mut plan = balls_plan(balls::Wire::Network, &plays, &[1, 20]);
    plan.database = Kind::Postgres;
    let report = balls::run(&plan).unwrap();
    assert_eq!(report.breaches, Vec::<String>::new());
    assert_eq!(report.draws.values().sum::<u64>(), 5);
    assert!(report.kills["desk"] > 8, "{:?}", report.kills);
    assert_eq!(report.kills["host"], 8);
}

/// What is planted in a draw of balls: an observer who is told others, a record that forgot the first so
/// that nothing stops the second, and another machine where the same is expected.
#[test]
fn other_balls_than_those_that_fell_are_caught() {
    use balls::{Planted, Play};
    for (plant, play, words) in [
        (Planted::OtherBalls, Play::CentralReads, "showed"),
        (Planted::Redraw, Play::CentralReads, "and shows"),
        (
            Planted::OtherMachine,
            Play::MachineBack,
            "is not read any more",
        ),
    ] {
        let mut plan = balls_plan(balls::Wire::Network, &[play], &[0, 7, 12]);
        plan.plant = Some(plant);
        caught(&balls::run(&plan).unwrap().breaches, &[words]);
    }
}

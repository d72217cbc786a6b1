//! Scenarios: tables in `scenarios/`, each run on SQLite and on PostgreSQL through HTTP.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "support code of tests, whose failures are the test's"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::scenario_support::house::On;
use crate::scenario_support::{runner, table};
use keno_game::slip::SlipRefusalCode;
use keno_service::Refusal;

fn folder() -> PathBuf {
    PathBuf::from("tests/scenarios")
}

fn text_of(name: &str) -> String {
    let path = folder().join(format!("{name}.txt"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn must_hold(name: &str, on: On) {
    let file = format!("{name}.txt on {}", on.name());
    let failures = runner::run(&file, &text_of(name), on);
    let told: Vec<String> = failures.iter().map(ToString::to_string).collect();
    assert!(told.is_empty(), "\n{}\n", told.join("\n"));
}

macro_rules! scenarios {
    ($($name:ident),* $(,)?) => {
        const SCENARIOS: &[&str] = &[$(stringify!($name)),*];
        $(mod $name {
            use super::*;
            #[test]
            fn on_sqlite() {
                must_hold(stringify!($name), On::Sqlite);
            }
            #[test]
            fn on_postgres() {
                must_hold(stringify!($name), On::Postgres);
            }
        })*
    };
}

scenarios! {
    amendments,
    approvals,
    balls,
    by_two,
    cancelling,
    claiming,
    codes,
    draw_room,
    draws,
    expiry,
    faults,
    following,
    handing_over,
    keys,
    named_sets,
    people,
    refusing,
    requests,
    rules,
    sales,
    slips,
    tenders,
    tills,
    withdrawing,
}

#[test]
fn every_table_is_run() {
    let found: BTreeSet<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let run: BTreeSet<String> = SCENARIOS.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(found, run);
}

/// Refusals that no request can bring about in these tables, each with its reason.
const UNREACHABLE: &[(&str, &str)] = &[
    (
        "nothing_lost",
        "a restore has to come before: `lost.rs` asks the same door after one",
    ),
    (
        "record_refused",
        "a follower has to refuse the log: `follower.rs` of the service has one",
    ),
    ("ticket_not_lost", "as before"),
    ("lost_refunded", "as before"),
    (
        "session_idle",
        "minutes have to pass in which the device is heard: `pins.rs` lets them",
    ),
    (
        "badge_locked",
        "a hundred failures have to come before: `pins.rs` makes them",
    ),
    (
        "pins_busy",
        "tries have to come at once: `pins.rs` sends fifty at each door",
    ),
    (
        "pin_too_easy",
        "people are recorded at the command line: `command_line.rs` asks there",
    ),
    (
        "pin_unchanged",
        "a PIN has to be chosen: `people.rs` chooses the same again",
    ),
    (
        "pin_must_change",
        "a PIN has to be set by others: `people.rs` sets one",
    ),
    (
        "pin_known_to_other",
        "a PIN has to be set by others: `people.rs` has them beside its badge",
    ),
    (
        "pin_chosen_elsewhere",
        "a PIN has to be set by others: `people.rs` has one of them signed on there",
    ),
    (
        "house_has_recovery_code",
        "a house is founded at the command line: the service's `recovery.rs` tries twice",
    ),
    ("pin_not_reset", "PINs are reset by two: `people.rs` tries"),
    (
        "cannot_act",
        "people are named by two: the service's `acting.rs` names a supervisor",
    ),
    (
        "not_named_to_act",
        "people are named by two: the service's `acting.rs` makes somebody act who was not",
    ),
    (
        "acting_own_sale",
        "somebody has to act: the service's `acting.rs` judges what the badge sold",
    ),
    (
        "staff_too_few",
        "the file of the house says how few there are: `people.rs` has a house of three",
    ),
    (
        "money_given_back",
        "a terminal has to put a sale aside: the tests of the whole house do",
    ),
    (
        "paper_is_whole",
        "a terminal has to put a sale aside: `claims.rs` says it of a ticket with a paper",
    ),
    (
        "card_needed",
        "a card has to be made by two: `people.rs` makes one and leaves it away",
    ),
    (
        "roles_exclude",
        "people are recorded by two: `people.rs` gives such roles",
    ),
    (
        "staff_number_kept",
        "people are recorded by two: `people.rs` gives another number",
    ),
    (
        "looks_like_another",
        "people are recorded by two: `people.rs` gives what reads the same",
    ),
    (
        "administrators_too_few",
        "people are withdrawn by two: `people.rs` withdraws the last but one",
    ),
    (
        "house_has_administrators",
        "a house is founded at the command line: `command_line.rs` tries twice",
    ),
    (
        "own_badge",
        "people are withdrawn by two: `people.rs` tries one's own",
    ),
    (
        "nothing_committed",
        "a house has holders: the service's `balls.rs` announces a draw without",
    ),
    (
        "ticket_doubtful",
        "somebody has to write into the database: the service's `cash.rs` does",
    ),
    (
        "badge_signs",
        "people are recorded by two: the service's `recovery.rs` gives such a badge",
    ),
    (
        "copies_used_up",
        "as many papers have to come before: `api.rs` makes them",
    ),
    (
        "paper_disagrees",
        "a paper without its code takes two people and days: the service's `damaged.rs` has them",
    ),
    ("file_needed", "as before"),
    ("paid_enough_today", "as before"),
    ("read_again", "as before"),
    ("receipt_needed", "as before"),
    ("note_needed", "as before"),
    ("opener_judges", "as before"),
    ("file_unknown", "as before"),
    ("file_waits", "as before"),
    ("file_not_judged", "as before"),
    ("file_judged", "as before"),
    ("file_refused", "as before"),
    ("file_without_ticket", "as before"),
    ("third_person_needed", "as before"),
    ("moment_invalid", "as before"),
    ("presenter_needed", "as before"),
    (
        "total_overflow",
        "no rule book that returns 65 % under a cap permits wagers so large",
    ),
    (
        "line_reads",
        "`ball_line.rs` of the use cases has such a machine",
    ),
    ("not_cosigned", "`witnesses.rs` hands in what is not"),
    ("cosigned_otherwise", "as before"),
    (
        "quick_pick_failed",
        "the computer's stream of numbers does not end",
    ),
];

#[test]
fn every_refusal_is_expected_by_a_line() {
    let expected: BTreeSet<String> = SCENARIOS
        .iter()
        .flat_map(|name| table::read(&text_of(name)))
        .filter_map(|line| line.expected)
        .filter_map(|expected| expected.split(' ').next().map(str::to_owned))
        .collect();
    let all = Refusal::NAMES
        .iter()
        .copied()
        .chain(SlipRefusalCode::ALL.into_iter().map(SlipRefusalCode::name));
    let is_unreachable = |name: &str| UNREACHABLE.iter().any(|(other, _)| *other == name);
    let missing: Vec<&str> = all
        .clone()
        .filter(|name| !expected.contains(*name) && !is_unreachable(name))
        .collect();
    assert!(missing.is_empty(), "no line expects {missing:?}");
    // The list of exceptions stays short and true.
    for (name, reason) in UNREACHABLE {
        assert!(
            all.clone().any(|other| other == *name),
            "{name} is no refusal"
        );
        assert!(!expected.contains(*name), "a line expects {name}: {reason}");
    }
}

/// Every sample that is named after a refusal gets it, when it is priced and when it is sold.
fn samples_are_refused(on: On) {
    let samples = Path::new("../samples/slips/bad");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(samples)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert!(paths.len() >= 28, "the samples are gone");
    let mut text = "C1@T01 signs on, float 500.00 -> ok\n".to_owned();
    let mut names = vec![String::new()];
    for path in &paths {
        let slip = std::fs::read_to_string(path).unwrap().replace('\n', " ");
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let expected = match name.strip_prefix("malformed_") {
            Some(_) => "malformed_request 400".to_owned(),
            None => format!("{name} 422"),
        };
        text.push_str(&format!(
            "C1@T01 POST /api/v1/prices {{\"slip\":{slip}}} -> {expected}\n"
        ));
        text.push_str(&format!(
            "C1@T01 POST /api/v1/sales {{\"key\":{{\"session\":1,\"counter\":7}},\"slip\":{slip},\
             \"tender\":\"cash\",\"received_cents\":0,\"total_cents\":0,\"intake\":\"slip\"}} -> {expected}\n"
        ));
        names.extend([name.clone(), name]);
    }
    let failures = runner::run("samples", &text, on);
    // Where in the slip it is at fault is for the tables: here only the name counts.
    let wrong: Vec<String> = failures
        .iter()
        .filter(|failure| {
            let name = &names[failure.line - 1];
            let is_named = failure.got.split(' ').next() == Some(name.as_str());
            !is_named || !failure.got.contains(" 422")
        })
        .map(ToString::to_string)
        .collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn each_bad_sample_gets_the_refusal_that_names_it_on_sqlite() {
    samples_are_refused(On::Sqlite);
}

#[test]
fn each_bad_sample_gets_the_refusal_that_names_it_on_postgres() {
    samples_are_refused(On::Postgres);
}

#[test]
fn a_wrong_expectation_fails_with_file_line_expected_and_got() {
    let text = "# planted\n\
        C1@T01 signs on, float 500.00 -> ok\n\
        C1@T01 prices keno 7 7 @ 1.00 -> number_repeated in B numbers\n\
        C1@T01 prices keno 7 7 @ 1.00 -> number_repeated\n\
        C1@T01 prices keno 7 @ 1.00 x5 -> total 6.00\n\
        C1@T01 sells A: keno 7 @ 1.00 -> queue_full\n\
        C1@T01 prices keno 7 @ 1.00 x5 -> total 5.00\n";
    let failures = runner::run("planted.txt", text, On::Sqlite);
    let lines: Vec<usize> = failures.iter().map(|failure| failure.line).collect();
    assert_eq!(lines, [3, 4, 5, 6], "{failures:?}");
    let first = failures[0].to_string();
    for part in [
        "planted.txt:3",
        "expected: number_repeated in B numbers",
        "got:      number_repeated",
        "in A numbers",
    ] {
        assert!(first.contains(part), "{first}");
    }
    assert!(
        failures[2].got.starts_with("total 5.00"),
        "{}",
        failures[2].got
    );
}

#[test]
fn a_refusal_that_records_something_fails() {
    use crate::scenario_support::outcome::Outcome;
    let line = table::read("C1@T01 sells A: keno 7 @ 1.00 -> queue_full").remove(0);
    // A sale passed off as a refusal: the record grew, and the runner sees it.
    let failures = runner::run_with("planted.txt", On::Sqlite, &line, |house| {
        house.person("C1@T01 signs on, float 500.00");
        let mut refusal = Outcome::of("queue_full");
        refusal.is_refusal = true;
        refusal
    });
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert_eq!(failures[0].expected, "nothing recorded by a refusal");
}

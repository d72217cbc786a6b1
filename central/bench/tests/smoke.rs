//! Every command runs at a tiny size and proves its equalities; nothing here is about time. And
//! the proofs themselves: a settlement in SQL that loses winners is noticed, a record that lacks
//! or changes a sale is.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "support code of tests, whose failures are the test's"
)]

use std::collections::BTreeMap;
use std::time::Duration;

use keno_bench::client::Until;
use keno_bench::figure::{Figure, Verdict};
use keno_bench::growth::{must_answer_alike, must_begin};
use keno_bench::history::Years;
use keno_bench::house::{Way, found};
use keno_bench::memory::{must_be_heard, must_be_open};
use keno_bench::naive::{Join, Naive};
use keno_bench::sales::Arm;
use keno_bench::settle::Settled;
use keno_bench::streams::Streams;
use keno_bench::till::SELECTIONS;
use keno_bench::winners::{self, must_be_equal};
use keno_bench::{
    follow, growth, idle, live, look_up, memory, open_loop, postgres, sales, settle, settle_sales,
    start,
};
use keno_schema::Database;
use serde_json::json;
use tempfile::TempDir;

const ROUND: Duration = Duration::from_millis(20);

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// Two rounds are a figure that may be told, and no verdict.
fn is_told(figures: &[Figure], count: usize) {
    assert_eq!(figures.len(), count);
    for figure in figures {
        assert_eq!(figure.ratios.len(), 2, "{figure}");
        assert_eq!(figure.verdict(), Verdict::None, "{figure}");
        assert!(
            figure
                .ratios
                .iter()
                .all(|ratio| ratio.is_finite() && *ratio > 0.0),
            "{figure}"
        );
    }
}

fn few_sales() -> sales::Size {
    sales::Size {
        terminals: 3,
        rounds: 2,
        round: ROUND,
        compared: 2,
    }
}

#[test]
fn sales_in_groups_and_one_by_one_make_the_same_facts() {
    let folder = folder();
    let figures = sales::measure(&Way::Here, folder.path(), &few_sales()).unwrap();
    is_told(&figures, 2);
}

#[test]
fn so_they_do_on_postgres() {
    let folder = folder();
    let figures = postgres::measure(&Way::Here, folder.path(), &few_sales()).unwrap();
    is_told(&figures, 3);
}

#[test]
fn a_sale_more_or_another_sale_is_not_equal() {
    let folder = folder();
    let (mut together, mut alone) = sales::arms(&Way::Here, folder.path(), 2).unwrap();
    together.sell(Until::Each(2)).unwrap();
    alone.sell(Until::Each(2)).unwrap();
    let (one, other) = (together.facts().unwrap(), alone.facts().unwrap());
    sales::must_be_equal(&one, &other, 4).unwrap();
    assert!(sales::must_be_equal(&one, &other, 5).is_err());
    alone.sell(Until::Each(1)).unwrap();
    assert!(sales::must_be_equal(&one, &alone.facts().unwrap(), 4).is_err());
    let mut changed: BTreeMap<Vec<u8>, usize> = one.clone();
    let (mut body, count) = changed.pop_first().unwrap();
    *body.last_mut().unwrap() ^= 1;
    changed.insert(body, count);
    assert!(sales::must_be_equal(&one, &changed, 4).is_err());
}

#[test]
fn an_idle_terminal_sells() {
    let folder = folder();
    is_told(
        &idle::measure(&Way::Here, folder.path(), 2, ROUND).unwrap(),
        1,
    );
}

#[test]
fn a_settlement_is_that_of_plain_sql() {
    let folder = folder();
    is_told(&settle::measure(folder.path(), 2_000, 2).unwrap(), 3);
}

/// The same comparison, with the same planted fault before anything is timed.
#[test]
fn a_settlement_is_that_of_sql_on_masks() {
    let folder = folder();
    is_told(
        &settle::measure_postgres(folder.path(), 2_000, 2).unwrap(),
        2,
    );
}

#[test]
fn sql_that_loses_who_caught_nothing_is_not_equal() {
    let folder = folder();
    let mut house = Settled::new(&folder.path().join("house"), None, 2_000, 0).unwrap();
    let file = Database::Sqlite(folder.path().join("naive.sqlite"));
    let mut naive = Naive::load(&file, &house.wagers).unwrap();
    let (ours, first) = settle::prove(&mut house, &mut naive).unwrap();
    let balls = house.balls(1).unwrap();
    naive.settle(7, &balls, Join::Inner).unwrap();
    let fewer = winners::read(naive.connection(), 7, first).unwrap();
    let refused = must_be_equal(&ours, &fewer).unwrap_err().to_string();
    assert!(refused.contains("winners here"), "{refused}");
    assert!(fewer.count < ours.count, "{fewer:?} {ours:?}");
    // As many winners, and one of them paid a cent less: the root and the sums notice.
    let mut cent = ours.clone();
    cent.payable_cents -= 1;
    assert!(must_be_equal(&ours, &cent).is_err());
    let mut other = ours.clone();
    other.root[0] ^= 1;
    assert!(must_be_equal(&ours, &other).is_err());
}

#[test]
fn sales_go_on_while_a_draw_is_settled() {
    let folder = folder();
    let size = settle_sales::Size {
        wagers: 2_000,
        terminals: 2,
        rounds: 2,
        round: ROUND,
    };
    is_told(&settle_sales::measure(folder.path(), size).unwrap(), 2);
}

#[test]
fn look_ups_find_their_tickets() {
    let folder = folder();
    let size = look_up::Size {
        terminals: 2,
        askers: 2,
        sold: 3,
        rounds: 2,
        round: ROUND,
    };
    is_told(
        &look_up::measure(&Way::Here, folder.path(), size).unwrap(),
        1,
    );
}

#[test]
fn both_starts_come_to_the_same_memory() {
    let folder = folder();
    let years = Years {
        tickets: 30_000,
        draws: 100,
        open_tickets: 50,
    };
    is_told(&start::measure(folder.path(), &years, 2).unwrap(), 2);
}

fn short_and_long() -> growth::Size {
    growth::Size {
        short: 60,
        long: 150,
        draw_tickets: 50,
        till_open: 60,
        terminals: 2,
        askers: 2,
        codes: 40,
        compared: 2,
        rounds: 2,
        wholes: 2,
        round: ROUND,
    }
}

#[test]
fn a_long_history_begins_with_the_short_one() {
    let folder = folder();
    let size = short_and_long();
    // Sales, look-ups, `verify`, `backup` and starts; so few tickets are never judged by minutes.
    let figures = growth::measure(&Way::Here, folder.path(), &size).unwrap();
    assert_eq!(figures.len(), 5);
    for figure in &figures {
        assert_eq!(figure.ratios.len(), 2, "{figure}");
        assert!(figure.ratios.iter().all(|ratio| *ratio > 0.0), "{figure}");
    }
}

#[test]
fn another_past_another_answer_and_another_sale_are_not_equal() {
    let folder = folder();
    let [mut short, long] = growth::pasts(folder.path(), &short_and_long()).unwrap();
    assert_eq!((short.tickets(), long.tickets()), (60, 150));
    assert!(must_begin(&short, &long).is_err());
    let copies = [&short, &long].map(|past| {
        let name = past.folder.with_extension("served");
        past.copied(&name).unwrap()
    });

    let mut sides = growth::serve(&Way::Here, copies, 40).unwrap();
    growth::prove(&mut sides, 2).unwrap();
    let [one, other] = &mut sides;
    let codes = one.codes.clone();
    assert_eq!(codes.len(), 40);
    let mut answers = one.answers(&codes).unwrap();
    must_answer_alike(&answers, &other.answers(&codes).unwrap(), 40).unwrap();
    assert!(must_answer_alike(&answers, &answers[1..], 40).is_err());
    let told = answers.clone();
    answers[7]["payable_cents"] = json!(1);
    assert!(must_answer_alike(&answers, &told, 40).is_err());
    // Another ticket than the one that was asked for is noticed by the look-up itself.
    let mut swapped = codes.clone();
    swapped[0].replace_range(3..19, &codes[1][3..19]);
    assert!(one.answers(&swapped).is_err());

    one.arm.sell(Until::Each(1)).unwrap();
    let (more, fewer) = (one.sold().unwrap(), other.sold().unwrap());
    assert!(sales::must_be_equal(&more, &fewer, other.arm.sold).is_err());
    let mut changed = fewer.clone();
    let (mut body, count) = changed.pop_first().unwrap();
    *body.last_mut().unwrap() ^= 1;
    changed.insert(body, count);
    sales::must_be_equal(&fewer, &fewer, other.arm.sold).unwrap();
    assert!(sales::must_be_equal(&fewer, &changed, other.arm.sold).is_err());
    drop(sides);

    // What went on by itself is not what the other went on from.
    short.go_on(50, 50, 0).unwrap();
    assert!(must_begin(&long, &short).is_err());
}

#[test]
fn a_house_that_sells_and_is_heard_holds_memory() {
    let folder = folder();
    let size = memory::Size {
        terminals: 2,
        wagers: 30,
        streams: 5,
        rounds: 2,
        round: ROUND,
    };
    is_told(
        &memory::measure(&Way::Here, folder.path(), size).unwrap(),
        2,
    );
}

#[test]
fn a_wager_or_a_stream_that_is_missing_is_noticed() {
    let folder = folder();
    let house = found(folder.path(), None, 2).unwrap();
    let mut arm = Arm::open(&Way::Here, folder.path(), &house, None).unwrap();
    arm.sell(Until::Each(3)).unwrap();
    arm.must_be_recorded().unwrap();
    must_be_open(&arm, 6 * SELECTIONS).unwrap();
    assert!(must_be_open(&arm, 6 * SELECTIONS + 1).is_err());
    arm.sold += 1;
    assert!(arm.must_be_recorded().is_err());
    assert!(must_be_open(&arm, 6 * SELECTIONS).is_err());

    let mut streams = Streams::open(arm.server.address(), 3).unwrap();
    must_be_heard(arm.server.address(), &mut streams).unwrap();
    let stranger = Streams::open(arm.server.address(), 1).unwrap();
    assert!(must_be_heard(arm.server.address(), &mut streams).is_err());
    drop(stranger);
    arm.server.kill().unwrap();
    assert!(streams.must_live().is_err());
}

#[test]
fn boards_hear_and_come_back() {
    let folder = folder();
    let size = live::Size {
        streams: 4,
        rounds: 2,
    };
    is_told(&live::measure(&Way::Here, folder.path(), size).unwrap(), 2);
}

#[test]
fn sales_come_at_their_moments() {
    let folder = folder();
    let size = open_loop::Size {
        terminals: 2,
        rounds: 2,
        round: ROUND,
    };
    is_told(
        &open_loop::measure(&Way::Here, folder.path(), size).unwrap(),
        1,
    );
}

#[test]
fn follow_runs_and_has_everything() {
    let folder = folder();
    let size = follow::Size {
        tickets: 30,
        draw_tickets: 10,
        rounds: 2,
    };
    is_told(
        &follow::measure(&Way::Here, folder.path(), size).unwrap(),
        3,
    );
}

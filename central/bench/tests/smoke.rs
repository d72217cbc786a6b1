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
use keno_bench::history::Years;
use keno_bench::house::Way;
use keno_bench::naive::{Join, Naive};
use keno_bench::settle::Settled;
use keno_bench::winners::{self, must_be_equal};
use keno_bench::{idle, look_up, postgres, sales, settle, settle_sales, start};
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
    is_told(&settle::measure(folder.path(), 2_000, 2).unwrap(), 2);
}

#[test]
fn sql_that_loses_who_caught_nothing_is_not_equal() {
    let folder = folder();
    let mut house = Settled::new(&folder.path().join("house"), 2_000, 0).unwrap();
    let mut naive = Naive::load(&folder.path().join("naive.sqlite"), &house.wagers).unwrap();
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

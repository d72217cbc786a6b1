//! Short forms: two thousand books, each fault that can be planted, and what takes long.
#![allow(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use keno_returns::asked::{hostile, random};
use keno_returns::compare::{Plan, Planted, Report, run};

fn report(books: u64, seed: u64, plant: Option<Planted>) -> Report {
    run(&Plan {
        books,
        seed,
        tickets_max: 15_000,
        plant,
    })
}

#[test]
fn both_programs_say_the_same_and_never_more_than_the_truth() {
    let found = report(2_000, 7, None);
    assert!(found.breaches.is_empty(), "{found}");
    // It is a trial of what it says: near the floor, on both sides, in each of the three ways.
    assert!(found.refused > 100 && found.refused < 1_900, "{found}");
    assert!(found.near > 100, "{found}");
    assert!(found.judged.iter().all(|count| *count > 20), "{found}");
    assert!(found.settled.0 > 1_000, "{found}");
    let bounds: u64 = found.slack.iter().map(|slack| slack.bounds).sum();
    assert!(bounds > 5, "{found}");
}

#[test]
fn a_rule_that_judges_equal_wagers_alone_is_caught() {
    let found = report(300, 8, Some(Planted::Copies));
    let above = found
        .breaches
        .iter()
        .filter(|it| it.contains("a ticket returns"));
    assert!(above.count() > 5, "{found}");
}

#[test]
fn a_bound_that_forgets_the_cents_cut_is_caught() {
    let found = report(1_500, 9, Some(Planted::Uncut));
    assert!(!found.breaches.is_empty(), "{found}");
}

#[test]
fn the_same_seed_asks_for_the_same_books() {
    for number in 0..20 {
        assert_eq!(random(5, number).1.text(), random(5, number).1.text());
    }
    assert_ne!(random(5, 0).1.text(), random(6, 0).1.text());
}

#[test]
fn hostile_books_fit_a_mebibyte() {
    for (name, asked) in hostile() {
        assert!(asked.text().len() <= 1 << 20, "{name}");
    }
}

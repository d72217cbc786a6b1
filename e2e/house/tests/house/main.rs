//! The whole house at work: the real terminal against the real central, over TCP, by a clock
//! that moves when told; papers are read off the printer's bytes.
#![allow(clippy::unwrap_used)]

use keno_house_tests::counter::Counter;
use keno_house_tests::house::House;
use keno_terminal::virtual_printer::Sheet;

mod agent;
mod agent_daemon;
mod agent_trust;
mod canaries;
mod certificates;
mod claims;
mod devices;
mod doors;
mod doubt;
mod goldens;
mod hand_over;
mod locked;
mod lost;
mod no_paper;
mod offices;
mod pins;
mod printers;
mod printing;
mod put_aside;
mod record;
mod slips;
mod till;
mod tls_listener;
mod trials;
mod trust;
mod trust_attacks;
mod trust_renewal;
mod two_people;
mod words;

/// Runs a test on SQLite and on PostgreSQL.
fn on_both(test: impl Fn(&keno_house_tests::house::House)) {
    test(&keno_house_tests::house::House::new());
    let database = keno_testing::empty_postgres_database().unwrap();
    test(&keno_house_tests::house::House::on(Some(
        database.address(),
    )));
}

/// Papers of tickets that could be presented as a claim.
fn tickets(counter: &Counter) -> Vec<Sheet> {
    let mut papers = counter.papers();
    papers.retain(|paper| !paper.qr_payloads().is_empty());
    papers
}

/// Every paper that claims to be a ticket is one that central knows, each a ticket of its own,
/// and the record holds.
fn papers_agree(house: &House, counter: &Counter, count: usize) {
    let papers = tickets(counter);
    let mut codes: Vec<&str> = papers.iter().flat_map(Sheet::qr_payloads).collect();
    for code in &codes {
        assert!(house.check(code).ticket.is_some());
    }
    codes.sort_unstable();
    codes.dedup();
    assert_eq!((papers.len(), codes.len()), (count, count));
    assert_eq!(house.tickets(), count as u64);
    assert!(house.verified(None).holds());
}

/// A straight selection of these numbers.
fn straight(numbers: &[u8], wager_cents: i64, draws: u32) -> String {
    format!(
        r#"{{"selections":[{{"type":"straight","numbers":{numbers:?},"wager_cents":{wager_cents}}}],"draws":{draws}}}"#
    )
}

/// Each of the 80 numbers alone: 20 of the 80 ways catch one of one, whatever is drawn, and pay
/// 3 for 1.
fn sure_win(wager_cents: i64, draws: u32) -> String {
    let groups: Vec<[u8; 1]> = (1..=80).map(|number| [number]).collect();
    format!(
        r#"{{"selections":[{{"type":"way","groups":{groups:?},"ways":[{{"ways":80,"spots":1,"wager_cents":{wager_cents}}}]}}],"draws":{draws}}}"#
    )
}

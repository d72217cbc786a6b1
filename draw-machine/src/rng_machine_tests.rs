//! Tests of the computer draw: kills at every ball and byte, second seals, wrong orders.

use super::*;
use crate::adapter::collect;
use crate::context::DrawContext;
use crate::expand::commitment;
use crate::medium::testing::MemoryMedium;
use crate::transcript::HolderRecord;

const HOUSE: &str = "maison d'essai";

fn open(medium: &MemoryMedium) -> Result<RngMachine, JournalFault> {
    RngMachine::open_on(Box::new(medium.clone()), HOUSE)
}

fn order(draw: u64) -> DrawOrder {
    let context = DrawContext {
        house: HOUSE.to_owned(),
        draw,
        log_size: 100 + draw,
        seal_root: [u8::try_from(draw).unwrap(); 32],
        rule_book_hash: [9; 32],
        pool_size: 80,
        drawn: 20,
    };
    let holders = [("machine", [1; 32]), ("audit", [2; 32])]
        .map(|(name, secret)| HolderRecord {
            name: name.to_owned(),
            commitment: commitment(HOUSE, draw, &secret),
            secret,
            beacon: String::new(),
        })
        .to_vec();
    DrawOrder::within(context, holders)
}

fn name(outcome: Result<(), MachineFault>) -> &'static str {
    outcome.unwrap_err().name()
}

#[test]
fn killed_at_each_ball_it_gives_the_same_balls_again() {
    let medium = MemoryMedium::default();
    let expected = Transcript::compute(order(1).ctx, order(1).holders).unwrap();
    for killed_after in 0..=20 {
        let mut machine = open(&medium).unwrap();
        machine.begin(&order(1)).unwrap();
        for position in 1..=killed_after {
            let event = machine.next().unwrap();
            let number = expected.balls[usize::from(position) - 1];
            assert_eq!(
                event,
                DrawEvent::Ball {
                    position,
                    number,
                    at_ms: None
                }
            );
        }
    }
    let mut machine = open(&medium).unwrap();
    let collected = collect(&mut machine, &order(1)).unwrap();
    assert_eq!(collected.balls, expected.balls);
    assert_eq!(collected.end, DrawEvent::Complete);
    assert!(collected.kind.is_real());
    assert_eq!(machine.next().unwrap(), DrawEvent::Complete);
}

#[test]
fn the_balls_are_durable_before_the_first_is_seen() {
    for kept in [false, true] {
        for step in 1..=4 {
            let medium = MemoryMedium::default();
            let mut machine = open(&medium).unwrap();
            {
                let mut state = medium.0.lock().unwrap();
                state.failing_call = Some(state.calls + step);
                state.kept = kept;
            }
            assert_eq!(name(machine.begin(&order(1))), "journal_io");
            assert_eq!(machine.next().unwrap_err().name(), "not_begun");
            assert_eq!(name(machine.begin(&order(1))), "journal_failed");
        }
    }
}

#[test]
fn killed_at_any_byte_it_never_takes_another_seal_for_a_draw_that_began() {
    let whole = MemoryMedium::default();
    let mut machine = open(&whole).unwrap();
    let mut begun = Vec::new();
    for draw in 1..=3 {
        let balls = collect(&mut machine, &order(draw)).unwrap().balls;
        begun.push((whole.bytes().len(), draw, balls));
    }
    let bytes = whole.bytes();
    for cut in 0..=bytes.len() {
        let medium = MemoryMedium::holding(&bytes[..cut]);
        let mut machine = open(&medium).unwrap();
        for (length, draw, balls) in &begun {
            if *length <= cut {
                let mut second = order(*draw);
                second.ctx.seal_root = [99; 32];
                assert_eq!(name(machine.begin(&second)), "second_seal", "cut {cut}");
                assert_eq!(collect(&mut machine, &order(*draw)).unwrap().balls, *balls);
            }
        }
    }
}

#[test]
fn a_second_seal_is_refused_forever_and_stops_the_draw_under_way() {
    let medium = MemoryMedium::default();
    let mut machine = open(&medium).unwrap();
    machine.begin(&order(1)).unwrap();
    for _ in 0..2 {
        let mut other_root = order(1);
        other_root.ctx.seal_root = [99; 32];
        assert_eq!(name(machine.begin(&other_root)), "second_seal");
        assert_eq!(machine.next().unwrap_err().name(), "not_begun");
        let mut other_size = order(1);
        other_size.ctx.log_size += 1;
        assert_eq!(name(machine.begin(&other_size)), "second_seal");
        drop(machine);
        machine = open(&medium).unwrap();
    }
    machine.begin(&order(1)).unwrap();
}

#[test]
fn each_bad_order_is_named_and_leaves_no_trace() {
    type Spoil = fn(&mut DrawOrder);
    let cases: [(&str, Spoil); 9] = [
        ("house_differs", |o| o.ctx.house = "other".to_owned()),
        ("seal_missing", |o| o.ctx.log_size = 0),
        ("seal_missing", |o| o.ctx.seal_root = [0; 32]),
        ("seal_of_another_draw", |o| o.ctx.seal_root = [1; 32]),
        ("pool_invalid", |o| o.ctx.drawn = 81),
        ("holder_missing", |o| o.holders.clear()),
        ("secret_repeated", |o| {
            o.holders[1].secret = o.holders[0].secret
        }),
        ("commitment_mismatch", |o| o.holders[1].secret[0] ^= 1),
        ("commitment_mismatch", |o| o.holders[1].commitment[0] ^= 1),
    ];
    let medium = MemoryMedium::default();
    let mut machine = open(&medium).unwrap();
    machine.begin(&order(1)).unwrap();
    let before = medium.bytes();
    for (expected, spoil) in cases {
        let mut spoilt = order(2);
        spoil(&mut spoilt);
        assert_eq!(name(machine.begin(&spoilt)), expected);
        assert_eq!(machine.next().unwrap_err().name(), "not_begun");
    }
    assert_eq!(medium.bytes(), before);
    machine.begin(&order(2)).unwrap();
}

#[test]
fn the_same_draw_ordered_differently_is_refused() {
    let mut machine = open(&MemoryMedium::default()).unwrap();
    machine.begin(&order(1)).unwrap();
    type Spoil = fn(&mut DrawOrder);
    let cases: [Spoil; 5] = [
        |o| o.ctx.rule_book_hash[0] ^= 1,
        |o| o.ctx.pool_size = 70,
        |o| o.holders.swap(0, 1),
        |o| drop(o.holders.pop()),
        |o| o.holders[0].name.push('x'),
    ];
    for spoil in cases {
        let mut spoilt = order(1);
        spoil(&mut spoilt);
        assert_eq!(name(machine.begin(&spoilt)), "order_differs");
    }
}

#[test]
fn planted_other_balls_on_record_are_caught() {
    let medium = MemoryMedium::default();
    let mut machine = open(&medium).unwrap();
    let recorded = Recorded {
        seal: Seal {
            size: 101,
            root: [1; 32],
        },
        order_hash: order_hash(&order(1)),
        balls: (1..=20).collect(),
    };
    machine.journal.append(&encode(1, &recorded)).unwrap();
    drop(machine);
    assert_eq!(
        name(open(&medium).unwrap().begin(&order(1))),
        "record_differs"
    );
}

#[test]
fn a_journal_with_two_records_of_a_draw_or_of_another_house_refuses_to_start() {
    let medium = MemoryMedium::default();
    let mut machine = open(&medium).unwrap();
    machine.begin(&order(1)).unwrap();
    let again = encode(1, &machine.draws[&1]);
    machine.journal.append(&again).unwrap();
    assert_eq!(open(&medium).unwrap_err().name(), "journal_contradiction");
    let other = RngMachine::open_on(Box::new(medium), "other");
    assert_eq!(other.unwrap_err().name(), "journal_not_ours");
}

#[test]
fn on_a_real_folder_it_gives_the_same_balls_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let mut machine = RngMachine::open(folder.path(), HOUSE).unwrap();
    let first = collect(&mut machine, &order(1)).unwrap();
    drop(machine);
    let mut machine = RngMachine::open(folder.path(), HOUSE).unwrap();
    assert_eq!(collect(&mut machine, &order(1)).unwrap(), first);
    let text = format!("{machine:?}");
    assert!(
        !text.contains(&format!("{}, {}", first.balls[0], first.balls[1])),
        "{text}"
    );
}

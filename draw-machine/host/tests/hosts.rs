//! Machine and holders as programs of their own: a day's draw over the line, each refusal, kills.

#![allow(clippy::unwrap_used, clippy::expect_used, dead_code)]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use crate::common::{Draw, HOUSE, House, log_key, program};
use keno_draw::adapter::{DrawEvent, DrawMachine as _, DrawOrder, collect};
use keno_draw::holder::{SealProof, SecretHolder as _};
use keno_draw::{FileHolder, OsEntropy, Transcript, commitment};
use keno_draw_machine::client::order_of;
use keno_draw_machine::line::{Answer, Ask, Proof};
use keno_draw_machine::part::MachinePart;
use keno_draw_machine::statement::{Sealed, is_signed};
use keno_line::HostKey;
use keno_line::server::{Part as _, Refused};

#[test]
fn a_draw_over_the_line_is_signed_by_all_and_recomputed_by_a_stranger() {
    let house = House::new();
    let draw = Draw::closed(7);
    let order = house.order(&draw);
    let mut machine = house.machine();
    let collected = collect(&mut machine, &order).unwrap();
    assert_eq!(collected.end, DrawEvent::Complete);
    let transcript = Transcript::compute(order.ctx.clone(), order.holders.clone()).unwrap();
    assert_eq!(collected.balls, transcript.balls);
    transcript.check().unwrap();

    let sealed = Sealed {
        house: HOUSE,
        draw: 7,
        seal: draw.seal(),
    };
    let text = sealed.balls(&order.ctx.rule_book_hash, &collected.balls);
    assert!(is_signed(&text, &collected.signature, &house.machine.key));
    let mut other = collected.balls.clone();
    other.swap(0, 1);
    let text = sealed.balls(&order.ctx.rule_book_hash, &other);
    assert!(!is_signed(&text, &collected.signature, &house.machine.key));
    for (holder, (host, signature)) in order
        .holders
        .iter()
        .zip(house.holders.iter().zip(&order.signatures))
    {
        let text = sealed.secret(&holder.commitment);
        assert!(is_signed(&text, signature, &host.key));
        assert!(!is_signed(&text, signature, &house.machine.key));
    }
    // Asked again, the same, to the byte: signatures too.
    assert_eq!(collect(&mut house.machine(), &order).unwrap(), collected);
    assert_eq!(house.order(&draw), order);
}

#[test]
fn killed_at_each_ball_the_machine_comes_back_with_the_same_balls() {
    let mut house = House::new();
    let mut first: Option<Vec<u8>> = None;
    let draw = Draw::closed(7);
    let order = house.order(&draw);
    // Killed after 0 to 20 balls were read: before the first, between two, after the last.
    for read in 0..=20 {
        let mut machine = house.machine();
        machine.begin(&order).unwrap();
        let mut seen = Vec::new();
        for _ in 0..read {
            match machine.next().unwrap() {
                DrawEvent::Ball { number, .. } => seen.push(number),
                other => panic!("{other:?}"),
            }
        }
        house.machine.kill_and_start();
        let again = collect(&mut house.machine(), &order).unwrap();
        assert_eq!(again.end, DrawEvent::Complete);
        assert!(again.balls.starts_with(&seen), "after {read} balls");
        assert_eq!(first.get_or_insert(again.balls.clone()), &again.balls);
    }
}

#[test]
fn killed_while_it_commits_a_holder_gives_again_what_it_gave() {
    let mut house = House::new();
    let mut given = BTreeMap::new();
    for round in 0..8_u64 {
        let mut holder = house.holder(0);
        for draw in 1..=3 + round {
            let commitment = holder.commit(draw).unwrap();
            let known = *given.entry(draw).or_insert(commitment);
            assert_eq!(known, commitment, "draw {draw}");
        }
        house.holders[0].kill_and_start();
    }
    let draw = Draw::closed(3);
    let revealed = house
        .holder(0)
        .reveal(3, &draw.seal(), &draw.proof())
        .unwrap();
    assert_eq!(commitment(HOUSE, 3, &revealed.secret), given[&3]);
}

#[test]
fn one_disk_of_a_holder_may_be_lost_and_two_that_disagree_are_not_believed() {
    let mut house = House::new();
    let committed = house.holder(0).commit(7).unwrap();
    for lost in ["first", "second"] {
        house.holders[0].kill();
        std::fs::remove_file(house.holders[0].folder.join(lost).join("secrets.journal")).unwrap();
        house.holders[0].start();
        assert_eq!(house.holder(0).commit(7).unwrap(), committed, "{lost}");
    }
    house.holders[0].kill();
    let journal = |which: &str| house.holders[0].folder.join(which).join("secrets.journal");
    let whole = std::fs::read(journal("first")).unwrap();
    assert_eq!(std::fs::read(journal("second")).unwrap(), whole);
    // Another holder's secret for the same draw, in a journal that is whole in itself.
    std::fs::remove_file(journal("second")).unwrap();
    let other = tempfile::tempdir().unwrap();
    FileHolder::open(other.path(), HOUSE, "house", OsEntropy)
        .unwrap()
        .commit(7)
        .unwrap();
    std::fs::copy(other.path().join("secrets.journal"), journal("second")).unwrap();
    let settings = house.holders[0].folder.join("host.toml");
    let ended = program(&["serve", "--settings", settings.to_str().unwrap()]);
    assert_eq!(ended.0, Some(1));
    assert!(ended.2.contains("contradict each other"), "{}", ended.2);
    assert_eq!(std::fs::read(journal("first")).unwrap(), whole);
}

/// What is wrong with an order, and the name of the refusal.
type Wrong = (&'static str, fn(&House, &mut DrawOrder), &'static str);

/// Each is refused before a ball is drawn, and the right order is drawn afterwards.
const WRONG_ORDERS: [Wrong; 12] = [
    (
        "no checkpoint",
        |_, order| order.proof = SealProof::default(),
        "seal_unsigned",
    ),
    (
        "a checkpoint that another key signed",
        |_, order| order.proof.checkpoint = Draw::closed(7).signed_by(&log_key(9)),
        "seal_unsigned",
    ),
    (
        "a checkpoint that was changed",
        |_, order| {
            let at = order.proof.checkpoint.find('\n').unwrap() + 1;
            order.proof.checkpoint.insert(at, '1');
        },
        "seal_unsigned",
    ),
    (
        "half a leaf",
        |_, order| order.proof.leaf.truncate(31),
        "seal_leaf_unreadable",
    ),
    (
        "the seal before the draw closed",
        |_, order| order.proof = Draw::open(7).proof(),
        "seal_not_a_closing",
    ),
    (
        "a later checkpoint",
        |_, order| order.proof = Draw::closed(7).followed().proof(),
        "seal_not_the_last",
    ),
    (
        "a leaf that the log does not hold",
        |_, order| order.proof.leaf[61] ^= 1,
        "seal_not_included",
    ),
    (
        "the seal of another draw",
        |_, order| order.proof = Draw::closed(8).proof(),
        "seal_of_another_draw",
    ),
    (
        "a holder left out",
        |_, order| {
            order.holders.pop();
            order.signatures.pop();
        },
        "holders_differ",
    ),
    (
        "one holder twice",
        |_, order| {
            order.holders[1] = order.holders[0].clone();
            order.signatures[1] = order.signatures[0].clone();
        },
        "holders_differ",
    ),
    (
        "a secret that its holder did not sign for",
        |_, order| order.signatures[0].clear(),
        "not_given_for_this_seal",
    ),
    (
        "a secret given for another seal",
        |house, order| {
            let earlier = Draw::closed(6);
            let sealed = Sealed {
                house: HOUSE,
                draw: 7,
                seal: earlier.seal(),
            };
            let text = sealed.secret(&order.holders[0].commitment);
            order.signatures[0] = house.holders[0].sign(&text);
        },
        "not_given_for_this_seal",
    ),
];

#[test]
fn what_is_wrong_with_an_order_is_named_and_nothing_is_drawn() {
    let house = House::new();
    let right = house.order(&Draw::closed(7));
    for (what, spoil, name) in WRONG_ORDERS {
        let mut order = right.clone();
        spoil(&house, &mut order);
        let refused = house.machine().begin(&order).unwrap_err().to_string();
        assert!(refused.contains(&format!("({name})")), "{what}: {refused}");
        assert_eq!(house.machine.draws(), 0, "{what}");
    }
    collect(&mut house.machine(), &right).unwrap();
    assert_eq!(house.machine.draws(), 1);
}

#[test]
fn a_second_seal_is_refused_forever_by_machine_and_holder() {
    let mut house = House::new();
    let right = house.order(&Draw::closed(7));
    collect(&mut house.machine(), &right).unwrap();
    // A log that was rewritten: the same draw closed elsewhere in it, signed by its own key.
    let second = Draw::closed_in(7, 40);
    for _ in 0..2 {
        let refused = house
            .holder(0)
            .reveal(7, &second.seal(), &second.proof())
            .unwrap_err()
            .to_string();
        assert!(refused.contains("(second_seal)"), "{refused}");
        let mut order = right.clone();
        order.ctx.log_size = second.seal().size;
        order.ctx.seal_root = second.seal().root;
        order.proof = second.proof();
        let sealed = Sealed {
            house: HOUSE,
            draw: 7,
            seal: second.seal(),
        };
        for ((holder, host), line) in order
            .holders
            .iter()
            .zip(&house.holders)
            .zip(&mut order.signatures)
        {
            *line = host.sign(&sealed.secret(&holder.commitment));
        }
        let refused = house.machine().begin(&order).unwrap_err().to_string();
        assert!(refused.contains("(second_seal)"), "{refused}");
        house.machine.kill_and_start();
        house.holders[0].kill_and_start();
    }
    collect(&mut house.machine(), &right).unwrap();
}

#[test]
fn a_secret_that_was_given_before_the_close_draws_nothing() {
    // Whoever has central's keys asks the holders for the secrets by the seal of a log that he made
    // himself, sells while he knows them, and closes: no holder gives them a second time, and no
    // machine draws without that.
    let house = House::new();
    let made_up = Draw::closed_in(7, 3);
    let order = house.order(&made_up);
    let closed = Draw::closed(7);
    for place in 0..2 {
        let refused = house
            .holder(place)
            .reveal(7, &closed.seal(), &closed.proof())
            .unwrap_err()
            .to_string();
        assert!(refused.contains("(second_seal)"), "{refused}");
    }
    let mut later = order.clone();
    later.ctx.log_size = closed.seal().size;
    later.ctx.seal_root = closed.seal().root;
    later.proof = closed.proof();
    let refused = house.machine().begin(&later).unwrap_err().to_string();
    assert!(refused.contains("(not_given_for_this_seal)"), "{refused}");
    // Nor does it help to have the draw declared void first.
    let mut holder = house.holder(0);
    holder.commit(8).unwrap();
    holder.publish_void(8).unwrap();
    let closed = Draw::closed(8);
    let refused = holder
        .reveal(8, &closed.seal(), &closed.proof())
        .unwrap_err()
        .to_string();
    assert!(refused.contains("(draw_void)"), "{refused}");
}

#[test]
fn each_part_answers_what_is_its_own() {
    let house = House::new();
    let reveal = |draw: &Draw| Ask::Reveal {
        draw: 7,
        proof: Proof::from(&draw.proof()),
    };
    let closed = Draw::closed(7);
    for (host, ask, expected) in [
        (&house.machine, Ask::Commit { draw: 7 }, "not_this_part"),
        (&house.machine, reveal(&closed), "not_this_part"),
        (
            &house.machine,
            Ask::PublishVoid { draw: 7 },
            "not_this_part",
        ),
        (&house.holders[0], reveal(&closed), "draw_unknown"),
        (
            &house.holders[0],
            reveal(&Draw::open(7)),
            "seal_not_a_closing",
        ),
        (
            &house.holders[0],
            reveal(&Draw::closed(8)),
            "seal_of_another_draw",
        ),
        (
            &house.holders[0],
            Ask::PublishVoid { draw: 7 },
            "draw_unknown",
        ),
    ] {
        match host.at().answer(&ask).unwrap() {
            Answer::Refused(Refused { name, .. }) => assert_eq!(name, expected, "{ask:?}"),
            other => panic!("{ask:?}: {other:?}"),
        }
    }
    let state: Answer = house.holders[1].at().answer(&Ask::State).unwrap();
    let expected = Answer::State {
        part: "holder".to_owned(),
        name: "audit".to_owned(),
        draws: 0,
        healthy: true,
    };
    assert_eq!(state, expected);
}

#[test]
fn settings_that_still_give_secrets_into_escrow_are_refused_by_name() {
    let mut house = House::new();
    let holder = &mut house.holders[1];
    holder.kill();
    let settings = holder.folder.join("host.toml");
    let text = std::fs::read_to_string(&settings).unwrap();
    let escrow = format!("escrow = [\"{}\"]\n{text}", holder.key);
    std::fs::write(&settings, escrow).unwrap();
    let (code, _, words) = program(&["serve", "--settings", settings.to_str().unwrap()]);
    assert_eq!(code, Some(1));
    assert!(words.contains("unknown field `escrow`"), "{words}");
}

/// What a machine in this process answers: the balls, or the name of its refusal.
fn asked(machine: &mut MachinePart, order: &DrawOrder) -> Result<Vec<u8>, String> {
    let (mut balls, mut refused) = (Vec::new(), None);
    machine
        .answer(Ask::Draw(order_of(order)), &mut |answer| {
            match answer {
                Answer::Ball { number, .. } => balls.push(number),
                Answer::Refused(Refused { name, .. }) => refused = Some(name),
                _ => {}
            }
            Ok(())
        })
        .unwrap();
    refused.map_or(Ok(balls), Err)
}

#[test]
fn a_draw_that_closed_long_ago_is_never_drawn_whatever_the_clock_says_afterwards() {
    const HOUR_MS: i64 = 3_600_000;
    let house = House::new();
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(AtomicI64::new(0));
    let open = || {
        let now = Arc::clone(&clock);
        let key = HostKey::from_seed("draw-room", [4; 32]).unwrap();
        let log = log_key(1).verifying_key().clone();
        let clock = Arc::new(move || now.load(Ordering::Relaxed));
        MachinePart::open(folder.path(), HOUSE, key, log, house.givers(), clock).unwrap()
    };
    let (drawn, late, ahead) = (Draw::closed(5), Draw::closed(6), Draw::closed(7));
    let closed_ms = late.closed_at_ms();
    let orders = [&drawn, &late, &ahead].map(|draw| house.order(draw));
    let set = |ms: i64| clock.store(closed_ms + ms, Ordering::Relaxed);
    let mut machine = open();

    set(HOUR_MS);
    let balls = asked(&mut machine, &orders[0]).unwrap();
    set(25 * HOUR_MS);
    assert_eq!(
        asked(&mut machine, &orders[1]),
        Err("seal_expired".to_owned())
    );
    // The clock is put back, the machine is started again: it stays so.
    set(HOUR_MS);
    assert_eq!(
        asked(&mut machine, &orders[1]),
        Err("seal_expired".to_owned())
    );
    drop(machine);
    let mut machine = open();
    assert_eq!(
        asked(&mut machine, &orders[1]),
        Err("seal_expired".to_owned())
    );
    // What is on record is answered however old it is.
    set(1_000 * HOUR_MS);
    assert_eq!(asked(&mut machine, &orders[0]), Ok(balls));
    // A clock that is behind refuses, and nothing is kept of it: once it is right the draw is drawn.
    set(-HOUR_MS);
    assert_eq!(
        asked(&mut machine, &orders[2]),
        Err("clocks_differ".to_owned())
    );
    set(HOUR_MS);
    assert_eq!(asked(&mut machine, &orders[2]).unwrap().len(), 20);
}

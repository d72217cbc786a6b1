//! Somebody who owns the database, while the house runs. What decides about cash are the leaves: a
//! row that is lent, edited, moved or taken away is refused or has no effect, and whatever was paid
//! on it before is named.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use crate::support::{House, slip, straight, wait, whole_pool};
use diesel::prelude::*;
use keno_game::DrawState;
use keno_house_builder::without_guards;
use keno_log::leaf::body_commitment;
use keno_log::{Event, Leaf};
use keno_record::sequencer::Lane;
use keno_record::store::leaves::event_at;
use keno_record::store::log;
use keno_schema::tables::key_page;
use keno_schema::{Connection, on};
use keno_service::Stop;
use keno_service::authority::identity::Caller;
use keno_service::counter::{Named, Paper, PayOrder, Sold, TicketPicture, TillContents};
use keno_service::draw::Draw;
use keno_service::maintenance::{Finding, rebuild, verify};

/// Runs statements, each of which must be taken.
fn run(connection: &mut Connection, statements: &[&str]) {
    for statement in statements {
        let statement = *statement;
        let done = on!(&mut *connection, c => diesel::sql_query(statement).execute(c));
        assert!(done.is_ok(), "{statement}: {done:?}");
    }
}

/// A house of which every ticket's fate is known.
struct Day {
    house: House,
    clerk: Caller,
    /// Won in `draw`, and is not paid.
    winner: Sold,
    /// Won nothing in it.
    loser: Sold,
    /// Won, and was paid; leaf of the payment.
    paid: (Sold, u64),
    /// Won, was paid and was not handed over.
    reversed: (Sold, u64),
    /// Won, and two people are to pay it.
    refused: Sold,
    /// Won, has a duplicate.
    copied: Sold,
    /// Sold for a draw to come, and cancelled.
    cancelled: Sold,
    /// Was in a draw that is void.
    void: Sold,
    draw: u64,
}

impl Day {
    fn new(database: Option<&str>) -> Self {
        let house = House::new(database);
        let clerk = house.clerk(1, "C1");
        let draw = house.next_draw();
        let sold = whole_pool(&house, &clerk, 1);
        let chances: Vec<Sold> = (0..40_u8)
            .map(|n| house.sell(&clerk, slip(vec![straight(&[n + 1, n + 2, n + 3], 100)], 1)))
            .collect();
        for sold in &chances {
            house.confirm(&clerk, sold);
        }
        house.until_settled(draw);
        let is_due = |sold: &&Sold| cents(&house, &house.paper(sold)) > 0;
        let mut winners = sold.iter().filter(is_due).cloned();
        let loser = chances.iter().find(|it| !is_due(it)).unwrap().clone();
        let mut next = || winners.next().unwrap();
        let (winner, paid, reversed, refused, copied) = (next(), next(), next(), next(), next());
        let day = |sold: &Sold| {
            let paper = house.paper(sold);
            let shown = cents(&house, &paper);
            wait(order(&house, &clerk, paper, draw, shown, true).pay(&house.central, &clerk))
                .unwrap()
                .leaf
        };
        let (first, second) = (day(&paid), day(&reversed));
        let s1 = house.person("S1");
        wait(clerk.reverse_payment(&house.central, &s1, second, "joueur parti")).unwrap();
        let paper = Named::from(&house.paper(&refused));
        wait(paper.refuse_patron(&house.central, &clerk, "minor")).unwrap();
        let paper = Named::from(&house.paper(&copied));
        wait(paper.duplicate(&house.central, &clerk, &s1, "mouillé")).unwrap();

        let to_come = house.sell(&clerk, slip(vec![straight(&[1], 100)], 1));
        house.cancel(&clerk, &to_come).unwrap();
        let void = house.sell(&clerk, slip(vec![straight(&[1], 300)], 1));
        house.confirm(&clerk, &void);
        let last = void.sold.first_draw;
        house.until_closed(last);
        Draw(last)
            .void(&house.central, "essai", "S1", "S2")
            .unwrap();
        Self {
            clerk,
            winner,
            loser,
            paid: (paid, first),
            reversed: (reversed, second),
            refused,
            copied,
            cancelled: to_come,
            void,
            draw,
            house,
        }
    }

    fn connection(&self) -> Connection {
        self.house.record().open_writer().unwrap()
    }

    /// Somebody with the database's own tools.
    fn tamper(&self, statements: &[String]) {
        let statements: Vec<&str> = statements.iter().map(String::as_str).collect();
        without_guards(&mut self.connection(), |connection| {
            run(connection, &statements);
            Ok(())
        })
        .unwrap();
    }

    fn tamper_rows(&self, statements: &[&str]) {
        run(&mut self.connection(), statements);
    }

    fn bytes(&self, bytes: &[u8]) -> String {
        let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        match self.house.database {
            Some(_) => format!("'\\x{text}'::bytea"),
            None => format!("x'{text}'"),
        }
    }

    fn pay(&self, paper: &Paper, draw: u64, shown: i64, two: bool) -> String {
        let order = order(&self.house, &self.clerk, paper.clone(), draw, shown, two);
        said(wait(order.pay(&self.house.central, &self.clerk)).map(drop))
    }

    /// Pays what central itself would show.
    fn pay_all(&self, sold: &Sold) -> String {
        let paper = self.house.paper(sold);
        self.pay(
            &paper,
            sold.sold.first_draw,
            cents(&self.house, &paper),
            true,
        )
    }

    fn cancel(&self, sold: &Sold) -> String {
        said(self.house.cancel(&self.clerk, sold).map(drop))
    }

    fn reverse(&self, payment: u64) -> String {
        let second = self.house.person("S1");
        let reversed = self
            .clerk
            .reverse_payment(&self.house.central, &second, payment, "encore");
        said(wait(reversed).map(drop))
    }

    fn leaves(&self) -> u64 {
        log::count(&mut self.connection()).unwrap()
    }

    /// The sale of a ticket with another wager, with hashes that go together.
    fn dearer(&self, ticket: u64) -> String {
        let mut connection = self.connection();
        let row = log::entry(&mut connection, ticket).unwrap().unwrap();
        let (entry, _) = log::checked_entry(&row).unwrap();
        let Event::TicketSold(mut sold) = entry.event().unwrap() else {
            panic!("leaf {ticket} is no sale")
        };
        for selection in &mut sold.selections {
            selection.conditioning[0].wager_cents *= 10;
        }
        let body = Event::from(sold).encode();
        let leaf = Leaf {
            header: entry.leaf.header,
            commitment: body_commitment(&entry.nonce, &body),
        };
        format!(
            "UPDATE log_entry SET body = {}, leaf = {}, leaf_hash = {} WHERE leaf_index = {ticket}",
            self.bytes(&body),
            self.bytes(&leaf.to_bytes()),
            self.bytes(&leaf.hash()),
        )
    }

    /// A leaf as it is, to be put back.
    fn as_it_is(&self, leaf: u64) -> String {
        let row = log::entry(&mut self.connection(), leaf).unwrap().unwrap();
        format!(
            "UPDATE log_entry SET body = {}, leaf = {}, leaf_hash = {} WHERE leaf_index = {leaf}",
            self.bytes(&row.body),
            self.bytes(&row.leaf),
            self.bytes(&row.leaf_hash),
        )
    }

    fn verified(&self) -> Vec<Finding> {
        let anchors = [self.house.path().join("anchors.log")];
        let judged = verify(&mut self.connection(), &anchors, &self.house.path());
        judged.unwrap().findings
    }
}

fn cents(house: &House, paper: &Paper) -> i64 {
    let row = paper.find(&house.central).unwrap().unwrap();
    let picture = TicketPicture::of(&house.central, row).unwrap();
    picture.payable().map(|due| due.payable_cents).sum()
}

fn order(
    house: &House,
    clerk: &Caller,
    paper: Paper,
    draw: u64,
    shown: i64,
    two: bool,
) -> PayOrder {
    PayOrder {
        counter: house.next_counter(),
        session: clerk.session,
        paper: paper.into(),
        items: vec![(draw, shown)],
        second: two.then(|| house.person("S1")),
    }
}

fn said(outcome: Result<(), Stop>) -> String {
    match outcome {
        Ok(()) => "done".to_owned(),
        Err(Stop::Refused(refusal)) => refusal.name().to_owned(),
        Err(fault) => format!("{fault:?}"),
    }
}

/// What somebody does to the rows, what they then ask for, and what they are told.
type Attack<'a> = (Vec<String>, Box<dyn Fn() -> String + 'a>, &'static str);

fn attacks(day: &Day) -> Vec<Attack<'_>> {
    let sql = |text: &str, numbers: &[u64]| {
        let mut text = text.to_owned();
        for number in numbers {
            text = text.replacen('?', &number.to_string(), 1);
        }
        text.split(';')
            .map(|it| it.trim().to_owned())
            .collect::<Vec<_>>()
    };
    let (draw, winner) = (day.draw, day.winner.ticket);
    let ((paid, payment), (_, reversal)) = (&day.paid, &day.reversed);
    let pay = |sold: &'_ Sold, shown: i64| {
        let paper = day.house.paper(sold);
        Box::new(move || day.pay(&paper, draw, shown, true)) as Box<dyn Fn() -> String>
    };
    let owed = cents(&day.house, &day.house.paper(&day.winner));
    let was_paid = match event_at(&mut day.connection(), *payment).unwrap().0 {
        Event::PrizePaid(body) => body.total_cents,
        other => panic!("{other:?}"),
    };
    let fact = |text: &str, sold: &Sold| sql(text, &[sold.ticket]);
    let without_payment = "DELETE FROM payment_item WHERE payment = ?; \
                           DELETE FROM payment WHERE number = ?; \
                           DELETE FROM ticket_fact WHERE leaf = ?";
    let refused = day.house.paper(&day.refused);
    let shown = cents(&day.house, &refused);
    let old_paper = day.house.paper_copy(&day.copied, 1);
    let old_shown = cents(&day.house, &day.house.paper_copy(&day.copied, 2));
    vec![
        // A payment of which rows are taken away, one after the other.
        (
            sql("DELETE FROM payment_item WHERE payment = ?", &[*payment]),
            pay(paid, was_paid),
            "ticket_doubtful",
        ),
        (
            sql(without_payment, &[*payment; 3]),
            pay(paid, was_paid),
            "ticket_doubtful",
        ),
        (
            // The number of facts is right: one of a neighbour's stands for it.
            sql(
                &format!(
                    "{without_payment}; UPDATE ticket_fact SET ticket = ? WHERE leaf = \
                 (SELECT max(leaf) FROM ticket_fact WHERE ticket = ?)"
                ),
                &[*payment, *payment, *payment, paid.ticket, winner],
            ),
            pay(paid, was_paid),
            "ticket_doubtful",
        ),
        (
            sql(
                "UPDATE payment_item SET reversed = payment WHERE payment = ?; \
                 UPDATE payment SET reversed_leaf = number + 1 WHERE number = ?",
                &[*payment; 2],
            ),
            pay(paid, was_paid),
            "ticket_doubtful",
        ),
        (
            // What was paid of another draw of nobody.
            sql(
                "DELETE FROM payment_item WHERE payment = ?; \
                 INSERT INTO payment_item (payment, draw, ticket, kind, amount_cents, reversed) \
                 VALUES (?, ?, ?, 1, 100, 0)",
                &[*reversal, *reversal, draw, winner],
            ),
            pay(&day.winner, owed),
            "ticket_doubtful",
        ),
        // A payment that somebody says was undone already, or was of more.
        (
            sql(
                "UPDATE payment_item SET reversed = 0 WHERE payment = ?; \
                 UPDATE payment SET reversed_leaf = NULL WHERE number = ?; \
                 DELETE FROM ticket_fact WHERE leaf = (SELECT max(leaf) FROM ticket_fact WHERE ticket = ?)",
                &[*reversal, *reversal, day.reversed.0.ticket],
            ),
            Box::new(|| day.reverse(*reversal)),
            "ticket_doubtful",
        ),
        (
            sql(
                "UPDATE payment SET total_cents = total_cents + 100000 WHERE number = ?",
                &[*payment],
            ),
            Box::new(|| day.reverse(*payment)),
            "ticket_doubtful",
        ),
        // The price given back once more.
        (
            fact(
                "UPDATE ticket SET state = 1 WHERE number = ?",
                &day.cancelled,
            ),
            Box::new(|| day.cancel(&day.cancelled)),
            "ticket_doubtful",
        ),
        (
            sql(
                "UPDATE ticket SET state = 1 WHERE number = ?; DELETE FROM ticket_fact WHERE ticket = ?",
                &[day.cancelled.ticket; 2],
            ),
            Box::new(|| day.cancel(&day.cancelled)),
            "ticket_doubtful",
        ),
        // One person pays what two are to pay.
        (
            sql(
                "DELETE FROM ticket_fact WHERE leaf = (SELECT max(leaf) FROM ticket_fact WHERE ticket = ?)",
                &[day.refused.ticket],
            ),
            Box::new(move || day.pay(&refused, draw, shown, false)),
            "ticket_doubtful",
        ),
        // A paper that a duplicate has replaced.
        (
            fact("UPDATE ticket SET copy = 1 WHERE number = ?", &day.copied),
            Box::new(move || day.pay(&old_paper, draw, old_shown, true)),
            "copy_replaced",
        ),
        // A ticket of a void draw is for one more. Its price stands in no row.
        (
            fact(
                "UPDATE ticket SET last_draw = last_draw + 1 WHERE number = ?",
                &day.void,
            ),
            Box::new(|| {
                day.pay(
                    &day.house.paper(&day.void),
                    day.void.sold.first_draw,
                    900_000,
                    true,
                )
            }),
            "ticket_doubtful",
        ),
        // And the leaf itself, with hashes that go together: its row says nothing of the wagers.
        (
            vec![day.dearer(winner)],
            pay(&day.winner, owed * 10),
            "ticket_doubtful",
        ),
    ]
}

fn on_both(test: fn(&mut Day)) {
    test(&mut Day::new(None));
    let database = keno_testing::empty_postgres_database().unwrap();
    test(&mut Day::new(Some(database.address())));
}

#[test]
fn rows_that_somebody_wrote_move_no_cash() {
    on_both(|day| {
        let all = attacks(day).len();
        for at in 0..all {
            let (statements, asks, told) = attacks(day).swap_remove(at);
            let back: Vec<String> = [day.winner.ticket].map(|leaf| day.as_it_is(leaf)).to_vec();
            let leaves = day.leaves();
            day.tamper(&statements);
            assert_eq!(asks(), told, "{statements:?}");
            assert_eq!(day.leaves(), leaves, "{statements:?}");
            assert_ne!(day.verified(), [], "{statements:?}");
            day.tamper(&back);
            rebuild(&mut day.connection()).unwrap();
            assert_eq!(day.verified(), [], "{statements:?}");
        }
        // As the rows are again, what is owed is paid, and once.
        for sold in [&day.winner, &day.reversed.0, &day.refused, &day.void] {
            assert_eq!(day.pay_all(sold), "done");
            assert_eq!(day.pay_all(sold), "already_paid");
        }
        assert_eq!(day.verified(), []);
        day.house.audit_holds();
    });
}

/// An honest holder is told what is so, or that nobody can say: never that the paper won nothing or
/// was replaced, because somebody wrote a row.
#[test]
fn a_row_that_somebody_wrote_tells_nobody_what_is_not_so() {
    on_both(|day| {
        let winner = day.winner.ticket;
        let paper = day.house.paper(&day.winner);
        let told = || {
            let row = paper.find(&day.house.central)?;
            let picture = TicketPicture::of(&day.house.central, row.unwrap())?;
            Ok::<_, keno_service::Fault>(picture.verdict(&day.house.central).name())
        };
        assert_eq!(told().unwrap(), "winner");
        day.tamper(&[format!(
            "UPDATE ticket SET copy = 2, state = 2, last_draw = last_draw + 1 WHERE number = {winner}"
        )]);
        assert_eq!(told().unwrap(), "winner");
    });
}

/// What looks like a table and says one fact twice, so that their number is right.
#[test]
fn a_fact_that_is_told_twice_counts_once() {
    on_both(|day| {
        let (ticket, payment) = (day.paid.0.ticket, day.paid.1);
        let owed = match event_at(&mut day.connection(), payment).unwrap().0 {
            Event::PrizePaid(body) => body.total_cents,
            other => panic!("{other:?}"),
        };
        let print = format!(
            "(SELECT min(leaf) FROM ticket_fact_kept WHERE ticket = {ticket} AND leaf <> {payment})"
        );
        // The triggers go with the table that is set aside.
        day.tamper_rows(&[
            &format!("DELETE FROM payment_item WHERE payment = {payment}"),
            &format!("DELETE FROM payment WHERE number = {payment}"),
            "ALTER TABLE ticket_fact RENAME TO ticket_fact_kept",
            "ALTER TABLE log_entry RENAME TO log_entry_kept",
            &format!(
                "CREATE VIEW ticket_fact AS SELECT * FROM ticket_fact_kept \
                 WHERE leaf <> {payment} UNION ALL SELECT * FROM ticket_fact_kept WHERE leaf = {print}"
            ),
            &format!(
                "CREATE VIEW log_entry AS SELECT * FROM log_entry_kept \
                 UNION ALL SELECT * FROM log_entry_kept WHERE leaf_index = {print}"
            ),
        ]);
        let paper = day.house.paper(&day.paid.0);
        assert_eq!(day.pay(&paper, day.draw, owed, true), "ticket_doubtful");
        day.tamper_rows(&[
            "DROP VIEW log_entry",
            "DROP VIEW ticket_fact",
            "ALTER TABLE log_entry_kept RENAME TO log_entry",
            "ALTER TABLE ticket_fact_kept RENAME TO ticket_fact",
        ]);
        rebuild(&mut day.connection()).unwrap();
        assert_eq!(day.pay(&paper, day.draw, owed, true), "already_paid");
        assert_eq!(day.verified(), []);
    });
}

/// A key of a session that has ended is known by its leaf.
#[test]
fn a_key_is_answered_by_the_leaf_that_answered_it() {
    on_both(|day| {
        let paid = event_at(&mut day.connection(), day.paid.1).unwrap().0;
        let Event::PrizePaid(paid) = paid else {
            panic!("{paid:?}")
        };
        let again = || {
            let mut order = order(
                &day.house,
                &day.clerk,
                day.house.paper(&day.paid.0),
                day.draw,
                paid.total_cents,
                true,
            );
            order.counter = paid.key.counter;
            said(wait(order.pay(&day.house.central, &day.clerk)).map(drop))
        };
        assert_eq!(again(), "done", "the answer of the same command");
        wait(
            day.clerk
                .close_shift(&day.house.central, TillContents::cash(0), None),
        )
        .unwrap();
        wait(day.clerk.sign_off(&day.house.central)).unwrap();
        assert_eq!(again(), "done");
        // The page of its keys names another leaf for it.
        let (own, other) = (day.paid.1.to_be_bytes(), day.reversed.1.to_be_bytes());
        let pages: Vec<Vec<u8>> = on!(&mut day.connection(), c => key_page::table
            .filter(key_page::session.eq(i64::try_from(paid.key.session).unwrap()))
            .select(key_page::keys)
            .load(c))
        .unwrap();
        let [page] = &pages[..] else {
            panic!("{} pages", pages.len())
        };
        let mut changed = page.clone();
        let place = changed.chunks(10).position(|key| key[2..] == own).unwrap();
        changed[10 * place + 2..10 * place + 10].copy_from_slice(&other);
        let changed = day.bytes(&changed);
        let session = paid.key.session;
        day.tamper(&[format!(
            "UPDATE key_page SET keys = {changed} WHERE session = {session}"
        )]);
        assert_eq!(again(), "ticket_doubtful");
        // A page that is gone does not make a command unknown, to whoever asks or closes its key.
        day.tamper(&[format!("DELETE FROM key_page WHERE session = {session}")]);
        assert_eq!(again(), "ticket_doubtful");
        let central = &day.house.central;
        let asked = || {
            let device = &day.clerk.device;
            device.ask_key(central, None, session, paid.key.counter)
        };
        assert!(matches!(asked(), Err(Stop::Broke(_))), "{:?}", asked());
        let close = day
            .clerk
            .close_key(central, None, session, paid.key.counter);
        assert_eq!(said(wait(close).map(drop)), "ticket_doubtful");
        rebuild(&mut day.connection()).unwrap();
        assert_eq!(again(), "done");
        assert_eq!(asked().unwrap().leaf, Some(day.paid.1));
    });
}

#[test]
fn a_draw_that_has_left_the_memory_is_paid_by_its_leaves() {
    on_both(|day| {
        let draw = day.draw;
        let owed = cents(&day.house, &day.house.paper(&day.winner));
        // Forty finished draws stay in memory.
        let last = day.house.next_draw() + 45;
        for number in day.house.next_draw()..=last {
            day.house.until_settled(number);
        }
        assert!(!day.house.central.view.get().draws.contains_key(&draw));
        let paper = day.house.paper(&day.winner);
        let void = u16::from(DrawState::Void.code());
        for (statement, told) in [
            // Where its leaves are is all that is believed of its rows.
            (
                format!(
                    "UPDATE draw_settlement SET leaf = (SELECT leaf FROM draw_settlement WHERE draw = {last}) WHERE draw = {draw}"
                ),
                "ticket_doubtful",
            ),
            (
                format!(
                    "UPDATE draw_result SET recorded_leaf = (SELECT recorded_leaf FROM draw_result WHERE draw = {last}) WHERE draw = {draw}"
                ),
                "ticket_doubtful",
            ),
            (
                format!(
                    "UPDATE draw SET state = {void}, voided_leaf = (SELECT max(voided_leaf) FROM draw) WHERE number = {draw}"
                ),
                "ticket_doubtful",
            ),
            (
                format!("DELETE FROM draw_settlement WHERE draw = {draw}"),
                "ticket_doubtful",
            ),
            (
                format!("UPDATE draw_settlement SET small_numerator = 0 WHERE draw = {draw}"),
                "done",
            ),
        ] {
            let leaves = day.leaves();
            day.tamper(std::slice::from_ref(&statement));
            assert_eq!(day.pay(&paper, draw, owed, true), told, "{statement}");
            assert_eq!(
                day.leaves(),
                leaves + u64::from(told == "done"),
                "{statement}"
            );
            rebuild(&mut day.connection()).unwrap();
        }
        assert_eq!(day.verified(), []);
        day.house.audit_holds();
    });
}

/// Whoever wrote such a leaf with another program: the record says what was not owed.
#[test]
fn a_payment_of_what_was_not_owed_is_named_and_one_made_twice_stops_a_rebuild() {
    on_both(|day| {
        // The payment of this day once more, of a ticket.
        let record = |ticket: u64| {
            let (event, _) = event_at(&mut day.connection(), day.paid.1).unwrap();
            let Event::PrizePaid(mut body) = event else {
                panic!("{event:?}")
            };
            body.key.counter = day.house.next_counter();
            body.ticket = ticket;
            let sequencer = &day.house.central.sequencer;
            sequencer.submit_blocking(Lane::Money, move |judge| {
                Ok::<_, Stop>(judge.record(body.clone())?)
            })
        };
        let leaf = record(day.loser.ticket).unwrap();
        let named = day.verified();
        assert!(
            matches!(&named[..], [Finding::Payment { index, .. }] if *index == leaf),
            "{named:?}"
        );
        rebuild(&mut day.connection()).unwrap();
        // The tables themselves refuse the second payment of a draw.
        let (ticket, payment) = (day.paid.0.ticket, day.paid.1);
        assert!(record(ticket).is_err());
        day.tamper(&[format!(
            "DELETE FROM payment_item WHERE payment = {payment}"
        )]);
        let twice = record(ticket).unwrap();
        let named = day.verified();
        assert!(
            named
                .iter()
                .any(|it| matches!(it, Finding::Leaf { index, what }
                if *index == twice && what.contains("a second time"))),
            "{named:?}"
        );
        let fault = rebuild(&mut day.connection()).unwrap_err().to_string();
        assert!(
            fault.starts_with(&format!("leaf {twice}: it pays draw")),
            "{fault}"
        );
    });
}

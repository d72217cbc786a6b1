//! Acting supervisors: named by two administrators, made so for one business day, and never judges
//! of what they sold. On both databases; the second computation reads each record.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use crate::support::{House, assert_same, slip, straight, wait};
use keno_log::event::DamagedReading;
use keno_record::roles::Role;
use keno_service::authority::identity::Caller;
use keno_service::counter::{FileDecision, FileOrder, Fragment, Named, Paper, PayOrder, Sold};
use keno_service::draw::{Conductor, Draw};
use keno_service::staff::{Badge, NewPerson, Origin, Recognised};
use keno_service::{Stop, staff};

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;

fn on_both(test: impl Fn(&House)) {
    let run = |house: House| {
        test(&house);
        // Of a draw that was void before it closed, rows hold no totals.
        let kept = |lines: Vec<String>| -> Vec<String> {
            let is_kept = |line: &String| !line.starts_with("draw ");
            lines.into_iter().filter(is_kept).collect()
        };
        let (here, there) = (kept(house.remembered()), kept(house.recovered()));
        assert_same(&here, &there, "after a start");
        house.audit_holds();
    };
    run(House::new(None));
    let database = keno_testing::empty_postgres_database().unwrap();
    run(House::new(Some(database.address())));
}

#[track_caller]
fn refused<T: std::fmt::Debug>(outcome: Result<T, Stop>, name: &str) {
    match outcome {
        Err(Stop::Refused(refusal)) => assert_eq!(refusal.name(), name),
        other => panic!("expected {name}, got {other:?}"),
    }
}

fn record(house: &House, badge: &str, roles: &[Role]) {
    let person = NewPerson::of(badge, roles, "582917");
    person.record(&house.central, "X1", "X2").unwrap();
}

/// The roles that count for a badge at this moment.
fn roles(house: &House, badge: &str) -> Vec<u8> {
    staff::staff_of(&house.central, &house.central.view.get()).roles(badge)
}

fn recognised(house: &House, badge: &str) -> Recognised {
    Recognised {
        badge: badge.to_owned(),
        roles: roles(house, badge),
        credential: None,
    }
}

/// A caller with the roles that count at this moment.
fn now(house: &House, caller: &Caller) -> Caller {
    Caller {
        roles: roles(house, &caller.badge),
        ..caller.clone()
    }
}

#[test]
fn two_administrators_name_and_a_supervisor_or_the_cage_with_another_make() {
    on_both(|house| {
        let central = &house.central;
        record(house, "G1", &[Role::Cage]);
        record(house, "T1", &[Role::Technician]);
        let size = central.view.get().log_size;
        for (badge, by, second, name) in [
            ("C1", "X1", "X1", "same_person_twice"),
            ("C1", "X1", "S1", "second_person_refused"),
            ("C1", "S1", "X1", "wrong_role"),
            ("N1", "X1", "X2", "record_unknown"),
            ("A1", "X1", "X2", "cannot_act"),
            ("X2", "X1", "X2", "cannot_act"),
            ("T1", "X1", "X2", "cannot_act"),
            ("S1", "X1", "X2", "cannot_act"),
        ] {
            refused(Badge(badge).name_acting(central, true, by, second), name);
        }
        refused(
            Badge("C1").name_acting(central, false, "X1", "X2"),
            "not_named_to_act",
        );
        refused(
            Badge("C1").make_acting(central, "S1", None),
            "not_named_to_act",
        );
        assert_eq!(
            central.view.get().log_size,
            size,
            "a refusal leaves no trace"
        );
        let named = Badge("C1").name_acting(central, true, "X1", "X2").unwrap();
        let again = Badge("C1").name_acting(central, true, "X2", "X1").unwrap();
        assert_eq!(again, named, "a repetition writes no second leaf");
        for (by, second, name) in [
            ("C2", None, "wrong_role"),
            ("X1", None, "wrong_role"),
            ("C1", None, "same_person_twice"),
            ("G1", None, "second_person_needed"),
            ("G1", Some("G1"), "same_person_twice"),
            ("G1", Some("C1"), "same_person_twice"),
            ("G1", Some("A1"), "second_person_refused"),
            ("G1", Some("X1"), "second_person_refused"),
        ] {
            refused(Badge("C1").make_acting(central, by, second), name);
        }
        assert_eq!(roles(house, "C1"), [1]);
        let made = Badge("C1").make_acting(central, "G1", Some("C2")).unwrap();
        assert_eq!(Badge("C1").make_acting(central, "S1", None).unwrap(), made);
        assert_eq!(roles(house, "C1"), [1, 2]);
        assert_eq!(central.view.get().people["C1"].roles, [1], "as recorded");
        // Whoever acts is a supervisor where one is asked, and makes nobody act.
        record(house, "C3", &[Role::Clerk]);
        Badge("C3").reset_pin(central, "C1", "G1").unwrap();
        Badge("C2").name_acting(central, true, "X1", "X2").unwrap();
        refused(Badge("C2").make_acting(central, "C1", None), "wrong_role");
        // Nobody is given by it what excludes a supervisor.
        refused(
            Badge("S1").reset_pin(central, "C1", "G1").map(|_| 0),
            "pin_not_reset",
        );
    });
}

#[test]
fn it_ends_with_the_business_day_and_with_any_change() {
    on_both(|house| {
        let central = &house.central;
        record(house, "C3", &[Role::Clerk]);
        Badge("C1").name_acting(central, true, "X1", "X2").unwrap();
        Badge("C1").make_acting(central, "S1", None).unwrap();
        Badge("C3").reset_pin(central, "C1", "S1").unwrap();
        // A minute before midnight no request begins any more that could end on the next day.
        house.clock.advance(12 * HOUR_MS - 2 * MINUTE_MS);
        assert_eq!(roles(house, "C1"), [1, 2]);
        house.clock.advance(MINUTE_MS + 1_000);
        assert_eq!(roles(house, "C1"), [1]);
        house.clock.advance(MINUTE_MS);
        assert_eq!(roles(house, "C1"), [1]);
        // Asked of the writer at once, whatever the door said before.
        refused(
            Badge("C3").reset_pin(central, "C1", "S1").map(|_| 0),
            "wrong_role",
        );
        let next = Badge("C1").make_acting(central, "S1", None).unwrap();
        assert_eq!(roles(house, "C1"), [1, 2]);
        // The owner's own change leaves the naming; that of two administrators does not.
        recognised(house, "C1")
            .choose_pin(central, "582917", "693028", Origin::Console)
            .unwrap();
        assert_eq!(roles(house, "C1"), [1]);
        assert!(Badge("C1").make_acting(central, "S1", None).unwrap() > next);
        assert_eq!(roles(house, "C1"), [1, 2]);
        record(house, "C1", &[Role::Clerk]);
        assert_eq!(roles(house, "C1"), [1]);
        refused(
            Badge("C1").make_acting(central, "S1", None),
            "not_named_to_act",
        );
        // Taken back by two administrators.
        Badge("C1").name_acting(central, true, "X1", "X2").unwrap();
        Badge("C1").make_acting(central, "S1", None).unwrap();
        Badge("C1").name_acting(central, false, "X1", "X2").unwrap();
        assert_eq!(roles(house, "C1"), [1]);
        refused(
            Badge("C1").make_acting(central, "S1", None),
            "not_named_to_act",
        );
        // Withdrawn while acting.
        Badge("C1").name_acting(central, true, "X1", "X2").unwrap();
        Badge("C1").make_acting(central, "S1", None).unwrap();
        Badge("C1").withdraw(central, "X1", "X2").unwrap();
        assert_eq!(roles(house, "C1"), [0_u8; 0]);
    });
}

/// A role that excludes a supervisor, on another badge of the same human, keeps them from acting.
#[test]
fn who_may_not_be_a_supervisor_does_not_act() {
    on_both(|house| {
        let central = &house.central;
        record(house, "M1", &[Role::Marker]);
        Badge("M1").name_acting(central, true, "X1", "X2").unwrap();
        Badge("M1").make_acting(central, "S1", None).unwrap();
        assert_eq!(roles(house, "M1"), [2, 4]);
        let mut other = NewPerson::of("T1", &[Role::Technician], "582917");
        other.staff = "M1";
        other.record(&house.central, "X1", "X2").unwrap();
        house.clock.advance(12 * HOUR_MS + MINUTE_MS);
        refused(Badge("M1").make_acting(central, "S1", None), "cannot_act");
    });
}

fn refund(house: &House, by: &Caller, sold: &Sold, second: Option<&str>) -> PayOrder {
    PayOrder {
        counter: house.next_counter(),
        session: by.session,
        paper: house.paper(sold).into(),
        items: vec![(sold.sold.first_draw, sold.sold.per_draw_cents)],
        second: second.map(|badge| recognised(house, badge)),
    }
}

fn reading_of(sold: &Sold) -> DamagedReading {
    DamagedReading {
        first_draw: Some(sold.sold.first_draw),
        last_draw: Some(sold.sold.last_draw),
        total_cents: Some(sold.sold.total_cents),
        sold_at: Some(sold.sold.key.device),
        numbers: vec![7],
    }
}

/// Unpaid, duplicates, releases, payments, reversals, readings, late presentations and files: about
/// what somebody else sold an acting supervisor is the second person, and never about their own.
#[test]
fn nobody_judges_what_they_sold() {
    on_both(|house| {
        let central = &house.central;
        let seller = house.clerk(1, "C1");
        let other = house.clerk(2, "C2");
        Badge("C1").name_acting(central, true, "X1", "X2").unwrap();
        Badge("C1").make_acting(central, "S1", None).unwrap();
        let ticket = |by: &Caller| {
            let sold = house.sell(by, slip(vec![straight(&[7], 100)], 1));
            house.confirm(by, &sold);
            sold
        };
        let draw = house.next_draw();
        let (own, unpaid) = (ticket(&seller), ticket(&other));
        let theirs = ticket(&other);
        // The paper of another ticket never came out.
        let mute = |by: &Caller| house.sell(by, slip(vec![straight(&[8], 100)], 1));
        let (own_mute, their_mute) = (mute(&seller), mute(&other));

        let mark = |sold: &Sold| {
            wait(Named::from(house.paper(sold)).mark_unpaid(
                central,
                &other,
                &recognised(house, "C1"),
            ))
        };
        refused(mark(&own), "acting_own_sale");
        mark(&unpaid).unwrap();
        let copy = |sold: &Sold| {
            wait(Named::from(house.paper(sold)).duplicate(
                central,
                &other,
                &recognised(house, "C1"),
                "taché",
            ))
        };
        refused(copy(&own), "acting_own_sale");
        copy(&theirs).unwrap();
        // As the clerk that they are, beside a supervisor, they are what any clerk is.
        let beside = wait(Named::from(house.paper(&own_mute)).duplicate(
            central,
            &seller,
            &recognised(house, "S1"),
            "déchiré",
        ));
        beside.unwrap();

        house.until_closed(draw);
        house.clock.advance(10 * MINUTE_MS);
        Conductor::tick(central);
        let acting = recognised(house, "C1");
        let release = |sold: &Sold| {
            let named = Named::Reference(sold.ticket);
            wait(named.release(central, &other, &acting, "le papier est là"))
        };
        refused(release(&own_mute), "acting_own_sale");
        release(&their_mute).unwrap();
    });
}

/// What is owed of a void draw: with the code, without it, on a file, and given back.
#[test]
fn nobody_pays_or_files_what_they_sold() {
    on_both(|house| {
        let central = &house.central;
        let seller = house.clerk(1, "C1");
        let other = house.clerk(2, "C2");
        let ticket = |by: &Caller| {
            let sold = house.sell(by, slip(vec![straight(&[7], 100)], 1));
            house.confirm(by, &sold);
            sold
        };
        let draw = house.next_draw();
        let (own, own_read, own_filed) = (ticket(&seller), ticket(&seller), ticket(&seller));
        let (theirs, their_read, their_filed) = (ticket(&other), ticket(&other), ticket(&other));
        Badge("C1").name_acting(central, true, "X1", "X2").unwrap();
        Badge("C1").make_acting(central, "S1", None).unwrap();
        Draw(draw).void(central, "essai", "S1", "S2").unwrap();
        house.clock.advance(10_000);
        let acting = recognised(house, "C1");

        let paid = |sold: &Sold| {
            let order = refund(house, &other, sold, Some("C1"));
            wait(order.pay(central, &other))
        };
        refused(paid(&own), "acting_own_sale");
        let payment = paid(&theirs).unwrap();
        let back = |payment: u64| {
            wait(other.reverse_payment(central, &recognised(house, "C1"), payment, "parti"))
        };
        back(payment.leaf).unwrap();
        let alone = wait(refund(house, &other, &own, None).pay(central, &other)).unwrap();
        refused(back(alone.leaf), "acting_own_sale");

        let read = |sold: &Sold| {
            let paper = Paper::number_alone(house.number(sold));
            wait(paper.read_damaged(central, &other, &acting, &reading_of(sold)))
        };
        refused(read(&own_read), "acting_own_sale");
        read(&their_read).unwrap();
        let late = |sold: &Sold| {
            let at_ms = house.clock_ms() - 1_000;
            wait(
                house
                    .paper(sold)
                    .present_afterwards(central, &other, &acting, at_ms),
            )
        };
        refused(late(&own_read), "acting_own_sale");
        late(&theirs).unwrap();

        let file = |sold: &Sold| {
            let digits = house.number(sold).digits();
            let order = FileOrder {
                fragment: Fragment::new(&digits, reading_of(sold)).unwrap(),
                presented_by: "porteur".to_owned(),
                note: "brûlé".to_owned(),
            };
            wait(order.open(central, &other)).unwrap().number
        };
        let (own_file, their_file) = (file(&own_filed), file(&their_filed));
        house.clock.advance(49 * HOUR_MS);
        Badge("C1").make_acting(central, "S1", None).unwrap();
        let decide = |file: u64, by: &Caller, second: &str, third: Option<&str>| {
            let decision = FileDecision {
                file,
                refused: None,
                picture: [7; 32],
                note: "le papier est de la maison".to_owned(),
                second: recognised(house, second),
                third: third.map(|badge| recognised(house, badge)),
            };
            wait(decision.judge(central, by))
        };
        let acting = now(house, &seller);
        refused(decide(own_file, &acting, "S1", None), "acting_own_sale");
        let supervisor = house.clerk(2, "S1");
        refused(
            decide(own_file, &supervisor, "S2", Some("C1")),
            "acting_own_sale",
        );
        decide(their_file, &acting, "S1", None).unwrap();
        // As a clerk, beside a supervisor.
        decide(own_file, &supervisor, "C1", None).unwrap();
    });
}

/// What is older than anything that a start reads through is found by the rows that point to it.
#[test]
fn a_start_long_after_knows_who_was_named_and_made() {
    on_both(|house| {
        let central = &house.central;
        record(house, "C3", &[Role::Clerk]);
        for badge in ["C1", "C2", "C3"] {
            Badge(badge).name_acting(central, true, "X1", "X2").unwrap();
        }
        for badge in ["C1", "C2"] {
            Badge(badge).make_acting(central, "S1", None).unwrap();
        }
        recognised(house, "C2")
            .choose_pin(central, "582917", "693028", Origin::Console)
            .unwrap();
        record(house, "C3", &[Role::Clerk]);
        // Every draw that was on sale then is over.
        let last = *central.view.get().draws.keys().next_back().unwrap();
        house.until_settled(last);
        let acting: Vec<String> = house
            .recovered()
            .into_iter()
            .filter(|line| line.starts_with("acting "))
            .collect();
        assert_eq!(acting.len(), 2, "{acting:?}");
    });
}

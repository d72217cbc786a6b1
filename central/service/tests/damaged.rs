//! Papers whose code cannot be read (s. 83): read by two and paid at once, or kept with a file that
//! others judge; through the one door, on both databases.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use crate::support::{House, RULES, slip, straight, wait};
use diesel::RunQueryDsl;
use keno_game::ControlNumber;
use keno_house_builder::without_guards;
use keno_log::Event;
use keno_log::event::DamagedReading;
use keno_record::fault::Fault;
use keno_service::Stop;
use keno_service::authority::identity::Caller;
use keno_service::counter::{
    FileDecision, FileOrder, Fragment, Named, Paper, PayOrder, Sold, TillContents,
};
use keno_service::counter::{FileView, TicketPicture};
use keno_service::draw::Conductor;
use keno_words::Say;

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

/// Runs a test on SQLite and on PostgreSQL, under rules with some figures changed.
fn on_both(changes: &[(&str, &str)], test: fn(House)) {
    let mut rules = RULES.to_owned();
    for (old, new) in changes {
        assert!(rules.contains(old), "{old}");
        rules = rules.replace(old, new);
    }
    test(House::with_rules(None, None, &rules));
    let database = keno_testing::empty_postgres_database().unwrap();
    test(House::with_rules(Some(database.address()), None, &rules));
}

fn refused<T: std::fmt::Debug>(outcome: Result<T, Stop>) -> &'static str {
    match outcome {
        Err(Stop::Refused(refusal)) => refusal.name(),
        other => panic!("expected a refusal, got {other:?}"),
    }
}

/// A ticket of one number, all that a patron can read on it, and its number.
fn all_of(house: &House, sold: &Sold, number: u8) -> (Paper, DamagedReading) {
    let reading = DamagedReading {
        first_draw: Some(sold.sold.first_draw),
        last_draw: Some(sold.sold.last_draw),
        total_cents: Some(sold.sold.total_cents),
        sold_at: Some(sold.sold.key.device),
        numbers: vec![number],
    };
    (Paper::number_alone(house.number(sold)), reading)
}

/// Tickets of one number each.
type Played = Vec<(Sold, u8)>;

/// Every number of the pool on a ticket of its own, in one draw; then those that won and lost.
fn played(house: &House, clerk: &Caller) -> (Played, Played) {
    let draw = house.next_draw();
    let tickets: Played = (1..=80_u8)
        .map(|number| {
            let sold = house.sell(clerk, slip(vec![straight(&[number], 100)], 1));
            house.confirm(clerk, &sold);
            (sold, number)
        })
        .collect();
    house.until_settled(draw);
    tickets.into_iter().partition(|(sold, _)| {
        let row = house.paper(sold).find(&house.central).unwrap();
        let picture = TicketPicture::of(&house.central, row.unwrap()).unwrap();
        picture.payable().next().is_some()
    })
}

fn pay(house: &House, by: &Caller, code: u64, draw: u64, cents: i64) -> PayOrder {
    PayOrder {
        counter: house.next_counter(),
        session: by.session,
        paper: Named::Reference(code),
        items: vec![(draw, cents)],
        second: None,
    }
}

/// On a file, whose receipt is in hand.
fn pay_on_file(house: &House, by: &Caller, file: u64, draw: u64, cents: i64) -> PayOrder {
    PayOrder {
        paper: Named::File(file),
        ..pay(house, by, file, draw, cents)
    }
}

fn file_order(number: &str, reading: DamagedReading) -> FileOrder {
    FileOrder {
        fragment: Fragment::new(number, reading).unwrap(),
        presented_by: "porteur".to_owned(),
        note: "brûlé".to_owned(),
    }
}

fn decision(house: &House, file: u64, second: &str, third: Option<&str>) -> FileDecision {
    FileDecision {
        file,
        refused: None,
        picture: [7; 32],
        note: "le papier est de la maison".to_owned(),
        second: house.person(second),
        third: third.map(|badge| house.person(badge)),
    }
}

fn events_of(house: &House, which: fn(&Event) -> bool) -> usize {
    house.events().iter().filter(|event| which(event)).count()
}

#[test]
fn what_two_people_read_is_paid_at_once_up_to_the_limits() {
    let changes = [
        ("at_once = \"200.00\"", "at_once = \"3.00\""),
        ("per_day = 5", "per_day = 2"),
    ];
    on_both(&changes, |house| {
        let clerk = house.clerk(1, "C1");
        let (won, lost) = played(&house, &clerk);
        let draw = won[0].0.sold.first_draw;
        let second = house.person("S1");
        let (paper, reading) = all_of(&house, &won[0].0, won[0].1);
        let read = |by: &Caller, paper: &Paper, reading: &DamagedReading| {
            wait(paper.read_damaged(&house.central, by, &second, reading))
        };
        // Whatever disagrees, what is absent, and a number that nobody has: one refusal.
        for change in [
            |reading: &mut DamagedReading| reading.first_draw = Some(99),
            |reading: &mut DamagedReading| reading.last_draw = None,
            |reading: &mut DamagedReading| reading.total_cents = Some(101),
            |reading: &mut DamagedReading| reading.sold_at = Some(2),
            |reading: &mut DamagedReading| reading.numbers = vec![],
            |reading: &mut DamagedReading| reading.numbers = vec![81],
        ] {
            let mut wrong = reading.clone();
            change(&mut wrong);
            assert_eq!(refused(read(&clerk, &paper, &wrong)), "paper_disagrees");
        }
        let nobodys = ControlNumber::parse("0731552890146663").unwrap();
        let nobodys = Paper::number_alone(nobodys);
        assert_eq!(refused(read(&clerk, &nobodys, &reading)), "paper_disagrees");
        // Not alone, and not with somebody who does not answer for it.
        let alone = house.person("C1");
        let outcome = wait(paper.read_damaged(&house.central, &clerk, &alone, &reading));
        assert_eq!(refused(outcome), "same_person_twice");
        let other = house.person("C2");
        let outcome = wait(paper.read_damaged(&house.central, &clerk, &other, &reading));
        assert_eq!(refused(outcome), "second_person_refused");
        assert_eq!(
            events_of(&house, |it| matches!(it, Event::DamagedTicketRead(_))),
            0
        );

        // Until it is read the ticket is nobody's to pay, by its leaf or another.
        for leaf in [won[0].0.ticket, 0, u64::MAX] {
            let outcome = wait(pay(&house, &clerk, leaf, draw, 300).pay(&house.central, &clerk));
            let name = refused(outcome);
            assert!(
                matches!(name, "claim_code_needed" | "number_unknown"),
                "{name}"
            );
        }
        let leaf = read(&clerk, &paper, &reading).unwrap().leaf;
        // The same again writes nothing; nobody else pays on it, and not for more.
        assert_eq!(read(&clerk, &paper, &reading).unwrap().leaf, leaf);
        assert_eq!(
            events_of(&house, |it| matches!(it, Event::DamagedTicketRead(_))),
            1
        );
        assert_eq!(
            events_of(&house, |it| matches!(it, Event::ClaimPresented(_))),
            1
        );
        let neighbour = house.clerk(2, "C2");
        let outcome =
            wait(pay(&house, &neighbour, leaf, draw, 300).pay(&house.central, &neighbour));
        assert_eq!(refused(outcome), "read_again");
        assert_eq!(
            refused(Named::Reference(leaf).without_code(&house.central, 2, "C2")),
            "read_again"
        );
        let outcome = wait(pay(&house, &clerk, leaf, draw, 301).pay(&house.central, &clerk));
        assert_eq!(refused(outcome), "amount_changed");
        let paid = wait(pay(&house, &clerk, leaf, draw, 300).pay(&house.central, &clerk)).unwrap();
        assert_eq!((paid.event.path, paid.event.second), (2, None));
        let outcome = wait(pay(&house, &clerk, leaf, draw, 300).pay(&house.central, &clerk));
        assert_eq!(refused(outcome), "already_paid");

        // The second of the day, and the third that is one too many; a colleague's first.
        let (second_paper, second_reading) = all_of(&house, &won[1].0, won[1].1);
        let leaf = read(&clerk, &second_paper, &second_reading).unwrap().leaf;
        wait(pay(&house, &clerk, leaf, draw, 300).pay(&house.central, &clerk)).unwrap();
        let (third_paper, third_reading) = all_of(&house, &won[2].0, won[2].1);
        assert_eq!(
            refused(read(&clerk, &third_paper, &third_reading)),
            "paid_enough_today"
        );
        read(&neighbour, &third_paper, &third_reading).unwrap();
        // A loser is read, and owes nothing.
        let (lost_paper, lost_reading) = all_of(&house, &lost[0].0, lost[0].1);
        let leaf = read(&neighbour, &lost_paper, &lost_reading).unwrap().leaf;
        let outcome =
            wait(pay(&house, &neighbour, leaf, draw, 300).pay(&house.central, &neighbour));
        assert_eq!(refused(outcome), "nothing_to_pay");
        house.audit_holds();
    });
}

#[test]
fn more_than_is_paid_at_once_takes_a_file() {
    let changes = [("at_once = \"200.00\"", "at_once = \"2.99\"")];
    on_both(&changes, |house| {
        let clerk = house.clerk(1, "C1");
        let (won, _) = played(&house, &clerk);
        let (paper, reading) = all_of(&house, &won[0].0, won[0].1);
        let second = house.person("S1");
        let outcome = wait(paper.read_damaged(&house.central, &clerk, &second, &reading));
        assert_eq!(refused(outcome), "file_needed");
        house.audit_holds();
    });
}

#[test]
fn a_file_waits_and_is_judged_by_two_who_did_not_open_it() {
    let changes = [("third_person = \"2000.00\"", "third_person = \"3.01\"")];
    on_both(&changes, |house| {
        let clerk = house.clerk(1, "C1");
        let (won, _) = played(&house, &clerk);
        let (sold, number) = &won[0];
        let draw = sold.sold.first_draw;
        let (_, reading) = all_of(&house, sold, *number);
        // Ten digits and the draw leave one ticket; its last digits do not matter.
        let digits = house.number(sold).digits();
        let legible = format!("{}??????", &digits[..10]);
        let only_draw = DamagedReading {
            last_draw: None,
            total_cents: None,
            sold_at: None,
            numbers: vec![],
            ..reading
        };
        let order = file_order(&legible, only_draw);
        let nameless = FileOrder {
            presented_by: " ".to_owned(),
            ..order.clone()
        };
        let outcome = wait(nameless.open(&house.central, &clerk));
        assert_eq!(refused(outcome), "presenter_needed");
        let file = wait(order.open(&house.central, &clerk)).unwrap();
        assert_eq!(
            wait(order.open(&house.central, &clerk)).unwrap().number,
            file.number
        );
        assert_eq!(
            events_of(&house, |it| matches!(it, Event::FileOpened(_))),
            1
        );
        assert_eq!(
            (file.opened.ticket, file.opened.fits),
            (Some(sold.ticket), 1)
        );
        // What it can be presented for is presented now.
        assert_eq!(
            events_of(&house, |it| matches!(it, Event::ClaimPresented(_))),
            1
        );

        let order = pay_on_file(&house, &clerk, file.number, draw, 300);
        assert_eq!(
            refused(wait(order.pay(&house.central, &clerk))),
            "file_not_judged"
        );
        assert_eq!(
            refused(Named::File(file.number).without_code(&house.central, 1, "C1")),
            "file_not_judged"
        );
        let supervisor = house.clerk(2, "S1");
        let decide = |by: &Caller, order: &FileDecision| wait(order.judge(&house.central, by));
        let order = decision(&house, file.number, "C2", None);
        let waits = decide(&supervisor, &order);
        // Until when, so that nobody comes back too early.
        let from = house.central.calendar.minute_text(file.judged_from_ms);
        let said = waits.as_ref().map_err(|stop| match stop {
            Stop::Refused(refusal) => [refusal.fr(), refusal.en()],
            _ => [String::new(), String::new()],
        });
        let said = said.unwrap_err();
        assert!(
            said.iter().all(|one| one.contains(&from)),
            "{from}: {said:?}"
        );
        assert_eq!(refused(waits), "file_waits");
        // Neither the row of a file nor that of its judgement decides: its leaves do.
        let tamper = |statement: &str| {
            let mut connection = house.record().open_writer().unwrap();
            keno_schema::on!(&mut connection, c => diesel::sql_query(statement).execute(c))
                .unwrap();
        };
        tamper("UPDATE damaged_file SET opened_at_ms = opened_at_ms - 172800000");
        assert_eq!(refused(decide(&supervisor, &order)), "file_waits");
        tamper("UPDATE damaged_file SET opened_at_ms = opened_at_ms + 172800000");
        // What was seen is to be said, and with signs that are seen.
        for (note, name) in [(" ", "note_needed"), ("br\u{1b}@ûlé", "text_signs")] {
            let order = FileDecision {
                note: note.to_owned(),
                ..order.clone()
            };
            let told = decide(&supervisor, &order);
            let field = match &told {
                Err(Stop::Refused(refusal)) => refusal.field().map(str::to_owned),
                _ => None,
            };
            assert_eq!(field.as_deref(), Some("note"));
            assert_eq!(refused(told), name);
        }
        house.clock.advance(DAY_MS);
        Conductor::tick(&house.central);
        // Nobody who opened it, nobody twice, nobody without the role.
        let opener = decision(&house, file.number, "C1", None);
        assert_eq!(refused(decide(&supervisor, &opener)), "opener_judges");
        let twice = decision(&house, file.number, "C2", Some("C2"));
        assert_eq!(
            refused(decide(&supervisor, &twice)),
            "second_person_refused"
        );
        let twice = decision(&house, file.number, "S2", Some("S2"));
        assert_eq!(refused(decide(&supervisor, &twice)), "same_person_twice");
        assert_eq!(refused(decide(&clerk, &order)), "wrong_role");
        let unknown = decision(&house, sold.ticket, "C2", None);
        assert_eq!(refused(decide(&supervisor, &unknown)), "file_unknown");
        decide(&supervisor, &order).unwrap();
        assert_eq!(refused(decide(&supervisor, &order)), "file_judged");
        tamper("CREATE TABLE kept AS SELECT * FROM damaged_file");
        tamper("UPDATE damaged_file SET judged_leaf = NULL, is_paid = 0");
        assert_eq!(refused(decide(&supervisor, &order)), "file_judged");
        tamper("UPDATE damaged_file SET is_paid = 1, judged_leaf = (SELECT judged_leaf FROM kept)");

        // Whoever sits at a till pays it against its receipt, once; its number alone is no secret.
        let clerk = house.clerk(1, "C1");
        let order = pay(&house, &clerk, file.number, draw, 300);
        let outcome = wait(order.pay(&house.central, &clerk));
        assert_eq!(refused(outcome), "receipt_needed");
        let secret = Named::receipt_secret(&house.central, file.number);
        assert_eq!(
            Named::by_receipt(&house.central, file.number, &secret),
            Named::File(file.number)
        );
        for wrong in ["", "00000000", &secret[1..]] {
            let guessed = PayOrder {
                paper: Named::by_receipt(&house.central, file.number, wrong),
                ..pay(&house, &clerk, file.number, draw, 300)
            };
            let outcome = wait(guessed.pay(&house.central, &clerk));
            assert_eq!(refused(outcome), "number_unknown", "{wrong}");
        }
        let order = pay_on_file(&house, &clerk, file.number, draw, 300);
        let paid = wait(order.pay(&house.central, &clerk)).unwrap();
        assert_eq!((paid.event.path, paid.event.ticket), (3, sold.ticket));
        let order = pay_on_file(&house, &clerk, file.number, draw, 300);
        assert_eq!(
            refused(wait(order.pay(&house.central, &clerk))),
            "already_paid"
        );
        house.audit_holds();
    });
}

#[test]
fn from_an_amount_on_three_judge_and_a_refusal_pays_nothing() {
    let changes = [("third_person = \"2000.00\"", "third_person = \"3.00\"")];
    on_both(&changes, |house| {
        let clerk = house.clerk(1, "C1");
        let (won, _) = played(&house, &clerk);
        let open = |place: usize| {
            let (sold, number) = &won[place];
            let (_, reading) = all_of(&house, sold, *number);
            let digits = house.number(sold).digits();
            wait(file_order(&digits, reading).open(&house.central, &clerk))
                .unwrap()
                .number
        };
        let (first, second, third) = (open(0), open(1), open(2));
        // Nothing legible enough: no ticket is found, and nothing can be paid.
        let nothing = DamagedReading {
            first_draw: None,
            last_draw: None,
            total_cents: None,
            sold_at: None,
            numbers: vec![],
        };
        let order = file_order("????????????????", nothing);
        let blank = wait(order.open(&house.central, &clerk)).unwrap();
        assert_eq!((blank.opened.ticket, blank.opened.fits), (None, 2));
        house.clock.advance(DAY_MS);
        Conductor::tick(&house.central);
        let supervisor = house.clerk(2, "S1");
        let decide = |order: &FileDecision| wait(order.judge(&house.central, &supervisor));
        let outcome = decide(&decision(&house, blank.number, "C2", Some("X1")));
        assert_eq!(refused(outcome), "file_without_ticket");
        let by_two = decision(&house, first, "C2", None);
        assert_eq!(refused(decide(&by_two)), "third_person_needed");
        let auditor = decision(&house, first, "C2", Some("A1"));
        assert_eq!(refused(decide(&auditor)), "second_person_refused");
        decide(&decision(&house, first, "C2", Some("X1"))).unwrap();
        let mut no = decision(&house, second, "C2", None);
        no.refused = Some("not_genuine".to_owned());
        decide(&no).unwrap();
        no.file = third;
        no.refused = Some("nonsense".to_owned());
        assert_eq!(refused(decide(&no)), "reason_unknown");
        no.refused = Some("other".to_owned());
        no.note = " ".to_owned();
        assert_eq!(refused(decide(&no)), "note_needed");

        let clerk = house.clerk(1, "C1");
        let draw = won[0].0.sold.first_draw;
        let order = pay_on_file(&house, &clerk, second, draw, 300);
        assert_eq!(
            refused(wait(order.pay(&house.central, &clerk))),
            "file_refused"
        );
        let order = pay_on_file(&house, &clerk, first, draw, 300);
        wait(order.pay(&house.central, &clerk)).unwrap();
        // A paid file gives no second paper of the ticket; one that is paid and not handed out does.
        house.audit_holds();
        let files = FileView::all(&house.central).unwrap();
        let waiting = files.iter().filter(|file| file.judged.is_none()).count();
        assert_eq!((files.len(), waiting), (4, 2));
    });
}

#[test]
fn a_file_that_is_paid_gives_a_new_paper_of_draws_to_come() {
    on_both(&[], |house| {
        let clerk = house.clerk(1, "C1");
        let sold = house.sell(&clerk, slip(vec![straight(&[7], 100)], 20));
        house.confirm(&clerk, &sold);
        let digits = house.number(&sold).digits();
        let (_, reading) = all_of(&house, &sold, 7);
        let file = wait(file_order(&digits, reading).open(&house.central, &clerk)).unwrap();
        let make = || {
            let named = Named::File(file.number);
            wait(named.duplicate(&house.central, &clerk, &house.person("S1"), "brûlé"))
        };
        assert_eq!(refused(make()), "file_not_judged");
        house.clock.advance(DAY_MS);
        Conductor::tick(&house.central);
        let supervisor = house.clerk(2, "S1");
        let order = decision(&house, file.number, "C2", None);
        wait(order.judge(&house.central, &supervisor)).unwrap();
        let clerk = house.clerk(1, "C1");
        let named = Named::File(file.number);
        let (_, copy) =
            wait(named.duplicate(&house.central, &clerk, &house.person("S1"), "brûlé")).unwrap();
        assert_eq!(copy, 2);
        house.audit_holds();
    });
}

#[test]
fn what_was_presented_while_nothing_could_be_entered_is_entered_with_its_hour() {
    on_both(&[("days = 365", "days = 2")], |house| {
        let clerk = house.clerk(1, "C1");
        let (won, _) = played(&house, &clerk);
        let in_time_ms = house.clock_ms();
        // The last day passes.
        house.clock.advance(3 * DAY_MS);
        Conductor::tick(&house.central);
        let clerk = house.clerk(1, "C1");
        let paper = house.paper(&won[0].0);
        let late = wait(Named::from(&paper).present(&house.central, &clerk));
        assert_eq!(refused(late), "claim_expired");
        let second = house.person("S1");
        let enter =
            |second, at_ms| wait(paper.present_afterwards(&house.central, &clerk, &second, at_ms));
        let now_ms = house.clock_ms();
        assert_eq!(refused(enter(second.clone(), now_ms + 1)), "moment_invalid");
        assert_eq!(
            refused(enter(second.clone(), now_ms - 7 * DAY_MS - 1)),
            "moment_invalid"
        );
        assert_eq!(
            refused(enter(house.person("C2"), in_time_ms)),
            "second_person_refused"
        );
        assert_eq!(refused(enter(second.clone(), now_ms)), "claim_expired");
        let presented = enter(second, in_time_ms).unwrap();
        assert_eq!(presented.at_ms, in_time_ms);
        let order = PayOrder {
            counter: house.next_counter(),
            session: clerk.session,
            paper: paper.into(),
            items: vec![(won[0].0.sold.first_draw, 300)],
            second: None,
        };
        wait(order.pay(&house.central, &clerk)).unwrap();
        house.audit_holds();
    });
}

#[test]
fn nobody_says_that_a_ticket_is_unpaid_whose_paper_came_out() {
    on_both(&[], |house| {
        let clerk = house.clerk(1, "C1");
        let sold = house.sell(&clerk, slip(vec![straight(&[7], 100)], 1));
        let number = Named::Paper(Paper::number_alone(house.number(&sold)));
        let leaf = Named::Reference(sold.ticket);
        house.confirm(&clerk, &sold);
        for named in [number, leaf] {
            let outcome = wait(named.clone().mark_unpaid(
                &house.central,
                &clerk,
                &house.person("S1"),
            ));
            assert_eq!(refused(outcome), "claim_code_needed", "{named:?}");
        }
        wait(Named::from(&house.paper(&sold)).mark_unpaid(
            &house.central,
            &clerk,
            &house.person("S1"),
        ))
        .unwrap();
        // Of a paper that nobody knows to be whole the reference will do.
        let other = house.sell(&clerk, slip(vec![straight(&[8], 100)], 1));
        wait(Named::Reference(other.ticket).mark_unpaid(
            &house.central,
            &clerk,
            &house.person("S1"),
        ))
        .unwrap();
        let on: Vec<u8> = house
            .events()
            .iter()
            .filter_map(|event| match event {
                Event::TicketUnpaid(body) => Some(body.on),
                _ => None,
            })
            .collect();
        assert_eq!(on, [1, 2]);
        house.audit_holds();
    });
}

/// Runs a statement on the record as its owner could, whatever guards it.
fn tamper(house: &House, statement: String) {
    let mut writer = house.record().open_writer().unwrap();
    without_guards(
        &mut writer,
        |c| keno_schema::on!(c, c => diesel::sql_query(statement).execute(c)),
    )
    .unwrap();
}

/// Of one ticket nobody can say what was sold. The papers of all others are found, kept and handed over.
#[test]
fn a_ticket_whose_leaf_does_not_hold_takes_no_other_along() {
    on_both(&[], |house| {
        let clerk = house.clerk(1, "C1");
        let sell = |number| house.sell(&clerk, slip(vec![straight(&[number], 100)], 1));
        let (whole, changed, gone) = (sell(1), sell(2), sell(3));
        let kept = |sold: &Sold, number| {
            let (paper, reading) = all_of(&house, sold, number);
            file_order(&paper.number.digits(), reading)
        };
        let of_changed = wait(kept(&changed, 2).open(&house.central, &clerk)).unwrap();
        assert_eq!(of_changed.opened.ticket, Some(changed.ticket));
        house.until_settled(whole.sold.first_draw);
        let (changed_leaf, gone_leaf) = (changed.ticket, gone.ticket);
        let edit = format!("UPDATE log_entry SET body = leaf WHERE leaf_index = {changed_leaf}");
        tamper(&house, edit);
        tamper(
            &house,
            format!("DELETE FROM log_entry WHERE leaf_index = {gone_leaf}"),
        );

        // What was sold once is not said to be unknown.
        for sold in [&changed, &gone] {
            let found = house.paper(sold).find(&house.central);
            assert!(matches!(found, Err(Fault::Record(_))), "{found:?}");
        }
        assert!(house.paper(&whole).find(&house.central).unwrap().is_some());
        // A file of another is opened; the one that nobody can read may be the one too.
        let opened = |order: &FileOrder| wait(order.open(&house.central, &clerk)).unwrap().opened;
        let (_, reading) = all_of(&house, &whole, 1);
        let opened_for = opened(&file_order("????????????????", reading));
        assert_eq!((opened_for.fits, opened_for.ticket), (2, None));
        let opened_for = opened(&kept(&whole, 1));
        assert_eq!(
            (opened_for.fits, opened_for.ticket),
            (1, Some(whole.ticket))
        );
        assert_eq!(opened(&kept(&changed, 2)).fits, 2);
        // The list of files has that of the ticket that was changed since.
        let files = FileView::all(&house.central).unwrap();
        let numbers: Vec<Option<u64>> = files.iter().map(|file| file.opened.ticket).collect();
        assert_eq!(
            numbers,
            [None, Some(whole.ticket), None, Some(changed.ticket)]
        );
        // A neighbour goes on with what is left of the counter.
        let neighbour = house.clerk(2, "S1");
        wait(neighbour.close_shift(&house.central, TillContents::cash(50_000), None)).unwrap();
        let second = house.person("C1");
        let taken = neighbour.take_over(&house.central, &second, 1, "écran noir");
        let taken = wait(taken).unwrap();
        let left: Vec<u64> = taken.unconfirmed.iter().map(|one| one.ticket).collect();
        assert_eq!(left, [whole.ticket]);
    });
}

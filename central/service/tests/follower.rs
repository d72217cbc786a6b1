//! A follower of the log beside a house: what it is handed and when, what is recorded of it, and which
//! payments wait for that.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests, whose failures are the test's"
)]

mod changed;

use std::time::Duration;

use crate::support::{House, RULES, assert_same, slip, straight, wait, whole_pool};
use keno_game::DrawState;
use keno_house_builder::{FOLLOWER_NOW, FollowerHost};
use keno_log::checkpoint::Note;
use keno_log::checkpoint::SigningKey;
use keno_log::checkpoint::cosignature::cosigned_at;
use keno_log::event::{DrawFollowed, DrawVoided, FollowerBegan, PayoutsOpened};
use keno_log::follower::{Said, beginning};
use keno_log::{Event, EventKind};
use keno_record::sequencer::Lane;
use keno_service::Stop;
use keno_service::authority::identity::Caller;
use keno_service::counter::{Named, PayOrder, Sold, TicketPicture, Verdict};
use keno_service::draw::Draw;

const MINUTE_MS: i64 = 60_000;

/// Rules under which payments from 4.00 on take two people, and wait for the follower.
fn rules() -> String {
    let wanted = "second_person = \"4.00\"\nsecond_computation = 60";
    RULES.replace("second_person = \"1000.00\"", wanted)
}

fn house_with(database: Option<&str>, rules: &str) -> (House, FollowerHost) {
    let mut office = None;
    let house = House::founded(database, rules, |options| {
        office = Some(FollowerHost::start(options).unwrap());
    });
    (house, office.unwrap())
}

fn on_both(test: fn(House, FollowerHost)) {
    let (house, office) = house_with(None, &rules());
    test(house, office);
    let database = keno_testing::empty_postgres_database().unwrap();
    let (house, office) = house_with(Some(database.address()), &rules());
    test(house, office);
}

/// Hands over what there is, until the follower has it all or goes on with nothing.
fn feed(house: &House) {
    let line = house.central.follower.as_ref().unwrap();
    for _ in 0..100 {
        if line.turn(&house.central) > Duration::ZERO {
            return;
        }
        publish(house);
    }
    panic!("the follower is never done");
}

/// Waits until what was committed is under a checkpoint.
fn publish(house: &House) {
    let look =
        |judge: &mut keno_record::sequencer::Judge<'_>| Ok::<_, Stop>(judge.state.edge.size());
    let committed = house.central.sequencer.submit_blocking(Lane::Draw, look);
    let size = committed.unwrap();
    for _ in 0..10_000 {
        let newest = house.central.checkpoint();
        if newest.is_some_and(|newest| newest.size >= size) {
            return;
        }
        std::thread::park_timeout(Duration::from_millis(1));
    }
    panic!("{size} leaves are not published");
}

/// What was heard of the follower: its refusal, its newest cosigned checkpoint and how it began, in
/// hexadecimal.
#[derive(Debug)]
struct Heard {
    /// Name and words.
    refuses: Option<String>,
    cosigned: Option<String>,
    began: String,
}

fn heard(house: &House) -> Heard {
    publish(house);
    feed(house);
    let heard = house.central.follower.as_ref().unwrap().heard();
    Heard {
        refuses: heard.refuses.map(|it| format!("{}: {}", it.name, it.words)),
        cosigned: house
            .central
            .cosignatures
            .note(&house.central.checkpoint().unwrap(), None),
        began: hex::encode(heard.beginning.unwrap().began),
    }
}

/// Two people put the one who answers on record.
fn puts_on_record(house: &House) {
    let line = house.central.follower.as_ref().unwrap();
    line.begin_by(&house.central, "S1", "X1").unwrap();
}

/// Somebody is on record as who follows.
fn begun(house: &House) {
    heard(house);
    puts_on_record(house);
}

fn refused<T: std::fmt::Debug>(outcome: Result<T, Stop>) -> &'static str {
    match outcome {
        Err(Stop::Refused(refusal)) => refusal.name(),
        other => panic!("expected a refusal, got {other:?}"),
    }
}

fn picture(house: &House, sold: &Sold) -> TicketPicture {
    let row = house.paper(sold).find(&house.central).unwrap().unwrap();
    TicketPicture::of(&house.central, row).unwrap()
}

/// What a draw of a ticket owes, whoever waits for what.
fn owed(house: &House, sold: &Sold) -> Vec<(u64, i64)> {
    let draws = picture(house, sold).draws;
    let owes = draws.iter().filter(|draw| draw.payable_cents > 0);
    owes.map(|draw| (draw.draw.number(), draw.payable_cents))
        .collect()
}

fn pay_order(house: &House, by: &Caller, sold: &Sold, items: Vec<(u64, i64)>) -> PayOrder {
    PayOrder {
        counter: house.next_counter(),
        session: by.session,
        paper: house.paper(sold).into(),
        items,
        second: Some(house.person("S1")),
    }
}

fn pay(house: &House, by: &Caller, sold: &Sold) -> Result<u64, Stop> {
    let order = pay_order(house, by, sold, owed(house, sold));
    wait(order.pay(&house.central, by)).map(|paid| paid.leaf)
}

/// A ticket of so many wagers of 1.00, for the next draw.
fn sold(house: &House, by: &Caller, wagers: u8) -> Sold {
    let wagers = (1..=wagers).map(|number| straight(&[number], 100));
    let sold = house.sell(by, slip(wagers.collect(), 1));
    house.confirm(by, &sold);
    sold
}

/// The draws of which a kind of fact tells.
fn told(house: &House, kind: EventKind) -> Vec<u64> {
    let events = house.events();
    let of_kind = events.iter().filter(|event| event.kind() == kind);
    of_kind.filter_map(|event| event.names().draw).collect()
}

fn holds(house: &House) {
    assert_same(&house.remembered(), &house.recovered(), "what waits");
    house.audit_holds();
}

#[test]
fn large_payments_wait_until_the_follower_agrees() {
    on_both(|mut house, office| {
        begun(&house);
        let clerk = house.clerk(1, "C1");
        let draw = house.next_draw();
        let tickets = whole_pool(&house, &clerk, 1);
        house.until_settled(draw);
        let tier = |sold: &&Sold| picture(&house, sold).tier_cents;
        let large = tickets.iter().find(|sold| tier(sold) >= 400).unwrap();
        let mut others = tickets.iter().filter(|sold| (1..400).contains(&tier(sold)));
        let small = others.next().unwrap();
        // What is small is paid, and what is large is not; its claim stands.
        pay(&house, &clerk, small).unwrap();
        assert_eq!(
            refused(pay(&house, &clerk, large)),
            "second_computation_awaited"
        );
        assert_eq!(
            picture(&house, large).verdict(&house.central),
            Verdict::DrawUnofficial
        );
        assert_eq!(picture(&house, large).payable().count(), 0);
        let presented = Named::from(&house.paper(large)).present(&house.central, &clerk);
        assert_eq!(wait(presented).unwrap().draws, [draw]);
        holds(&house);
        // A start forgets nothing of it.
        house.restart_with(|options| office.in_house_file(options));
        let clerk = house.clerk(1, "C1");
        assert_eq!(
            refused(pay(&house, &clerk, large)),
            "second_computation_awaited"
        );

        let heard = heard(&house);
        assert_eq!(told(&house, EventKind::DrawFollowed), [draw]);
        assert!(house.central.view.get().following.waiting.is_empty());
        // It has cosigned what it was handed last.
        let note = Note::parse(&heard.cosigned.unwrap()).unwrap();
        assert_eq!(cosigned_at(&note, office.key()), Ok(FOLLOWER_NOW));
        assert_eq!(picture(&house, large).payable().count(), 1);
        pay(&house, &clerk, large).unwrap();
        holds(&house);
    });
}

#[test]
fn two_people_open_payouts_after_the_time_of_the_rules() {
    on_both(|house, office| {
        begun(&house);
        let clerk = house.clerk(1, "C1");
        let supervisor = house.clerk(2, "S1");
        let ticket = sold(&house, &clerk, 4);
        let draw = ticket.sold.first_draw;
        Draw(draw)
            .void(&house.central, "panne", "S1", "S2")
            .unwrap();
        office.go_away();
        feed(&house);
        assert_eq!(
            refused(pay(&house, &clerk, &ticket)),
            "second_computation_awaited"
        );
        let open = |by: &Caller, second: &str, draw: u64, reason: &str| {
            Draw(draw).open_payouts(&house.central, by, &house.person(second), reason)
        };
        assert_eq!(refused(open(&clerk, "X1", draw, "panne")), "wrong_role");
        assert_eq!(
            refused(open(&supervisor, "S2", draw, "panne")),
            "second_person_refused"
        );
        assert_eq!(
            refused(open(&supervisor, "C1", draw, "panne")),
            "second_person_refused"
        );
        assert_eq!(refused(open(&supervisor, "X1", draw, "")), "reason_needed");
        assert_eq!(
            refused(open(&supervisor, "X1", draw + 1, "panne")),
            "nothing_waits"
        );
        house.clock.advance(60 * MINUTE_MS - 1_000);
        assert_eq!(
            refused(open(&supervisor, "X1", draw, "panne")),
            "opens_later"
        );
        assert!(told(&house, EventKind::PayoutsOpened).is_empty());
        house.clock.advance(1_000);
        open(&supervisor, "X1", draw, "panne").unwrap();
        assert_eq!(
            refused(open(&supervisor, "X1", draw, "panne")),
            "nothing_waits"
        );
        pay(&house, &clerk, &ticket).unwrap();
        // The follower comes back, and has nothing more to say of that draw.
        office.come_back("copy").unwrap();
        feed(&house);
        assert!(told(&house, EventKind::DrawFollowed).is_empty());
        holds(&house);
    });
}

/// A draw is void, and the record says other totals than were wagered.
fn void_wrongly(house: &House, draw: u64) {
    let body = DrawVoided {
        draw,
        reason: "panne".to_owned(),
        by: "S1".to_owned(),
        second: "S2".to_owned(),
        tickets: 99,
        refund_cents: 1,
    };
    let record = move |judge: &mut keno_record::sequencer::Judge<'_>| {
        Ok::<_, Stop>(judge.record(Event::DrawVoided(body.clone()))?)
    };
    house
        .central
        .sequencer
        .submit_blocking(Lane::Draw, record)
        .unwrap();
}

#[test]
fn nothing_is_paid_of_a_draw_that_differs() {
    on_both(|house, office| {
        begun(&house);
        let clerk = house.clerk(1, "C1");
        let supervisor = house.clerk(2, "S1");
        let ticket = sold(&house, &clerk, 1);
        let draw = ticket.sold.first_draw;
        void_wrongly(&house, draw);
        let entry = house.central.view.get().log_size - 1;
        heard(&house);
        let differs = house.central.view.get().following.waiting[&draw]
            .differs
            .clone();
        let differs = differs.unwrap();
        assert_eq!(
            (differs.finding.as_str(), differs.entry),
            ("void_totals", Some(entry))
        );
        assert_eq!(refused(pay(&house, &clerk, &ticket)), "draw_differs");
        assert_eq!(
            picture(&house, &ticket).verdict(&house.central),
            Verdict::DrawUnofficial
        );
        // No time opens it, and it is not asked again.
        house.clock.advance(120 * MINUTE_MS);
        let open = || {
            let second = house.person("X1");
            Draw(draw).open_payouts(&house.central, &supervisor, &second, "vu")
        };
        assert_eq!(refused(open()), "draw_differs");
        heard(&house);
        assert_eq!(told(&house, EventKind::DrawFollowed), [draw]);
        // Begun anew it has to look again; it finds the same, and two people who have looked may pay.
        office.come_back("anew").unwrap();
        begun(&house);
        assert_eq!(refused(open()), "draw_differs");
        heard(&house);
        open().unwrap();
        pay(&house, &clerk, &ticket).unwrap();
        let waits = &house.central.view.get().following.waiting;
        assert!(waits.is_empty());
        assert_same(&house.remembered(), &house.recovered(), "what differed");
    });
}

/// What is not signed is not recorded, whatever is said.
#[test]
fn what_the_follower_has_not_signed_releases_and_freezes_nothing() {
    let (house, office) = house_with(None, &rules());
    begun(&house);
    office.lie();
    let clerk = house.clerk(1, "C1");
    let sound = sold(&house, &clerk, 4);
    Draw(sound.sold.first_draw)
        .void(&house.central, "panne", "S1", "S2")
        .unwrap();
    let wrong = sold(&house, &clerk, 4);
    void_wrongly(&house, wrong.sold.first_draw);
    heard(&house);
    assert!(told(&house, EventKind::DrawFollowed).is_empty());
    for ticket in [&sound, &wrong] {
        let refusal = refused(pay(&house, &clerk, ticket));
        assert_eq!(refusal, "second_computation_awaited");
    }
}

/// Facts that whoever owns the database appends: as any other they are in the log and in memory.
fn append(house: &House, events: Vec<Event>) {
    let events = std::sync::Mutex::new(events);
    house
        .central
        .sequencer
        .submit_blocking(Lane::Draw, move |judge| {
            for event in events.lock().unwrap().iter().cloned() {
                judge.record(event)?;
            }
            Ok::<_, Stop>(())
        })
        .unwrap();
}

/// Memory takes no fact's word for what a follower said: a signature that is another draw's, or none,
/// two people too early or one person, and a follower who is another than the house file names, open
/// nothing that is large and freeze nothing.
#[test]
fn what_the_owner_of_the_database_says_for_the_follower_pays_nothing() {
    let (house, office) = house_with(None, &rules());
    begun(&house);
    let clerk = house.clerk(1, "C1");
    let first = sold(&house, &clerk, 4);
    void_wrongly(&house, first.sold.first_draw);
    heard(&house);
    let events = house.events();
    let mut said = events.iter().filter_map(|event| match event {
        Event::DrawFollowed(body) => Some(body.clone()),
        _ => None,
    });
    let signed = said.next().unwrap();
    office.go_away();
    let large = sold(&house, &clerk, 4);
    let draw = large.sold.first_draw;
    Draw(draw)
        .void(&house.central, "panne", "S1", "S2")
        .unwrap();
    let says = |finding: &str, signature: &str| -> Event {
        DrawFollowed {
            draw,
            finding: finding.to_owned(),
            entry: None,
            signature: signature.to_owned(),
        }
        .into()
    };
    let opens = |by: &str, second: &str| -> Event {
        PayoutsOpened {
            draw,
            reason: String::new(),
            by: by.to_owned(),
            second: second.to_owned(),
        }
        .into()
    };
    for forged in [
        vec![says("", &signed.signature)],
        vec![says("", "")],
        vec![opens("S1", "X1")],
        vec![says("prize_list_wrong", "")],
        vec![says("prize_list_wrong", ""), opens("S1", "S1")],
    ] {
        let told = format!("{forged:?}");
        append(&house, forged);
        let refusal = refused(pay(&house, &clerk, &large));
        assert_eq!(refusal, "second_computation_awaited", "{told}");
        assert_same(&house.remembered(), &house.recovered(), &told);
    }
    // By a key of their own, under the follower's name, signed as it must be.
    let own = SigningKey::from_seed("audit-office", &[77; 32]).unwrap();
    let house_code = house.central.house_code.clone();
    let began = [78; 32];
    let signature = |text: &str| {
        let note = Note::sign(text, &own).unwrap();
        note.signatures()[0].to_string()
    };
    let waiting = house.central.view.get().following.waiting[&draw].clone();
    let text = Said {
        draw,
        tree: (waiting.size, waiting.root),
        finding: "",
        entry: None,
    }
    .text(&house_code, &began);
    let begins = FollowerBegan {
        key: own.verifying_key().to_string(),
        began,
        signature: signature(&beginning(&house_code, &began)),
        by: "S1".to_owned(),
        second: "X1".to_owned(),
    };
    append(&house, vec![begins.into(), says("", &signature(&text))]);
    assert!(
        !house
            .central
            .view
            .get()
            .following
            .waiting
            .contains_key(&draw)
    );
    assert_eq!(picture(&house, &large).payable().count(), 0);
    assert_eq!(
        refused(pay(&house, &clerk, &large)),
        "second_computation_awaited"
    );
}

#[test]
fn begun_anew_it_judges_again() {
    let (house, office) = house_with(None, &rules());
    begun(&house);
    let clerk = house.clerk(1, "C1");
    let draw = sold(&house, &clerk, 1).sold.first_draw;
    void_wrongly(&house, draw);
    heard(&house);
    office.come_back("anew").unwrap();
    heard(&house);
    assert_eq!(
        told(&house, EventKind::DrawFollowed),
        [draw],
        "not on record yet"
    );
    puts_on_record(&house);
    heard(&house);
    assert_eq!(told(&house, EventKind::DrawFollowed), [draw, draw]);
}

#[test]
fn two_people_say_who_follows() {
    on_both(|house, office| {
        let supervisor = house.clerk(1, "S1");
        let second = house.person("X1");
        let line = house.central.follower.as_ref().unwrap();
        let begins = |began: &str| line.begin(&house.central, &supervisor, &second, began);
        let nobody = "00".repeat(32);
        assert_eq!(
            refused(begins(&nobody)),
            "nobody_begins",
            "nothing was heard yet"
        );
        let own = heard(&house).began;
        assert_eq!(refused(begins(&nobody)), "nobody_begins");
        let clerk = house.clerk(2, "C1");
        assert_eq!(
            refused(line.begin(&house.central, &clerk, &second, &own)),
            "wrong_role"
        );
        let other = house.person("S2");
        let by_the_counter = line.begin(&house.central, &supervisor, &other, &own);
        assert_eq!(refused(by_the_counter), "second_person_refused");
        begins(&own).unwrap();
        assert_eq!(refused(begins(&own)), "nobody_begins", "it has begun");
        office.come_back("anew").unwrap();
        assert_eq!(refused(begins(&own)), "nobody_begins");
        heard(&house);
        assert_eq!(refused(begins(&own)), "nobody_begins", "another answers");
        holds(&house);
    });
}

/// Every number is handed over once everybody may see it, and nothing that one person alone entered.
#[test]
fn what_nobody_may_see_yet_is_not_handed_over() {
    on_both(|house, office| {
        begun(&house);
        let clerk = house.clerk(1, "C1");
        let draw = sold(&house, &clerk, 1).sold.first_draw;
        house.until_closed(draw);
        Draw(draw).start(&house.central).unwrap();
        Draw(draw).record_balls(&house.central).unwrap();
        let state = || house.central.view.get().draws[&draw].state();
        let at = |kind| {
            let events = house.events();
            let of_draw = |event: &Event| event.kind() == kind && event.names().draw == Some(draw);
            events.iter().position(of_draw).unwrap() as u64
        };
        heard(&house);
        assert_eq!(state(), DrawState::Drawn);
        assert_eq!(office.size().unwrap(), at(EventKind::BallsRecorded));
        // Not while people decide about it either.
        Draw(draw)
            .suspend(&house.central, "panne", "S1")
            .unwrap_or_default();
        sold(&house, &clerk, 1);
        heard(&house);
        assert_eq!(office.size().unwrap(), at(EventKind::BallsRecorded));
        if state() == DrawState::Suspended {
            Draw(draw).resume(&house.central, "S1", "S2").unwrap();
        }
        house.until_settled(draw);
        heard(&house);
        assert_eq!(office.size().unwrap(), house.central.view.get().log_size);
        assert_eq!(told(&house, EventKind::DrawFollowed), [draw]);
    });
}

/// A draw of the time before anybody followed, under rules that ask for nothing, waits for nobody; one
/// that comes after waits for nobody's payment unless it differs.
#[test]
fn rules_that_hold_nothing_back_are_paid_at_once() {
    let (house, _office) = house_with(None, &rules().replace("\nsecond_computation = 60", ""));
    let clerk = house.clerk(1, "C1");
    let before = sold(&house, &clerk, 4);
    Draw(before.sold.first_draw)
        .void(&house.central, "panne", "S1", "S2")
        .unwrap();
    begun(&house);
    pay(&house, &clerk, &before).unwrap();
    let after = sold(&house, &clerk, 4);
    let draw = after.sold.first_draw;
    Draw(draw)
        .void(&house.central, "panne", "S1", "S2")
        .unwrap();
    pay(&house, &clerk, &after).unwrap();
    let supervisor = house.clerk(2, "S1");
    let second = house.person("X1");
    let opened = Draw(draw).open_payouts(&house.central, &supervisor, &second, "vu");
    assert_eq!(refused(opened), "nothing_held_back");
    heard(&house);
    assert_eq!(told(&house, EventKind::DrawFollowed), [draw]);
    holds(&house);
}

//! A draw in trouble: no number is recorded or shown that should not be, and none is ever drawn
//! twice.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failure here is the test's own"
)]

mod trouble;

use crate::support::{House, RULES, quick, slip, straight, wait};
use keno_game::DrawState;
use keno_log::Event;
use keno_record::fault::Fault;
use keno_record::past_draws::draw_range;
use keno_record::sequencer::{CommitHook, Lane};
use keno_record::view::DrawInfo;
use keno_service::counter::{Named, PayOrder, TicketPicture, TillMovementKind, Verdict};
use keno_service::draw::{Conductor, Draw};
use keno_service::refusal::Refusal;
use keno_service::{Stop, draw, house};
use trouble::{Switch, TROUBLES, Trouble};

fn draw_of(house: &House, draw: u64) -> DrawInfo {
    draw_range(&house.central, draw, draw).unwrap().remove(0)
}

fn shown(house: &House, draw: u64, at_ms: i64) -> Vec<u8> {
    let interval = house.central.schedule.ball_interval_ms;
    draw_of(house, draw).shown(at_ms, interval).to_vec()
}

/// The numbers of a draw that is over.
fn numbers(house: &House, draw: u64) -> Vec<u8> {
    let numbers = shown(house, draw, i64::MAX);
    assert_eq!(numbers.len(), 20);
    numbers
}

/// Two houses with the same record, whose next draw is closed: what one comes to is what the
/// other would have come to.
fn closed_twins() -> (House, House, u64) {
    let mut house = House::new(None);
    let clerk = house.clerk(1, "C1");
    let draw = house.next_draw();
    for _ in 0..20 {
        house.sell(&clerk, slip(vec![quick(5, 200), quick(1, 100)], 1));
    }
    house.until_closed(draw);
    let twin = house.twin();
    (house, twin, draw)
}

/// Lets the moment of the draw come.
fn until_drawn(house: &House, draw: u64) {
    let wait_ms = draw_of(house, draw).draws_at_ms() - house.clock_ms();
    house.clock.advance(wait_ms);
    Conductor::tick(&house.central);
}

fn refusal<T: std::fmt::Debug>(outcome: Result<T, Stop>) -> Refusal {
    match outcome {
        Err(Stop::Refused(refusal)) => refusal,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

/// The draw is suspended by the guard, and nobody can learn a number of it.
fn assert_suspended_without_a_number(house: &House, draw: u64, what: &str) {
    let live = draw_of(house, draw);
    assert_eq!(live.state(), DrawState::Suspended, "{what}");
    let events = house.events();
    let suspended = events.iter().rev().find_map(|event| match event {
        Event::DrawSuspended(suspended) if suspended.draw == draw => Some(suspended),
        _ => None,
    });
    let suspended = suspended.unwrap_or_else(|| panic!("{what}: no fact says so"));
    assert_eq!(suspended.by, "guard", "{what}");
    assert!(!suspended.reason.is_empty(), "{what}");
    assert!(
        !events
            .iter()
            .any(|event| matches!(event, Event::BallsRecorded(balls) if balls.draw == draw)),
        "{what}: numbers were recorded"
    );
    for at_ms in [house.clock_ms(), house.clock_ms() + 3_600_000, i64::MAX] {
        assert_eq!(shown(house, draw, at_ms), Vec::<u8>::new(), "{what}");
    }
    assert!(live.settlement().is_none() && live.certifiers().is_empty());
    assert!(live.holders().iter().all(|holder| holder.secret.is_none()));
    assert_eq!(
        refusal(Draw(draw).transcript(&house.central)),
        Refusal::ResultNotOfficial { draw }
    );
    assert_eq!(
        refusal(Draw(draw).record_balls(&house.central)),
        Refusal::DrawStepRefused { state: "suspended" },
        "{what}: no silent second try"
    );
}

/// For every trouble: suspended, nothing recorded or shown, the next draw on sale; again
/// suspended while the trouble lasts; and after it, by two people, the numbers that it would
/// have had. Seen to fail, each time by numbers that were recorded: with the comparison of
/// commitments in `secrets` removed (`SecretChanged`), with the guard's own computation removed
/// (`OtherNumbers`), with a recording accepted (`ARecording`).
#[test]
fn trouble_suspends_the_draw_and_never_changes_its_numbers() {
    let (house, twin, draw) = closed_twins();
    twin.until_settled(draw);
    let wanted = numbers(&twin, draw);
    let wanted_settlement = draw_of(&twin, draw).settlement().cloned();
    let mut house = house;
    let before = tempfile::tempdir().unwrap();
    house.stop();
    keno_testing::copy_folder(house.folder.path(), before.path()).unwrap();
    let closed_at = house.clock_ms();
    for trouble in TROUBLES {
        let what = format!("{trouble:?}");
        // Each trouble meets the draw as it was closed, on a folder of its own.
        let folder = tempfile::tempdir().unwrap();
        keno_testing::copy_folder(before.path(), folder.path()).unwrap();
        let switch = Switch::default();
        let mut house = House::open_on(folder, closed_at, |options| switch.plant(options));
        switch.set(trouble);
        until_drawn(&house, draw);
        assert_suspended_without_a_number(&house, draw, &what);
        let clerk = house.clerk(2, "C2");
        let sold = house.sell(&clerk, slip(vec![quick(5, 200)], 1));
        assert_eq!(sold.sold.first_draw, draw + 1, "{what}: sales go on");

        // People go on while the trouble lasts.
        assert_eq!(
            refusal(Draw(draw).resume(&house.central, "S1", "S1")),
            Refusal::SamePersonTwice
        );
        Draw(draw).resume(&house.central, "S1", "S2").unwrap();
        house.clock.advance(2_000);
        Conductor::tick(&house.central);
        assert_suspended_without_a_number(&house, draw, &what);

        // A restart changes nothing about it.
        house.restart_with(|options| switch.plant(options));
        assert_eq!(draw_of(&house, draw).state(), DrawState::Suspended);
        house.clock.advance(60_000);
        Conductor::tick(&house.central);
        assert_suspended_without_a_number(&house, draw, &what);

        switch.set(Trouble::None);
        Draw(draw).resume(&house.central, "S1", "S2").unwrap();
        house.until_settled(draw);
        assert_eq!(numbers(&house, draw), wanted, "{what}");
        assert_eq!(
            draw_of(&house, draw).settlement().cloned(),
            wanted_settlement,
            "{what}"
        );
        assert!(
            Draw(draw)
                .transcript(&house.central)
                .unwrap()
                .check()
                .is_ok()
        );
        // The draw after it was held up by nothing.
        house.until_settled(draw + 1);
    }
}

/// Seen to fail: with the look at `drawn_sets` removed from `record_balls`, the numbers are
/// recorded; with the writer answering the words of a fault and not the fault, the draw is not
/// suspended but tried again for ever.
#[test]
fn a_repeated_winning_set_is_held_until_people_have_looked() {
    let (mut house, twin, draw) = closed_twins();
    twin.until_settled(draw);
    let wanted = numbers(&twin, draw);
    // The record remembers these numbers of an earlier draw, in whatever order.
    let set = keno_game::BallSet::from_numbers(&wanted).unwrap().bits();
    house
        .central
        .sequencer
        .submit_blocking(Lane::Draw, move |judge| {
            assert!(judge.state.drawn_sets.insert(set));
            Ok::<_, keno_service::Stop>(())
        })
        .unwrap();
    until_drawn(&house, draw);
    assert_suspended_without_a_number(&house, draw, "repeated");
    let reason = house
        .events()
        .into_iter()
        .rev()
        .find_map(|event| match event {
            Event::DrawSuspended(suspended) => Some(suspended.reason),
            _ => None,
        });
    assert!(reason.unwrap().contains("those of an earlier draw"));
    // What was planted is not in the record: after a start the draw goes on with the numbers
    // that its seal and secrets give, and no others.
    house.restart();
    Draw(draw).resume(&house.central, "S1", "S2").unwrap();
    house.until_settled(draw);
    assert_eq!(numbers(&house, draw), wanted);
    // From here on it is remembered, also after a start.
    for _ in 0..2 {
        let known = house
            .central
            .sequencer
            .submit_blocking(Lane::Draw, move |judge| {
                Ok::<_, keno_service::Stop>(judge.state.drawn_sets.contains(&set))
            })
            .unwrap();
        assert!(known);
        house.restart();
    }
}

#[test]
fn a_void_draw_publishes_its_secrets_and_no_number() {
    let (mut house, twin, draw) = closed_twins();
    let switch = Switch::default();
    house.restart_with(|options| switch.plant(options));
    switch.set(Trouble::MachineInterrupted);
    until_drawn(&house, draw);
    assert_suspended_without_a_number(&house, draw, "interrupted");
    assert_eq!(
        refusal(Draw(draw).void(&house.central, " ", "S1", "S2")),
        Refusal::ReasonNeeded
    );
    assert_eq!(
        refusal(Draw(draw).void(&house.central, "panne", "S1", "S1")),
        Refusal::SamePersonTwice
    );
    Draw(draw)
        .void(&house.central, "panne", "S1", "S2")
        .unwrap();
    house.clock.advance(2_000);
    Conductor::tick(&house.central);
    let live = draw_of(&house, draw);
    assert_eq!(live.state(), DrawState::Void);
    for holder in live.holders() {
        let secret = holder
            .secret
            .expect("the secrets of a void draw are published");
        assert_eq!(
            Some(keno_draw::commitment("demo", draw, &secret)),
            holder.commitment
        );
    }
    assert_eq!(shown(&house, draw, i64::MAX), Vec::<u8>::new());
    // What was decided stays so: no way back to a number.
    for again in [
        Draw(draw).resume(&house.central, "S1", "S2"),
        Draw(draw).start(&house.central),
        Draw(draw).record_balls(&house.central),
    ] {
        assert_eq!(refusal(again), Refusal::DrawStepRefused { state: "void" });
    }
    house.restart();
    assert_eq!(draw_of(&house, draw).state(), DrawState::Void);
    house.until_settled(draw + 1);
    // The twin, where nothing failed, was drawn: the trouble did not choose the numbers.
    twin.until_settled(draw);
    assert_eq!(numbers(&twin, draw).len(), 20);
}

/// A void draw whose secret is lost cannot publish it, and holds nobody up.
#[test]
fn a_lost_secret_of_a_void_draw_holds_nobody_up() {
    let (mut house, _twin, draw) = closed_twins();
    let switch = Switch::default();
    house.restart_with(|options| switch.plant(options));
    switch.set(Trouble::SecretLost);
    until_drawn(&house, draw);
    assert_suspended_without_a_number(&house, draw, "lost");
    Draw(draw)
        .void(&house.central, "panne", "S1", "S2")
        .unwrap();
    house.clock.advance(2_000);
    Conductor::tick(&house.central);
    assert!(
        draw_of(&house, draw)
            .holders()
            .iter()
            .all(|holder| holder.secret.is_none())
    );
    // The next draws close, and new ones are announced, though this one is tried again and again.
    house.until_closed(draw + 1);
    let announced = house.central.view.get().draws.len();
    assert!(announced > 20, "{announced}");
    switch.set(Trouble::None);
    house.until_settled(draw + 1);
    assert!(
        draw_of(&house, draw)
            .holders()
            .iter()
            .all(|holder| holder.secret.is_some()),
        "published once it is found again"
    );
}

/// Takes the steps of a draw by hand up to the one that leaves it in `state`.
fn bring_to(house: &House, draw: u64, state: DrawState) {
    let central = &house.central;
    for _ in 0..20 {
        let now = draw_of(house, draw).state();
        if now == state {
            return;
        }
        match now {
            DrawState::Open => Draw(draw).close(central).unwrap(),
            DrawState::Closed if state == DrawState::Suspended => {
                Draw(draw).suspend(central, "essai", "S1").unwrap();
            }
            DrawState::Closed => Draw(draw).start(central).unwrap(),
            DrawState::Drawing => Draw(draw).record_balls(central).unwrap(),
            DrawState::Drawn => Draw(draw)
                .certify(central, vec!["guard".to_owned()])
                .unwrap(),
            DrawState::Official => {
                Draw(draw).reveal_secrets(central).unwrap();
                Draw(draw).settle(central).unwrap();
            }
            DrawState::Suspended => Draw(draw).resume(central, "S1", "S2").unwrap(),
            other => panic!("no step leads from {other:?} to {state:?}"),
        }
    }
    panic!("draw {draw} never came to {state:?}");
}

/// A restart in each state of a draw: the numbers, their order and the prizes are those of a
/// twin that was never stopped.
#[test]
fn a_restart_in_any_state_changes_no_number() {
    for state in [
        DrawState::Open,
        DrawState::Closed,
        DrawState::Drawing,
        DrawState::Suspended,
        DrawState::Drawn,
        DrawState::Official,
        DrawState::Settled,
    ] {
        let mut house = House::new(None);
        let clerk = house.clerk(1, "C1");
        let draw = house.next_draw();
        for _ in 0..10 {
            house.sell(&clerk, slip(vec![quick(4, 200), straight(&[7], 100)], 2));
        }
        // Both were restarted while the draw was on sale; they go on with the same leaf.
        let twin = house.twin();
        bring_to(&house, draw, state);
        if state != DrawState::Open {
            house.restart();
        }
        assert_eq!(draw_of(&house, draw).state(), state);
        bring_to(&house, draw, DrawState::Settled);
        bring_to(&twin, draw, DrawState::Settled);
        assert_eq!(numbers(&house, draw), numbers(&twin, draw), "{state:?}");
        let of = |house: &House| {
            let live = draw_of(house, draw);
            (
                live.seal().unwrap(),
                live.settlement().cloned().unwrap(),
                live.holders().to_vec(),
            )
        };
        assert_eq!(of(&house), of(&twin), "{state:?}");
        assert!(
            Draw(draw)
                .transcript(&house.central)
                .unwrap()
                .check()
                .is_ok()
        );
        assert_eq!(
            Draw(draw).transcript(&house.central).unwrap().balls,
            numbers(&house, draw)
        );
    }
    // Two houses that were not copied from each other have other numbers: the comparison above
    // compares something.
    let other = || {
        let house = House::new(None);
        let draw = house.next_draw();
        bring_to(&house, draw, DrawState::Settled);
        numbers(&house, draw)
    };
    assert_ne!(other(), other());
}

/// The machine has drawn and the record of it is lost: asked again, also by the next start, it
/// gives the same numbers.
#[test]
fn numbers_whose_record_was_lost_are_the_same_again() {
    struct LoseBalls;
    impl CommitHook for LoseBalls {
        fn before_commit(&mut self) -> Result<(), Fault> {
            Err(Fault::Record("planted".to_owned()))
        }
    }
    let (mut house, twin, draw) = closed_twins();
    bring_to(&house, draw, DrawState::Drawing);
    bring_to(&twin, draw, DrawState::Settled);
    // The start of central itself takes a lease: that one commit is let through.
    struct After(u8, LoseBalls);
    impl CommitHook for After {
        fn before_commit(&mut self) -> Result<(), Fault> {
            if self.0 > 0 {
                self.0 -= 1;
                return Ok(());
            }
            self.1.before_commit()
        }
    }
    house.restart_with(|options| options.hook = Some(Box::new(After(1, LoseBalls))));
    for _ in 0..3 {
        let lost = Draw(draw).record_balls(&house.central);
        assert!(
            matches!(lost, Err(Stop::Undone(Fault::Record(_)))),
            "{lost:?}"
        );
        assert_eq!(shown(&house, draw, i64::MAX), Vec::<u8>::new());
    }
    house.restart();
    bring_to(&house, draw, DrawState::Settled);
    assert_eq!(numbers(&house, draw), numbers(&twin, draw));
}

/// Every hundred milliseconds of a reveal, through everything that a reader can ask. Seen to
/// fail: with `shown` counting one interval more, at the first step.
#[test]
fn no_number_is_shown_before_its_moment() {
    for late_ms in [0, 31_700] {
        let house = House::new(None);
        let clerk = house.clerk(1, "C1");
        let draw = house.next_draw();
        let sold = house.sell(&clerk, slip(vec![straight(&[7], 100), quick(10, 100)], 1));
        house.confirm(&clerk, &sold);
        house.until_closed(draw);
        let draws_at_ms = draw_of(&house, draw).draws_at_ms();
        // Central was busy or off: what is drawn late is shown late, one number at a time.
        if late_ms > 0 {
            house
                .clock
                .advance(draws_at_ms + late_ms - house.clock_ms());
        }
        let first_ms = draws_at_ms + late_ms;
        let interval_ms = house.central.schedule.ball_interval_ms;
        assert_eq!(interval_ms, 2_000);
        let mut seen: Vec<Vec<u8>> = Vec::new();
        let mut settled_at_ms = None;
        for _ in 0..1_000 {
            Conductor::tick(&house.central);
            let now_ms = house.clock_ms();
            let view = house.central.view.get();
            let live = &view.draws[&draw];
            let visible = live.shown(now_ms, interval_ms).to_vec();
            assert_eq!(visible, shown(&house, draw, now_ms), "both pictures agree");
            let due = if now_ms < first_ms {
                0
            } else {
                usize::try_from((now_ms - first_ms) / interval_ms + 1)
                    .unwrap()
                    .min(20)
            };
            assert_eq!(visible.len(), due, "{} ms", now_ms - first_ms);
            let over = now_ms >= first_ms + 20 * interval_ms;
            assert_eq!(live.settlement().is_some(), over, "{now_ms}");
            assert_eq!(live.certifiers().is_empty(), !over);
            assert_eq!(
                live.holders().iter().any(|holder| holder.secret.is_some()),
                over,
                "a secret is a number"
            );
            assert_eq!(Draw(draw).transcript(&house.central).is_ok(), over);
            let paper = house.paper(&sold);
            let row = paper.find(&house.central).unwrap().unwrap();
            let picture = TicketPicture::of(&house.central, row).unwrap();
            let verdict = picture.verdict(&house.central);
            assert_eq!(
                matches!(
                    verdict,
                    Verdict::Winner { .. } | Verdict::WinnerAtCage | Verdict::NotWinner
                ),
                over,
                "{verdict:?} at {} ms",
                now_ms - first_ms
            );
            assert!(over || picture.payable().next().is_none());
            if let Some(before) = seen.last() {
                assert!(visible.starts_with(before), "a number changed");
            }
            seen.push(visible);
            if over {
                settled_at_ms = Some(now_ms);
                break;
            }
            house.clock.advance(100);
        }
        assert!(settled_at_ms.is_some());
        assert!(seen.len() > 400, "{}", seen.len());
        let last = numbers(&house, draw);
        assert!(seen.iter().all(|visible| last.starts_with(visible)));
    }
}

/// The door itself knows two people from one, whoever stands before it.
#[test]
fn what_takes_two_people_is_refused_to_one() {
    let house = House::founded(None, RULES, |_| {});
    let clerk = house.clerk(1, "C1");
    let supervisor = house.clerk(2, "S1");
    let sold = house.sell(&clerk, slip(vec![quick(5, 200)], 1));
    let paper = house.paper(&sold);
    draw::suspend_sales(&house.central, "essai", "S1").unwrap();
    let order = house.order(&clerk, slip(vec![quick(5, 200)], 1), None);
    assert_eq!(
        refusal(wait(order.sell(&house.central, &clerk))),
        Refusal::SalesSuspended
    );
    let before = house.remembered();
    let central = &house.central;
    for (what, outcome) in [
        ("sales", draw::resume_sales(central, "S1", "S1")),
        (
            "unpaid",
            wait(Named::from(&paper).mark_unpaid(central, &clerk, &house.person("C1"))).map(drop),
        ),
        (
            "release",
            wait(Named::from(&paper).release(central, &supervisor, &house.person("S1"), "vu"))
                .map(drop),
        ),
        (
            "fill",
            wait(
                house
                    .till_order(&supervisor, TillMovementKind::Fill)
                    .move_cash(central, &supervisor),
            )
            .map(drop),
        ),
        (
            "duplicate",
            wait(Named::from(&paper).duplicate(central, &clerk, &house.person("C1"), "mouillé"))
                .map(drop),
        ),
        (
            "reversal",
            wait(clerk.reverse_payment(central, &house.person("C1"), 0, "parti")).map(drop),
        ),
        (
            "rules",
            house::publish_rules(central, RULES, 1, "S1", "S1").map(drop),
        ),
        ("void", Draw(2).void(central, "panne", "S1", "S1")),
        ("resume", Draw(2).resume(central, "S1", "S1")),
        ("clock", draw::confirm_schedule(central, "S1", "S1")),
    ] {
        assert_eq!(refusal(outcome), Refusal::SamePersonTwice, "{what}");
    }
    assert!(house.remembered() == before, "a refusal left a trace");
    draw::resume_sales(central, "S1", "S2").unwrap();
    wait(Named::from(&paper).mark_unpaid(central, &clerk, &house.person("S1"))).unwrap();
    house.sell(&clerk, slip(vec![quick(5, 200)], 1));
}

/// The door itself knows who may stand beside, whoever stands before it: a clerk is nobody beside a
/// clerk.
#[test]
fn a_second_person_without_the_role_is_refused() {
    let house = House::founded(None, RULES, |_| {});
    let central = &house.central;
    let clerk = house.clerk(1, "C1");
    house.clerk(2, "C2");
    let sold = house.sell(&clerk, slip(vec![quick(5, 200)], 1));
    let paper = house.paper(&sold);
    let before = house.remembered();
    let other = house.person("C2");
    let paying = PayOrder {
        counter: house.next_counter(),
        session: clerk.session,
        paper: (&paper).into(),
        items: Vec::new(),
        second: Some(other.clone()),
    };
    for (what, outcome) in [
        ("pay", wait(paying.pay(central, &clerk)).map(drop)),
        (
            "unpaid",
            wait(Named::from(&paper).mark_unpaid(central, &clerk, &other)).map(drop),
        ),
        (
            "duplicate",
            wait(Named::from(&paper).duplicate(central, &clerk, &other, "mouillé")).map(drop),
        ),
        (
            "reversal",
            wait(clerk.reverse_payment(central, &other, 0, "parti")).map(drop),
        ),
    ] {
        assert_eq!(refusal(outcome), Refusal::SecondPersonRefused, "{what}");
    }
    assert!(house.remembered() == before, "a refusal left a trace");
}

//! The draw room: an evening from the scale to the end, started again after each step, and whatever
//! clumsy people do there: the record is what the second computation finds lawful.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock, Weak};

use crate::support::{DESK, House, RULES, assert_same, at_the_desk, slip, straight};
use chrono::NaiveTime;
use keno_game::DrawState;
use keno_house_builder::{Pins, people, record_people};
use keno_record::past_draws::draw_range;
use keno_record::roles::{DeviceRole, Role};
use keno_record::sequencer::CommitHook;
use keno_record::view::DrawInfo;
use keno_service::draw::{Conductor, Decision, Draw, EnteredBall, Incident, RoomAsked, RoomStep};
use keno_service::house_file::{BallSetLimits, HouseFile};
use keno_service::maintenance::{rebuild, verify};
use keno_service::refusal::Refusal;
use keno_service::staff::DeviceNumber;
use keno_service::{Central, Fault, Stop};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The computer draws first, so that its secrets can choose a set; balls from the third draw on.
fn with_balls(house: &HouseFile) -> HouseFile {
    let from = NaiveTime::from_hms_opt(12, 5, 0).unwrap();
    HouseFile {
        balls: Some((from, house.last)),
        ball_sets: BallSetLimits {
            draws: 2,
            ..BallSetLimits::default()
        },
        ..house.clone()
    }
}

fn house_of_balls(database: Option<&str>) -> House {
    let house = House::founded(database, RULES, |options| {
        options.house = with_balls(&options.house);
        options.snapshot_leaves = 7;
    });
    let staff = people(&[
        ("M1", &[Role::Marker]),
        ("V1", &[Role::Verifier]),
        ("V2", &[Role::Verifier]),
    ]);
    record_people(&house.central, ["X1", "X2"], &staff, Pins::None).unwrap();
    let role = DeviceRole::Desk.number();
    DeviceNumber(DESK)
        .record(&house.central, "P01", role, ("X1", "X2"))
        .unwrap();
    house
}

fn measure(set: &str) -> RoomStep {
    RoomStep::Measure {
        set: set.to_owned(),
        masses_mg: (0..80).map(|ball| 2_680 + ball).collect(),
        passed: true,
        instruments: "scale B-1, gauge C-2".to_owned(),
    }
}

fn offer(reason: &str) -> RoomStep {
    RoomStep::Offer {
        reason: reason.to_owned(),
    }
}

fn opening() -> RoomStep {
    RoomStep::Open {
        counted: 80,
        camera: "camera 3, 12:04".to_owned(),
    }
}

fn by_two(house: &House, step: RoomStep) -> Result<(), Stop> {
    let central = &house.central;
    step.ask(central, &at_the_desk("M1"))?;
    let number = RoomAsked::waiting(central).unwrap().number;
    RoomAsked::agree(central, &at_the_desk("V1"), number)
}

fn draw_of(house: &House, draw: u64) -> DrawInfo {
    draw_range(&house.central, draw, draw).unwrap().remove(0)
}

fn refusal(outcome: Result<(), Stop>) -> Refusal {
    match outcome {
        Err(Stop::Refused(refusal)) => refusal,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

fn begin(house: &House, draw: u64) {
    house.until_closed(draw);
    let wait_ms = draw_of(house, draw).draws_at_ms() - house.clock_ms();
    house.clock.advance(wait_ms.max(0));
    Conductor::tick(&house.central);
}

/// Enters the balls of a draw by two people, and certifies them.
fn draw_balls(house: &House, draw: u64, first: u8) {
    for position in 1..=20 {
        let number = (first + position - 1) % 80 + 1;
        let ball = EnteredBall { position, number };
        for badge in ["M1", "V1"] {
            let by = at_the_desk(badge);
            Draw(draw).enter_ball(&house.central, &by, ball).unwrap();
        }
    }
    let certifiers = vec!["M1".to_owned(), "V1".to_owned()];
    Draw(draw).certify(&house.central, certifiers).unwrap();
    house.until_settled(draw);
}

fn started_again(house: &mut House) {
    assert_same(&house.remembered(), &house.recovered(), "before a start");
    let before = house.central.view.get().room.clone();
    house.restart_with(|options| {
        options.house = with_balls(&options.house);
        options.snapshot_leaves = 7;
    });
    assert_eq!(house.central.view.get().room, before);
}

/// Central is started again after each step of an evening: sets, choice and room are what they were,
/// the draws are drawn with the set in the machine, and both computations agree. Seen to fail with
/// `room` left out of the snapshot, with a start that is not counted, and with a set that is not set
/// aside.
#[test]
fn an_evening_goes_on_after_every_start() {
    let database = keno_testing::empty_postgres_database().unwrap();
    for address in [None, Some(database.address())] {
        let mut house = house_of_balls(address);
        let clerk = house.clerk(1, "C1");
        house.sell(&clerk, slip(vec![straight(&[7], 100)], 5));
        for set in ["A", "B", "C"] {
            by_two(&house, measure(set)).unwrap();
            started_again(&mut house);
        }
        by_two(&house, offer("")).unwrap();
        started_again(&mut house);
        house.until_settled(1);
        let chosen = |house: &House| {
            let view = house.central.view.get();
            view.room.choice.as_ref().and_then(|it| it.chosen.clone())
        };
        let first = chosen(&house).expect("the first draw chose");
        started_again(&mut house);
        // A ball of it is cracked: the others are offered, and it is not used before it is measured.
        by_two(&house, offer("a cracked ball")).unwrap();
        house.until_settled(2);
        let second = chosen(&house).expect("the second draw chose");
        assert_ne!(first, second);
        started_again(&mut house);
        begin(&house, 3);
        assert_eq!(draw_of(&house, 3).state(), DrawState::Closed, "no room");
        by_two(&house, opening()).unwrap();
        started_again(&mut house);
        begin(&house, 3);
        draw_balls(&house, 3, 1);
        started_again(&mut house);
        begin(&house, 4);
        draw_balls(&house, 4, 2);
        for draw in [3, 4] {
            let with = draw_of(&house, draw);
            assert_eq!(with.ball_set(), Some(second.as_str()));
        }
        assert_eq!(draw_of(&house, 2).ball_set(), None);
        // It has done what it is good for.
        begin(&house, 5);
        assert_eq!(draw_of(&house, 5).state(), DrawState::Closed, "used up");
        assert_eq!(
            refusal(by_two(&house, RoomStep::End)),
            Refusal::DrawUndecided { draw: 5 }
        );
        by_two(&house, RoomStep::HandOver).unwrap();
        started_again(&mut house);
        by_two(&house, measure(&second)).unwrap();
        begin(&house, 5);
        draw_balls(&house, 5, 3);
        by_two(&house, RoomStep::End).unwrap();
        started_again(&mut house);
        let counted = house.central.view.get().frequencies.clone();
        let of_set = |set: &str| {
            let mut all = counted.iter();
            all.find(|it| it.set.as_deref() == Some(set))
                .map(|it| it.draws)
        };
        assert_eq!((of_set(&second), of_set(&first)), (Some(3), None));
        house.audit_holds();
        let mut connection = house.record().open_writer().unwrap();
        rebuild(&mut connection).unwrap();
        let anchors = [house.path().join("anchors.log")];
        let outcome = verify(&mut connection, &anchors, &house.path()).unwrap();
        assert_eq!(outcome.findings, []);
    }
}

/// A draw that is postponed keeps its seal and its claims, and begins at the later moment.
#[test]
fn a_postponed_draw_keeps_its_seal() {
    let house = house_of_balls(None);
    let clerk = house.clerk(1, "C1");
    house.sell(&clerk, slip(vec![straight(&[7], 100)], 1));
    house.until_closed(1);
    let before = draw_of(&house, 1);
    let postpone = |minutes| Draw(1).postpone(&house.central, minutes, "the film", "V1", "S1");
    postpone(7).unwrap();
    postpone(3).unwrap();
    let after = draw_of(&house, 1);
    assert_eq!(after.draws_at_ms(), before.draws_at_ms() + 600_000);
    assert_eq!(after.seal(), before.seal());
    // Half a day, twice, is more than a day; and so it is tomorrow, since its sales closed today.
    postpone(720).unwrap();
    let too_far = Refusal::PostponedTooFar { most: 720 };
    assert_eq!(refusal(postpone(720)), too_far);
    house.clock.advance(11 * 3_600_000);
    assert_eq!(refusal(postpone(720)), too_far);
    let wait_ms = draw_of(&house, 1).draws_at_ms() - house.clock_ms() - 60_000;
    house.clock.advance(wait_ms);
    Conductor::tick(&house.central);
    assert_eq!(draw_of(&house, 1).state(), DrawState::Closed);
    house.clock.advance(60_000);
    Conductor::tick(&house.central);
    house.until_settled(1);
    assert!(draw_of(&house, 1).reveal_starts_ms().unwrap() >= after.draws_at_ms());
    assert_same(&house.remembered(), &house.recovered(), "postponed");
    house.audit_holds();
}

/// Whatever is done in the room, in whatever order and by whomever: what stands in the record is
/// lawful, and memory is what the leaves give.
#[test]
fn whatever_is_done_in_the_room_the_record_is_lawful() {
    let mut opened = 0;
    for seed in 0..24_u64 {
        let house = house_of_balls(None);
        let central = &house.central;
        let mut random = ChaCha20Rng::seed_from_u64(seed);
        let mut pick = |count: u32| random.next_u32() % count;
        for _ in 0..120 {
            let by = at_the_desk(["M1", "V1", "V2"][pick(3) as usize]);
            let outcome = match pick(12) {
                0 | 1 => {
                    let set = ["A", "B", "C"][pick(3) as usize];
                    let mut step = measure(set);
                    if let RoomStep::Measure {
                        masses_mg, passed, ..
                    } = &mut step
                    {
                        *passed = pick(8) > 0;
                        masses_mg[pick(80) as usize] += if pick(8) > 0 { 0 } else { 500 };
                    }
                    step.ask(central, &by)
                }
                2 => offer(["", "a doubt"][pick(2) as usize]).ask(central, &by),
                3 => opening().ask(central, &by),
                4 => RoomStep::HandOver.ask(central, &by),
                5 => RoomStep::End.ask(central, &by),
                6 => {
                    house.clock.advance(i64::from(pick(90)) * 1_000);
                    Conductor::tick(central);
                    Ok(())
                }
                7 => {
                    let draws = central.view.get().draws.clone();
                    let is_drawing = |it: &&std::sync::Arc<DrawInfo>| {
                        it.is_of_balls() && it.state() == DrawState::Drawing
                    };
                    if let Some(draw) = draws.values().find(is_drawing) {
                        let number = draw.number();
                        draw_balls(&house, number, number as u8);
                    }
                    Ok(())
                }
                8 => {
                    let draw = u64::from(pick(6)) + 1;
                    Draw(draw).postpone(central, pick(4) as u16, "a doubt", "V1", "S1")
                }
                9 => {
                    let incident = Incident {
                        draw: Some(u64::from(pick(9))),
                        text: "noise".to_owned(),
                        camera: String::new(),
                    };
                    incident.log(central, &by)
                }
                _ => {
                    let number = RoomAsked::waiting(central).map_or(0, |it| it.number);
                    RoomAsked::agree(central, &by, number)
                }
            };
            match outcome {
                Ok(()) | Err(Stop::Refused(_)) => {}
                Err(fault) => panic!("seed {seed}: {fault:?}"),
            }
            opened += u32::from(central.view.get().room.open.is_some());
        }
        assert_same(&house.remembered(), &house.recovered(), "after a room");
        house.audit_holds();
    }
    assert!(opened > 100, "the room was open {opened} times");
}

/// Two who agree at once: one of them has agreed, and it is recorded once. A refusal takes nothing away
/// from who may agree. Seen to fail with the step taken away after it was recorded.
#[test]
fn a_step_is_taken_once() {
    let house = house_of_balls(None);
    let central = &house.central;
    let begin = std::sync::Barrier::new(4);
    for round in 0..10_u64 {
        measure("A").ask(central, &at_the_desk("M1")).unwrap();
        let number = RoomAsked::waiting(central).unwrap().number;
        assert_eq!(
            refusal(RoomAsked::agree(central, &at_the_desk("M1"), number)),
            Refusal::SamePersonTwice
        );
        let before = house.events().len();
        let agreed = std::thread::scope(|scope| {
            let mut hands = Vec::new();
            for badge in ["V1", "V2", "V1", "V2"] {
                let begin = &begin;
                hands.push(scope.spawn(move || {
                    begin.wait();
                    RoomAsked::agree(central, &at_the_desk(badge), number).is_ok()
                }));
            }
            let agreed = hands.into_iter().map(|hand| hand.join().unwrap());
            agreed.filter(|is_ok| *is_ok).count()
        });
        let recorded = house.events().len() - before;
        assert_eq!((agreed, recorded), (1, 1), "round {round}");
    }
}

/// Whoever asked learns what became of it from the record: while it is being recorded it waits still.
/// Seen to fail with the step taken away before.
#[test]
fn a_step_waits_until_it_is_recorded() {
    struct Looks(Arc<OnceLock<Weak<Central>>>, Sender<bool>);
    impl CommitHook for Looks {
        fn before_commit(&mut self) -> Result<(), Fault> {
            if let Some(central) = self.0.get().and_then(Weak::upgrade) {
                let _ = self.1.send(RoomAsked::waiting(&central).is_some());
            }
            Ok(())
        }
    }
    let mut house = house_of_balls(None);
    let (at_commit, (seen, waited)) = (Arc::new(OnceLock::new()), channel());
    let hook = Looks(Arc::clone(&at_commit), seen);
    house.restart_with(|options| options.hook = Some(Box::new(hook)));
    at_commit.set(Arc::downgrade(&house.central)).unwrap();
    by_two(&house, measure("A")).unwrap();
    assert_eq!(waited.recv(), Ok(true));
    assert_eq!(RoomAsked::waiting(&house.central), None);
}

/// A draw is postponed once by what two people decided, however often one of them says so at once; and
/// by the number that was shown nobody agrees to anything else. Seen to fail with the decision taken away
/// after it was carried out, and with numbers that begin anew with a start.
#[test]
fn a_decision_is_carried_out_once() {
    let mut house = house_of_balls(None);
    let clerk = house.clerk(1, "C1");
    house.sell(&clerk, slip(vec![straight(&[7], 100)], 1));
    house.until_closed(1);
    let decision = Decision::Postpone(5);
    let central = &house.central;
    let asked = Draw(1).decide(central, "S1", decision.clone(), "the film", None);
    assert!(!asked.unwrap());
    let number = Draw(1).waiting(central).unwrap().number;
    let before = draw_of(&house, 1).draws_at_ms();
    let begin = std::sync::Barrier::new(8);
    std::thread::scope(|scope| {
        for hand in 0..8 {
            let (begin, decision) = (&begin, decision.clone());
            scope.spawn(move || {
                begin.wait();
                let agreeing = (hand % 2 == 0).then_some(number);
                drop(Draw(1).decide(central, "V1", decision, "the film", agreeing));
            });
        }
    });
    assert_eq!(draw_of(&house, 1).draws_at_ms() - before, 300_000);
    let known = refusal(
        Draw(1)
            .decide(central, "V1", decision, "the film", Some(number))
            .map(drop),
    );
    assert_eq!(known, Refusal::NothingAsked);
    // A page of before a start agrees to nothing that was asked since.
    measure("A").ask(central, &at_the_desk("M1")).unwrap();
    let old = RoomAsked::waiting(central).unwrap().number;
    started_again(&mut house);
    let central = &house.central;
    house.clock.advance(1_000);
    measure("B").ask(central, &at_the_desk("M1")).unwrap();
    assert!(RoomAsked::waiting(central).unwrap().number > old);
    assert_eq!(
        refusal(RoomAsked::agree(central, &at_the_desk("V1"), old)),
        Refusal::NothingAsked
    );
    // The same balls under another spelling are the same set.
    by_two(&house, measure("jeu 1")).unwrap();
    by_two(&house, measure("JEU 1")).unwrap();
    let view = house.central.view.get();
    assert_eq!(view.room.sets.keys().collect::<Vec<_>>(), ["jeu 1"]);
}

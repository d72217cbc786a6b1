//! Draws of real balls: a start at any moment leads to what was entered, what the record says is
//! what the second computation finds lawful, and no number shows that did not count.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use crate::support::{DESK, House, RULES, assert_same, at_the_desk, slip, straight, whole_pool};
use keno_game::{DrawState, TubesFinding};
use keno_house_builder::{Pins, people, record_people};
use keno_log::Event;
use keno_log::event::{DrawOpened, DrawScheduled};
use keno_record::past_draws::draw_range;
use keno_record::roles::{DeviceRole, Role};
use keno_record::sequencer::Lane;
use keno_record::view::DrawInfo;
use keno_service::draw::{Conductor, Decision, Draw, EnteredBall};
use keno_service::maintenance::{rebuild, verify};
use keno_service::refusal::Refusal;
use keno_service::staff::DeviceNumber;
use keno_service::{Stop, house_file::HouseFile};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A house that draws balls all day.
fn house_of_balls(database: Option<&str>) -> House {
    furnished(House::founded(database, RULES, |options| {
        options.house = with_balls(&options.house);
        options.snapshot_leaves = 7;
    }))
}

/// With those who enter balls, and a desk.
fn furnished(house: House) -> House {
    let central = &house.central;
    let staff = people(&[
        ("M1", &[Role::Marker]),
        ("V1", &[Role::Verifier]),
        ("V2", &[Role::Verifier]),
    ]);
    record_people(central, ["X1", "X2"], &staff, Pins::None).unwrap();
    let role = DeviceRole::Desk.number();
    DeviceNumber(DESK)
        .record(central, "P01", role, ("X1", "X2"))
        .unwrap();
    house
}

fn with_balls(house: &HouseFile) -> HouseFile {
    HouseFile {
        balls: Some((house.first, house.last)),
        ..house.clone()
    }
}

fn on_both(test: fn(House)) {
    test(house_of_balls(None));
    let database = keno_testing::empty_postgres_database().unwrap();
    test(house_of_balls(Some(database.address())));
}

fn enter(house: &House, draw: u64, badge: &str, position: u8, number: u8) {
    let ball = EnteredBall { position, number };
    let by = at_the_desk(badge);
    Draw(draw).enter_ball(&house.central, &by, ball).unwrap();
}

fn draw_of(house: &House, draw: u64) -> DrawInfo {
    draw_range(&house.central, draw, draw).unwrap().remove(0)
}

fn shown(house: &House, draw: u64) -> Vec<u8> {
    let interval = house.central.schedule.ball_interval_ms;
    draw_of(house, draw).shown(i64::MAX, interval).to_vec()
}

fn until_drawing(house: &House, draw: u64) {
    house.until_closed(draw);
    let wait_ms = draw_of(house, draw).draws_at_ms() - house.clock_ms();
    house.clock.advance(wait_ms);
    Conductor::tick(&house.central);
    assert_eq!(draw_of(house, draw).state(), DrawState::Drawing);
}

fn refusal<T: std::fmt::Debug>(outcome: Result<T, Stop>) -> Refusal {
    match outcome {
        Err(Stop::Refused(refusal)) => refusal,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

/// The balls of a draw, in their order; the seventh is misread by the verifier first.
const BALLS: [u8; 20] = [
    66,
    9,
    6,
    80,
    1,
    68,
    89 - 20,
    33,
    41,
    48,
    52,
    57,
    60,
    63,
    70,
    72,
    75,
    77,
    29,
    5,
];

/// Central is started again after every entry: what was entered goes on, nothing shows that did not
/// count, and the settled draw is what both computations say. Seen to fail with `entries` left out
/// of the snapshot, with a difference that leaves the first number standing, and with `shown` giving
/// out what one alone has entered.
#[test]
fn a_start_after_every_entry_goes_on_with_the_same_balls() {
    on_both(|mut house| {
        let clerk = house.clerk(1, "C1");
        let tickets = whole_pool(&house, &clerk, 1);
        let draw = tickets[0].sold.first_draw;
        until_drawing(&house, draw);
        let mut counted: Vec<u8> = Vec::new();
        let say = |house: &mut House, badge: &str, position: u8, number: u8| {
            enter(house, draw, badge, position, number);
            assert_same(&house.remembered(), &house.recovered(), "after an entry");
            let before = draw_of(house, draw);
            house.restart_with(|options| {
                options.house = with_balls(&options.house);
                options.snapshot_leaves = 7;
            });
            let after = draw_of(house, draw);
            for badge in ["M1", "V1"] {
                assert_eq!(before.entered_by(badge), after.entered_by(badge));
            }
            shown(house, draw)
        };
        for (position, number) in (1_u8..).zip(BALLS) {
            assert_eq!(say(&mut house, "M1", position, number), counted);
            if position == 7 {
                // Held the other way up.
                assert_eq!(say(&mut house, "V1", position, 71), counted);
                assert_eq!(say(&mut house, "V1", position, number), counted);
                counted.push(number);
                assert_eq!(say(&mut house, "M1", position, number), counted);
                continue;
            }
            counted.push(number);
            assert_eq!(say(&mut house, "V1", position, number), counted);
        }
        let central = &house.central;
        Draw(draw)
            .certify(central, vec!["M1".to_owned(), "V1".to_owned()])
            .unwrap();
        house.until_settled(draw);
        assert_eq!(shown(&house, draw), BALLS);
        let settled = draw_of(&house, draw);
        assert_eq!(settled.certifiers(), ["M1", "V1"]);
        // Every single number was played once: twenty win.
        assert_eq!(settled.settlement().unwrap().winners, {
            let won = |four: u8| BALLS.iter().any(|ball| (ball - 1) / 4 == four);
            (0..20).filter(|four| won(*four)).count() as u64
        });
        house.audit_holds();
        let mut connection = house.record().open_writer().unwrap();
        rebuild(&mut connection).unwrap();
        let anchors = [house.path().join("anchors.log")];
        let outcome = verify(&mut connection, &anchors, &house.path()).unwrap();
        assert_eq!(outcome.findings, []);
    });
}

/// The computer stands in by two people, before any ball: its numbers follow from what was committed
/// to before the first wager, and both computations say so.
#[test]
fn the_computer_stands_in_where_it_had_committed() {
    on_both(|house| {
        let clerk = house.clerk(1, "C1");
        house.sell(&clerk, slip(vec![straight(&[7], 100)], 1));
        let draw = house.next_draw();
        until_drawing(&house, draw);
        let central = &house.central;
        let stands_in = |by, second| Draw(draw).stand_in(central, "muet", by, second);
        assert_eq!(refusal(stands_in("S1", "S1")), Refusal::SamePersonTwice);
        stands_in("S1", "V1").unwrap();
        assert_eq!(
            refusal(Draw(draw).enter_ball(
                central,
                &at_the_desk("M1"),
                EnteredBall {
                    position: 1,
                    number: 1
                }
            )),
            Refusal::DrawByComputer { draw }
        );
        house.until_settled(draw);
        let transcript = Draw(draw).transcript(central).unwrap();
        transcript.check().unwrap();
        assert_eq!(transcript.balls, shown(&house, draw));
        house.audit_holds();
    });
}

/// Nobody stands in who has not committed.
#[test]
fn the_computer_does_not_stand_in_without_commitments() {
    let house = house_of_balls(None);
    let central = &house.central;
    let draw = central.view.get().draws.keys().next_back().unwrap() + 1;
    let like = draw_of(&house, draw - 1);
    central
        .sequencer
        .submit_blocking(Lane::Draw, move |judge| {
            judge.record(DrawScheduled {
                draw,
                closes_at_ms: like.closes_at_ms() + 60_000,
                draws_at_ms: like.draws_at_ms() + 60_000,
                source: 2,
                holders: Vec::new(),
                pool_size: 80,
                drawn: 20,
                cap_cents: like.cap_cents(),
                full_below_cents: 100_000,
            })?;
            judge.record(DrawOpened { draw })?;
            Ok::<_, Stop>(())
        })
        .unwrap();
    Draw(draw).close(central).unwrap();
    assert_eq!(
        refusal(Draw(draw).stand_in(central, "muet", "S1", "V1")),
        Refusal::NothingCommitted
    );
}

/// What one alone entered is nowhere in what others may read: not in the public facts of the log, nor
/// in a line of the process's log.
#[test]
fn what_one_alone_entered_is_nobodys_business() {
    let house = house_of_balls(None);
    let draw = house.next_draw();
    until_drawing(&house, draw);
    enter(&house, draw, "M1", 1, 73);
    let events = house.events();
    let said = events
        .iter()
        .rev()
        .find(|event| matches!(event, Event::BallEntered(_)));
    assert!(!said.unwrap().kind().is_public());
    let told = format!("{:?}", draw_of(&house, draw));
    assert!(told.contains("M1") && !told.contains("entries"), "{told}");
    assert_eq!(shown(&house, draw), [] as [u8; 0]);
    assert_eq!(draw_of(&house, draw).entered_by("V1"), [] as [u8; 0]);
}

/// A stream of choices from a seed.
struct Choices(ChaCha20Rng);

impl Choices {
    fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.0.next_u32()).unwrap() % most
    }
}

/// What somebody does at a desk: mostly the ball that was drawn, at times something else, and any
/// decision at any moment. Whatever is refused leaves no trace.
fn one_act(house: &House, draw: u64, drawn: &[u8; 20], choices: &mut Choices) {
    let central = &house.central;
    let people = ["M1", "V1", "V2", "S1", "S2"];
    let who = people[choices.below(people.len())];
    let live = draw_of(house, draw);
    let reason = "essai";
    match choices.below(40) {
        0 if choices.below(2) == 0 => {
            drop(Draw(draw).decide(central, who, Decision::Suspend, reason, None));
        }
        1 if choices.below(3) == 0 => {
            let leaving = live.enterers().next().unwrap_or("M1").to_owned();
            let decision = Decision::Replace { leaving };
            drop(Draw(draw).decide(central, who, decision, reason, None));
        }
        2 if choices.below(3) == 0 => {
            drop(Draw(draw).decide(central, who, Decision::StandIn, reason, None))
        }
        3..=5 => drop(Draw(draw).decide(central, who, Decision::Certify, "", None)),
        6..=8 => drop(Draw(draw).decide(central, who, Decision::Resume, "", None)),
        9..=11 => drop(Draw(draw).decide(central, who, Decision::Complete, "", None)),
        12 if live.state() == DrawState::Suspended => {
            let finding = [None, Some(TubesFinding::Fell)][choices.below(2)];
            drop(Draw(draw).decide(central, who, Decision::Void(finding), reason, None));
        }
        _ => {
            let by = at_the_desk(who);
            let next = live.next_ball(who).unwrap_or(20);
            let (position, number) = match choices.below(12) {
                0 => (
                    u8::try_from(choices.below(22)).unwrap(),
                    u8::try_from(choices.below(83)).unwrap(),
                ),
                1 => (u8::try_from(choices.below(20) + 1).unwrap(), 0),
                _ => (next, drawn[usize::from(next - 1)]),
            };
            let ball = EnteredBall { position, number };
            drop(Draw(draw).enter_ball(central, &by, ball));
        }
    }
    Conductor::tick(central);
}

/// Whatever clumsy people do at the desks, in whatever order: what stands in the record is lawful by the
/// second computation, memory is what the leaves give, and a draw that is official has the balls on
/// which two agreed.
#[test]
fn whatever_is_done_at_the_desks_the_record_is_lawful() {
    let mut ends = std::collections::BTreeMap::new();
    for seed in 0..60_u64 {
        let rule = match seed % 2 {
            0 => "machine_draw = \"void\"",
            _ => "machine_draw = \"complete\"",
        };
        let rules = RULES.replace("machine_draw = \"void\"", rule);
        let house = furnished(House::founded(None, &rules, |options| {
            options.house = with_balls(&options.house);
        }));
        let clerk = house.clerk(1, "C1");
        house.sell(&clerk, slip(vec![straight(&[66], 100)], 1));
        let draw = house.next_draw();
        until_drawing(&house, draw);
        let mut choices = Choices(ChaCha20Rng::seed_from_u64(seed));
        for _ in 0..400 {
            one_act(&house, draw, &BALLS, &mut choices);
            if draw_of(&house, draw).state() >= DrawState::Official
                && draw_of(&house, draw).state() != DrawState::Suspended
            {
                break;
            }
        }
        // Once people have decided, or the computer draws, the rest is by the clock.
        let waits = [DrawState::Suspended, DrawState::Drawing];
        if !waits.contains(&draw_of(&house, draw).state()) {
            house.until_settled(draw);
        }
        assert_same(&house.remembered(), &house.recovered(), "after a draw");
        house.audit_holds();
        let end = draw_of(&house, draw);
        *ends.entry(end.state().name()).or_insert(0) += 1;
        if end.state() == DrawState::Settled && end.is_of_balls() {
            let balls = shown(&house, draw);
            let are_two = end.certifiers().len() == 2;
            assert!(balls.len() == 20 && are_two, "seed {seed}: {balls:?}");
        }
    }
    // Every way to end is among them.
    for end in ["settled", "void"] {
        assert!(ends.get(end).is_some_and(|count| *count > 3), "{ends:?}");
    }
}

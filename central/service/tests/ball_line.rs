//! Draws whose balls a machine reads, over TCP and a pseudo-terminal, healthy and with each fault: what
//! is recorded fell, what is wrong is named, two people take over, and both computations find the
//! record lawful.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;

use crate::support::{
    DESK, House, RULES, assert_same, at_the_desk, slip, straight, wait, whole_pool,
};
use keno_draw::ball_reader::Incident;
use keno_draw_machine::ball_link::{BallMachine, BallPlace};
use keno_draw_machine::simulate;
use keno_draw_machine::simulator::{Fault, Simulator, Trouble};
use keno_game::DrawState;
use keno_house_builder::stranger::Copies;
use keno_house_builder::{Pins, exported, people, record_people};
use keno_log::Event;
use keno_record::clock::{Clock as _, ManualClock};
use keno_record::past_draws::draw_range;
use keno_record::roles::{DeviceRole, Role};
use keno_record::view::DrawInfo;
use keno_service::authority::identity::Caller;
use keno_service::counter::{PayOrder, Sold, TicketPicture};
use keno_service::draw::{Conductor, Draw, EnteredBall};
use keno_service::refusal::Refusal;
use keno_service::staff::DeviceNumber;
use keno_service::{Stop, house_file::HouseFile};

const SEED: u64 = 20_261_127;

fn with_balls(house: &HouseFile, place: &BallPlace) -> HouseFile {
    HouseFile {
        balls: Some((house.first, house.last)),
        ball_machine: Some(BallMachine {
            name: "K-1".to_owned(),
            place: place.clone(),
        }),
        ..house.clone()
    }
}

/// A house with a machine that is reached there.
fn house_with(database: Option<&str>, place: &BallPlace) -> House {
    let completes = "machine_draw = \"complete\"";
    let rules = RULES.replace("machine_draw = \"void\"", completes);
    let house = House::founded(database, &rules, |options| {
        options.house = with_balls(&options.house, place);
        options.snapshot_leaves = 7;
    });
    furnish(&house);
    house
}

/// Those who enter and declare, and a desk.
fn furnish(house: &House) {
    let staff = people(&[("M1", &[Role::Marker]), ("V1", &[Role::Verifier])]);
    record_people(&house.central, ["X1", "X2"], &staff, Pins::None).unwrap();
    let role = DeviceRole::Desk.number();
    DeviceNumber(DESK)
        .record(&house.central, "P01", role, ("X1", "X2"))
        .unwrap();
}

fn enter(house: &House, draw: u64, badge: &str, position: u8, number: u8) -> Result<(), Stop> {
    let ball = EnteredBall { position, number };
    Draw(draw).enter_ball(&house.central, &at_the_desk(badge), ball)
}

fn draw_of(house: &House, draw: u64) -> DrawInfo {
    draw_range(&house.central, draw, draw).unwrap().remove(0)
}

fn until_drawing(house: &House, draw: u64) {
    house.until_closed(draw);
    let wait_ms = draw_of(house, draw).draws_at_ms() - house.clock_ms();
    house.clock.advance(wait_ms);
    Conductor::tick(&house.central);
    assert_eq!(draw_of(house, draw).state(), DrawState::Drawing);
}

/// How a machine is reached.
#[derive(Debug, Clone, Copy)]
enum Wire {
    Network,
    Serial,
}

/// A machine on a wire, whose clock is that of the house.
fn machine(clock: &Arc<ManualClock>, wire: Wire, simulator: Simulator) -> BallPlace {
    let clock = Arc::clone(clock);
    // It ends with the test: it only ever answers.
    match wire {
        Wire::Network => {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let address = listener.local_addr().unwrap().to_string();
            std::thread::spawn(move || {
                simulate::on_network(&listener, simulator, &|| clock.now_ms())
            });
            BallPlace::Network(address)
        }
        Wire::Serial => {
            let (told, device) = channel();
            std::thread::spawn(move || {
                let tell = |device: &Path| told.send(device.to_owned()).unwrap();
                simulate::on_pty(simulator, &|| clock.now_ms(), tell)
            });
            BallPlace::Serial(device.recv().unwrap(), 115_200)
        }
    }
}

/// Looks at the line for so many tenths of a second.
fn turn(house: &House, times: usize) {
    let line = house.central.ball_line.as_ref().unwrap();
    for _ in 0..times {
        line.turn(&house.central);
        house.clock.advance(50);
        line.turn(&house.central);
        house.clock.advance(50);
    }
}

/// Looks at the line until it has read all, or reads no more.
fn read(house: &House, draw: u64) -> DrawInfo {
    for _ in 0..600 {
        turn(house, 1);
        let now = draw_of(house, draw);
        if now.is_drawn() || now.line().has_stopped {
            // What it says behind its last ball.
            turn(house, 10);
            return draw_of(house, draw);
        }
    }
    panic!("nothing comes: {:?}", draw_of(house, draw).line());
}

fn refusal<T: std::fmt::Debug>(outcome: Result<T, Stop>) -> Refusal {
    match outcome {
        Err(Stop::Refused(refusal)) => refusal,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

fn certify(house: &House, draw: u64) -> Result<(), Stop> {
    Draw(draw).certify(&house.central, vec!["M1".to_owned(), "V1".to_owned()])
}

/// What the machine is recorded to have said of a draw: the balls that it read, and what was wrong.
fn on_record(house: &House, of: u64) -> (Vec<u8>, Vec<Incident>) {
    let (mut balls, mut incidents) = (Vec::new(), Vec::new());
    let first = draw_of(house, of).leaves()[0].1;
    for event in house.events_from(first) {
        match event {
            Event::BallRead(body) if body.draw == of => {
                assert_eq!(body.machine, "K-1");
                balls.push(body.number);
            }
            Event::LineIncident(body) if body.draw == of => {
                incidents.push(Incident::of(body.incident).unwrap());
            }
            _ => {}
        }
    }
    (balls, incidents)
}

fn on_both(test: fn(Option<&str>)) {
    test(None);
    let database = keno_testing::empty_postgres_database().unwrap();
    test(Some(database.address()));
}

/// A house with a machine of the seed of these tests.
fn founded(database: Option<&str>, wire: Wire, trouble: Trouble, interval_ms: i64) -> House {
    founded_with(
        database,
        wire,
        Simulator::new(SEED, "A", interval_ms, trouble),
    )
}

/// A house whose clock the machine has, too: the clock is made first.
fn founded_with(database: Option<&str>, wire: Wire, simulator: Simulator) -> House {
    let mut house = house_with(database, &BallPlace::Network("127.0.0.1:1".to_owned()));
    let place = machine(&house.clock, wire, simulator);
    house.restart_with(|options| options.house = with_balls(&options.house, &place));
    house
}

/// The machine reads every ball, two people declare them official, and all is paid from them.
#[test]
fn a_machine_reads_its_balls_and_two_people_declare_them_official() {
    on_both(|database| {
        let house = founded(database, Wire::Network, Trouble::None, 200);
        let clerk = house.clerk(1, "C1");
        let draw = whole_pool(&house, &clerk, 1)[0].sold.first_draw;
        // Whether it is there is known before the draw.
        turn(&house, 20);
        assert!(house.central.ball_line.as_ref().unwrap().standing().answers);
        until_drawing(&house, draw);
        turn(&house, 10);
        let some = draw_of(&house, draw);
        let truth = Simulator::new(SEED, "A", 200, Trouble::None).balls(draw);
        assert!(
            (3..=6).contains(&some.counted().len()),
            "{:?}",
            some.counted()
        );
        assert_eq!(some.shown(i64::MAX, 0), &truth[..some.counted().len()]);
        assert_eq!(refusal(certify(&house, draw)), Refusal::BallsNotEntered);
        assert_eq!(
            refusal(enter(&house, draw, "M1", 1, truth[0])),
            Refusal::LineReads
        );
        // Nobody but the machine says anything before it is whole, and the computer stands in no more.
        let stands_in = Draw(draw).stand_in(&house.central, "muet", "S1", "V1");
        assert!(matches!(stands_in, Err(Stop::Refused(_))), "{stands_in:?}");
        assert_same(&house.remembered(), &house.recovered(), "in the middle");

        let whole = read(&house, draw);
        assert_eq!(whole.counted(), truth);
        assert_eq!(on_record(&house, draw), (truth.clone(), vec![]));
        certify(&house, draw).unwrap();
        house.until_settled(draw);
        assert_eq!(draw_of(&house, draw).shown(i64::MAX, 0), truth);
        assert_same(&house.remembered(), &house.recovered(), "at the end");
        house.audit_holds();
    });
}

/// Central is started again in the middle of a draw: the machine says all once more, and goes on.
#[test]
fn a_start_in_the_middle_goes_on_with_the_same_balls() {
    let mut house = founded(None, Wire::Serial, Trouble::None, 200);
    let draw = house.next_draw();
    until_drawing(&house, draw);
    let truth = Simulator::new(SEED, "A", 200, Trouble::None).balls(draw);
    let place = house.central.house.ball_machine.clone().unwrap().place;
    // Renamed in the house file meanwhile, it is the same machine for this draw.
    for name in ["K-1", "K-2", "K-2", "K-1", "K-2"] {
        turn(&house, 7);
        let before = draw_of(&house, draw).counted().to_vec();
        house.restart_with(|options| {
            options.house = with_balls(&options.house, &place);
            options.house.ball_machine.as_mut().unwrap().name = name.to_owned();
        });
        assert_eq!(draw_of(&house, draw).counted(), before);
    }
    assert_eq!(read(&house, draw).counted(), truth);
    assert_eq!(on_record(&house, draw), (truth, vec![]));
    certify(&house, draw).unwrap();
    house.until_settled(draw);
    house.audit_holds();
}

/// Draws of each test of faults; `BOULIER_CASES` says another number.
fn cases() -> u64 {
    let said = std::env::var("BOULIER_CASES").ok();
    said.map_or(20, |said| said.parse().unwrap())
}

/// A draw, to its payments: what stops the machine two people take over, from the first ball.
fn play(house: &House, draw: u64, machine: &Simulator) -> bool {
    until_drawing(house, draw);
    let now = read(house, draw);
    let (truth, fault) = (machine.balls(draw), machine.fault(draw));
    let (balls, incidents) = on_record(house, draw);
    let told = format!("draw {draw}, {fault:?} of {machine:?}: {balls:?} {incidents:?}");
    assert!(truth.starts_with(&balls), "{told}");
    assert_eq!(balls, now.counted(), "{told}");
    assert!(fault.is_some() || incidents.is_empty(), "{told}");
    let has_stopped = now.line().has_stopped;
    if has_stopped {
        assert!(incidents.last().unwrap().stops(), "{told}");
        assert_eq!(refusal(certify(house, draw)), Refusal::BallsNotEntered);
        for (position, number) in (1..).zip(&truth) {
            for badge in ["M1", "V1"] {
                enter(house, draw, badge, position, *number).unwrap();
            }
        }
    } else {
        assert_eq!(balls, truth, "{told}");
    }
    certify(house, draw).unwrap();
    house.until_settled(draw);
    assert_eq!(draw_of(house, draw).shown(i64::MAX, 0), truth, "{told}");
    has_stopped
}

/// Draws of one fault, and how many of them the machine did not read to their end.
type Met = BTreeMap<Option<Fault>, (u64, u64)>;

/// So many draws of a house, by what was wrong in each.
fn played(wire: Wire, machine: &Simulator, draws: u64) -> Met {
    let house = founded_with(None, wire, machine.clone());
    let clerk = house.clerk(1, "C1");
    let mut met = Met::new();
    for _ in 0..draws {
        let sold = house.sell(&clerk, slip(vec![straight(&[7], 100)], 1));
        let draw = sold.sold.first_draw;
        let (all, stopped) = met.entry(machine.fault(draw)).or_default();
        *all += 1;
        *stopped += u64::from(play(&house, draw, machine));
    }
    house.audit_holds();
    met
}

/// Whatever is wrong with the machine or its line is named, and no ball counts that did not fall. A draw
/// waits for bytes nearly all of its time, so several houses wait side by side; each has a machine of
/// its own, of another seed, and the faults go on from one house to the next.
fn each_fault_is_named(wire: Wire, interval_ms: i64) {
    let houses = (cases() / 5).clamp(1, 16);
    let share = cases().div_ceil(houses);
    let met: Vec<Met> = std::thread::scope(|scope| {
        let begun: Vec<_> = (0..houses)
            .map(|house| {
                let before = (house * share).min(cases());
                let machine = Simulator::new(SEED + before, "A", interval_ms, Trouble::Any);
                let draws = share.min(cases() - before);
                scope.spawn(move || played(wire, &machine, draws))
            })
            .collect();
        let ended = begun.into_iter().map(|one| one.join().unwrap());
        ended.collect()
    });
    let mut all = Met::new();
    for (fault, (draws, stopped)) in met.into_iter().flatten() {
        let of_all = all.entry(fault).or_default();
        *of_all = (of_all.0 + draws, of_all.1 + stopped);
    }
    // For whoever runs the long form: what was met.
    eprintln!("{wire:?}, every {interval_ms} ms, in {houses} houses: {all:?}");
    let draws: u64 = all.values().map(|(draws, _)| draws).sum();
    let stopped: u64 = all.values().map(|(_, stopped)| stopped).sum();
    assert_eq!(draws, cases());
    assert!(stopped * 2 < draws && stopped > 0, "{stopped} of {draws}");
}

#[test]
fn each_fault_over_tcp_is_named_and_two_people_take_over() {
    each_fault_is_named(Wire::Network, 150);
}

#[test]
fn each_fault_over_tcp_at_once_is_named_and_two_people_take_over() {
    each_fault_is_named(Wire::Network, 0);
}

#[test]
fn each_fault_on_a_serial_line_is_named_and_two_people_take_over() {
    each_fault_is_named(Wire::Serial, 150);
}

#[test]
fn each_fault_on_a_serial_line_at_once_is_named_and_two_people_take_over() {
    each_fault_is_named(Wire::Serial, 0);
}

/// A machine that says nothing is noticed within two seconds; people take over by typing. When it comes
/// back nobody listens.
#[test]
fn people_take_over_from_a_machine_that_is_silent() {
    on_both(|database| {
        let house = founded(database, Wire::Serial, Trouble::Always(Fault::Silent), 150);
        let draw = house.next_draw();
        until_drawing(&house, draw);
        let truth = Simulator::new(SEED, "A", 150, Trouble::None).balls(draw);
        let line = house.central.ball_line.as_ref().unwrap();
        let mut heard = 0;
        while !line.standing().is_silent {
            turn(&house, 1);
            heard += 1;
            assert!(heard < 100, "the silence is not noticed");
        }
        let (balls, incidents) = on_record(&house, draw);
        assert_eq!(incidents, [Incident::Silent]);
        assert!(!balls.is_empty() && balls.len() < 20);
        enter(&house, draw, "M1", 1, truth[0]).unwrap();
        let (_, incidents) = on_record(&house, draw);
        assert_eq!(incidents, [Incident::Silent, Incident::TakenOver]);
        turn(&house, 80);
        assert_eq!(on_record(&house, draw).0, balls, "nobody listens any more");
        enter(&house, draw, "V1", 1, truth[0]).unwrap();
        for (position, number) in (2..).zip(&truth[1..]) {
            for badge in ["M1", "V1"] {
                enter(&house, draw, badge, position, *number).unwrap();
            }
        }
        certify(&house, draw).unwrap();
        house.until_settled(draw);
        house.audit_holds();
    });
}

/// A ball that was misread is seen by those who compare: they enter all of them, and theirs count.
#[test]
fn what_was_misread_is_put_right_by_two() {
    let house = founded(None, Wire::Serial, Trouble::None, 0);
    let draw = house.next_draw();
    until_drawing(&house, draw);
    let read = read(&house, draw).counted().to_vec();
    let mut fell = read.clone();
    // 6 for 9 and the like: the machine was wrong about the fourth.
    fell[3] = (1..=80).find(|number| !read.contains(number)).unwrap();
    for (position, number) in (1..).zip(&fell) {
        for badge in ["V1", "M1"] {
            enter(&house, draw, badge, position, *number).unwrap();
        }
    }
    certify(&house, draw).unwrap();
    house.until_settled(draw);
    assert_eq!(draw_of(&house, draw).shown(i64::MAX, 0), fell);
    house.audit_holds();
}

/// What a machine alone said of twenty balls binds nobody: two people interrupt it all the same, and
/// what they say counts. Once both have entered all of them nobody interrupts it.
#[test]
fn what_the_machine_alone_said_may_be_interrupted() {
    let house = founded(None, Wire::Network, Trouble::None, 0);
    let central = &house.central;
    let draw = house.next_draw();
    until_drawing(&house, draw);
    let read = read(&house, draw).counted().to_vec();
    assert_eq!(read.len(), 20);
    Draw(draw)
        .suspend_by_two(central, "rien n'est tombé", "S1", "V1")
        .unwrap();
    Draw(draw).complete(central, "S1", "V1").unwrap();
    Conductor::tick(central);
    let fell: Vec<u8> = (1..=80)
        .filter(|ball| !read.contains(ball))
        .take(20)
        .collect();
    for (position, number) in (1..).zip(&fell) {
        for badge in ["V1", "M1"] {
            enter(&house, draw, badge, position, *number).unwrap();
        }
    }
    let late = Draw(draw).suspend_by_two(central, "trop tard", "S1", "V1");
    assert!(matches!(late, Err(Stop::Refused(_))), "{late:?}");
    certify(&house, draw).unwrap();
    house.until_settled(draw);
    assert_eq!(draw_of(&house, draw).shown(i64::MAX, 0), fell);
    house.audit_holds();
    verifiers_agree(&house);
}

/// A machine that is there keeps its draw from the moment at which it begins; taken from it, the record
/// says so.
#[test]
fn nobody_enters_a_ball_before_a_machine_that_is_there_has_answered() {
    let house = founded(None, Wire::Network, Trouble::None, 200);
    let draw = house.next_draw();
    turn(&house, 20);
    until_drawing(&house, draw);
    // Nobody has looked at the line since the draw began.
    assert_eq!(refusal(enter(&house, draw, "M1", 1, 7)), Refusal::LineReads);
    let absent = house_with(None, &BallPlace::Network("127.0.0.1:1".to_owned()));
    let draw = absent.next_draw();
    turn(&absent, 20);
    until_drawing(&absent, draw);
    enter(&absent, draw, "M1", 1, 7).unwrap();
    assert_eq!(on_record(&absent, draw).1, [Incident::TakenOver]);
}

/// An interrupted draw is not read on: whatever falls afterwards two people enter, where the rules say
/// that it is completed.
#[test]
fn an_interrupted_draw_is_read_no_more() {
    let house = founded(None, Wire::Network, Trouble::None, 300);
    let draw = house.next_draw();
    until_drawing(&house, draw);
    turn(&house, 15);
    let counted = draw_of(&house, draw).counted().to_vec();
    assert!(!counted.is_empty());
    let central = &house.central;
    // One person cannot interrupt what has balls, as where people enter them.
    let alone = Draw(draw).suspend(central, "panne", "S1");
    assert!(matches!(alone, Err(Stop::Refused(_))), "{alone:?}");
    Draw(draw)
        .suspend_by_two(central, "panne", "S1", "V1")
        .unwrap();
    turn(&house, 10);
    Draw(draw).complete(central, "S1", "V1").unwrap();
    Conductor::tick(central);
    assert_eq!(draw_of(&house, draw).state(), DrawState::Drawing);
    turn(&house, 40);
    assert_eq!(draw_of(&house, draw).counted(), counted);
    let truth = Simulator::new(SEED, "A", 300, Trouble::None).balls(draw);
    for (position, number) in (1..).zip(&truth) {
        for badge in ["V1", "M1"] {
            enter(&house, draw, badge, position, *number).unwrap();
        }
    }
    certify(&house, draw).unwrap();
    house.until_settled(draw);
    house.audit_holds();
}

/// What the winners of a draw are paid: how many there are.
fn pay_winners(house: &House, clerk: &Caller, tickets: &[Sold]) -> usize {
    let mut paid = 0;
    for sold in tickets {
        let row = house.paper(sold).find(&house.central).unwrap().unwrap();
        let draws = TicketPicture::of(&house.central, row).unwrap().draws;
        let owes = draws.iter().filter(|draw| draw.payable_cents > 0);
        let items: Vec<(u64, i64)> = owes
            .map(|draw| (draw.draw.number(), draw.payable_cents))
            .collect();
        if items.is_empty() {
            continue;
        }
        let order = PayOrder {
            counter: house.next_counter(),
            session: clerk.session,
            paper: house.paper(sold).into(),
            items,
            second: Some(house.person("S1")),
        };
        wait(order.pay(&house.central, clerk)).unwrap();
        paid += 1;
    }
    paid
}

/// Both verifiers find the exported record lawful, and name the same first bad entry of each tampered copy:
/// 30, or as many as `BOULIER_TAMPERED` says.
fn verifiers_agree(house: &House) {
    let verifier = Path::new("../../e2e/stranger");
    let count = std::env::var("BOULIER_TAMPERED").map_or(30, |count| count.parse().unwrap());
    let other = House::founded(None, RULES, |_| {});
    let clerk = other.clerk(1, "C1");
    whole_pool(&other, &clerk, 1);
    let [day, other] = [house, &other].map(|house| exported(&house.central).unwrap());
    let copies = Copies::made(&day, &other, SEED, count, verifier).unwrap();
    let compared = copies.compared(verifier, 0..count).unwrap();
    println!(
        "{} of {} sorts, {} known beforehand, {} of them elsewhere, {} by the same finding",
        compared.tampered,
        compared.sorts.len(),
        compared.known,
        compared.elsewhere.len(),
        compared.same_finding
    );
    assert_eq!(compared.differences, Vec::<String>::new());
    assert_eq!(compared.tampered, count);
    assert!(compared.known * 2 > count, "too few are known beforehand");
}

/// A day on which the computer draws, two people enter, and a machine reads over TCP and on a serial
/// line: every draw with its tickets, its board and its payments, lawful by both verifiers.
#[test]
fn a_day_of_mixed_draws_is_sold_drawn_paid_and_lawful() {
    let mut house = House::founded(None, RULES, |_| {});
    furnish(&house);
    let clerk = house.clerk(1, "C1");
    let mut ways = [Some(Wire::Network), None, Some(Wire::Serial), None].into_iter();
    let mut computed = 0;
    loop {
        let tickets = whole_pool(&house, &clerk, 1);
        let draw = tickets[0].sold.first_draw;
        if !draw_of(&house, draw).is_of_balls() {
            house.until_settled(draw);
            computed += 1;
            assert_eq!(draw_of(&house, draw).shown(i64::MAX, 0).len(), 20);
            // From the next that is announced on balls are drawn.
            house.restart_with(|options| {
                options.house.balls = Some((options.house.first, options.house.last));
            });
            pay_winners(&house, &clerk, &tickets);
            continue;
        }
        let Some(way) = ways.next() else {
            break;
        };
        let truth = Simulator::new(SEED, "A", 200, Trouble::None).balls(draw);
        match way {
            Some(wire) => {
                let simulator = Simulator::new(SEED, "A", 200, Trouble::None);
                let place = machine(&house.clock, wire, simulator);
                house.restart_with(|options| options.house = with_balls(&options.house, &place));
                until_drawing(&house, draw);
                assert_eq!(read(&house, draw).counted(), truth);
            }
            None => {
                house.restart_with(|options| {
                    options.house.balls = Some((options.house.first, options.house.last));
                });
                until_drawing(&house, draw);
                for (position, number) in (1..).zip(&truth) {
                    for badge in ["M1", "V1"] {
                        enter(&house, draw, badge, position, *number).unwrap();
                    }
                }
            }
        }
        let seen = draw_of(&house, draw).shown(i64::MAX, 0).to_vec();
        certify(&house, draw).unwrap();
        house.until_settled(draw);
        assert_eq!(draw_of(&house, draw).shown(i64::MAX, 0), seen);
        assert_eq!(seen, truth);
        let settled = draw_of(&house, draw).settlement().unwrap().winners;
        let paid = pay_winners(&house, &clerk, &tickets);
        assert_eq!(u64::try_from(paid).unwrap(), settled);
    }
    assert!(computed > 0);
    assert_same(&house.remembered(), &house.recovered(), "of the day");
    house.audit_holds();
    verifiers_agree(&house);
}

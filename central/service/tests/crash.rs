//! Central is killed at every commit of a small day: just before it, and just after it before
//! anyone is answered.
//!
//! The day runs in a child process, which kills itself with SIGKILL at the n-th commit. What it
//! had said before is what was acknowledged. A second child then plays the same day with the
//! same keys, as a terminal would after a restart, and must end where an undisturbed day ends:
//! nothing acknowledged lost, doubled or half-written, the same balls, every (ticket, draw) paid
//! once. The second computation reads the log that is left.
//!
//! Seen to fail: with answers given from inside the transaction, before the commit, the day cannot
//! be played again after the first kill.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use crate::support::{
    House, NOON_MS, RULES, cancel, options, slip, straight, two_fours_one_eight, wait,
};
use keno_game::{DrawState, PrintMeans};
use keno_house_builder::{Pins, exported, people, record_people};
use keno_record::clock::ManualClock;
use keno_record::past_draws::draw_range;
use keno_record::roles::{DeviceRole, Role};
use keno_record::sequencer::CommitHook;
use keno_service::authority::identity::{Caller, DeviceCaller};
use keno_service::counter::{Paper, TicketPicture};
use keno_service::counter::{PayOrder, SellOrder, SlipOrder, TillMovementKind, TillOrder};
use keno_service::draw::{Conductor, Draw, EnteredBall};
use keno_service::staff::{DeviceNumber, Recognised};
use keno_service::{Central, Fault};
use keno_testing::copy_folder;

const FOLDER: &str = "BOULIER_CRASH_FOLDER";
const DATABASE: &str = "BOULIER_CRASH_DATABASE";
const KILL_AT: &str = "BOULIER_CRASH_KILL_AT";
const TICKETS: u64 = 4;
/// The draw of balls, for which nobody wagers.
const BALLS: u64 = 3;
const DESK: u32 = 41;

/// Kills the process at the n-th commit.
struct KillAt {
    commits: u64,
    before: u64,
    after: u64,
}

fn kill_self() {
    let me = rustix::process::getpid();
    let _ = rustix::process::kill_process(me, rustix::process::Signal::KILL);
}

impl CommitHook for KillAt {
    fn before_commit(&mut self) -> Result<(), Fault> {
        self.commits += 1;
        if self.commits == self.before {
            kill_self();
        }
        Ok(())
    }

    fn outcome_lost(&mut self) -> bool {
        if self.commits == self.after {
            kill_self();
        }
        false
    }
}

/// Says what was acknowledged, in one write, so that a kill never tears a line.
fn say(line: &str) {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(format!("ack {line}\n").as_bytes());
    let _ = out.flush();
}

/// The day, played with fixed keys: playing it again repeats every answer.
fn play(central: &Arc<Central>, clock: &ManualClock) {
    let view = central.view.get();
    let caller = |device: u32, badge: &str| {
        let (session, _) = view
            .sessions
            .iter()
            .find(|(_, session)| session.device == device)
            .expect("the session of the template is open");
        Caller {
            device: DeviceCaller {
                device,
                role: DeviceRole::Counter,
                name: view.devices[&device].name.clone(),
            },
            session: *session,
            badge: badge.to_owned(),
            roles: view.people[badge].roles.clone(),
        }
    };
    let clerk = caller(1, "C1");
    let cage = caller(2, "S2");
    let mut sold = Vec::new();
    for number in 0..TICKETS {
        let n = u8::try_from(number).unwrap();
        // Ticket by ticket all 80 numbers are covered: one in four wins, whatever is drawn.
        let selections = if n == 3 {
            vec![two_fours_one_eight(100), straight(&[1], 2_000)]
        } else {
            (0..4).map(|s| straight(&[n * 4 + s + 1], 2_000)).collect()
        };
        let draws = if n == 2 { 2 } else { 1 };
        let order = SlipOrder {
            slip: slip(selections, draws),
            first_draw: Some(1),
        };
        let total = if n == 3 {
            2_300
        } else {
            8_000 * i64::from(draws)
        };
        let order = SellOrder {
            counter: 100 + number,
            session: clerk.session,
            order,
            tender: "cash".to_owned(),
            received_cents: total,
            total_cents: total,
            intake: "slip".to_owned(),
            replay_of: None,
        };
        let ticket = wait(order.sell(central, &clerk)).unwrap();
        let paper = paper_of(central, &ticket);
        say(&format!(
            "sold {number} {} {}",
            ticket.ticket,
            paper.number.digits()
        ));
        sold.push((ticket, paper));
    }
    let cancelled = cancel(central, &clerk, &sold[0].1, 200).unwrap();
    say(&format!("cancelled 0 {}", cancelled.leaf));
    for (kind, counter) in [(TillMovementKind::Fill, 201), (TillMovementKind::Drop, 202)] {
        let order = TillOrder {
            counter,
            session: clerk.session,
            kind,
            amount_cents: 10_000 * i64::try_from(counter - 200).unwrap(),
            second: Recognised {
                badge: "S1".into(),
                roles: vec![2],
                credential: None,
            },
        };
        let moved = wait(order.move_cash(central, &clerk)).unwrap();
        say(&format!("moved {counter} {}", moved.leaf));
    }
    for (ticket, _) in &sold[1..] {
        wait(
            clerk
                .device
                .confirm_print(central, ticket.ticket, 1, PrintMeans::Printer),
        )
        .unwrap();
    }
    for draw in 1..=2_u64 {
        loop {
            Conductor::tick(central);
            let now = draw_range(central, draw, draw).unwrap().remove(0);
            let shown = now
                .shown(clock.now(), central.schedule.ball_interval_ms)
                .to_vec();
            if !shown.is_empty() {
                say(&format!("shown {draw} {shown:?}"));
            }
            if now.state() == DrawState::Settled {
                let totals = now.settlement().unwrap();
                say(&format!(
                    "settled {draw} {} {}",
                    totals.winners, totals.payable_cents
                ));
                break;
            }
            clock.advance(1_000);
        }
    }
    play_balls(central, clock);
    for (number, (_, paper)) in (0_u64..).zip(&sold).skip(1) {
        let row = paper.find(central).unwrap().unwrap();
        let picture = TicketPicture::of(central, row).unwrap();
        // What is owed, paid or not: the same request whenever it is made.
        let items: Vec<_> = picture
            .draws
            .iter()
            .filter(|draw| draw.payable_cents > 0)
            .map(|draw| (draw.draw.number(), draw.payable_cents))
            .collect();
        if items.is_empty() {
            continue;
        }
        let order = PayOrder {
            counter: 300 + number,
            session: cage.session,
            paper: paper.clone().into(),
            items,
            second: Some(Recognised {
                badge: "S1".into(),
                roles: vec![2],
                credential: None,
            }),
        };
        let paid = wait(order.pay(central, &cage)).unwrap();
        say(&format!(
            "paid {number} {} {}",
            paid.leaf, paid.event.total_cents
        ));
    }
    say("done");
}

/// Draw 3: two people enter the balls, ball by ball, and certify them. Played again, what was entered
/// is entered again, which changes nothing.
fn play_balls(central: &Arc<Central>, clock: &ManualClock) {
    let now = || draw_range(central, BALLS, BALLS).unwrap().remove(0);
    let until = |state: DrawState| {
        while now().state() < state {
            clock.advance(1_000);
            Conductor::tick(central);
        }
    };
    until(DrawState::Drawing);
    let at_the_desk = |badge: &str| Caller {
        device: DeviceCaller {
            device: DESK,
            role: DeviceRole::Desk,
            name: "P01".to_owned(),
        },
        session: 0,
        badge: badge.to_owned(),
        roles: central.view.get().people[badge].roles.clone(),
    };
    if now().state() == DrawState::Drawing {
        for position in 1..=20 {
            let number = position * 4;
            for badge in ["M1", "V1"] {
                let ball = EnteredBall { position, number };
                Draw(BALLS)
                    .enter_ball(central, &at_the_desk(badge), ball)
                    .unwrap();
                say(&format!("entered {badge} {position}"));
            }
            let interval = central.schedule.ball_interval_ms;
            let counted = now().shown(i64::MAX, interval).to_vec();
            say(&format!("shown {BALLS} {counted:?}"));
        }
        let certifiers = vec!["M1".to_owned(), "V1".to_owned()];
        Draw(BALLS).certify(central, certifiers).unwrap();
    } else {
        // What was acknowledged before is what stands in the draw now.
        for position in 1..=20 {
            say(&format!("entered M1 {position}"));
            say(&format!("entered V1 {position}"));
        }
    }
    until(DrawState::Settled);
    let balls = now()
        .shown(i64::MAX, central.schedule.ball_interval_ms)
        .to_vec();
    assert_eq!(balls, (1..=20).map(|place| place * 4).collect::<Vec<u8>>());
    say(&format!("shown {BALLS} {balls:?}"));
    say(&format!("settled {BALLS} 0 0"));
}

fn paper_of(central: &Central, sold: &keno_service::counter::Sold) -> keno_service::counter::Paper {
    let number = Paper::control_number(central, sold.ticket);
    let code = Paper::whole_code(central, sold.sold.secret_key, &number, 1).unwrap();
    Paper::shown(
        central,
        number,
        &keno_record::paper_code::Shown::Whole(code),
    )
}

trait Now {
    fn now(&self) -> i64;
}

impl Now for ManualClock {
    fn now(&self) -> i64 {
        keno_record::clock::Clock::now_ms(self)
    }
}

/// The moment after the last leaf, so that a restarted child never goes back in time.
fn resume_at(folder: &Path) -> i64 {
    std::fs::read_to_string(folder.join("clock"))
        .ok()
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or(NOON_MS)
}

/// The child: only does something when it is asked by the environment.
#[test]
fn child() {
    let Ok(folder) = std::env::var(FOLDER) else {
        return;
    };
    let folder = Path::new(&folder);
    let database = std::env::var(DATABASE).ok();
    let clock = Arc::new(ManualClock::at(resume_at(folder)));
    let mut options = options(folder, &clock, database.as_deref());
    if let Some((side, number)) = std::env::var(KILL_AT)
        .ok()
        .as_deref()
        .and_then(|at| at.split_once(' '))
    {
        let number = number.parse().unwrap();
        options.hook = Some(Box::new(KillAt {
            commits: 0,
            before: if side == "before" { number } else { 0 },
            after: if side == "after" { number } else { 0 },
        }));
    } else {
        options.hook = Some(Box::new(KillAt {
            commits: 0,
            before: 0,
            after: 0,
        }));
    }
    let central = Central::open(options).unwrap();
    play(&central, &clock);
}

/// Runs a child; returns what it said.
fn run(folder: &Path, database: Option<&str>, kill_at: Option<(&str, u64)>) -> (Vec<String>, bool) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args([
            "--exact",
            "crash::child",
            "--nocapture",
            "--test-threads",
            "1",
        ])
        .env(FOLDER, folder)
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    if let Some(address) = database {
        command.env(DATABASE, address);
    }
    if let Some((side, number)) = kill_at {
        command.env(KILL_AT, format!("{side} {number}"));
    }
    let output = command.output().unwrap();
    let lines = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| line.split_once("ack ").map(|(_, said)| said.to_owned()))
        .collect();
    (lines, output.status.success())
}

/// A founded house with two clerks signed on, stopped.
fn template(database: Option<&str>) -> House {
    let mut house = House::founded(database, RULES, |options| {
        let at = chrono::NaiveTime::from_hms_opt(12, 6, 0).unwrap();
        options.house.balls = Some((at, at));
    });
    let staff = people(&[("M1", &[Role::Marker]), ("V1", &[Role::Verifier])]);
    record_people(&house.central, ["X1", "X2"], &staff, Pins::None).unwrap();
    DeviceNumber(DESK)
        .record(
            &house.central,
            "P01",
            DeviceRole::Desk.number(),
            ("X1", "X2"),
        )
        .unwrap();
    house.clerk(1, "C1");
    house.clerk(2, "S2");
    house.stop();
    house
}

/// One crash and what follows. Returns false when the day has fewer commits.
fn crash(template: &Path, database: Option<&str>, side: &str, number: u64) -> bool {
    let folder = tempfile::tempdir().unwrap();
    copy_folder(template, folder.path()).unwrap();
    let (said, finished) = run(folder.path(), database, Some((side, number)));
    if finished {
        assert_eq!(said.last().map(String::as_str), Some("done"));
        return false;
    }
    // The machine's clock went on meanwhile.
    std::fs::write(folder.path().join("clock"), (NOON_MS + 600_000).to_string()).unwrap();
    let (after, finished) = run(folder.path(), database, None);
    let at = format!("killed {side} commit {number}");
    assert!(finished, "{at}: the second run failed after {after:?}");
    for line in &said {
        // Numbers shown grow ball by ball: what was shown is a beginning of what is shown now.
        let kept = match line.strip_prefix("shown ") {
            Some(shown) => {
                let beginning = shown.trim_end_matches(']');
                after.iter().any(|later| {
                    later
                        .strip_prefix("shown ")
                        .is_some_and(|later| later.starts_with(beginning))
                })
            }
            None => after.contains(line),
        };
        assert!(
            kept,
            "{at}: {line:?} was acknowledged and is not in {after:?}"
        );
    }
    let count = |word: &str| after.iter().filter(|line| line.starts_with(word)).count();
    assert_eq!(
        (
            count("sold "),
            count("cancelled "),
            count("moved "),
            count("settled ")
        ),
        (4, 1, 2, 3),
        "{at}"
    );

    let clock = Arc::new(ManualClock::at(NOON_MS + 7_200_000));
    let central = Central::open(options(folder.path(), &clock, database)).unwrap();
    let bytes = exported(&central).unwrap();
    let outcome = keno_audit::verify(
        bytes.as_slice(),
        keno_audit::Outside::default(),
        keno_audit::Options::default(),
    )
    .unwrap();
    assert!(outcome.holds(), "{at}: {:?}", outcome.findings.first());
    assert_eq!(
        outcome.replay.totals().tickets,
        TICKETS,
        "{at}: four sales, each once"
    );
    // Till 1: float, three sales kept, 100.00 in and 200.00 out; till 2: float less what was paid.
    let view = central.view.get();
    let till = |device| view.shift_at(device).unwrap().1.expected_cents;
    assert_eq!(till(1), 50_000 + 8_000 + 16_000 + 2_300 - 10_000, "{at}");
    assert_eq!(till(2), 50_000 - outcome.replay.totals().paid_cents, "{at}");
    true
}

#[test]
fn killed_at_every_commit_on_sqlite() {
    let house = template(None);
    let template = house.path();
    let crashed = |start: u64| {
        let mut crashes = 0;
        for number in (start..).step_by(2) {
            let before = crash(&template, None, "before", number);
            let after = crash(&template, None, "after", number);
            crashes += u64::from(before) + u64::from(after);
            if !before && !after {
                return crashes;
            }
        }
        crashes
    };
    let crashes = std::thread::scope(|scope| {
        let even = scope.spawn(|| crashed(2));
        crashed(1) + even.join().unwrap()
    });
    assert!(
        crashes >= 120,
        "the day has too few commits to say much: {crashes}"
    );
}

#[test]
fn killed_at_every_sixth_commit_on_postgres() {
    let founded = std::cell::OnceCell::new();
    // The house is founded once, and its database copied as its folder is; no other process knows
    // the name.
    let name = format!("crash_{}", std::process::id());
    let copied = || {
        keno_testing::postgres_database(&name, |address| {
            drop(founded.set(template(Some(address))));
            Ok::<_, std::io::Error>(())
        })
        .unwrap()
    };
    for number in (1..).step_by(6) {
        let mut more = false;
        for side in ["before", "after"] {
            let database = copied();
            let template = founded.get().expect("the house is founded").path();
            more |= crash(&template, Some(database.address()), side, number);
        }
        if !more {
            break;
        }
    }
}

//! The doors under guesses and floods: PINs and second persons guessed at once and one after
//! another, and the limits of kiosks and strangers used up. What was truly tried is read from the
//! access log and held against the arithmetic of the limits; meanwhile counters go on.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use diesel::sqlite::SqliteConnection;
use keno_house_builder::{NewHouse, Pins};
use keno_testing::Durability;
use serde_json::{Value, json};

use crate::central::Running;
use crate::chance::Chance;
use crate::clock::{Stopwatch, pass};
use crate::door::{Answer, Door};
use crate::founded::{
    FLOAT_CENTS, Founded, KIOSK, Kind, OFFICE, OFFICE_BADGE, clerk_of, new_house, pin_of,
};
use keno_service::staff::guesses_within;

/// Threads that guess at one counter.
const AT_ONCE: u32 = 8;
/// Counters that are in thieves' hands; the others go on.
const STOLEN: u32 = 4;
/// A check may take so many times as long beside a flood as without.
const SLOWER_AT_MOST: u128 = 3;

/// A campaign.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Where the record is.
    pub database: Kind,
    /// Whether a private server syncs.
    pub durability: Durability,
    /// Guesses, half of them at sign-on and half as second person.
    pub guesses: u64,
    /// Counters that go on meanwhile.
    pub counters: u32,
    /// How long checks are measured, without a flood and beside one.
    pub measured: Duration,
    /// Whether slow checks are a breach: only on a machine that does nothing else.
    pub is_timed: bool,
    /// Seed of all choices.
    pub seed: u64,
    /// The program.
    pub program: PathBuf,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Report {
    /// Guesses that were sent.
    pub sent: u64,
    /// Guesses that central tried.
    pub tried: u64,
    /// The most that the limits let through in that time.
    pub allowed: u64,
    /// Sign-ons of the flood.
    pub flood: u64,
    /// Checks without and beside it.
    pub checks: (usize, usize),
    /// The 99th percentile of a check without and beside it.
    pub p99: (Duration, Duration),
    /// What is wrong.
    pub breaches: Vec<String>,
}

impl Report {
    /// The figures, for people.
    pub fn lines(&self) -> Vec<String> {
        vec![
            format!(
                "{} guesses sent, {} tried, {} would be within the limits",
                self.sent, self.tried, self.allowed
            ),
            format!(
                "checks: {} without a flood, p99 {:.1?}; {} beside {} sign-ons, p99 {:.1?}",
                self.checks.0, self.p99.0, self.checks.1, self.flood, self.p99.1
            ),
        ]
    }
}

#[derive(QueryableByName)]
struct Tried {
    #[diesel(sql_type = Text)]
    badge: String,
    #[diesel(sql_type = Nullable<BigInt>)]
    device: Option<i64>,
    #[diesel(sql_type = BigInt)]
    count: i64,
}

/// Wrong PINs that were truly tried, by badge and device.
fn tried(data: &Path) -> anyhow::Result<Vec<Tried>> {
    let path = data.join("access.sqlite");
    let mut connection = SqliteConnection::establish(&path.to_string_lossy())?;
    Ok(diesel::sql_query(
        "SELECT badge, device, count(*) AS count FROM access
         WHERE purpose LIKE '%: wrong_pin' GROUP BY badge, device",
    )
    .load(&mut connection)?)
}

pub(crate) fn sign_on(door: &mut Door, badge: &str) -> anyhow::Result<()> {
    let body = json!({"badge": badge, "pin": pin_of(badge), "float_cents": FLOAT_CENTS});
    match door.post("/sessions", &body) {
        Answer::Done(reply) => {
            let token = reply.get("token").and_then(Value::as_str).unwrap_or("");
            door.session = Some(format!("{}.{token}", reply["session"]));
            Ok(())
        }
        other => bail!("{badge} cannot sign on: {other:?}"),
    }
}

fn session_of(door: &Door) -> u64 {
    door.session
        .as_deref()
        .and_then(|text| text.split('.').next()?.parse().ok())
        .unwrap_or(0)
}

pub(crate) fn sell(door: &Door, counter: u64) -> anyhow::Result<String> {
    let session = session_of(door);
    let order = json!({
        "key": {"session": session, "counter": counter},
        "slip": {"selections": [{"type": "straight", "numbers": [9], "wager_cents": 100}], "draws": 1},
        "tender": "cash", "received_cents": 100, "total_cents": 100, "intake": "slip",
    });
    let first = door.post("/sales", &order);
    // A draw that closed just then: the next one is on sale.
    let answer = match first {
        Answer::Refused(name) if name == "draw_closed" => door.post("/sales", &order),
        other => other,
    };
    match answer {
        Answer::Done(reply) => reply["ticket"]["claim_code"]
            .as_str()
            .map(str::to_owned)
            .context("a sale without a code"),
        other => bail!("a sale is not answered: {other:?}"),
    }
}

/// Guesses a PIN at a counter, at sign-on and as the second person of its clerk.
fn guess(door: &Door, thread: u64, seed: u64, guesses: u64, opened: &AtomicU64) {
    let mut chance = Chance::new(seed, thread);
    for number in 0..guesses {
        let pin = format!("{:06}", chance.below(1_000_000));
        let answer = if number % 2 == 0 {
            door.post("/sessions", &json!({"badge": OFFICE_BADGE, "pin": pin}))
        } else {
            let body = json!({
                "key": {"session": session_of(door), "counter": 1_000 + number},
                "kind": "fill", "amount_cents": 100,
                "second": {"badge": OFFICE_BADGE, "pin": pin},
            });
            door.post("/shifts/movements", &body)
        };
        if matches!(answer, Answer::Done(_)) {
            opened.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Checks tickets at every counter for a time; how long each took.
fn measure(doors: &[(Door, String)], time: Duration) -> Vec<Duration> {
    let lanes = doors.len().div_ceil(8).max(1);
    let since = Stopwatch::start();
    let mut all = std::thread::scope(|scope| {
        let lanes: Vec<_> = doors
            .chunks(lanes)
            .map(|lane| {
                scope.spawn(move || {
                    let mut took = Vec::new();
                    while since.elapsed() < time {
                        for (door, code) in lane {
                            let asked = Stopwatch::start();
                            let answer = door.post("/checks", &json!({"code": code}));
                            if matches!(answer, Answer::Done(_)) {
                                took.push(asked.elapsed());
                            } else {
                                // Whatever is no answer took for ever.
                                took.push(Duration::from_secs(3_600));
                            }
                            pass(Duration::from_millis(10));
                        }
                    }
                    took
                })
            })
            .collect();
        lanes
            .into_iter()
            .flat_map(|lane| lane.join().unwrap_or_default())
            .collect::<Vec<_>>()
    });
    all.sort_unstable();
    all
}

fn p99(sorted: &[Duration]) -> Duration {
    let at = sorted.len().saturating_mul(99) / 100;
    sorted
        .get(at.min(sorted.len().saturating_sub(1)))
        .copied()
        .unwrap_or_default()
}

/// Runs a campaign.
///
/// # Errors
/// When it cannot be run; what is wrong with central is in the report.
pub fn run(plan: &Plan) -> anyhow::Result<Report> {
    let mut report = Report::default();
    let counters = plan.counters + STOLEN;
    let program = &plan.program;
    // A guess costs central what it does in a true house.
    let house = NewHouse {
        pins: Pins::Recorded(pin_of),
        ..new_house(counters)
    };
    let founded = Founded::furnished(
        plan.database,
        plan.durability,
        program,
        0,
        (&|text| text, None),
        (&house, &|_| Ok(())),
    )?;
    let central = Running::start(&founded.program, &founded.data())?;
    let door = |device: u32| {
        let key = founded.keys.get(&device).map_or("", String::as_str);
        Door::of_device(central.address, device, key)
    };
    let mut going = Vec::new();
    for device in 1..=plan.counters {
        let mut door = door(device);
        sign_on(&mut door, &clerk_of(device))?;
        let code = sell(&door, 1)?;
        going.push((door, code));
    }
    let mut stolen_doors = Vec::new();
    for stolen in 0..STOLEN {
        let device = plan.counters + 1 + stolen;
        let mut door = door(device);
        sign_on(&mut door, &clerk_of(device))?;
        stolen_doors.push(door);
    }
    let alone = measure(&going, plan.measured);

    // Guesses, many at once at each stolen counter, and one counter's one after another.
    let since = Stopwatch::start();
    let opened = AtomicU64::new(0);
    let threads = u64::from((STOLEN - 1) * AT_ONCE + 1);
    std::thread::scope(|scope| {
        for (stolen, door) in (0..STOLEN).zip(&stolen_doors) {
            let at_once = if stolen == 0 { 1 } else { AT_ONCE };
            for thread in 0..at_once {
                let actor = u64::from(stolen * AT_ONCE + thread);
                let (opened, guesses) = (&opened, plan.guesses.div_ceil(threads));
                scope.spawn(move || guess(door, actor, plan.seed, guesses, opened));
            }
        }
    });
    report.sent = plan.guesses.div_ceil(threads) * threads;
    let took_ms = i64::try_from(since.elapsed().as_millis()).unwrap_or(i64::MAX);
    if opened.load(Ordering::Relaxed) > 0 {
        report.breaches.push("a guess opened a session".to_owned());
    }

    // A flood of sign-ons, right ones too, beside the counters.
    let (is_over, flood) = (AtomicBool::new(false), AtomicU64::new(0));
    let beside = std::thread::scope(|scope| {
        for stolen in 0..STOLEN {
            for _ in 0..AT_ONCE {
                let door = door(plan.counters + 1 + stolen);
                let (is_over, flood) = (&is_over, &flood);
                scope.spawn(move || {
                    let badge = clerk_of(plan.counters + 1 + stolen);
                    let body = json!({"badge": badge, "pin": pin_of(&badge)});
                    while !is_over.load(Ordering::Relaxed) {
                        let _ = door.post("/sessions", &body);
                        flood.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        }
        let beside = measure(&going, plan.measured);
        is_over.store(true, Ordering::Relaxed);
        beside
    });
    report.flood = flood.load(Ordering::Relaxed);
    report.checks = (alone.len(), beside.len());
    report.p99 = (p99(&alone), p99(&beside));
    if plan.is_timed && report.p99.1.as_micros() > SLOWER_AT_MOST * report.p99.0.as_micros() {
        report.breaches.push(format!(
            "a check takes {:.1?} beside a flood of sign-ons and {:.1?} without",
            report.p99.1, report.p99.0
        ));
    }

    // Kiosk and strangers use up what is theirs.
    let (kiosk, anyone) = (door(KIOSK), Door::of_anyone(central.address));
    let mut payload = 1_000;
    for asker in [&kiosk, &anyone] {
        let mut is_stopped = false;
        for _ in 0..200 {
            payload += 1;
            let number = number(payload)?;
            let answer = asker.post("/checks", &json!({"code": number}));
            is_stopped |= answer == Answer::Refused("too_many_unknown".to_owned());
        }
        if !is_stopped {
            report
                .breaches
                .push("nobody stops who guesses numbers".to_owned());
        }
    }
    for (index, (door, code)) in going.iter().enumerate() {
        if !matches!(
            door.post("/checks", &json!({"code": code})),
            Answer::Done(_)
        ) {
            report
                .breaches
                .push(format!("counter {}: no check", index + 1));
        }
        if let Err(error) = sell(door, 2) {
            report
                .breaches
                .push(format!("counter {}: {error}", index + 1));
        }
    }
    let mut office = door(OFFICE);
    if let Err(error) = sign_on(&mut office, OFFICE_BADGE) {
        report.breaches.push(format!(
            "guesses elsewhere keep the supervisor out: {error}"
        ));
    }
    // The access log is written in order, and soon.
    pass(Duration::from_millis(500));
    central.kill();
    report.allowed = guesses_within(took_ms.saturating_add(1_000));
    for line in tried(&founded.data())? {
        let count = u64::try_from(line.count).unwrap_or(u64::MAX);
        report.tried += count;
        if count > report.allowed {
            report.breaches.push(format!(
                "{count} PINs of {} were tried at device {:?}: the limits let {} through",
                line.badge, line.device, report.allowed
            ));
        }
    }
    report.allowed *= u64::from(STOLEN);
    if report.tried == 0 {
        report.breaches.push("no guess was tried at all".to_owned());
    }
    Ok(report)
}

fn number(payload: u64) -> anyhow::Result<String> {
    Ok(keno_game::ControlNumber::from_payload(payload)
        .context("no control number of that payload")?
        .digits())
}

//! Strangers on every socket that they can get, while every counter sells: not a sale may fail,
//! and none may wait for them.
//!
//! Central has no more descriptors than its doors need by default. The strangers hear live events,
//! say nothing, begin heads and bodies and do not end them, and come anew when they are cut.
//! [`guesses`] is what devices in a thief's hands can ask.

pub mod guesses;

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use keno_testing::Durability;

use crate::central::Running;
use crate::chance::Chance;
use crate::clock::Stopwatch;
use crate::device::{Device, Doubt, Plant};
use crate::door::Door;
use crate::founded::{Founded, Kind, clerk_of};
use crate::journal::Outcome;

/// Threads of strangers.
const STRANGERS: usize = 4;
/// A sale beside strangers may take so many times as long as without, at the 99th in a hundred.
const TIMES_MOST: u32 = 3;
/// Under this a sale is quick whatever it was before: the machine itself is busy with strangers.
const QUICK: Duration = Duration::from_millis(250);

/// What is done.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Where the record is.
    pub database: Kind,
    /// Whether a private server syncs.
    pub durability: Durability,
    /// Counters.
    pub devices: u32,
    /// Sales of each counter, without strangers and beside them.
    pub sales: usize,
    /// Sockets that strangers try to hold.
    pub sockets: usize,
    /// What central may open, once it runs.
    pub descriptors: u64,
    /// Seed of every choice.
    pub seed: u64,
    /// The program.
    pub program: PathBuf,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Report {
    /// What is wrong.
    pub breaches: Vec<String>,
    /// Sales without strangers, the slowest last.
    pub before: Vec<Duration>,
    /// Sales beside them.
    pub beside: Vec<Duration>,
    /// Sockets that strangers opened in all.
    pub opened: usize,
}

fn at_99(times: &[Duration]) -> Duration {
    let place = times.len().saturating_mul(99).div_ceil(100);
    times
        .get(place.saturating_sub(1))
        .copied()
        .unwrap_or_default()
}

impl Report {
    /// In words.
    pub fn lines(&self) -> Vec<String> {
        let said = |name: &str, times: &[Duration]| {
            format!(
                "{name}: {} sales, half within {:?}, 99 of 100 within {:?}, all within {:?}",
                times.len(),
                times.get(times.len() / 2).copied().unwrap_or_default(),
                at_99(times),
                times.last().copied().unwrap_or_default(),
            )
        };
        vec![
            said("without strangers", &self.before),
            said("beside strangers", &self.beside),
            format!("strangers opened {} sockets", self.opened),
        ]
    }
}

/// What strangers say on their sockets.
const SAID: [&str; 5] = [
    "GET /live HTTP/1.1\r\nhost: localhost\r\n\r\n",
    "",
    "GET / HTTP/1.1\r\nhost",
    "POST /api/v1/checks HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{",
    "GET /log/checkpoint HTTP/1.1\r\nhost: localhost\r\n\r\n",
];

/// Holds as many sockets as it can get, and opens others for those that it was refused.
fn besiege(at: SocketAddr, sockets: usize, is_over: &AtomicBool, opened: &AtomicUsize) {
    let mut held: Vec<TcpStream> = Vec::new();
    let mut next = 0;
    for number in 0.. {
        if is_over.load(Ordering::SeqCst) {
            return;
        }
        let Ok(mut socket) = TcpStream::connect_timeout(&at, Duration::from_secs(1)) else {
            continue;
        };
        let said: &str = SAID.get(number % SAID.len()).copied().unwrap_or("");
        // It may be closed already.
        let _ = socket.write_all(said.as_bytes());
        opened.fetch_add(1, Ordering::SeqCst);
        if held.len() < sockets {
            held.push(socket);
        } else if let Some(place) = held.get_mut(next % sockets.max(1)) {
            *place = socket;
            next += 1;
        }
    }
}

/// Every counter sells so many times; how long each took, the slowest last.
fn sell(devices: &mut [Device], sales: usize, breaches: &Mutex<Vec<String>>) -> Vec<Duration> {
    let times = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for device in devices {
            let (times, breaches) = (&times, breaches);
            scope.spawn(move || {
                let mut own = Vec::new();
                for _ in 0..sales {
                    let since = Stopwatch::start();
                    let sold = device.sell();
                    own.push(since.elapsed());
                    let outcome = device.journal.commands.last().map(|one| &one.outcome);
                    let is_well = match outcome {
                        Some(Outcome::Recorded { .. }) => true,
                        // A draw that closes meanwhile is no stranger's doing.
                        Some(Outcome::Refused(name)) => name.starts_with("draw_"),
                        _ => false,
                    };
                    if sold.is_err() || !is_well {
                        let words = format!("counter {}: a sale: {outcome:?}", device.number);
                        breaches
                            .lock()
                            .unwrap_or_else(|lock| lock.into_inner())
                            .push(words);
                    }
                    if sold.is_err() {
                        break;
                    }
                }
                times
                    .lock()
                    .unwrap_or_else(|lock| lock.into_inner())
                    .extend(own);
            });
        }
    });
    let mut times = times.into_inner().unwrap_or_default();
    times.sort_unstable();
    times
}

/// Runs it.
///
/// # Errors
/// When the campaign itself cannot be run.
pub fn run(plan: &Plan) -> anyhow::Result<Report> {
    let founded = Founded::new(
        plan.database,
        plan.durability,
        &plan.program,
        plan.devices,
        0,
    )?;
    let central = Running::start(&founded.program, &founded.data())?;
    let patrons = Arc::default();
    let mut devices = Vec::new();
    for number in 1..=plan.devices {
        let key = founded.keys.get(&number).cloned().unwrap_or_default();
        let mut device = Device::new(
            number,
            clerk_of(number),
            Door::of_device(central.address, number, &key),
            Chance::new(plan.seed, u64::from(number)),
            Arc::clone(&patrons),
            Doubt::Asked,
            Plant::Nothing,
        );
        if device.sign_on().is_err() || device.look().is_err() {
            anyhow::bail!("counter {number} does not sign on");
        }
        devices.push(device);
    }
    central.may_open(plan.descriptors)?;
    let breaches = Mutex::new(Vec::new());
    let mut report = Report {
        before: sell(&mut devices, plan.sales, &breaches),
        ..Report::default()
    };
    let (is_over, opened) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..STRANGERS {
            scope.spawn(|| besiege(central.address, plan.sockets / STRANGERS, &is_over, &opened));
        }
        // Nobody sells before they are there; where central lets no more of them in, they are.
        let since = Stopwatch::start();
        while opened.load(Ordering::SeqCst) < plan.sockets && since.elapsed().as_secs() < 20 {
            crate::clock::pass(Duration::from_millis(5));
        }
        // A counter that was away comes by a new connection.
        for device in &mut devices {
            device.moved(central.address);
        }
        report.beside = sell(&mut devices, plan.sales, &breaches);
        is_over.store(true, Ordering::SeqCst);
    });
    report.opened = opened.load(Ordering::SeqCst);
    report.breaches = breaches.into_inner().unwrap_or_default();
    let most = at_99(&report.before) * TIMES_MOST;
    if at_99(&report.beside) > most.max(QUICK) {
        let words = format!(
            "beside strangers 99 of 100 sales take {:?}, {:?} without",
            at_99(&report.beside),
            at_99(&report.before)
        );
        report.breaches.push(words);
    }
    for device in devices {
        report.breaches.extend(device.breaches);
    }
    Ok(report)
}

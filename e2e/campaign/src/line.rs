//! Money commands over a line that loses requests and answers and delivers some twice: in the end
//! each key has exactly one fact, and each fact a device that wanted it.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::bail;
use keno_testing::Durability;
use serde_json::json;

use crate::audit;
use crate::central::{Running, export};
use crate::chance::Chance;
use crate::clock::{Stopwatch, pass};
use crate::device::{Device, Doubt, InDoubt, Patrons, Plant};
use crate::door::{Answer, Door};
use crate::founded::{Founded, Kind, OFFICE, clerk_of};
use crate::journal::{Command, Key, Kind as CommandKind, Outcome, lasting};
use crate::judge::{Compared, judge};
use crate::office::Office;
use crate::proxy::{Carried, Line, Loss};
use crate::record::Record;
use crate::seen::Seen;

/// Copies of one key that are sent at once.
const COPIES: usize = 50;
/// A device that has asked so often in vain will not be answered.
const TRIES_MAX: u32 = 1_000;

/// What a campaign plants, to see that it is caught.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Planted {
    /// Devices send again under a new key after a lost answer.
    NewKey,
    /// A sale stands in a journal as acknowledged that central never saw.
    Ghost,
}

/// A campaign.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The database.
    pub database: Kind,
    /// What a private PostgreSQL syncs.
    pub durability: Durability,
    /// Money commands.
    pub commands: usize,
    /// Seed of all choices.
    pub seed: u64,
    /// Counters.
    pub devices: u32,
    /// What is lost.
    pub loss: Loss,
    /// What is planted.
    pub plant: Option<Planted>,
    /// The program.
    pub program: PathBuf,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Report {
    /// Keys that were used.
    pub keys: u64,
    /// By how they ended: recorded, refused, closed.
    pub ended: (u64, u64, u64),
    /// What the line did.
    pub carried: Carried,
    /// Acknowledgements compared with a repetition in the end.
    pub repeated: u64,
    /// What was compared.
    pub compared: Compared,
    /// What is wrong.
    pub breaches: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

impl Report {
    /// The figures, for people.
    pub fn lines(&self) -> Vec<String> {
        let (recorded, refused, closed) = self.ended;
        vec![
            format!(
                "{} keys in {:.0?}: {recorded} recorded, {refused} refused, {closed} closed unknown",
                self.keys, self.took
            ),
            format!(
                "{} requests on the line: {} lost, {} answers lost, {} delivered twice",
                self.carried.requests,
                self.carried.lost_requests,
                self.carried.lost_replies,
                self.carried.twice
            ),
            format!(
                "{} acknowledgements repeated in the end, the same each time; {COPIES} copies of one \
                 key made one sale",
                self.repeated
            ),
            format!(
                "{} leaves, {} commands, {} tills, {} payments of a (ticket, draw) judged",
                self.compared.leaves,
                self.compared.commands,
                self.compared.tills,
                self.compared.paid
            ),
        ]
    }
}

/// Runs a campaign.
///
/// # Errors
/// When it cannot be run; what is wrong with central is in the report.
pub fn run(plan: &Plan) -> anyhow::Result<Report> {
    let since = Stopwatch::start();
    let founded = Founded::new(
        plan.database,
        plan.durability,
        &plan.program,
        plan.devices,
        0,
    )?;
    let central = Running::start(&founded.program, &founded.data())?;
    let line = Line::to(central.address, plan.loss, Chance::new(plan.seed, 500))?;
    let door = |device: u32| {
        let key = founded.keys.get(&device).map_or("", String::as_str);
        Door::of_device(central.address, device, key)
    };
    let patrons = Patrons::default();
    let plant = match plan.plant {
        Some(Planted::NewKey) => Plant::NewKey,
        _ => Plant::Nothing,
    };
    let mut devices: Vec<Device> = (1..=plan.devices)
        .map(|number| {
            Device::new(
                number,
                clerk_of(number),
                door(number),
                Chance::new(plan.seed, u64::from(number)),
                Patrons::clone(&patrons),
                Doubt::AskedOrRepeated,
                plant,
            )
        })
        .collect();
    let mut office = Office::new(door(OFFICE), Chance::new(plan.seed, u64::from(OFFICE)));
    if !office.sign_on() {
        bail!("the office cannot sign on");
    }
    // Signing on and counting go past the line: they carry no key, and a late copy of a sign-on
    // would end the session that it opened first.
    for device in &mut devices {
        device
            .sign_on()
            .map_err(|_| anyhow::anyhow!("no sign-on"))?;
        device.look().map_err(|_| anyhow::anyhow!("no draw"))?;
        device.moved(line.address);
    }
    let share = plan.commands.div_ceil(devices.len().max(1));
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let is_over = &is_over;
        let all: Vec<_> = devices
            .iter_mut()
            .map(|device| scope.spawn(move || works(device, share)))
            .collect();
        scope.spawn(move || {
            // What is sold for the next draw is refunded: there is something to pay at once, and
            // real draws come at their minutes.
            let mut tenths = 5;
            while !is_over.load(Ordering::SeqCst) {
                pass(Duration::from_millis(100));
                tenths -= 1;
                if tenths == 0 {
                    tenths = 150;
                    office.make_void(0);
                }
            }
        });
        for one in all {
            let _ = one.join();
        }
        is_over.store(true, Ordering::SeqCst);
    });
    let mut report = Report {
        carried: line.carried(),
        ..Report::default()
    };
    for device in &mut devices {
        device.moved(central.address);
        if !device.journal.is_resolved() {
            bail!("device {} was never answered", device.number);
        }
    }
    if let Some(device) = devices.first_mut() {
        report.breaches.extend(many_copies(device));
    }
    std::thread::scope(|scope| {
        let all: Vec<_> = devices
            .iter_mut()
            .map(|device| {
                scope.spawn(move || {
                    let repeated = device.verify(0, 0);
                    (repeated, device.close_shift())
                })
            })
            .collect();
        for one in all {
            if let Ok((Ok(count), Ok(()))) = one.join() {
                report.repeated += count;
            } else {
                report.breaches.push("a device has no answer".to_owned());
            }
        }
    });
    // Once nothing is asked again: a device that did would sell what stands there.
    if let Some(device) = devices
        .first_mut()
        .filter(|_| plan.plant == Some(Planted::Ghost))
    {
        ghost(device);
    }
    let bytes = export(&founded.program, &founded.data(), &founded.beside("export"))?;
    let record = Record::read(&bytes)?;
    for device in &mut devices {
        report.breaches.append(&mut device.breaches);
    }
    let journals: Vec<_> = devices.iter().map(|device| &device.journal).collect();
    for command in journals.iter().flat_map(|journal| &journal.commands) {
        report.keys += 1;
        match command.outcome {
            Outcome::Recorded { .. } => report.ended.0 += 1,
            Outcome::Refused(_) => report.ended.1 += 1,
            Outcome::Closed | Outcome::Open => report.ended.2 += 1,
        }
    }
    let judgement = judge(&record, &journals, &Seen::default());
    report.breaches.extend(judgement.breaches);
    report
        .breaches
        .extend(audit::breaches(&bytes, judgement.sums)?);
    report.compared = judgement.compared;
    report.took = since.elapsed();
    central.kill();
    Ok(report)
}

/// A counter until its share of commands is done and nothing is open.
fn works(device: &mut Device, share: usize) {
    while device.journal.commands.len() < share {
        if device.chance.percent(3) {
            let _ = device.look();
        }
        if device.act_with_key() == Err(InDoubt) {
            let tries = (0..TRIES_MAX).take_while(|_| device.resolve().is_err());
            if tries.count() == usize::try_from(TRIES_MAX).unwrap_or(0) {
                return;
            }
        }
    }
}

/// One sale, sent so many times at once: one ticket, and every answer the same.
fn many_copies(device: &mut Device) -> Vec<String> {
    let key = device.new_key();
    let request = json!({
        "key": key.value(), "tender": "cash", "intake": "screen",
        "slip": {"selections": [{"type": "straight", "quick_pick": 4, "wager_cents": 200}], "draws": 1},
        "total_cents": 200, "received_cents": 200,
    });
    let door = device.door.clone();
    let answers: Vec<Answer> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..COPIES)
            .map(|_| scope.spawn(|| door.post("/sales", &request)))
            .collect();
        all.into_iter()
            .map(|one| one.join().unwrap_or(Answer::Lost))
            .collect()
    });
    let mut breaches = Vec::new();
    let mut first = 0;
    let mut told = None;
    for answer in &answers {
        let Answer::Done(reply) = answer else {
            breaches.push(format!("a copy of {key:?} was answered {answer:?}"));
            continue;
        };
        first += u32::from(reply["repeated"].as_bool() == Some(false));
        let lasts = lasting(reply);
        if told.get_or_insert_with(|| lasts.clone()) != &lasts {
            breaches.push(format!("copies of {key:?} have different answers"));
        }
    }
    if first != 1 {
        breaches.push(format!(
            "{first} of {COPIES} copies of {key:?} were the first"
        ));
    }
    let reply = told.unwrap_or_default();
    let shift = device.shift;
    device.journal.commands.push(Command {
        key,
        kind: CommandKind::Sale,
        request,
        shift,
        outcome: Outcome::Recorded {
            leaf: CommandKind::Sale.leaf_of(&reply).unwrap_or(0),
            reply,
        },
    });
    breaches
}

/// A sale that central never saw, noted as acknowledged.
fn ghost(device: &mut Device) {
    let key = Key {
        counter: u64::MAX / 4,
        ..device.new_key()
    };
    let last = device.journal.commands.last().cloned();
    if let Some(mut command) = last {
        command.key = key;
        command.request["key"] = key.value();
        device.journal.commands.push(command);
    }
}

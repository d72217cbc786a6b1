//! Central killed at any moment of a mixed load, and started again on what it kept.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context;
use keno_log::Hash;
use keno_testing::{Durability, copy_folder};

use crate::audit;
use crate::central::{Running, export};
use crate::chance::Chance;
use crate::clock::{Stopwatch, now_ms, pass};
use crate::device::{Device, Doubt, Patrons, Plant};
use crate::door::Door;
use crate::founded::{CLOSE_BEFORE_MS, Founded, Kind, LEAD_MS, OFFICE, SHOWN_IN_MS, clerk_of};
use crate::judge::{Compared, is_continued, judge};
use crate::office::Office;
use crate::record::Record;
use crate::seen::Seen;

/// Ready later than this is a breach.
const READY_AT_MOST: Duration = Duration::from_secs(5);
/// Loads are so long at most, in milliseconds.
const LOAD_MS_MAX: u64 = 2_400;
/// And so long at least.
const LOAD_MS_MIN: u64 = 200;
/// Hosts that are killed in each load, at least.
const HOST_KILLS_MIN: u64 = 2;
/// Old acknowledgements that each device asks about after each kill.
const OLDER: u64 = 10;

/// What a campaign plants, to see that it is caught.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Planted {
    /// The data folder is rolled back to a copy from before acknowledged commands.
    RolledBack,
    /// Devices send again under a new key after a lost answer.
    NewKey,
    /// One number that was shown is noted as another.
    OtherBalls,
}

/// A campaign.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The database.
    pub database: Kind,
    /// What a private PostgreSQL syncs.
    pub durability: Durability,
    /// Kills.
    pub kills: u64,
    /// Seed of all choices.
    pub seed: u64,
    /// Counters.
    pub devices: u32,
    /// The record is exported and judged after every so many kills.
    pub judge_every: u64,
    /// What is planted.
    pub plant: Option<Planted>,
    /// The program.
    pub program: PathBuf,
    /// The program of machine and holders, when they are on hosts of their own: they are killed too.
    pub machine: Option<PathBuf>,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Report {
    /// Kills.
    pub kills: u64,
    /// Kills of hosts of the draw.
    pub host_kills: u64,
    /// From exec to ready, ascending, in milliseconds.
    pub ready_ms: Vec<u128>,
    /// Commands and deeds that had no answer when central was killed.
    pub in_doubt: u64,
    /// Acknowledged commands that were asked about again after a restart.
    pub asked_again: u64,
    /// What was compared at the end.
    pub compared: Compared,
    /// Looks at draws.
    pub looks: u64,
    /// How often the exported record was judged.
    pub judged: u64,
    /// In which states of draws central was killed.
    pub killed_in: BTreeMap<&'static str, u64>,
    /// What is wrong.
    pub breaches: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

impl Report {
    /// The figures, for people.
    pub fn lines(&self) -> Vec<String> {
        let middle = self.ready_ms.get(self.ready_ms.len() / 2).unwrap_or(&0);
        let states: Vec<String> = self
            .killed_in
            .iter()
            .map(|(state, count)| format!("{state} {count}"))
            .collect();
        vec![
            format!(
                "{} kills, and {} of hosts of the draw, in {:.0?}",
                self.kills, self.host_kills, self.took
            ),
            format!(
                "ready again after {middle} ms (median), {} ms (longest)",
                self.ready_ms.last().unwrap_or(&0)
            ),
            format!(
                "{} commands acknowledged, and {} deeds without a key; {} in doubt at a kill",
                self.compared.commands, self.compared.deeds, self.in_doubt
            ),
            format!(
                "{} acknowledgements compared again after a restart; the whole record of {} leaves \
                 judged {} times",
                self.asked_again, self.compared.leaves, self.judged
            ),
            format!(
                "{} tills, {} payments of a (ticket, draw), {} draws with numbers, {} looks at draws",
                self.compared.tills, self.compared.paid, self.compared.draws, self.looks
            ),
            format!("killed with a draw {}", states.join(", ")),
        ]
    }
}

/// A campaign under way.
struct Campaign<'a> {
    plan: &'a Plan,
    founded: &'a Founded,
    devices: Vec<Device>,
    office: Office,
    watcher: Door,
    seen: Seen,
    chance: Chance,
    exported: Vec<Hash>,
    report: Report,
}

/// Runs a campaign.
///
/// # Errors
/// When it cannot be run; what is wrong with central is in the report.
pub fn run(plan: &Plan) -> anyhow::Result<Report> {
    let since = Stopwatch::start();
    let founded = Founded::with_hosts(
        plan.database,
        plan.durability,
        &plan.program,
        plan.devices,
        // Two draws are overdue when central starts: there is something to pay soon.
        130_000,
        (&|text| text, plan.machine.as_deref()),
    )?;
    let nobody = std::net::SocketAddr::from(([127, 0, 0, 1], 1));
    let door = |device: u32| {
        let key = founded.keys.get(&device).map_or("", String::as_str);
        Door::of_device(nobody, device, key)
    };
    let patrons = Patrons::default();
    let plant = match plan.plant {
        Some(Planted::NewKey) => Plant::NewKey,
        _ => Plant::Nothing,
    };
    let devices = (1..=plan.devices)
        .map(|number| {
            let chance = Chance::new(plan.seed, u64::from(number));
            let patrons = Patrons::clone(&patrons);
            let doubt = Doubt::AskedOrRepeated;
            Device::new(
                number,
                clerk_of(number),
                door(number),
                chance,
                patrons,
                doubt,
                plant,
            )
        })
        .collect();
    let mut campaign = Campaign {
        plan,
        founded: &founded,
        devices,
        office: Office::new(door(OFFICE), Chance::new(plan.seed, u64::from(OFFICE))),
        watcher: Door::of_anyone(nobody),
        seen: Seen::default(),
        chance: Chance::new(plan.seed, 0),
        exported: Vec::new(),
        report: Report::default(),
    };
    campaign.run()?;
    let mut report = campaign.report;
    if let Some(hosts) = &founded.hosts {
        report.host_kills = hosts.lock().unwrap_or_else(PoisonError::into_inner).kills;
    }
    report.ready_ms.sort_unstable();
    report.took = since.elapsed();
    Ok(report)
}

impl Campaign<'_> {
    fn run(&mut self) -> anyhow::Result<()> {
        let mut marks = vec![0; self.devices.len()];
        let mut copy = None;
        for kill in 0..self.plan.kills {
            let central = self.start()?;
            self.after_start(&central, &marks)?;
            if !self.report.breaches.is_empty() {
                break;
            }
            if kill > 0 && kill.is_multiple_of(self.plan.judge_every) {
                self.judge_all()?;
            }
            marks = self
                .devices
                .iter()
                .map(|it| it.journal.commands.len())
                .collect();
            self.load(&central);
            central.kill();
            self.report.kills += 1;
            self.report.in_doubt += self
                .devices
                .iter()
                .map(|device| u64::from(!device.journal.is_resolved()))
                .sum::<u64>();
            if self.plan.plant == Some(Planted::RolledBack) {
                match &copy {
                    None => copy = Some(self.copy_away()?),
                    Some(copy) if kill + 1 == self.plan.kills => self.roll_back(copy)?,
                    Some(_) => {}
                }
            }
        }
        let central = self.start()?;
        self.after_start(&central, &marks)?;
        for device in &mut self.devices {
            if device.close_shift().is_err() {
                let words = format!("device {} cannot close its last till", device.number);
                self.report.breaches.push(words);
            }
        }
        self.judge_all()?;
        self.collect();
        central.kill();
        Ok(())
    }

    fn start(&mut self) -> anyhow::Result<Running> {
        let central = Running::start(&self.founded.program, &self.founded.data())
            .with_context(|| format!("after {} kills", self.report.kills))?;
        if central.ready_after > READY_AT_MOST {
            let words = format!("ready only after {:?}", central.ready_after);
            self.report.breaches.push(words);
        }
        // The first start is none after a kill.
        if self.report.kills > 0 {
            self.report.ready_ms.push(central.ready_after.as_millis());
        }
        let address = central.address;
        self.watcher.moved(address);
        self.office.moved(address);
        self.devices
            .iter_mut()
            .for_each(|device| device.moved(address));
        Ok(central)
    }

    /// Everyone comes back, resolves what is open, and asks again for what was acknowledged.
    fn after_start(&mut self, central: &Running, marks: &[usize]) -> anyhow::Result<()> {
        if !self.seen.look_again(&self.watcher) {
            anyhow::bail!("central does not show its draws:\n{}", central.notes());
        }
        let is_first = self.report.kills == 0;
        let verified: Vec<Result<u64, String>> = std::thread::scope(|scope| {
            let all: Vec<_> = self
                .devices
                .iter_mut()
                .zip(marks)
                .map(|(device, mark)| scope.spawn(move || come_back(device, *mark, is_first)))
                .collect();
            all.into_iter()
                .map(|one| {
                    one.join()
                        .unwrap_or_else(|_| Err("a device panicked".to_owned()))
                })
                .collect()
        });
        for one in verified {
            match one {
                Ok(count) => self.report.asked_again += count,
                Err(words) => self.report.breaches.push(words),
            }
        }
        if is_first && !(self.office.sign_on() && self.office.make_void(2)) {
            anyhow::bail!("the office cannot sign on");
        }
        self.collect();
        Ok(())
    }

    /// Everyone is busy until the moment of the kill.
    fn load(&mut self, central: &Running) {
        let moment = self.moment_ms();
        let (is_over, killed) = (AtomicBool::new(false), AtomicU64::new(0));
        let (devices, office, watcher, seen) = (
            &mut self.devices,
            &mut self.office,
            &self.watcher,
            &mut self.seen,
        );
        std::thread::scope(|scope| {
            for device in devices.iter_mut() {
                let is_over = &is_over;
                scope.spawn(move || busy(device, is_over));
            }
            let (is_over, killed) = (&is_over, &killed);
            scope.spawn(move || {
                while !is_over.load(Ordering::SeqCst) && office.act() {
                    pass(Duration::from_millis(300));
                }
            });
            scope.spawn(move || {
                while !is_over.load(Ordering::SeqCst) && seen.look_around(watcher) {
                    pass(Duration::from_millis(40));
                }
            });
            let suffering = self.founded.hosts.as_ref().map(|hosts| {
                let mut chance = Chance::new(self.plan.seed, 1_000 + self.report.kills);
                scope.spawn(move || {
                    let mut hosts = hosts.lock().unwrap_or_else(PoisonError::into_inner);
                    hosts.suffer(&mut chance, is_over, killed)
                })
            });
            while now_ms() < moment {
                let left = u64::try_from(moment - now_ms()).unwrap_or(0);
                pass(Duration::from_millis(left));
            }
            // However short the load, hosts are killed in it too.
            let goes_on = || suffering.as_ref().is_some_and(|it| !it.is_finished());
            while goes_on() && killed.load(Ordering::SeqCst) < HOST_KILLS_MIN {
                pass(Duration::from_millis(20));
            }
            central.kill_now();
            is_over.store(true, Ordering::SeqCst);
            if let Some(Ok(Err(fault))) = suffering.map(std::thread::ScopedJoinHandle::join) {
                self.report.breaches.push(format!("{fault:#}"));
            }
        });
    }

    /// When to kill: any moment; or, when a step of a draw is near, one around it, since these
    /// moments are few.
    fn moment_ms(&mut self) -> i64 {
        const MINUTE_MS: i64 = 60_000;
        let now = now_ms();
        let after = LOAD_MS_MIN + self.chance.below(LOAD_MS_MAX - LOAD_MS_MIN);
        let any = now + i64::try_from(after).unwrap_or(1_000);
        if !self.chance.percent(60) {
            return any;
        }
        let draw_at = now - now.rem_euclid(MINUTE_MS);
        let around = i64::try_from(self.chance.below(160)).unwrap_or(0) - 20;
        [0, MINUTE_MS]
            .iter()
            .flat_map(|minute| {
                let draw = draw_at + minute;
                [draw - CLOSE_BEFORE_MS, draw - LEAD_MS, draw + SHOWN_IN_MS]
            })
            .map(|step| step + around)
            .find(|moment| *moment > now + 300 && *moment < now + 4_000)
            .unwrap_or(any)
    }

    /// Breaches of all who looked.
    fn collect(&mut self) {
        for device in &mut self.devices {
            self.report.breaches.append(&mut device.breaches);
        }
        if self.plan.plant == Some(Planted::OtherBalls)
            && let Some(shown) = self.seen.draws.values_mut().find(|it| !it.balls.is_empty())
            && let Some(ball) = shown.balls.first_mut()
        {
            *ball = *ball % 80 + 1;
        }
        self.report.breaches.append(&mut self.seen.breaches);
        self.report.looks = self.seen.looks;
    }

    /// The whole record against the journals, and the second computation over it.
    fn judge_all(&mut self) -> anyhow::Result<()> {
        let out = self.founded.beside("export");
        let export = export(&self.founded.program, &self.founded.data(), &out)?;
        let record = Record::read(&export)?;
        let breaches = &mut self.report.breaches;
        breaches.extend(is_continued(&record, &mut self.exported));
        let journals: Vec<_> = self.devices.iter().map(|device| &device.journal).collect();
        let judgement = judge(&record, &journals, &self.seen);
        breaches.extend(judgement.breaches);
        breaches.extend(audit::breaches(&export, judgement.sums)?);
        self.report.compared = judgement.compared;
        self.report.judged += 1;
        self.report.killed_in.clear();
        // The first lease was the founding's, the second the first start's.
        for states in record.states_at_starts().into_iter().skip(2) {
            // The draw that is furthest and not over says where the house was.
            let order = [
                "suspended",
                "drawing",
                "drawn",
                "official",
                "revealed",
                "closed",
                "void",
            ];
            let state = order
                .into_iter()
                .find(|state| states.values().any(|it| it == state))
                .unwrap_or("open");
            *self.report.killed_in.entry(state).or_default() += 1;
        }
        Ok(())
    }

    fn copy_away(&self) -> anyhow::Result<PathBuf> {
        let copy = self.founded.beside("copy");
        copy_folder(&self.founded.data(), &copy)?;
        Ok(copy)
    }

    fn roll_back(&self, copy: &Path) -> anyhow::Result<()> {
        std::fs::remove_dir_all(self.founded.data())?;
        Ok(copy_folder(copy, &self.founded.data())?)
    }
}

/// A device after a restart: doubts resolved, acknowledgements asked about.
fn come_back(device: &mut Device, mark: usize, is_first: bool) -> Result<u64, String> {
    let number = device.number;
    let lost = |_| format!("device {number} has no answer after a restart");
    if is_first {
        device.sign_on().map_err(lost)?;
    } else {
        device.come_back().map_err(lost)?;
    }
    device.look().map_err(lost)?;
    device.verify(mark, OLDER).map_err(lost)
}

/// A counter at work until central is gone.
fn busy(device: &mut Device, is_over: &AtomicBool) {
    while !is_over.load(Ordering::SeqCst) {
        if device.act().is_err() {
            if is_over.load(Ordering::SeqCst) {
                return;
            }
            // Central may be gone, or was only busy.
            pass(Duration::from_millis(20));
            if is_over.load(Ordering::SeqCst) || device.come_back().is_err() {
                return;
            }
        }
    }
}

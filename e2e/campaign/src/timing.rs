//! A wrong secret and an unknown number, asked about over HTTP: one verdict, one size, one time.
//!
//! A house sells tickets. Then somebody asks about each of their numbers with a secret that is
//! not theirs, and as often about numbers that no ticket has, in the same form: as a scanned code,
//! and as number and secret typed. The four come one after the other by lot, from the same device
//! on the same connection. Numbers without a secret are asked about in between, for what they are
//! answered: what they ask is shorter, so their time is no matter.
//!
//! Each device may ask for a thousand unknown numbers a minute, the most that a house can allow,
//! and there are as many devices as it takes. An answer by a limit would say nothing: there must
//! be none.

pub mod paired;
mod wire;

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use keno_game::ControlNumber;
use keno_testing::Durability;
use keno_wire::ClaimCode;
use keno_wire::claim_code::secret_text;
use serde_json::Value;

use self::paired::{Judged, judge, median};
use self::wire::{Answered, Wire, request};
use crate::central::Running;
use crate::chance::Chance;
use crate::clock::{Stopwatch, pass};
use crate::door::Door;
use crate::doors::guesses::{sell, sign_on};
use crate::founded::{Founded, KIOSK, Kind, clerk_of};

/// Unknown numbers that a device may ask for in a minute: the most that a house file may say.
const ALLOWED: u64 = 1_000;
/// A minute, and a little.
const MINUTE: Duration = Duration::from_millis(61_000);
/// Counters that sell.
const SELLERS: u32 = 8;
/// Rounds before the clock counts.
const WARM: u64 = 200;
/// Questions of a round.
const ROUND: u64 = 4;
/// A number without a secret is asked about once in so many rounds.
const BARE_EVERY: u64 = 20;

/// How a code is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// The whole code, as a scanner reads it.
    Scanned,
    /// Number and secret.
    Typed,
}

/// What is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// A ticket's number with another secret than its own.
    WrongSecret,
    /// A number that no ticket has, with a secret.
    UnknownNumber,
}

/// What is planted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Planted {
    /// A wrong secret takes longer: the asker waits so long before it stops its watch.
    Delay,
    /// The answer to a wrong secret is a byte longer.
    Size,
    /// The answer to a wrong secret names another verdict.
    Verdict,
}

/// A campaign.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Where the record is.
    pub database: Kind,
    /// Whether a private server syncs.
    pub durability: Durability,
    /// Questions of each sort in each form, in each run.
    pub checks: u64,
    /// Runs, in one house.
    pub runs: u64,
    /// Devices that ask.
    pub devices: u32,
    /// Tickets whose numbers are asked about, and unknown numbers.
    pub tickets: u32,
    /// Whether a difference in time is a breach.
    pub is_timed: bool,
    /// What is planted.
    pub plant: Option<Planted>,
    /// How long a planted delay is.
    pub delay: Duration,
    /// Seed of all choices.
    pub seed: u64,
    /// The program.
    pub program: PathBuf,
}

/// What a form came to in a run.
#[derive(Debug, Clone, Copy)]
pub struct Timed {
    /// The form.
    pub form: Form,
    /// Medians: of wrong secrets and of unknown numbers, in nanoseconds.
    pub medians_ns: (u64, u64),
    /// The pairs: wrong secret less unknown number.
    pub judged: Judged,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Report {
    /// Answers that were looked at, those of the warm-up too.
    pub answers: u64,
    /// Sizes of an answer, in bytes.
    pub sizes: Vec<usize>,
    /// Rounds that were asked again, because central had ended the connection.
    pub again: u64,
    /// Each run's forms.
    pub runs: Vec<Vec<Timed>>,
    /// Runs in which something was found.
    pub found_in: u64,
    /// What is wrong.
    pub breaches: Vec<String>,
}

impl Report {
    /// The figures, for people.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!(
            "{} answers of {:?} bytes; {} rounds asked again",
            self.answers, self.sizes, self.again
        )];
        for (number, run) in self.runs.iter().enumerate() {
            for timed in run {
                let Judged {
                    pairs,
                    z,
                    median_ns,
                    within_ns: (from, to),
                } = timed.judged;
                lines.push(format!(
                    "run {}, {:?}: {pairs} pairs, medians {:.1} and {:.1} us, difference {:.2} us \
                     (99.9 % within {:.2} to {:.2}), z {z:+.2}{}",
                    number + 1,
                    timed.form,
                    micro(timed.medians_ns.0),
                    micro(timed.medians_ns.1),
                    micro_signed(median_ns),
                    micro_signed(from),
                    micro_signed(to),
                    if timed.judged.is_different() {
                        ": NOT ALIKE"
                    } else {
                        ""
                    }
                ));
            }
        }
        lines.push(format!(
            "found in {} of {} runs",
            self.found_in,
            self.runs.len()
        ));
        lines
    }
}

fn micro(nanoseconds: u64) -> f64 {
    Duration::from_nanos(nanoseconds).as_secs_f64() * 1e6
}

fn micro_signed(nanoseconds: i64) -> f64 {
    let size = micro(nanoseconds.unsigned_abs());
    if nanoseconds < 0 { -size } else { size }
}

/// Codes of both sorts and both forms, and bare numbers.
struct Codes {
    sold: Vec<ClaimCode>,
    unknown: Vec<ControlNumber>,
}

impl Codes {
    /// A ticket's code, or that of a number that no ticket has, with a secret by lot.
    fn one(&self, form: Form, sort: Sort, chance: &mut Chance) -> anyhow::Result<String> {
        let mut code = chance.pick(&self.sold).context("no ticket")?.clone();
        if sort == Sort::UnknownNumber {
            code.control_number = *chance.pick(&self.unknown).context("no number")?;
        }
        let own = code.secret;
        while code.secret == own {
            for byte in code.secret.iter_mut().take(11) {
                *byte = u8::try_from(chance.below(256))?;
            }
        }
        Ok(match form {
            Form::Scanned => code.text(),
            Form::Typed => format!(
                "{} {}",
                code.control_number.digits(),
                secret_text(&code.secret)
            ),
        })
    }
}

/// The house, with the limit at its most.
fn house(plan: &Plan) -> anyhow::Result<Founded> {
    let most = format!("unknown_numbers_per_minute = {ALLOWED}");
    Founded::edited(
        plan.database,
        plan.durability,
        &plan.program,
        plan.devices.max(SELLERS),
        0,
        &|text| text.replace("unknown_numbers_per_minute = 5", &most),
    )
}

/// Tickets of some counters, and as many numbers that no ticket has.
fn codes(founded: &Founded, central: &Running, plan: &Plan) -> anyhow::Result<Codes> {
    let mut sold = Vec::new();
    for device in 1..=SELLERS {
        let key = founded.keys.get(&device).map_or("", String::as_str);
        let mut door = Door::of_device(central.address, device, key);
        sign_on(&mut door, &clerk_of(device))?;
        for counter in 1..=plan.tickets.div_ceil(SELLERS) {
            let code = sell(&door, u64::from(counter))?;
            sold.push(ClaimCode::parse(&code).context("a code that is none")?);
        }
    }
    let mut chance = Chance::new(plan.seed, u64::MAX);
    let mut unknown = Vec::new();
    while unknown.len() < sold.len() {
        let number = ControlNumber::from_payload(chance.below(100_000_000_000_000))?;
        if sold.iter().all(|code| code.control_number != number) {
            unknown.push(number);
        }
    }
    Ok(Codes { sold, unknown })
}

/// Which device asks next, so that none asks for more in a minute than it may.
struct Pace {
    devices: u64,
    turn: u64,
    since: Stopwatch,
    /// When each device had its turns of the last minute.
    turns: BTreeMap<u64, VecDeque<Duration>>,
}

impl Pace {
    fn new(devices: u32) -> Self {
        Self {
            devices: u64::from(devices.max(1)),
            turn: 0,
            since: Stopwatch::start(),
            turns: BTreeMap::new(),
        }
    }

    /// The device whose turn it is; waits until it may ask for all of a round.
    fn next(&mut self) -> u64 {
        let device = self.turn % self.devices + 1;
        self.turn += 1;
        let turns = self.turns.entry(device).or_default();
        if u64::try_from(turns.len()).unwrap_or(0) >= ALLOWED / ROUND - 1
            && let Some(first) = turns.pop_front()
        {
            pass((first + MINUTE).saturating_sub(self.since.elapsed()));
        }
        turns.push_back(self.since.elapsed());
        device
    }
}

/// What an answer must be like.
#[derive(Debug, Default)]
struct Alike {
    first: Option<Answered>,
    sizes: BTreeMap<usize, u64>,
}

impl Alike {
    fn look(&mut self, answered: &Answered, of: &str) -> Option<String> {
        *self.sizes.entry(answered.size).or_default() += 1;
        if answered.status != 200 {
            let said = String::from_utf8_lossy(&answered.body);
            return Some(format!("{of} is answered {}: {said}", answered.status));
        }
        let Some(first) = &self.first else {
            self.first = Some(answered.clone());
            let reply: Option<Value> = serde_json::from_slice(&answered.body).ok();
            let verdict = reply.as_ref().map(|reply| &reply["verdict"]["code"]);
            return (verdict != Some(&Value::from("not_found")))
                .then(|| format!("{of} is answered {verdict:?}"));
        };
        if answered.body != first.body {
            return Some(format!("{of} is answered otherwise than the rest"));
        }
        (answered.size != first.size).then(|| {
            let (this, that) = (answered.size, first.size);
            format!("{of} is answered in {this} bytes, the first in {that}")
        })
    }
}

/// Everything that asks.
struct Asking<'a> {
    plan: &'a Plan,
    keys: &'a BTreeMap<u32, String>,
    central: &'a Running,
    codes: &'a Codes,
    wire: Wire,
    pace: Pace,
    alike: Alike,
}

impl Asking<'_> {
    fn bytes(&self, device: u64, code: &str) -> anyhow::Result<Vec<u8>> {
        let device = u32::try_from(device)?;
        let key = self.keys.get(&device).context("a device without a key")?;
        Ok(request(self.central.address, device, key, code))
    }

    /// One of each by lot; the times by form, or what is wrong. `None` when central ended the
    /// connection meanwhile.
    fn round(
        &mut self,
        chance: &mut Chance,
        report: &mut Report,
    ) -> anyhow::Result<Option<BTreeMap<(Form, Sort), u64>>> {
        let device = self.pace.next();
        let mut all = Vec::new();
        for form in [Form::Scanned, Form::Typed] {
            for sort in [Sort::WrongSecret, Sort::UnknownNumber] {
                let code = self.codes.one(form, sort, chance)?;
                all.push(((form, sort), self.bytes(device, &code)?));
            }
        }
        let mut times = BTreeMap::new();
        while !all.is_empty() {
            let next = usize::try_from(chance.below(u64::try_from(all.len())?))?;
            let ((form, sort), bytes) = all.swap_remove(next);
            let plant = self.plan.plant.filter(|_| sort == Sort::WrongSecret);
            let longer = match plant {
                Some(Planted::Delay) => self.plan.delay,
                _ => Duration::ZERO,
            };
            let Ok(mut answered) = self.wire.ask(&bytes, longer) else {
                self.wire.anew()?;
                return Ok(None);
            };
            match plant {
                Some(Planted::Size) => answered.size += 1,
                Some(Planted::Verdict) => answered.body.retain(|byte| *byte != b'_'),
                _ => {}
            }
            report.answers += 1;
            if let Some(wrong) = self.alike.look(&answered, &format!("{sort:?}, {form:?}")) {
                report.breaches.push(wrong);
            }
            times.insert((form, sort), answered.took_ns);
        }
        Ok(Some(times))
    }

    /// A number without a secret.
    fn bare(&mut self, chance: &mut Chance, report: &mut Report) -> anyhow::Result<()> {
        let number = *chance.pick(&self.codes.unknown).context("no number")?;
        let device = self.pace.next();
        let bytes = self.bytes(device, &number.digits())?;
        match self.wire.ask(&bytes, Duration::ZERO) {
            Ok(answered) => {
                report.answers += 1;
                let wrong = self.alike.look(&answered, "a number alone");
                report.breaches.extend(wrong);
                Ok(())
            }
            Err(_) => Ok(self.wire.anew()?),
        }
    }

    /// As many of each as the plan says; how the forms compare.
    fn run(&mut self, seed: u64, report: &mut Report) -> anyhow::Result<Vec<Timed>> {
        let mut chance = Chance::new(seed, 0);
        let mut times: BTreeMap<(Form, Sort), Vec<u64>> = BTreeMap::new();
        let mut rounds = 0;
        while rounds < self.plan.checks + WARM {
            if rounds % BARE_EVERY == 0 {
                self.bare(&mut chance, report)?;
            }
            match self.round(&mut chance, report)? {
                Some(_) if rounds < WARM => rounds += 1,
                Some(round) => {
                    rounds += 1;
                    for (of, time) in round {
                        times.entry(of).or_default().push(time);
                    }
                }
                None if report.again > self.plan.checks => bail!("central ends every connection"),
                None => report.again += 1,
            }
            if report.breaches.len() > 20 {
                break;
            }
        }
        let of = |form, sort| times.get(&(form, sort)).map_or(&[][..], Vec::as_slice);
        let timed = |form| {
            let (wrong, unknown) = (of(form, Sort::WrongSecret), of(form, Sort::UnknownNumber));
            let differences: Vec<i64> = wrong
                .iter()
                .zip(unknown)
                .map(|(wrong, unknown)| {
                    let signed = |time: &u64| i64::try_from(*time).unwrap_or(i64::MAX);
                    signed(wrong) - signed(unknown)
                })
                .collect();
            Timed {
                form,
                medians_ns: (median(wrong), median(unknown)),
                judged: judge(&differences),
            }
        };
        Ok([Form::Scanned, Form::Typed].map(timed).to_vec())
    }
}

/// Runs a campaign. Of a plant, breaches are told only when every run found it.
///
/// # Errors
/// When it cannot be run; what is wrong with central is in the report.
pub fn run(plan: &Plan) -> anyhow::Result<Report> {
    // Behind the counters come the numbers of kiosk and office.
    if plan.devices >= KIOSK {
        bail!("at most {} devices can ask", KIOSK - 1);
    }
    let mut report = Report::default();
    let founded = house(plan)?;
    let central = Running::start(&founded.program, &founded.data())?;
    let codes = codes(&founded, &central, plan)?;
    let mut asking = Asking {
        plan,
        keys: &founded.keys,
        central: &central,
        codes: &codes,
        wire: Wire::to(central.address)?,
        pace: Pace::new(plan.devices),
        alike: Alike::default(),
    };
    let mut breaches = Vec::new();
    for number in 0..plan.runs {
        let timed = asking.run(plan.seed + number, &mut report)?;
        for one in timed.iter().filter(|one| one.judged.is_different()) {
            if plan.is_timed {
                let words = format!("{:?}: a wrong secret takes another time", one.form);
                report.breaches.push(words);
            }
        }
        report.runs.push(timed);
        report.found_in += u64::from(!report.breaches.is_empty());
        breaches.append(&mut report.breaches);
    }
    report.sizes = asking.alike.sizes.keys().copied().collect();
    if plan.plant.is_none() || report.found_in == plan.runs {
        report.breaches = breaches;
    }
    central.kill();
    Ok(report)
}

//! The real agent of a counter against the real central: at any instant of a money command the
//! agent is killed, or central is killed or frozen, or the wire is cut. A clerk works on as the
//! pages say. In the end cash, papers and record agree.

pub mod agent;
mod clerk;
mod tray;
mod wire;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use keno_log::Event;
use keno_testing::Durability;
use serde_json::{Value, json};

use crate::central::{Running, export};
use crate::chance::Chance;
use crate::clock::{Stopwatch, pass};
use crate::door::{Answer, Door};
use crate::founded::{FLOAT_CENTS, Founded, Kind, OFFICE, clerk_of, pin_of};
use crate::office::Office;
use crate::record::Record;
use crate::slips;
use agent::{Agent, Pages};
use clerk::{Clerk, Given};
use tray::Tray;
use wire::{Wire, arrives_late};

/// The counter that is watched.
const COUNTER: u32 = 1;
/// The counter that sells what the other one cancels and pays.
const NEIGHBOUR: u32 = 2;
/// What is sold and cancelled at the counter is for draws so far ahead: a draw is every minute.
const AHEAD: u64 = 10;
/// Tickets for one draw that are sold ahead, to be paid.
const STOCK: usize = 150;
/// What is frozen or cut stays so for less than this, in milliseconds.
const ABSENT_BELOW_MS: u64 = 1_500;
/// A counter that has not come to rest by then will not.
const REST_AT_MOST: Duration = Duration::from_secs(90);

/// A money command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Money {
    /// A sale.
    Sale,
    /// A cancellation.
    Cancellation,
    /// A payment of a prize.
    Payment,
    /// A payment of the refund of a void draw.
    Refund,
}

impl Money {
    /// Every money command.
    pub const ALL: [Self; 4] = [Self::Sale, Self::Cancellation, Self::Payment, Self::Refund];

    /// The stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sale => "sale",
            Self::Cancellation => "cancellation",
            Self::Payment => "payment",
            Self::Refund => "refund",
        }
    }
}

/// What happens at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Fault {
    /// The agent is killed.
    AgentKilled,
    /// Central is killed.
    CentralKilled,
    /// Central is frozen for a while.
    CentralFrozen,
    /// The wire is cut for a while.
    WireCut,
}

impl Fault {
    /// Every fault.
    pub const ALL: [Self; 4] = [
        Self::AgentKilled,
        Self::CentralKilled,
        Self::CentralFrozen,
        Self::WireCut,
    ];
}

/// What a campaign plants, to see that it is caught.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Planted {
    /// With the agent goes what its journal had synced of the command.
    JournalSetBack,
    /// A ticket comes out twice.
    PaperTwice,
    /// The clerk gives money back before the page says so.
    BackTooEarly,
}

/// A campaign.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The database.
    pub database: Kind,
    /// What a private PostgreSQL syncs.
    pub durability: Durability,
    /// Instants for each money command and fault.
    pub instants: u64,
    /// Only these commands; a payment waits for a draw, which takes a minute.
    pub commands: Vec<Money>,
    /// Only these faults.
    pub faults: Vec<Fault>,
    /// Seed of all choices.
    pub seed: u64,
    /// What is planted.
    pub plant: Option<Planted>,
    /// `keno-central`.
    pub program: PathBuf,
    /// `keno-terminal`.
    pub terminal: PathBuf,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Report {
    /// Instants, by money command.
    pub instants: std::collections::BTreeMap<&'static str, u64>,
    /// Of them, those after which something was open.
    pub open_after: u64,
    /// Stages of what was open after the instant, counted.
    pub stages: std::collections::BTreeMap<String, u64>,
    /// Commands that were put aside.
    pub parked: u64,
    /// Sales whose money went back.
    pub given_back: u64,
    /// Tickets that were torn, and cancelled.
    pub torn: u64,
    /// Whole tickets, cancellations, payments that were found in the record.
    pub found: [u64; 3],
    /// Late copies that arrived after all was at rest.
    pub late: u64,
    /// The longest from the end of the fault until nothing was open.
    pub longest_rest: Duration,
    /// What is wrong.
    pub breaches: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

impl Report {
    /// The figures, for people.
    pub fn lines(&self) -> Vec<String> {
        let [tickets, cancelled, paid] = self.found;
        vec![
            format!(
                "{} instants in {:.0?}: {:?}",
                self.instants.values().sum::<u64>(),
                self.took,
                self.instants
            ),
            format!(
                "something was open after {} of them: {:?}; {} put aside, {} times money went \
                 back, {} torn tickets cancelled",
                self.open_after, self.stages, self.parked, self.given_back, self.torn
            ),
            format!("at rest after at most {:.1?}", self.longest_rest),
            format!(
                "{tickets} tickets, {cancelled} cancellations, {paid} payments: each has one paper \
                 and one leaf, and the till is even; {} late copies did nothing",
                self.late
            ),
        ]
    }
}

struct World {
    founded: Founded,
    plan: Plan,
    chance: Chance,
    central: Option<Running>,
    agent: Option<Agent>,
    wire: Wire,
    settings: PathBuf,
    neighbour: Door,
    office: Office,
    /// Key of the neighbour's next command.
    counter: u64,
    session: u64,
    /// Claim codes that can be paid: prizes, refunds.
    prizes: Vec<String>,
    refunds: Vec<String>,
    /// Sold, and not yet drawn: the draw and its codes.
    growing: Option<(u64, Vec<String>)>,
}

impl World {
    fn new(plan: &Plan) -> anyhow::Result<(Self, Tray)> {
        let founded = Founded::new(plan.database, plan.durability, &plan.program, 2, 0)?;
        let central = Running::start(&founded.program, &founded.data())?;
        let wire = Wire::to(central.address)?;
        let tray = Tray::new(founded.beside("papers"))?;
        let settings = founded.beside("terminal.toml");
        let journal = founded.beside("journal");
        std::fs::write(
            &settings,
            format!(
                "central = \"http://{}\"\nlisten = \"127.0.0.1:0\"\ndevice = {COUNTER}\n\
                 device_key = \"{}\"\nprinter = \"network\"\nprinter_address = \"{}\"\n\
                 journal = {:?}\n",
                wire.address,
                founded.keys.get(&COUNTER).context("no key")?,
                tray.printer(),
                journal.display().to_string(),
            ),
        )?;
        let key = |device: u32| founded.keys.get(&device).cloned().unwrap_or_default();
        let neighbour = Door::of_device(central.address, NEIGHBOUR, &key(NEIGHBOUR));
        let office = Office::new(
            Door::of_device(central.address, OFFICE, &key(OFFICE)),
            Chance::new(plan.seed, 9),
        );
        let agent = Agent::start(&plan.terminal, &settings)?;
        let mut world = Self {
            chance: Chance::new(plan.seed, 1),
            plan: plan.clone(),
            founded,
            central: Some(central),
            agent: Some(agent),
            wire,
            settings,
            neighbour,
            office,
            counter: 0,
            session: 0,
            prizes: Vec::new(),
            refunds: Vec::new(),
            growing: None,
        };
        world.sign_on_neighbour()?;
        if !world.office.sign_on() {
            bail!("the office cannot sign on");
        }
        world.sign_on()?;
        Ok((world, tray))
    }

    /// The clerk signs on at the counter.
    fn sign_on(&self) -> anyhow::Result<()> {
        let pages = self.pages()?;
        pages.until(REST_AT_MOST, |state| state["central"]["state"] == "trusted")?;
        let badge = clerk_of(COUNTER);
        let body = json!({"badge": badge, "pin": pin_of(&badge), "float_cents": FLOAT_CENTS});
        let signed_on = pages.does("sign-on", &body);
        if signed_on
            .as_ref()
            .is_none_or(|reply| reply["exit"] != "done")
        {
            bail!("the clerk cannot sign on: {signed_on:?}");
        }
        Ok(())
    }

    fn sign_on_neighbour(&mut self) -> anyhow::Result<()> {
        let badge = clerk_of(NEIGHBOUR);
        let body = json!({"badge": badge, "pin": pin_of(&badge), "float_cents": FLOAT_CENTS});
        match self.neighbour.post("/sessions", &body) {
            Answer::Done(reply) => {
                self.session = reply["session"].as_u64().unwrap_or(0);
                let token = reply["token"].as_str().unwrap_or("");
                self.neighbour.session = Some(format!("{}.{token}", self.session));
                Ok(())
            }
            other => bail!("the neighbour cannot sign on: {other:?}"),
        }
    }

    fn pages(&self) -> anyhow::Result<Pages> {
        let agent = self.agent.as_ref().context("there is no agent")?;
        Ok(agent.pages())
    }

    /// The neighbour sells; the claim code.
    fn sold_next_door(&mut self, slip: &Value, total_cents: i64) -> anyhow::Result<String> {
        self.counter += 1;
        let body = json!({
            "key": {"session": self.session, "counter": self.counter}, "slip": slip,
            "tender": "cash", "received_cents": total_cents, "total_cents": total_cents,
            "intake": "slip",
        });
        match self.neighbour.post("/sales", &body) {
            Answer::Done(reply) => {
                let ticket = &reply["ticket"];
                // Its paper came out, or it would be held.
                let print = json!({"ticket": ticket["ticket"], "copy": 1, "how": "printer"});
                self.neighbour.post("/prints", &print);
                Ok(ticket["claim_code"].as_str().unwrap_or("").to_owned())
            }
            other => bail!("the neighbour cannot sell: {other:?}"),
        }
    }

    fn next_draw(&self) -> anyhow::Result<u64> {
        match self.neighbour.get("/draws/next") {
            Answer::Done(next) => next["draw"]["draw"].as_u64().context("no next draw"),
            other => bail!("there is no next draw: {other:?}"),
        }
    }

    /// Sells ahead what is to be paid: for a draw that is drawn, and for one that is made void.
    fn stock(&mut self) -> anyhow::Result<()> {
        if let Some((_, codes)) = &self.growing {
            let code = codes.first().cloned().unwrap_or_default();
            let can_be_paid = match self.neighbour.post("/checks", &json!({"code": code})) {
                Answer::Done(check) => check["payable"].as_array().is_some_and(|it| !it.is_empty()),
                _ => false,
            };
            if !can_be_paid {
                return Ok(());
            }
            if let Some((_, codes)) = self.growing.take() {
                self.prizes.extend(codes);
            }
        }
        let pays = |money: Money| self.plan.commands.contains(&money);
        let (pays_prizes, pays_refunds) = (pays(Money::Payment), pays(Money::Refund));
        if pays_prizes && self.prizes.len() < STOCK / 2 {
            let draw = self.next_draw()?;
            let codes = self.sold_for(draw + 1, STOCK)?;
            self.growing = Some((draw + 1, codes));
        }
        if pays_refunds && self.refunds.len() < STOCK / 4 {
            let draw = self.next_draw()? + 4;
            self.refunds = self.sold_for(draw, STOCK)?;
            if !matches!(self.office.step(draw, "void"), Answer::Done(_)) {
                bail!("the office cannot make a draw void");
            }
        }
        Ok(())
    }

    fn sold_for(&mut self, draw: u64, count: usize) -> anyhow::Result<Vec<String>> {
        // Each number alone: twenty of the eighty win, whatever is drawn.
        let groups: Vec<[u8; 1]> = (1..=80).map(|number| [number]).collect();
        let slip = json!({
            "selections": [{"type": "way", "groups": groups,
                "ways": [{"ways": 80, "spots": 1, "wager_cents": 50}]}],
            "draws": 1, "first_draw": draw,
        });
        (0..count)
            .map(|_| self.sold_next_door(&slip, 4_000))
            .collect()
    }

    /// The command that a clerk gives next, when there is what it needs.
    fn order(&mut self, money: Money) -> anyhow::Result<Option<Given>> {
        Ok(match money {
            Money::Sale => {
                let next = self.next_draw()?;
                let mut order = slips::any(&mut self.chance, 0);
                // Far enough ahead: once its draw has closed, a torn ticket needs two people.
                order.slip["first_draw"] = json!(next + AHEAD);
                Some(Given::sale(&order))
            }
            Money::Cancellation => {
                let draw = self.next_draw()? + AHEAD;
                let order = slips::sure(&mut self.chance, draw);
                let code = self.sold_next_door(&order.slip, order.total_cents)?;
                Some(Given::cancellation(code, order.total_cents))
            }
            Money::Payment => self.prizes.pop().map(|code| Given::payment(code, 3_000)),
            Money::Refund => self.refunds.pop().map(|code| Given::payment(code, 4_000)),
        })
    }

    /// Lets a fault happen after so long, while the page's command is at work; what it came to.
    fn strike(
        &mut self,
        fault: Fault,
        after: Duration,
        command: impl FnOnce(&Pages) -> Option<Value> + Send,
        clerk: &mut Clerk,
    ) -> anyhow::Result<Option<Value>> {
        let (journal, kept) = (self.founded.beside("journal"), self.founded.beside("kept"));
        if self.plan.plant == Some(Planted::JournalSetBack) {
            copy_journal(&journal, &kept);
        }
        let pages = self.pages()?;
        let absent = Duration::from_millis(self.chance.below(ABSENT_BELOW_MS));
        let parks = self.chance.percent(30);
        let asking = pages.clone();
        let (agent, central) = (self.agent.take(), self.central.take());
        let (agent, central) = (
            agent.context("there is no agent")?,
            central.context("there is no central")?,
        );
        let wire = self.wire.clone();
        let (reply, agent, central) = std::thread::scope(|scope| {
            let at_work = scope.spawn(move || command(&pages));
            pass(after);
            let (mut agent, mut central) = (Some(agent), Some(central));
            match fault {
                Fault::AgentKilled => agent.take().into_iter().for_each(Agent::kill),
                Fault::CentralKilled => central.take().into_iter().for_each(Running::kill),
                Fault::CentralFrozen => central.iter().for_each(Running::freeze),
                Fault::WireCut => wire.cut(),
            }
            if fault != Fault::AgentKilled {
                pass(absent);
                // A clerk with a queue does not wait for ever.
                if parks
                    && let Some(state) = asking.state(None)
                    && state["busy"] == "asking"
                {
                    clerk.parks(&asking);
                }
            }
            (at_work.join(), agent, central)
        });
        self.agent = agent;
        self.central = central;
        // Back to a house that works.
        match fault {
            Fault::AgentKilled => {
                if self.plan.plant == Some(Planted::JournalSetBack) {
                    copy_journal(&kept, &journal);
                }
                self.agent = Some(Agent::start(&self.plan.terminal, &self.settings)?);
                if self.plan.plant == Some(Planted::JournalSetBack) {
                    // Keys that the journal forgot are not used again, or nothing is sold any more.
                    self.sign_on()?;
                }
            }
            Fault::CentralKilled => {
                let central = Running::start(&self.founded.program, &self.founded.data())?;
                self.wire.mend(central.address);
                self.neighbour.moved(central.address);
                self.office.moved(central.address);
                self.central = Some(central);
            }
            Fault::CentralFrozen => self.central.iter().for_each(Running::thaw),
            Fault::WireCut => {
                let central = self.central.as_ref().context("there is no central")?;
                self.wire.mend(central.address);
            }
        }
        reply.map_err(|_| anyhow::anyhow!("a page panicked"))
    }

    /// Late copies of every request for money since the last time arrive now.
    fn late_copies(&mut self) -> anyhow::Result<u64> {
        let central = self.central.as_ref().context("there is no central")?;
        let mut arrived = 0;
        for request in self.wire.money() {
            arrives_late(&request, central.address);
            arrived += 1;
        }
        Ok(arrived)
    }
}

/// Copies the journal of an agent that is at rest, or puts it back.
fn copy_journal(from: &std::path::Path, to: &std::path::Path) {
    let _ = std::fs::create_dir(to);
    for name in ["journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"] {
        let _ = std::fs::remove_file(to.join(name));
        let _ = std::fs::copy(from.join(name), to.join(name));
    }
}

/// The usual length of a command, to aim by: the middle of three without a fault.
fn usual(
    world: &mut World,
    tray: &mut Tray,
    clerk: &mut Clerk,
    money: Money,
) -> anyhow::Result<Duration> {
    let mut lengths = Vec::new();
    while lengths.len() < 3 {
        world.stock()?;
        let Some(given) = world.order(money)? else {
            pass(Duration::from_secs(1));
            continue;
        };
        let pages = world.pages()?;
        let since = Stopwatch::start();
        let reply = given.give(&pages);
        lengths.push(since.elapsed());
        clerk.work_off(&pages, tray, &given, reply, REST_AT_MOST)?;
    }
    lengths.sort_unstable();
    Ok(lengths.get(1).copied().unwrap_or_default())
}

/// Runs a campaign.
///
/// # Errors
/// When it cannot be run; what is wrong with agent or central is in the report.
pub fn run(plan: &Plan) -> anyhow::Result<Report> {
    let since = Stopwatch::start();
    let (mut world, mut tray) = World::new(plan)?;
    let mut clerk = Clerk::new(plan.plant);
    let mut report = Report::default();
    let mut lengths = Vec::new();
    for money in &plan.commands {
        lengths.push(usual(&mut world, &mut tray, &mut clerk, *money)?);
    }
    // In rounds, so that what must be drawn first has time.
    let mut left: Vec<(usize, Fault, u64)> = Vec::new();
    for place in 0..plan.commands.len() {
        for fault in &plan.faults {
            left.push((place, *fault, plan.instants));
        }
    }
    while left.iter().any(|(_, _, count)| *count > 0) {
        let mut has_moved = false;
        for (place, fault, count) in &mut left {
            if *count == 0 {
                continue;
            }
            world.stock()?;
            let (Some(money), Some(length)) = (plan.commands.get(*place), lengths.get(*place))
            else {
                continue;
            };
            let Some(given) = world.order(*money)? else {
                continue;
            };
            has_moved = true;
            *count -= 1;
            *report.instants.entry(money.name()).or_default() += 1;
            one(
                &mut world,
                &mut tray,
                &mut clerk,
                &given,
                *fault,
                *length,
                &mut report,
            )
            .with_context(|| format!("{money:?}, {fault:?}"))?;
        }
        if !has_moved {
            pass(Duration::from_millis(500));
        }
    }
    report.parked = clerk.parked;
    report.given_back = clerk.given_back;
    report.torn = clerk.torn;
    finish(&mut world, &mut tray, clerk, &mut report)?;
    report.took = since.elapsed();
    Ok(report)
}

/// One command and what happens in the middle of it, until the counter is at rest.
fn one(
    world: &mut World,
    tray: &mut Tray,
    clerk: &mut Clerk,
    given: &Given,
    fault: Fault,
    length: Duration,
    report: &mut Report,
) -> anyhow::Result<()> {
    let span = u64::try_from(length.as_micros()).unwrap_or(u64::MAX);
    let after = Duration::from_micros(world.chance.below(span + span / 4));
    let command = given.clone();
    let reply = world.strike(fault, after, move |pages| command.give(pages), clerk)?;
    let pages = world.pages()?;
    let resting = Stopwatch::start();
    let stages = clerk.work_off(&pages, tray, given, reply, REST_AT_MOST)?;
    report.longest_rest = report.longest_rest.max(resting.elapsed());
    if !stages.is_empty() {
        report.open_after += 1;
    }
    for stage in stages {
        *report.stages.entry(stage).or_default() += 1;
    }
    report.late += world.late_copies()?;
    Ok(())
}

/// Closes the till and holds papers and cash against the record.
fn finish(
    world: &mut World,
    tray: &mut Tray,
    clerk: Clerk,
    report: &mut Report,
) -> anyhow::Result<()> {
    let late = tray.take()?;
    if !late.is_empty() {
        report
            .breaches
            .push(format!("{} papers came out by themselves", late.len()));
    }
    // Whose tickets they are, before the neighbour goes home.
    let mut leaves = Vec::new();
    for code in &clerk.tickets {
        match world.neighbour.post("/checks", &json!({"code": code})) {
            Answer::Done(check) => leaves.push(check["ticket"]["ticket"].as_u64()),
            other => {
                report
                    .breaches
                    .push(format!("central denies a ticket: {other:?}"));
            }
        }
    }
    world.agent.take().into_iter().for_each(Agent::kill);
    let counted = clerk.drawer_cents.to_string();
    let closed = std::process::Command::new(&world.plan.terminal)
        .arg("--config")
        .arg(&world.settings)
        .args(["close-till", &counted])
        .output()
        .context("the till cannot be closed")?;
    let said = String::from_utf8_lossy(&closed.stdout).into_owned();
    if !said.contains("Even:") {
        let notes = String::from_utf8_lossy(&closed.stderr).into_owned();
        report
            .breaches
            .push(format!("the till is not even: {said}{notes}"));
    }
    if let Some(central) = world.central.take() {
        central.kill();
    }
    let bytes = export(
        &world.founded.program,
        &world.founded.data(),
        &world.founded.beside("export"),
    )?;
    report
        .breaches
        .extend(record_breaches(&Record::read(&bytes)?, &clerk, &leaves));
    let outcome = keno_audit::verify(
        bytes.as_slice(),
        keno_audit::Outside::default(),
        keno_audit::Options::default(),
    )?;
    let findings = outcome.findings.iter().take(5);
    report
        .breaches
        .extend(findings.map(|finding| format!("keno-audit: {finding:?}")));
    let totals = (
        clerk.tickets.len() as u64,
        clerk.cancellations,
        clerk.payments,
    );
    report.found = totals.into();
    report.breaches.extend(clerk.breaches);
    Ok(())
}

/// Each ticket, cancellation and payment of the counter in the record has one paper, and the
/// other way round.
fn record_breaches(record: &Record, clerk: &Clerk, leaves: &[Option<u64>]) -> Vec<String> {
    let mut breaches = Vec::new();
    let (mut cancelled_here, mut paid_here) = (0, 0);
    let mut cancelled = std::collections::BTreeSet::new();
    for fact in &record.facts {
        match &fact.event {
            Event::TicketCancelled(body) => {
                cancelled.insert(body.ticket);
                if body.key.device == COUNTER {
                    cancelled_here += 1;
                }
            }
            Event::PrizePaid(body) if body.key.device == COUNTER => paid_here += 1,
            _ => {}
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    for leaf in leaves {
        match leaf {
            Some(leaf) if !seen.insert(*leaf) => {
                breaches.push(format!("ticket {leaf} has two papers"));
            }
            Some(leaf) if cancelled.contains(leaf) => {
                breaches.push(format!(
                    "ticket {leaf} is cancelled, and the patron has its paper"
                ));
            }
            Some(_) => {}
            None => breaches.push("a paper is of no ticket".to_owned()),
        }
    }
    for (leaf, fact) in (0_u64..).zip(&record.facts) {
        if let Event::TicketSold(body) = &fact.event
            && body.key.device == COUNTER
            && !cancelled.contains(&leaf)
            && !seen.contains(&leaf)
        {
            breaches.push(format!("ticket {leaf} is sold, and nobody has its paper"));
        }
    }
    if cancelled_here != clerk.cancellations {
        breaches.push(format!(
            "{cancelled_here} cancellations in the record, {} receipts",
            clerk.cancellations
        ));
    }
    if paid_here != clerk.payments {
        breaches.push(format!(
            "{paid_here} payments in the record, {} receipts",
            clerk.payments
        ));
    }
    breaches
}

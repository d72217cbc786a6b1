//! A day: devices, patrons, draws, the clock and everything that fails, one step after the other,
//! each judged before the next.

mod audit_office;
mod dishonest;
mod evening;
mod traffic;
mod troubles;

use keno_service::draw::Conductor;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::{Context, anyhow};
use audit_office::{AUDIT, AUDITOR};
use dishonest::{KIOSK, SPARE};
use keno_audit::replay::{Options as AuditOptions, Replay};
use keno_house_builder::{
    Device, NewHouse, Person, Pins, counters, devices, furnish, people, record_devices,
    record_people,
};
use keno_log::Event;
use keno_record::roles::{DeviceRole, Role};
use keno_record::store::log;
use keno_schema::Connection;

use crate::book::Book;
use crate::command::{Answer, Order};
use crate::counter::{Counters, PEOPLE, role_of};
use crate::dice::Dice;
use crate::judge;
use crate::judge::Failure;
use crate::model::{Model, Stage, must};
use crate::world::World;

pub use dishonest::{TEMPTATIONS, Villain};

/// How much is played.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Draws that must be over.
    pub draws: usize,
    /// Commands that must have been sent.
    pub commands: u64,
    /// Whether anything fails.
    pub faults: bool,
    /// Whether terminals are left and taken over.
    pub hand_overs: bool,
    /// Whether rule books name a set, and it is sold.
    pub named_sets: bool,
    /// Whether the audit office remarks on tickets.
    pub remarks: bool,
    /// Who tries what he may not.
    pub villains: &'static [Villain],
    /// Whether there are people and devices that do nothing: tampered copies of the log name them.
    pub bystanders: bool,
}

impl Settings {
    /// A day: 200 draws, 2,000 commands.
    pub const DAY: Self = Self {
        draws: 200,
        commands: 2_000,
        faults: true,
        hand_overs: true,
        named_sets: true,
        remarks: true,
        villains: &[],
        bystanders: false,
    };
}

/// What a day came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Draws settled or void.
    pub draws: usize,
    /// Draws among them that are void.
    pub void: usize,
    /// Commands sent, copies among them.
    pub commands: u64,
    /// Copies of a command that arrived beside or long after it.
    pub copies: u64,
    /// Leaves of the log.
    pub leaves: u64,
    /// Tickets sold.
    pub tickets: usize,
    /// Selections on a named set among theirs.
    pub named_sets: usize,
    /// Payments.
    pub payments: usize,
    /// Openings after the first: the power went before each.
    pub crashes: u64,
    /// Transactions undone, or whose outcome was unknown.
    pub failed_commits: u64,
    /// Times that the clock was set.
    pub jumps: u64,
    /// Openings after the power was off for days.
    pub long_offs: u64,
    /// Versions of the rules published.
    pub books: usize,
    /// How often each kind of fact was recorded.
    pub facts: BTreeMap<&'static str, u64>,
    /// How often each thing that nobody may was tried, and refused.
    pub temptations: BTreeMap<&'static str, u64>,
    /// How often each refusal was heard.
    pub refusals: BTreeMap<&'static str, u64>,
    /// Root of the log: two plays of a seed end with the same.
    pub root: String,
}

/// A command under way.
struct Flight {
    place: usize,
    /// Number of the device that sent it.
    device: u32,
    order: Order,
    answer: Answer,
    /// A copy that the network made: nobody waits for it.
    is_copy: bool,
    /// The answer will not arrive.
    reply_is_lost: bool,
    /// Leaves and failed transactions when it was sent.
    sent_at: (u64, u64),
}

/// A day being played.
pub struct Day {
    settings: Settings,
    dice: Dice,
    /// For terminals that are left: of its own, so that a day without them is as it ever was.
    leaving: Dice,
    /// For people who try what they may not: of its own as well.
    evil: Dice,
    /// For how long the power is off: of its own as well.
    power: Dice,
    /// For remarks of the audit office: of its own as well; without it there are none.
    office: Option<Dice>,
    /// The one who was to be withdrawn is.
    has_withdrawn: bool,
    /// The house.
    pub world: World,
    /// What its record must be.
    pub model: Model,
    audit: Replay,
    counters: Counters,
    flights: Vec<Flight>,
    reader: Option<Connection>,
    report: Report,
    /// Tickets of the last leaves.
    touched: Vec<u64>,
}

impl std::fmt::Debug for Day {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Day")
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

/// Starts of days: ordinary ones, and both nights when the clocks change in Montréal.
const STARTS_MS: [i64; 4] = [
    // 2026-11-20 12:00, 2026-10-31 18:00 (the night has an hour twice), 2027-03-13 18:00 (it lacks
    // one), 2026-12-31 09:00.
    1_795_194_000_000,
    1_793_484_000_000,
    1_804_978_800_000,
    1_798_725_600_000,
];

/// Terminals of a house in which some are left: more than people.
const TERMINALS: u32 = 7;

/// Minutes between draws: 206 a day.
const EVERY_MINUTES: u16 = 7;

/// Plays a seed.
///
/// # Errors
/// The first thing that is wrong.
pub fn play(seed: u64, settings: Settings) -> Result<Report, Failure> {
    Day::open(seed, settings).and_then(|mut day| {
        day.run()?;
        day.end()?;
        Ok(day.report())
    })
}

impl Day {
    /// A house that opens for the day.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(seed: u64, settings: Settings) -> Result<Self, Failure> {
        let mut dice = Dice::of(seed, 0);
        let start_ms = STARTS_MS[dice.below(STARTS_MS.len())] + dice.between(0, 3_600_000);
        let mut world = World::new(seed, start_ms)?;
        world.open(EVERY_MINUTES)?;
        let mut model = Model::new(world.central()?.schedule.ball_interval_ms);
        let central = Arc::clone(world.central()?);
        let mut staff = people(&PEOPLE);
        staff.push(Person::of("S9", &[Role::Supervisor]));
        let mut devices = Vec::new();
        if settings.bystanders {
            let all = [Role::Clerk, Role::Supervisor, Role::Cage];
            staff.extend(["A1", "A2"].map(|badge| Person::of(badge, &all)));
            devices.extend([1 << 31, (1 << 31) + 1].map(|number| Device {
                number,
                name: "T00".to_owned(),
                role: role_of(4),
            }));
        }
        if settings.remarks {
            staff.push(Person::of(AUDITOR, &[Role::Auditor]));
            devices.push(Device {
                number: AUDIT,
                name: "T09".to_owned(),
                role: DeviceRole::Audit,
            });
        }
        let terminals = if settings.hand_overs { TERMINALS } else { 4 };
        devices.extend(counters(1..=terminals).into_iter().map(|device| Device {
            role: role_of(device.number),
            ..device
        }));
        let mut names = settings.named_sets.then(|| Dice::of(seed, 17));
        let book = Book::random(&mut dice, names.as_mut(), 1, None);
        let house = NewHouse {
            people: staff,
            devices,
            rules: Some(book.text()),
            ..NewHouse::default()
        };
        furnish(&central, &house).context("the new house")?;
        model.known_books.insert(1, book);
        drop(central);
        let reader = Some(world.reader()?);
        let mut day = Self {
            settings,
            dice,
            leaving: Dice::of(seed, 7),
            evil: Dice::of(seed, 11),
            power: Dice::of(seed, 13),
            office: settings.remarks.then(|| Dice::of(seed, 19)),
            has_withdrawn: false,
            world,
            model,
            audit: Replay::new(AuditOptions::default()),
            counters: Counters::new(names),
            flights: Vec::new(),
            reader,
            report: Report::default(),
            touched: Vec::new(),
        };
        if !settings.villains.is_empty() {
            day.hire()?;
        }
        day.look_round()?;
        day.absorb()?;
        Ok(day)
    }

    /// People and devices that are there to be dishonest.
    fn hire(&self) -> Result<(), Failure> {
        let central = self.world.central()?;
        let more = [
            Person::of("A1", &[Role::Auditor]),
            Person::of("T1", &[Role::Technician]),
            Person::of("W1", &[Role::Clerk]),
        ];
        record_people(central, ["X1", "X2"], &more, Pins::None).context("people")?;
        let places = [
            (KIOSK, "T08", DeviceRole::Kiosk),
            (SPARE, "T10", DeviceRole::Counter),
        ];
        record_devices(central, ["X1", "X2"], &devices(&places)).context("devices")?;
        Ok(())
    }

    /// What it came to.
    pub fn report(&self) -> Report {
        let over = |draw: &&crate::model::Draw| draw.over_at_ms.is_some();
        let draws = self.model.draws.values();
        let sold = self.model.tickets.values();
        let sold = sold.flat_map(|ticket| &ticket.sold.selections);
        Report {
            named_sets: sold.filter(|selection| selection.kind == 4).count(),
            draws: draws.clone().filter(over).count(),
            void: draws.filter(|draw| draw.stage == Stage::Void).count(),
            leaves: self.model.size,
            tickets: self.model.tickets.len(),
            payments: self.model.payments.len(),
            crashes: self.world.openings() - 1,
            failed_commits: self.world.faults.failed.load(Ordering::SeqCst),
            books: self.model.books.len(),
            root: self
                .audit
                .root()
                .iter()
                .fold(String::new(), |text, byte| format!("{text}{byte:02x}")),
            ..self.report.clone()
        }
    }

    fn is_over(&self) -> bool {
        let over = self.model.draws.values();
        let over = over.filter(|draw| draw.over_at_ms.is_some()).count();
        over >= self.settings.draws && self.report.commands >= self.settings.commands
    }

    /// Plays until enough has happened.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn run(&mut self) -> Result<(), Failure> {
        // About so many steps pass between two draws: commands are spread over the draws.
        let commands = usize::try_from(self.settings.commands).unwrap_or(usize::MAX);
        let often = (commands * 1_000 / self.settings.draws.max(1) / 30).clamp(50, 900);
        while !self.is_over() {
            if self.settings.faults {
                self.trouble()?;
            }
            if self.dice.in_thousand(often) {
                self.act()?;
            }
            self.people()?;
            self.remarks()?;
            self.tempt()?;
            if self.dice.in_thousand(700) {
                self.world.central()?.sequencer.step();
            }
            self.answers()?;
            if self.dice.in_thousand(100) {
                self.world.central()?.publish_waiting();
            }
            let pause = self.dice.between(0, 28_000);
            self.world.clock.advance(pause);
            self.look_round()?;
            if self.world.faults.is_crashed() {
                self.restart()?;
            }
            self.absorb()?;
            judge::after_step(&self.world, &self.model)?;
            self.spot_check()?;
        }
        Ok(())
    }

    /// The conductor looks once.
    fn look_round(&mut self) -> Result<(), Failure> {
        let central = Arc::clone(self.world.central()?);
        self.world.rounds.look(&central);
        // Halted before the jump or by it: either way people look at the clock before it goes on.
        if central.view.get().schedule_halted.is_some() {
            self.model.jumped = false;
        }
        Ok(())
    }

    /// Tickets that something happened to, and one at random; sometimes all that memory holds.
    fn spot_check(&mut self) -> Result<(), Failure> {
        let mut numbers = std::mem::take(&mut self.touched);
        numbers.truncate(4);
        if self.dice.below(3) == 0 {
            numbers.extend(self.dice.one(&self.counters.papers).map(|held| held.ticket));
        }
        let reader = self.reader.as_mut().context("no reader")?;
        for number in numbers {
            judge::ticket(&self.world, &self.model, reader, number)?;
        }
        if self.dice.in_thousand(4) {
            judge::whole_memory(&self.world, &self.model)?;
        }
        Ok(())
    }

    /// Reads what was recorded since, and has it judged leaf by leaf.
    fn absorb(&mut self) -> Result<(), Failure> {
        // Asking memory first spares a read at most steps; that it tells the truth is judged too.
        let size = |state: &keno_record::state::State| state.edge.size();
        if self.world.central()?.sequencer.peek(size) == Some(self.model.size)
            && !self.dice.in_thousand(50)
        {
            return Ok(());
        }
        let reader = self.reader.as_mut().context("no reader")?;
        let rows = log::entries(reader, self.model.size, i64::MAX).context("the log")?;
        let mut settled = Vec::new();
        for row in &rows {
            let (entry, _) = log::checked_entry(row).context("a leaf")?;
            let event = entry.event().map_err(|fault| anyhow!("a leaf: {fault}"))?;
            self.audit.push(&entry);
            let root = match event {
                Event::DrawClosed(_) => self.audit.root(),
                _ => [0; 32],
            };
            if let Some(finding) = self.audit.findings().first() {
                return Err(Failure::Wrong(format!(
                    "the second computation: entry {:?}: {} {}",
                    finding.entry,
                    finding.name(),
                    finding.detail
                )));
            }
            self.model.apply(&entry.leaf.header, &event, root)?;
            *self.report.facts.entry(event.kind().name()).or_default() += 1;
            self.drawers(&event)?;
            match &event {
                Event::TicketSold(_) => self.touched.push(entry.leaf.header.index),
                Event::TicketCancelled(body) => self.touched.push(body.ticket),
                Event::TicketUnpaid(body) => self.touched.push(body.ticket),
                Event::TicketDuplicated(body) => self.touched.push(body.ticket),
                Event::DamagedTicketRead(body) => self.touched.push(body.ticket),
                Event::FileOpened(body) => self.touched.extend(body.ticket),
                Event::TicketReleased(body) => self.touched.push(body.ticket),
                Event::ClaimPresented(body) => self.touched.push(body.ticket),
                Event::PatronRefused(body) => self.touched.push(body.ticket),
                Event::TicketRemarked(body) => self.touched.push(body.ticket),
                Event::PrizePaid(body) => self.touched.push(body.ticket),
                Event::PaymentReversed(body) => {
                    self.counters.owed.push(body.ticket);
                    self.touched.push(body.ticket);
                }
                Event::DrawSettled(body) => settled.push(body.draw),
                Event::DrawVoided(body) => {
                    let tickets = self.model.draws.get(&body.draw).map(|draw| &draw.tickets);
                    self.counters.owed.extend(tickets.into_iter().flatten());
                }
                _ => {}
            }
        }
        for draw in settled {
            let reader = self.reader.as_mut().context("no reader")?;
            judge::prizes(&self.world, &self.model, reader, draw)?;
            let prizes = self.model.draws.get(&draw).map(|draw| &draw.prizes);
            self.counters
                .owed
                .extend(prizes.into_iter().flat_map(|prizes| prizes.keys()));
        }
        let keep = self.counters.owed.len().saturating_sub(40);
        self.counters.owed.drain(..keep);
        Ok(())
    }

    /// The cash in front of a person is what the record expects there.
    fn drawer_must_hold(&self, badge: &str, expected_cents: i64) -> Result<(), Failure> {
        let mut drawers = self.counters.devices.iter();
        let drawer = drawers.find(|device| device.caller.badge == badge);
        let drawer = drawer.map(|device| device.drawer_cents);
        must(drawer == Some(expected_cents), || {
            format!("{drawer:?} in the drawer, {expected_cents} expected")
        })?;
        Ok(())
    }

    /// What moves the cash of a drawer without a key of its device; and the count, which must be
    /// what was handed over.
    fn drawers(&mut self, event: &Event) -> Result<(), Failure> {
        match event {
            Event::ShiftOpened(body) => {
                if let Some(device) = self.counters.at(body.device) {
                    device.drawer_cents = body.float_cents;
                }
            }
            Event::ShiftClosed(body) => self.drawer_must_hold(&body.by, body.expected_cents)?,
            Event::TillCounted(body) => self.drawer_must_hold(&body.by, body.expected_cents)?,
            Event::TicketUnpaid(body) => {
                let sold = self
                    .model
                    .tickets
                    .get(&body.ticket)
                    .map(|one| one.sold.clone());
                // The till may be elsewhere by now.
                let till = sold
                    .as_ref()
                    .and_then(|sold| self.model.tills.get(&sold.shift));
                let at = till.map(|till| till.device);
                if let (Some(sold), Some(at)) = (sold, at)
                    && let Some(device) = self.counters.at(at)
                {
                    // It was never received: the drawer lacks what the record expected. Nor was
                    // change given for it.
                    let price = if sold.tender == 1 {
                        sold.total_cents
                    } else {
                        0
                    };
                    device.drawer_cents += sold.chip_change_cents - price;
                }
            }
            Event::PaymentReversed(body) => {
                let till = self.model.tills.get(&body.shift).map(|till| till.device);
                if let Some(device) = till.and_then(|device| self.counters.at(device)) {
                    device.drawer_cents += body.cash_cents;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn failed(&self) -> u64 {
        self.world.faults.failed.load(Ordering::SeqCst)
    }

    /// The power comes back.
    fn restart(&mut self) -> Result<(), Failure> {
        for flight in std::mem::take(&mut self.flights) {
            self.release(&flight);
        }
        self.reader = None;
        self.world.drop_central()?;
        // Central does not start by a clock that is behind its record: the technician sets it.
        let behind = self.model.last_at_ms - self.world.now_ms();
        if behind > 0 {
            self.world.clock.jump(behind + 60_000);
        }
        // Now and then it was off for days, and nobody could claim.
        if self.settings.faults && self.power.in_thousand(60) {
            const HOUR_MS: i64 = 3_600_000;
            let off_ms = self.power.between(20 * HOUR_MS, 80 * HOUR_MS);
            self.world.clock.advance(off_ms);
            self.report.long_offs += 1;
        }
        // The watch over the clock starts anew: only a silence of a day is noticed at a start.
        self.model.jumped = false;
        self.world
            .open(EVERY_MINUTES)
            .context("the house does not open again")?;
        let central = Arc::clone(self.world.central()?);
        let last_ms = central.last_at_start_ms();
        Conductor::check_silence(&central, last_ms).context("the silence")?;
        drop(central);
        self.reader = Some(self.world.reader()?);
        self.look_round()?;
        self.absorb()?;
        judge::whole_memory(&self.world, &self.model)
    }
}

//! A day: devices, patrons, draws, the clock and everything that fails, one step after the other,
//! each judged before the next.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::{Context, anyhow};
use keno_audit::replay::{Options as AuditOptions, Replay};
use keno_log::Event;
use keno_log::event::PersonRecorded;
use keno_schema::Connection;
use keno_service::fault::Stop;
use keno_service::planted::{Plant, plant};
use keno_service::refusal::Refusal;
use keno_service::sequencer::Lane;
use keno_service::store::log;

use crate::book::Book;
use crate::command::{Answer, Order, Reply, ask, look};
use crate::counter::{Counters, Doubt, PEOPLE};
use crate::dice::Dice;
use crate::judge::{self, Failure};
use crate::model::{Model, Stage, must};
use crate::world::World;

/// How much is played.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Draws that must be over.
    pub draws: usize,
    /// Commands that must have been sent.
    pub commands: u64,
    /// A fault that is planted in the service.
    pub plant: Option<Plant>,
    /// Whether anything fails.
    pub faults: bool,
}

impl Settings {
    /// A day: 200 draws, 2,000 commands.
    pub const DAY: Self = Self {
        draws: 200,
        commands: 2_000,
        plant: None,
        faults: true,
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
    /// Payments.
    pub payments: usize,
    /// Openings after the first: the power went before each.
    pub crashes: u64,
    /// Transactions undone, or whose outcome was unknown.
    pub failed_commits: u64,
    /// Times that the clock was set.
    pub jumps: u64,
    /// Versions of the rules published.
    pub books: usize,
    /// How often each kind of fact was recorded.
    pub facts: BTreeMap<&'static str, u64>,
    /// How often each refusal was heard.
    pub refusals: BTreeMap<&'static str, u64>,
    /// Root of the log: two plays of a seed end with the same.
    pub root: String,
}

/// A command under way.
struct Flight {
    place: usize,
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

/// Minutes between draws: 206 a day.
const EVERY_MINUTES: u16 = 7;

/// Plays a seed.
///
/// # Errors
/// The first thing that is wrong.
pub fn play(seed: u64, settings: Settings) -> Result<Report, Failure> {
    plant(settings.plant);
    let played = Day::open(seed, settings).and_then(|mut day| {
        day.run()?;
        day.end()?;
        Ok(day.report())
    });
    plant(None);
    played
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
        for (badge, roles) in PEOPLE.into_iter().chain([("S9", &[2_u8][..])]) {
            // No sign-on by PIN here: argon2 would take most of the day.
            let event = PersonRecorded {
                badge: badge.to_owned(),
                name: String::new(),
                roles: roles.to_vec(),
                credential: "none".to_owned(),
                active: true,
                by: "console".to_owned(),
            };
            let record = move |judge: &mut keno_service::sequencer::Judge<'_>| {
                Ok(judge.record(event.clone())?)
            };
            central
                .sequencer
                .submit_blocking(Lane::Money, record)
                .context("people")?;
        }
        for number in 1..=4 {
            let name = format!("T{number:02}");
            central
                .record_device(number, &name, 1, "console")
                .context("devices")?;
        }
        let book = Book::random(&mut dice, 1, None);
        central
            .publish_rules(&book.text(), 1, "S1", "S2")
            .context("the first rules")?;
        model.known_books.insert(1, book);
        drop(central);
        let reader = Some(world.reader()?);
        let mut day = Self {
            settings,
            dice,
            world,
            model,
            audit: Replay::new(AuditOptions::default()),
            counters: Counters::new(),
            flights: Vec::new(),
            reader,
            report: Report::default(),
            touched: Vec::new(),
        };
        day.look_round()?;
        day.absorb()?;
        Ok(day)
    }

    /// What it came to.
    pub fn report(&self) -> Report {
        let over = |draw: &&crate::model::Draw| draw.over_at_ms.is_some();
        let draws = self.model.draws.values();
        Report {
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
        let size = |state: &keno_service::state::State| state.edge.size();
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
            self.model.apply(&entry.leaf.header, &event, root)?;
            *self.report.facts.entry(event.kind().name()).or_default() += 1;
            if let Some(finding) = self.audit.findings().first() {
                return Err(Failure::Wrong(format!(
                    "the second computation: entry {:?}: {} {}",
                    finding.entry,
                    finding.name(),
                    finding.detail
                )));
            }
            self.drawers(&event)?;
            match &event {
                Event::TicketSold(_) => self.touched.push(entry.leaf.header.index),
                Event::TicketCancelled(body) => self.touched.push(body.ticket),
                Event::TicketUnpaid(body) => self.touched.push(body.ticket),
                Event::TicketDuplicated(body) => self.touched.push(body.ticket),
                Event::TicketReleased(body) => self.touched.push(body.ticket),
                Event::ClaimPresented(body) => self.touched.push(body.ticket),
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
            judge::prizes(&self.model, reader, draw)?;
            let prizes = self.model.draws.get(&draw).map(|draw| &draw.prizes);
            self.counters
                .owed
                .extend(prizes.into_iter().flat_map(|prizes| prizes.keys()));
        }
        let keep = self.counters.owed.len().saturating_sub(40);
        self.counters.owed.drain(..keep);
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
            Event::ShiftClosed(body) => {
                let mut drawers = self.counters.devices.iter();
                let drawer = drawers.find(|device| device.caller.badge == body.by);
                let drawer = drawer.map(|device| device.drawer_cents);
                must(drawer == Some(body.expected_cents), || {
                    format!("{drawer:?} in the drawer, {} expected", body.expected_cents)
                })?;
            }
            Event::TicketUnpaid(body) => {
                let sold = self
                    .model
                    .tickets
                    .get(&body.ticket)
                    .map(|one| one.sold.clone());
                let cash = sold
                    .filter(|sold| sold.tender == 1 && self.model.tills.contains_key(&sold.shift));
                if let Some(sold) = cash
                    && let Some(device) = self.counters.at(sold.key.device)
                {
                    // It was never received: the drawer lacks what the record expected.
                    device.drawer_cents -= sold.total_cents;
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

    /// Sends a command; `is_copy` when the network made it.
    fn send(&mut self, place: usize, order: Order, is_copy: bool) -> Result<(), Failure> {
        let central = Arc::clone(self.world.central()?);
        let device = self.counters.devices.get_mut(place).context("no device")?;
        let mut caller = device.caller.clone();
        let key = order.key(caller.device.device);
        self.report.commands += 1;
        self.report.copies += u64::from(is_copy);
        let (mut request_is_lost, mut reply_is_lost) = (false, is_copy);
        if !is_copy {
            if self.settings.faults {
                request_is_lost = self.dice.in_thousand(20);
                reply_is_lost = self.dice.in_thousand(60);
            }
            device.is_busy = !request_is_lost;
            if let Some(key) = key {
                // In the journal before it is sent.
                device.doubt = Some(Doubt {
                    order: order.clone(),
                    key,
                });
                self.counters.sent.push((place, order.clone()));
            }
        } else if let Some(key) = key {
            // A copy carries what the first carried, its session among it.
            caller.session = key.session;
        }
        if request_is_lost {
            return Ok(());
        }
        let flight = Flight {
            place,
            answer: ask(central, caller, order.clone()),
            order,
            is_copy,
            reply_is_lost,
            sent_at: (self.model.size, self.failed()),
        };
        self.flights.push(flight);
        let last = self.flights.len() - 1;
        self.hear(last)?;
        Ok(())
    }

    /// Some device does something; or the network delivers an old command once more.
    fn act(&mut self) -> Result<(), Failure> {
        let place = self.dice.below(self.counters.devices.len());
        if self.settings.faults && self.dice.in_thousand(60) {
            let newest = self.counters.sent.len().saturating_sub(30);
            let from = if self.dice.below(3) == 0 { 0 } else { newest };
            let old = self.counters.sent.get(from..);
            let old = old.and_then(|old| self.dice.one(old)).cloned();
            if let Some((place, order)) = old {
                return self.send(place, order, true);
            }
        }
        let central = Arc::clone(self.world.central()?);
        let device = self.counters.devices.get(place).context("no device")?;
        if device.is_busy {
            return Ok(());
        }
        if let Some(doubt) = device.doubt.clone() {
            let caller = device.caller.clone();
            let asked = central.ask_key(&caller.device, doubt.key.session, doubt.key.counter);
            let known = asked.context("a key is asked for")?;
            drop(central);
            if let Some(leaf) = known.leaf
                && known.kind != Some(keno_service::state::KeyKind::Closed)
            {
                self.absorb()?;
                self.counters.learn(place, &doubt.order, leaf, &self.model);
                self.clear_doubt(place);
                return Ok(());
            }
            // Before cash or draft is given back the key is closed.
            let order = Order::CloseKey(doubt.key.counter, doubt.key.session);
            return self.send(place, order, false);
        }
        let next = self
            .counters
            .next(place, &mut self.dice, &self.model, &central);
        drop(central);
        match next {
            Some(order) => {
                let doubled =
                    order.key(0).is_some() && self.settings.faults && self.dice.in_thousand(30);
                let again = doubled.then(|| order.clone());
                self.send(place, order, false)?;
                if let Some(order) = again {
                    self.send(place, order, true)?;
                }
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn clear_doubt(&mut self, place: usize) {
        if let Some(device) = self.counters.devices.get_mut(place) {
            device.doubt = None;
        }
    }

    /// Answers that have come are heard, or lost.
    fn answers(&mut self) -> Result<(), Failure> {
        let mut place = 0;
        while place < self.flights.len() {
            if self.dice.in_thousand(800) && self.hear(place)? {
                continue;
            }
            place += 1;
        }
        Ok(())
    }

    /// Looks for the answer of a flight; true when it has landed.
    fn hear(&mut self, index: usize) -> Result<bool, Failure> {
        let Some(flight) = self.flights.get_mut(index) else {
            return Ok(false);
        };
        let Some(answer) = look(&mut flight.answer) else {
            return Ok(false);
        };
        let flight = self.flights.swap_remove(index);
        if self.world.faults.is_crashed() {
            // Nothing leaves a house without power.
            self.release(&flight);
            return Ok(true);
        }
        self.absorb()?;
        match &answer {
            Ok(reply) => self.must_be_recorded(&flight, reply)?,
            Err(Stop::Refused(refusal)) => {
                *self.report.refusals.entry(refusal.name()).or_default() += 1;
                self.must_be_true(&flight, refusal)?;
            }
            Err(Stop::Broke(fault) | Stop::Undone(fault)) => {
                must(self.failed() > flight.sent_at.1, || {
                    format!("nothing failed, and {:?} did: {fault}", flight.order)
                })?;
            }
        }
        self.release(&flight);
        if flight.is_copy || flight.reply_is_lost {
            return Ok(true);
        }
        if let Ok(reply) = answer {
            self.told(&flight, &reply);
        }
        Ok(true)
    }

    /// The device waits no longer. What it sent under a key stays in doubt until it is told.
    fn release(&mut self, flight: &Flight) {
        if !flight.is_copy
            && let Some(device) = self.counters.devices.get_mut(flight.place)
        {
            device.is_busy = false;
        }
    }

    /// No answer before the commit: what is told is in the record.
    fn must_be_recorded(&self, flight: &Flight, reply: &Reply) -> Result<(), Failure> {
        let device = self.counters.devices.get(flight.place);
        let device = device.context("no device")?.caller.device.device;
        let leaf = match reply {
            Reply::Leaf(leaf) | Reply::Sold(leaf, ..) => *leaf,
            _ => return Ok(()),
        };
        if let Some(key) = flight.order.key(device) {
            let recorded = self.model.keys.get(&key);
            must(recorded == Some(&(flight.order.kind(), leaf)), || {
                format!("leaf {leaf} was told for {key:?}, which ended as {recorded:?}")
            })?;
        } else if !matches!(flight.order, Order::OpenTill(_)) {
            must(leaf < self.model.size, || {
                format!(
                    "leaf {leaf} was told for {:?} and is not there",
                    flight.order
                )
            })?;
        }
        Ok(())
    }

    /// What a refusal says must be so.
    fn must_be_true(&self, flight: &Flight, refusal: &Refusal) -> Result<(), Failure> {
        let device = self.counters.devices.get(flight.place);
        let device = device.context("no device")?.caller.device.device;
        let key = flight.order.key(device);
        let ended = key.and_then(|key| self.model.keys.get(&key));
        let stage = |draw: &u64| self.model.draws.get(draw).map(|draw| draw.stage);
        let holds = match refusal {
            Refusal::DrawClosed { draw, .. } | Refusal::CancelAfterClose { draw } => {
                stage(draw) != Some(Stage::Open)
            }
            Refusal::KeyClosed => ended.is_some_and(|(kind, _)| *kind == "closed"),
            // The same content under the same key is never another.
            Refusal::KeyOtherContent | Refusal::KeyForeign => false,
            // An answered key is answered as before, also when its session is over.
            Refusal::SessionEnded => ended.is_none(),
            Refusal::AlreadyPaid { draw, .. } => {
                let since = flight.sent_at.0;
                let mut paid = self.model.payments.values();
                paid.any(|payment| {
                    payment.draws.contains(draw)
                        && payment.reversed.is_none_or(|leaf| leaf >= since)
                })
            }
            _ => true,
        };
        // A key that has an answer is not refused at all.
        let is_answered = ended
            .is_some_and(|(kind, leaf)| *kind == flight.order.kind() && *leaf < flight.sent_at.0);
        let before_the_key = matches!(
            refusal,
            Refusal::CopyReplaced | Refusal::ClaimCodeNeeded | Refusal::QueueFull
        );
        must(holds && (!is_answered || before_the_key), || {
            format!(
                "{:?} was refused: {refusal:?}, but its key ended as {ended:?}",
                flight.order
            )
        })?;
        Ok(())
    }

    /// The device hears the answer.
    fn told(&mut self, flight: &Flight, reply: &Reply) {
        let place = flight.place;
        match (reply, &flight.order) {
            (Reply::Leaf(leaf) | Reply::Sold(leaf, ..), order) if order.key(0).is_some() => {
                self.counters.learn(place, order, *leaf, &self.model);
                self.clear_doubt(place);
            }
            (Reply::Key(None), _) => self.clear_doubt(place),
            (Reply::Key(Some(kind)), _) => {
                let doubt = self
                    .counters
                    .devices
                    .get(place)
                    .and_then(|device| device.doubt.clone());
                if let Some(doubt) = doubt
                    && let Some((of, leaf)) = self.model.keys.get(&doubt.key).copied()
                    && of == *kind
                {
                    self.counters.learn(place, &doubt.order, leaf, &self.model);
                    self.clear_doubt(place);
                }
            }
            (Reply::Session(session), _) => {
                if let Some(device) = self.counters.devices.get_mut(place) {
                    device.caller.session = *session;
                }
            }
            (Reply::Copy(copy), Order::Duplicate(paper)) => {
                let central = self.world.central().ok().map(Arc::clone);
                let mut papers = self.counters.papers.iter_mut();
                let held = papers.find(|held| {
                    central
                        .as_ref()
                        .and_then(|central| crate::counter::paper_of(central, held))
                        .is_some_and(|of| of.number == paper.number)
                });
                if let Some(held) = held {
                    held.copy = *copy;
                }
            }
            _ => {}
        }
        // The paper comes out at once, almost always.
        if let (Reply::Sold(ticket, ..), true) = (reply, self.dice.in_thousand(960)) {
            let order = Order::Print(*ticket, 1);
            // What fails here fails again at the next step.
            let _ = self.send(place, order, false);
        }
    }

    /// Something is going to fail.
    fn trouble(&mut self) -> Result<(), Failure> {
        let faults = Arc::clone(&self.world.faults);
        let set = |fault: &std::sync::atomic::AtomicBool| fault.store(true, Ordering::SeqCst);
        match self.dice.below(4_000) {
            0..30 => set(&faults.undo),
            30..36 => set(&faults.unknown),
            36..42 => set(&faults.holder),
            42..46 => set(&faults.holder_crash),
            46..52 => set(&faults.machine),
            52..64 => faults.crash(),
            64..68 => {
                const HOUR_MS: i64 = 3_600_000;
                let by_ms = match self.dice.below(6) {
                    0 => -self.dice.between(6_000, HOUR_MS),
                    1 => self.dice.between(24 * HOUR_MS, 60 * HOUR_MS),
                    2 => self.dice.between(-5_000, 5_000),
                    _ => self.dice.between(6_000, 2 * HOUR_MS),
                };
                self.world.clock.jump(by_ms);
                self.report.jumps += 1;
                self.model.jumped |= by_ms.abs() > 5_000;
                if self.dice.below(4) == 0 {
                    // The record fails at the very moment when the jump should go into it.
                    set(&faults.undo);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What people decide: clock, sales, draws, rules.
    fn people(&mut self) -> Result<(), Failure> {
        let central = Arc::clone(self.world.central()?);
        if self.model.halted && self.dice.in_thousand(150) {
            let _ = central.confirm_schedule("S1", "S2");
        }
        if self.model.sales_suspended && self.dice.in_thousand(150) {
            let _ = central.resume_sales("S1", "S2");
        }
        let suspended = self.draw_in(&[Stage::Suspended]);
        if let Some(draw) = suspended
            && self.dice.in_thousand(150)
        {
            if self.dice.below(2) == 0 {
                let _ = central.resume_draw(draw, "S1", "S2");
            } else {
                let _ = central.void_draw(draw, "essai", "S1", "S2");
            }
        }
        match self.dice.below(4_000) {
            0..4 => {
                let _ = central.suspend_sales("essai", "S1");
            }
            4..34 => {
                if let Some(draw) = self.draw_in(&[Stage::Closed, Stage::Drawing, Stage::Drawn]) {
                    let _ = central.suspend_draw(draw, "essai", "S1");
                }
            }
            34..50 => {
                if let Some(draw) = self.draw_in(&[Stage::Closed, Stage::Drawing, Stage::Drawn]) {
                    let _ = central.void_draw(draw, "essai", "S1", "S2");
                }
            }
            50..54 => self.publish(&central),
            _ => {}
        }
        Ok(())
    }

    fn draw_in(&self, stages: &[Stage]) -> Option<u64> {
        let mut draws = self.model.draws.iter();
        let found = draws.find(|(_, draw)| stages.contains(&draw.stage));
        found.map(|(number, _)| *number)
    }

    fn publish(&mut self, central: &keno_service::Central) {
        let version = u32::try_from(self.model.books.len() + 1).unwrap_or(u32::MAX);
        let (open, last) = (
            self.draw_in(&[Stage::Open]).unwrap_or(1),
            self.model.draws.keys().next_back().copied().unwrap_or(0),
        );
        let keeps = self.dice.below(2) == 0;
        let newest = self.model.books.values().next_back().map(|(_, book)| book);
        let book = Book::random(&mut self.dice, version, newest.filter(|_| keeps));
        let ahead = u64::try_from(self.dice.between(0, 3)).unwrap_or(0);
        let from = if keeps { open } else { last + 1 } + ahead;
        let text = book.text();
        self.model.known_books.insert(version, book);
        // Refused when it comes too early: then the version is still to be written.
        let _ = central.publish_rules(&text, from, "S1", "S2");
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
        // The watch over the clock starts anew: only a silence of a day is noticed at a start.
        self.model.jumped = false;
        self.world
            .open(EVERY_MINUTES)
            .context("the house does not open again")?;
        let central = Arc::clone(self.world.central()?);
        let last_ms = central.last_at_start_ms();
        central.check_silence(last_ms).context("the silence")?;
        drop(central);
        self.reader = Some(self.world.reader()?);
        self.look_round()?;
        self.absorb()?;
        judge::whole_memory(&self.world, &self.model)
    }

    /// Nothing fails any more: the next draw must take place, every doubt end, and the whole
    /// record hold.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn end(&mut self) -> Result<(), Failure> {
        self.settings.faults = false;
        if self.world.faults.is_crashed() {
            self.restart()?;
        }
        self.world.faults.clear();
        self.calm()?;
        self.next_draw()?;
        self.close_counters()?;
        judge::whole_memory(&self.world, &self.model)?;
        let tickets: Vec<u64> = self.model.tickets.keys().copied().collect();
        let reader = self.reader.as_mut().context("no reader")?;
        for ticket in tickets.iter().step_by(7) {
            judge::ticket(&self.world, &self.model, reader, *ticket)?;
        }
        self.verify_export()?;
        Ok(())
    }

    /// A moment of an ordinary day.
    fn moment(&mut self) -> Result<(), Failure> {
        self.world.central()?.sequencer.step();
        self.answers()?;
        self.look_round()?;
        self.absorb()?;
        judge::after_step(&self.world, &self.model)
    }

    /// People put right what they can, and the clock is right again.
    fn calm(&mut self) -> Result<(), Failure> {
        let behind = self.model.last_at_ms - self.world.now_ms();
        if behind > 0 {
            self.world.clock.advance(behind);
        }
        for _ in 0..10 {
            self.moment()?;
            self.world.clock.advance(2_500);
            let central = Arc::clone(self.world.central()?);
            if self.model.halted {
                central.confirm_schedule("S1", "S2").context("the clock")?;
            }
            central.resume_sales("S1", "S2").context("sales")?;
            while let Some(draw) = self.draw_in(&[Stage::Suspended]) {
                central.resume_draw(draw, "S1", "S2").context("a draw")?;
                self.absorb()?;
            }
        }
        Ok(())
    }

    /// Once faults have stopped the next draw completes, a period after its hour at the latest.
    fn next_draw(&mut self) -> Result<(), Failure> {
        let next = self.draw_in(&[Stage::Open]).context("no draw is on sale")?;
        let draws_at_ms = self
            .model
            .draws
            .get(&next)
            .map_or(0, |draw| draw.draws_at_ms);
        let latest_ms = draws_at_ms + i64::from(EVERY_MINUTES) * 60_000;
        while self.world.now_ms() < latest_ms {
            self.world.clock.advance(5_000);
            self.moment()?;
            let stage = self.model.draws.get(&next).map(|draw| draw.stage);
            if stage == Some(Stage::Settled) {
                return Ok(());
            }
        }
        let stage = self.model.draws.get(&next).map(|draw| draw.stage);
        Err(Failure::Wrong(format!(
            "nothing fails any more, and draw {next} is {stage:?} a period after its hour"
        )))
    }

    /// Every doubt ends, and every till is counted.
    fn close_counters(&mut self) -> Result<(), Failure> {
        for _ in 0..200 {
            self.moment()?;
            self.world.clock.advance(50);
            let mut waits = !self.flights.is_empty();
            for place in 0..self.counters.devices.len() {
                let device = self.counters.devices.get(place).context("no device")?;
                let number = device.caller.device.device;
                if device.is_busy {
                    waits = true;
                } else if device.doubt.is_some() {
                    waits = true;
                    self.resolve(place)?;
                } else if self.model.tills.values().any(|till| till.device == number) {
                    waits = true;
                    let counted = device.drawer_cents.max(0);
                    self.send(place, Order::CloseTill(counted), false)?;
                }
            }
            if !waits {
                return Ok(());
            }
        }
        Err(Failure::Wrong("a doubt does not end".to_owned()))
    }

    fn resolve(&mut self, place: usize) -> Result<(), Failure> {
        let device = self.counters.devices.get(place).context("no device")?;
        let Some(doubt) = device.doubt.clone() else {
            return Ok(());
        };
        if let Some((kind, leaf)) = self.model.keys.get(&doubt.key).copied() {
            if kind != "closed" {
                self.counters.learn(place, &doubt.order, leaf, &self.model);
            }
            self.clear_doubt(place);
            return Ok(());
        }
        let order = Order::CloseKey(doubt.key.counter, doubt.key.session);
        self.send(place, order, false)
    }

    /// The log as it is published, and the checkpoint that signs it.
    ///
    /// # Errors
    /// When it cannot be exported.
    pub fn export(&mut self) -> Result<Vec<u8>, Failure> {
        let central = Arc::clone(self.world.central()?);
        central.publish_waiting();
        let checkpoint = central.checkpoint().context("no checkpoint")?;
        let mut bytes = Vec::new();
        let reader = self.reader.as_mut().context("no reader")?;
        keno_service::maintenance::export(reader, &checkpoint, &mut bytes).context("the export")?;
        Ok(bytes)
    }

    fn verify_export(&mut self) -> Result<(), Failure> {
        let bytes = self.export()?;
        let outside = keno_audit::Outside::default();
        let outcome = keno_audit::verify(bytes.as_slice(), outside, AuditOptions::default())
            .context("the audit")?;
        if let Some(finding) = outcome.findings.first() {
            return Err(Failure::Wrong(format!("the audit: {finding:?}")));
        }
        let (tickets, told) = (self.model.tickets.len(), outcome.replay.totals().tickets);
        must(u64::try_from(tickets) == Ok(told), || {
            format!("the audit counts {told} tickets of {tickets}")
        })?;
        let reader = self.reader.as_mut().context("no reader")?;
        let anchors = self.world.anchors();
        let verified = keno_service::maintenance::verify(reader, &anchors, self.world.path())
            .context("the verification")?;
        must(verified.holds(), || {
            format!("tables: {:?}", verified.findings.first())
        })?;
        Ok(())
    }
}

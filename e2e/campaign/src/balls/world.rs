//! A house with real balls: its processes, how each is killed and comes back, and what everyone sees.

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use keno_game::{Cents, Pick, SelectionType, Slip, SlipSelection};
use keno_house_builder::{NewHouse, Pins, RULES, counters, devices, people};
use keno_record::roles::{DeviceRole, Role};
use keno_service::Central;
use keno_service::authority::identity::{Caller, DeviceCaller};
use keno_service::counter::{SellOrder, SlipOrder};
use keno_service::staff::Recognised;
use serde_json::Value;

use super::desk::{Desk, Said};
use super::machine::{Machine, Wire, balls_of};
use super::{DRAWS_MAX, Plan, Planted, Play, Played, Report};
use crate::central::Running;
use crate::chance::Chance;
use crate::clock::{Stopwatch, pass};
use crate::door::{Answer, Door};
use crate::founded::{Founded, pin_of};
use crate::hosts::Hosts;
use crate::seen::Seen;

/// What is expected comes within so long, or is a breach.
const PATIENCE: Duration = Duration::from_secs(30);
/// Between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// The house is founded so long ago: the draws that are sold for are overdue at the first start, and each
/// begins as soon as the one before it is over.
const AGO_MS: i64 = 30 * 60_000;
/// Who sells: nobody who enters.
const CLERK: &str = "C1";
/// The draw desks, and who sits at each.
const DESKS: [(u32, &str, &str); 3] = [(41, "P01", "M1"), (42, "P02", "V1"), (43, "P03", "S1")];

/// Places of [`World::desks`].
pub(super) const MARKER: usize = 0;
/// See [`MARKER`].
pub(super) const VERIFIER: usize = 1;
/// See [`MARKER`].
pub(super) const SUPERVISOR: usize = 2;

/// What is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Central,
    Machine,
    /// The agent of a desk, by its place.
    Desk(usize),
    /// A host of machine or holders, by its place.
    Host(usize),
}

impl Part {
    const fn name(self) -> &'static str {
        match self {
            Self::Central => "central",
            Self::Machine => "machine",
            Self::Desk(_) => "desk",
            Self::Host(_) => "host",
        }
    }
}

/// A house.
pub(super) struct World<'a> {
    pub(super) plan: &'a Plan,
    pub(super) founded: Founded,
    central: Option<Running>,
    address: SocketAddr,
    pub(super) machine: Machine,
    /// Seed of the machine that stands in the house.
    pub(super) seed: u64,
    pub(super) desks: Vec<Desk>,
    pub(super) watcher: Door,
    pub(super) seen: Seen,
    pub(super) chance: Chance,
    /// The draw that is played.
    pub(super) draw: u64,
    /// The balls that fall in it.
    pub(super) fell: Vec<u8>,
    pub(super) played: Vec<Played>,
    pub(super) report: Report,
    /// Where the machine stands.
    _place: keno_testing::TestFolder,
}

fn new_house() -> NewHouse {
    let mut all = counters([1]);
    all.extend(devices(
        &DESKS.map(|(number, name, _)| (number, name, DeviceRole::Desk)),
    ));
    NewHouse {
        people: people(&[
            (CLERK, &[Role::Clerk]),
            ("M1", &[Role::Marker]),
            ("V1", &[Role::Verifier]),
            ("S1", &[Role::Supervisor]),
            ("S2", &[Role::Supervisor]),
        ]),
        pins: Pins::Quick(pin_of),
        devices: all,
        rules: Some(RULES.replace("machine_draw = \"void\"", "machine_draw = \"complete\"")),
        publishers: ["X1", "X2"],
        ..NewHouse::default()
    }
}

/// Tickets for each draw that is played: every number wins or loses on one of them.
fn sell(central: &Arc<Central>) -> anyhow::Result<()> {
    let stopped = |stop| anyhow!("nothing can be sold: {stop:?}");
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let device = DeviceCaller {
        device: 1,
        role: DeviceRole::Counter,
        name: "T01".to_owned(),
    };
    let person = Recognised {
        badge: CLERK.to_owned(),
        roles: vec![Role::Clerk.number()],
        credential: None,
    };
    let opened = runtime
        .block_on(person.sign_on(central, &device))
        .map_err(stopped)?;
    let caller = Caller {
        device,
        session: opened.session,
        badge: CLERK.to_owned(),
        roles: person.roles,
    };
    runtime
        .block_on(caller.open_shift(central, 50_000))
        .map_err(stopped)?;
    for (counter, number) in (1..).zip((1..=80_u8).step_by(4)) {
        let one = |number: u8| SlipSelection {
            game: "keno".to_owned(),
            kind: SelectionType::Straight,
            pick: Pick::Numbers {
                groups: vec![vec![number]],
                kings: Vec::new(),
            },
            conditioning: Vec::new(),
            wager: Some(Cents::new(100)),
        };
        let slip = Slip {
            selections: (number..number + 4).map(one).collect(),
            draws: u16::try_from(DRAWS_MAX)?,
        };
        let order = SlipOrder {
            slip,
            first_draw: None,
        };
        let quote = order
            .quote(central)
            .map_err(|it| anyhow!("no price: {it:?}"))?;
        let total_cents = quote.priced.total.get();
        let order = SellOrder {
            counter,
            session: caller.session,
            order,
            tender: "cash".to_owned(),
            received_cents: total_cents,
            total_cents,
            intake: "slip".to_owned(),
            replay_of: None,
        };
        runtime
            .block_on(order.sell(central, &caller))
            .map_err(stopped)?;
    }
    Ok(())
}

impl<'a> World<'a> {
    /// Founds the house of a lane, and starts everything.
    ///
    /// # Errors
    /// When it cannot be founded, or something does not start.
    pub(super) fn new(plan: &'a Plan, wire: Wire, lane: u64) -> anyhow::Result<Self> {
        // Free now; where it is taken at a start the campaign ends.
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let place = keno_testing::TestFolder::new()?;
        let machine = Machine::new(&plan.machine, wire, place.path())?;
        let edit = |text: String| {
            let balls = "start_lead_ms = 100\nballs_from = \"00:00\"\nballs_until = \"23:59\"";
            text.replace("start_lead_ms = 100", balls)
                .replace("127.0.0.1:0", &address.to_string())
                + &machine.in_house()
        };
        let founded = Founded::furnished(
            plan.database,
            plan.durability,
            &plan.program,
            AGO_MS,
            (&edit, Some(&plan.machine)),
            (&new_house(), &sell),
        )?;
        let folder = founded.beside("desks");
        let desks = DESKS.iter().map(|(device, _, badge)| {
            let key = founded.keys.get(device).map_or("", String::as_str);
            let central = format!("http://{address}");
            Desk::new(&plan.terminal, &folder, &central, (*device, key), badge)
        });
        let desks = desks.collect::<anyhow::Result<_>>()?;
        let mut world = Self {
            plan,
            founded,
            central: None,
            address,
            machine,
            seed: plan.seed,
            desks,
            watcher: Door::of_anyone(address),
            seen: Seen::default(),
            chance: Chance::new(plan.seed, 5_000 + lane),
            draw: 0,
            fell: Vec::new(),
            played: Vec::new(),
            report: Report::default(),
            _place: place,
        };
        world.machine.falls(1, 0)?;
        world.machine.start(world.seed)?;
        world.start_central()?;
        for desk in &mut world.desks {
            desk.start()?;
        }
        Ok(world)
    }

    /// Plays draws, and judges what stands in the record at the end.
    ///
    /// # Errors
    /// When it cannot be played.
    pub(super) fn played(mut self, share: &[(Play, u8)]) -> anyhow::Result<Report> {
        for (play, after) in share {
            let draw = self.draw + 1;
            self.play(*play, *after)
                .with_context(|| format!("{play:?} after {after} balls, draw {draw}"))?;
            *self.report.draws.entry(*play).or_default() += 1;
            if self.is_wrong() {
                break;
            }
        }
        self.judged()?;
        Ok(self.report)
    }

    /// Whether something is wrong already: what follows from it is not looked at.
    pub(super) fn is_wrong(&self) -> bool {
        !(self.report.breaches.is_empty() && self.seen.breaches.is_empty())
    }

    /// Notes what is wrong.
    pub(super) fn wrong(&mut self, what: &str) {
        let words = format!("draw {}: {what}", self.draw);
        self.report.breaches.push(words);
    }

    fn start_central(&mut self) -> anyhow::Result<()> {
        let central = Running::start(&self.founded.program, &self.founded.data())?;
        anyhow::ensure!(central.address == self.address, "central is elsewhere");
        self.report.ready_ms.push(central.ready_after.as_millis());
        self.watcher.moved(central.address);
        self.central = Some(central);
        Ok(())
    }

    /// Kills a part, and waits until it is gone.
    pub(super) fn kill(&mut self, part: Part) {
        match part {
            Part::Central => self.central.take().into_iter().for_each(Running::kill),
            Part::Machine => self.machine.kill(),
            Part::Desk(place) => self.desks.get_mut(place).into_iter().for_each(Desk::kill),
            Part::Host(place) => {
                let _ = self.with_hosts(|hosts| {
                    hosts.kill_at(place);
                    Ok(())
                });
            }
        }
        *self.report.kills.entry(part.name()).or_default() += 1;
    }

    /// Starts it again on what it left.
    ///
    /// # Errors
    /// When it does not start.
    pub(super) fn comes_back(&mut self, part: Part) -> anyhow::Result<()> {
        match part {
            Part::Central => {
                self.start_central()?;
                self.desks
                    .iter()
                    .filter(|desk| desk.is_up())
                    .try_for_each(Desk::is_there)
            }
            Part::Machine => self.machine.start(self.seed),
            Part::Desk(place) => self.desks.get_mut(place).map_or(Ok(()), Desk::start),
            Part::Host(place) => self.with_hosts(|hosts| hosts.start_at(place)),
        }
    }

    fn with_hosts(
        &self,
        work: impl FnOnce(&mut Hosts) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let hosts = self.founded.hosts.as_ref().context("no hosts")?;
        work(&mut hosts.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How many secrets of the draw anyone is told.
    pub(super) fn told(&self) -> usize {
        let Answer::Done(draw) = self.watcher.get(&format!("/draws/{}", self.draw)) else {
            return 0;
        };
        let holders = draw["commitments"].as_array().into_iter().flatten();
        holders
            .filter(|holder| holder["secret"].is_string())
            .count()
    }

    /// Kills and starts again.
    ///
    /// # Errors
    /// When it does not start.
    pub(super) fn dies(&mut self, part: Part) -> anyhow::Result<()> {
        self.kill(part);
        self.comes_back(part)
    }

    /// The database of a record that is rolled back.
    pub(super) fn copy(&self) -> PathBuf {
        self.founded.beside("before-the-balls")
    }

    /// So many balls of the draw have fallen.
    ///
    /// # Errors
    /// As the operating system gives them.
    pub(super) fn falls(&self, count: u8) -> anyhow::Result<()> {
        self.machine.falls(self.draw, count)
    }

    /// Waits for the next draw to begin.
    ///
    /// # Errors
    /// As the operating system gives them.
    pub(super) fn begins(&mut self) -> anyhow::Result<()> {
        self.draw += 1;
        self.fell = balls_of(self.seed, self.draw);
        self.falls(0)?;
        self.until("the draw begins", |world| world.state() == "drawing");
        Ok(())
    }

    /// The state of the draw, as anyone sees it; empty when nobody answers.
    pub(super) fn state(&mut self) -> String {
        self.seen.look(&self.watcher, self.draw);
        let shown = self.seen.draws.get(&self.draw);
        shown.map_or_else(String::new, |shown| shown.state.clone())
    }

    /// Waits until something is so; that it is not so in good time is wrong, and is told with central's
    /// last notes. Nothing is waited for where something is wrong already.
    pub(super) fn until(&mut self, what: &str, mut is_so: impl FnMut(&mut Self) -> bool) {
        let since = Stopwatch::start();
        while !self.is_wrong() && !is_so(self) {
            if since.elapsed() > PATIENCE {
                let notes = self.central.as_ref().map(Running::notes);
                let notes = notes.unwrap_or_default();
                self.wrong(&format!("not within {PATIENCE:?}: {what}\n{notes}"));
            }
            pass(LOOK_EVERY);
        }
    }

    /// The balls of the draw that each one sees who looks: none that did not fall. A desk shows no draw
    /// that is official.
    pub(super) fn sights(&mut self) -> Vec<(&'static str, Vec<u8>)> {
        let draw = self.draw;
        let balls = |view: &Value| -> Vec<u8> {
            serde_json::from_value(view["balls"].clone()).unwrap_or_default()
        };
        let mut sights = Vec::new();
        if let Answer::Done(view) = self.watcher.get(&format!("/draws/{draw}")) {
            self.seen.note(&view);
            sights.push(("anyone", balls(&view)));
        }
        if let Some(board) = self.watcher.board() {
            let last = board["last"].as_array().into_iter().flatten();
            let shown = std::iter::once(&board["current"]).chain(last);
            let shown = shown.filter(|view| view["draw"]["draw"] == draw);
            sights.extend(shown.map(|view| ("the board", balls(view))));
        }
        for desk in self.desks.iter().filter(|desk| desk.is_up()) {
            if let Some(view) = desk.sees(draw) {
                sights.push((desk.badge, balls(&view["draw"])));
            }
        }
        let stray = sights.iter().find(|(_, it)| !self.fell.starts_with(it));
        if let Some((who, balls)) = stray {
            let words = format!("{who} sees {balls:?}, and {:?} fell", self.fell);
            self.wrong(&words);
        }
        sights
    }

    /// Everyone who looks comes to see just so many balls, and on the way nothing that did not fall.
    pub(super) fn all_see(&mut self, count: usize) {
        let since = Stopwatch::start();
        while !self.is_wrong() {
            let last = self.sights();
            if self.is_wrong() {
                break;
            }
            let agree = last.iter().all(|(_, balls)| balls.len() == count);
            if agree && last.len() >= 2 {
                self.report.looks += 1;
                break;
            }
            if since.elapsed() > PATIENCE {
                let words = format!("not everyone sees {count} balls: {last:?}");
                self.wrong(&words);
                break;
            }
            pass(LOOK_EVERY);
        }
        if self.plan.plant == Some(Planted::OtherBalls)
            && let Some(shown) = self.seen.draws.get_mut(&self.draw)
            && let Some(ball) = shown.balls.first_mut()
        {
            *ball = *ball % 80 + 1;
        }
    }

    /// The machine's line, as a desk shows it.
    pub(super) fn line(&self) -> Value {
        let desk = self.desks.iter().find(|desk| desk.is_up());
        let view = desk.and_then(|desk| desk.sees(self.draw));
        view.map_or(Value::Null, |view| view["line"].clone())
    }

    /// How it stands.
    pub(super) fn standing(&self) -> String {
        self.line()["standing"].as_str().unwrap_or("").to_owned()
    }

    /// What a desk shows as entered by whoever sits at it.
    pub(super) fn entered_at(&self, place: usize) -> Vec<u8> {
        let view = self.desks.get(place).and_then(|desk| desk.sees(self.draw));
        let entered = view.map(|view| view["entered"].clone());
        entered
            .and_then(|entered| serde_json::from_value(entered).ok())
            .unwrap_or_default()
    }

    /// What waits for a second person, as a desk shows it: by whom, and its number.
    pub(super) fn waiting_at(&self, place: usize) -> Option<(String, u64)> {
        let view = self.desks.get(place)?.sees(self.draw)?;
        let waiting = &view["waiting"];
        Some((
            waiting["by"].as_str()?.to_owned(),
            waiting["number"].as_u64()?,
        ))
    }

    /// Asks something at a desk.
    pub(super) fn asks(&self, place: usize, what: &str, body: &Value) -> Said {
        let desk = self.desks.get(place);
        desk.map_or(Said::Lost, |desk| desk.asks(self.draw, what, body))
    }

    /// The same, and a part is killed at some instant of it. Nobody knows then what became of it.
    ///
    /// # Errors
    /// When the part does not start again.
    pub(super) fn asks_and_dies(
        &mut self,
        place: usize,
        (what, body): (&str, &Value),
        part: Part,
    ) -> anyhow::Result<()> {
        let desk = self.desks.get(place).context("no such desk")?;
        let asked = desk.asks_apart(self.draw, what, body);
        pass(Duration::from_micros(self.chance.below(25_000)));
        self.kill(part);
        if asked.join().is_ok_and(|said| said == Said::Lost) {
            self.report.in_flight += 1;
        }
        self.comes_back(part)
    }
}

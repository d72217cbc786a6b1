//! Central killed in every state of a draw that can be caught from outside.
//!
//! The process is frozen again and again while the draw's step is near, its record is read as any
//! reader reads it, and in the state that is wanted it is killed where it stands. What it had
//! recorded is then compared with what comes of the draw after a restart.
//!
//! A draw that is announced and not yet on sale cannot be caught: announcing, committing and
//! opening are one transaction. `central/service/tests/crash.rs` kills around that commit too.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use keno_log::Event;
use keno_record::store::draws;
use keno_schema::{Connection, Database};
use keno_service::house_file::HouseFile;
use keno_testing::Durability;

use crate::central::{Running, export};
use crate::chance::Chance;
use crate::clock::{Stopwatch, now_ms, pass};
use crate::device::{Device, Doubt, Patrons, Plant};
use crate::door::{Answer, Door};
use crate::founded::{Founded, Kind, OFFICE, SHOWN_IN_MS, clerk_of};
use crate::judge::judge;
use crate::office::Office;
use crate::record::Record;
use crate::seen::Seen;
use crate::{audit, slips};

/// Counters that sell for the draw.
const COUNTERS: u32 = 4;
/// Sales are closed so long before the draw.
const CLOSED_MS: i64 = 5_000;
/// The process runs so long between two looks.
const RUNS_FOR: Duration = Duration::from_micros(400);

/// Where a draw is to be killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Place {
    /// On sale.
    Open,
    /// Closed and sealed.
    Closed,
    /// The seal is handed out, no number is recorded.
    Drawing,
    /// Numbers are recorded, none was shown.
    Recorded,
    /// Numbers are being shown.
    Shown,
    /// Official, the secrets are not published.
    Official,
    /// The secrets are published, and it is not settled.
    Revealed,
    /// Settled.
    Settled,
    /// Interrupted by people.
    Suspended,
    /// Made void by people, before the secrets are published.
    Void,
}

impl Place {
    /// Every place.
    pub const ALL: [Self; 10] = [
        Self::Open,
        Self::Closed,
        Self::Drawing,
        Self::Recorded,
        Self::Shown,
        Self::Official,
        Self::Revealed,
        Self::Settled,
        Self::Suspended,
        Self::Void,
    ];

    /// So long before it the hunt begins, counted from the draw's planned moment.
    fn hunt_from_ms(self) -> i64 {
        match self {
            Self::Open => -20_000,
            Self::Closed | Self::Suspended | Self::Void => -4_900,
            Self::Drawing | Self::Recorded => -130,
            Self::Shown => 3_000,
            Self::Official | Self::Revealed | Self::Settled => SHOWN_IN_MS - 10,
        }
    }
}

/// A run over places.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The database.
    pub database: Kind,
    /// What a private PostgreSQL syncs.
    pub durability: Durability,
    /// Seed of all choices.
    pub seed: u64,
    /// Tickets sold for the draw, of which almost all win.
    pub tickets: u64,
    /// Draws that may pass before a place counts as not caught.
    pub tries: u64,
    /// One number that was shown is noted as another.
    pub other_balls: bool,
    /// The program.
    pub program: PathBuf,
}

/// What came of one place.
#[derive(Debug)]
pub struct Caught {
    /// The place.
    pub place: Place,
    /// The draw.
    pub draw: u64,
    /// Times that the process was frozen and looked at.
    pub looks: u64,
    /// Numbers in the record when it was killed.
    pub balls_before: Vec<u8>,
    /// From exec to ready.
    pub ready_after: Duration,
    /// How the draw ended.
    pub end: String,
    /// What is wrong.
    pub breaches: Vec<String>,
}

impl Caught {
    /// The figures, for people.
    pub fn line(&self) -> String {
        format!(
            "{:<10} draw {} killed after {} looks with {} numbers recorded; ready again in {} ms; \
             {}",
            format!("{:?}", self.place).to_lowercase(),
            self.draw,
            self.looks,
            self.balls_before.len(),
            self.ready_after.as_millis(),
            self.end,
        )
    }
}

/// What the record says of a draw, read beside the process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Look {
    state: u8,
    is_revealed: bool,
    balls: Vec<u8>,
}

impl Look {
    fn is_at(&self, place: Place) -> bool {
        match place {
            Place::Open => self.state == 2,
            Place::Closed => self.state == 3,
            Place::Drawing => self.state == 4,
            Place::Recorded | Place::Shown => self.state == 5,
            Place::Official => self.state == 6 && !self.is_revealed,
            Place::Revealed => self.state == 6 && self.is_revealed,
            Place::Settled => self.state == 7,
            Place::Suspended => self.state == 8,
            Place::Void => self.state == 9,
        }
    }

    /// The place cannot be reached any more.
    fn is_past(&self, place: Place) -> bool {
        let order = |state: u8| if state >= 8 { 3 } else { state };
        let wanted = match place {
            Place::Open => 2,
            Place::Closed | Place::Suspended | Place::Void => 3,
            Place::Drawing => 4,
            Place::Recorded | Place::Shown => 5,
            Place::Official | Place::Revealed => 6,
            Place::Settled => 7,
        };
        order(self.state) > wanted
    }
}

/// A reader of the record, beside the process that writes it.
fn reader(founded: &Founded) -> anyhow::Result<Connection> {
    let text = std::fs::read_to_string(founded.data().join("house.toml"))?;
    let file = HouseFile::read(&text).map_err(|_| anyhow::anyhow!("house.toml is faulty"))?;
    let database = match Database::parse(&file.database_url) {
        Database::Sqlite(path) => Database::Sqlite(founded.data().join(path)),
        other => other,
    };
    Ok(database.open_reader()?)
}

fn look(reader: &mut Connection, number: u64) -> anyhow::Result<Look> {
    let Some((row, result, _)) = draws::full(reader, number)? else {
        return Ok(Look::default());
    };
    let holders = draws::holders(reader, number)?;
    Ok(Look {
        state: row.state,
        is_revealed: holders.iter().all(|holder| holder.secret.is_some()),
        balls: result.map(|result| result.balls).unwrap_or_default(),
    })
}

/// One house, one place.
struct Hunt<'a> {
    plan: &'a Plan,
    place: Place,
    founded: Founded,
    devices: Vec<Device>,
    office: Office,
    watcher: Door,
    seen: Seen,
    looks: u64,
}

/// Kills central in one place and judges what comes of it.
///
/// # Errors
/// When the place was not caught, or the run cannot be made.
pub fn run(plan: &Plan, place: Place) -> anyhow::Result<Caught> {
    let founded = Founded::new(plan.database, plan.durability, &plan.program, COUNTERS, 0)?;
    let nobody = std::net::SocketAddr::from(([127, 0, 0, 1], 1));
    let door = |device: u32| {
        let key = founded.keys.get(&device).map_or("", String::as_str);
        Door::of_device(nobody, device, key)
    };
    let patrons = Patrons::default();
    let actor = |number: u32| 1_000 * (place as u64 + 1) + u64::from(number);
    let devices = (1..=COUNTERS)
        .map(|number| {
            Device::new(
                number,
                clerk_of(number),
                door(number),
                Chance::new(plan.seed, actor(number)),
                Patrons::clone(&patrons),
                Doubt::Asked,
                Plant::Nothing,
            )
        })
        .collect();
    let office = Office::new(door(OFFICE), Chance::new(plan.seed, actor(OFFICE)));
    let mut hunt = Hunt {
        plan,
        place,
        devices,
        office,
        watcher: Door::of_anyone(nobody),
        seen: Seen::default(),
        looks: 0,
        founded,
    };
    hunt.run().with_context(|| format!("{place:?}"))
}

impl Hunt<'_> {
    fn run(&mut self) -> anyhow::Result<Caught> {
        let central = self.start()?;
        for device in &mut self.devices {
            device
                .sign_on()
                .map_err(|_| anyhow::anyhow!("no sign-on"))?;
        }
        if !self.office.sign_on() {
            bail!("the office cannot sign on");
        }
        let mut caught = None;
        for _ in 0..self.plan.tries {
            let draw = self.prepared()?;
            if let Some(look) = self.hunted(&central, draw)? {
                caught = Some((draw, look));
                break;
            }
        }
        central.kill();
        let Some((draw, before)) = caught else {
            bail!("not caught in {} draws", self.plan.tries);
        };
        self.judged(draw, before)
    }

    fn start(&mut self) -> anyhow::Result<Running> {
        let central = Running::start(&self.founded.program, &self.founded.data())?;
        self.watcher.moved(central.address);
        self.office.moved(central.address);
        for device in &mut self.devices {
            device.moved(central.address);
        }
        Ok(central)
    }

    /// Tickets are sold for the first draw that leaves enough time; its number.
    fn prepared(&mut self) -> anyhow::Result<u64> {
        let tickets = self.plan.tickets;
        let need_ms = CLOSED_MS + 4_000 + i64::try_from(tickets * 4).unwrap_or(0);
        let Answer::Done(next) = self.watcher.get("/draws/next") else {
            bail!("no next draw");
        };
        let at = next["draw"]["draws_at_ms"].as_i64().unwrap_or(0);
        let late = u64::from(at - now_ms() < need_ms);
        let draw = next["draw"]["draw"].as_u64().unwrap_or(1) + late;
        let share = tickets / u64::from(COUNTERS) + 1;
        std::thread::scope(|scope| {
            for device in &mut self.devices {
                scope.spawn(move || {
                    for _ in 0..share {
                        let order = slips::sure(&mut device.chance, draw);
                        if device.sell_order(order).is_err() {
                            return;
                        }
                    }
                });
            }
        });
        Ok(draw)
    }

    /// Freezes and looks until the draw is where it is wanted; then kills. None when it went by.
    fn hunted(&mut self, central: &Running, draw: u64) -> anyhow::Result<Option<Look>> {
        let Answer::Done(view) = self.watcher.get(&format!("/draws/{draw}")) else {
            bail!("draw {draw} is not shown");
        };
        let at = view["draw"]["draws_at_ms"].as_i64().unwrap_or(0);
        let begin = at + self.place.hunt_from_ms();
        while now_ms() < begin {
            pass(Duration::from_millis(
                u64::try_from(begin - now_ms()).unwrap_or(0),
            ));
        }
        self.seen.look(&self.watcher, draw);
        let mut reader = reader(&self.founded)?;
        // A step of people needs a draw that is closed.
        let step = match self.place {
            Place::Suspended => Some("suspend"),
            Place::Void => Some("void"),
            _ => None,
        };
        if let Some(step) = step {
            self.until(
                |hunt, reader| Ok(look(reader, draw)?.state == 3 || hunt.looks > 100_000),
                &mut reader,
            )?;
            self.office.step(draw, step);
        }
        let since = Stopwatch::start();
        loop {
            central.freeze();
            let found = look(&mut reader, draw)?;
            self.looks += 1;
            if found.is_at(self.place) {
                // It is killed as it stands: what it had begun stays begun.
                central.kill_now();
                return Ok(Some(found));
            }
            central.thaw();
            if found.is_past(self.place) || since.elapsed() > Duration::from_secs(90) {
                return Ok(None);
            }
            let running = Stopwatch::start();
            while running.elapsed() < RUNS_FOR {
                std::thread::yield_now();
            }
        }
    }

    fn until(
        &mut self,
        is_so: impl Fn(&Self, &mut Connection) -> anyhow::Result<bool>,
        reader: &mut Connection,
    ) -> anyhow::Result<()> {
        while !is_so(self, reader)? {
            self.looks += 1;
            pass(Duration::from_millis(5));
        }
        Ok(())
    }

    /// Central starts again: the draw ends as it must, once, with the numbers that it had.
    fn judged(&mut self, draw: u64, before: Look) -> anyhow::Result<Caught> {
        if self.plan.other_balls
            && let Some(ball) = self
                .seen
                .draws
                .get_mut(&draw)
                .and_then(|it| it.balls.first_mut())
        {
            *ball = *ball % 80 + 1;
        }
        let central = self.start()?;
        let mut breaches = Vec::new();
        if central.ready_after > Duration::from_secs(5) {
            breaches.push(format!("ready only after {:?}", central.ready_after));
        }
        self.seen.look(&self.watcher, draw);
        let state = |seen: &Seen| seen.draws.get(&draw).map_or("", |it| &it.state).to_owned();
        if self.place == Place::Suspended {
            if state(&self.seen) != "suspended" {
                breaches.push(format!("suspended, and then {}", state(&self.seen)));
            }
            self.office.step(draw, "resume");
        }
        let since = Stopwatch::start();
        while !matches!(state(&self.seen).as_str(), "settled" | "void")
            // What shows already that it is wrong need not end.
            && self.seen.breaches.is_empty()
            && since.elapsed() < Duration::from_secs(150)
        {
            pass(Duration::from_millis(50));
            self.seen.look(&self.watcher, draw);
        }
        let end = state(&self.seen);
        let expected = if self.place == Place::Void {
            "void"
        } else {
            "settled"
        };
        if end != expected {
            breaches.push(format!("draw {draw} ended as {end}, not {expected}"));
        }
        let bytes = export(
            &self.founded.program,
            &self.founded.data(),
            &self.founded.beside("export"),
        )?;
        let record = Record::read(&bytes)?;
        for device in &mut self.devices {
            breaches.append(&mut device.breaches);
        }
        breaches.append(&mut self.seen.breaches);
        let journals: Vec<_> = self.devices.iter().map(|device| &device.journal).collect();
        let judgement = judge(&record, &journals, &self.seen);
        breaches.extend(judgement.breaches);
        breaches.extend(audit::breaches(&bytes, judgement.sums)?);
        let recorded: Vec<&Vec<u8>> = record
            .facts
            .iter()
            .filter_map(|fact| match &fact.event {
                Event::BallsRecorded(body) if body.draw == draw => Some(&body.balls),
                _ => None,
            })
            .collect();
        let is_same = match (before.balls.as_slice(), recorded.as_slice()) {
            ([], []) => expected == "void",
            ([], [_]) => true,
            (balls, [one]) => one.as_slice() == balls,
            _ => false,
        };
        if !is_same {
            breaches.push(format!(
                "draw {draw} had {:?} in the record, and has {recorded:?}",
                before.balls
            ));
        }
        let ready_after = central.ready_after;
        central.kill();
        Ok(Caught {
            place: self.place,
            draw,
            looks: self.looks,
            balls_before: before.balls,
            ready_after,
            end,
            breaches,
        })
    }
}

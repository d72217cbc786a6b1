//! `settle`: a million wagers from the close of sales to prizes that a counter can look up,
//! against the same in SQL, and against nothing but reading and writing the bytes; and from the
//! commit of the last ball to the first prize that a counter has paid.
//!
//! On SQLite the SQL is as anyone would write it, numbers as rows; on PostgreSQL it is the best that
//! is known, numbers as masks.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use keno_game::DrawState;
use keno_record::clock::{Clock, ManualClock};
use keno_record::paper_code::Shown;
use keno_record::past_draws::draw_range;
use keno_record::ticket::Ticket;
use keno_schema::Database;
use keno_service::Central;
use keno_service::authority::identity::Caller;
use keno_service::counter::{Paper, PayOrder, TicketPicture};
use keno_service::draw::Draw;
use keno_testing::{Durability, PrivatePostgres};
use tokio::runtime::Runtime;

use crate::clock::{ms, timed};
use crate::cpu::{Others, Watch};
use crate::disk::must_be_a_disk;
use crate::figure::{Figure, Limits};
use crate::house::{Terminal, furnish, noon, open, stopped};
use crate::naive::{Join, Naive};
use crate::postgres::postmaster;
use crate::ranks::median;
use crate::wagers::{QUESTIONS, Wager, open_draw, questions, sell, sign_on, wagers};
use crate::winners;
use crate::winners::{Winners, must_be_equal};

/// Plain SQL by the house.
pub const BY_SQL: Limits = Limits::at_least(20.0, 30.0);
/// SQL on masks by the house, both on PostgreSQL.
pub const BY_MASKS: Limits = Limits::at_least(2.0, 5.0);
/// The house by reading and writing the bytes.
pub const BY_RAW: Limits = Limits::at_most(12.0, 5.0);
/// From the last ball to the first prize paid, by half a second.
pub const TO_PAYABLE: Limits = Limits::at_most(1.0, 0.2);
const HALF_A_SECOND: f64 = 0.5;
/// The largest prize that is paid, in cents: what one person pays at any counter.
const PAID_MAX_CENTS: i64 = 5_000;

/// Bytes of a wager in memory.
const WAGER_BYTES: usize = 24;
/// Bytes of a prize in a packed list: ticket, computed, payable. The house writes none.
const PRIZE_BYTES: usize = 24;

/// A house whose draws are settled by hand.
#[derive(Debug)]
pub struct Settled {
    /// The house.
    pub central: Arc<Central>,
    /// Its clock.
    pub clock: Arc<ManualClock>,
    /// Who sells.
    pub caller: Caller,
    /// Terminals besides the one that wagers are sold at.
    pub terminals: Vec<Terminal>,
    /// What is sold for every draw.
    pub wagers: Vec<Wager>,
    runtime: Runtime,
    draw: u64,
}

/// How long the parts of a settlement took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Parts {
    /// The close of sales, which is the seal.
    pub seal: Duration,
    /// From the seal to the numbers in the record, with two holders and a machine.
    pub balls: Duration,
    /// Certified, secrets published.
    pub official: Duration,
    /// Prizes computed, and the settling leaf.
    pub settled: Duration,
    /// Questions for the prize of a ticket, all over the draw.
    pub asked: Duration,
    /// What those came to, in cents.
    pub told: i64,
    /// From the paper of a winning ticket to the commit of its payment.
    pub paid: Duration,
}

impl Parts {
    /// From the close of sales to the prizes that were asked for.
    pub fn total(&self) -> Duration {
        self.seal + self.balls + self.official + self.settled + self.asked
    }

    /// From the commit of the numbers to that of the first payment.
    pub fn to_payable(&self) -> Duration {
        self.official + self.settled + self.paid
    }
}

impl Settled {
    /// Founds a house, with its record where [`crate::house::house_text`] says; `count` wagers are
    /// sold for each draw.
    ///
    /// # Errors
    /// When anything is refused.
    pub fn new(
        folder: &Path,
        database: Option<&str>,
        count: usize,
        terminals: u32,
    ) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let clock = noon();
        let central = open(folder, database, Arc::clone(&clock) as Arc<dyn Clock>)?;
        let mut devices = furnish(&central, terminals + 1)?;
        devices.truncate(usize::try_from(terminals)?);
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        let caller = runtime.block_on(sign_on(&central, terminals + 1))?;
        Ok(Self {
            central,
            clock,
            caller,
            terminals: devices,
            wagers: wagers(count, 0x7365_7474)?,
            runtime,
            draw: 0,
        })
    }

    /// Opens a draw.
    ///
    /// # Errors
    /// When it is refused.
    pub fn open(&self, draw: u64) -> anyhow::Result<()> {
        open_draw(&self.central, draw, self.clock.now_ms())
    }

    /// Opens the next draw and sells every wager for it. Returns the draw and its first ticket.
    ///
    /// # Errors
    /// When a sale is refused.
    pub fn sell_next(&mut self) -> anyhow::Result<(u64, u64)> {
        self.draw += 1;
        self.open(self.draw)?;
        let first =
            self.runtime
                .block_on(sell(&self.central, &self.caller, self.draw, &self.wagers))?;
        Ok((self.draw, first))
    }

    /// Takes a draw from the close of sales to a prize that was read at a counter.
    ///
    /// # Errors
    /// When a step is refused.
    pub fn settle(&self, draw: u64, first: u64) -> anyhow::Result<Parts> {
        let central = &self.central;
        let (seal, done) = timed(|| Draw(draw).close(central));
        done.map_err(stopped)?;
        let (balls, done) = timed(|| {
            Draw(draw).start(central)?;
            Draw(draw).record_balls(central)
        });
        done.map_err(stopped)?;
        let (official, done) = timed(|| {
            Draw(draw).certify(central, vec!["guard".to_owned()])?;
            Draw(draw).reveal_secrets(central)
        });
        done.map_err(stopped)?;
        let (settled, done) = timed(|| Draw(draw).settle(central));
        done.map_err(stopped)?;
        let winner = self.small_winner(draw, first)?;
        let (paid, done) = timed(|| self.pay(draw, winner));
        done?;
        let (asked, told) = timed(|| self.asked(draw, first));
        Ok(Parts {
            seal,
            balls,
            official,
            settled,
            asked,
            told: told?,
            paid,
        })
    }

    /// A ticket of a settled draw with a prize that one person pays.
    fn small_winner(&self, draw: u64, first: u64) -> anyhow::Result<u64> {
        let mut reader = self.central.readers.get()?;
        let draws = draw_range(&self.central, draw, draw)?;
        let settled = draws.first().and_then(|draw| draw.settled());
        let settled = settled.context("the draw is not settled")?;
        let view = self.central.view.get();
        for place in questions(self.wagers.len()) {
            let ticket = Ticket::read(&mut reader, first + place)?.context("no such ticket")?;
            let rules = view
                .rule_books
                .get(&ticket.sale.rule_book)
                .context("no rules")?;
            let prize = ticket.prize(&rules.rules, settled)?;
            let cents = prize.map_or(0, |prize| prize.payable.get());
            if (1..=PAID_MAX_CENTS).contains(&cents) {
                return Ok(ticket.number);
            }
        }
        bail!("no ticket has a small prize")
    }

    /// Pays a prize as a counter does: the paper is shown, what it won is told, and is paid.
    fn pay(&self, draw: u64, ticket: u64) -> anyhow::Result<()> {
        let central = &self.central;
        let number = Paper::control_number(central, ticket);
        let sale = {
            let mut reader = central.readers.get()?;
            Ticket::read(&mut reader, ticket)?.context("no such ticket")?
        };
        let code = Paper::whole_code(central, sale.sale.secret_key, &number, 1);
        let code = Shown::Whole(code.context("no claim key")?);
        let paper = Paper::shown(central, number, &code);
        let row = paper.find(central)?.context("the paper names no ticket")?;
        let picture = TicketPicture::of(central, row)?;
        let owed = picture
            .payable()
            .map(|one| (one.draw.number(), one.payable_cents));
        let order = PayOrder {
            // Far from those of its sales.
            counter: draw << 32 | 1 << 31,
            session: self.caller.session,
            paper: paper.into(),
            items: owed.collect(),
            second: None,
        };
        let paid = self.runtime.block_on(order.pay(central, &self.caller));
        ensure!(
            paid.map_err(stopped)?.event.ticket == ticket,
            "another ticket was paid"
        );
        Ok(())
    }

    /// The prizes of tickets all over a settled draw, each asked for by itself, in cents.
    fn asked(&self, draw: u64, first: u64) -> anyhow::Result<i64> {
        let mut reader = self.central.readers.get()?;
        let draws = draw_range(&self.central, draw, draw)?;
        let settled = draws.first().and_then(|draw| draw.settled());
        let settled = settled.context("the draw is not settled")?;
        let view = self.central.view.get();
        let mut sum = 0;
        for place in questions(self.wagers.len()) {
            let ticket = Ticket::read(&mut reader, first + place)?.context("no such ticket")?;
            let rules = view
                .rule_books
                .get(&ticket.sale.rule_book)
                .context("no rules")?;
            let prize = ticket.prize(&rules.rules, settled)?;
            sum += prize.map_or(0, |prize| prize.payable.get());
        }
        Ok(sum)
    }

    /// The numbers of a draw that is settled.
    ///
    /// # Errors
    /// When it is not.
    pub fn balls(&self, draw: u64) -> anyhow::Result<Vec<u8>> {
        let draws = draw_range(&self.central, draw, draw)?;
        let drawn = draws.first().context("the draw is not there")?;
        ensure!(
            drawn.state() == DrawState::Settled,
            "draw {draw} is not settled"
        );
        Ok(drawn.shown(i64::MAX, 1).to_vec())
    }

    /// Who won, by the settling leaf.
    ///
    /// # Errors
    /// When the draw is not settled.
    pub fn winners(&self, draw: u64) -> anyhow::Result<Winners> {
        let draws = draw_range(&self.central, draw, draw)?;
        let leaf = draws.first().and_then(|draw| draw.settlement());
        winners::settled(leaf.context("the draw is not settled")?)
    }
}

/// Reads the bytes of the wagers, writes the bytes of the prizes, and syncs them.
fn raw(folder: &Path, wagers: usize, prizes: usize) -> anyhow::Result<Duration> {
    let source = folder.join("raw-wagers");
    if !source.exists() {
        let mut file = File::create(&source)?;
        file.write_all(&vec![0x5a; wagers * WAGER_BYTES])?;
        file.sync_all()?;
    }
    let out = vec![0xa5_u8; prizes * PRIZE_BYTES];
    let target = folder.join("raw-prizes");
    let mut file = OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(true)
        .open(&target)?;
    let mut bytes = Vec::with_capacity(wagers * WAGER_BYTES);
    let (took, done) = timed(|| -> std::io::Result<()> {
        File::open(&source)?.read_to_end(&mut bytes)?;
        file.write_all(&out)?;
        file.sync_data()
    });
    done?;
    ensure!(
        bytes.len() == wagers * WAGER_BYTES,
        "the wagers were cut short"
    );
    std::fs::remove_file(&target)?;
    Ok(took)
}

/// Settles one draw by the house and by SQL and compares them, without timing either; then does
/// it again with the faulty join, which must differ.
///
/// # Errors
/// When the two differ, or the faulty join is not noticed.
pub fn prove(house: &mut Settled, naive: &mut Naive) -> anyhow::Result<(Winners, u64)> {
    let (draw, first) = house.sell_next()?;
    let told = house.settle(draw, first)?.told;
    let ours = house.winners(draw)?;
    let balls = house.balls(draw)?;
    naive.settle(draw, &balls, Join::Left)?;
    let theirs = winners::read(naive.connection(), draw, first)?;
    must_be_equal(&ours, &theirs)?;
    ensure!(
        naive.asked(draw, house.wagers.len())? == told,
        "the tickets that are asked about are told other prizes"
    );
    // The same under another number, without those who caught nothing.
    let faulty = draw + 1_000_000;
    naive.settle(faulty, &balls, Join::Inner)?;
    let fewer = winners::read(naive.connection(), faulty, first)?;
    ensure!(
        must_be_equal(&ours, &fewer).is_err(),
        "a join that loses the winners of zero catches was not noticed"
    );
    Ok((ours, first))
}

/// What the rounds of a settlement came to.
struct Rounds {
    by_sql: Vec<f64>,
    by_raw: Vec<f64>,
    to_payable: Vec<f64>,
    context: String,
    others: Others,
}

impl Rounds {
    fn figure(&self, what: &str, ratios: &[f64], limits: Limits) -> Figure {
        Figure {
            command: "settle",
            what: what.to_owned(),
            ratios: ratios.to_vec(),
            context: self.context.clone(),
            limits: Some(limits),
            others: self.others,
        }
    }
}

/// Settles draw after draw by the house and by SQL, in turn, and reads and writes the bytes.
fn rounds(
    folder: &Path,
    house: &mut Settled,
    naive: &mut Naive,
    rounds: usize,
    family: Option<u32>,
) -> anyhow::Result<Rounds> {
    prove(house, naive)?;
    let wagers = house.wagers.len();
    let (mut by_sql, mut by_raw, mut to_payable) = (Vec::new(), Vec::new(), Vec::new());
    let mut values: [Vec<f64>; 9] = Default::default();
    let mut others = Vec::new();
    let mut count = 0;
    for _ in 0..rounds {
        // The sale of the wagers is a preparation: what others do meanwhile does not matter.
        let (draw, first) = house.sell_next()?;
        let watch = Watch::start_with(&[], family)?;
        let parts = house.settle(draw, first)?;
        let balls = house.balls(draw)?;
        let (sql, found) = timed(|| {
            let found = naive.settle(draw, &balls, Join::Left)?;
            anyhow::Ok((found, naive.asked(draw, wagers)?))
        });
        let (found, told) = found?;
        ensure!(told == parts.told, "the two arms tell other prizes");
        let found = usize::try_from(found)?;
        let raw = raw(folder, wagers, found)?;
        others.push(watch.others()?);
        let ours = house.winners(draw)?;
        must_be_equal(&ours, &winners::read(naive.connection(), draw, first)?)?;
        count = ours.count;
        by_sql.push(sql.as_secs_f64() / parts.total().as_secs_f64());
        by_raw.push(parts.total().as_secs_f64() / raw.as_secs_f64());
        to_payable.push(parts.to_payable().as_secs_f64() / HALF_A_SECOND);
        for (list, value) in values.iter_mut().zip([
            parts.total(),
            parts.seal,
            parts.balls,
            parts.official,
            parts.settled,
            parts.asked,
            parts.to_payable(),
            sql,
            raw,
        ]) {
            list.push(ms(value));
        }
    }
    let [
        total,
        seal,
        balls,
        official,
        settled,
        asked,
        payable,
        sql,
        raw,
    ] = values.map(|list| median(&list));
    let context = format!(
        "{wagers} wagers, {count} winning tickets; the house {total:.0} ms (seal {seal:.1}, \
         numbers {balls:.1}, official {official:.1}, settled {settled:.0}, {QUESTIONS} prizes \
         asked for {asked:.1}), SQL {sql:.0} ms, raw {raw:.0} ms; from the numbers to a payment \
         {payable:.1} ms"
    );
    Ok(Rounds {
        by_sql,
        by_raw,
        to_payable,
        context,
        others: crate::cpu::median(&others),
    })
}

/// Measures.
///
/// # Errors
/// When the arms are not equal, or anything fails.
pub fn measure(folder: &Path, wagers: usize, count: usize) -> anyhow::Result<Vec<Figure>> {
    let mut house = Settled::new(&folder.join("settle"), None, wagers, 0)?;
    let file = Database::Sqlite(folder.join("naive.sqlite"));
    let mut naive = Naive::load(&file, &house.wagers)?;
    let done = rounds(folder, &mut house, &mut naive, count, None)?;
    let sql = "settlement of all wagers in plain SQL by the house, end to end";
    let raw = "settlement by the house, end to end, by reading and writing its bytes";
    let pay = "from the commit of the last ball to that of the first payment, by half a second";
    Ok(vec![
        done.figure(sql, &done.by_sql, BY_SQL),
        done.figure(raw, &done.by_raw, BY_RAW),
        done.figure(pay, &done.to_payable, TO_PAYABLE),
    ])
}

/// Measures on a private PostgreSQL that syncs what it commits.
///
/// # Errors
/// When there is none, the arms are not equal, or anything fails.
pub fn measure_postgres(folder: &Path, wagers: usize, count: usize) -> anyhow::Result<Vec<Figure>> {
    let postgres = PrivatePostgres::start(Durability::Synced)?;
    let server = postgres.server();
    must_be_a_disk(server.socket_folder())?;
    let (own, plain) = (server.empty_database()?, server.empty_database()?);
    let mut house = Settled::new(&folder.join("settle"), Some(own.address()), wagers, 0)?;
    let mut naive = Naive::load(&Database::parse(plain.address()), &house.wagers)?;
    let family = Some(postmaster(server, plain.name())?);
    let done = rounds(folder, &mut house, &mut naive, count, family)?;
    let sql = "settlement of all wagers in SQL on masks by the house, end to end, on PostgreSQL";
    let pay = "from the commit of the last ball to that of the first payment, by half a second, on \
               PostgreSQL";
    Ok(vec![
        done.figure(sql, &done.by_sql, BY_MASKS),
        done.figure(pay, &done.to_payable, TO_PAYABLE),
    ])
}

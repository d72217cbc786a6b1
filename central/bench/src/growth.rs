//! `growth`: what a long history costs. The same house with few tickets behind it and with many:
//! sales, look-ups of old tickets, `verify`, `backup`, and a start after a kill.
//!
//! The long history begins with the short one, leaf for leaf, which is compared; so are the answers
//! about the tickets that both have, and what is sold in both before anything is timed.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, ensure};
use keno_log::event::TicketSold;
use keno_log::{CommandKey, Event};
use keno_record::clock::{Clock, SystemClock};
use keno_record::keys::ServerKeys;
use keno_record::record::keys_path;
use keno_record::store::log;
use keno_schema::Database;
use keno_service::maintenance::{BackupOrder, verify};
use serde_json::Value;

use crate::client::{Constant, Load, Until};
use crate::clock::{ms, now, timed};
use crate::cpu::Watch;
use crate::figure::{Figure, Limits};
use crate::house::{Founded, Way, house_file};
use crate::past::{DRAW_TICKETS, Past};
use crate::process::{MEGABYTE, Ran, megabytes, memory, run};
use crate::ranks::{median, percentile};
use crate::sales::{Arm, must_be_equal};
use crate::till::LookUps;

/// Sales a second with a long history by those with a short one.
pub const SALES: Limits = Limits::at_least(0.8, 0.95);
/// The median of a look-up of an old ticket with a long history by that with a short one.
pub const LOOK_UP: Limits = Limits::at_most(1.5, 1.2);
/// What a leaf costs `verify` or `backup` in a long history by what it costs in a short one.
pub const EACH_LEAF: Limits = Limits::at_most(1.5, 1.2);
/// `verify` or `backup` of so long a history that its time is judged by itself, by five minutes.
pub const WHOLE: Limits = Limits::at_most(1.0, 0.4).after(1);
/// Start after a kill of so long a history, by one second.
pub const START: Limits = Limits::at_most(1.5, 0.5);
/// From so many tickets on.
pub const WHOLE_TICKETS: u64 = 10_000_000;
const FIVE_MINUTES: f64 = 300.0;

/// The size of a measurement.
#[derive(Debug, Clone)]
pub struct Size {
    /// Tickets of the short history.
    pub short: u64,
    /// Tickets of the long one.
    pub long: u64,
    /// Tickets of a past draw.
    pub draw_tickets: u64,
    /// The last tickets of the long history that are sold at one till, which stays open.
    pub till_open: u64,
    /// Terminals that sell.
    pub terminals: u32,
    /// Connections that look up.
    pub askers: usize,
    /// Old tickets that are looked up, evenly from all of them: their draws have left memory.
    pub codes: u64,
    /// Sales of each terminal before anything is timed, which are compared.
    pub compared: usize,
    /// Rounds of sales, of look-ups and of starts.
    pub rounds: usize,
    /// Rounds of `verify` and `backup`.
    pub wholes: usize,
    /// Length of a round.
    pub round: Duration,
}

impl Size {
    /// What is published. A history above a million tickets is verified and backed up once.
    pub fn full((short, long): (u64, u64), till_open: u64, rounds: usize) -> Self {
        Self {
            short,
            long,
            draw_tickets: DRAW_TICKETS,
            till_open,
            terminals: 64,
            askers: 4,
            codes: 20_000,
            compared: 50,
            rounds,
            wholes: if long > 1_000_000 { 1 } else { rounds },
            round: Duration::from_millis(1_000),
        }
    }
}

/// A house with its past, served.
#[derive(Debug)]
pub struct Side {
    /// What is behind it.
    pub past: Past,
    /// Leaves before anything was sold here.
    pub leaves: u64,
    /// The server with its terminals.
    pub arm: Arm,
    /// Codes of tickets behind it.
    pub codes: Vec<String>,
}

/// Both histories, in folders of their own; the long one begins with the short one.
///
/// # Errors
/// When a history is refused, or the long one begins otherwise.
pub fn pasts(folder: &Path, size: &Size) -> anyhow::Result<[Past; 2]> {
    ensure!(size.short < size.long, "the long history is not longer");
    let draws = size.long.div_ceil(size.draw_tickets) + 1;
    let mut short = Past::found(&folder.join("short"), size.terminals, draws)?;
    short.go_on(size.short, size.draw_tickets, 0)?;
    let mut long = short.copied(&folder.join("long"))?;
    let further = size.long - size.short;
    long.go_on(further, size.draw_tickets, size.till_open)?;
    must_begin(&long, &short)?;
    Ok([short, long])
}

/// Whether a history begins with another, leaf for leaf.
///
/// # Errors
/// When it does not, or cannot be read.
pub fn must_begin(long: &Past, short: &Past) -> anyhow::Result<()> {
    let (_, leaves) = short.root_of(0)?;
    ensure!(
        short.root_of(leaves)?.0 == long.root_of(leaves)?.0,
        "the long history does not begin with the short one"
    );
    Ok(())
}

/// Judges the record of a house, as a process where there is a program.
fn verified(way: &Way, past: &Past) -> anyhow::Result<Ran> {
    let folder = past.folder.as_path();
    match way {
        Way::Program(program) => run(
            program,
            &["verify".as_ref(), "--data".as_ref(), folder.as_os_str()],
        ),
        Way::Here => {
            let mut reader = Database::Sqlite(folder.join("keno.sqlite")).open_reader()?;
            let anchors = [folder.join("anchors.log")];
            let (took, judged) = timed(|| verify(&mut reader, &anchors, folder));
            let findings = judged?.findings;
            ensure!(findings.is_empty(), "{findings:?}");
            Ok(Ran { took, peak: None })
        }
    }
}

/// Backs the record of a house up into a folder that is removed again.
fn backed_up(way: &Way, past: &Past) -> anyhow::Result<Ran> {
    let folder = past.folder.as_path();
    let to = folder.with_extension("backups");
    let ran = match way {
        Way::Program(program) => {
            let words: [&OsStr; 5] = [
                "backup".as_ref(),
                "--data".as_ref(),
                folder.as_os_str(),
                "--to".as_ref(),
                to.as_os_str(),
            ];
            run(program, &words)?
        }
        Way::Here => {
            let order = BackupOrder {
                house: &house_file(folder)?,
                database: &Database::Sqlite(folder.join("keno.sqlite")),
                anchors: &[folder.join("anchors.log")],
                keys: &ServerKeys::load(&keys_path(folder))?,
                to: &to,
                now_ms: SystemClock::new().now_ms(),
            };
            let (took, made) = timed(|| order.write());
            made?;
            Ran { took, peak: None }
        }
    };
    std::fs::remove_dir_all(&to)?;
    Ok(ran)
}

fn peaks(all: &[Ran]) -> String {
    let most = all.iter().filter_map(|ran| ran.peak).max();
    most.map_or_else(String::new, |bytes| {
        format!(", at most {:.0} MB", megabytes(bytes))
    })
}

/// `verify` or `backup` of both, in turn, and what a leaf costs each of them.
fn whole(
    name: &str,
    pasts: &[Past; 2],
    size: &Size,
    work: &dyn Fn(&Past) -> anyhow::Result<Ran>,
) -> anyhow::Result<Vec<Figure>> {
    let [short, long] = pasts;
    let leaves = [short.root_of(0)?.1, long.root_of(0)?.1];
    let watch = Watch::start(&[])?;
    let (mut few, mut many, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..size.wholes {
        let (one, other) = (work(short)?, work(long)?);
        #[expect(clippy::cast_precision_loss, reason = "a count of leaves")]
        let each = |ran: &Ran, leaves: u64| ran.took.as_secs_f64() / leaves as f64;
        ratios.push(each(&other, leaves[1]) / each(&one, leaves[0]));
        few.push(one);
        many.push(other);
    }
    let others = watch.others()?;
    let seconds =
        |all: &[Ran]| -> Vec<f64> { all.iter().map(|ran| ran.took.as_secs_f64()).collect() };
    let context = format!(
        "{} leaves {:.2} s{}; {} leaves {:.2} s{}",
        leaves[0],
        median(&seconds(&few)),
        peaks(&few),
        leaves[1],
        median(&seconds(&many)),
        peaks(&many)
    );
    let mut figures = vec![Figure {
        command: "growth",
        what: format!("time a leaf of `{name}`, long history by short"),
        ratios,
        context: context.clone(),
        limits: Some(EACH_LEAF.after(size.wholes)),
        others,
    }];
    if size.long >= WHOLE_TICKETS {
        let by_five = seconds(&many)
            .iter()
            .map(|one| one / FIVE_MINUTES)
            .collect();
        figures.push(Figure {
            command: "growth",
            what: format!("`{name}` of the long history by five minutes"),
            ratios: by_five,
            context,
            limits: Some(WHOLE),
            others,
        });
    }
    Ok(figures)
}

/// Serves both houses, with draws on sale.
///
/// # Errors
/// When one does not open or refuses a terminal.
pub fn serve(way: &Way, pasts: [Past; 2], codes: u64) -> anyhow::Result<[Side; 2]> {
    let [short, long] = pasts.map(|past| -> anyhow::Result<Side> {
        let (draw, codes) = past.put_on_sale(codes)?;
        let (_, leaves) = past.root_of(0)?;
        let house = Founded {
            terminals: past.terminals.clone(),
            draw,
        };
        let arm = Arm::open(way, &past.folder, &house, None)?;
        Ok(Side {
            past,
            leaves,
            arm,
            codes,
        })
    });
    Ok([short?, long?])
}

impl Side {
    /// What is answered about these tickets.
    ///
    /// # Errors
    /// When another ticket is found, or none.
    pub fn answers(&self, codes: &[String]) -> anyhow::Result<Vec<Value>> {
        let person = self.arm.tills.first().context("no terminal")?;
        let mut asked = [LookUps::checked(person, codes)];
        asked[0].kept = Some(Vec::new());
        Load::open(self.arm.server.address(), 1)?.run(&mut asked, Until::Each(codes.len()))?;
        let [asked] = asked;
        Ok(asked.kept.unwrap_or_default())
    }

    /// What was sold here since it is served: each sale without what names its session and its
    /// draw, and how often it stands there.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn sold(&self) -> anyhow::Result<BTreeMap<Vec<u8>, usize>> {
        let database = Database::Sqlite(self.past.folder.join("keno.sqlite"));
        let mut reader = database.open_reader()?;
        let (mut first, mut sold) = (self.leaves, BTreeMap::new());
        loop {
            let rows = log::entries(&mut reader, first, 10_000)?;
            let Some(last) = rows.last() else {
                return Ok(sold);
            };
            first = last.leaf_index + 1;
            for row in &rows {
                let (entry, _) = log::checked_entry(row)?;
                if let Event::TicketSold(sale) = entry.event()? {
                    *sold.entry(played(sale)).or_insert(0) += 1;
                }
            }
        }
    }

    /// The old tickets looked up, by connections that each begin elsewhere.
    fn look_ups(&self, askers: usize) -> anyhow::Result<(Load, Vec<LookUps>)> {
        let person = self.arm.tills.first().context("no terminal")?;
        let all = (0..askers).map(|at| {
            let (before, after) = self.codes.split_at(self.codes.len() * at / askers);
            let turned: Vec<String> = after.iter().chain(before).cloned().collect();
            LookUps::of(person, &turned)
        });
        let load = Load::open(self.arm.server.address(), askers)?;
        Ok((load, all.collect()))
    }

    /// Kills the server while its terminals are signed on and serves the house again. Gives the
    /// time until it said that it is sound, and the most memory that it held until then.
    fn restart(&mut self, way: &Way) -> anyhow::Result<(Duration, Option<u64>)> {
        self.arm.server.kill()?;
        let start = now();
        self.arm.server = way.serve(&self.past.folder, None)?;
        let mut sound = [Constant::get("/healthz", 200)];
        Load::open(self.arm.server.address(), 1)?.run(&mut sound, Until::Each(1))?;
        let took = start.elapsed();
        self.arm.load = Load::open(self.arm.server.address(), self.arm.tills.len())?;
        let held = self.arm.server.process().map(memory).transpose()?;
        Ok((took, held.map(|held| held.peak)))
    }
}

/// A sale as its player sees it.
fn played(sale: TicketSold) -> Vec<u8> {
    let key = CommandKey {
        session: 0,
        ..sale.key
    };
    Event::from(TicketSold {
        key,
        content_hash: [0; 32],
        first_draw: 0,
        last_draw: sale.last_draw - sale.first_draw,
        claim_by: 0,
        shift: 0,
        ..sale
    })
    .encode()
}

/// Sells in both and compares what was sold; asks both about tickets that both have.
///
/// # Errors
/// When they differ.
pub fn prove([short, long]: &mut [Side; 2], compared: usize) -> anyhow::Result<()> {
    let shared: Vec<String> = short.codes.iter().take(500).cloned().collect();
    must_answer_alike(
        &short.answers(&shared)?,
        &long.answers(&shared)?,
        shared.len(),
    )?;
    for side in [&mut *short, &mut *long] {
        side.arm.sell(Until::Each(compared))?;
    }
    must_be_equal(&short.sold()?, &long.sold()?, short.arm.sold)
}

/// Whether two houses say the same about as many tickets as they were asked about.
///
/// # Errors
/// At the first about which they do not.
pub fn must_answer_alike(one: &[Value], other: &[Value], asked: usize) -> anyhow::Result<()> {
    ensure!(
        one.len() == asked && other.len() == asked,
        "of {asked} tickets {} and {} were answered about",
        one.len(),
        other.len()
    );
    for (one, other) in one.iter().zip(other) {
        ensure!(
            one == other,
            "the two houses do not say the same about a ticket: {one} and {other}"
        );
    }
    Ok(())
}

fn sales(sides: &mut [Side; 2], size: &Size, told: &str) -> anyhow::Result<Figure> {
    let watch = Watch::start(&servers(sides))?;
    let [short, long] = sides;
    let mut ratios = Vec::new();
    let mut values: [Vec<f64>; 4] = Default::default();
    for round in 0..size.rounds {
        let until = Until::Passed(size.round);
        let (few, many) = if round % 2 == 0 {
            let few = short.arm.sell(until)?;
            (few, long.arm.sell(until)?)
        } else {
            let many = long.arm.sell(until)?;
            (short.arm.sell(until)?, many)
        };
        ratios.push(many.rate() / few.rate());
        let p99 =
            |round: &crate::client::Round| ms(percentile(&mut round.times(0..usize::MAX), 0.99));
        for (list, value) in values
            .iter_mut()
            .zip([few.rate(), p99(&few), many.rate(), p99(&many)])
        {
            list.push(value);
        }
    }
    let others = watch.others()?;
    let [few, few_p99, many, many_p99] = values.map(|list| median(&list));
    Ok(Figure {
        command: "growth",
        what: "durable sales/s over HTTP, long history by short".to_owned(),
        ratios,
        context: format!(
            "{} terminals; {} tickets {few:.0} sales/s, p99 {few_p99:.1} ms; {} tickets {many:.0} \
             sales/s, p99 {many_p99:.1} ms; {told}",
            size.terminals, size.short, size.long
        ),
        limits: Some(SALES),
        others,
    })
}

fn look_ups(sides: &[Side; 2], size: &Size) -> anyhow::Result<Figure> {
    let [short, long] = sides;
    let mut few = short.look_ups(size.askers)?;
    let mut many = long.look_ups(size.askers)?;
    // What each paper knows is held against the log after its first answer, once a checkpoint: of
    // those a long history has more.
    for (side, (load, ups)) in [(short, &mut few), (long, &mut many)] {
        load.run(ups, Until::Each(side.codes.len().div_ceil(size.askers)))?;
    }
    let watch = Watch::start(&servers(sides))?;
    let mut ratios = Vec::new();
    let mut values: [Vec<f64>; 4] = Default::default();
    for round in 0..size.rounds {
        let ask = |(load, ups): &mut (Load, Vec<LookUps>)| -> std::io::Result<Vec<Duration>> {
            Ok(load
                .run(ups, Until::Passed(size.round))?
                .times(0..usize::MAX))
        };
        let (mut one, mut other) = if round % 2 == 0 {
            let one = ask(&mut few)?;
            (one, ask(&mut many)?)
        } else {
            let other = ask(&mut many)?;
            (ask(&mut few)?, other)
        };
        let (one_p50, other_p50) = (percentile(&mut one, 0.5), percentile(&mut other, 0.5));
        ratios.push(other_p50.as_secs_f64() / one_p50.as_secs_f64());
        for (list, value) in values.iter_mut().zip([
            ms(one_p50),
            ms(percentile(&mut one, 0.99)),
            ms(other_p50),
            ms(percentile(&mut other, 0.99)),
        ]) {
            list.push(value * 1_000.0);
        }
    }
    let others = watch.others()?;
    let [few_p50, few_p99, many_p50, many_p99] = values.map(|list| median(&list));
    Ok(Figure {
        command: "growth",
        what: "look-up p50 of an old ticket by its code, long history by short".to_owned(),
        ratios,
        context: format!(
            "{} connections; {} tickets p50 {few_p50:.0} us, p99 {few_p99:.0} us; {} tickets p50 \
             {many_p50:.0} us, p99 {many_p99:.0} us",
            size.askers, size.short, size.long
        ),
        limits: Some(LOOK_UP),
        others,
    })
}

fn starts(way: &Way, sides: &mut [Side; 2], size: &Size) -> anyhow::Result<Vec<Figure>> {
    let mut watch = Watch::start(&servers(sides))?;
    let (mut ratios, mut times) = (Vec::new(), [Vec::new(), Vec::new()]);
    let mut peaks = [0_u64; 2];
    for _ in 0..size.rounds {
        for (at, side) in sides.iter_mut().enumerate() {
            side.arm.sell(Until::Passed(size.round / 4))?;
            let (took, peak) = side.restart(way)?;
            times[at].push(ms(took));
            peaks[at] = peaks[at].max(peak.unwrap_or(0));
        }
        watch.follow(&servers(sides));
        if let [Some(few), Some(many)] = [times[0].last(), times[1].last()] {
            ratios.push(many / few);
        }
    }
    let others = watch.others()?;
    let [few, many] = &times;
    let context = format!(
        "{} tickets {:.0} ms, at most {:.0} MB; {} tickets {:.0} ms, at most {:.0} MB; the last {} at \
         a till that is open",
        size.short,
        median(few),
        megabytes(peaks[0]),
        size.long,
        median(many),
        megabytes(peaks[1]),
        size.till_open
    );
    let figure = |what: &str, ratios, limits| Figure {
        command: "growth",
        what: what.to_owned(),
        ratios,
        context: context.clone(),
        limits,
        others,
    };
    let by_short = "start after a kill until it is sound, long history by short";
    let mut figures = vec![figure(by_short, ratios, None)];
    if size.long >= WHOLE_TICKETS {
        let seconds = many.iter().map(|ms| ms / 1_000.0).collect();
        let by_second = "start of the long history after a kill, by one second";
        figures.push(figure(by_second, seconds, Some(START)));
    }
    Ok(figures)
}

fn servers(sides: &[Side; 2]) -> Vec<u32> {
    let processes = sides.iter().map(|side| side.arm.server.process());
    processes.flatten().collect()
}

/// What a ticket takes in the database, as words.
fn bytes_a_ticket([short, long]: &[Past; 2]) -> anyhow::Result<String> {
    let (few, many) = (short.database_bytes()?, long.database_bytes()?);
    #[expect(clippy::cast_precision_loss, reason = "a count of tickets")]
    let tickets = (long.tickets() - short.tickets()) as f64;
    Ok(format!(
        "the database {:.1} and {:.1} MB, {:.0} bytes a ticket between them",
        megabytes(few),
        megabytes(many),
        (megabytes(many) - megabytes(few)) * MEGABYTE / tickets
    ))
}

/// Measures.
///
/// # Errors
/// When the two are not equal, or anything fails.
pub fn measure(way: &Way, folder: &Path, size: &Size) -> anyhow::Result<Vec<Figure>> {
    let pasts = pasts(&folder.join("growth"), size)?;
    let told = bytes_a_ticket(&pasts)?;
    let mut wholes = Vec::new();
    if size.wholes > 0 {
        wholes = whole("verify", &pasts, size, &|past| verified(way, past))?;
        wholes.extend(whole("backup", &pasts, size, &|past| backed_up(way, past))?);
    }
    let mut sides = serve(way, pasts, size.codes)?;
    prove(&mut sides, size.compared)?;
    let mut figures = vec![sales(&mut sides, size, &told)?, look_ups(&sides, size)?];
    figures.extend(wholes);
    figures.extend(starts(way, &mut sides, size)?);
    for side in &sides {
        let recorded: usize = side.sold()?.values().sum();
        ensure!(
            recorded == side.arm.sold,
            "{} sales were answered and {recorded} are recorded",
            side.arm.sold
        );
    }
    Ok(figures)
}

//! `memory`: what the server holds once every terminal has signed on and sold, a million wagers
//! are open and thousands of boards hear live events.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, ensure};
use keno_log::Event;
use keno_record::store::log;
use keno_schema::Database;

use crate::client::{Asker, Load, Until};
use crate::cpu::Watch;
use crate::figure::{Figure, Limits};
use crate::house::{Way, found, house_text};
use crate::process::{MEGABYTE, Memory, megabytes, memory};
use crate::sales::Arm;
use crate::streams::{Streams, allowed};
use crate::till::SELECTIONS;

/// What the server holds, by a hundred megabytes.
pub const HELD: Limits = Limits::at_most(2.5, 1.6);
const HUNDRED_MEGABYTES: f64 = 100.0 * MEGABYTE;
/// The most streams that a house file can allow, and strangers beside them.
pub const STREAMS_MOST: usize = 8_000;
const STRANGERS_BESIDE: usize = 100;

/// The size of a measurement.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Terminals.
    pub terminals: u32,
    /// Open wagers, at least.
    pub wagers: usize,
    /// Clients of the live stream.
    pub streams: usize,
    /// Rounds: sales while the streams are heard, and a look at the memory.
    pub rounds: usize,
    /// Length of a round.
    pub round: Duration,
}

impl Size {
    /// What is published.
    pub fn full(wagers: usize, streams: usize, rounds: usize) -> Self {
        Self {
            terminals: 64,
            wagers,
            streams,
            rounds,
            round: Duration::from_millis(500),
        }
    }
}

/// Asks central how many hear its live events.
#[derive(Debug, Default)]
struct Clients(Option<usize>);

impl Asker for Clients {
    fn ask(&mut self, request: &mut Vec<u8>) {
        request.extend_from_slice(b"GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n");
    }

    fn answered(&mut self, body: &[u8]) -> io::Result<()> {
        let text = String::from_utf8_lossy(body);
        let said = text
            .lines()
            .find_map(|line| line.strip_prefix("boulier_live_clients "));
        self.0 = said.and_then(|number| number.trim().parse().ok());
        Ok(())
    }
}

/// Whether central counts as many clients as there are, and each of them hears it.
///
/// # Errors
/// When one is missing.
pub fn must_be_heard(address: SocketAddr, streams: &mut Streams) -> anyhow::Result<()> {
    streams.must_live()?;
    let mut asked = [Clients::default()];
    Load::open(address, 1)?.run(&mut asked, Until::Each(1))?;
    let counted = asked[0].0.context("central does not count its clients")?;
    ensure!(
        counted == streams.count(),
        "{} streams are open and central counts {counted}",
        streams.count()
    );
    Ok(())
}

/// Tickets in the record of a house that was just founded, and their selections: none of its draws
/// was closed, so that each is an open wager.
fn open_wagers(folder: &Path) -> anyhow::Result<(usize, usize)> {
    let mut reader = Database::Sqlite(folder.join("keno.sqlite")).open_reader()?;
    let (mut first, mut tickets, mut wagers) = (0, 0, 0);
    loop {
        let rows = log::entries(&mut reader, first, 10_000)?;
        let Some(last) = rows.last() else {
            return Ok((tickets, wagers));
        };
        first = last.leaf_index + 1;
        for row in &rows {
            let (entry, _) = log::checked_entry(row)?;
            match entry.event()? {
                Event::TicketSold(sale) => {
                    tickets += 1;
                    wagers += sale.selections.len();
                }
                Event::DrawClosed(closed) => {
                    anyhow::bail!("draw {} was closed meanwhile", closed.draw)
                }
                _ => {}
            }
        }
    }
}

/// Whether every sale that was answered is recorded with its wagers, and they are as many as asked.
///
/// # Errors
/// When they are not.
pub fn must_be_open(arm: &Arm, wagers: usize) -> anyhow::Result<()> {
    let (tickets, open) = open_wagers(&arm.folder)?;
    ensure!(
        tickets == arm.sold && open == arm.sold * SELECTIONS && open >= wagers,
        "{} sales were answered; {tickets} tickets with {open} wagers are recorded, of {wagers}",
        arm.sold
    );
    Ok(())
}

/// The process that serves: this one, where there is none of its own.
fn held(arm: &Arm) -> io::Result<Memory> {
    memory(arm.server.process().unwrap_or_else(std::process::id))
}

/// What a house file says that lets so many streams in at once.
pub fn doors(streams: usize) -> String {
    format!(
        "\n[connections]\nstrangers = {}\nstreams = {}\n",
        streams + STRANGERS_BESIDE,
        streams.max(1)
    )
}

/// Measures.
///
/// # Errors
/// When a stream or a sale is refused, or anything fails.
pub fn measure(way: &Way, folder: &Path, size: Size) -> anyhow::Result<Vec<Figure>> {
    let wanted = allowed(size.streams.min(STREAMS_MOST))?;
    let data = folder.join("memory");
    let house = found(&data, None, size.terminals)?;
    std::fs::write(data.join("house.toml"), house_text(None) + &doors(wanted))?;
    let mut arm = Arm::open(way, &data, &house, None)?;
    let signed_on = held(&arm)?;
    let each = size.wagers.div_ceil(SELECTIONS * arm.tills.len());
    arm.sell(Until::Each(each))?;
    must_be_open(&arm, size.wagers)?;
    let sold = held(&arm)?;
    let mut streams = Streams::open(arm.server.address(), wanted)?;
    must_be_heard(arm.server.address(), &mut streams)?;
    let heard = held(&arm)?;

    let servers: Vec<u32> = arm.server.process().into_iter().collect();
    let watch = Watch::start(&servers)?;
    let (mut now, mut most) = (Vec::new(), Vec::new());
    let mut last = heard;
    #[expect(clippy::cast_precision_loss, reason = "bytes of memory")]
    let hundreds = |bytes: u64| bytes as f64 / HUNDRED_MEGABYTES;
    for _ in 0..size.rounds {
        arm.sell(Until::Passed(size.round))?;
        streams.drain()?;
        last = held(&arm)?;
        now.push(hundreds(last.resident));
        most.push(hundreds(last.peak));
    }
    let others = watch.others()?;
    must_be_heard(arm.server.address(), &mut streams)?;
    must_be_open(&arm, size.wagers)?;
    let a_stream = heard.resident.saturating_sub(sold.resident) / 1024;
    let context = format!(
        "{} terminals signed on {:.0} MB; {} wagers open {:.0} MB; {} live streams {:.0} MB ({} \
         KiB each); {} wagers open in the end {:.0} MB, at most {:.0} MB",
        size.terminals,
        megabytes(signed_on.resident),
        each * arm.tills.len() * SELECTIONS,
        megabytes(sold.resident),
        streams.count(),
        megabytes(heard.resident),
        a_stream / u64::try_from(streams.count())?.max(1),
        arm.sold * SELECTIONS,
        megabytes(last.resident),
        megabytes(last.peak)
    );
    let figure = |what: &str, ratios| Figure {
        command: "memory",
        what: what.to_owned(),
        ratios,
        context: context.clone(),
        limits: Some(HELD),
        others,
    };
    Ok(vec![
        figure("memory that the server holds by 100 MB", now),
        figure(
            "the most memory that the server held at once by 100 MB",
            most,
        ),
    ])
}

//! `postgres`: as `sales`, on a private PostgreSQL that syncs what it commits; and beside it what a
//! plain system does there, 32 connections that write the same rows, a transaction a sale.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use diesel::RunQueryDsl;
use keno_record::store::{log, tickets};
use keno_schema::rows::{LogEntryRow, TicketRow};
use keno_schema::tables::{log_entry, ticket};
use keno_schema::{Connection, Database, on};
use keno_testing::{Durability, PostgresServer, PrivatePostgres};

use crate::client::Until;
use crate::clock::now;
use crate::cpu::Watch;
use crate::disk::must_be_a_disk;
use crate::figure::{Figure, Limits};
use crate::house::{Way, found, house_text};
use crate::ranks::median;
use crate::sales::{Arm, Size, compare};

/// Durable sales a second by those of one sale a commit.
pub const GAIN: Limits = Limits::at_least(8.0, 12.0);
/// The 99th percentile of a sale by that of one sale a commit.
pub const WAIT: Limits = Limits::at_most(0.4, 0.25);
/// Sales a second over HTTP by those of connections that write rows and nothing else.
pub const BY_PEER: Limits = Limits::at_least(2.5, 4.0);

/// Connections of the plain system.
const CONNECTIONS: usize = 32;
/// Where its rows begin: far from what the house sold.
const FAR: u64 = 1 << 40;

/// The plain system: rows that are copies of one sale of the house, each pair a transaction.
pub struct Peer {
    connections: Vec<Connection>,
    entry: LogEntryRow,
    sold: TicketRow,
    next: AtomicU64,
}

impl Peer {
    /// On the database of a house that has sold.
    ///
    /// # Errors
    /// When it has not, or cannot be read.
    pub fn new(database: &Database) -> anyhow::Result<Self> {
        let mut reader = database.open_reader()?;
        let (_, sold) = tickets::neighbours(&mut reader, 0)?;
        let sold = sold.context("nothing was sold")?;
        let entry = log::entry(&mut reader, sold)?.context("a sale has no leaf")?;
        let sold = tickets::find(&mut reader, sold)?.context("a sale has no row")?;
        let connections = (0..CONNECTIONS)
            .map(|_| database.open_writer())
            .collect::<Result<_, _>>()?;
        Ok(Self {
            connections,
            entry,
            sold,
            next: AtomicU64::new(FAR),
        })
    }

    /// Sales a second of all connections in a round.
    ///
    /// # Errors
    /// When a sale is not written.
    pub fn round(&mut self, length: Duration) -> anyhow::Result<f64> {
        let Self {
            connections,
            entry,
            sold,
            next,
        } = self;
        let before = next.load(Ordering::Relaxed);
        let began = now();
        std::thread::scope(|scope| {
            let sellers: Vec<_> = connections
                .iter_mut()
                .map(|connection| {
                    let (mut entry, mut sold) = (entry.clone(), sold.clone());
                    let next = &*next;
                    scope.spawn(move || {
                        while began.elapsed() < length {
                            let number = next.fetch_add(1, Ordering::Relaxed);
                            (entry.leaf_index, sold.number) = (number, number);
                            write(connection, &entry, &sold)?;
                        }
                        anyhow::Ok(())
                    })
                })
                .collect();
            sellers.into_iter().try_for_each(|seller| {
                seller
                    .join()
                    .unwrap_or_else(|_| bail!("a connection of the plain system ended"))
            })
        })?;
        let sold = next.load(Ordering::Relaxed) - before;
        Ok(f64::from(u32::try_from(sold)?) / began.elapsed().as_secs_f64())
    }
}

/// One sale, a transaction.
fn write(connection: &mut Connection, entry: &LogEntryRow, sold: &TicketRow) -> anyhow::Result<()> {
    let written = keno_schema::write(connection, |connection| {
        on!(connection, c => {
            diesel::insert_into(log_entry::table).values(entry).execute(c)?;
            diesel::insert_into(ticket::table).values(sold).execute(c)
        })
    });
    ensure!(written? == 1, "a sale was not written");
    Ok(())
}

/// The process that every process of a server descends from, as one of its databases says.
///
/// # Errors
/// When it does not say.
pub fn postmaster(server: &PostgresServer, database: &str) -> anyhow::Result<u32> {
    let query = "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)";
    Ok(server.sql(database, query)?.trim().parse()?)
}

/// Measures.
///
/// # Errors
/// When there is no PostgreSQL, the arms are not equal, or anything fails.
pub fn measure(way: &Way, folder: &Path, size: &Size) -> anyhow::Result<Vec<Figure>> {
    let server = PrivatePostgres::start(Durability::Synced)?;
    let server = server.server();
    must_be_a_disk(server.socket_folder())?;
    let base = folder.join("house");
    let mut house = None;
    let first = server.database("house", |address| {
        house = Some(found(&base, Some(address), size.terminals)?);
        anyhow::Ok(())
    })?;
    let house = house.context("no house was founded")?;
    let copy = || server.database("house", |_| anyhow::Ok(()));
    let (second, third) = (copy()?, copy()?);
    let arm = |name: &str, address: &str, batch_max| {
        let own = folder.join(name);
        keno_testing::copy_folder(&base, &own)?;
        std::fs::write(own.join("house.toml"), house_text(Some(address)))?;
        Arm::open(way, &own, &house, batch_max)
    };
    let mut together = arm("together", first.address(), None)?;
    let mut alone = arm("alone", second.address(), Some(1))?;
    let postmaster = postmaster(server, second.name())?;
    let compared = compare(
        "postgres",
        &mut together,
        &mut alone,
        size,
        Some(postmaster),
    )?;
    drop(alone);

    // The plain system has a house of its own, in which one sale was made to be copied.
    let mut model = arm("model", third.address(), None)?;
    model.sell(Until::Each(1))?;
    drop(model);
    let mut peer = Peer::new(&Database::parse(third.address()))?;
    peer.round(size.round / 4)?;
    let (mut ratios, mut rates) = (Vec::new(), [Vec::new(), Vec::new()]);
    let own: Vec<u32> = together.server.process().into_iter().collect();
    let watch = Watch::start_with(&own, Some(postmaster))?;
    for _ in 0..size.rounds {
        let ours = together.sell(Until::Passed(size.round))?.rate();
        let theirs = peer.round(size.round)?;
        ratios.push(ours / theirs);
        rates[0].push(ours);
        rates[1].push(theirs);
    }
    let others = watch.others()?;
    let [ours, theirs] = rates.map(|list| median(&list));
    let mut figures = compared.figures(GAIN, WAIT);
    figures.push(Figure {
        command: "postgres",
        what:
            "durable sales/s over HTTP by 32 connections that write the rows, a transaction a sale"
                .to_owned(),
        ratios,
        context: format!(
            "house {ours:.0} sales/s; connections {theirs:.0} sales/s, no HTTP, no rules, no log"
        ),
        limits: Some(BY_PEER),
        others,
    });
    Ok(figures)
}

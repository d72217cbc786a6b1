//! Running the house: HTTP, pages and the conductor, until a signal.

use std::net::SocketAddr;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;

use actix_web::web;
use anyhow::Context;
use keno_central::app::App;
use keno_central::metrics::is_at_work;
use keno_central::server::{ServeFault, serve_with};
use keno_central::watch::Watch;
use keno_daemon::{Supervisor, Watchdog};
use keno_record::state::PublishedRules;
use keno_service::Central;
use keno_service::draw::Conductor;
use tokio::signal::unix::{SignalKind, signal};

use super::fail::{advised, stopped};
use super::folder::{Folder, say_address};
use super::{Ending, note};

/// Serves a house; `batch_max` commands share one commit at most.
pub fn serve(data: &Path, batch_max: Option<usize>) -> anyhow::Result<Ending> {
    let folder = Folder::read(data)?;
    must_be_loopback(folder.house.listen)?;
    let listen = folder.house.listen;
    let central = folder.open_with(|options| options.batch_max = batch_max)?;
    note_durability(data, &central);
    let last_at_ms = central.last_at_start_ms();
    if Conductor::check_silence(&central, last_at_ms).map_err(stopped)? {
        note(
            "the last leaf is more than a day old: the schedule is halted, and what could be \
             claimed then can be claimed for seven days from now",
        );
    }
    if central.view.get().schedule_halted.is_some() {
        note(
            "hint: two people confirm the clock, through the HTTP interface or with \
             `keno-central schedule confirm` while central does not run",
        );
    }
    if central.view.get().rule_books.is_empty() {
        note("there are no rules yet, and so no draws");
        note("hint: stop, publish them with `keno-central rules publish`, and serve again");
    }
    until_stopped(data, central, listen, |address| {
        note(&format!("central listens on http://{address}/"));
        Ok(())
    })
}

/// Refuses an address that other machines can reach.
///
/// # Errors
/// Unless it is of this machine alone.
pub fn must_be_loopback(listen: SocketAddr) -> anyhow::Result<()> {
    if listen.ip().is_loopback() {
        return Ok(());
    }
    Err(anyhow::Error::from(ServeFault::NotLoopback(listen)))
}

/// Runs HTTP and conductor until SIGINT or SIGTERM: then no new requests are taken, what waits
/// is answered, and writer and publisher end. `listening` is told the address.
///
/// # Errors
/// When central cannot listen.
pub fn until_stopped(
    data: &Path,
    central: Arc<Central>,
    listen: SocketAddr,
    listening: impl FnOnce(SocketAddr) -> anyhow::Result<()>,
) -> anyhow::Result<Ending> {
    let supervisor = Arc::new(Supervisor::from_environment());
    let app = App::new(Arc::clone(&central), data)?;
    let (conductor, alarms, watchdog) = actix_web::rt::System::new().block_on(async {
        let app = web::Data::new(app);
        let served =
            serve_with(&app, listen, central.house.tls.as_ref()).map_err(|fault| match fault {
                ServeFault::Listen { address, source } => advised(
                    format!("central cannot listen on {address}: {source}"),
                    &[&format!(
                        "see who holds the port: ss -ltnp 'sport = :{}'",
                        address.port()
                    )],
                ),
                other => other.into(),
            })?;
        if let Some(address) = served.tls {
            note(&format!("central listens with TLS on https://{address}/"));
        }
        if let Some(address) = served.public {
            note(&format!("the public comes by https://{address}/"));
        }
        let alarms = Watch::start(app, data.to_owned()).context("no thread for alarms")?;
        // Before anyone is told that the house is open: from here on a signal ends it in order.
        let (mut interrupt, mut terminate) = (
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
        );
        say_address(data, served.address)?;
        // Draws begin once there is someone to answer.
        let conductor = Conductor::start(Arc::clone(&central)).context("no thread for draws")?;
        if let Some(line) = &central.follower {
            line.start(&central).context("no thread for the follower")?;
        }
        if let Some(line) = &central.ball_line {
            line.start(&central)
                .context("no thread for the ball machine")?;
        }
        let handle = served.server.handle();
        let running = actix_web::rt::spawn(served.server);
        listening(served.address)?;
        supervisor.ready(&format!("the house is open on {}", served.address));
        let watched = Arc::downgrade(&central);
        let watchdog = Watchdog::start(Arc::clone(&supervisor), move || {
            watched
                .upgrade()
                .is_some_and(|central| is_at_work(&central))
        })
        .context("no thread for the watchdog")?;
        let stopping = Arc::clone(&supervisor);
        actix_web::rt::spawn(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            note("stopping: what waits is answered first");
            stopping.stopping();
            handle.stop(true).await;
        });
        running.await.context("the server ended in a panic")??;
        anyhow::Ok((conductor, alarms, watchdog))
    })?;
    if let Some(line) = &central.follower {
        line.stop();
    }
    if let Some(line) = &central.ball_line {
        line.stop();
    }
    drop(watchdog);
    drop(alarms);
    conductor.stop();
    drop(conductor);
    central.sequencer.stop();
    // The publisher ends with the last owner of central, after the last checkpoint.
    if Arc::into_inner(central).is_none() {
        tracing::warn!("central is still in use; the next start publishes its last checkpoint");
    }
    note("stopped");
    Ok(Ending::Done)
}

/// Says how durable the set-up is: what survives what.
fn note_durability(data: &Path, central: &Central) {
    let device = |path: &Path| std::fs::metadata(path).map(|about| about.dev()).ok();
    if central.house.database_is_a_file() {
        note(
            "durability: SQLite on this machine, WAL and synchronous=FULL: an answered sale \
             outlives a crash or a power cut, not the loss of this disk",
        );
        if central.house.follower.is_none() {
            note(
                "hint: a house that goes live runs PostgreSQL with a synchronous standby, or at \
                 the least has a follower of its log on another disk",
            );
        }
    } else {
        let mut reader = central.readers.get().ok();
        match reader
            .as_mut()
            .and_then(|reader| reader.synchronous_standbys().ok().flatten())
        {
            Some(names) => note(&format!(
                "durability: PostgreSQL with synchronous standbys ({names}): an answered sale \
                 outlives the loss of the primary"
            )),
            None => note(
                "durability: PostgreSQL without a synchronous standby: an answered sale outlives \
                 a crash or a power cut, not the loss of its disk",
            ),
        }
    }
    let view = central.view.get();
    let waits =
        |rules: &std::sync::Arc<PublishedRules>| rules.rules.payout.second_computation.is_some();
    match &central.follower {
        Some(line) => note(&format!(
            "follower: {} has a copy of the log, and computes every draw a second time",
            line.name()
        )),
        None if view.newest_rules().is_some_and(waits) => {
            note(
                "follower: the rules wait for one, and house.toml names none: large payments wait",
            );
            note("hint: docs/follower.md says how one is set up");
        }
        None => {}
    }
    let record_disk = device(data);
    let anchors = std::iter::once(&central.house.anchors_file).chain(&central.house.anchors_extra);
    let apart = anchors
        .filter(|file| device(&data.join(file)).is_some_and(|disk| Some(disk) != record_disk))
        .count();
    if apart == 0 {
        note("anchors: on the disk of the data folder: who replaces that disk replaces them too");
        note("hint: name a file on another disk in anchors.extra of house.toml");
    } else {
        note(&format!(
            "anchors: {apart} on another disk than the data folder"
        ));
    }
    let holders = &central.house.holders;
    let on_hosts = holders.iter().filter(|holder| holder.host().is_some());
    match (on_hosts.count(), holders.len()) {
        (hosts, all) if hosts == all && all > 1 => note(&format!(
            "draws: {all} holders of the secrets, each on a host of its own"
        )),
        (0, 1) | (1, 1) => note(
            "draws: one holder of the secrets: the house is trusted not to combine the roles of \
             drawing and selling",
        ),
        (0, all) if holders.iter().all(|holder| holder.folder().is_some()) => note(&format!(
            "draws: {all} holders of the secrets, all on this machine: who controls it has \
             them all"
        )),
        (hosts, all) if holders.iter().any(|holder| holder.beacon().is_some()) => note(&format!(
            "draws: {all} holders of the secrets, {hosts} of them on hosts of their own and a public beacon"
        )),
        (hosts, all) => note(&format!(
            "draws: {hosts} of {all} holders of the secrets on hosts of their own"
        )),
    }
}

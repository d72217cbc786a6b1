//! The long-lived agent of a device: its pages on loopback, its journal and printer in one pair
//! of hands, and a watch on central. It starts without central, and says so.
//!
//! - `board`: what the pages see.
//! - `watch`: is central there, and does its log go on from what this device saw.
//! - `hands`: the one thread that has journal and printer.
//! - `task`: what the hands may be busy with.
//! - `report`: what this device says of itself to central.
//! - `wall`: the supervisor's wall.
//! - `way`: how central is reached.
//! - `door`: what every question of a page comes through.
//! - `http`: which pages this device has, by its role.
//! - `ended`: how a command ended, as a page is told.
//! - `object`: what a page is told once.
//! - `people`: who is in front of the screen, and its `lock`.
//! - `enrolment`: the page of a device that nobody knows yet.
//! - `counter`: what is on sale, what a slip comes to, what the patron sees.
//! - `screen`: the screen of a counter.
//! - `office`: the screen of the back office beside central's pages.
//! - `site`: central's pages, for the offices.
//! - `scans`: scanners, and the keyboard that is none; `scanner_door`: what pages ask of them.
//! - `technician`: what this terminal is and runs, and whether it can be taken away.
//! - `trials`: the pages on which printer and scanner are tried.
//! - `versions`: do central's program and this one go together.

mod assets;
mod board;
mod code_image;
mod counter;
mod desk;
mod door;
mod ended;
pub mod enrolment;
mod hands;
mod http;
mod lock;
mod object;
mod office;
mod people;
mod report;
mod scanner_door;
mod scans;
mod screen;
mod site;
mod task;
mod technician;
mod trials;
mod versions;
mod wall;
mod watch;
mod way;

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::web;
use anyhow::Context;
use thiserror::Error;
use tokio::signal::unix::{SignalKind, signal};

use crate::agent::{Agent, Credentials};
use crate::central::Patience;
use crate::clock;
use crate::config::{Config, Role};
use crate::journal::Journal;
use crate::printer::Timing;
use crate::scanner::input::MachineInputs;
use crate::told::{Nobody, Told};
use crate::trust::Time;
use crate::witness::Witness;

use lock::Lock;

pub use board::{Board, BoardView, Link, LinkView, OpenView};
pub use task::Task;

/// This machine's clock, UTC milliseconds.
pub type WallClock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// What is not a setting of the device: its clock, and how patient it is.
#[derive(Clone)]
pub struct Surroundings {
    /// Its clock.
    pub wall: WallClock,
    /// The time by which certificates begin and end.
    pub time: Time,
    /// After so long without an answer a command is in doubt; one with a PIN,
    /// [`keno_wire::people::PIN_REFUSED_AFTER_MS`] later.
    pub answer: Duration,
    /// After twice so long without an answer central is away.
    pub heartbeat: Duration,
    /// How long to wait for the printer, instead of what its settings say.
    pub printer: Option<Timing>,
}

impl Default for Surroundings {
    fn default() -> Self {
        Self {
            wall: Arc::new(clock::system_ms),
            time: clock::system_ms,
            answer: Duration::from_secs(2),
            heartbeat: Duration::from_millis(350),
            printer: None,
        }
    }
}

/// The pages cannot be served.
#[derive(Debug, Error)]
pub enum ServeFault {
    /// Others could reach them.
    #[error("{0} can be reached from other machines: the pages are for this one alone")]
    NotLoopback(SocketAddr),
}

/// An agent at work.
pub struct Running {
    /// Where its pages are.
    pub address: SocketAddr,
    /// What the pages see.
    pub board: Arc<Board>,
    server: ServerHandle,
    serving: JoinHandle<std::io::Result<()>>,
    stop_watch: Option<Sender<()>>,
    watching: JoinHandle<()>,
    listening: Vec<(Sender<()>, JoinHandle<()>)>,
    hands: JoinHandle<()>,
}

impl Running {
    /// Says each time whether the hands have turned since the time before. A page that answers
    /// says nothing about them, and it is they who sell and print.
    pub fn is_at_work(&self) -> impl FnMut() -> bool + Send + use<> {
        let board = Arc::clone(&self.board);
        let mut seen = None;
        move || {
            let turned = Some(board.turned());
            std::mem::replace(&mut seen, turned) != turned
        }
    }

    /// Takes no new command, ends the one at work, and closes the journal.
    pub fn stop(mut self) {
        // The server's thread has its own runtime; the handle only sends it word.
        drop(self.server.stop(true));
        drop(self.stop_watch.take());
        // The ends that they listen for go first, and all at once.
        let (stops, listening): (Vec<_>, Vec<_>) = self.listening.into_iter().unzip();
        drop(stops);
        for thread in listening.into_iter().chain([self.watching, self.hands]) {
            if thread.join().is_err() {
                tracing::error!("a thread of the agent ended in a panic");
            }
        }
        match self.serving.join() {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(%error, "the pages"),
            Err(_) => tracing::error!("the pages ended in a panic"),
        }
    }
}

/// A listener of this machine alone.
fn listener(config: &Config) -> anyhow::Result<TcpListener> {
    if !config.listen.ip().is_loopback() {
        return Err(ServeFault::NotLoopback(config.listen).into());
    }
    TcpListener::bind(config.listen)
        .with_context(|| format!("the pages cannot be served on {}", config.listen))
}

/// Starts the agent of a device.
///
/// # Errors
/// When the journal or the memory of central's log cannot be used, or the pages cannot be served.
pub fn start(config: &Config, surroundings: &Surroundings) -> anyhow::Result<Running> {
    let listener = listener(config)?;
    let address = listener.local_addr()?;
    let board = Arc::new(Board::new(config.role, way::device(config)?));
    let time = surroundings.time;
    let patience = Patience {
        connect: surroundings.answer,
        answer: surroundings.answer,
    };
    // The hands first: they hold the lock of the folder.
    let again = config.clone();
    let (hands, hands_thread) = hands::Hands::start(
        make_agent(config, surroundings.printer, patience, time),
        Box::new(move || way::connect(&again, patience, time)),
        config.role == Role::Pos,
        &board,
    )?;
    let lock = Arc::new(Lock::of(
        &config.journal,
        Duration::from_secs(config.lock_after_seconds),
    ));
    let reaching = config.clone();
    let in_session = Arc::new(way::InSession {
        folder: config.journal.clone(),
        way: way::Beside::new(Box::new(move || way::connect(&reaching, patience, time))),
    });
    let site = site::Site::of(config, patience, time).map(web::Data::new);
    let ways = (Arc::clone(&in_session), site.clone());
    let watched = (&board, &lock, &hands);
    let (stop_watch, watching) = start_watch(config, surroundings, watched, ways)?;
    board.set_scanner_start(&config.scanner.start);
    let scans = scans::Scans::new(config.scanner.clone(), &config.journal);
    let listening = start_scans(config, &scans, &board)?;
    let shared = door::Shared {
        role: config.role,
        board: Arc::clone(&board),
        hands,
        lock,
        in_session,
        scans: Arc::clone(&scans),
    };
    let pages = http::Pages {
        shared: web::Data::new(shared),
        site,
        about: web::Data::new(technician::About::of(config, time)),
        presentations: web::Data::new(screen::presentations::Presentations::default()),
    };
    let (server, serving) = start_pages(listener, pages)?;
    Ok(Running {
        address,
        board,
        server,
        serving,
        stop_watch: Some(stop_watch),
        watching,
        listening,
        hands: hands_thread,
    })
}

/// How the hands make their agent, on their own thread.
fn make_agent(
    config: &Config,
    printer: Option<Timing>,
    patience: Patience,
    time: Time,
) -> hands::MakeAgent {
    let making = config.clone();
    Box::new(move |pause| {
        // The folder's lock is held before anything about trust changes.
        let journal = Journal::open(&making.journal)?;
        let central = way::connect(&making, patience, time)?;
        let (device, told) = (way::device(&making)?, Told::to(Nobody));
        Ok(Agent {
            timing: printer.unwrap_or_else(|| making.printing.timing()),
            credentials: Credentials::default(),
            pause,
            acknowledges_by_hand: true,
            ..Agent::of(&making, central, device, journal, told)?
        })
    })
}

/// Starts the watch on central, on ways of its own; it renews the certificate, and with it those
/// other ways.
fn start_watch(
    config: &Config,
    surroundings: &Surroundings,
    (board, lock, hands): (&Arc<Board>, &Arc<Lock>, &hands::Hands),
    (in_session, site): (Arc<way::InSession>, Option<web::Data<site::Site>>),
) -> anyhow::Result<(Sender<()>, JoinHandle<()>)> {
    let time = surroundings.time;
    let witness = Witness::open(&config.journal)
        .context("the memory of central's log cannot be read: a technician has to look")?;
    let heartbeat = Patience {
        connect: surroundings.heartbeat,
        answer: surroundings.heartbeat,
    };
    let has_people = matches!(config.role, Role::Pos | Role::Office);
    board.set_locked(lock.owner().filter(|_| has_people));
    let watch = watch::Watch::new(
        way::connect(config, heartbeat, time)?,
        witness,
        Arc::clone(board),
        &config.journal,
        Arc::clone(&surroundings.wall),
        watch::Screen {
            lock: has_people.then(|| Arc::clone(lock)),
            sells: config.role == Role::Pos,
        },
    );
    let renewing = config.clone();
    let renew = move |is_denied: bool| {
        let made = (way::is_due(&renewing, time) || (is_denied && renewing.is_over_tls()))
            .then(|| way::connect(&renewing, heartbeat, time))
            .transpose();
        if matches!(made, Ok(Some(_))) {
            in_session.way.renewed();
            if let Some(site) = &site {
                site.renewed();
            }
        }
        made
    };
    let (stop, stops) = channel();
    let told = hands.clone();
    let thread = thread::Builder::new()
        .name("watch".to_owned())
        .spawn(move || watch.run(&stops, &told, renew))?;
    Ok((stop, thread))
}

/// Listens to the scanners of a device that people work at.
fn start_scans(
    config: &Config,
    scans: &Arc<scans::Scans>,
    board: &Arc<Board>,
) -> anyhow::Result<Vec<(Sender<()>, JoinHandle<()>)>> {
    let has_people = matches!(config.role, Role::Pos | Role::Office | Role::Desk);
    let start = |name: &str, listen: fn(&scans::Scans, &Board, &Receiver<()>)| {
        let (stop, stops) = channel();
        let (scans, board) = (Arc::clone(scans), Arc::clone(board));
        let thread = thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                if has_people {
                    listen(&scans, &board, &stops);
                }
            })?;
        anyhow::Ok((stop, thread))
    };
    Ok(vec![
        start("scanner", scans::Scans::run)?,
        start("inputs", |scans, board, stops| {
            scans.own(MachineInputs::default(), board, stops);
        })?,
    ])
}

/// Serves the pages.
fn start_pages(
    listener: TcpListener,
    pages: http::Pages,
) -> anyhow::Result<(ServerHandle, JoinHandle<std::io::Result<()>>)> {
    let (handle_to, handle_from) = channel();
    let serving = thread::Builder::new()
        .name("pages".to_owned())
        .spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let server = http::serve(listener, pages)?;
                let _ = handle_to.send(server.handle());
                server.await
            })
        })?;
    let server = handle_from
        .recv()
        .context("the pages cannot be served on this machine")?;
    Ok((server, serving))
}

/// Waits for SIGINT or SIGTERM.
///
/// # Errors
/// When signals cannot be waited for.
pub fn until_told_to_stop() -> std::io::Result<()> {
    actix_web::rt::System::new().block_on(async {
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        Ok(())
    })
}

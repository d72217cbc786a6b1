//! A house to measure: founded, furnished, open for sale, and served.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;

use actix_web::web;
use anyhow::{Context, anyhow, bail, ensure};
use keno_central::app::App;
use keno_central::server::{Handles, serve};
use keno_house_builder::{NOON_MS, NewHouse, Pins, counters, people};
use keno_record::clock::{Clock, ManualClock, SystemClock};
use keno_record::roles::Role;
use keno_service::central::Options;
use keno_service::house_file::HouseFile;
use keno_service::{Central, Stop};
use keno_words::Say;

/// Who sells at every terminal.
pub const CLERK: &str = "C1";
/// The clerk's PIN.
pub const PIN: &str = "246813";
/// The float of every till, in cents.
pub const FLOAT_CENTS: i64 = 50_000;

/// An error of a use case as one of this program.
pub fn stopped(stop: Stop) -> anyhow::Error {
    match stop {
        Stop::Refused(refusal) => anyhow!(refusal.en()),
        Stop::Broke(fault) | Stop::Undone(fault) => fault.into(),
    }
}

/// The house file: a draw an hour, so that none is drawn within a measurement, on any free port.
/// Its record is a file in its folder, or the database of PostgreSQL at an address.
pub fn house_text(database: Option<&str>) -> String {
    HouseFile::demonstration()
        .replace("every_minutes = 2\n", "every_minutes = 60\n")
        .replace("127.0.0.1:8480", "127.0.0.1:0")
        .replace("keno.sqlite", database.unwrap_or("keno.sqlite"))
}

/// The house file of a folder, read.
///
/// # Errors
/// When it has faults.
pub fn house_file(folder: &Path) -> anyhow::Result<HouseFile> {
    let text = std::fs::read_to_string(folder.join("house.toml"))?;
    let file = HouseFile::read(&text)
        .map_err(|faults| anyhow!("the house file has {} faults", faults.len()))?;
    ensure!(file.every_minutes == 60, "the schedule was not replaced");
    ensure!(file.listen.port() == 0, "the address was not replaced");
    Ok(file)
}

/// Central on a folder as a house opens it, and not as tests do: a measured house keeps space back
/// on the disk and sells express picks by chance.
fn options(folder: &Path, clock: Arc<dyn Clock>) -> anyhow::Result<Options> {
    Ok(Options::new(folder.to_owned(), house_file(folder)?, clock))
}

/// Makes a folder with the house file, unless it has one.
fn furnish_folder(folder: &Path, database: Option<&str>) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let file = folder.join("house.toml");
    if file.exists() {
        return Ok(());
    }
    std::fs::write(file, house_text(database))
}

/// Opens central on a folder; its record is as [`house_text`] says.
///
/// # Errors
/// When it cannot be opened.
pub fn open(
    folder: &Path,
    database: Option<&str>,
    clock: Arc<dyn Clock>,
) -> anyhow::Result<Arc<Central>> {
    furnish_folder(folder, database)?;
    Ok(Central::open(options(folder, clock)?)?)
}

/// A terminal: device number and key.
#[derive(Debug, Clone)]
pub struct Terminal {
    /// Number.
    pub device: u32,
    /// Key in hexadecimal.
    pub key: String,
}

/// A house with the demonstration rules, which pay zero catches of 7, 8 and 10 numbers.
fn new_house(terminals: u32) -> NewHouse {
    NewHouse {
        people: people(&[(CLERK, &[Role::Clerk])]),
        pins: Pins::Recorded(|_| PIN.to_owned()),
        devices: counters(1..=terminals),
        publishers: ["X1", "X2"],
        ..NewHouse::default()
    }
}

fn with_keys(keys: BTreeMap<u32, String>) -> Vec<Terminal> {
    keys.into_iter()
        .map(|(device, key)| Terminal { device, key })
        .collect()
}

/// People, devices and rules of a new house.
///
/// # Errors
/// When one of them is refused.
pub fn furnish(central: &Central, terminals: u32) -> anyhow::Result<Vec<Terminal>> {
    let keys = keno_house_builder::furnish(central, &new_house(terminals)).map_err(stopped)?;
    Ok(with_keys(keys))
}

/// A house just founded.
#[derive(Debug, Clone)]
pub struct Founded {
    /// Its terminals.
    pub terminals: Vec<Terminal>,
    /// A draw on sale that no measurement reaches: the tenth.
    pub draw: u64,
}

/// Founds a house on an empty folder, with its draws on sale by the machine's clock; its record is
/// as [`house_text`] says.
///
/// # Errors
/// When anything is refused.
pub fn found(folder: &Path, database: Option<&str>, terminals: u32) -> anyhow::Result<Founded> {
    furnish_folder(folder, database)?;
    let options = options(folder, Arc::new(SystemClock::new()))?;
    let founded = keno_house_builder::found(options, &new_house(terminals))?;
    let view = founded.central.view.get();
    let draw = view
        .draws
        .keys()
        .nth(9)
        .copied()
        .context("fewer than ten draws are on sale")?;
    let terminals = with_keys(founded.keys);
    Ok(Founded { terminals, draw })
}

/// A server that answers over TCP.
#[derive(Debug)]
pub enum Server {
    /// `keno-central serve`, a process of its own.
    Program {
        /// The process.
        child: Child,
        /// Where it listens.
        address: SocketAddr,
        /// Reads what it says, so that it never waits for a reader.
        reader: Option<JoinHandle<()>>,
    },
    /// The same server on threads of this process.
    Here(Here),
}

/// A server on threads of this process.
#[derive(Debug)]
pub struct Here {
    address: SocketAddr,
    handle: Handles,
    thread: Option<JoinHandle<()>>,
}

/// How a server is run.
#[derive(Debug, Clone)]
pub enum Way {
    /// As a process of this program file.
    Program(PathBuf),
    /// In this process: for a look whether everything runs, and for a clock moved by hand.
    Here,
}

impl Way {
    /// The program beside this one.
    ///
    /// # Errors
    /// When it is not there.
    pub fn beside() -> anyhow::Result<Self> {
        let here = std::env::current_exe()?;
        let program = here.with_file_name("keno-central");
        if !program.exists() {
            bail!(
                "{} is not there: build it with `cargo build --release -p keno-central`, or name \
                 it with --central",
                program.display()
            );
        }
        Ok(Self::Program(program))
    }

    /// Serves a founded house by the machine's clock. `batch_max` is how many commands share a
    /// commit at most; the usual number when absent.
    ///
    /// # Errors
    /// When it does not come to listen.
    pub fn serve(&self, folder: &Path, batch_max: Option<usize>) -> anyhow::Result<Server> {
        match self {
            Self::Program(program) => serve_program(program, folder, batch_max),
            Self::Here => {
                let mut options = options(folder, Arc::new(SystemClock::new()))?;
                options.batch_max = batch_max;
                serve_here(&Central::open(options)?, folder)
            }
        }
    }
}

fn serve_program(
    program: &Path,
    folder: &Path,
    batch_max: Option<usize>,
) -> anyhow::Result<Server> {
    let mut command = Command::new(program);
    command
        .arg("serve")
        .arg("--data")
        .arg(folder)
        .env("BOULIER_LOG", "warn")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    if let Some(batch_max) = batch_max {
        command.arg("--batch-max").arg(batch_max.to_string());
    }
    let mut child = command
        .spawn()
        .with_context(|| format!("{} cannot be started", program.display()))?;
    let errors = child.stderr.take().context("no pipe")?;
    let mut lines = BufReader::new(errors).lines();
    let mut said = String::new();
    let address = loop {
        let Some(line) = lines.next().transpose()? else {
            let status = child.wait()?;
            bail!(
                "{} ended before it listened ({status}):\n{said}",
                program.display()
            );
        };
        let listens = line
            .split_once("central listens on http://")
            .and_then(|(_, rest)| rest.trim_end_matches('/').parse().ok());
        if let Some(address) = listens {
            break address;
        }
        said.push_str(&line);
        said.push('\n');
    };
    let reader = std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            eprintln!("central: {line}");
        }
    });
    Ok(Server::Program {
        child,
        address,
        reader: Some(reader),
    })
}

/// Serves an opened central on threads of this process.
///
/// # Errors
/// When it cannot listen.
pub fn serve_here(central: &Arc<Central>, folder: &Path) -> anyhow::Result<Server> {
    let app = web::Data::new(App::new(Arc::clone(central), folder)?);
    let (tell, told) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            match serve(app, SocketAddr::from(([127, 0, 0, 1], 0))) {
                Ok(served) => {
                    let _ = tell.send(Ok((served.address, served.server.handle())));
                    if let Err(error) = served.server.await {
                        eprintln!("the server ended: {error}");
                    }
                }
                Err(fault) => {
                    let _ = tell.send(Err(fault));
                }
            }
        });
    });
    let (address, handle) = told.recv()??;
    Ok(Server::Here(Here {
        address,
        handle,
        thread: Some(thread),
    }))
}

impl Server {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        match self {
            Self::Program { address, .. } => *address,
            Self::Here(here) => here.address,
        }
    }

    /// Its process, when it is not this one.
    pub fn process(&self) -> Option<u32> {
        match self {
            Self::Program { child, .. } => Some(child.id()),
            Self::Here(_) => None,
        }
    }
}

impl Server {
    /// Ends it as a power cut does: with SIGKILL, where it is a process of its own.
    ///
    /// # Errors
    /// When it cannot be ended.
    pub fn kill(&mut self) -> std::io::Result<()> {
        match self {
            Self::Program { child, reader, .. } => {
                child.kill()?;
                child.wait()?;
                if let Some(reader) = reader.take() {
                    let _ = reader.join();
                }
            }
            Self::Here(here) => here.stop(),
        }
        Ok(())
    }
}

impl Here {
    fn stop(&mut self) {
        if let Some(thread) = self.thread.take() {
            drop(self.handle.stop(false));
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        match self {
            Self::Program { child, reader, .. } => {
                // Its number is nobody's any more once it has ended.
                if matches!(child.try_wait(), Ok(Some(_))) {
                    return;
                }
                let stopped =
                    rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap_or(i32::MAX))
                        .map(|pid| {
                            rustix::process::kill_process(pid, rustix::process::Signal::TERM)
                        });
                if !matches!(stopped, Some(Ok(()))) {
                    let _ = child.kill();
                }
                let _ = child.wait();
                if let Some(reader) = reader.take() {
                    let _ = reader.join();
                }
            }
            Self::Here(here) => here.stop(),
        }
    }
}

/// A clock that is moved by hand, at noon.
pub fn noon() -> Arc<ManualClock> {
    Arc::new(ManualClock::at(NOON_MS))
}

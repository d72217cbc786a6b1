//! The draw machine's own program: recompute a published draw, test the machine itself, and be the
//! machine, or a holder of secrets, on a host of its own.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::{Context, Result};
use chrono::DateTime;
use clap::{Parser, Subcommand};
use keno_draw::published::from_json;
use keno_draw::vectors::check_vectors;
use keno_draw::{FileHolder, HealthChecked, JournalFault, OsEntropy};
use keno_draw_machine::beacon::beacon_of;
use keno_draw_machine::line::HOST_BOUNDS;
use keno_draw_machine::part::{DrawPart, Giver, HolderPart, MachinePart};
use keno_draw_machine::settings::{Role, Settings};
use keno_draw_machine::simulate;
use keno_draw_machine::simulator::{FAULTS, Simulator, Trouble};
use keno_draw_machine::statement::check_hosts;
use keno_line::HostKey;
use keno_line::program::{ProgramFault, key_of, run};
use keno_log::beacon::{Beacon, Round};
use parking_lot::Mutex;

/// Draws, holds secrets, recomputes draws and tests this machine.
#[derive(Parser)]
#[command(name = "keno-draw-machine", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Recompute a published transcript; fails naming the first thing that does not hold.
    Check {
        /// The transcript as published (JSON).
        transcript: PathBuf,
    },
    /// Test this machine's entropy and recompute the frozen vectors.
    SelfTest,
    /// Print the public key of this host, which is made if there is none: central pins it.
    Key {
        /// The host's folder.
        #[arg(long)]
        folder: PathBuf,
        /// Name of the host, as people know the place.
        #[arg(long)]
        host: String,
    },
    /// Print a public beacon of drand as house.toml and the settings of a machine have it.
    Beacon {
        /// What drand publishes of its network: `https://api.drand.sh/v2/beacons/quicknet/info` (JSON).
        info: PathBuf,
    },
    /// Be a machine with real balls that is none, for whoever tries the line of one: it speaks it over
    /// TCP or a pseudo-terminal, healthy or with a fault.
    Simulate {
        /// Listen there, `127.0.0.1:0` for any port.
        #[arg(long, conflicts_with = "pty", required_unless_present = "pty")]
        listen: Option<SocketAddr>,
        /// Make a pseudo-terminal.
        #[arg(long)]
        pty: bool,
        /// Balls and faults follow from it.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The set of balls in the machine.
        #[arg(long, default_value = "A")]
        set: String,
        /// From one ball to the next, in milliseconds.
        #[arg(long, default_value_t = 1_000)]
        interval_ms: u32,
        /// Balls fall as this file says, by a draw and a count (`4711 3`), and not by the clock.
        #[arg(long, value_name = "FILE")]
        tubes: Option<PathBuf>,
        /// What is wrong with it, in each draw; `any` is another thing in each.
        #[arg(long, value_parser = trouble_of)]
        fault: Option<Trouble>,
    },
    /// Be the draw machine, or a holder of secrets, for central.
    Serve {
        /// The settings of this host (TOML).
        #[arg(long, env = "BOULIER_DRAW_HOST")]
        settings: PathBuf,
    },
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Check { transcript } => check(&transcript),
        Command::SelfTest => self_test(),
        Command::Key { folder, host } => key(&folder, &host),
        Command::Beacon { info } => beacon(&info),
        Command::Simulate {
            listen,
            pty: _,
            seed,
            set,
            interval_ms,
            tubes,
            fault,
        } => simulate(
            listen,
            Simulator::new(
                seed,
                &set,
                interval_ms.into(),
                fault.unwrap_or(Trouble::None),
            )
            .with_tubes(tubes),
        ),
        Command::Serve { settings } => serve(&settings),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {}", fault.error);
            eprintln!("hint: {}", fault.hint);
            ExitCode::FAILURE
        }
    }
}

/// What went wrong, with its stable name where it has one, and what to do about it.
struct Failure {
    error: String,
    hint: &'static str,
}

impl Failure {
    fn new(name: &str, error: &anyhow::Error, hint: &'static str) -> Self {
        Self {
            error: format!("{name}: {error:#}"),
            hint,
        }
    }
}

fn trouble_of(name: &str) -> Result<Trouble, String> {
    if name == "any" {
        return Ok(Trouble::Any);
    }
    let mut known = FAULTS.iter();
    let found = known.find(|(_, one)| *one == name);
    found
        .map(|(fault, _)| Trouble::Always(*fault))
        .ok_or_else(|| {
            let names: Vec<&str> = FAULTS.iter().map(|(_, name)| *name).collect();
            format!("any, or one of {}", names.join(", "))
        })
}

fn simulate(listen: Option<SocketAddr>, machine: Simulator) -> Result<(), Failure> {
    let served = match listen {
        Some(address) => TcpListener::bind(address).and_then(|listener| {
            println!("listening\t{}", listener.local_addr()?);
            simulate::on_network(&listener, machine, &clock_ms)
        }),
        None => simulate::on_pty(machine, &clock_ms, |device| {
            println!("device\t{}", device.display());
        }),
    };
    served.map_err(|fault| {
        Failure::new(
            "line",
            &fault.into(),
            "is the address free, and this machine's own?",
        )
    })
}

fn check(path: &Path) -> Result<(), Failure> {
    let text = fs::read_to_string(path)
        .with_context(|| format!("cannot read {}", path.display()))
        .map_err(|error| Failure::new("unreadable", &error, "give the path of a transcript"))?;
    let transcript = from_json(&text).map_err(|fault| {
        let hint = "fetch the transcript again from where the house publishes it";
        Failure::new(fault.name(), &fault.into(), hint)
    })?;
    transcript.check().map_err(|fault| {
        let hint = "compare with another copy; if it fails too, this draw is to be disputed";
        Failure::new(fault.name(), &fault.into(), hint)
    })?;
    check_hosts(&transcript).map_err(|fault| {
        let hint = "compare with another copy; if it fails too, this draw is to be disputed";
        Failure::new(fault.name(), &fault.into(), hint)
    })?;
    println!("draw\t{}", transcript.ctx.draw);
    println!("house\t{}", transcript.ctx.house);
    println!("seal\t{}", hex::encode(transcript.ctx.seal_root));
    println!("log_size\t{}", transcript.ctx.log_size);
    for holder in &transcript.holders {
        println!(
            "holder\t{}\t{}",
            holder.name,
            hex::encode(holder.commitment)
        );
    }
    for host in transcript.hosts.iter().filter(|host| !host.key.is_empty()) {
        match (Beacon::parse(&host.key), Round::parse(&host.signature)) {
            (Ok(beacon), Some(round)) => {
                let moment = DateTime::from_timestamp_millis(beacon.moment_ms(round.number));
                let moment = moment.map_or_else(String::new, |at| at.to_rfc3339());
                println!("beacon\t{beacon}\tround {}\tof {moment}", round.number);
            }
            _ => println!("host\t{}\tsigned", host.key),
        }
    }
    let balls: Vec<String> = transcript.balls.iter().map(u8::to_string).collect();
    println!("balls\t{}", balls.join(" "));
    println!("result\tholds");
    eprintln!("{}", transcript.assurance().sentence_en());
    eprintln!("Compare seal, log size and commitments with the published log: they are its part.");
    if transcript
        .hosts
        .iter()
        .any(|host| Beacon::is_meant(&host.key))
    {
        eprintln!(
            "Which round is the draw's follows from when it closed, which the log alone says: \
             `keno-audit verify` judges it."
        );
    }
    Ok(())
}

fn self_test() -> Result<(), Failure> {
    HealthChecked::new(OsEntropy).start_up().map_err(|fault| {
        let hint = "take this machine out of service until its entropy source was looked at";
        Failure::new(fault.name(), &fault.into(), hint)
    })?;
    println!("entropy\tok");
    let count = check_vectors().map_err(|fault| {
        let hint = "this program computes other draws than the published rule: do not draw with it";
        Failure::new("vectors", &fault.into(), hint)
    })?;
    println!("vectors\tok\t{count}");
    Ok(())
}

fn key(folder: &Path, host: &str) -> Result<(), Failure> {
    let key = HostKey::read_or_make(folder, host).map_err(|fault| {
        let hint = "the name of a host is without blanks and plus signs; its folder is its own";
        Failure::new("key", &fault.into(), hint)
    })?;
    println!("{}", key.verifying_key());
    Ok(())
}

fn beacon(path: &Path) -> Result<(), Failure> {
    let hint = "fetch what the network publishes of itself: its /info";
    let failed = |error: anyhow::Error| Failure::new("beacon", &error, hint);
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
    let beacon =
        beacon_of(&text.map_err(failed)?).map_err(|words| failed(anyhow::anyhow!(words)))?;
    println!("{beacon}");
    Ok(())
}

#[expect(
    clippy::disallowed_methods,
    reason = "the host's clock: it refuses draws that closed long ago, tells a simulated machine when \
              its balls fall, and moves none"
)]
fn clock_ms() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    })
}

/// The part that the settings name, with its journals open.
fn part_of(settings: &Settings, key: HostKey) -> Result<Arc<Mutex<DrawPart>>, Failure> {
    let journal = |fault: JournalFault| {
        let hint = "a journal is never repaired: keep it, and ask who looks after this house";
        Failure::new(fault.name(), &fault.into(), hint)
    };
    let (folder, house, log) = (&settings.folder, &settings.house, settings.log.0.clone());
    if settings.part == Role::Machine {
        let keys = settings.holders.iter();
        let keys = keys.map(|(name, key)| (name.clone(), Giver::Host(key.0.clone())));
        let beacons = settings.beacons.iter();
        let beacons = beacons.map(|(name, text)| (name.clone(), Giver::Beacon(text.0.clone())));
        let keys = keys.chain(beacons);
        let machine =
            MachinePart::open(folder, house, key, log, keys.collect(), Arc::new(clock_ms));
        return Ok(Arc::new(Mutex::new(machine.map_err(journal)?)));
    }
    let name = settings.holder.as_deref().unwrap_or_default();
    let second = settings.second_folder.as_ref().unwrap_or(folder);
    let mut holder =
        FileHolder::open_twice([folder, second], house, name, OsEntropy).map_err(journal)?;
    if on_one_disk(folder, second) {
        tracing::warn!("both copies of the journal are on one disk: if it is lost, so are they");
    }
    tracing::info!(health = ?holder.health(), "entropy");
    let part = HolderPart::new(holder, house, key, log);
    Ok(Arc::new(Mutex::new(part)))
}

fn on_one_disk(one: &Path, other: &Path) -> bool {
    let device = |path: &Path| fs::metadata(path).map(|about| about.dev()).ok();
    device(one) == device(other)
}

fn serve(path: &Path) -> Result<(), Failure> {
    keno_daemon::private::keep();
    keno_daemon::log::start("info");
    let settings = Settings::read(path).map_err(|fault| {
        Failure::new(
            "settings",
            &fault.into(),
            "see docs/draw-hosts.md for each setting",
        )
    })?;
    let stopped = |fault: ProgramFault| {
        let (name, hint) = (fault.name(), fault.hint());
        Failure::new(name, &fault.into(), hint)
    };
    let key = key_of(settings.key.as_deref(), &settings.folder, &settings.host).map_err(stopped)?;
    let part = part_of(&settings, key.clone())?;
    let central = &settings.central.0;
    run(settings.listen, &key, central, HOST_BOUNDS, &part).map_err(stopped)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}

//! `follow`: a whole log handed to a follower that begins, entry for entry under checkpoints, judged and
//! kept, by `keno-audit verify` of the same log; and what the follower holds.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use keno_house_builder::FollowerHost;
use keno_line::{HostKey, HostPlace};
use keno_log::checkpoint::VerifyingKey;
use keno_record::clock::{Clock, SystemClock};
use keno_record::keys::{ServerKeys, signing_key};
use keno_record::record::{keys_path, origin_of};
use keno_service::Central;
use keno_service::central::Options;
use keno_service::maintenance::export;

use crate::clock::{now, timed};
use crate::cpu::Watch;
use crate::figure::{Figure, Limits};
use crate::house::{Way, house_file};
use crate::past::Past;
use crate::process::{MEGABYTE, Ran, megabytes, memory, run};

/// A log handed over whole, by a minute: so long it may take for a million tickets.
pub const TAKEN: Limits = Limits::at_most(1.0, 0.3);
const A_MINUTE: f64 = 60.0;
/// What the follower holds, by four gigabytes: so much it may hold for ten million tickets.
pub const HELD: Limits = Limits::at_most(1.0, 0.25);
const FOUR_GIGABYTES: f64 = 4_000.0 * MEGABYTE;
const NAME: &str = "audit-office";

/// The size of a measurement.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Tickets of draws that are over.
    pub tickets: u64,
    /// Tickets of one of these draws.
    pub draw_tickets: u64,
    /// Rounds: the log judged, and handed over.
    pub rounds: usize,
}

/// A follower that is at work.
enum AtWork {
    /// As a process.
    Program(Child),
    /// In this one.
    Here(Box<FollowerHost>),
}

impl AtWork {
    /// What it has held at most; nothing is known of one in this process.
    fn peak(&self) -> anyhow::Result<Option<u64>> {
        match self {
            Self::Program(child) => Ok(Some(memory(child.id())?.peak)),
            Self::Here(host) => {
                ensure!(host.size().is_some(), "the follower is away");
                Ok(None)
            }
        }
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        if let Self::Program(child) = self {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn audit_beside(central: &Path) -> PathBuf {
    central.with_file_name("keno-audit")
}

/// Starts a follower with an empty copy, and names it in the options.
fn start(way: &Way, at: &Path, options: &mut Options) -> anyhow::Result<AtWork> {
    let Way::Program(central) = way else {
        return Ok(AtWork::Here(Box::new(FollowerHost::start(options)?)));
    };
    let program = audit_beside(central);
    let made = Command::new(&program)
        .args(["key", "--host", NAME, "--folder"])
        .arg(at)
        .output()
        .with_context(|| format!("{} cannot be started", program.display()))?;
    ensure!(made.status.success(), "no key was made");
    let key = HostKey::read(at, NAME)?;
    let keys = ServerKeys::load(&keys_path(&options.folder))?;
    let house = options.house.code.clone();
    let log = signing_key(&keys, &origin_of(&house)).context("the log key")?;
    let line = HostKey::of_central(*keys.draw_line_seed())?;
    let settings = at.join("host.toml");
    std::fs::write(
        &settings,
        format!(
            "host = \"{NAME}\"\nlisten = \"127.0.0.1:0\"\nfolder = \".\"\nhouse = \"{house}\"\n\
             central = \"{}\"\nlog = \"{}\"\n",
            line.verifying_key(),
            log.verifying_key()
        ),
    )?;
    let mut child = Command::new(&program)
        .args(["follow", "--settings"])
        .arg(&settings)
        .env("BOULIER_LOG", "warn")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut said = String::new();
    let out = child.stdout.take().context("no pipe")?;
    let listening = AtWork::Program(child);
    BufReader::new(out).read_line(&mut said)?;
    let address = said.trim().strip_prefix("listening\t");
    options.house.follower = Some(HostPlace {
        address: address.context("it does not listen")?.to_owned(),
        key: VerifyingKey::parse(&key.verifying_key().to_string())?,
    });
    Ok(listening)
}

/// Hands over everything, to the last entry.
fn hand_over(central: &Central) -> anyhow::Result<Duration> {
    let size = central.checkpoint().context("no checkpoint")?.size;
    let line = central.follower.as_ref().context("no follower")?;
    let begins = now();
    while line.turn(central).is_zero() {}
    let took = begins.elapsed();
    let heard = line.heard();
    ensure!(
        heard.size == size && heard.refuses.is_none(),
        "it has {} of {size} entries, and refuses {:?}",
        heard.size,
        heard.refuses
    );
    Ok(took)
}

/// A log handed over to a follower that begins.
fn followed(way: &Way, past: &Past, round: usize) -> anyhow::Result<Ran> {
    let folder = past.folder.as_path();
    let at = folder.with_extension(format!("follower-{round}"));
    std::fs::create_dir_all(&at)?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
    let mut options = Options::new(folder.to_owned(), house_file(folder)?, clock);
    let at_work = start(way, &at, &mut options)?;
    let central = Central::open(options)?;
    // The lease of this start is under a checkpoint, too.
    let leaves = central.view.get().log_size;
    while central
        .checkpoint()
        .is_none_or(|newest| newest.size < leaves)
    {
        std::thread::yield_now();
    }
    let took = hand_over(&central)?;
    let peak = at_work.peak()?;
    drop(at_work);
    std::fs::remove_dir_all(&at)?;
    Ok(Ran { took, peak })
}

/// The log judged by the auditor's program.
fn judged(way: &Way, log: &Path) -> anyhow::Result<Ran> {
    match way {
        Way::Program(central) => {
            let words: [&OsStr; 2] = ["verify".as_ref(), log.as_os_str()];
            run(&audit_beside(central), &words)
        }
        Way::Here => {
            let bytes = std::fs::read(log)?;
            let (outside, options) = Default::default();
            let (took, outcome) = timed(|| keno_audit::verify(&bytes[..], outside, options));
            let findings = outcome?.findings;
            ensure!(findings.is_empty(), "{findings:?}");
            Ok(Ran { took, peak: None })
        }
    }
}

/// Measures.
///
/// # Errors
/// When anything is refused, or the follower has not everything in the end.
pub fn measure(way: &Way, folder: &Path, size: Size) -> anyhow::Result<Vec<Figure>> {
    let draws = size.tickets.div_ceil(size.draw_tickets) + 1;
    let mut past = Past::found(&folder.join("followed"), 1, draws)?;
    past.go_on(size.tickets, size.draw_tickets, 0)?;
    let log = folder.join("followed.log");
    {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
        let options = Options::new(past.folder.clone(), house_file(&past.folder)?, clock);
        let central = Central::open(options)?;
        let newest = central.checkpoint().context("no checkpoint")?;
        let mut out = std::fs::File::create(&log)?;
        export(&mut *central.readers.get()?, &newest, &mut out)?;
    }
    let watch = Watch::start(&[])?;
    let (mut by_minute, mut by_verify, mut held, mut told) = (vec![], vec![], vec![], vec![]);
    for round in 0..size.rounds {
        let judged = judged(way, &log)?;
        let followed = followed(way, &past, round)?;
        by_minute.push(followed.took.as_secs_f64() / A_MINUTE);
        by_verify.push(followed.took.as_secs_f64() / judged.took.as_secs_f64());
        let peak = followed.peak.unwrap_or(1);
        held.push(megabytes(peak) * MEGABYTE / FOUR_GIGABYTES);
        told.push(format!(
            "{:.1} s by {:.1} s, {:.0} MB",
            followed.took.as_secs_f64(),
            judged.took.as_secs_f64(),
            megabytes(peak)
        ));
    }
    let others = watch.others()?;
    let context = format!("{} tickets: {}", size.tickets, told.join("; "));
    let figure = |what: &str, ratios: Vec<f64>, limits: Option<Limits>| Figure {
        command: "follow",
        what: what.to_owned(),
        ratios,
        context: context.clone(),
        limits,
        others,
    };
    Ok(vec![
        figure(
            "a log handed to a follower that begins, by a minute",
            by_minute,
            Some(TAKEN),
        ),
        figure("the same by keno-audit verify", by_verify, None),
        figure("what the follower holds, by 4 GB", held, Some(HELD)),
    ])
}

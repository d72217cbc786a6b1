//! Backups under load, each restored and gone on from: nothing of what was lost is used again.
//!
//! Each round the real central serves counters while `keno-central backup` runs beside it; then
//! central is killed and its folder given up. The backup is restored into a new folder, by two
//! people, and the next round goes on from there.

mod till;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use keno_audit::compare::{Witness, against_log, read_log, state_of_code};
use keno_audit::{Options, Outside};
use keno_log::Event;
use keno_service::maintenance::Backup;
use keno_testing::{Durability, PostgresDatabase};
use till::{Paper, Till};

use crate::central::{Running, export};
use crate::chance::Chance;
use crate::clock::{Stopwatch, now_ms, pass};
use crate::device::{Device, Doubt, Patrons, Plant};
use crate::door::{Answer, Door};
use crate::founded::{Founded, Kind, clerk_of, house_text, pin_of};
use crate::record::Record;

/// Who restores.
const PEOPLE: (&str, &str) = ("X1", "X2");
/// A draw is settled so long after a restore at most.
const DRAWN_AT_MOST: Duration = Duration::from_secs(150);
/// The first draws are on sale so long after a restore at most.
const ANNOUNCED_AT_MOST: Duration = Duration::from_secs(10);
/// Folders of the draw's holders and machine: in no backup, put back by hand.
const BY_HAND: [&str; 3] = ["machine", "audit-office", "draw-machine"];

/// What a campaign plants, to see that it is caught.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Planted {
    /// The backup's record is served as it is, without a new epoch.
    Copied,
    /// One bit of the backup is another.
    FlippedBit,
}

/// A campaign.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The database.
    pub database: Kind,
    /// What a private PostgreSQL syncs.
    pub durability: Durability,
    /// Backups, each restored.
    pub rounds: u64,
    /// Seed of all choices.
    pub seed: u64,
    /// Counters that keep central busy.
    pub devices: u32,
    /// Load before, and again after, each backup, in milliseconds.
    pub load_ms: u64,
    /// Wait after each restore until a draw of the new epoch is settled.
    pub draws: bool,
    /// What is planted.
    pub plant: Option<Planted>,
    /// The program.
    pub program: PathBuf,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Report {
    /// Backups that were restored.
    pub rounds: u64,
    /// Durations of sales while no backup ran, in microseconds.
    pub sales_alone_us: Vec<u128>,
    /// The same beside a backup.
    pub sales_beside_us: Vec<u128>,
    /// Durations of the backups, in milliseconds.
    pub backup_ms: Vec<u128>,
    /// From the restore's start to the first good answer of the restored central.
    pub back_ms: Vec<u128>,
    /// Leaves of the last backup.
    pub leaves: u64,
    /// Tickets that restores lost, each of which was asked about.
    pub lost_tickets: u64,
    /// Of these, refunded by two people, each tried twice.
    pub lost_refunded: u64,
    /// Draws settled after a restore.
    pub drawn: u64,
    /// Backups that were killed half-way.
    pub interrupted: u64,
    /// What is wrong.
    pub breaches: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

fn percentile(sorted: &[u128], hundredths: usize) -> u128 {
    let at = (sorted.len() * hundredths / 100).min(sorted.len().saturating_sub(1));
    sorted.get(at).copied().unwrap_or(0)
}

impl Report {
    /// The figures, for people.
    pub fn lines(&self) -> Vec<String> {
        let of = |sales: &[u128]| {
            let mut sorted = sales.to_vec();
            sorted.sort_unstable();
            format!(
                "{} sales, p50 {:.1} ms, p99 {:.1} ms, longest {:.1} ms",
                sorted.len(),
                percentile(&sorted, 50) as f64 / 1000.0,
                percentile(&sorted, 99) as f64 / 1000.0,
                sorted.last().copied().unwrap_or(0) as f64 / 1000.0
            )
        };
        let longest = |list: &[u128]| list.iter().max().copied().unwrap_or(0);
        vec![
            format!(
                "{} backups under load restored in {:.0?}; {} leaves in the last",
                self.rounds, self.took, self.leaves
            ),
            format!("without a backup: {}", of(&self.sales_alone_us)),
            format!("beside a backup:  {}", of(&self.sales_beside_us)),
            format!(
                "a backup took {} ms at most, a restore {} ms until central answered",
                longest(&self.backup_ms),
                longest(&self.back_ms)
            ),
            format!(
                "{} tickets were lost and said to be, {} of them refunded once; {} draws were drawn \
                 after a restore; {} backups were killed half-way",
                self.lost_tickets, self.lost_refunded, self.drawn, self.interrupted
            ),
        ]
    }
}

/// Lost tickets that are refunded after each restore.
const REFUNDED_A_ROUND: usize = 5;

/// What an exported record used up.
struct Used {
    draws: BTreeSet<u64>,
    sessions: BTreeSet<u64>,
    /// Epoch and leaf of each ticket: what its control number is made of.
    tickets: BTreeSet<(u32, u64)>,
}

fn used(record: &Record, from: u64) -> Used {
    let mut used = Used {
        draws: BTreeSet::new(),
        sessions: BTreeSet::new(),
        tickets: BTreeSet::new(),
    };
    let mut epoch = 1;
    for (leaf, event) in record.numbered() {
        if let Event::EpochOpened(body) = &event {
            epoch = body.epoch;
        }
        if leaf < from {
            continue;
        }
        match event {
            Event::DrawScheduled(body) => drop(used.draws.insert(body.draw)),
            Event::SessionOpened(body) => drop(used.sessions.insert(body.session)),
            Event::TicketSold(_) => drop(used.tickets.insert((epoch, leaf))),
            _ => {}
        }
    }
    used
}

/// A campaign under way.
struct Campaign<'a> {
    plan: &'a Plan,
    founded: &'a Founded,
    chance: Chance,
    /// The data folder of this round.
    data: PathBuf,
    /// The databases that were restored into.
    databases: Vec<PostgresDatabase>,
    keys: PathBuf,
    report: Report,
}

/// Runs a campaign.
///
/// # Errors
/// When it cannot be run; what is wrong with central is in the report.
pub fn run(plan: &Plan) -> anyhow::Result<Report> {
    let since = Stopwatch::start();
    let founded = Founded::new(
        plan.database,
        plan.durability,
        &plan.program,
        plan.devices + 1,
        130_000,
    )?;
    let mut campaign = Campaign {
        plan,
        founded: &founded,
        chance: Chance::new(plan.seed, 0),
        data: founded.data(),
        databases: Vec::new(),
        keys: PathBuf::new(),
        report: Report::default(),
    };
    let made = campaign.command(&["backup-keys", "--to"], &founded.beside("keys"))?;
    campaign.keys = PathBuf::from(printed(&made)?);
    for round in 0..plan.rounds {
        campaign.round(round)?;
        if !campaign.report.breaches.is_empty() {
            break;
        }
    }
    let mut report = campaign.report;
    report.took = since.elapsed();
    Ok(report)
}

/// What a command printed, once it did what it was asked.
fn printed(output: &Output) -> anyhow::Result<String> {
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

impl Campaign<'_> {
    /// Runs a command of the program on the data folder of this round.
    fn command(&self, arguments: &[&str], last: &Path) -> anyhow::Result<Output> {
        let (name, rest) = arguments.split_first().context("no command")?;
        Command::new(&self.founded.program)
            .arg(name)
            .arg("--data")
            .arg(&self.data)
            .args(rest)
            .arg(last)
            .stdin(Stdio::null())
            .output()
            .context("the program cannot be run")
    }

    fn breach(&mut self, round: u64, words: impl std::fmt::Display) {
        self.report.breaches.push(format!("round {round}: {words}"));
    }

    fn till(&self, central: &Running) -> anyhow::Result<Till> {
        let device = self.plan.devices + 1;
        let key = self.founded.keys.get(&device).map_or("", String::as_str);
        Till::sign_on(central.address, device, key)
    }

    fn round(&mut self, round: u64) -> anyhow::Result<()> {
        let records = self.founded.beside("records");
        let (backup, papers, lost_checkpoint) = self.under_load(round, &records)?;
        let size = backup.manifest.size;
        self.report.leaves = size;
        // What was lost, as only this campaign knows: the house's folder is given up.
        let out = self.founded.beside("lost.export");
        let lost = Record::read(&export(&self.founded.program, &self.data, &out)?)?;
        self.must_refuse_rollback(round, &backup)?;

        let since = Stopwatch::start();
        let Some(new) = self.restore(round, &backup)? else {
            return Ok(());
        };
        let old = std::mem::replace(&mut self.data, new);
        if round.is_multiple_of(2) {
            for folder in BY_HAND {
                std::fs::rename(old.join(folder), self.data.join(folder))?;
            }
        }
        self.let_sales_go_on(round)?;
        let central = Running::start(&self.founded.program, &self.data)?;
        self.report.back_ms.push(since.elapsed().as_millis());
        self.after_restore(round, &central, &papers, size)?;
        central.kill();
        self.judge(round, &backup, (&lost, &lost_checkpoint), &papers)?;
        self.report.rounds += 1;
        Ok(())
    }

    /// Central under load, a backup beside it, more load, and the end of it.
    fn under_load(
        &mut self,
        round: u64,
        records: &Path,
    ) -> anyhow::Result<(Backup, Vec<Paper>, String)> {
        let central = Running::start(&self.founded.program, &self.data)?;
        let patrons = Patrons::default();
        let mut devices: Vec<Device> = (1..=self.plan.devices)
            .map(|number| {
                let key = self.founded.keys.get(&number).map_or("", String::as_str);
                Device::new(
                    number,
                    clerk_of(number),
                    Door::of_device(central.address, number, key),
                    Chance::new(self.plan.seed + round, u64::from(number)),
                    Patrons::clone(&patrons),
                    Doubt::Asked,
                    Plant::Nothing,
                )
            })
            .collect();
        let mut till = self.till(&central)?;
        for device in &mut devices {
            let is_there = device.sign_on().is_ok() && device.look().is_ok();
            anyhow::ensure!(is_there, "a counter cannot sign on:\n{}", central.notes());
        }
        let (is_over, sold) = (AtomicBool::new(false), AtomicU64::new(0));
        let kill_after = Duration::from_millis(self.chance.below(120));
        let (beside, made) = std::thread::scope(|scope| {
            for device in &mut devices {
                let is_over = &is_over;
                scope.spawn(
                    move || {
                        while !is_over.load(Ordering::SeqCst) && device.act().is_ok() {}
                    },
                );
            }
            let (till, is_over, sold) = (&mut till, &is_over, &sold);
            scope.spawn(move || {
                while !is_over.load(Ordering::SeqCst) {
                    sold.fetch_add(u64::from(till.sell()), Ordering::SeqCst);
                    pass(Duration::from_millis(1));
                }
            });
            let outcome = (|| {
                // The draws of a house are announced one after the other when central starts.
                sells_after(sold, 0)?;
                pass(Duration::from_millis(self.plan.load_ms));
                self.interrupt(round, records, kill_after)?;
                let (from_ms, since) = (now_ms(), Stopwatch::start());
                let made = self.command(&["backup", "--to"], records)?;
                self.report.backup_ms.push(since.elapsed().as_millis());
                let beside = (from_ms, now_ms());
                sells_after(sold, sold.load(Ordering::SeqCst))?;
                pass(Duration::from_millis(self.plan.load_ms));
                anyhow::Ok((beside, made))
            })();
            is_over.store(true, Ordering::SeqCst);
            outcome
        })?;
        for (at_ms, took_us) in &till.sales {
            if (beside.0..beside.1).contains(at_ms) {
                self.report.sales_beside_us.push(*took_us);
            } else {
                self.report.sales_alone_us.push(*took_us);
            }
        }
        for device in &mut devices {
            // A till that was open at the restore began in a journal of an earlier round: what
            // must be in it is judged by keno-audit alone.
            let of_earlier = |words: &String| round > 0 && words.contains("central expects");
            device.breaches.retain(|words| !of_earlier(words));
            self.report.breaches.append(&mut device.breaches);
        }
        // However far the load got, the part that is lost has the number of a session in it.
        self.till(&central)?;
        let shown = shown_checkpoint(&central)?;
        // Nothing of the last moments is kept: neither by a file nor by an orderly end.
        central.kill();
        let folder = PathBuf::from(printed(&made)?);
        Ok((Backup::open(&folder)?, till.papers, shown))
    }

    /// A backup that is killed leaves nothing that is named as one, or a whole one.
    fn interrupt(&mut self, round: u64, records: &Path, after: Duration) -> anyhow::Result<()> {
        let named = |folder: &Path| -> BTreeSet<PathBuf> {
            let entries = std::fs::read_dir(folder).into_iter().flatten();
            let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
            paths
                .filter(|path| path.extension().is_none_or(|it| it != "part"))
                .collect()
        };
        let before = named(records);
        let mut child = Command::new(&self.founded.program)
            .args(["backup", "--data"])
            .arg(&self.data)
            .arg("--to")
            .arg(records)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        pass(after);
        child.kill()?;
        child.wait()?;
        self.report.interrupted += 1;
        for left in named(records).difference(&before) {
            if let Err(fault) = Backup::check(left, &self.founded.beside("")) {
                self.breach(round, format!("an interrupted backup is named: {fault}"));
            }
            // The next one may be of the same second, and has its own name then.
            std::fs::remove_dir_all(left)?;
        }
        Ok(())
    }

    /// The lost house on its own older record, beside its newest anchors.
    fn must_refuse_rollback(&mut self, round: u64, backup: &Backup) -> anyhow::Result<()> {
        let Kind::Sqlite = self.plan.database else {
            return Ok(());
        };
        let record = self.data.join("keno.sqlite");
        for suffix in ["", "-wal", "-shm"] {
            let mut name = record.clone().into_os_string();
            name.push(suffix);
            let _ = std::fs::remove_file(name);
        }
        std::fs::copy(backup.folder.join("record.sqlite"), &record)?;
        match Running::start(&self.founded.program, &self.data) {
            Ok(_) => self.breach(round, "an older record was served behind its anchors"),
            Err(words) if words.to_string().contains("this is an older copy") => {}
            Err(words) => self.breach(round, format!("the rollback is refused otherwise: {words}")),
        }
        Ok(())
    }

    /// Restores the backup into a new folder; none when what was planted was refused.
    fn restore(&mut self, round: u64, backup: &Backup) -> anyhow::Result<Option<PathBuf>> {
        let new = self.founded.beside(&format!("data-{round}"));
        let house = self.founded.beside("house.toml");
        let address = self.founded.empty_database()?;
        std::fs::write(
            &house,
            house_text(address.as_ref().map(PostgresDatabase::address)),
        )?;
        self.databases.extend(address);
        if self.plan.plant == Some(Planted::Copied) {
            std::fs::create_dir(&new)?;
            std::fs::copy(&house, new.join("house.toml"))?;
            std::fs::copy(self.keys.join("keys.toml"), new.join("keys.toml"))?;
            std::fs::copy(backup.folder.join("record.sqlite"), new.join("keno.sqlite"))?;
            return Ok(Some(new));
        }
        if self.plan.plant == Some(Planted::FlippedBit) {
            let path = backup.folder.join("record.sqlite");
            let mut bytes = std::fs::read(&path)?;
            let at = usize::try_from(self.chance.below(u64::try_from(bytes.len())?))?;
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1;
            }
            std::fs::write(path, bytes)?;
        }
        let mut restoring = Command::new(&self.founded.program)
            .arg("restore")
            .arg("--from")
            .arg(&backup.folder)
            .arg("--keys")
            .arg(&self.keys)
            .arg("--house")
            .arg(&house)
            .arg("--data")
            .arg(&new)
            .arg("--anchor")
            .arg(self.data.join("anchors.log"))
            .args(["--by", PEOPLE.0, "--second", PEOPLE.1])
            .args(["--reason", "the disk is lost"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        if let Some(mut typed) = restoring.stdin.take() {
            // A restore that is refused before it asks has no reader any more.
            let _ = writeln!(typed, "{}\n{}", pin_of(PEOPLE.0), pin_of(PEOPLE.1));
        }
        let output = restoring.wait_with_output()?;
        match printed(&output) {
            Ok(_) => Ok(Some(new)),
            Err(words) => {
                let is_left = new.exists();
                self.breach(
                    round,
                    format!("not restored (a folder is left: {is_left}): {words}"),
                );
                Ok(None)
            }
        }
    }

    /// Two people have looked at who is recorded, and let sales go on.
    fn let_sales_go_on(&mut self, round: u64) -> anyhow::Result<()> {
        if self.plan.plant == Some(Planted::Copied) {
            return Ok(());
        }
        let mut resuming = Command::new(&self.founded.program)
            .args(["sales", "resume", "--by", PEOPLE.0, "--second", PEOPLE.1])
            .arg("--data")
            .arg(&self.data)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        if let Some(mut typed) = resuming.stdin.take() {
            let _ = writeln!(typed, "{}\n{}", pin_of(PEOPLE.0), pin_of(PEOPLE.1));
        }
        if let Err(words) = printed(&resuming.wait_with_output()?) {
            self.breach(round, format!("sales do not go on: {words}"));
        }
        Ok(())
    }

    /// The restored house answers, sells and draws.
    fn after_restore(
        &mut self,
        round: u64,
        central: &Running,
        papers: &[Paper],
        size: u64,
    ) -> anyhow::Result<()> {
        let mut till = self.till(central)?;
        for paper in papers {
            let verdict = till.verdict(&paper.code);
            let is_lost = paper.ticket >= size;
            if is_lost != (verdict == "record_lost") || verdict == "not_found" {
                let words = format!("ticket {} is said to be {verdict}", paper.ticket);
                self.breach(round, words);
            }
            self.report.lost_tickets += u64::from(is_lost);
        }
        let lost = papers.iter().filter(|paper| paper.ticket >= size);
        for paper in lost.take(REFUNDED_A_ROUND) {
            let (first, second) = (till.refund_lost(&paper.code), till.refund_lost(&paper.code));
            let verdict = till.verdict(&paper.code);
            match (&first, &second, verdict.as_str()) {
                (Answer::Done(_), Answer::Refused(name), "lost_refunded")
                    if name == "lost_refunded" =>
                {
                    self.report.lost_refunded += 1;
                }
                _ => self.breach(
                    round,
                    format!(
                        "lost ticket {}: {first:?}, {second:?}, {verdict}",
                        paper.ticket
                    ),
                ),
            }
        }
        for _ in 0..3 {
            // The draws of the epoch are announced one after the other when central starts.
            let since = Stopwatch::start();
            while !till.sell() {
                if since.elapsed() > ANNOUNCED_AT_MOST {
                    let (refused, notes) = (&till.refused, central.notes());
                    let words = format!("the restored house does not sell: {refused}\n{notes}");
                    self.breach(round, words);
                    return Ok(());
                }
                pass(Duration::from_millis(5));
            }
        }
        if let (true, Some(paper)) = (self.plan.draws, till.papers.first().cloned()) {
            let since = Stopwatch::start();
            let path = format!("/draws/{}", paper.first_draw);
            loop {
                if let Answer::Done(view) = till.door.get(&path)
                    && view["state"].as_str() == Some("settled")
                {
                    self.report.drawn += 1;
                    break;
                }
                if since.elapsed() > DRAWN_AT_MOST {
                    self.breach(round, format!("draw {} is not drawn", paper.first_draw));
                    break;
                }
                pass(Duration::from_millis(200));
            }
        }
        Ok(())
    }

    /// The restored record against what was lost, and the second computation over it.
    fn judge(
        &mut self,
        round: u64,
        backup: &Backup,
        (lost, lost_checkpoint): (&Record, &str),
        papers: &[Paper],
    ) -> anyhow::Result<()> {
        let out = self.founded.beside("export");
        let bytes = export(&self.founded.program, &self.data, &out)?;
        let record = Record::read(&bytes)?;
        let size = backup.manifest.size;
        let (theirs, ours) = (used(lost, size), used(&record, size));
        for (what, twice) in [
            ("draw", ours.draws.intersection(&theirs.draws).count()),
            (
                "session",
                ours.sessions.intersection(&theirs.sessions).count(),
            ),
            ("ticket", ours.tickets.intersection(&theirs.tickets).count()),
        ] {
            if twice > 0 {
                self.breach(
                    round,
                    format!("{twice} {what} numbers of the lost part are used again"),
                );
            }
        }
        if theirs.tickets.is_empty() {
            self.breach(round, "nothing was lost: the round says nothing");
        }
        for outside in [backup.manifest.checkpoint.as_str(), lost_checkpoint] {
            let kept = Outside {
                checkpoint: Some(outside),
                key: None,
            };
            let outcome = keno_audit::verify(bytes.as_slice(), kept, Options::default())?;
            for finding in outcome.findings.iter().take(3) {
                self.breach(round, format!("keno-audit: {finding}"));
            }
        }
        // Two papers: one that was kept, and one that was lost and is said to be.
        let witnesses: Vec<Witness> = [
            papers.iter().rfind(|paper| paper.ticket < size),
            papers.last(),
        ]
        .into_iter()
        .flatten()
        .filter_map(|paper| {
            Some(Witness {
                name: format!("ticket {}", paper.ticket),
                states: vec![state_of_code(&paper.code)?],
                // Central gave it to this campaign: nobody has to attest it.
                paper: None,
            })
        })
        .collect();
        let answer = against_log(
            &witnesses,
            &read_log(bytes.as_slice(), &witnesses)?,
            &BTreeSet::new(),
        );
        if answer.text.contains("DISAGREE") || witnesses.len() != 2 {
            self.breach(round, format!("the papers disagree: {}", answer.text));
        }
        let output = Command::new(&self.founded.program)
            .args(["verify", "--data"])
            .arg(&self.data)
            .stdin(Stdio::null())
            .output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            self.breach(round, format!("the restored record does not hold: {said}"));
        }
        Ok(())
    }
}

/// Waits until the measured counter has sold more than `so_many`: a round without a ticket on each
/// side of its backup says nothing.
fn sells_after(sold: &AtomicU64, so_many: u64) -> anyhow::Result<()> {
    let since = Stopwatch::start();
    while sold.load(Ordering::SeqCst) <= so_many {
        anyhow::ensure!(
            since.elapsed() < ANNOUNCED_AT_MOST,
            "the measured counter does not sell"
        );
        pass(Duration::from_millis(5));
    }
    Ok(())
}

/// The checkpoint that central shows to anyone.
fn shown_checkpoint(central: &Running) -> anyhow::Result<String> {
    let address = format!("http://{}/log/checkpoint", central.address);
    let agent: ureq::Agent = ureq::Agent::config_builder().proxy(None).build().into();
    Ok(agent.get(&address).call()?.body_mut().read_to_string()?)
}

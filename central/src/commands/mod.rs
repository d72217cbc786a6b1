//! The commands of `keno-central`.
//!
//! Commands that write open central on the data folder, without the conductor, and so need its
//! lock: while central serves, the same things are done through its HTTP interface.

mod admin;
mod ask;
mod backup;
mod demo;
mod draw;
mod fail;
mod folder;
mod hosts;
mod people;
mod process;
mod record;
mod report;
mod rules;
mod serve;
mod slips;
mod staff;
mod whole;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

/// The central computer of a Keno house.
#[derive(Debug, Parser)]
#[command(name = "keno-central", version, about, after_help = EXITS)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXITS: &str = "Exit: 0 done; 1 judged and found wrong, or refused; 2 could not be done.\n\
Claim codes and PINs are asked for, or read from standard input in the order of the questions, a \
line each: never arguments, never in the environment. \
BOULIER_LOG filters the log on stderr (info, warn, keno_service=debug).";

/// Where the house is.
#[derive(Debug, Clone, Args)]
struct Data {
    /// The data folder: house.toml, the keys, the record.
    #[arg(long, value_name = "DIR", env = "BOULIER_DATA")]
    data: PathBuf,
}

/// Two people.
#[derive(Debug, Clone, Args)]
struct ByTwo {
    /// Badge of the first person.
    #[arg(long, value_name = "BADGE")]
    by: String,
    /// Badge of the second person.
    #[arg(long, value_name = "BADGE")]
    second: String,
}

/// The first two administrators.
#[derive(Debug, Clone, Args)]
struct Founders {
    /// An administrator, as BADGE=STAFF: the badge and the staff number; given twice. Each types a
    /// PIN.
    #[arg(long = "administrator", value_name = "BADGE=STAFF", value_parser = people::founder)]
    administrators: Vec<people::Founder>,
}

#[derive(Debug, Subcommand)]
enum PinCommand {
    /// Choose another PIN for your own badge. Central may run.
    Choose {
        #[command(flatten)]
        data: Data,
        /// Your badge.
        #[arg(long)]
        badge: String,
    },
    /// Give a clerk who forgot the PIN another, by a supervisor and a second person; prints it,
    /// once. Central may run.
    Reset(admin::ResetPin),
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the house: HTTP, pages and the schedule.
    Serve {
        #[command(flatten)]
        data: Data,
        /// Commands that share one commit at most; 1 commits each alone, which is slow and only
        /// of use to measure what sharing gains.
        #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=500))]
        batch_max: Option<u16>,
    },
    /// Run a demonstration house, made when it is not there.
    Demo(demo::Demo),
    /// Make a house: house.toml when it is not there, the keys, and an empty record.
    Init(record::Init),
    /// Bring the database's schema up to date.
    Migrate {
        #[command(flatten)]
        data: Data,
    },
    /// Write the record to a file that `keno-audit verify` judges. Central may run.
    Export(record::Export),
    /// Say in a signed note which papers this house made: `keno-audit compare --attested` reads it.
    /// Their claim codes are read from standard input, a line each. Central may run.
    Attest {
        #[command(flatten)]
        data: Data,
        /// The file; it appears once it is whole. There is no claim code in it.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Say who is on the staff and which devices are enrolled, by the record. Central may run.
    Staff {
        #[command(flatten)]
        data: Data,
    },
    /// Print what the settings of the draw's hosts (keno-draw-machine serve) say of this central, and
    /// how each host that house.toml names answers. Central may run.
    Hosts {
        #[command(flatten)]
        data: Data,
    },
    /// Judge the record: leaves, head, anchors, and every table; and the chain of the access log.
    /// Central may run.
    Verify {
        #[command(flatten)]
        data: Data,
    },
    /// Make every table again from the leaves of the record.
    Rebuild {
        #[command(flatten)]
        data: Data,
    },
    /// Back the record up and verify the backup. Central may run.
    Backup {
        #[command(flatten)]
        data: Data,
        /// The folder that backups are kept in, on another disk; never that of the keys.
        #[arg(long, value_name = "FOLDER")]
        to: PathBuf,
    },
    /// Back the server's keys up, apart from any record. Central may run.
    BackupKeys {
        #[command(flatten)]
        data: Data,
        /// The folder that they are kept in, locked away; never that of the record.
        #[arg(long, value_name = "FOLDER")]
        to: PathBuf,
    },
    /// Judge a backup of the record as it stands.
    CheckBackup {
        /// The backup.
        #[arg(value_name = "BACKUP")]
        backup: PathBuf,
    },
    /// Restore the record from a backup into a new folder, by two people: the log goes on in a new
    /// epoch.
    Restore(backup::Asked),
    /// Reports to file: a draw, a shift, the evidence pack of a ticket.
    #[command(subcommand)]
    Report(report::ReportCommand),
    /// Selection slips and express cards as PDF, with the mentions of s. 77.
    Slips(slips::SlipsArguments),
    /// Rule books.
    #[command(subcommand)]
    Rules(RulesCommand),
    /// People and devices.
    #[command(subcommand)]
    Admin(AdminCommand),
    /// A draw that people must decide about.
    #[command(subcommand)]
    Draw(DrawCommand),
    /// The schedule.
    #[command(subcommand)]
    Schedule(ScheduleCommand),
    /// Sales of the whole house.
    #[command(subcommand)]
    Sales(SalesCommand),
}

#[derive(Debug, Subcommand)]
enum RulesCommand {
    /// Judge a rule book; print its certificate of returns (s. 85).
    Check {
        /// The rule book.
        file: PathBuf,
    },
    /// Publish a rule book, by two administrators.
    Publish(rules::Publish),
}

#[derive(Debug, Subcommand)]
enum AdminCommand {
    /// Make the first two administrators of a house that has none.
    First {
        #[command(flatten)]
        data: Data,
        #[command(flatten)]
        founders: Founders,
    },
    /// Make another administrator, by one who is left and the recovery code, which is asked for and
    /// good once; prints another code. Central must not run.
    Recover(admin::Recover),
    /// Print another recovery code, by two administrators: the one before is good for nothing.
    /// Central must not run.
    RecoveryCode {
        #[command(flatten)]
        data: Data,
        #[command(flatten)]
        people: ByTwo,
    },
    /// People, by two administrators.
    #[command(subcommand)]
    Person(PersonCommand),
    /// PINs.
    #[command(subcommand)]
    Pin(PinCommand),
    /// Devices.
    #[command(subcommand)]
    Device(DeviceCommand),
}

#[derive(Debug, Subcommand)]
enum PersonCommand {
    /// Make a person, or change one: roles and PIN are as given here, and the PIN is good until its
    /// owner has chosen another. Central may run.
    Add(admin::Add),
    /// Make a card for a badge, which its owner shows as a second person at another's screen; prints
    /// what its code says, once. Central may run.
    Card(admin::Card),
    /// Withdraw a badge; its sessions end. Central may run.
    Withdraw(admin::Withdraw),
    /// Name somebody who may be made an acting supervisor. Central may run.
    NameActing(admin::NameActing),
    /// Make somebody who was named an acting supervisor for the rest of the business day: by a
    /// supervisor, or by the cage and another person. Central may run.
    Act(admin::Act),
}

#[derive(Debug, Subcommand)]
enum DeviceCommand {
    /// Enrol a device, or give it a new key, by two people of whom one is an administrator; prints
    /// the key, once.
    Add {
        #[command(flatten)]
        data: Data,
        #[command(flatten)]
        device: admin::NewDevice,
        #[command(flatten)]
        people: ByTwo,
    },
    /// Type the code that a device shows: it is enrolled, or gets a number that another had.
    /// Central must run.
    Approve(admin::Approve),
    /// Let a device serve again that was handed over to a neighbour. Central may run.
    Return {
        #[command(flatten)]
        data: Data,
        /// Number of the device.
        #[arg(long)]
        number: u32,
        #[command(flatten)]
        people: ByTwo,
    },
    /// Revoke a device, by one person; its sessions end, and its connections are cut. Central may run.
    Revoke {
        #[command(flatten)]
        data: Data,
        /// Number of the device.
        #[arg(long)]
        number: u32,
        /// Badge of the administrator or technician.
        #[arg(long, value_name = "BADGE")]
        by: String,
    },
}

#[derive(Debug, Subcommand)]
enum DrawCommand {
    /// Void a draw, by two people; every wager for it is refunded.
    Void {
        #[command(flatten)]
        data: Data,
        /// Draw number.
        draw: u64,
        #[command(flatten)]
        people: ByTwo,
        /// Why, for the record.
        #[arg(long)]
        reason: String,
    },
    /// Interrupt a draw; its seal stands.
    Suspend {
        #[command(flatten)]
        data: Data,
        /// Draw number.
        draw: u64,
        /// Badge of the supervisor.
        #[arg(long, value_name = "BADGE")]
        by: String,
        /// Why, for the record.
        #[arg(long)]
        reason: String,
    },
    /// Go on with an interrupted draw from its seal, by two people.
    Resume {
        #[command(flatten)]
        data: Data,
        /// Draw number.
        draw: u64,
        #[command(flatten)]
        people: ByTwo,
    },
}

#[derive(Debug, Subcommand)]
enum ScheduleCommand {
    /// Confirm the clock after the schedule was halted, by two people.
    Confirm {
        #[command(flatten)]
        data: Data,
        #[command(flatten)]
        people: ByTwo,
    },
}

#[derive(Debug, Subcommand)]
enum SalesCommand {
    /// Stop sales.
    Stop {
        #[command(flatten)]
        data: Data,
        /// Badge of the supervisor.
        #[arg(long, value_name = "BADGE")]
        by: String,
        /// Why, for the record.
        #[arg(long)]
        reason: String,
    },
    /// Let sales go on, by two people.
    Resume {
        #[command(flatten)]
        data: Data,
        #[command(flatten)]
        people: ByTwo,
    },
}

/// How a command ended that could be carried out.
enum Ending {
    /// Done.
    Done,
    /// Judged, and found wrong; what is wrong was printed.
    Wrong,
}

/// Runs a command.
pub fn run(arguments: Arguments) -> ExitCode {
    match process::no_core_dumps().and_then(|()| dispatch(arguments.command)) {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::Wrong) => ExitCode::from(1),
        Err(error) => {
            fail::print(&error);
            ExitCode::from(if fail::is_refusal(&error) { 1 } else { 2 })
        }
    }
}

fn dispatch(command: Command) -> anyhow::Result<Ending> {
    match command {
        Command::Serve { data, batch_max } => serve::serve(&data.data, batch_max.map(usize::from)),
        Command::Demo(asked) => demo::demo(&asked),
        Command::Init(asked) => record::init(&asked),
        Command::Migrate { data } => record::migrate(&data.data),
        Command::Export(asked) => record::export(&asked),
        Command::Attest { data, out } => record::attest(&data.data, &out),
        Command::Staff { data } => staff::list(&data.data),
        Command::Hosts { data } => hosts::hosts(&data.data),
        Command::Verify { data } => record::verify(&data.data),
        Command::Rebuild { data } => record::rebuild(&data.data),
        Command::Backup { data, to } => backup::record(&data.data, &to),
        Command::BackupKeys { data, to } => backup::keys(&data.data, &to),
        Command::CheckBackup { backup } => backup::check(&backup),
        Command::Restore(asked) => backup::restore(&asked),
        Command::Report(command) => report::run(command),
        Command::Slips(arguments) => slips::run(&arguments),
        Command::Rules(command) => match command {
            RulesCommand::Check { file } => rules::check(&file),
            RulesCommand::Publish(asked) => rules::publish(&asked),
        },
        Command::Admin(command) => admin::run(command),
        Command::Draw(command) => draw::run(command),
        Command::Sales(command) => draw::run_sales(command),
        Command::Schedule(ScheduleCommand::Confirm { data, people }) => {
            draw::confirm(&data.data, &people)
        }
    }
}

/// Data, to stdout.
fn say(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(())
}

/// Everything else, to stderr.
fn note(text: &str) {
    keno_daemon::log::line(keno_daemon::log::Priority::Info, text);
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }
}

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
use std::net::SocketAddr;
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
    Reset {
        #[command(flatten)]
        data: Data,
        /// Badge of the clerk.
        #[arg(long)]
        badge: String,
        #[command(flatten)]
        people: ByTwo,
    },
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
    Demo {
        #[command(flatten)]
        data: Data,
        /// Where to listen on this machine, instead of what house.toml says.
        #[arg(long, value_name = "ADDRESS")]
        listen: Option<SocketAddr>,
        /// Only move the house of an earlier version aside, if there is one.
        #[arg(long, hide = true)]
        only_set_aside: bool,
    },
    /// Make a house: house.toml when it is not there, the keys, and an empty record.
    Init {
        #[command(flatten)]
        data: Data,
        /// Short name of the house, part of every derivation: never changed.
        #[arg(long)]
        code: Option<String>,
        /// Name of the house, for people.
        #[arg(long)]
        name: Option<String>,
        #[command(flatten)]
        founders: Founders,
    },
    /// Bring the database's schema up to date.
    Migrate {
        #[command(flatten)]
        data: Data,
    },
    /// Write the record to a file that `keno-audit verify` judges. Central may run.
    Export {
        #[command(flatten)]
        data: Data,
        /// The file; it appears once it is whole.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// A file for the signed checkpoint alone, to keep out of the house's reach.
        #[arg(long, value_name = "FILE")]
        checkpoint_out: Option<PathBuf>,
        /// A file for the access log, with its signed checkpoint: `keno-audit access` judges it.
        #[arg(long, value_name = "FILE")]
        access_out: Option<PathBuf>,
    },
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
    Publish {
        #[command(flatten)]
        data: Data,
        /// The rule book.
        file: PathBuf,
        /// First draw that it governs.
        #[arg(long, value_name = "DRAW")]
        from: u64,
        #[command(flatten)]
        people: ByTwo,
    },
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
    Recover {
        #[command(flatten)]
        data: Data,
        /// Badge of the new administrator.
        #[arg(long)]
        badge: String,
        /// Staff number of the new administrator.
        #[arg(long, value_name = "NUMBER")]
        staff: String,
        /// Name shown to colleagues.
        #[arg(long, default_value = "")]
        name: String,
        /// Badge of the administrator who is left.
        #[arg(long, value_name = "BADGE")]
        by: String,
    },
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
    Add {
        #[command(flatten)]
        data: Data,
        /// Badge.
        #[arg(long)]
        badge: String,
        /// Staff number: two badges with the same are one human.
        #[arg(long, value_name = "NUMBER")]
        staff: String,
        /// Name shown to colleagues.
        #[arg(long, default_value = "")]
        name: String,
        /// Roles, such as clerk,supervisor.
        #[arg(long, value_delimiter = ',', required = true, value_parser = people::role)]
        roles: Vec<keno_record::roles::Role>,
        #[command(flatten)]
        people: ByTwo,
    },
    /// Make a card for a badge, which its owner shows as a second person at another's screen; prints
    /// what its code says, once. Central may run.
    Card {
        #[command(flatten)]
        data: Data,
        /// Badge.
        #[arg(long)]
        badge: String,
        /// Draw the code into this new file, as SVG.
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
        #[command(flatten)]
        people: ByTwo,
    },
    /// Withdraw a badge; its sessions end. Central may run.
    Withdraw {
        #[command(flatten)]
        data: Data,
        /// Badge.
        #[arg(long)]
        badge: String,
        #[command(flatten)]
        people: ByTwo,
    },
    /// Name somebody who may be made an acting supervisor. Central may run.
    NameActing {
        #[command(flatten)]
        data: Data,
        /// Badge.
        #[arg(long)]
        badge: String,
        /// Take the naming back.
        #[arg(long)]
        no_more: bool,
        #[command(flatten)]
        people: ByTwo,
    },
    /// Make somebody who was named an acting supervisor for the rest of the business day: by a
    /// supervisor, or by the cage and another person. Central may run.
    Act {
        #[command(flatten)]
        data: Data,
        /// Badge of who acts.
        #[arg(long)]
        badge: String,
        /// Badge of the supervisor, or of the cage.
        #[arg(long, value_name = "BADGE")]
        by: String,
        /// Badge of the second person, where it is the cage.
        #[arg(long, value_name = "BADGE")]
        second: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
enum DeviceCommand {
    /// Enrol a device, or give it a new key, by two people of whom one is an administrator; prints
    /// the key, once.
    Add {
        #[command(flatten)]
        data: Data,
        /// Number of the device.
        #[arg(long)]
        number: u32,
        /// Name on screens and paper.
        #[arg(long)]
        name: String,
        /// What it is.
        #[arg(long, value_parser = ["counter", "kiosk", "display", "audit", "desk", "office", "cage"])]
        role: String,
        #[command(flatten)]
        people: ByTwo,
    },
    /// Type the code that a device shows: it is enrolled, or gets a number that another had.
    /// Central must run.
    Approve {
        #[command(flatten)]
        data: Data,
        /// The code on the device's screen.
        #[arg(long)]
        code: String,
        /// Number of the device.
        #[arg(long)]
        number: u32,
        /// Name on screens and paper.
        #[arg(long)]
        name: String,
        /// What it is.
        #[arg(long, value_parser = ["counter", "kiosk", "display", "audit", "desk", "office", "cage"])]
        role: String,
        #[command(flatten)]
        people: ByTwo,
    },
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
        Command::Demo {
            data,
            listen,
            only_set_aside,
        } => demo::demo(&data.data, listen, only_set_aside),
        Command::Init {
            data,
            code,
            name,
            founders,
        } => record::init(
            &data.data,
            code.as_deref(),
            name.as_deref(),
            &founders.administrators,
        ),
        Command::Migrate { data } => record::migrate(&data.data),
        Command::Export {
            data,
            out,
            checkpoint_out,
            access_out,
        } => record::export(
            &data.data,
            &out,
            checkpoint_out.as_deref(),
            access_out.as_deref(),
        ),
        Command::Attest { data, out } => record::attest(&data.data, &out),
        Command::Staff { data } => staff::list(&data.data),
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
            RulesCommand::Publish {
                data,
                file,
                from,
                people,
            } => rules::publish(&data.data, &file, from, &people),
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

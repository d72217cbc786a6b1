//! Reports to file, without a server: draw and shift while central runs or not; an evidence pack
//! with central's lock, since it goes to the access log and is proved under a signed checkpoint.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use keno_central::app::App;
use keno_central::pages::view::Purpose;
use keno_central::report;
use keno_central::report::{Asking, House, Report, ReportFault};
use keno_record::calendar::Calendar;
use keno_record::clock::{Clock, SystemClock};

use super::fail::{advised, stopped};
use super::folder::Folder;
use super::whole::write_whole;
use super::{Data, Ending, note, people};

/// Where a report goes.
#[derive(Debug, Clone, Args)]
pub(super) struct Out {
    /// A file for the paper, French and then English.
    #[arg(long, value_name = "FILE", required_unless_present = "csv")]
    pdf: Option<PathBuf>,
    /// A file for the figures.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(super) enum ReportCommand {
    /// The sheet of a draw. Central may run.
    Draw {
        /// Draw number.
        number: u64,
        #[command(flatten)]
        data: Data,
        #[command(flatten)]
        out: Out,
    },
    /// How often each number came up in official draws. Central may run.
    Numbers {
        #[command(flatten)]
        data: Data,
        #[command(flatten)]
        out: Out,
    },
    /// The sheet of a shift. Central may run.
    Shift {
        /// Shift number.
        number: u64,
        #[command(flatten)]
        data: Data,
        #[command(flatten)]
        out: Out,
    },
    /// The evidence pack of a ticket; it goes to the access log, with its purpose. Its control
    /// number or claim code is read from standard input.
    Ticket {
        #[command(flatten)]
        data: Data,
        /// Why, for the access log.
        #[arg(long, value_parser = purposes())]
        purpose: Purpose,
        #[command(flatten)]
        out: Out,
    },
}

/// The purposes by their names, as `--help` lists them.
fn purposes() -> impl TypedValueParser<Value = Purpose> {
    PossibleValuesParser::new(Purpose::ALL.map(Purpose::name))
        .try_map(|name| Purpose::from_name(&name).ok_or("no such purpose"))
}

/// Runs one.
pub(super) fn run(command: ReportCommand) -> anyhow::Result<Ending> {
    match command {
        ReportCommand::Draw { number, data, out } => {
            let (folder, house) = open(&data.data)?;
            let made = report::draw(&mut folder.reader()?, &house, number);
            write(&made.map_err(|fault| unknown(fault, "draw", number))?, &out)
        }
        ReportCommand::Numbers { data, out } => {
            let (folder, house) = open(&data.data)?;
            write(&report::numbers(&mut folder.reader()?, &house)?, &out)
        }
        ReportCommand::Shift { number, data, out } => {
            let (folder, house) = open(&data.data)?;
            let made = report::shift(&mut folder.reader()?, &house, number);
            write(
                &made.map_err(|fault| unknown(fault, "shift", number))?,
                &out,
            )
        }
        ReportCommand::Ticket { data, purpose, out } => {
            let folder = Folder::read(&data.data)?;
            let code = people::code("control number or claim code")?;
            // Reading must not begin a record.
            folder.database()?;
            let central = folder.open()?;
            let app = App::new(Arc::clone(&central), &data.data)?;
            let asking = Asking {
                badge: "console",
                device: None,
                purpose,
            };
            let made = report::evidence_pack(&app, asking, &code).map_err(stopped);
            central.sequencer.stop();
            write(&made?, &out)
        }
    }
}

fn open(data: &Path) -> anyhow::Result<(Folder, House)> {
    let folder = Folder::read(data)?;
    let house = House {
        code: folder.house.code.clone(),
        name: folder.house.name.clone(),
        calendar: Calendar::new(&folder.house.zone)?,
        now_ms: SystemClock::new().now_ms(),
    };
    Ok((folder, house))
}

fn unknown(fault: ReportFault, what: &str, number: u64) -> anyhow::Error {
    match fault {
        ReportFault::Unknown => advised(format!("there is no {what} {number} on record"), &[]),
        ReportFault::Record(_) => fault.into(),
    }
}

fn write(report: &Report, out: &Out) -> anyhow::Result<Ending> {
    if let Some(path) = &out.pdf {
        whole(path, &report.pdf()?)?;
    }
    if let Some(path) = &out.csv {
        whole(path, report.csv().as_bytes())?;
    }
    Ok(Ending::Done)
}

/// Writes a whole file, and says so.
pub(super) fn whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write_whole(path, bytes)?;
    note(&format!("written: {}", path.display()));
    Ok(())
}

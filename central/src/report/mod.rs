//! Reports to file: the sheet of a draw, the sheet of a shift, the evidence pack of a control
//! number; each on paper in both languages, French first, with a CSV beside it. And the certificate
//! of a draw, for everybody.
//!
//! The figures are read from the leaves of the record, each checked against its hash: tables only
//! say where the leaves are. A [`sheet::Sheet`] is what a report says; `paper` and `csv` only
//! lay it out.

mod areas;
mod certificate;
mod csv;
mod draw;
mod evidence;
pub(crate) mod facts;
mod numbers;
mod paper;
pub mod sheet;
mod shift;
pub mod slips;

use keno_record::calendar::Calendar;
use keno_record::fault::Fault;
use keno_record::store::snapshot::on_snapshot;
use keno_schema::Connection;
use keno_service::Stop;
use keno_service::central::Central;
use keno_service::refusal::Refusal;
use keno_wire::reply::ShiftSheetReply;
use thiserror::Error;

use crate::app::App;
use crate::pages::view::Purpose;

pub use evidence::evidence;
pub use paper::{PaperFault, Setting};

/// Of which house a report is, and when it was made.
#[derive(Debug, Clone)]
pub struct House {
    /// Short name, part of every derivation.
    pub code: String,
    /// Name.
    pub name: String,
    /// Its zone.
    pub calendar: Calendar,
    /// Now, UTC milliseconds.
    pub now_ms: i64,
}

impl House {
    /// The house of an opened central, now.
    pub fn of(central: &Central) -> Self {
        Self {
            code: central.house_code.clone(),
            name: central.house_name.clone(),
            calendar: central.calendar,
            now_ms: central.clock.now_ms(),
        }
    }
}

/// A report that was made.
#[derive(Debug)]
pub struct Report {
    /// What it says.
    pub sheet: sheet::Sheet,
    /// Name of a file for it, without its ending.
    pub file: String,
    /// How its paper is set.
    pub setting: Setting,
}

impl Report {
    /// On paper.
    ///
    /// # Errors
    /// [`PaperFault`].
    pub fn pdf(&self) -> Result<Vec<u8>, PaperFault> {
        paper::pdf(&self.sheet, &self.setting)
    }

    /// For programs.
    pub fn csv(&self) -> String {
        csv::csv(&self.sheet)
    }
}

/// A report cannot be made.
#[derive(Debug, Error)]
pub enum ReportFault {
    /// There is no such draw or shift.
    #[error("there is no such thing on record")]
    Unknown,
    /// The record cannot be read.
    #[error("the record cannot be read")]
    Record(#[from] Fault),
}

impl From<ReportFault> for Stop {
    fn from(fault: ReportFault) -> Self {
        match fault {
            ReportFault::Unknown => Self::Refused(Refusal::RecordUnknown),
            ReportFault::Record(fault) => Self::Broke(fault),
        }
    }
}

/// The sheet of a draw.
///
/// Its numbers stand on it once they are official, and never before.
///
/// # Errors
/// [`ReportFault`].
pub fn draw(
    connection: &mut Connection,
    house: &House,
    number: u64,
) -> Result<Report, ReportFault> {
    let facts = on_snapshot(connection, |connection| draw::read(connection, number))?;
    Ok(Report {
        sheet: draw::sheet(house, &facts),
        file: format!("{}-draw-{number}", house.code),
        setting: Setting::InTurn,
    })
}

/// The certificate of a draw whose result is official: what its transcript says, or its page where it
/// has none, by the same refusals. The same draw gives the same bytes whenever it is asked for.
///
/// # Errors
/// A refusal while the result is not official, or a fault.
pub fn certificate(central: &Central, number: u64) -> Result<Report, Stop> {
    let house = House::of(central);
    let certified = certificate::read(central, house.now_ms, number)?;
    Ok(Report {
        sheet: certificate::sheet(&house, &certified),
        file: format!("{}-certificate-{number}", house.code),
        setting: Setting::Beside {
            code: certified.page(),
        },
    })
}

/// How often each number came up in official draws.
///
/// # Errors
/// [`ReportFault`].
pub fn numbers(connection: &mut Connection, house: &House) -> Result<Report, ReportFault> {
    let frequencies = on_snapshot(connection, numbers::read)?;
    Ok(Report {
        sheet: numbers::sheet(house, &frequencies),
        file: format!("{}-numbers", house.code),
        setting: Setting::InTurn,
    })
}

/// The sheet of a shift.
///
/// # Errors
/// [`ReportFault`].
pub fn shift(
    connection: &mut Connection,
    house: &House,
    number: u64,
) -> Result<Report, ReportFault> {
    let facts = on_snapshot(connection, |connection| shift::read(connection, number))?;
    Ok(Report {
        sheet: shift::sheet(house, &facts),
        file: format!("{}-shift-{number}", house.code),
        setting: Setting::InTurn,
    })
}

/// The sheet of a shift as a reply; none while its till is not counted.
///
/// # Errors
/// [`ReportFault`].
pub fn shift_reply(
    connection: &mut Connection,
    house: &House,
    number: u64,
) -> Result<Option<ShiftSheetReply>, ReportFault> {
    let facts = on_snapshot(connection, |connection| shift::read(connection, number))?;
    Ok(shift::sheet_reply(house, &facts))
}

/// Who asks for an evidence pack, and why: both go to the access log before anything is read.
#[derive(Debug, Clone, Copy)]
pub struct Asking<'a> {
    /// Badge, or `console`.
    pub badge: &'a str,
    /// Device, if one proved its key.
    pub device: Option<u32>,
    /// Why.
    pub purpose: Purpose,
}

/// The evidence pack of a control number or claim code.
///
/// # Errors
/// A refusal when the number is not one or does not exist; a fault.
pub fn evidence_pack(app: &App, asking: Asking<'_>, code: &str) -> Result<Report, Stop> {
    let house = House::of(&app.central);
    let pack = evidence::read(app, asking, code)?;
    Ok(Report {
        sheet: evidence(&house, &pack),
        // The file's name does not tell the control number.
        file: format!("{}-ticket-{}", house.code, pack.record.view.ticket),
        setting: Setting::InTurn,
    })
}

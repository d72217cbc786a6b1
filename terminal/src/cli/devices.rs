//! Commands about the devices of a counter: nothing is sold, and central is not asked.

use keno_words::command as words;

use std::time::Duration;

use super::desk::Desk;
use crate::config::Config;
use crate::exit::{Exit, Stop};
use crate::printer::trial::try_printer;
use crate::scanner::trial::try_scan;
use crate::scanner::wedge::Wedge;
use crate::scanner::{self, Heard, Scan};

/// Prints the test page and tells what the printer said of itself and of it.
///
/// # Errors
/// [`Stop`] when the settings cannot be used or the page cannot be rendered.
pub(super) fn test_printer(config: &Config, desk: &mut Desk<'_>) -> Result<Exit, Stop> {
    let trial = try_printer(
        &config.driver()?,
        &config.device.to_string(),
        config.width()?,
        config.printing.timing(),
        config.printing.equipment(),
    )?;
    for words in trial.sentences() {
        desk.tell(&words);
    }
    Ok(if trial.is_good() {
        Exit::Done
    } else {
        Exit::PrinterTrouble
    })
}

/// How long one wait for a scan lasts before the device is looked at again.
const WAIT: Duration = Duration::from_secs(1);

/// Shows what the scanner reads, so many scans; without a device, what is typed.
///
/// # Errors
/// None today.
pub(super) fn test_scanner(
    config: &Config,
    count: usize,
    desk: &mut Desk<'_>,
) -> Result<Exit, Stop> {
    let settings = &config.scanner;
    let mut device = scanner::open(settings);
    let mut next = |desk: &mut Desk<'_>| -> Option<Scan> {
        let Some(device) = &mut device else {
            let line = desk.ask_secret(&words::ShowCode)?;
            return Wedge::line(&line).or(Some(Scan {
                bytes: Vec::new(),
                is_cut: false,
            }));
        };
        desk.note(&words::ShowCode);
        loop {
            match device.hear(WAIT) {
                Heard::Scan(scan) => return Some(scan),
                Heard::Nothing => {}
                Heard::Absent(absence) => {
                    desk.note(&absence);
                    return None;
                }
            }
        }
    };
    for _ in 0..count {
        let Some(scan) = next(desk) else {
            return Ok(Exit::Refused);
        };
        for words in try_scan(&scan, settings).sentences() {
            desk.tell(&words);
        }
    }
    Ok(Exit::Done)
}

//! The planted faults that act on some evenings of the year, as Eddie Tipton's code did, and the
//! machine with one of them before it.

use std::path::Path;

use anyhow::Result;
use clap::ValueEnum;
use keno_draw::adapter::{DrawEvent, MachineFault, MachineKind};
use keno_draw::{DrawMachine, DrawOrder, RngMachine};

use crate::process::machine_clock_ms;

/// A day.
pub(crate) const DAY_MS: i64 = 86_400_000;
/// The days of the year on which the planted code acts.
const FRAUD_DAYS: [i64; 3] = [147, 327, 363];

/// A fault that acts on days 147, 327 and 363 of the year, from 18:00 UTC on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum InstantPlant {
    /// The machine takes known secrets instead of those revealed.
    Machine,
    /// The holders' source gives known bytes.
    Source,
}

/// Day of the year from 1, in UTC.
#[must_use]
pub fn day_of_year(at_ms: i64) -> i64 {
    // Days since 1 March 0000 split into years that begin in March, as Howard Hinnant's
    // `civil_from_days` does.
    let days = at_ms.div_euclid(DAY_MS) + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_march_year = of_era - (365 * year + year / 4 - year / 100);
    let calendar_year = era * 400 + year + i64::from(of_march_year >= 306);
    let is_leap = calendar_year % 4 == 0 && (calendar_year % 100 != 0 || calendar_year % 400 == 0);
    if of_march_year >= 306 {
        of_march_year - 305
    } else {
        of_march_year + 60 + i64::from(is_leap)
    }
}

/// Whether the planted code acts.
#[must_use]
pub fn is_fraud_evening(at_ms: i64) -> bool {
    FRAUD_DAYS.contains(&day_of_year(at_ms)) && at_ms.rem_euclid(DAY_MS) >= DAY_MS * 18 / 24
}

/// The real machine on a folder, with the fault before it where it is the machine's.
///
/// # Errors
/// A journal that cannot be used.
pub fn machine(
    folder: &Path,
    house: &str,
    plant: Option<InstantPlant>,
) -> Result<Box<dyn DrawMachine>> {
    let inner = RngMachine::open(folder, house)?;
    Ok(match plant {
        Some(InstantPlant::Machine) => Box::new(TamperedMachine { inner, known: None }),
        _ => Box::new(inner),
    })
}

/// The planted fault in the machine: known balls on certain evenings.
struct TamperedMachine {
    inner: RngMachine,
    known: Option<u8>,
}

impl DrawMachine for TamperedMachine {
    fn kind(&self) -> MachineKind {
        self.inner.kind()
    }

    fn begin(&mut self, order: &DrawOrder) -> Result<(), MachineFault> {
        self.known = is_fraud_evening(machine_clock_ms()).then_some(0);
        self.inner.begin(order)
    }

    fn next(&mut self) -> Result<DrawEvent, MachineFault> {
        let Some(known) = &mut self.known else {
            return self.inner.next();
        };
        if *known == 20 {
            return Ok(DrawEvent::Complete);
        }
        *known += 1;
        Ok(DrawEvent::Ball {
            position: *known,
            number: *known * 3,
            at_ms: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_days_of_the_year_are_those_of_the_calendar() {
        for (seconds, day) in [
            (0, 1),               // 1 January 1970
            (951_782_400, 60),    // 29 February 2000
            (951_868_800, 61),    // 1 March 2000
            (1_735_603_200, 366), // 31 December 2024
            (1_740_787_200, 60),  // 1 March 2025
            (1_767_139_200, 365), // 31 December 2025
            (1_795_132_800, 324), // 20 November 2026
        ] {
            assert_eq!(day_of_year(seconds * 1_000), day, "{seconds}");
            assert_eq!(day_of_year(seconds * 1_000 + DAY_MS - 1), day, "{seconds}");
        }
    }
}

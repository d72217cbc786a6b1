//! A trial of the printer: a test page, and what the printer said of it, in words.

use std::time::Duration;

use keno_slip::{Width, test_page};
use keno_wire::reply::Bilingual;
use keno_words::printer;

use super::condition::{Condition, condition};
use super::drawer::Drawer;
use super::driver::Driver;
use super::fault::PrintFailure;
use super::job::{Confirmation, print_paper};
use super::patience::{Stopwatch, Timing};
use super::render::RenderFault;
use super::settings::Equipment;

/// What a trial of the printer showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// What the printer said of itself before the page.
    pub before: Condition,
    /// How the page ended; none when the printer was in trouble before it.
    pub outcome: Option<Result<Confirmation, PrintFailure>>,
    /// From the first question of the job to its end.
    pub took: Duration,
    /// What the printer said of itself after the page.
    pub after: Condition,
    /// What hangs on the printer.
    pub equipment: Equipment,
}

impl Trial {
    /// True when the page is known, or may be seen, to be whole.
    pub const fn is_good(&self) -> bool {
        matches!(self.outcome, Some(Ok(_)))
    }

    /// What it showed, a sentence a line.
    pub fn sentences(&self) -> Vec<Bilingual> {
        let mut lines = vec![Bilingual::of(&self.before.standing)];
        let milliseconds = &u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX);
        lines.push(match &self.outcome {
            None => Bilingual::of(&printer::NothingPrinted),
            Some(Ok(Confirmation::Printer)) => {
                Bilingual::of(&printer::PageConfirmed { milliseconds })
            }
            Some(Ok(Confirmation::Unknown)) => Bilingual::of(&printer::PageSent { milliseconds }),
            Some(Err(failure)) => Bilingual::of(&printer::PageFailed {
                fault: &failure.fault,
                sent: &failure.sent,
                total: &failure.total,
            }),
        });
        if self.outcome.is_some() && self.after.standing != self.before.standing {
            lines.push(Bilingual::of(&self.after.standing));
        }
        lines.extend(self.after.near_end(self.equipment.near_end_tickets));
        let drawer = self.equipment.drawer;
        match drawer.and_then(|drawer: Drawer| drawer.is_open(&self.after)) {
            Some(true) => lines.push(Bilingual::of(&printer::DrawerOpen)),
            Some(false) => lines.push(Bilingual::of(&printer::DrawerClosed)),
            None => {}
        }
        lines
    }
}

/// Prints the test page of a terminal, and asks the printer before and after it.
///
/// # Errors
/// [`RenderFault`] when there is no page to send.
pub fn try_printer(
    driver: &Driver,
    terminal: &str,
    width: Width,
    timing: Timing,
    equipment: Equipment,
) -> Result<Trial, RenderFault> {
    let before = condition(driver, timing);
    let mut trial = Trial {
        before,
        outcome: None,
        took: Duration::ZERO,
        after: before,
        equipment,
    };
    if before.trouble().is_none() {
        let watch = Stopwatch::start();
        trial.outcome = Some(print_paper(driver, &test_page(terminal, width), timing)?);
        trial.took = watch.elapsed();
        trial.after = condition(driver, timing);
    }
    Ok(trial)
}

//! A trial of the printer: a test page, and what the printer said of it, in words.

use std::time::Duration;

use keno_slip::{Width, test_page};
use keno_words::Say;

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

    /// What it showed, a sentence a line, each in French and in English.
    pub fn sentences(&self) -> Vec<(String, String)> {
        let own = |(fr, en): (&str, &str)| (fr.to_owned(), en.to_owned());
        let mut lines = vec![self.before.standing_sentences()];
        let milliseconds = self.took.as_millis();
        match &self.outcome {
            None => lines.push(own(("Rien n’a été imprimé.", "Nothing was printed."))),
            Some(Ok(Confirmation::Printer)) => lines.push((
                format!("Page d’essai imprimée et coupée, confirmée après {milliseconds} ms."),
                format!("Test page printed and cut, confirmed after {milliseconds} ms."),
            )),
            Some(Ok(Confirmation::Unknown)) => lines.push((
                format!(
                    "Envoyée ; l’imprimante n’a rien confirmé en {milliseconds} ms. Regardez si \
                     le papier finit par « *** FIN / END » : à chaque billet, on vous le demandera."
                ),
                format!(
                    "Sent; the printer confirmed nothing in {milliseconds} ms. Look whether the \
                     paper ends with \"*** FIN / END\": you will be asked at each ticket."
                ),
            )),
            Some(Err(failure)) => lines.push((
                format!(
                    "{} ({} octets sur {} envoyés)",
                    failure.fault.fr(),
                    failure.sent,
                    failure.total
                ),
                format!(
                    "{} ({} of {} bytes sent)",
                    failure.fault.en(),
                    failure.sent,
                    failure.total
                ),
            )),
        }
        if self.outcome.is_some() && self.after.standing != self.before.standing {
            lines.push(self.after.standing_sentences());
        }
        lines.extend(
            self.after
                .near_end_sentences(self.equipment.near_end_tickets),
        );
        if let Some(is_open) = self
            .equipment
            .drawer
            .and_then(|drawer: Drawer| drawer.is_open(&self.after))
        {
            lines.push(own(if is_open {
                ("Le tiroir-caisse est ouvert.", "The cash drawer is open.")
            } else {
                ("Le tiroir-caisse est fermé.", "The cash drawer is closed.")
            }));
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
